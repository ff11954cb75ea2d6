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

use num_integer::Integer;
use num_traits::One;
use symloc_quasi::{Atom, Constraint, Floor, Poly, Rational, Relation, Var};

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
