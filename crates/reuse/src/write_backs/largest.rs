//! The largest of several formulas, part by part.
//!
//! Where it is known which of two is larger, it is kept. Where the difference is linear, the domain is split. Else both
//! remain, under conditions that are decided once the sizes have values.

use symloc_isl::{Context, Set};
use symloc_polyhedra::is_non_negative;
use symloc_quasi::{Constraint, Poly, Rational};

use super::fibre::ValuePart;
use crate::Error;
use crate::convert::constraints;
use crate::formulas::coalesce::coalesced;
use crate::formulas::simplify::Simplifier;
use crate::frame::Frame;

/// A value on a part of a domain, where some conditions hold.
#[derive(Clone, Debug)]
pub(super) struct LargestPart {
    pub(super) domain: Set,
    pub(super) value: Poly,
    /// Conditions beyond those of the domain, which are not linear.
    pub(super) conditions: Vec<Constraint>,
}

/// The most parts that a maximum may have.
const PARTS: usize = 400;

/// Which of two values is larger.
enum Order {
    First,
    Second,
    /// The first where this is at least 0.
    Split(Poly),
    /// Likewise; no sets are given by this polynomial.
    Where(Poly),
}

/// Returns the largest of the values at each point of their domains, which may overlap.
///
/// # Errors
///
/// [`Error::Intricate`] if there are too many parts, [`Error::Isl`] if isl fails or reaches the limit.
pub(super) fn largest(isl: &Context, frame: &Frame, values: Vec<ValuePart>) -> Result<Vec<LargestPart>, Error> {
    let mut largest = Vec::new();
    for value in values {
        largest = with(isl, frame, largest, &value)?;
        if largest.len() > PARTS {
            return Err(Error::Intricate);
        }
    }
    Ok(largest)
}

/// Returns the larger ones of known parts and one more.
fn with(isl: &Context, frame: &Frame, known: Vec<LargestPart>, more: &ValuePart) -> Result<Vec<LargestPart>, Error> {
    let mut all = Vec::new();
    let mut rest = more.domain.clone();
    for part in known {
        let both = part.domain.intersect(&more.domain)?;
        if both.is_empty()? {
            all.push(part);
            continue;
        }
        rest = rest.subtract(&part.domain)?;
        let alone = part.domain.subtract(&more.domain)?;
        let (first, second) = (part.value.clone(), more.value.clone());
        let of = |domain: &Set, value: &Poly, more: Option<Constraint>| {
            let conditions = part.conditions.iter().cloned().chain(more).collect();
            LargestPart { domain: domain.clone(), value: value.clone(), conditions }
        };
        match order(isl, frame, &both, &(&first - &second))? {
            Order::First => {
                all.push(part);
                continue;
            }
            Order::Second => all.push(of(&both, &second, None)),
            Order::Split(difference) => {
                let larger = both.intersect(&frame.set(isl, &frame.conjunction(&[at_least_zero(&difference)]))?)?;
                all.push(of(&larger, &first, None));
                all.push(of(&both.subtract(&larger)?, &second, None));
            }
            Order::Where(difference) => {
                let less = &-&difference - &Poly::one();
                all.push(of(&both, &first, Some(at_least_zero(&difference))));
                all.push(of(&both, &second, Some(at_least_zero(&less))));
            }
        }
        if !alone.is_empty()? {
            all.push(of(&alone, &first, None));
        }
    }
    if !rest.is_empty()? {
        all.push(LargestPart { domain: rest, value: more.value.clone(), conditions: Vec::new() });
    }
    joined(all)
}

/// Unites parts with one value under the same conditions.
fn joined(parts: Vec<LargestPart>) -> Result<Vec<LargestPart>, Error> {
    let mut joined: Vec<LargestPart> = Vec::new();
    for part in parts {
        match joined.iter_mut().find(|other| other.value == part.value && other.conditions == part.conditions) {
            Some(other) => other.domain = coalesced(other.domain.union(&part.domain)?)?,
            None => joined.push(part),
        }
    }
    Ok(joined)
}

fn at_least_zero(poly: &Poly) -> Constraint {
    Constraint::non_negative(poly.clone())
}

/// Decides where the first of two values is the larger one, by their difference on a domain.
fn order(isl: &Context, frame: &Frame, domain: &Set, difference: &Poly) -> Result<Order, Error> {
    let simplifier = Simplifier::new(isl, frame, domain)?;
    let difference = simplifier.simplify(difference)?;
    let whole = difference.scale(&Rational::from_integer(difference.common_denominator()));
    let at_sample = whole.evaluate(simplifier.sample()) >= Rational::from_integer(0.into());
    if whole.degree() <= 1 {
        return linear(isl, frame, domain, whole, at_sample);
    }
    let sign = if at_sample { whole.clone() } else { -&whole };
    let mut proved = true;
    for part in domain.compute_divs()?.basic_sets()? {
        proved = proved && is_non_negative(&sign, &constraints(&part, frame)?);
    }
    match proved {
        true if at_sample => Ok(Order::First),
        true => Ok(Order::Second),
        false => Ok(Order::Where(whole)),
    }
}

fn linear(isl: &Context, frame: &Frame, domain: &Set, difference: Poly, at_sample: bool) -> Result<Order, Error> {
    let larger = frame.set(isl, &frame.conjunction(&[at_least_zero(&difference)]))?;
    Ok(match at_sample {
        true if domain.is_subset(&larger)? => Order::First,
        false if domain.is_disjoint(&larger)? => Order::Second,
        _ => Order::Split(difference),
    })
}
