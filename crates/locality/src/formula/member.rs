//! The accesses of one class with values above a threshold.
//!
//! [`segments`] goes along the threshold t, from zero on. At each t the sums `Σ c` and `Σ c·(v − t)` over the points
//! with `v > t` have a formula that is valid up to some larger t, where the next one begins. If v is linear in the
//! iterators these are sums over a polytope that `v > t` cuts ([`crate::formula::sum`]). If it is not, all points or
//! none are above t outside of the least and the greatest value. In between the sums end at
//! [roots](crate::formula::root) if v is not linear in one iterator only; else the class is [open](Above::Open).

use num_bigint::BigInt;
use symloc_polyhedra::Points;
use symloc_quasi::{Constraint, Poly, Relation, Var};

use crate::class::Class;
use crate::conditions::Conditions;
use crate::formula::between::is_curved;
use crate::formula::root::Roots;
use crate::formula::sum::{Summands, sums};
use crate::formula::threshold::{Near, ThresholdRange};

/// The largest number of formulas along the threshold.
const MAX_SEGMENTS: usize = 1 << 10;

/// The accesses above the threshold, from some threshold on.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) from: Poly,
    pub(super) above: Above,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Above {
    /// The number of accesses, and the sum of their values less the threshold.
    Sums(Summands),
    /// Part of the class, by a law that is no polynomial.
    Open,
}

/// Returns the segments of a class without floors of its iterators, which come after the threshold's variable, with the
/// least and the greatest of its values if they are known. `None` if there are too many segments.
pub(super) fn segments(
    class: &Class,
    span: Option<&(Poly, Poly)>,
    sample: &[BigInt],
    conditions: &mut Conditions,
    roots: &mut Roots,
) -> Option<Vec<Segment>> {
    let member = Member::new(class, span, sample.len());
    let mut segments: Vec<Segment> = Vec::new();
    let mut from = Poly::zero();
    for _ in 0..MAX_SEGMENTS {
        let threshold = from.evaluate(sample).to_integer();
        let (above, range) = member.above(sample, &threshold, conditions, roots);
        if segments.last().is_none_or(|last| last.above != above) {
            segments.push(Segment { from: from.clone(), above });
        }
        // Segments follow one another: the range begins no later than the one before has ended.
        if let Some(begin) = range.from.filter(|begin| *begin != from) {
            conditions.require(&(&from - &begin));
        }
        match range.to {
            Some(to) => from = &to + &Poly::one(),
            None => return Some(segments),
        }
    }
    None
}

/// Returns the domain of a class as inequalities.
pub(super) fn inequalities(class: &Class) -> Vec<Constraint> {
    let both = |c: &Constraint| match c.relation {
        Relation::NonNegative => vec![c.clone()],
        Relation::Zero => [c.poly.clone(), -&c.poly].map(Constraint::non_negative).to_vec(),
    };
    class.domain.iter().flat_map(both).collect()
}

struct Member<'c> {
    class: &'c Class,
    span: Option<&'c (Poly, Poly)>,
    /// The points over which the iterators run, if linear constraints describe them.
    points: Option<Points>,
}

/// The points that are counted.
#[derive(PartialEq, Eq)]
enum CountedPoints {
    All,
    AboveThreshold,
}

/// The position of a threshold relative to the values of a class.
enum ThresholdPosition {
    Below,
    Within,
    Above,
}

impl<'c> Member<'c> {
    fn new(class: &'c Class, span: Option<&'c (Poly, Poly)>, parameters: usize) -> Self {
        let first = parameters as u32 + 1;
        let iterators: Vec<Var> = (first..first + class.iterators.len() as u32).map(Var).collect();
        let constraints = inequalities(class);
        let described = constraints.iter().all(|constraint| !is_curved(&iterators, &constraint.poly));
        let points = Points::new(constraints, iterators);
        Self { class, span, points: described.then_some(points) }
    }

    /// Returns the accesses above a threshold, and the thresholds for which the same formulas hold.
    fn above(
        &self,
        sample: &[BigInt],
        threshold: &BigInt,
        conditions: &mut Conditions,
        roots: &mut Roots,
    ) -> (Above, ThresholdRange) {
        let attempt =
            |conditions: &mut Conditions, roots: &mut Roots, find: &dyn Fn(&mut Near<'_>) -> Option<Summands>| {
                let mut tried = conditions.clone();
                let mut near = Near::new(sample, threshold.clone(), &mut tried, roots);
                let found = find(&mut near)?;
                let range = near.into_range();
                *conditions = tried;
                Some((Above::Sums(found), range))
            };
        let cut = |near: &mut Near<'_>| self.sums(near, CountedPoints::AboveThreshold);
        let mut unwanted = Roots::Unwanted;
        let found = attempt(conditions, &mut unwanted, &cut)
            .or_else(|| attempt(conditions, &mut unwanted, &|near| self.whole(near)))
            .or_else(|| attempt(conditions, roots, &cut));
        if let Some(found) = found {
            return found;
        }
        let mut near = Near::new(sample, threshold.clone(), conditions, &mut unwanted);
        // Without a least and a greatest value the class is open for all thresholds.
        let _ = self.position(&mut near);
        (Above::Open, near.into_range())
    }

    /// Returns the sums over all points, or zero, if the threshold is outside the range of values.
    fn whole(&self, near: &mut Near<'_>) -> Option<Summands> {
        match self.position(near)? {
            ThresholdPosition::Below => self.sums(near, CountedPoints::All),
            ThresholdPosition::Above => Some([Poly::zero(), Poly::zero()]),
            ThresholdPosition::Within => None,
        }
    }

    fn position(&self, near: &mut Near<'_>) -> Option<ThresholdPosition> {
        let (least, greatest) = self.span?;
        let threshold = Poly::var(near.threshold());
        if near.decide(&(&threshold - greatest))? {
            return Some(ThresholdPosition::Above);
        }
        Some(if near.decide(&(&threshold - least))? { ThresholdPosition::Within } else { ThresholdPosition::Below })
    }

    /// Returns the sums over some of the points.
    fn sums(&self, near: &mut Near<'_>, counted: CountedPoints) -> Option<Summands> {
        let excess = &self.class.value - &Poly::var(near.threshold());
        let mut points = self.points.clone()?;
        if counted == CountedPoints::AboveThreshold {
            points.constraints.push(Constraint::non_negative(&excess - &Poly::one()));
        }
        sums(near, points, &[self.class.count.clone(), &self.class.count * &excess])
    }
}
