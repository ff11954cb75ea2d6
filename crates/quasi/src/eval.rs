//! Evaluation: exact, in 128-bit integers where they suffice.
//!
//! [`Evaluator`] is a polynomial brought to the form `(Σ cᵢ·mᵢ) / D` with integers cᵢ and D, so that one evaluation
//! needs a single division. It evaluates in checked `i128`; [`Poly::evaluate`] is the big-number fallback.
//! A [`Section`] is what is left of it where the first variables have values: a shorter sum in the others.

mod machine;

use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::{One, Zero};

use crate::Rational;
use crate::int::Int;
use crate::poly::{Atom, Poly};
use machine::Fast;

impl Poly {
    /// Returns the value at a point, `point[v]` for variable `v`. Exact.
    ///
    /// # Panics
    /// If the polynomial mentions a variable outside `point`.
    pub fn evaluate(&self, point: &[BigInt]) -> Rational {
        let point: Vec<Int> = point.iter().map(Int::from).collect();
        let (numerator, denominator) = self.fraction(&point);
        Rational::new(numerator.to_big(), denominator)
    }

    /// Returns the numerator and the denominator of the value, which may have common factors.
    fn fraction(&self, point: &[Int]) -> (Int, BigInt) {
        let denominator = self.common_denominator();
        let mut sum = Int::ZERO;
        for (monomial, coefficient) in self.terms() {
            let scale = if denominator.is_one() { BigInt::one() } else { &denominator / coefficient.denom() };
            let mut term = &Int::from(coefficient.numer()) * &Int::from(&scale);
            for (atom, exponent) in monomial.factors() {
                let value = match atom {
                    Atom::Var(var) => point[var.0 as usize].clone(),
                    Atom::Floor(floor) => {
                        let (numerator, denominator) = floor.numerator().fraction(point);
                        numerator.div_floor(&Int::from(denominator * floor.divisor())).unwrap_or(Int::ZERO)
                    }
                };
                (0..*exponent).for_each(|_| term = &term * &value);
            }
            sum += &term;
        }
        (sum, denominator)
    }
}

/// A polynomial prepared for fast repeated evaluation.
#[derive(Clone, Debug)]
pub struct Evaluator {
    poly: Arc<Poly>,
    /// The values of the first variables of the polynomial, which are no variables any more.
    fixed: Vec<i128>,
    fast: Option<Fast>,
}

impl Evaluator {
    /// Prepares a polynomial in the variables `0..variables`.
    pub fn new(poly: &Poly, variables: usize) -> Self {
        Self { poly: Arc::new(poly.clone()), fixed: Vec::new(), fast: Fast::new(poly, variables) }
    }

    /// Returns the polynomial in the variables from `values.len()` on, with these values for those before. It is shorter, and faster
    /// to evaluate.
    #[must_use]
    pub fn fix(&self, values: &[i128]) -> Self {
        let fast = self.fast.as_ref().and_then(|fast| fast.section(values));
        Self { poly: Arc::clone(&self.poly), fixed: [&self.fixed, values].concat(), fast }
    }

    /// Returns the value, if the polynomial is known to be the same integer at every point.
    pub fn constant(&self) -> Option<i128> {
        self.fast.as_ref()?.constant()
    }

    /// Returns the value at a point where it is an integer; `None` if it is not an integer there.
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

    /// Compares the value at a point with zero.
    pub fn sign(&self, point: &[i128]) -> Ordering {
        match self.machine_integer(point) {
            Some(value) => value.cmp(&0),
            None => self.rational(point).cmp(&Rational::zero()),
        }
    }

    /// Returns the value in 128 bits; `None` if it, or a partial result, does not fit or is not an integer.
    pub fn machine_integer(&self, point: &[i128]) -> Option<i128> {
        self.fast.as_ref()?.eval(point)
    }

    /// Returns the value at a point, integer or not.
    pub fn rational(&self, point: &[i128]) -> Rational {
        let point: Vec<BigInt> = self.fixed.iter().chain(point).map(|&v| BigInt::from(v)).collect();
        self.poly.evaluate(&point)
    }
}

