//! Quasi-polynomials: polynomials with rational coefficients over parameters, dimensions and integer divisions.
//!
//! A piecewise one is a function on a space; where no piece is, it is 0. The dimensions of its domain are
//! [`DimType::In`].

use num_rational::BigRational;

use crate::aff::{Aff, sorted};
use crate::data::{Dim, Div, NthDim, Point, PolynomialForm, Term, renumber};
use crate::error::Error;
use crate::object::{Argument, Object, Output, collect, collect_pairs};
use crate::set::{RawPoint, Set};
use crate::space::{DimType, Space};
use crate::val::Val;

object! {
    /// A quasi-polynomial.
    pub struct QPolynomial(isl_qpolynomial): isl_qpolynomial_copy, isl_qpolynomial_free, isl_qpolynomial_to_str;
}

operations! { QPolynomial {
    /// Returns the number of dimensions of one kind; those of the domain are [`DimType::In`].
    keep fn dim(kind: DimType) -> usize = isl_qpolynomial_dim;
    /// Returns true if it is 0.
    keep fn is_zero() -> bool = isl_qpolynomial_is_zero;
    /// Returns true if it is not a number.
    keep fn is_nan() -> bool = isl_qpolynomial_is_nan;
    /// Returns true if it is +∞.
    keep fn is_infinity() -> bool = isl_qpolynomial_is_infty;
    /// Returns true if it is -∞.
    keep fn is_negative_infinity() -> bool = isl_qpolynomial_is_neginfty;
}}

object! {
    /// A function that is a quasi-polynomial on each of finitely many disjoint pieces, and 0 elsewhere.
    pub struct PwQPolynomial(isl_pw_qpolynomial):
        isl_pw_qpolynomial_copy, isl_pw_qpolynomial_free, isl_pw_qpolynomial_to_str;
}

reader! { PwQPolynomial = isl_pw_qpolynomial_read_from_str }
coalesce! { PwQPolynomial = isl_pw_qpolynomial_coalesce }

operations! { PwQPolynomial {
    /// Returns the number of dimensions of one kind; those of the domain are [`DimType::In`].
    keep fn dim(kind: DimType) -> usize = isl_pw_qpolynomial_dim;
    /// Returns true if it has no pieces.
    keep fn is_zero() -> bool = isl_pw_qpolynomial_is_zero;
    /// Obviously the same function? `false` may mean "unknown".
    keep fn plain_is_equal(other: &PwQPolynomial) -> bool = isl_pw_qpolynomial_plain_is_equal;
    /// Returns the space of its domain.
    keep fn domain_space() -> Space = isl_pw_qpolynomial_get_domain_space;
    /// Returns the union of its pieces.
    take fn domain() -> Set = isl_pw_qpolynomial_domain;

    /// Returns the sum of both functions.
    take fn add(other: &PwQPolynomial) -> PwQPolynomial = isl_pw_qpolynomial_add;
    /// Returns the sum of functions whose domains are known to be disjoint: cheaper.
    take fn add_disjoint(other: &PwQPolynomial) -> PwQPolynomial = isl_pw_qpolynomial_add_disjoint;
    /// Returns the difference.
    take fn sub(other: &PwQPolynomial) -> PwQPolynomial = isl_pw_qpolynomial_sub;
    /// Returns the product.
    take fn mul(other: &PwQPolynomial) -> PwQPolynomial = isl_pw_qpolynomial_mul;
    /// Returns the negative.
    take fn neg() -> PwQPolynomial = isl_pw_qpolynomial_neg;
    /// Returns a simpler function that is the same on `context`.
    take fn gist(context: &Set) -> PwQPolynomial = isl_pw_qpolynomial_gist;
    /// Returns a simpler function that is the same for parameter values in `context`.
    take fn gist_params(context: &Set) -> PwQPolynomial = isl_pw_qpolynomial_gist_params;
    /// Returns the function on `domain`, 0 elsewhere.
    take fn intersect_domain(domain: &Set) -> PwQPolynomial = isl_pw_qpolynomial_intersect_domain;
    /// Returns the function for parameter values in `params`, 0 elsewhere.
    take fn intersect_params(params: &Set) -> PwQPolynomial = isl_pw_qpolynomial_intersect_params;
    /// Returns the function outside `domain`, 0 inside.
    take fn subtract_domain(domain: &Set) -> PwQPolynomial = isl_pw_qpolynomial_subtract_domain;

    /// Moves `count` dimensions `from`, starting at `first`, so that they start at `at` in `to`.
    take fn move_dims(to: DimType, at: usize, from: DimType, first: usize, count: usize) -> PwQPolynomial =
        isl_pw_qpolynomial_move_dims;
    /// Inserts `count` dimensions before position `at`.
    take fn insert_dims(kind: DimType, at: usize, count: usize) -> PwQPolynomial = isl_pw_qpolynomial_insert_dims;
    /// Appends `count` dimensions.
    take fn add_dims(kind: DimType, count: usize) -> PwQPolynomial = isl_pw_qpolynomial_add_dims;
    /// Removes `count` dimensions from `first` that the function does not mention.
    take fn drop_dims(kind: DimType, first: usize, count: usize) -> PwQPolynomial = isl_pw_qpolynomial_drop_dims;
    /// Removes the parameters that the function does not mention.
    take fn drop_unused_params() -> PwQPolynomial = isl_pw_qpolynomial_drop_unused_params;
    /// Returns a function of the parameters only, from one whose domain has no dimensions.
    take fn project_domain_on_params() -> PwQPolynomial = isl_pw_qpolynomial_project_domain_on_params;
    /// Returns the function on `space`, which differs in names only.
    take fn reset_domain_space(space: &Space) -> PwQPolynomial = isl_pw_qpolynomial_reset_domain_space;
}}

