//! The phases of a derivation, for progress reports.

use std::fmt;

/// A phase of a derivation; those about one access come again for the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
        })
    }
}