/// A prepared polynomial with values for its first variables.
#[derive(Clone, Debug)]
pub struct Section<'e> {
    whole: &'e Evaluator,
    prefix: &'e [i128],
    fast: Option<Fast>,
}

impl Evaluator {
    /// Returns the polynomial in the variables from `prefix.len()` on, for fixed values of those before.
    pub fn section<'e>(&'e self, prefix: &'e [i128]) -> Section<'e> {
        Section { whole: self, prefix, fast: self.fast.as_ref().and_then(|fast| fast.section(prefix)) }
    }

    /// Returns the constant and the slopes of the polynomial in the variables from `prefix.len()` on, for fixed values of those before. `None`
    /// if it is not affine, has floors of these variables or a coefficient that is no integer, or if a number leaves 128 bits.
    pub fn affine(&self, prefix: &[i128]) -> Option<(i128, Vec<i128>)> {
        self.fast.as_ref()?.affine(prefix)
    }
}

impl Section<'_> {
    /// Returns the value at a point of the other variables, if it is an integer there.
    pub fn value(&self, rest: &[i128]) -> Option<Int> {
        match self.fast.as_ref().and_then(|fast| fast.eval(rest)) {
            Some(value) => Some(Int::from(value)),
            None => self.whole.value(&[self.prefix, rest].concat()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poly::Var;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_section_is_the_polynomial(
            a in -9_i64..9, b in -9_i64..9, c in 0_i64..9, d in 1_i64..7, n in -40_i128..40, i in -40_i128..40,
            size in 0_u32..3,
        ) {
            let x = |v| Poly::var(Var(v));
            let int = |v: i64| Poly::integer(v);
            let floor = (&(&(&x(0) * &int(a)) + &(&x(1) * &int(b))) + &int(c)).floor_div(&d.into());
            let of_n = (&x(0) + &int(c)).floor_div(&5.into());
            let poly = &(&(&floor * &of_n) + &(&(&x(0) * &x(1)) * &x(1))) - &(&(&floor.pow(2) * &x(0)) + &of_n);
            // Shifted out of 128 bits, too.
            let poly = &poly + &(&poly * &Poly::integer(BigInt::one() << (60 * size)));
            let evaluator = Evaluator::new(&poly, 2);
            let value = evaluator.value(&[n, i]);
            prop_assert_eq!(&value, &Some(Int::from(poly.evaluate(&[n.into(), i.into()]).to_integer())));
            prop_assert_eq!(&evaluator.section(&[n]).value(&[i]), &value);
            prop_assert_eq!(&evaluator.section(&[n, i]).value(&[]), &value);
            if let Some((constant, slopes)) = evaluator.affine(&[n]) {
                let at_i = &Int::from(constant) + &(&Int::from(slopes[0]) * &Int::from(i));
                prop_assert_eq!(Some(at_i), value.clone());
            }
            let fixed = evaluator.fix(&[n]);
            prop_assert_eq!((&fixed.value(&[i]), fixed.sign(&[i])), (&value, evaluator.sign(&[n, i])));
            prop_assert_eq!((&fixed.section(&[i]).value(&[]), &fixed.fix(&[i]).value(&[])), (&value, &value));
            prop_assert!(fixed.fix(&[i]).constant().is_none_or(|constant| value == Some(Int::from(constant))));
        }
    }

    #[test]
    fn affine_functions_have_slopes() {
        let x = |v| Poly::var(Var(v));
        let of_n = x(0).floor_div(&4.into());
        // n·(2·i − j) + ⌊n/4⌋·j + n², divided by a number.
        let poly = &(&(&x(0) * &(&(&x(1) + &x(1)) - &x(2))) + &(&of_n * &x(2))) + &x(0).pow(2);
        let affine = |divisor: i64| {
            let divided = poly.scale(&Rational::new(1.into(), divisor.into()));
            Evaluator::new(&divided, 3).affine(&[9])
        };
        assert_eq!(affine(1), Some((81, vec![18, -7])));
        assert_eq!(affine(3), None, "no integer");
        let squares = [&x(1) * &x(2), x(1).pow(2), (&x(0) + &x(1)).floor_div(&4.into())];
        squares.iter().for_each(|poly| assert_eq!(Evaluator::new(poly, 3).affine(&[9]), None));
    }

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
