//! The phases of a derivation, the times of an access in each, and the share that is done, for progress reports.

use std::cell::RefCell;
use std::fmt;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use symloc_affine::AccessId;

/// A phase of a derivation; those about one access come again for the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Phase {
    /// Domains, schedules and access maps.
    Timestamps,
    /// The ranks of all accesses.
    Rank,
    /// All of the following, access by access, by several processes at once.
    Workers,
    /// Previous accesses and last accesses.
    Prev,
    /// Intervals by substitution, and their simplification.
    Intervals,
    /// Counting the classes.
    Count,
    /// Previous accesses in line coordinates.
    PrevLines,
    /// The blocks between two accesses to the same block.
    Distances,
    /// Counting the classes of reuse distances.
    CountDistances,
    /// The writes by their longest reuse.
    WriteBacks,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Timestamps => "timestamps",
            Phase::Rank => "rank",
            Phase::Workers => "reuses, by several processes",
            Phase::Prev => "previous accesses",
            Phase::Intervals => "reuse intervals",
            Phase::Count => "counting classes",
            Phase::PrevLines => "previous accesses in line coordinates",
            Phase::Distances => "reuse distances",
            Phase::CountDistances => "counting distances",
            Phase::WriteBacks => "write-backs",
        })
    }
}

/// A part of an access whose reuse has been derived.
#[derive(Clone, Copy, Debug)]
pub struct DerivedPart<'p> {
    /// The access, in the program that is derived.
    pub access: AccessId,
    /// The time that each phase took, by the clock of the process that derived the part. A phase occurs at most once.
    pub times: &'p [(Phase, Duration)],
    /// The weight of all parts that have been derived, this one included.
    pub done: u64,
    /// The weight of all parts, at least 1.
    pub total: u64,
}

/// The times of phases, taken as they are entered.
#[derive(Default)]
pub(crate) struct PhaseTimes(RefCell<Vec<(Phase, Instant)>>);

impl PhaseTimes {
    /// Enters a phase.
    pub(crate) fn enter(&self, phase: Phase) {
        self.0.borrow_mut().push((phase, Instant::now()));
    }

    /// Ends the last phase; returns the time of each, in the order in which they first began.
    pub(crate) fn finish(self) -> Vec<(Phase, Duration)> {
        let entered = self.0.into_inner();
        let ends = entered.iter().skip(1).map(|(_, start)| *start).chain([Instant::now()]);
        let mut times: Vec<(Phase, Duration)> = Vec::new();
        for ((phase, start), end) in entered.iter().zip(ends) {
            match times.iter_mut().find(|(known, _)| known == phase) {
                Some((_, time)) => *time += end - *start,
                None => times.push((*phase, end - *start)),
            }
        }
        times
    }
}

/// The weights of the parts of accesses: what is known of their times before they are derived.
pub(crate) struct Weights {
    /// For each access.
    accesses: Vec<u64>,
    /// The number of parts of each access.
    parts: usize,
}

impl Weights {
    /// Returns the weights for accesses in so many loops each, and so many accesses to the same array each.
    pub(crate) fn new(accesses: impl Iterator<Item = (usize, usize)>, parts: usize) -> Self {
        let weight = |(loops, same): (usize, usize)| (loops as u64 + 1) * (same as u64 + 1);
        Self { accesses: accesses.map(weight).collect(), parts }
    }

    /// Returns the weight of a part. The first of several finds the previous accesses of the access and its intervals, which
    /// counts as much as a third of the distances.
    pub(crate) fn part(&self, access: AccessId, part: usize) -> u64 {
        let first = if part == 0 { 1 + self.parts as u64 / 3 } else { 1 };
        self.accesses[access.index()] * first
    }

    /// Returns the weight of all parts of an access.
    pub(crate) fn access(&self, access: AccessId) -> u64 {
        (0..self.parts).map(|part| self.part(access, part)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_that_is_entered_again_has_one_time() {
        let times = PhaseTimes::default();
        for phase in [Phase::Prev, Phase::Count, Phase::Prev] {
            times.enter(phase);
            std::thread::sleep(Duration::from_millis(2));
        }
        let times = times.finish();
        assert_eq!(times.iter().map(|(phase, _)| *phase).collect::<Vec<_>>(), [Phase::Prev, Phase::Count]);
        assert!(times[0].1 >= Duration::from_millis(4) && times[1].1 >= Duration::from_millis(2), "{times:?}");
    }

    #[test]
    fn parts_of_an_access_have_its_weight_together() {
        let weights = Weights::new([(2, 3), (0, 1)].into_iter(), 32);
        assert_eq!((0..32).map(|part| weights.part(AccessId(0), part)).sum::<u64>(), weights.access(AccessId(0)));
        assert_eq!((weights.part(AccessId(0), 1), weights.part(AccessId(1), 1)), (12, 2));
    }
}
