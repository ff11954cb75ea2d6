//! Recurrences: statements of a loop that wait for results of earlier iterations.

use std::collections::BTreeSet;

use symloc_schedule::FlowPairs;

/// A statement in an innermost loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopStatement {
    /// Its index in the program.
    pub(crate) statement: usize,
    /// The cycles from a value that it reads to the one that it writes, for all its executions.
    pub(crate) latency: f64,
    /// The arrays that it reads.
    pub(crate) reads: BTreeSet<usize>,
    /// The arrays that it writes.
    pub(crate) writes: BTreeSet<usize>,
}

/// Returns the cycles that the iterations of a loop wait for each other: those of its longest recurrence, since the
/// processor runs others beside it. `carried` has the pairs of statements of which the second reads in a later iteration
/// what the first has written.
pub(crate) fn longest_recurrence(statements: &[LoopStatement], carried: &FlowPairs) -> f64 {
    let place = |statement: usize| statements.iter().position(|other| other.statement == statement);
    let carried = carried.iter().filter_map(|(first, second)| Some((place(*first)?, place(*second)?)));
    let carried: BTreeSet<(usize, usize)> = carried.collect();
    // In one iteration values go down the text.
    let feeds = |first: usize, second: usize| {
        first < second && !statements[first].writes.is_disjoint(&statements[second].reads)
            || carried.contains(&(first, second))
    };
    let reached = |start: usize| {
        let mut reached = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some(from) = open.pop() {
            let next = (0..statements.len()).filter(|to| feeds(from, *to));
            open.extend(next.filter(|to| reached.insert(*to)));
        }
        reached
    };
    let from: Vec<BTreeSet<usize>> = (0..statements.len()).map(reached).collect();
    let cycle = |(first, second): &(usize, usize)| {
        let returns = from[*second].contains(first);
        let members = (0..statements.len()).filter(|at| from[*second].contains(at) && from[*at].contains(first));
        if returns { members.map(|at| statements[at].latency).sum() } else { 0.0 }
    };
    carried.iter().map(cycle).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(statement: usize, latency: f64, reads: &[usize], writes: &[usize]) -> LoopStatement {
        let (reads, writes) = (reads.iter().copied().collect(), writes.iter().copied().collect());
        LoopStatement { statement, latency, reads, writes }
    }

    #[test]
    fn recurrences_beside_each_other_take_as_long_as_the_longest() {
        // q += a; s[j] += a; p *= b.
        let statements = [statement(3, 4.0, &[0], &[0]), statement(5, 4.0, &[1], &[1]), statement(6, 8.0, &[2], &[2])];
        assert_eq!(longest_recurrence(&statements, &FlowPairs::from([(3, 3), (6, 6)])), 8.0);
        assert_eq!(longest_recurrence(&statements, &FlowPairs::from([(3, 3)])), 4.0);
        assert_eq!(longest_recurrence(&statements, &FlowPairs::new()), 0.0);
    }

    #[test]
    fn a_recurrence_goes_through_all_statements_that_pass_its_value_on() {
        // x = y + 1; y = 2 * x; z = x.
        let statements = [statement(0, 4.0, &[1], &[0]), statement(1, 4.0, &[0], &[1]), statement(2, 1.0, &[0], &[2])];
        assert_eq!(longest_recurrence(&statements, &FlowPairs::from([(1, 0)])), 8.0);
        // What is only passed on to other statements is waited for by none.
        assert_eq!(longest_recurrence(&statements, &FlowPairs::from([(0, 2)])), 0.0);
    }
}
