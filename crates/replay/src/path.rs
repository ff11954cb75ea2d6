//! Accesses by themselves: each with the loops and conditions around it.
//!
//! Results that do not depend on the order of accesses (their number, their ranges, the lines they touch) are found access by
//! access. Most loops then need not be run: a loop is *free* if nothing below it but subscripts depends on its iterator. Each of
//! its iterations makes the same number of accesses.

use symloc_affine::Relation;

use crate::affine::Affine;
use crate::code::{For, Op, holds};
use crate::error::ReplayError;

/// An access with the loops and conditions around it, from the outside.
pub(crate) struct Path<'c, S> {
    steps: Vec<PathStep<'c>>,
    pub(crate) site: &'c S,
}

/// A loop or a condition around an access.
#[derive(Clone, Copy)]
pub(crate) enum PathStep<'c> {
    Loop(&'c For),
    /// The condition, and whether it must hold.
    Branch(&'c [(Affine, Relation)], bool),
}

/// Returns the accesses of a tree, in the order of the text.
pub(crate) fn paths<S>(body: &[Op<S>]) -> Vec<Path<'_, S>> {
    let mut paths = Vec::new();
    collect(body, &mut Vec::new(), &mut paths);
    paths
}

fn collect<'c, S>(body: &'c [Op<S>], steps: &mut Vec<PathStep<'c>>, paths: &mut Vec<Path<'c, S>>) {
    for op in body {
        match op {
            Op::Access(site) => paths.push(Path { steps: steps.clone(), site }),
            Op::Row(head, sites) => {
                steps.push(PathStep::Loop(head));
                paths.extend(sites.iter().map(|site| Path { steps: steps.clone(), site }));
                steps.pop();
            }
            Op::Loop(head, body) => {
                steps.push(PathStep::Loop(head));
                collect(body, steps, paths);
                steps.pop();
            }
            Op::If(condition, branches) => {
                for (body, holds) in branches.iter().zip([true, false]) {
                    steps.push(PathStep::Branch(condition, holds));
                    collect(body, steps, paths);
                    steps.pop();
                }
            }
        }
    }
}

impl<'c, S> Path<'c, S> {
    /// Returns the loops and conditions around the access, from the outside.
    pub(crate) fn steps(&self) -> &[PathStep<'c>] {
        &self.steps
    }

    /// Returns the free loops.
    pub(crate) fn free(&self) -> impl Iterator<Item = &'c For> {
        let steps = self.steps.iter().enumerate();
        steps.filter_map(|(at, step)| match step {
            PathStep::Loop(head) if !self.steps[at + 1..].iter().any(|below| below.mentions(head.slot)) => Some(*head),
            _ => None,
        })
    }

    /// Visits all iterations; of loops that are `skipped`, only the first. `visit` is given the iterators, and the number of
    /// accesses that they stand for.
    ///
    /// # Errors
    ///
    /// Those of `visit`, and values that leave 64 bits.
    pub(crate) fn walk(
        &self,
        iters: &mut [i64],
        skipped: &impl Fn(&For) -> bool,
        visit: &mut impl FnMut(&mut [i64], u64) -> Result<(), ReplayError>,
    ) -> Result<(), ReplayError> {
        walk(&self.steps, iters, 1, skipped, visit)
    }
}

fn walk(
    steps: &[PathStep<'_>],
    iters: &mut [i64],
    weight: u64,
    skipped: &impl Fn(&For) -> bool,
    visit: &mut impl FnMut(&mut [i64], u64) -> Result<(), ReplayError>,
) -> Result<(), ReplayError> {
    let Some((step, below)) = steps.split_first() else { return visit(iters, weight) };
    let head = match step {
        PathStep::Branch(condition, wanted) => {
            return if holds(condition, iters)? == *wanted {
                walk(below, iters, weight, skipped, visit)
            } else {
                Ok(())
            };
        }
        PathStep::Loop(head) => head,
    };
    let (first, count) = head.iterations(iters)?;
    if count > 0 && skipped(head) {
        iters[head.slot] = first;
        return walk(below, iters, weight.saturating_mul(count), skipped, visit);
    }
    (0..count).try_for_each(|index| {
        iters[head.slot] = first + head.step * index as i64;
        walk(below, iters, weight, skipped, visit)
    })
}

impl PathStep<'_> {
    fn mentions(&self, slot: usize) -> bool {
        match self {
            PathStep::Loop(head) => head.mentions(slot),
            PathStep::Branch(condition, _) => condition.iter().any(|(expr, _)| expr.mentions(slot)),
        }
    }
}
