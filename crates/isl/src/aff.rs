//! Quasi-affine functions: affine expressions, tuples of them, and tuples by pieces of the domain.

use std::ffi::c_int;

use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::data::{AffineForm, Dim, Div, Linear, NthDim, renumber, sort_divs};
use crate::error::Error;
use crate::map::Map;
use crate::object::{Argument, Object, collect_pairs, int};
use crate::set::Set;
use crate::space::DimType;
use crate::val::Val;

object! {
    /// A quasi-affine function of a tuple and of the parameters.
    pub struct Aff(isl_aff): isl_aff_copy, isl_aff_free, isl_aff_to_str;
}

reader! { Aff = isl_aff_read_from_str }

operations! { Aff {
    /// Returns the number of dimensions of one kind.
    keep fn dim(kind: DimType) -> usize = isl_aff_dim;
    /// Returns true if it is the function without a value.
    keep fn is_nan() -> bool = isl_aff_is_nan;
}}

object! {
    /// A tuple of quasi-affine functions: a function into tuples.
    pub struct MultiAff(isl_multi_aff): isl_multi_aff_copy, isl_multi_aff_free, isl_multi_aff_to_str;
}

reader! { MultiAff = isl_multi_aff_read_from_str }

operations! { MultiAff {
    /// Returns the number of dimensions of one kind.
    keep fn dim(kind: DimType) -> usize = isl_multi_aff_dim;
    /// Returns a simpler function that is the same on `domain`.
    take fn gist(domain: &Set) -> MultiAff = isl_multi_aff_gist;
    /// Returns the composition `self ∘ inner`.
    take fn pullback(inner: &MultiAff) -> MultiAff = isl_multi_aff_pullback_multi_aff;
}}

object! {
    /// A function into tuples that is quasi-affine on each of finitely many disjoint pieces.
    pub struct PwMultiAff(isl_pw_multi_aff): isl_pw_multi_aff_copy, isl_pw_multi_aff_free, isl_pw_multi_aff_to_str;
}

reader! { PwMultiAff = isl_pw_multi_aff_read_from_str }
coalesce! { PwMultiAff = isl_pw_multi_aff_coalesce }

operations! { PwMultiAff {
    /// Returns the number of dimensions of one kind.
    keep fn dim(kind: DimType) -> usize = isl_pw_multi_aff_dim;
    /// Returns the domain, on which it is defined.
    take fn domain() -> Set = isl_pw_multi_aff_domain;
    /// Returns the restriction to `domain`.
    take fn intersect_domain(domain: &Set) -> PwMultiAff = isl_pw_multi_aff_intersect_domain;
    /// Returns the composition `self ∘ inner`.
    take fn pullback(inner: &PwMultiAff) -> PwMultiAff = isl_pw_multi_aff_pullback_pw_multi_aff;
    /// Returns true if it is the same function.
    keep fn is_equal(other: &PwMultiAff) -> bool = isl_pw_multi_aff_is_equal;
}}

impl Aff {
    /// Returns the function as plain data.
    ///
    /// # Errors
    ///
    /// [`Error::Undefined`] if it is not a number, [`Error::Isl`] if isl fails.
    pub fn form(&self) -> Result<AffineForm, Error> {
        if self.is_nan()? {
            return Err(Error::Undefined { operation: "isl_aff_is_nan" });
        }
        let (mut divs, position) = self.local_space()?.divs()?;
        let (constant, mut coefficients) = self.linear()?;
        renumber(&mut coefficients, &position);
        if !coefficients.iter().any(|(dim, _)| matches!(dim, Dim::Div(_))) {
            divs.clear();
        }
        Ok(AffineForm { constant, coefficients, divs })
    }

    /// Returns the constant and the coefficients, divisions numbered as in isl.
    fn linear(&self) -> Result<(BigRational, Vec<(Dim, BigRational)>), Error> {
        let api = self.context.api();
        // SAFETY: the function is live and only looked at; the numbers are ours.
        let constant = unsafe {
            let raw = (api.isl_aff_get_constant_val)(self.keep());
            Val::adopt(&self.context, "isl_aff_get_constant_val", raw)
        }?;
        let constant = constant.to_rational("isl_aff_get_constant_val")?;
        let kinds: [(_, NthDim); 3] = [
            (barvinok_sys::ISL_DIM_PARAM, Dim::Param),
            (barvinok_sys::ISL_DIM_IN, Dim::Set),
            (barvinok_sys::ISL_DIM_DIV, Dim::Div),
        ];
        let mut coefficients = Vec::new();
        for (kind, dim) in kinds {
            // SAFETY: as above.
            let count = unsafe { (api.isl_aff_dim)(self.keep(), kind) };
            let count = usize::try_from(count).map_err(|_| self.context.error("isl_aff_dim"))?;
            for i in 0..count {
                // SAFETY: as above.
                let value = unsafe {
                    let raw = (api.isl_aff_get_coefficient_val)(self.keep(), kind, int(i));
                    Val::adopt(&self.context, "isl_aff_get_coefficient_val", raw)
                }?;
                let value = value.to_rational("isl_aff_get_coefficient_val")?;
                if !value.is_zero() {
                    coefficients.push((dim(i), value));
                }
            }
        }
        Ok((constant, coefficients))
    }

