//! Plain data: constraints, affine functions and quasi-polynomials without isl.
//!
//! All three are written over [`Dim`]s: parameters, the dimensions of the tuple, and *integer divisions*
//! ⌊numerator / denominator⌋, which are themselves linear over parameters, dimensions and **earlier** divisions.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, Zero, pow};

/// A variable. Positions count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dim {
    /// A parameter.
    Param(usize),
    /// A dimension of the tuple: of the set, or of the function's domain.
    Set(usize),
    /// An integer division in the same form's `divs`.
    Div(usize),
}

/// One of the constructors of [`Dim`].
pub(crate) type NthDim = fn(usize) -> Dim;

/// An integer linear combination. Only coefficients that are not zero are listed, in the order of [`Dim`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    /// The constant term.
    pub constant: BigInt,
    /// The coefficients.
    pub coefficients: Vec<(Dim, BigInt)>,
}

/// ⌊numerator / denominator⌋, with denominator > 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Div {
    /// Over parameters, dimensions and earlier divisions.
    pub numerator: Linear,
    /// Positive.
    pub denominator: BigInt,
}

/// `expression = 0` or `expression ≥ 0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearConstraint {
    /// True if the constraint is `= 0`; otherwise it is `≥ 0`.
    pub equality: bool,
    /// The left-hand side.
    pub expression: Linear,
}

/// A conjunction of constraints: a basic set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct System {
    /// Equalities first.
    pub constraints: Vec<LinearConstraint>,
    /// The divisions, each after those that it mentions itself.
    pub divs: Vec<Div>,
}

/// A quasi-affine function with rational coefficients. Its values at integer points of its domain are integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AffineForm {
    /// The constant term.
    pub constant: BigRational,
    /// The coefficients that are not zero.
    pub coefficients: Vec<(Dim, BigRational)>,
    /// The divisions, each after those that it mentions itself.
    pub divs: Vec<Div>,
}

/// A product of variables with a coefficient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The coefficient.
    pub coefficient: BigRational,
    /// The variables with their exponents, which are positive.
    pub powers: Vec<(Dim, u32)>,
}

/// A quasi-polynomial: the sum of its terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolynomialForm {
    /// The terms; none means 0.
    pub terms: Vec<Term>,
    /// The divisions, each after those that it mentions itself.
    pub divs: Vec<Div>,
}

/// Values for the parameters and for the tuple.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// The parameters.
    pub params: Vec<BigInt>,
    /// The tuple's dimensions.
    pub set: Vec<BigInt>,
}

impl Point {
    /// Creates a point from machine integers.
    pub fn new(params: &[i64], set: &[i64]) -> Point {
        let big = |values: &[i64]| values.iter().copied().map(BigInt::from).collect();
        Point { params: big(params), set: big(set) }
    }
}

impl Linear {
    /// Returns the value, given the values of the divisions. `None` if a variable has no value.
    fn value(&self, point: &Point, divs: &[BigInt]) -> Option<BigInt> {
        let mut value = self.constant.clone();
        for (dim, coefficient) in &self.coefficients {
            value += coefficient * variable(*dim, point, divs)?;
        }
        Some(value)
    }
}

fn variable<'v>(dim: Dim, point: &'v Point, divs: &'v [BigInt]) -> Option<&'v BigInt> {
    match dim {
        Dim::Param(i) => point.params.get(i),
        Dim::Set(i) => point.set.get(i),
        Dim::Div(i) => divs.get(i),
    }
}

fn div_values(divs: &[Div], point: &Point) -> Option<Vec<BigInt>> {
    let mut values = Vec::with_capacity(divs.len());
    for div in divs {
        values.push(div.numerator.value(point, &values)?.div_floor(&div.denominator));
    }
    Some(values)
}

impl System {
    /// Returns true if `point` is in the set; `None` if it has too few coordinates.
    pub fn contains(&self, point: &Point) -> Option<bool> {
        let divs = div_values(&self.divs, point)?;
        for constraint in &self.constraints {
            let value = constraint.expression.value(point, &divs)?;
            if value.is_negative() || (constraint.equality && !value.is_zero()) {
                return Some(false);
            }
        }
        Some(true)
    }
}

