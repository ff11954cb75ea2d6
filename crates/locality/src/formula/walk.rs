//! Ascending thresholds, along which classes pass from one segment to the next, and the sums over all classes in
//! between.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_traits::One;
use symloc_model::IntervalKind;
use symloc_quasi::{Poly, Rational, Var};

use crate::class::Class;
use crate::formula::case::{Case, is_wide};
use crate::formula::member::{Above, Segment};
use crate::formula::threshold::Near;
use crate::measure::Measure;
use crate::pieces::Held;

/// A class and one of its segments, by their numbers.
pub(super) type SegmentNumber = (usize, usize);

/// Returns the segments without polynomials whose accesses can miss: those of reuses.
pub(super) fn open_segments(classes: &[Class], found: &[Vec<Segment>]) -> Vec<SegmentNumber> {
    let numbered = found.iter().enumerate().filter(|(class, _)| classes[*class].kind == IntervalKind::Real);
    numbered
        .flat_map(|(class, segments)| {
            let open = segments.iter().enumerate().filter(|(_, segment)| segment.above == Above::Open);
            open.map(move |(segment, _)| (class, segment))
        })
        .collect()
}

/// A threshold at which classes pass from one segment to the next.
pub(super) struct Border {
    at: Poly,
    /// Classes and their new segments.
    passed: Vec<SegmentNumber>,
}

impl Border {
    /// Returns all borders in their order at the sample, which is required of all sizes.
    pub(super) fn all(found: &[Vec<Segment>], near: &mut Near<'_>) -> Vec<Self> {
        let mut passed: BTreeMap<(Rational, &Poly), Vec<SegmentNumber>> = BTreeMap::new();
        for (class, segments) in found.iter().enumerate() {
            for (segment, Segment { from, .. }) in segments.iter().enumerate().skip(1) {
                passed.entry((from.evaluate(near.sizes()), from)).or_default().push((class, segment));
            }
        }
        let borders: Vec<Self> = passed.into_iter().map(|((_, at), passed)| Self { at: at.clone(), passed }).collect();
        borders.windows(2).for_each(|pair| near.require_of_sizes(&(&pair[1].at - &pair[0].at)));
        borders
    }
}

/// The state of a walk along ascending thresholds.
pub(super) struct ThresholdWalk<'r> {
    held: &'r Held,
    sample: &'r [BigInt],
    measure: Measure,
    classes: &'r [Class],
    found: &'r [Vec<Segment>],
    /// The number of reuses above the threshold.
    reuses: Poly,
    /// The sum by which all values exceed the threshold.
    excess: Poly,
    /// The open segments that the threshold is in.
    open: BTreeSet<SegmentNumber>,
    /// All segments that are sums, in their order.
    sums: &'r [SegmentNumber],
}

impl<'r> ThresholdWalk<'r> {
    pub(super) fn new(
        held: &'r Held,
        sample: &'r [BigInt],
        measure: Measure,
        classes: &'r [Class],
        found: &'r [Vec<Segment>],
        sums: &'r [SegmentNumber],
    ) -> Self {
        let (reuses, excess, open) = (Poly::zero(), Poly::zero(), BTreeSet::new());
        let mut walk = Self { held, sample, measure, classes, found, reuses, excess, open, sums };
        (0..found.len()).for_each(|class| walk.enter(class, 0));
        walk
    }

    pub(super) fn cases(mut self, borders: &[Border]) -> Vec<Case> {
        let mut cases = Vec::new();
        let mut from = Poly::zero();
        for Border { at, passed } in borders {
            cases.push(self.case(&from, Some(at)));
            for &(class, segment) in passed {
                self.leave(class, segment - 1);
                self.enter(class, segment);
            }
            from = at.clone();
        }
        cases.push(self.case(&from, None));
        cases
    }

    fn enter(&mut self, class: usize, segment: usize) {
        match &self.found[class][segment].above {
            Above::Sums([count, excess]) => self.add(class, count, excess),
            Above::Open => {
                self.open.insert((class, segment));
            }
        }
    }

    fn leave(&mut self, class: usize, segment: usize) {
        match &self.found[class][segment].above {
            Above::Sums([count, excess]) => self.add(class, &-count, &-excess),
            Above::Open => {
                self.open.remove(&(class, segment));
            }
        }
    }

    fn add(&mut self, class: usize, count: &Poly, excess: &Poly) {
        if self.classes[class].kind == IntervalKind::Real {
            self.reuses = &self.reuses + count;
        }
        self.excess = &self.excess + excess;
    }

    fn case(&self, from: &Poly, to: Option<&Poly>) -> Case {
        let Held { accesses, blocks, .. } = self.held;
        let known = self.measure == Measure::Intervals && self.open.is_empty();
        let threshold = Var(self.sample.len() as u32);
        // Where there is one threshold only it has a value.
        let only = to.filter(|to| (*to - from).as_constant().is_some_and(|length| length.is_one())).map(|_| from);
        let formula = |poly: &Poly| match only {
            Some(only) => poly.with_value(threshold, only),
            None => poly.periodic_form(),
        };
        Case {
            from: from.clone(),
            to: to.cloned(),
            misses: formula(&(&self.reuses + blocks)),
            working_set: known.then(|| &(accesses * blocks) - &self.excess),
            sums: (0..self.sums.len()).filter(|sum| self.open.contains(&self.sums[*sum])).collect(),
            is_wide: is_wide(self.sample, from, to),
        }
    }
}