bounds! { PwQPolynomial {
    /// The function where one dimension is `value`, 0 elsewhere.
    fn fix = isl_pw_qpolynomial_fix_val;
}}

impl QPolynomial {
    /// Returns the polynomial as plain data.
    ///
    /// # Errors
    ///
    /// [`Error::Unbounded`] if it is infinite, [`Error::Undefined`] if it is not a number, [`Error::Isl`] if isl fails.
    pub fn form(&self) -> Result<PolynomialForm, Error> {
        const OPERATION: &str = "isl_qpolynomial_foreach_term";
        self.finite(OPERATION)?;
        let terms: Vec<RawTerm> = collect(&self.context, OPERATION, |callback, user| {
            // SAFETY: the polynomial is live; `collect` made callback and user pointer for each other.
            unsafe { (self.context.api().isl_qpolynomial_foreach_term)(self.keep(), callback, user) }
        })?;
        // Every term carries all divisions of the polynomial.
        let (divs, position) = sorted(terms.first().map(RawTerm::divs).transpose()?.unwrap_or_default())?;
        let mut terms = terms.iter().map(RawTerm::term).collect::<Result<Vec<_>, Error>>()?;
        for term in &mut terms {
            renumber(&mut term.powers, &position);
        }
        Ok(PolynomialForm { terms, divs })
    }

    /// Fails, as `operation`, unless it is a number everywhere.
    fn finite(&self, operation: &'static str) -> Result<(), Error> {
        if self.is_nan()? {
            Err(Error::Undefined { operation })
        } else if self.is_infinity()? || self.is_negative_infinity()? {
            Err(Error::Unbounded { operation })
        } else {
            Ok(())
        }
    }
}

