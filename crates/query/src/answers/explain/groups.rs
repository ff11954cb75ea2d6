//! Groups accesses whose reuses miss for the same reason.
//!
//! Accesses are similar if the caches in which their late reuses begin to hit are about equal, and so are those in
//! which all of them hit. The rows of a stencil, each of which makes few of the misses, thus form one group.

use std::cmp::Reverse;

use symloc_evaluate::{EvalError, Int};
use symloc_report::answers::explanation::Threshold;

use super::subject::{AttributedMisses, tenths};

/// The largest number of groups that are described one by one.
const MAIN: usize = 3;

/// The groups of accesses that have misses, with these misses.
pub(super) struct AccessGroups {
    /// By descending misses.
    groups: Vec<(Vec<usize>, Int)>,
    without: Vec<usize>,
}

impl AccessGroups {
    /// Groups accesses for which the caches where the first late reuse hits, and where all hit, are about equal.
    pub(super) fn new(subject: &AttributedMisses<'_>, lines: &Int) -> Result<Self, EvalError> {
        let misses = subject.shares.misses(lines)?;
        let (mut with, without): (Vec<usize>, Vec<_>) =
            (0..misses.len()).partition(|access| !misses[*access].total().is_zero());
        with.sort_by_cached_key(|access| Reverse(misses[*access].total()));
        let mut groups: Vec<(Option<[Threshold; 2]>, Vec<usize>, Int)> = Vec::new();
        for access in with {
            let misses = &misses[access];
            let reach = subject.reach(&[access], &misses.reuse)?;
            match groups.iter_mut().find(|(other, ..)| alike(other.as_ref(), reach.as_ref())) {
                Some((_, group, sum)) => {
                    group.push(access);
                    *sum += &misses.total();
                }
                None => groups.push((reach, vec![access], misses.total())),
            }
        }
        groups.sort_by_key(|(.., sum)| Reverse(sum.clone()));
        Ok(Self { groups: groups.into_iter().map(|(_, group, sum)| (group, sum)).collect(), without })
    }

    /// Returns the first groups, until they make nine tenths of `total`, and all other accesses.
    pub(super) fn leading(self, total: &Int) -> (Vec<Vec<usize>>, Vec<usize>) {
        let (mut main, mut others, mut sum) = (Vec::new(), Vec::new(), Int::ZERO);
        for (group, misses) in self.groups {
            if main.len() < MAIN && &sum * &Int::from(10) < total * &Int::from(9) {
                main.push(group);
                sum += &misses;
            } else {
                others.extend(group);
            }
        }
        others.extend(self.without);
        (main, others)
    }
}

/// Returns true if both caches are equal within a tenth.
fn alike(one: Option<&[Threshold; 2]>, other: Option<&[Threshold; 2]>) -> bool {
    let close = |one: &Threshold, other: &Threshold| {
        let (one, other) = (&one.lines, &other.lines);
        *one.max(other) <= tenths(one.min(other), 11)
    };
    match (one, other) {
        (Some(one), Some(other)) => one.iter().zip(other).all(|(one, other)| close(one, other)),
        (None, None) => true,
        _ => false,
    }
}
