//! Factors of polynomials that are easy to find, for readers: `5*(n - 2)*(m - 2)` says more than its four terms.
//!
//! A polynomial is content · monomial · primitive rest. Of the rest these factors are found:
//!
//! - *In one atom.* Written as `Σ c_M(x)·M` over monomials M of the other atoms, a polynomial in x alone divides it if
//!   and only if it divides each `c_M`, so the greatest one is their greatest common divisor (Gauss).
//! - *Roots.* Of such a factor `x − k` is split off for integers k of at most two digits that divide its constant term.
//!
//! Other factors in several atoms at once are not looked for: what is left of them stays one factor. Each factor has
//! been divided out exactly, so the product is the polynomial whatever was found.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};

use crate::Rational;
use crate::poly::{Atom, Monomial, Poly};

/// The largest root that is looked for.
const LARGEST_ROOT: i64 = 99;

/// `content · monomial · Π factors`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Factors {
    pub(crate) content: Rational,
    pub(crate) monomial: Monomial,
    /// With powers; each has integer coefficients without a common factor, a positive leading one, and several terms.
    pub(crate) sums: Vec<(Poly, u32)>,
}

impl Factors {
    /// Returns the factors of a polynomial that is not zero.
    pub(crate) fn of(poly: &Poly) -> Self {
        let (content, monomial) = (content(poly), common_monomial(poly));
        let divisor = Poly::term(content.clone(), monomial.clone());
        let mut factors = Self { content, monomial, sums: Vec::new() };
        let mut rest = poly.divide_exactly(&divisor).unwrap_or_else(|| poly.clone());
        for atom in rest.clone().atoms() {
            let own = primitive(content_in(&rest, atom));
            if own.degree() == 0 {
                continue;
            }
            if let Some(others) = rest.divide_exactly(&own) {
                rest = others;
                factors.split(own, atom);
            }
        }
        // Both the rest and what was divided out are primitive, so nothing but a sign can be left of a constant.
        match rest.as_constant() {
            Some(constant) => factors.content *= constant,
            None => factors.push(rest),
        }
        factors
    }

    /// Adds a polynomial in one atom, its small roots apart.
    fn split(&mut self, mut poly: Poly, atom: &Atom) {
        let roots = (1..=LARGEST_ROOT).flat_map(|k| [k, -k]);
        for root in roots {
            let linear = &Poly::atom(atom.clone()) - &Poly::integer(root);
            while poly.degree() > 1
                && poly.constant_term().numer().is_multiple_of(&BigInt::from(root))
                && let Some(others) = poly.divide_exactly(&linear)
            {
                self.push(linear.clone());
                poly = others;
            }
        }
        self.push(poly);
    }

    fn push(&mut self, sum: Poly) {
        match self.sums.iter_mut().find(|(known, _)| *known == sum) {
            Some((_, power)) => *power += 1,
            None => self.sums.push((sum, 1)),
        }
    }

    /// Removes the common factors of both; the contents stay.
    pub(crate) fn cancel(&mut self, other: &mut Self) {
        let common = self.monomial.gcd(&other.monomial);
        for monomial in [&mut self.monomial, &mut other.monomial] {
            *monomial = monomial.divided_by(&common).unwrap_or_default();
        }
        for (sum, power) in &mut self.sums {
            if let Some((_, below)) = other.sums.iter_mut().find(|(below, _)| below == sum) {
                let common = (*power).min(*below);
                (*power, *below) = (*power - common, *below - common);
            }
        }
        self.sums.retain(|(_, power)| *power > 0);
        other.sums.retain(|(_, power)| *power > 0);
    }
}

/// Returns the greatest polynomial in one atom that divides a polynomial, but for a constant factor.
fn content_in(poly: &Poly, atom: &Atom) -> Poly {
    let mut coefficients: BTreeMap<Monomial, Poly> = BTreeMap::new();
    for (monomial, coefficient) in poly.terms() {
        let power = Monomial::power(atom.clone(), monomial.exponent(atom));
        let others = monomial.divided_by(&power).unwrap_or_default();
        coefficients.entry(others).or_default().add_term(coefficient.clone(), power);
    }
    let gcd = |gcd: Poly, next: &Poly| match gcd.is_zero() {
        true => next.clone(),
        false => univariate_gcd(&gcd, next).map_or_else(Poly::one, primitive),
    };
    coefficients.values().fold(Poly::zero(), gcd)
}

fn primitive(poly: Poly) -> Poly {
    if poly.is_zero() { poly } else { poly.scale(&content(&poly).recip()) }
}

/// Euclid's algorithm, for polynomials in one and the same atom; the result is theirs up to a constant factor.
pub(crate) fn univariate_gcd(a: &Poly, b: &Poly) -> Option<Poly> {
    if a.atoms().union(&b.atoms()).count() != 1 {
        return None;
    }
    let (mut a, mut b) = (a.clone(), b.clone());
    while !b.is_zero() {
        let remainder = remainder(&a, &b)?;
        (a, b) = (b, remainder);
    }
    Some(a)
}