impl AffineForm {
    /// Returns the value at `point`. `None` if it has too few coordinates.
    pub fn value(&self, point: &Point) -> Option<BigRational> {
        let divs = div_values(&self.divs, point)?;
        let mut value = self.constant.clone();
        for (dim, coefficient) in &self.coefficients {
            value += coefficient * variable(*dim, point, &divs)?;
        }
        Some(value)
    }
}

impl PolynomialForm {
    /// Returns the value at `point`. `None` if it has too few coordinates.
    pub fn value(&self, point: &Point) -> Option<BigRational> {
        let divs = div_values(&self.divs, point)?;
        let mut sum = BigRational::zero();
        for term in &self.terms {
            let mut product = term.coefficient.clone();
            for (dim, exponent) in &term.powers {
                product *= pow(variable(*dim, point, &divs)?.clone(), usize::try_from(*exponent).ok()?);
            }
            sum += product;
        }
        Some(sum)
    }
}

/// Returns an order of `divs` in which each mentions only earlier ones: the old position of each. isl nearly always
/// gives that order already but does not promise it. `None` if there is a cycle.
fn dependency_order(divs: &[Div]) -> Option<Vec<usize>> {
    let mut order = Vec::with_capacity(divs.len());
    let mut placed = vec![false; divs.len()];
    while order.len() < divs.len() {
        let ready = (0..divs.len()).find(|&i| {
            let known = |dim: &Dim| !matches!(dim, Dim::Div(k) if !placed.get(*k).copied().unwrap_or(false));
            !placed[i] && divs[i].numerator.coefficients.iter().all(|(dim, _)| known(dim))
        })?;
        placed[ready] = true;
        order.push(ready);
    }
    Some(order)
}

/// Sorts `divs` so that each mentions only earlier ones, and returns the new position of each old one. `None` if that
/// is impossible.
pub(crate) fn sort_divs(divs: &mut Vec<Div>) -> Option<Vec<usize>> {
    let order = dependency_order(divs)?;
    let mut position = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        position[old] = new;
    }
    *divs = order.iter().map(|&old| divs[old].clone()).collect();
    for div in divs {
        renumber(&mut div.numerator.coefficients, &position);
    }
    Some(position)
}

/// Replaces the positions of divisions and restores the order of [`Dim`].
pub(crate) fn renumber<T>(entries: &mut [(Dim, T)], position: &[usize]) {
    for (dim, _) in entries.iter_mut() {
        if let Dim::Div(k) = dim {
            *k = position[*k];
        }
    }
    entries.sort_by_key(|(dim, _)| *dim);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn div(coefficients: &[(Dim, i64)], denominator: i64) -> Div {
        let coefficients = coefficients.iter().map(|&(dim, c)| (dim, c.into())).collect();
        Div { numerator: Linear { constant: 1.into(), coefficients }, denominator: denominator.into() }
    }

    #[test]
    fn divisions_are_sorted_by_dependency() {
        let mut divs = vec![div(&[(Dim::Set(0), 2), (Dim::Div(1), 3)], 4), div(&[(Dim::Param(0), 1)], 8)];
        assert_eq!(sort_divs(&mut divs), Some(vec![1, 0]));
        assert_eq!(divs, [div(&[(Dim::Param(0), 1)], 8), div(&[(Dim::Set(0), 2), (Dim::Div(0), 3)], 4)]);
        let mut cycle = vec![div(&[(Dim::Div(0), 1)], 2)];
        assert_eq!(sort_divs(&mut cycle), None);
    }

    #[test]
    fn floors_round_down_below_zero() {
        let form = PolynomialForm {
            terms: vec![Term { coefficient: BigRational::new(1.into(), 2.into()), powers: vec![(Dim::Div(0), 3)] }],
            divs: vec![div(&[(Dim::Set(0), 1)], 4)],
        };
        // ⌊(-6 + 1) / 4⌋ = -2, cubed and halved.
        assert_eq!(form.value(&Point::new(&[], &[-6])), Some(BigRational::from_integer((-4).into())));
        assert_eq!(form.value(&Point::new(&[], &[])), None);
    }
}