    /// ⌊self⌋ as a division.
    pub(crate) fn to_div(&self) -> Result<Div, Error> {
        let (constant, coefficients) = self.linear()?;
        let all = coefficients.iter().map(|(_, c)| c).chain([&constant]);
        let denominator = all.fold(num_bigint::BigInt::one(), |lcm, c| lcm.lcm(c.denom()));
        let scale = |c: &BigRational| (c * &denominator).to_integer();
        let numerator = Linear {
            constant: scale(&constant),
            coefficients: coefficients.iter().map(|(dim, c)| (*dim, scale(c))).collect(),
        };
        Ok(Div { numerator, denominator })
    }

    fn local_space(&self) -> Result<LocalSpace, Error> {
        // SAFETY: the function is live and only looked at; the result is ours.
        unsafe {
            let raw = (self.context.api().isl_aff_get_domain_local_space)(self.keep());
            LocalSpace::adopt(&self.context, "isl_aff_get_domain_local_space", raw)
        }
    }
}

impl MultiAff {
    /// Its functions, one for each dimension of the output tuple.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn affs(&self) -> Result<Vec<Aff>, Error> {
        let get = |i| {
            // SAFETY: the tuple is live and only looked at; the result is ours.
            unsafe {
                let raw = (self.context.api().isl_multi_aff_get_at)(self.keep(), int(i));
                Aff::adopt(&self.context, "isl_multi_aff_get_at", raw)
            }
        };
        (0..self.dim(DimType::Out)?).map(get).collect()
    }
}

impl PwMultiAff {
    /// Returns the function whose graph is `map`, which must be single-valued.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if the map is not single-valued or isl fails otherwise, [`Error::Limit`] at the limit on
    /// operations.
    pub fn from_map(map: &Map) -> Result<PwMultiAff, Error> {
        // SAFETY: the map is live, C frees a copy; the result is ours.
        unsafe {
            let raw = (map.context.api().isl_pw_multi_aff_from_map)(map.take());
            PwMultiAff::adopt(&map.context, "isl_pw_multi_aff_from_map", raw)
        }
    }

    /// Returns the disjoint pieces: where, and what there.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn pieces(&self) -> Result<Vec<(Set, MultiAff)>, Error> {
        const OPERATION: &str = "isl_pw_multi_aff_foreach_piece";
        collect_pairs(&self.context, OPERATION, |callback, user| {
            // SAFETY: the function is live; `collect_pairs` made callback and user pointer for each other.
            unsafe { (self.context.api().isl_pw_multi_aff_foreach_piece)(self.keep(), callback, user) }
        })
    }
}

object! {
    /// A space with the integer divisions of one object in it.
    pub(crate) struct LocalSpace(isl_local_space): isl_local_space_free;
}

impl LocalSpace {
    /// Returns the divisions, each after those it mentions, and the new position of each old one.
    pub(crate) fn divs(&self) -> Result<(Vec<Div>, Vec<usize>), Error> {
        let api = self.context.api();
        let raw = self.raw.as_ptr();
        // SAFETY: the space is live and only looked at.
        let count: c_int = unsafe { (api.isl_local_space_dim)(raw, barvinok_sys::ISL_DIM_DIV) };
        let mut divs = Vec::new();
        for i in 0..count {
            // SAFETY: as above; the function is ours.
            let aff =
                unsafe { Aff::adopt(&self.context, "isl_local_space_get_div", (api.isl_local_space_get_div)(raw, i)) }?;
            divs.push(aff.to_div()?);
        }
        sorted(divs)
    }
}

/// Sorts divisions that came from isl.
pub(crate) fn sorted(mut divs: Vec<Div>) -> Result<(Vec<Div>, Vec<usize>), Error> {
    let cycle = || {
        let message = "integer divisions refer to each other in a cycle".to_owned();
        Error::from_isl("isl_local_space_get_div", barvinok_sys::ISL_ERROR_INTERNAL, message)
    };
    let position = sort_divs(&mut divs).ok_or_else(cycle)?;
    Ok((divs, position))
}
