//! Results of simulations and samples, as numbers of misses and lines.

use num_bigint::BigInt;
use num_traits::FromPrimitive;
use symloc_cache::Traffic;
use symloc_evaluate::Int;
use symloc_replay::{Estimate, EstimatedShare, Held, Rates};
use symloc_report::Counted;
use symloc_report::answers::misses::MissSource;

/// The result for a level.
pub(crate) struct SimulatedLevel {
    pub(crate) misses: Counted,
    /// Lines that come in.
    pub(crate) fills: Counted,
    /// Written lines that go back.
    pub(crate) write_backs: Counted,
    /// Writes that are passed on one by one.
    pub(crate) writes_through: Counted,
}

/// The result for a hierarchy of caches.
pub(crate) struct Simulated {
    pub(crate) source: MissSource,
    pub(crate) levels: Vec<SimulatedLevel>,
    /// Misses, by access and level.
    pub(crate) by_access: Vec<Vec<Int>>,
    /// Written lines that go back, by array and level.
    pub(crate) by_array: Vec<Vec<Counted>>,
    /// The intervals that hold estimated misses of groups of accesses, by group and level.
    pub(crate) intervals: Vec<Vec<(Int, Int)>>,
}

impl Simulated {
    /// Converts the result of a whole run.
    pub(crate) fn exact(held: &Held) -> Self {
        let level = |(level, traffic): (usize, &Traffic)| SimulatedLevel {
            misses: Counted::exact(held.misses(level)),
            fills: Counted::exact(traffic.fills),
            write_backs: Counted::exact(traffic.write_backs),
            writes_through: Counted::exact(traffic.writes_through),
        };
        let missed =
            |held: &Vec<u64>| (1..held.len()).map(|level| Int::from(held[level..].iter().sum::<u64>())).collect();
        Self {
            source: MissSource::Simulated,
            levels: held.traffic.iter().enumerate().map(level).collect(),
            by_access: held.by_access.iter().map(missed).collect(),
            by_array: of_each(&held.write_backs, |lines| Counted::exact(*lines)),
            intervals: Vec::new(),
        }
    }

    /// Converts the result of samples of a run of `all` accesses.
    pub(crate) fn estimated(estimate: &Estimate, all: &Int) -> Self {
        let count = |share: &EstimatedShare| part(all, share.value);
        let interval = |share: &EstimatedShare| (part(all, share.interval.0), part(all, share.interval.1));
        let estimated = |share: &EstimatedShare| Counted {
            value: count(share),
            interval: Some(interval(share)),
            undecided: part(all, share.undecided) > Int::ZERO,
        };
        let level = |rates: &Rates| SimulatedLevel {
            misses: estimated(&rates.misses),
            fills: estimated(&rates.fills),
            write_backs: estimated(&rates.write_backs),
            writes_through: estimated(&rates.writes_through),
        };
        Self {
            source: MissSource::Sampled,
            levels: estimate.levels.iter().map(level).collect(),
            by_access: of_each(&estimate.misses_by_access, count),
            by_array: of_each(&estimate.write_backs_by_array, estimated),
            intervals: of_each(&estimate.misses_by_group, interval),
        }
    }
}

fn of_each<A, B>(rows: &[Vec<A>], of: impl Fn(&A) -> B) -> Vec<Vec<B>> {
    rows.iter().map(|row| row.iter().map(&of).collect()).collect()
}

/// Returns a multiple of a number, rounded.
fn part(all: &Int, share: f64) -> Int {
    let part = BigInt::from_f64((all.to_f64() * share).round());
    part.map_or(Int::ZERO, Int::from)
}
