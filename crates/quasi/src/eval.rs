//! Evaluation: exact, in 128-bit integers where they suffice.
//!
//! [`Evaluator`] is a polynomial brought to the form `(Σ cᵢ·mᵢ) / D` with integers cᵢ and D, so that one evaluation
//! needs a single division. It evaluates in checked `i128`; [`Poly::evaluate`] is the big-number fallback.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

use crate::Rational;
use crate::int::Int;
use crate::poly::{Atom, Poly};

impl Poly {
    /// The value at a point, `point[v]` for variable `v`. Exact.
    ///
    /// # Panics
    /// If the polynomial mentions a variable outside `point`.
    pub fn evaluate(&self, point: &[BigInt]) -> Rational {
        let mut sum = Rational::zero();
        for (monomial, coefficient) in self.terms() {
            let mut product = BigInt::one();
            for (atom, exponent) in monomial.factors() {
                let value = match atom {
                    Atom::Var(var) => point[var.0 as usize].clone(),
                    Atom::Floor(floor) => (floor.numerator().evaluate(point) / floor.divisor()).floor().to_integer(),
                };
                product *= value.pow(*exponent);
            }
            sum += coefficient * product;
        }
        sum
    }
}

/// A polynomial prepared for fast repeated evaluation.
#[derive(Clone, Debug)]
pub struct Evaluator {
    poly: Poly,
    fast: Option<Fast>,
}

/// The same polynomial in machine integers: floors first, then a sum of products over `point ++ floors`.
#[derive(Clone, Debug)]
struct Fast {
    floors: Vec<(Fast, i128)>,
    terms: Vec<(i128, Vec<(usize, u32)>)>,
    denominator: i128,
    variables: usize,
}

impl Evaluator {
    /// Prepares a polynomial in the variables `0..variables`.
    pub fn new(poly: &Poly, variables: usize) -> Self {
        Self { poly: poly.clone(), fast: Fast::new(poly, variables) }
    }

    /// The polynomial.
    pub fn poly(&self) -> &Poly {
        &self.poly
    }

    /// The value at a point where it is an integer; `None` if it is not an integer there.
    pub fn integer(&self, point: &[i128]) -> Option<BigInt> {
        self.value(point).map(|value| value.to_big())
    }

    /// Like [`Evaluator::integer`], without an allocation where 128 bits suffice.
    pub fn value(&self, point: &[i128]) -> Option<Int> {
        if let Some(value) = self.machine_integer(point) {
            return Some(Int::from(value));
        }
        let value = self.rational(point);
        value.is_integer().then(|| Int::from(value.to_integer()))
    }

    /// How the value at a point compares with zero.
    pub fn sign(&self, point: &[i128]) -> Ordering {
        match self.machine_integer(point) {
            Some(value) => value.cmp(&0),
            None => self.rational(point).cmp(&Rational::zero()),
        }
    }

    /// The value in 128 bits; `None` if it, or a partial result, does not fit or is not an integer.
    pub fn machine_integer(&self, point: &[i128]) -> Option<i128> {
        self.fast.as_ref()?.eval(point)
    }

    /// The value at a point, integer or not.
    pub fn rational(&self, point: &[i128]) -> Rational {
        let point: Vec<BigInt> = point.iter().map(|&v| BigInt::from(v)).collect();
        self.poly.evaluate(&point)
    }
}

impl Fast {
    fn new(poly: &Poly, variables: usize) -> Option<Self> {
        let denominator = poly.common_denominator();
        let floor_atoms: Vec<_> = poly.floors().into_iter().collect();
        let floors = floor_atoms
            .iter()
            .map(|floor| Some((Fast::new(floor.numerator(), variables)?, floor.divisor().to_i128()?)))
            .collect::<Option<Vec<_>>>()?;
        let slot = |atom: &Atom| match atom {
            Atom::Var(var) => Some(var.0 as usize).filter(|v| *v < variables),
            Atom::Floor(floor) => floor_atoms.iter().position(|f| *f == floor).map(|i| variables + i),
        };
        let terms = poly
            .terms()
            .map(|(monomial, coefficient)| {
                let scaled = (coefficient.numer() * (&denominator / coefficient.denom())).to_i128()?;
                let factors = monomial.factors().iter().map(|(a, e)| Some((slot(a)?, *e))).collect::<Option<_>>()?;
                Some((scaled, factors))
            })
            .collect::<Option<_>>()?;
        Some(Self { floors, terms, denominator: denominator.to_i128()?, variables })
    }

    fn eval(&self, point: &[i128]) -> Option<i128> {
        let floors = self
            .floors
            .iter()
            .map(|(numerator, divisor)| Some(numerator.eval(point)?.div_euclid(*divisor)))
            .collect::<Option<Vec<_>>>()?;
        let mut sum = 0_i128;
        for (coefficient, factors) in &self.terms {
            let mut product = *coefficient;
            for &(slot, exponent) in factors {
                let value = if slot < self.variables { *point.get(slot)? } else { floors[slot - self.variables] };
                for _ in 0..exponent {
                    product = product.checked_mul(value)?;
                }
            }
            sum = sum.checked_add(product)?;
        }
        (sum % self.denominator == 0).then(|| sum / self.denominator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poly::Var;

    #[test]
    fn overflow_falls_back_to_big_integers() {
        let n = Poly::var(Var(0));
        let evaluator = Evaluator::new(&n.pow(8), 1);
        assert_eq!(evaluator.machine_integer(&[1 << 31]), None);
        assert_eq!(evaluator.integer(&[1 << 31]), Some(BigInt::one() << (31 * 8)));
        assert_eq!(evaluator.machine_integer(&[1 << 10]), Some(1 << 80));
    }

    #[test]
    fn a_fraction_is_not_an_integer() {
        let half = Poly::var(Var(0)).scale(&Rational::new(1.into(), 2.into()));
        let evaluator = Evaluator::new(&half, 1);
        assert_eq!(evaluator.integer(&[3]), None);
        assert_eq!(evaluator.integer(&[4]), Some(BigInt::from(2)));
        assert_eq!(evaluator.sign(&[-3]), Ordering::Less);
    }
}
