//! Floors in normal form.
//!
//! A floor atom is `⌊E/d⌋` with `d ≥ 2` and `E` a polynomial with integer coefficients. Because all atoms are integers,
//! these identities hold at every point (Graham, Knuth, Patashnik, *Concrete Mathematics*, section 3.2) and bring
//! floors of equal value to one form:
//!
//! 1. `⌊(E + d·F)/d⌋ = F + ⌊E/d⌋`: coefficients are reduced to `0..d`;
//! 2. `⌊(g·E + c)/(g·d)⌋ = ⌊(E + ⌊c/g⌋)/d⌋`: common factors are cancelled;
//! 3. `⌊(⌊A/e⌋ + R)/d⌋ = ⌊(A + e·R)/(d·e)⌋`: nested floors are flattened (also for `−⌊A/e⌋ = ⌊(−A + e − 1)/e⌋`);
//! 4. `⌊E/d⌋ = −⌊(−E + d − 1)/d⌋`: of the two forms the one whose first coefficient is smaller is kept.

use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed};

use crate::Rational;
use crate::poly::{Atom, Monomial, Poly};

/// `⌊numerator / divisor⌋` in normal form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Floor(Arc<(Poly, BigInt)>);

impl Ord for Floor {
    fn cmp(&self, other: &Self) -> Ordering {
        // Most comparisons of large polynomials are of copies.
        if Arc::ptr_eq(&self.0, &other.0) { Ordering::Equal } else { self.0.cmp(&other.0) }
    }
}

impl PartialOrd for Floor {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Floor {
    /// Returns the numerator: integer coefficients in `0..divisor`.
    pub fn numerator(&self) -> &Poly {
        &self.0.0
    }

