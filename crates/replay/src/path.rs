//! Accesses apart from each other: the loops and conditions around each of them.
//!
//! What does not depend on the order of accesses (how many there are, where they reach, which lines they touch) is found access by
//! access. Most loops then need not be run: a loop is *free* if nothing below it depends on its iterator but subscripts. There are as
//! many accesses in each of its iterations.

use symloc_affine::Relation;

use crate::affine::Affine;
use crate::code::{For, Op, holds};
use crate::error::ReplayError;

/// An access and what is around it, from the outside.
pub(crate) struct Path<'c, S> {
    steps: Vec<Step<'c>>,
    pub(crate) site: &'c S,
}

/// A loop or a condition around an access.
#[derive(Clone, Copy)]
pub(crate) enum Step<'c> {
    Loop(&'c For),
    /// The condition holds, or does not.
    Branch(&'c [(Affine, Relation)], bool),
}

/// The accesses of a tree, in the order of the text.
pub(crate) fn paths<S>(body: &[Op<S>]) -> Vec<Path<'_, S>> {
    let mut paths = Vec::new();
    collect(body, &mut Vec::new(), &mut paths);
    paths
}

fn collect<'c, S>(body: &'c [Op<S>], steps: &mut Vec<Step<'c>>, paths: &mut Vec<Path<'c, S>>) {
    for op in body {
        match op {
            Op::Access(site) => paths.push(Path { steps: steps.clone(), site }),
            Op::Row(head, sites) => {
                steps.push(Step::Loop(head));
                paths.extend(sites.iter().map(|site| Path { steps: steps.clone(), site }));
                steps.pop();
            }
            Op::Loop(head, body) => {
                steps.push(Step::Loop(head));
                collect(body, steps, paths);
                steps.pop();
            }
            Op::If(condition, branches) => {
                for (body, holds) in branches.iter().zip([true, false]) {
                    steps.push(Step::Branch(condition, holds));
                    collect(body, steps, paths);
                    steps.pop();
                }
            }
        }
    }
}

impl<'c, S> Path<'c, S> {
    /// What is around the access, from the outside.
    pub(crate) fn steps(&self) -> &[Step<'c>] {
        &self.steps
    }

    /// The free loops.
    pub(crate) fn free(&self) -> impl Iterator<Item = &'c For> {
        let steps = self.steps.iter().enumerate();
        steps.filter_map(|(at, step)| match step {
            Step::Loop(head) if !self.steps[at + 1..].iter().any(|below| below.mentions(head.slot)) => Some(*head),
            _ => None,
        })
    }

    /// Comes to all iterations; of loops that are `skipped`, to the first. `visit` gets the iterators, and how many accesses they stand for.
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
    steps: &[Step<'_>],
    iters: &mut [i64],
    weight: u64,
    skipped: &impl Fn(&For) -> bool,
    visit: &mut impl FnMut(&mut [i64], u64) -> Result<(), ReplayError>,
) -> Result<(), ReplayError> {
    let Some((step, below)) = steps.split_first() else { return visit(iters, weight) };
    let head = match step {
        Step::Branch(condition, wanted) => {
            return if holds(condition, iters)? == *wanted {
                walk(below, iters, weight, skipped, visit)
            } else {
                Ok(())
            };
        }
        Step::Loop(head) => head,
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

impl Step<'_> {
    fn mentions(&self, slot: usize) -> bool {
        match self {
            Step::Loop(head) => head.mentions(slot),
            Step::Branch(condition, _) => condition.iter().any(|(expr, _)| expr.mentions(slot)),
        }
    }
}
