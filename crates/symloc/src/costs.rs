//! The accesses whose derivation takes longest, with the phase and what to do, for `--timing`.

use std::collections::BTreeMap;
use std::time::Duration;

use symloc_affine::{AccessId, AccessKind, Layout, Program};
use symloc_reuse::{DerivedPart, LineSizes, Phase};

use super::advice::for_access;

/// The most accesses that are named.
const MOST: usize = 5;
/// The shortest time of an access that is named.
const LEAST: Duration = Duration::from_millis(100);
/// The least share of the time of all accesses that a named one takes, as a divisor.
const SHARE: u32 = 20;

/// The time of each access in each phase, of all its parts and line sizes.
#[derive(Debug, Default)]
pub(crate) struct AccessCosts(BTreeMap<AccessId, BTreeMap<Phase, Duration>>);

/// The time of one access.
struct AccessCost {
    access: AccessId,
    time: Duration,
    /// The phase that takes most of it.
    longest: Phase,
}

impl AccessCosts {
    /// Adds the times of a part.
    pub(crate) fn add(&mut self, part: DerivedPart<'_>) {
        let phases = self.0.entry(part.access).or_default();
        for (phase, time) in part.times {
            *phases.entry(*phase).or_default() += *time;
        }
    }

    /// Returns the lines that name the accesses which take most of the time, with hints; none if no access takes a
    /// noticeable share.
    pub(crate) fn report(&self, program: &Program, layout: Layout, lines: &LineSizes) -> Vec<String> {
        let total = self.0.values().flat_map(BTreeMap::values).sum::<Duration>();
        let named = self.named(total);
        if named.is_empty() {
            return Vec::new();
        }
        let hint = |cost: &AccessCost| for_access(program, layout, lines, cost.access, cost.longest);
        let mut report = vec![format!("accesses that take most of {:.3} s for all of them:", total.as_secs_f64())];
        for (index, cost) in named.iter().enumerate() {
            report.push(line(program, cost, total));
            // One hint for all accesses in a row that have it.
            let (own, next) = (hint(cost), named.get(index + 1).map(hint));
            if next != Some(own.clone()) {
                report.extend(own.map(|own| format!("  help: {own}")));
            }
        }
        report
    }

    /// Returns the accesses that take a noticeable share, longest first.
    fn named(&self, total: Duration) -> Vec<AccessCost> {
        let cost = |(access, phases): (&AccessId, &BTreeMap<Phase, Duration>)| {
            let (longest, _) = phases.iter().max_by_key(|(_, time)| **time)?;
            Some(AccessCost { access: *access, time: phases.values().sum(), longest: *longest })
        };
        let mut costs: Vec<_> = self.0.iter().filter_map(cost).collect();
        costs.retain(|cost| cost.time >= LEAST && cost.time * SHARE >= total);
        costs.sort_by_key(|cost| std::cmp::Reverse(cost.time));
        costs.truncate(MOST);
        costs
    }
}

/// Returns the line of an access: its place, its text, its time, its share, and its longest phase.
fn line(program: &Program, cost: &AccessCost, total: Duration) -> String {
    let access = program.access(cost.access);
    let kind = match access.kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
    };
    let subscripts: String = access.subscripts.iter().map(|s| format!("[{}]", program.show(s))).collect();
    format!(
        "{}: {kind} {}{subscripts}: {:.3} s, {:.0} %, most of it {}",
        access.location,
        program.array(access.array).name,
        cost.time.as_secs_f64(),
        100.0 * cost.time.as_secs_f64() / total.as_secs_f64(),
        cost.longest
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(times: &[(u32, u64)]) -> AccessCosts {
        let mut costs = AccessCosts::default();
        for (access, milliseconds) in times {
            let times = [(Phase::Prev, Duration::from_millis(*milliseconds)), (Phase::Count, Duration::ZERO)];
            costs.add(DerivedPart { access: AccessId(*access), times: &times, done: 1, total: 1 });
        }
        costs
    }

    fn named(times: &[(u32, u64)]) -> Vec<u32> {
        let costs = costs(times);
        let total = costs.0.values().flat_map(BTreeMap::values).sum();
        costs.named(total).iter().map(|cost| cost.access.0).collect()
    }

    #[test]
    fn parts_of_an_access_add_up_and_the_longest_comes_first() {
        assert_eq!(named(&[(0, 300), (1, 200), (1, 200)]), [1, 0]);
    }

    #[test]
    fn short_times_and_small_shares_are_not_named() {
        assert!(named(&[(0, 99)]).is_empty());
        assert_eq!(named(&[(0, 5000), (1, 200)]), [0]);
    }

    #[test]
    fn at_most_five_accesses_are_named() {
        assert_eq!(
            named(&(0..9).map(|access| (access, 1000 + u64::from(access))).collect::<Vec<_>>()),
            [8, 7, 6, 5, 4]
        );
    }
}