/// Returns the remainder of `a` divided by `b`, both polynomials in one common atom.
fn remainder(a: &Poly, b: &Poly) -> Option<Poly> {
    let (lead, lead_coefficient) = b.terms().last()?;
    let mut rest = a.clone();
    while let Some((monomial, coefficient)) = rest.terms().last().filter(|(m, _)| m.degree() >= lead.degree()) {
        let term = Poly::term(coefficient / lead_coefficient, monomial.divided_by(lead)?);
        rest = &rest - &(&term * b);
    }
    Some(rest)
}

/// Returns the greatest monomial that divides every term.
pub(crate) fn common_monomial(poly: &Poly) -> Monomial {
    let mut monomials = poly.terms().map(|(m, _)| m);
    let first = monomials.next().cloned().unwrap_or_default();
    monomials.fold(first, |gcd, m| gcd.gcd(m))
}

/// Returns the positive or negative rational that leaves coprime integer coefficients and a positive leading one.
pub(crate) fn content(poly: &Poly) -> Rational {
    let numerator = poly.terms().fold(BigInt::zero(), |gcd, (_, c)| gcd.gcd(c.numer()));
    let size = Rational::new(numerator, poly.common_denominator());
    let leading_is_negative = poly.terms().last().is_some_and(|(_, c)| c.is_negative());
    if leading_is_negative { -size } else { size }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::poly::Var;

    fn product(factors: &Factors) -> Poly {
        let start = Poly::term(factors.content.clone(), factors.monomial.clone());
        factors.sums.iter().fold(start, |product, (sum, power)| &product * &sum.pow(*power))
    }

    fn atoms() -> [Poly; 3] {
        let (n, m) = (Poly::var(Var(0)), Poly::var(Var(1)));
        let floor = (&n + &Poly::integer(7)).floor_div(&8.into());
        [n, m, floor]
    }

    fn constant(numerator: i64, denominator: i64) -> Poly {
        Poly::constant(Rational::new(numerator.into(), denominator.into()))
    }

    #[test]
    fn products_of_sums_come_apart() {
        let [n, m, floor] = atoms();
        let two = Poly::integer(2);
        let (a, b) = (&n - &two, &m - &two);
        let factors = Factors::of(&(&(&a * &b) * &Poly::integer(5)));
        assert_eq!((factors.content, factors.sums), (Rational::from_integer(5.into()), vec![(a.clone(), 1), (b, 1)]));
        // Powers, roots that differ, a factor in two atoms, a monomial, a sign and a fraction.
        let joint = &(&n * &m) + &(&floor + &Poly::one());
        let poly = &(&(&a.pow(2) * &(&n + &Poly::integer(3))) * &joint) * &(&m * &constant(-3, 4));
        let factors = Factors::of(&poly);
        assert_eq!(factors.content, Rational::new((-3).into(), 4.into()));
        assert_eq!(factors.sums.iter().map(|(_, power)| power).sum::<u32>(), 4);
        assert!(factors.sums.contains(&(a, 2)) && factors.sums.contains(&(joint, 1)));
    }

    #[test]
    fn common_factors_are_cancelled() {
        let [n, m, _] = atoms();
        let (a, b) = (&n - &Poly::integer(2), &m - &Poly::integer(2));
        let (mut up, mut down) = (Factors::of(&(&a * &n)), Factors::of(&(&(&a.pow(2) * &b) * &n)));
        up.cancel(&mut down);
        assert_eq!((product(&up), product(&down)), (Poly::one(), &a * &b));
    }

    proptest! {
        #[test]
        fn the_product_is_the_polynomial(
            sums in proptest::collection::vec((-4_i64..5, -4_i64..5, -4_i64..5, -6_i64..7), 0..4),
            (numerator, denominator) in (-9_i64..10, 1_i64..9),
            (power, added) in (0_u32..3, -3_i64..4),
        ) {
            let [n, m, floor] = atoms();
            let sum = |&(a, b, c, d): &(i64, i64, i64, i64)| {
                let linear = &(&n * &Poly::integer(a)) + &(&m * &Poly::integer(b));
                &linear + &(&(&floor * &Poly::integer(c)) + &Poly::integer(d))
            };
            let start = &constant(numerator, denominator) * &n.pow(power);
            let poly = &sums.iter().map(sum).fold(start, |product, sum| &product * &sum) + &Poly::integer(added);
            if !poly.is_zero() {
                let factors = Factors::of(&poly);
                prop_assert_eq!(product(&factors), poly);
                for (sum, _) in &factors.sums {
                    prop_assert!(sum.terms().len() > 1 && content(sum) == Rational::from_integer(1.into()));
                }
            }
        }
    }
}
