//! Congruences between iterators: those values that make a sum of them a multiple, `d | e`, as values of an iterator.
//!
//! Where a is the coefficient of x in e, and a·b mod d = 1,
//!
//! ```text
//! d | e    if and only if    x = d·x′ − b·(e − a·x)  for one x′
//! ```
//!
//! so that x′ takes the place of x and the congruence is gone, in one part where residues of each iterator would be d²
//! parts. What is no multiple is what is left of all. (docs/mathematics.md, "Classes".)

use std::collections::BTreeMap;
use std::rc::Rc;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use symloc_quasi::{Atom, Constraint, Floor, Monomial, Poly, Rational, Relation, Var};

/// The remainders of variables that are known, each modulo some number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Remainders(Rc<BTreeMap<Var, Residue>>);

/// A modulus, and the remainder.
type Residue = (BigInt, BigInt);

impl Remainders {
    /// Adds what an equality says of a variable.
    pub(crate) fn add(&mut self, constraint: &Constraint) {
        let Some((var, residue)) = residue(constraint) else { return };
        let known = self.0.get(&var).is_some_and(|(modulus, _)| modulus.is_multiple_of(&residue.0));
        if !known {
            Rc::make_mut(&mut self.0).insert(var, residue);
        }
    }

    /// Returns the remainder of a sum with integral coefficients modulo a number, if it is known.
    pub(crate) fn of(&self, sum: &Poly, divisor: &BigInt) -> Option<BigInt> {
        let term = |(monomial, coefficient): (&Monomial, &Rational)| {
            let coefficient = Some(coefficient.to_integer()).filter(|_| coefficient.is_integer())?;
            match monomial.factors() {
                [] => Some(coefficient),
                _ if coefficient.is_multiple_of(divisor) => Some(BigInt::zero()),
                [(Atom::Var(var), 1)] => {
                    let (modulus, remainder) = self.0.get(var)?;
                    (&coefficient * modulus).is_multiple_of(divisor).then(|| coefficient * remainder)
                }
                _ => None,
            }
        };
        Some(sum.terms().map(term).sum::<Option<BigInt>>()?.mod_floor(divisor))
    }
}

/// Returns the variable of which an equality gives a remainder, which all other terms but the constant are multiples for.
fn residue(constraint: &Constraint) -> Option<(Var, Residue)> {
    if constraint.relation != Relation::Zero || !constraint.poly.common_denominator().is_one() {
        return None;
    }
    let given = |(monomial, coefficient): (&Monomial, &Rational)| {
        let [(Atom::Var(var), 1)] = monomial.factors() else { return None };
        let others = constraint.poly.terms().filter(|(other, _)| *other != monomial && !other.is_one());
        let modulus = others.fold(BigInt::zero(), |gcd, (_, other)| gcd.gcd(&other.to_integer()));
        let remainder = (-constraint.poly.constant_term() * coefficient).to_integer();
        (coefficient.abs().is_one() && modulus > BigInt::one())
            .then(|| (*var, (modulus.clone(), remainder.mod_floor(&modulus))))
    };
    constraint.poly.terms().find_map(given)
}

/// Returns an iterator, and its value with another one in its place, where a congruence of several iterators holds.
pub(crate) fn solved(constraint: &Constraint, iterators: &[Var]) -> Option<(Var, Poly)> {
    let divides = |floor: &&Floor| {
        let rest = remainder(floor);
        constraint.relation == Relation::Zero && (constraint.poly == rest || constraint.poly == -&rest)
    };
    multiples(constraint.poly.floors().into_iter().find(divides)?, iterators)
}

/// Returns the congruence that a constraint denies, where it could be [solved].
pub(crate) fn denied(constraint: &Constraint, iterators: &[Var]) -> Option<Constraint> {
    let leaves_rest = |floor: &&Floor| *constraint == Constraint::non_negative(&remainder(floor) - &Poly::one());
    let floor = constraint.poly.floors().into_iter().find(leaves_rest)?;
    multiples(floor, iterators).map(|_| Constraint::zero(remainder(floor)))
}

/// Returns the remainder `e − d·⌊e/d⌋`.
fn remainder(floor: &Floor) -> Poly {
    let divisor = Rational::from_integer(floor.divisor().clone());
    floor.numerator() - &Poly::atom(Atom::Floor(floor.clone())).scale(&divisor)
}

/// Returns an iterator of a floor's numerator, and its value with another one in its place, where the divisor divides
/// the numerator.
fn multiples(floor: &Floor, iterators: &[Var]) -> Option<(Var, Poly)> {
    let (numerator, divisor) = (floor.numerator(), floor.divisor());
    let vars = numerator.vars();
    if vars.len() < 2 || !numerator.floors().is_empty() || !vars.iter().all(|var| iterators.contains(var)) {
        return None;
    }
    vars.into_iter().rev().find_map(|iterator| {
        let (slope, rest) = numerator.split_slope(iterator);
        let inverse = slope.to_integer().extended_gcd(divisor);
        let whole = Poly::var(iterator).scale(&Rational::from_integer(divisor.clone()));
        let value = &whole - &rest.scale(&Rational::from_integer(inverse.x));
        (inverse.gcd.is_one() && !rest.vars().contains(&iterator)).then_some((iterator, value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_of_sums_follow_from_those_of_variables() {
        let [n, m] = [0, 1].map(|index| Poly::var(Var(index)));
        let times = |poly: &Poly, factor: i64| poly.scale(&Rational::from_integer(factor.into()));
        let mut known = Remainders::default();
        // 3 - n + 16·⌊(n + 13)/16⌋ = 0 and m = 4·k + 1.
        let whole = times(&(&n + &Poly::integer(13)).floor_div(&16.into()), 16);
        known.add(&Constraint::zero(&(&whole - &n) + &Poly::integer(3)));
        known.add(&Constraint::zero(&(&m - &times(&Poly::var(Var(2)), 4)) - &Poly::one()));
        // What is said modulo 4 is known already.
        known.add(&Constraint::zero(&n - &(&times(&Poly::var(Var(3)), 4) + &Poly::integer(3))));
        let of = |sum: Poly, divisor: i64| known.of(&sum, &divisor.into());
        assert_eq!(of(&times(&n, 5) - &Poly::integer(20), 16), Some(11.into()));
        assert_eq!(of(&n + &times(&m, 4), 16), Some(7.into()));
        assert_eq!(of(&times(&n, 2) + &times(&whole, 2), 32), Some(6.into()));
        assert_eq!((of(n.clone(), 32), of(m.clone(), 8), of(&n * &m, 2)), (None, None, None));
        assert_eq!(
            (of(&n * &times(&m, 8), 8), of(n.scale(&Rational::new(1.into(), 2.into())), 2)),
            (Some(0.into()), None)
        );
    }
}
