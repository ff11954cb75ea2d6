//! Ranges for the free iterators of a count, so that an evaluator can scan its points.
//!
//! For each iterator the others further in are eliminated (Fourier, Motzkin), and every constraint `a·q + e ≥ 0` that
//! is left bounds it: `q ≥ ⌈−e/a⌉` or `q ≤ ⌊e/−a⌋`. Floors of iterators are eliminated before, so a range may be too
//! wide, never too narrow; the exact domain is stored beside it.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use symloc_model::Bounds;
use symloc_quasi::{Atom, Constraint, Floor, Monomial, Poly, Rational, Relation, Var};

use crate::Error;
use crate::frame::Frame;
use symloc_polyhedra::Range;
use symloc_polyhedra::{Facts, definition, irredundant};

/// Returns the range of each iterator of a frame in a conjunction; `None` if the elimination shows that no point
/// satisfies it.
pub(crate) fn bounds(conjunction: &[Constraint], frame: &Frame) -> Result<Option<Vec<Bounds>>, Error> {
    let mut system = conjunction.to_vec();
    while let Some(floor) = floor_of_iterators(&system, frame) {
        system.extend(definition(&floor));
        system = without(system, &Monomial::power(Atom::Floor(floor), 1));
    }
    let mut ranges = Vec::new();
    for iterator in frame.iterators().rev() {
        if Facts::new(&system).contradict() {
            return Ok(None);
        }
        ranges.push(range(&system, iterator)?);
        system = without(system, &Monomial::power(Atom::Var(iterator), 1));
    }
    ranges.reverse();
    Ok(Some(ranges))
}

/// Returns a floor of iterators that is not inside another one.
fn floor_of_iterators(system: &[Constraint], frame: &Frame) -> Option<Floor> {
    let floors = system.iter().flat_map(|constraint| constraint.poly.floors());
    let of_iterators = |floor: &&Floor| floor.numerator().vars().iter().any(|var| frame.depth(*var).is_some());
    floors.filter(of_iterators).max().cloned()
}

fn range(system: &[Constraint], iterator: Var) -> Result<Bounds, Error> {
    let (Range { lower, upper }, _) =
        Range::of(system, iterator).ok_or(Error::Unbounded("the range of an iterator"))?;
    Ok(Bounds { lower, upper })
}

/// Eliminates a monomial from a conjunction, over the rationals.
fn without(system: Vec<Constraint>, monomial: &Monomial) -> Vec<Constraint> {
    let slope = |constraint: &Constraint| constraint.poly.coefficient(monomial);
    let (own, mut rest): (Vec<_>, Vec<_>) = system.into_iter().partition(|constraint| !slope(constraint).is_zero());
    let equality = own.iter().position(|constraint| constraint.relation == Relation::Zero);
    let pairs: Vec<(&Constraint, &Constraint)> = match equality {
        Some(equality) => {
            own.iter().enumerate().filter(|(other, _)| *other != equality).map(|(_, c)| (c, &own[equality])).collect()
        }
        None => {
            let (lower, upper): (Vec<_>, Vec<_>) = own.iter().partition(|constraint| slope(constraint).is_positive());
            lower.iter().flat_map(|low| upper.iter().map(move |high| (*low, *high))).collect()
        }
    };
    for (one, other) in pairs {
        let factor = -(slope(one) / slope(other));
        let poly = &one.poly + &other.poly.scale(&factor);
        rest.push(normalised(Constraint { poly, relation: one.relation }));
    }
    irredundant(&Facts::default(), rest)
}

/// Returns the constraint with integer coefficients that have no common factor.
fn normalised(constraint: Constraint) -> Constraint {
    let poly = constraint.poly.scale(&Rational::from_integer(constraint.poly.common_denominator()));
    let terms = poly.terms().filter(|(monomial, _)| !monomial.is_one());
    let divisor = terms.fold(BigInt::zero(), |gcd, (_, coefficient)| gcd.gcd(coefficient.numer()));
    if divisor <= BigInt::one() {
        return Constraint { poly, ..constraint };
    }
    let constant = poly.constant_term();
    let rounded = match constraint.relation {
        Relation::Zero => &constant / Rational::from_integer(divisor.clone()),
        Relation::NonNegative => Rational::from_integer(constant.numer().div_floor(&divisor)),
    };
    let part = (&poly - &Poly::constant(constant)).scale(&Rational::new(BigInt::one(), divisor));
    Constraint { poly: &part + &Poly::constant(rounded), ..constraint }
}
