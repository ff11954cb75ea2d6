//! The largest of several formulas, part by part.
//!
//! Where it is known which of two is larger, it is kept. Where the difference is linear, the domain is split. Else both
//! remain: each has conditions under which it is the largest, which are decided once the sizes have values.

use std::cmp::Reverse;

use symloc_isl::{Context, Set};
use symloc_polyhedra::is_non_negative;
use symloc_quasi::{Constraint, Poly, Rational};

use crate::Error;
use crate::convert::constraints;
use crate::formulas::coalesce::coalesced;
use crate::formulas::simplify::Simplifier;
use crate::found::ValuePart;
use crate::frame::Frame;

/// A value on a part of a domain, where some conditions hold.
#[derive(Clone, Debug)]
pub(super) struct LargestPart {
    pub(super) domain: Set,
    pub(super) value: Poly,
    /// Conditions beyond those of the domain, which are not linear.
    pub(super) conditions: Vec<Constraint>,
}

/// A part of a domain, with the values of which one is the largest.
struct Contest {
    domain: Set,
    values: Vec<Poly>,
}

/// The most parts that a maximum may have.
const PARTS: usize = 1_000;

/// Which of two values is larger.
enum Order {
    First,
    Second,
    /// The first where this is at least 0.
    Split(Poly),
    /// It is not known.
    Unknown,
}

/// Returns the largest of the values at each point of their domains, which may overlap.
///
/// # Errors
///
/// [`Error::Intricate`] if there are too many parts, [`Error::Isl`] if isl fails or reaches the limit.
pub(super) fn largest(isl: &Context, frame: &Frame, mut values: Vec<ValuePart>) -> Result<Vec<LargestPart>, Error> {
    // Those that are most likely the largest come first.
    values.sort_by_key(|part| Reverse(part.value.degree()));
    let contests = Contests { isl, frame };
    let mut parts = Vec::new();
    for value in values {
        parts = contests.with(parts, &value)?;
        if parts.len() > PARTS {
            return Err(Error::Intricate);
        }
    }
    let mut largest = Vec::new();
    for part in parts {
        largest.extend(contests.decided(part)?);
    }
    Ok(largest)
}

/// The variables of values.
struct Contests<'a> {
    isl: &'a Context,
    frame: &'a Frame,
}

impl Contests<'_> {
    /// Returns the parts with one more value.
    fn with(&self, known: Vec<Contest>, more: &ValuePart) -> Result<Vec<Contest>, Error> {
        let (mut all, mut rest) = (Vec::new(), more.domain.clone());
        for Contest { domain, values } in known {
            let both = domain.intersect(&more.domain)?;
            if both.is_empty()? {
                all.push(Contest { domain, values });
                continue;
            }
            rest = rest.subtract(&domain)?;
            let alone = domain.subtract(&more.domain)?;
            if !alone.is_empty()? {
                all.push(Contest { domain: alone, values: values.clone() });
            }
            self.add(both, values, &more.value, &mut all)?;
        }
        if !rest.is_empty()? {
            all.push(Contest { domain: rest, values: vec![more.value.clone()] });
        }
        joined(all)
    }

    /// Adds a value to those of a part, which is split where that tells which is larger.
    fn add(&self, domain: Set, values: Vec<Poly>, more: &Poly, all: &mut Vec<Contest>) -> Result<(), Error> {
        let (mut domain, mut kept) = (domain, Vec::new());
        for (place, value) in values.iter().enumerate() {
            let unchanged = || [&kept[..], &values[place..]].concat();
            match self.order(&domain, &(value - more))? {
                Order::First => {
                    let values = unchanged();
                    all.push(Contest { domain, values });
                    return Ok(());
                }
                Order::Second => {}
                Order::Split(difference) => {
                    let larger = self.frame.set(self.isl, &self.frame.conjunction(&[at_least_zero(difference)]))?;
                    all.push(Contest { domain: domain.intersect(&larger)?, values: unchanged() });
                    domain = domain.subtract(&larger)?;
                }
                Order::Unknown => kept.push(value.clone()),
            }
        }
        kept.push(more.clone());
        all.push(Contest { domain, values: kept });
        Ok(())
    }

    /// Decides which of two values is larger, by their difference on a domain.
    fn order(&self, domain: &Set, difference: &Poly) -> Result<Order, Error> {
        let simplifier = Simplifier::new(self.isl, self.frame, domain)?;
        let whole = integral(&simplifier.simplify(difference)?);
        let at_sample = whole.evaluate(simplifier.sample()) >= Rational::from_integer(0.into());
        if whole.degree() <= 1 {
            let larger = self.frame.set(self.isl, &self.frame.conjunction(&[at_least_zero(whole.clone())]))?;
            return Ok(match at_sample {
                true if domain.is_subset(&larger)? => Order::First,
                false if domain.is_disjoint(&larger)? => Order::Second,
                _ => Order::Split(whole),
            });
        }
        let sign = if at_sample { whole } else { -&whole };
        for part in domain.compute_divs()?.basic_sets()? {
            if !is_non_negative(&sign, &constraints(&part, self.frame)?) {
                return Ok(Order::Unknown);
            }
        }
        Ok(if at_sample { Order::First } else { Order::Second })
    }

    /// Returns each of the values of a part, with the conditions under which it is the largest; of equal ones the first.
    fn decided(&self, Contest { domain, values }: Contest) -> Result<Vec<LargestPart>, Error> {
        if let [value] = values.as_slice() {
            return Ok(vec![LargestPart { domain, value: value.clone(), conditions: Vec::new() }]);
        }
        let simplifier = Simplifier::new(self.isl, self.frame, &domain)?;
        let part = |(place, value): (usize, &Poly)| {
            let mut conditions = Vec::new();
            for (other, less) in values.iter().enumerate().filter(|(other, _)| *other != place) {
                let difference = integral(&simplifier.simplify(&(value - less))?);
                let least = Poly::integer(u8::from(other < place));
                conditions.push(at_least_zero(&difference - &least));
            }
            Ok(LargestPart { domain: domain.clone(), value: value.clone(), conditions })
        };
        values.iter().enumerate().map(part).collect()
    }
}

/// Unites parts with the same values.
fn joined(parts: Vec<Contest>) -> Result<Vec<Contest>, Error> {
    let mut joined: Vec<Contest> = Vec::new();
    for part in parts {
        match joined.iter_mut().find(|other| other.values == part.values) {
            Some(other) => other.domain = coalesced(other.domain.union(&part.domain)?)?,
            None => joined.push(part),
        }
    }
    Ok(joined)
}

/// Returns the multiple of a polynomial with integers as coefficients.
fn integral(poly: &Poly) -> Poly {
    poly.scale(&Rational::from_integer(poly.common_denominator()))
}

fn at_least_zero(poly: Poly) -> Constraint {
    Constraint::non_negative(poly)
}