impl PwQPolynomial {
    /// Returns the function that is 0 on the whole of `space`.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn zero(space: &Space) -> Result<PwQPolynomial, Error> {
        let api = space.context.api();
        // SAFETY: the space is live, C frees a copy; each step takes the result of the one before; the last is ours.
        unsafe {
            // isl wants the space of the function: from the domain to one number.
            let function = (api.isl_space_from_domain)(space.take());
            let function = (api.isl_space_add_dims)(function, barvinok_sys::ISL_DIM_OUT, 1);
            PwQPolynomial::adopt(&space.context, "isl_pw_qpolynomial_zero", (api.isl_pw_qpolynomial_zero)(function))
        }
    }

    /// Returns the function that is `value` everywhere.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn from_qpolynomial(value: &QPolynomial) -> Result<PwQPolynomial, Error> {
        // SAFETY: the value is live, C frees a copy; the result is ours.
        unsafe {
            let raw = (value.context.api().isl_pw_qpolynomial_from_qpolynomial)(value.take());
            PwQPolynomial::adopt(&value.context, "isl_pw_qpolynomial_from_qpolynomial", raw)
        }
    }

    names! { isl_pw_qpolynomial_set_dim_name }

    /// Returns the product with a number.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn scale(&self, factor: &BigRational) -> Result<PwQPolynomial, Error> {
        let factor = Val::rational(&self.context, factor)?;
        // SAFETY: both are live, C frees copies; the result is ours.
        unsafe {
            let raw = (self.context.api().isl_pw_qpolynomial_scale_val)(self.take(), factor.take());
            PwQPolynomial::adopt(&self.context, "isl_pw_qpolynomial_scale_val", raw)
        }
    }

    /// Returns the disjoint pieces: where, and what there.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn pieces(&self) -> Result<Vec<(Set, QPolynomial)>, Error> {
        collect_pairs(&self.context, "isl_pw_qpolynomial_foreach_piece", |callback, user| {
            // SAFETY: the function is live; `collect_pairs` made callback and user pointer for each other.
            unsafe { (self.context.api().isl_pw_qpolynomial_foreach_piece)(self.keep(), callback, user) }
        })
    }

    /// Returns the value at `point`, which has a value for every parameter and every dimension of the domain, in their
    /// order.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if the point has not as many coordinates as the space, [`Error::Unbounded`] or
    /// [`Error::Undefined`] if the value is no number.
    pub fn eval(&self, point: &Point) -> Result<BigRational, Error> {
        const OPERATION: &str = "isl_pw_qpolynomial_eval";
        let point = RawPoint::new(&self.domain_space()?, point)?;
        // SAFETY: both are live, C frees copies; the number is ours.
        let value = unsafe {
            let raw = (self.context.api().isl_pw_qpolynomial_eval)(self.take(), point.take());
            Val::adopt(&self.context, OPERATION, raw)
        }?;
        value.to_rational(OPERATION)
    }

    /// Returns the function itself, unless a piece is infinite or not a number: then the failure of `operation`.
    pub(crate) fn finite(self, operation: &'static str) -> Result<PwQPolynomial, Error> {
        for (_, polynomial) in self.pieces()? {
            polynomial.finite(operation)?;
        }
        Ok(self)
    }
}

object! {
    struct RawTerm(isl_term): isl_term_free;
}

impl RawTerm {
    fn dim(&self, kind: barvinok_sys::isl_dim_type) -> Result<usize, Error> {
        // SAFETY: the term is live and only looked at.
        unsafe {
            usize::output(&self.context, "isl_term_dim", (self.context.api().isl_term_dim)(self.raw.as_ptr(), kind))
        }
    }

    fn divs(&self) -> Result<Vec<Div>, Error> {
        let get = |i: usize| {
            // SAFETY: the term is live and only looked at; the function is ours.
            let aff = unsafe {
                let raw = (self.context.api().isl_term_get_div)(self.raw.as_ptr(), i.keep());
                Aff::adopt(&self.context, "isl_term_get_div", raw)
            }?;
            aff.to_div()
        };
        (0..self.dim(barvinok_sys::ISL_DIM_DIV)?).map(get).collect()
    }

    fn term(&self) -> Result<Term, Error> {
        let api = self.context.api();
        // SAFETY: the term is live and only looked at; the number is ours.
        let coefficient = unsafe {
            let raw = (api.isl_term_get_coefficient_val)(self.raw.as_ptr());
            Val::adopt(&self.context, "isl_term_get_coefficient_val", raw)
        }?;
        let coefficient = coefficient.to_rational("isl_term_get_coefficient_val")?;
        let kinds: [(_, NthDim); 3] = [
            (barvinok_sys::ISL_DIM_PARAM, Dim::Param),
            (barvinok_sys::ISL_DIM_SET, Dim::Set),
            (barvinok_sys::ISL_DIM_DIV, Dim::Div),
        ];
        let mut powers = Vec::new();
        for (kind, dim) in kinds {
            for i in 0..self.dim(kind)? {
                // SAFETY: the term is live and only looked at.
                let exponent = unsafe { (api.isl_term_get_exp)(self.raw.as_ptr(), kind, i.keep()) };
                let exponent = u32::try_from(exponent).map_err(|_| self.context.error("isl_term_get_exp"))?;
                if exponent > 0 {
                    powers.push((dim(i), exponent));
                }
            }
        }
        Ok(Term { coefficient, powers })
    }
}
