//! Intervals, distances and caches in one run of a trace, by access of the program's text.
//!
//! Long traces are interpreted once instead of once for each measurement. The counts are those that
//! [`intervals`](crate::intervals), [`distances`](crate::distances) and [`cache`](crate::cache) define.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::cache::{Cache, Misses, States};
use crate::distances::{DistanceHistogram, Stack};
use crate::error::SimError;
use crate::intervals::{IntervalHistogram, Life};
use crate::trace::Trace;

/// The measurements of one run of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// By access of the program's text, in the order of [`AccessId`](symloc_affine::AccessId)s.
    pub accesses: Vec<Surveyed>,
    /// From each imaginary interval of the whole trace to the number of first touches that have it.
    pub imaginary: BTreeMap<u64, u64>,
    /// The misses in each cache.
    pub caches: Vec<Misses>,
}

/// The reuse of one access of the program's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surveyed {
    /// The number of times that it touches a block that was never touched before.
    pub first_touches: u64,
    /// From each real reuse interval to its number.
    pub intervals: BTreeMap<u64, u64>,
    /// From each reuse distance to its number.
    pub distances: BTreeMap<u64, u64>,
}

/// A [`Surveyed`] under construction.
#[derive(Default)]
struct AccessTally {
    first_touches: u64,
    intervals: FxHashMap<u64, u64>,
    distances: FxHashMap<u64, u64>,
}

impl Survey {
    /// Runs the trace, with these caches.
    ///
    /// # Errors
    ///
    /// [`SimError::LineMismatch`] if the lines of a cache are not those of the trace, or as for [`Trace::for_each`].
    pub fn of(trace: &Trace<'_>, caches: &[Cache]) -> Result<Self, SimError> {
        let mut states = States::new(trace, caches)?;
        let mut tallies: Vec<AccessTally> = trace.program().accesses.iter().map(|_| AccessTally::default()).collect();
        let mut lives: Vec<Life> = Vec::new();
        let mut stack = Stack::new();
        let mut rank = 0;
        trace.for_each_address(|access, block, line| {
            states.access(block, line);
            let tally = &mut tallies[access.index()];
            match (lives.get_mut(block.index()), stack.touch(block)) {
                (Some(life), Some(distance)) => {
                    *tally.intervals.entry(rank - life.latest).or_insert(0) += 1;
                    *tally.distances.entry(distance).or_insert(0) += 1;
                    life.latest = rank;
                }
                _ => {
                    tally.first_touches += 1;
                    lives.push(Life { first: rank, toucher: access.index(), latest: rank });
                }
            }
            rank += 1;
        })?;
        Ok(Self {
            accesses: tallies.into_iter().map(AccessTally::finish).collect(),
            imaginary: Life::imaginary(&lives, rank),
            caches: states.finish(),
        })
    }

    /// Returns the reuse intervals of the whole trace.
    pub fn intervals(&self) -> IntervalHistogram {
        let real = sum(self.accesses.iter().map(|access| &access.intervals));
        let blocks = self.imaginary.values().sum();
        IntervalHistogram {
            accesses: real.values().sum::<u64>() + blocks,
            blocks,
            real,
            imaginary: self.imaginary.clone(),
        }
    }

    /// Returns the reuse distances of the whole trace.
    pub fn distances(&self) -> DistanceHistogram {
        let distances = sum(self.accesses.iter().map(|access| &access.distances));
        let first_touches = self.accesses.iter().map(|access| access.first_touches).sum();
        DistanceHistogram { accesses: distances.values().sum::<u64>() + first_touches, first_touches, distances }
    }
}

fn sum<'a>(histograms: impl Iterator<Item = &'a BTreeMap<u64, u64>>) -> BTreeMap<u64, u64> {
    let mut sum = BTreeMap::new();
    for (value, count) in histograms.flatten() {
        *sum.entry(*value).or_insert(0) += count;
    }
    sum
}

impl AccessTally {
    fn finish(self) -> Surveyed {
        let sorted = |counts: FxHashMap<u64, u64>| counts.into_iter().collect();
        Surveyed {
            first_touches: self.first_touches,
            intervals: sorted(self.intervals),
            distances: sorted(self.distances),
        }
    }
}
