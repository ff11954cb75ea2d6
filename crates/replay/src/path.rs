//! Accesses apart from each other: the loops and conditions around each of them.
//!
//! What does not depend on the order of accesses (how many there are, where they reach, which lines they touch) is found access by
//! access. Most loops then need not be run: a loop is *free* if nothing below it depends on its iterator but the subscripts, and these
//! without a floor. The iterations of a free loop differ by a constant distance, and there are as many accesses in each.

use symloc_affine::Relation;

use crate::affine::Affine;
use crate::code::{For, Op, holds};
use crate::error::ReplayError;

/// An access and what is around it, from the outside.
pub(crate) struct Path<'c, S> {
    steps: Vec<Step<'c>>,
    pub(crate) site: &'c S,
}

#[derive(Clone, Copy)]
enum Step<'c> {
    Loop(&'c For),
    /// The condition holds, or does not.
    Branch(&'c [(Affine, Relation)], bool),
}

/// What to do with a free loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visit {
    /// Its first iteration stands for all.
    First,
    /// Its first and its last iteration stand for all.
    Ends,
    /// Each is needed.
    All,
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
    /// The free loops, if the subscripts have no floor of their iterators.
    pub(crate) fn free(&self) -> impl Iterator<Item = &'c For> {
        let steps = self.steps.iter().enumerate();
        steps.filter_map(|(at, step)| match step {
            Step::Loop(head) if !self.steps[at + 1..].iter().any(|below| below.mentions(head.slot)) => Some(*head),
            _ => None,
        })
    }

    /// Comes to all iterations, or to those of free loops that are wanted. `visit` gets the iterators, and how many accesses they stand for.
    ///
    /// # Errors
    ///
    /// Those of `visit`, and values that leave 64 bits.
    pub(crate) fn walk<E: From<ReplayError>>(
        &self,
        iters: &mut [i64],
        wanted: &impl Fn(&For) -> Visit,
        visit: &mut impl FnMut(&mut [i64], u64) -> Result<(), E>,
    ) -> Result<(), E> {
        walk(&self.steps, iters, 1, wanted, visit)
    }
}

fn walk<E: From<ReplayError>>(
    steps: &[Step<'_>],
    iters: &mut [i64],
    weight: u64,
    wanted: &impl Fn(&For) -> Visit,
    visit: &mut impl FnMut(&mut [i64], u64) -> Result<(), E>,
) -> Result<(), E> {
    let Some((step, below)) = steps.split_first() else { return visit(iters, weight) };
    let head = match step {
        Step::Branch(condition, wanted_so) => {
            return if holds(condition, iters)? == *wanted_so {
                walk(below, iters, weight, wanted, visit)
            } else {
                Ok(())
            };
        }
        Step::Loop(head) => head,
    };
    let (first, count) = head.iterations(iters)?;
    let value = |index: u64| first + head.step * index as i64;
    let mut iteration = |index, weight| {
        iters[head.slot] = value(index);
        walk(below, iters, weight, wanted, visit)
    };
    match wanted(head) {
        Visit::All => (0..count).try_for_each(|index| iteration(index, weight)),
        _ if count == 0 => Ok(()),
        Visit::First => iteration(0, weight.saturating_mul(count)),
        Visit::Ends => {
            iteration(0, weight.saturating_mul(count))?;
            if count > 1 { iteration(count - 1, 0) } else { Ok(()) }
        }
    }
}

impl Step<'_> {
    fn mentions(&self, slot: usize) -> bool {
        match self {
            Step::Loop(head) => head.mentions(slot),
            Step::Branch(condition, _) => condition.iter().any(|(expr, _)| expr.mentions(slot)),
        }
    }
}