    /// Returns the divisor, at least 2.
    pub fn divisor(&self) -> &BigInt {
        &self.0.1
    }
}

/// `⌊poly / divisor⌋` in normal form.
pub(crate) fn floor_div(poly: &Poly, divisor: &BigInt) -> Poly {
    debug_assert!(divisor.is_positive());
    let scale = poly.common_denominator();
    let divisor = divisor * &scale;
    let (whole, rest) = split(&poly.scale(&Rational::from_integer(scale)), &divisor);
    &whole + &reduced(&rest, &divisor)
}

/// `poly = divisor·whole + rest` with the coefficients of `rest` in `0..divisor` (rule 1).
fn split(poly: &Poly, divisor: &BigInt) -> (Poly, Poly) {
    if poly.terms().all(|(_, coefficient)| !coefficient.is_negative() && coefficient.numer() < divisor) {
        return (Poly::zero(), poly.clone());
    }
    let (mut whole, mut rest) = (Poly::zero(), Poly::zero());
    for (monomial, coefficient) in poly.terms() {
        let (quotient, remainder) = coefficient.numer().div_mod_floor(divisor);
        whole.add_term(Rational::from_integer(quotient), monomial.clone());
        rest.add_term(Rational::from_integer(remainder), monomial.clone());
    }
    (whole, rest)
}

/// `⌊rest / divisor⌋` for integer coefficients in `0..divisor`.
fn reduced(rest: &Poly, divisor: &BigInt) -> Poly {
    if divisor.is_one() || rest.as_constant().is_some() {
        return Poly::zero();
    }
    if let Some(flat) = flattened(rest, divisor) {
        return flat;
    }
    match cancelled(rest, divisor) {
        // A nested floor may have lost its coefficient.
        Some((rest, divisor)) => floor_div(&rest, &divisor),
        None => oriented(rest, divisor),
    }
}

/// Applies rule 3, if possible.
fn flattened(rest: &Poly, divisor: &BigInt) -> Option<Poly> {
    let minus_one = divisor - BigInt::one();
    let (inner, coefficient) = rest.terms().find_map(|(monomial, coefficient)| match monomial.factors() {
        [(Atom::Floor(floor), 1)] if coefficient.is_one() || *coefficient.numer() == minus_one => {
            Some((floor, coefficient))
        }
        _ => None,
    })?;
    let atom = Monomial::power(Atom::Floor(inner.clone()), 1);
    let others = rest - &Poly::term(coefficient.clone(), atom.clone());
    let scaled = others.scale(&Rational::from_integer(inner.divisor().clone()));
    let nested = inner.divisor() * divisor;
    if coefficient.is_one() {
        return Some(floor_div(&(inner.numerator() + &scaled), &nested));
    }
    // d − 1 is −1 plus a whole d.
    let negated = &Poly::integer(inner.divisor() - BigInt::one()) - inner.numerator();
    Some(&Poly::term(Rational::one(), atom) + &floor_div(&(&negated + &scaled), &nested))
}

/// Applies rule 2, if possible.
fn cancelled(rest: &Poly, divisor: &BigInt) -> Option<(Poly, BigInt)> {
    let variable = rest.terms().filter(|(m, _)| !m.is_one());
    let gcd = variable.fold(divisor.clone(), |gcd, (_, c)| gcd.gcd(c.numer()));
    if gcd.is_one() {
        return None;
    }
    let mut smaller = Poly::zero();
    for (monomial, coefficient) in rest.terms() {
        smaller.add_term(Rational::from_integer(coefficient.numer().div_floor(&gcd)), monomial.clone());
    }
    Some((smaller, divisor / gcd))
}

/// Applies rule 4.
fn oriented(rest: &Poly, divisor: &BigInt) -> Poly {
    let atom = |poly: Poly| Poly::atom(Atom::Floor(Floor(Arc::new((poly, divisor.clone())))));
    // The first coefficient c becomes divisor − c.
    let first = rest.terms().find(|(monomial, _)| !monomial.is_one());
    if first.is_some_and(|(_, coefficient)| coefficient.numer() * 2 < *divisor) {
        return atom(rest.clone());
    }
    let (whole, mirrored) = split(&(&Poly::integer(divisor - BigInt::one()) - rest), divisor);
    // The constant comes first in the order of terms; the orientation is decided by the rest.
    let key = |poly: &Poly| poly.terms().filter(|(m, _)| !m.is_one()).map(|(_, c)| c.clone()).collect::<Vec<_>>();
    if key(&mirrored) < key(rest) { -&(&whole + &atom(mirrored)) } else { atom(rest.clone()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poly::Var;

    fn x(v: u32) -> Poly {
        Poly::var(Var(v))
    }

    fn int(v: i64) -> Poly {
        Poly::integer(v)
    }

    fn at(poly: &Poly, point: &[i64]) -> BigInt {
        let point: Vec<BigInt> = point.iter().map(|&v| BigInt::from(v)).collect();
        let value = poly.evaluate(&point);
        assert!(value.is_integer());
        value.to_integer()
    }

    #[test]
    fn floors_of_equal_value_are_equal() {
        let d = |p: &Poly, d: i64| p.floor_div(&BigInt::from(d));
        assert_eq!(d(&(&x(0) + &int(8)), 8), &d(&x(0), 8) + &int(1));
        assert_eq!(d(&d(&x(0), 4), 2), d(&x(0), 8));
        assert_eq!(d(&(&x(0).scale(&Rational::from_integer(2.into())) + &int(1)), 4), d(&x(0), 2));
        assert_eq!(
            d(&(&d(&x(0), 16).scale(&Rational::from_integer(4.into())) + &int(8)), 16),
            d(&(&x(0) + &int(32)), 64)
        );
        assert_eq!(d(&-&x(0), 8), -&d(&(&x(0) + &int(7)), 8));
        assert_eq!(d(&(&x(1) - &d(&x(0), 4)), 3), d(&(&(&x(1) * &int(4)) + &(&int(3) - &x(0))), 12));
    }

    proptest::proptest! {
        #[test]
        fn normalisation_keeps_the_value(
            a in -20_i64..20, b in -20_i64..20, c in -50_i64..50, d in 1_i64..13, e in 1_i64..7, f in -4_i64..4,
            x0 in -40_i64..40, x1 in -40_i64..40,
        ) {
            let inner = &(&(&x(0) * &int(a)) + &(&x(1) * &int(b))) + &int(c);
            let floor = inner.floor_div(&BigInt::from(d));
            let value = (a * x0 + b * x1 + c).div_euclid(d);
            proptest::prop_assert_eq!(at(&floor, &[x0, x1]), BigInt::from(value));
            let outer = (&(&floor * &int(f)) + &x(1)).floor_div(&BigInt::from(e));
            proptest::prop_assert_eq!(at(&outer, &[x0, x1]), BigInt::from((f * value + x1).div_euclid(e)));
        }
    }
}
