//! Which accesses are told together: those whose reuses miss for the same reason.
//!
//! An access whose late reuses begin to hit in some cache, and all hit in another, is like one with about the same two
//! caches. So the rows of a stencil, each of which makes few of the misses, are one group.

use std::cmp::Reverse;

use symloc_evaluate::{EvalError, Int};
use symloc_report::explanation::Threshold;

use super::subject::{AttributedMisses, tenths};

/// No more groups than these are told one by one.
const MAIN: usize = 3;

/// The groups of accesses that have misses, and what these are.
pub(super) struct AccessGroups {
    /// Those with most misses first.
    groups: Vec<(Vec<usize>, Int)>,
    without: Vec<usize>,
}

impl AccessGroups {
    /// Puts accesses together of whose late reuses the first, and all, hit in about the same caches.
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

    /// The first groups, until they make nine tenths of `total`, and all other accesses.
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

/// Are both caches about the same, give or take a tenth?
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
