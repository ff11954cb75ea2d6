//! The largest of several formulas, part by part.
//!
//! Where it is known which of two is larger, it is kept. Where the difference is linear, the domain is split. Else both
//! remain: each has conditions under which it is the largest, which are decided once the sizes have values.

use std::cell::OnceCell;
use std::cmp::Reverse;

use num_bigint::BigInt;
use num_traits::Signed;
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
    /// A conjunction that holds on the domain.
    hull: Set,
    values: Vec<Poly>,
}

impl Contest {
    fn new(domain: Set, values: Vec<Poly>) -> Result<Self, Error> {
        Ok(Self { hull: domain.simple_hull()?.to_set()?, domain, values })
    }
}

/// The most parts that a maximum may have.
const PARTS: usize = 1_000;

/// By how much a variable is larger at points that may refute a sign.
const FAR: u32 = 50;

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
    values.sort_by_key(|part| Reverse((part.value.degree(), part.value.as_constant())));
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
        let hull = more.domain.simple_hull()?.to_set()?;
        let (mut all, mut rest) = (Vec::new(), more.domain.clone());
        for part in known {
            let shared = part.hull.intersect(&hull)?;
            if shared.is_empty()? || part.domain.is_disjoint(&more.domain)? {
                all.push(part);
                continue;
            }
            match self.order_of_all(&shared, &part.values, &more.value)? {
                Some(Order::First) => {
                    rest = rest.subtract(&part.domain)?;
                    all.push(part);
                }
                Some(Order::Second) => add(part.domain.subtract(&more.domain)?, part.values, &mut all)?,
                _ => {
                    rest = rest.subtract(&part.domain)?;
                    let both = part.domain.intersect(&more.domain)?;
                    add(part.domain.subtract(&more.domain)?, part.values.clone(), &mut all)?;
                    self.add(both, part.values, &more.value, &mut all)?;
                }
            }
        }
        add(rest, vec![more.value.clone()], &mut all)?;
        joined(all)
    }

    /// Returns `First` if one of some values is known to be at least `more` on all of a conjunction, `Second` if none is ever larger than
    /// `more`: then the domains within it need not be divided.
    fn order_of_all(&self, conjunction: &Set, values: &[Poly], more: &Poly) -> Result<Option<Order>, Error> {
        let signs = SignDomain::new(self, conjunction)?;
        let mut is_larger = true;
        for value in values {
            let difference = value - more;
            if signs.never_negative(&difference)? {
                return Ok(Some(Order::First));
            }
            is_larger = is_larger && signs.never_negative(&-&difference)?;
        }
        Ok(is_larger.then_some(Order::Second))
    }

    /// Adds a value to those of a part, which is split where that tells which is larger.
    fn add(&self, domain: Set, values: Vec<Poly>, more: &Poly, all: &mut Vec<Contest>) -> Result<(), Error> {
        let (mut domain, mut kept) = (domain, Vec::new());
        for (place, value) in values.iter().enumerate() {
            let unchanged = || [&kept[..], &values[place..]].concat();
            match self.order(&domain, &(value - more))? {
                Order::First => {
                    let values = unchanged();
                    return add(domain, values, all);
                }
                Order::Second => {}
                Order::Split(difference) => {
                    let larger = self.frame.set(self.isl, &self.frame.conjunction(&[at_least_zero(difference)]))?;
                    add(domain.intersect(&larger)?, unchanged(), all)?;
                    domain = domain.subtract(&larger)?;
                }
                Order::Unknown => kept.push(value.clone()),
            }
        }
        kept.push(more.clone());
        add(domain, kept, all)
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
        Ok(match SignDomain::new(self, domain)?.never_negative(&sign)? {
            true if at_sample => Order::First,
            true => Order::Second,
            false => Order::Unknown,
        })
    }

    /// Returns each of the values of a part, with the conditions under which it is the largest; of equal ones the first.
    fn decided(&self, Contest { domain, values, .. }: Contest) -> Result<Vec<LargestPart>, Error> {
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

/// Adds a part, if it has any points.
fn add(domain: Set, values: Vec<Poly>, all: &mut Vec<Contest>) -> Result<(), Error> {
    if !domain.is_empty()? {
        all.push(Contest::new(domain, values)?);
    }
    Ok(())
}

/// A set on which signs of polynomials are asked for.
struct SignDomain<'a> {
    contests: &'a Contests<'a>,
    domain: &'a Set,
    parts: Vec<Vec<Constraint>>,
    sample: Vec<BigInt>,
    /// Points with a larger value of one variable each.
    farther: OnceCell<Vec<Vec<BigInt>>>,
}

impl<'a> SignDomain<'a> {
    /// Prepares a set that is not empty.
    fn new(contests: &'a Contests<'a>, domain: &'a Set) -> Result<Self, Error> {
        let parts = domain.compute_divs()?.basic_sets()?;
        let parts = parts.iter().map(|part| constraints(part, contests.frame)).collect::<Result<_, _>>()?;
        Ok(Self { contests, domain, parts, sample: contests.frame.sample(domain)?, farther: OnceCell::new() })
    }

    /// Returns true if a polynomial is known to be at least 0. A proof that fails takes long, so points that refute it are tried first.
    fn never_negative(&self, poly: &Poly) -> Result<bool, Error> {
        let is_negative = |point: &Vec<BigInt>| poly.evaluate(point).is_negative();
        if is_negative(&self.sample) || (poly.degree() > 1 && self.farther()?.iter().any(is_negative)) {
            return Ok(false);
        }
        Ok(self.parts.iter().all(|part| is_non_negative(poly, part)))
    }

    fn farther(&self) -> Result<&Vec<Vec<BigInt>>, Error> {
        if let Some(points) = self.farther.get() {
            return Ok(points);
        }
        let Contests { isl, frame } = self.contests;
        let mut points = Vec::new();
        for (name, value) in frame.names().iter().zip(&self.sample) {
            let there = frame.set(isl, &format!("{name} >= {}", value + FAR))?;
            points.extend(frame.point(&self.domain.intersect(&there)?)?);
        }
        Ok(self.farther.get_or_init(|| points))
    }
}

/// Unites parts with the same values.
fn joined(parts: Vec<Contest>) -> Result<Vec<Contest>, Error> {
    let mut joined: Vec<Contest> = Vec::new();
    for part in parts {
        match joined.iter_mut().find(|other| other.values == part.values) {
            Some(other) => *other = Contest::new(coalesced(other.domain.union(&part.domain)?)?, part.values)?,
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
