//! Evaluation: exact, in 128-bit integers where they suffice.
//!
//! [`Evaluator`] is a polynomial brought to the form `(Σ cᵢ·mᵢ) / D` with integers cᵢ and D, so that one evaluation
//! needs a single division. It evaluates in checked `i128`; [`Poly::evaluate`] is the big-number fallback.
//! A [`Section`] is what is left of it where the first variables have values: a shorter sum in the others.

use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

use crate::Rational;
use crate::int::{Int, product};
use crate::poly::{Atom, Poly};

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

/// A polynomial in machine integers: floors first, then a sum of products over `point ++ floors`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fast {
    floors: Vec<(Fast, i128)>,
    terms: Vec<(i128, Vec<(usize, u32)>)>,
    denominator: i128,
    variables: usize,
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
}

/// The polynomial that is left in a [`Section`]: sections with one key have one value everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionKey(Fast);

impl SectionKey {
    /// Returns the value at a point of the other variables; `None` if it, or a partial result, is no integer or does not fit in 128 bits.
    pub fn value(&self, rest: &[i128]) -> Option<Int> {
        self.0.eval(rest).map(Int::from)
    }
}

impl Section<'_> {
    /// Returns the key; `None` if the polynomial does not fit in machine integers.
    pub fn key(&self) -> Option<SectionKey> {
        self.fast.clone().map(SectionKey)
    }

    /// Returns the value at a point of the other variables, if it is an integer there.
    pub fn value(&self, rest: &[i128]) -> Option<Int> {
        match self.fast.as_ref().and_then(|fast| fast.eval(rest)) {
            Some(value) => Some(Int::from(value)),
            None => self.whole.value(&[self.prefix, rest].concat()),
        }
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
        let mut few = [0; FEW];
        let mut many = Vec::new();
        let floors: &mut [i128] = match few.get_mut(..self.floors.len()) {
            Some(few) => few,
            None => {
                many.resize(self.floors.len(), 0);
                &mut many
            }
        };
        for (value, (numerator, divisor)) in floors.iter_mut().zip(&self.floors) {
            *value = quotient(numerator.eval(point)?, *divisor);
        }
        let mut sum = 0_i128;
        for (coefficient, factors) in &self.terms {
            let mut term = *coefficient;
            for &(slot, exponent) in factors {
                let value = if slot < self.variables { *point.get(slot)? } else { floors[slot - self.variables] };
                for _ in 0..exponent {
                    term = product(term, value)?;
                }
            }
            sum = sum.checked_add(term)?;
        }
        if self.denominator == 1 {
            return Some(sum);
        }
        (sum % self.denominator == 0).then(|| sum / self.denominator)
    }

    /// Returns the sum with values for the first variables: constant factors join the coefficients, like terms are added.
    fn section(&self, prefix: &[i128]) -> Option<Fast> {
        let variables = self.variables.checked_sub(prefix.len())?;
        let mut floors = Vec::new();
        // Where each floor goes: to a number, or to another place among the floors.
        let mut places = Vec::with_capacity(self.floors.len());
        for (numerator, divisor) in &self.floors {
            let numerator = numerator.section(prefix)?;
            places.push(match numerator.constant() {
                Some(value) => Err(quotient(value, *divisor)),
                None => {
                    floors.push((numerator, *divisor));
                    Ok(variables + floors.len() - 1)
                }
            });
        }
        let mut terms: Vec<(i128, Vec<(usize, u32)>)> = Vec::with_capacity(self.terms.len());
        for (coefficient, factors) in &self.terms {
            let (mut coefficient, mut left) = (*coefficient, Vec::new());
            for &(slot, exponent) in factors {
                let place = match slot.checked_sub(self.variables) {
                    Some(floor) => places[floor],
                    None => prefix.get(slot).map_or(Ok(slot.saturating_sub(prefix.len())), |value| Err(*value)),
                };
                match place {
                    Ok(slot) => left.push((slot, exponent)),
                    Err(value) => {
                        for _ in 0..exponent {
                            coefficient = product(coefficient, value)?;
                        }
                    }
                }
            }
            match terms.iter_mut().find(|(_, factors)| *factors == left) {
                Some((sum, _)) => *sum = sum.checked_add(coefficient)?,
                None => terms.push((coefficient, left)),
            }
        }
        terms.retain(|(coefficient, _)| *coefficient != 0);
        Some(Self { floors, terms, denominator: self.denominator, variables })
    }

    /// Returns the value, if it is the same integer at every point.
    fn constant(&self) -> Option<i128> {
        match self.terms.as_slice() {
            [] => Some(0),
            [(value, factors)] if factors.is_empty() && value % self.denominator == 0 => Some(value / self.denominator),
            _ => None,
        }
    }
}

/// Polynomials with so many floors are evaluated without an allocation.
const FEW: usize = 8;

/// `⌊value / divisor⌋` for a positive divisor; most are powers of two.
fn quotient(value: i128, divisor: i128) -> i128 {
    match divisor & (divisor - 1) {
        0 => value >> divisor.trailing_zeros(),
        _ => value.div_euclid(divisor),
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
            let fixed = evaluator.fix(&[n]);
            prop_assert_eq!((&fixed.value(&[i]), fixed.sign(&[i])), (&value, evaluator.sign(&[n, i])));
            prop_assert_eq!((&fixed.section(&[i]).value(&[]), &fixed.fix(&[i]).value(&[])), (&value, &value));
            prop_assert!(fixed.fix(&[i]).constant().is_none_or(|constant| value == Some(Int::from(constant))));
        }
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
