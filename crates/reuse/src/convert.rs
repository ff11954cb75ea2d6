//! From isl's objects to quasi-polynomials in the variables of a frame.

use num_bigint::BigInt;
use symloc_isl::{
    AffineForm, BasicSet, Dim, DimType, Div, MultiAff, PolynomialForm, PwQPolynomial, QPolynomial, Set, Space, System,
};
use symloc_quasi::{Constraint, Poly, Rational, Var};

use crate::Error;
use crate::frame::Frame;

impl Frame {
    /// Returns a point of a non-empty set over the iterators, by variable.
    pub(crate) fn sample(&self, set: &Set) -> Result<Vec<BigInt>, Error> {
        self.point(set)?.ok_or_else(|| Error::Internal("a sample of an empty set".to_owned()))
    }

    /// Returns a point of a set over the iterators, by variable, if it has one.
    pub(crate) fn point(&self, set: &Set) -> Result<Option<Vec<BigInt>>, Error> {
        let Some(point) = set.sample_point()? else { return Ok(None) };
        let variables = self.params_of(&set.space()?)?;
        let mut values = vec![BigInt::ZERO; self.names().len()];
        for (var, value) in variables.iter().zip(point.params) {
            values[var.0 as usize] = value;
        }
        for (var, value) in self.iterators().zip(point.set) {
            values[var.0 as usize] = value;
        }
        Ok(Some(values))
    }

    /// Returns the equalities without floors that hold on a set over the iterators, each as a polynomial that is zero
    /// there.
    pub(crate) fn equalities(&self, set: &Set) -> Result<Vec<Poly>, Error> {
        let hull = set.affine_hull()?;
        let variables = self.params_of(&hull.to_set()?.space()?)?;
        let system = hull.system()?;
        let plain = |c: &&symloc_isl::LinearConstraint| {
            c.equality && !c.expression.coefficients.iter().any(|(dim, _)| matches!(dim, Dim::Div(_)))
        };
        Ok(system.constraints.iter().filter(plain).map(|c| self.integers(&variables, &c.expression, &[])).collect())
    }

    /// Returns the variables that the parameters of an isl object stand for.
    fn params_of(&self, space: &Space) -> Result<Vec<Var>, Error> {
        let variable = |name: String| {
            let position = self.names().iter().position(|n| *n == name);
            let position = position.ok_or_else(|| Error::Internal(format!("unknown variable `{name}`")))?;
            Ok(Var(position as u32))
        };
        space.dim_names(DimType::Param)?.into_iter().map(variable).collect()
    }

    fn variable(&self, params: &[Var], divs: &[Poly], dim: Dim) -> Poly {
        match dim {
            Dim::Param(position) => Poly::var(params[position]),
            Dim::Set(position) => Poly::var(self.iterator(position)),
            Dim::Div(position) => divs[position].clone(),
        }
    }

    fn integers(&self, params: &[Var], linear: &symloc_isl::Linear, divs: &[Poly]) -> Poly {
        let mut sum = Poly::integer(linear.constant.clone());
        for (dim, coefficient) in &linear.coefficients {
            let factor = Rational::from_integer(coefficient.clone());
            sum += &self.variable(params, divs, *dim).scale(&factor);
        }
        sum
    }

    fn divs(&self, params: &[Var], divs: &[Div]) -> Vec<Poly> {
        let mut polys = Vec::with_capacity(divs.len());
        for div in divs {
            polys.push(self.integers(params, &div.numerator, &polys).floor_div(&div.denominator));
        }
        polys
    }

    fn affine(&self, params: &[Var], form: &AffineForm) -> Poly {
        let divs = self.divs(params, &form.divs);
        let mut sum = Poly::constant(form.constant.clone());
        for (dim, coefficient) in &form.coefficients {
            sum += &self.variable(params, &divs, *dim).scale(coefficient);
        }
        sum
    }

    fn polynomial(&self, params: &[Var], form: &PolynomialForm) -> Poly {
        let divs = self.divs(params, &form.divs);
        let mut sum = Poly::zero();
        for term in &form.terms {
            let mut product = Poly::constant(term.coefficient.clone());
            for (dim, exponent) in &term.powers {
                product = &product * &self.variable(params, &divs, *dim).pow(*exponent);
            }
            sum += &product;
        }
        sum
    }

    fn system(&self, params: &[Var], system: &System) -> Vec<Constraint> {
        let divs = self.divs(params, &system.divs);
        let constraint = |c: &symloc_isl::LinearConstraint| {
            let poly = self.integers(params, &c.expression, &divs);
            if c.equality { Constraint::zero(poly) } else { Constraint::non_negative(poly) }
        };
        let mut constraints: Vec<_> = system.constraints.iter().map(constraint).collect();
        // What normalisation has made trivial says nothing.
        constraints.retain(|c| c.poly.as_constant().is_none());
        constraints.sort();
        constraints.dedup();
        constraints
    }
}

/// Returns the components of an affine function of a statement's iterators, given on `domain`.
pub(crate) fn affine_forms(function: &MultiAff, domain: &Set, frame: &Frame) -> Result<Vec<Poly>, Error> {
    let params = frame.params_of(&domain.space()?)?;
    function.affs()?.iter().map(|component| Ok(frame.affine(&params, &component.form()?))).collect()
}

/// Returns the pieces of a piecewise quasi-polynomial over parameters, and iterators that are parameters to isl.
pub(crate) fn pieces(value: &PwQPolynomial, frame: &Frame) -> Result<Vec<(Set, Poly)>, Error> {
    let params = frame.params_of(&value.domain_space()?)?;
    let piece =
        |(domain, value): (Set, QPolynomial)| Ok((domain, frame.polynomial(&params, &value.form()?).periodic_form()));
    value.pieces()?.into_iter().map(piece).collect()
}

/// Returns the number of elements of a set, piece by piece, over parameters, and iterators that are parameters to isl.
pub(crate) fn counts(set: &Set, frame: &Frame) -> Result<Vec<(Set, Poly)>, Error> {
    plain(set.card_pieces()?, &set.space()?, frame)
}

/// Returns the pieces of the sum of a function over its domain.
pub(crate) fn sums(function: &PwQPolynomial, frame: &Frame) -> Result<Vec<(Set, Poly)>, Error> {
    plain(function.sum_pieces()?, &function.domain_space()?, frame)
}

fn plain(pieces: Vec<(Set, PolynomialForm)>, space: &Space, frame: &Frame) -> Result<Vec<(Set, Poly)>, Error> {
    let params = frame.params_of(space)?;
    Ok(pieces.into_iter().map(|(domain, form)| (domain, frame.polynomial(&params, &form).periodic_form())).collect())
}

/// Returns the constraints of a basic set, in the frame's variables.
pub(crate) fn constraints(set: &BasicSet, frame: &Frame) -> Result<Vec<Constraint>, Error> {
    let params = frame.params_of(&set.to_set()?.space()?)?;
    Ok(frame.system(&params, &set.system()?))
}
