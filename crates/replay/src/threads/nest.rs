//! The iterations that threads share: those of a loop, or of a nest as one sequence.

use symloc_affine::{If, Loop, Node, Program, Schedule};

use crate::code::{For, Op};
use crate::cursor::Placed;
use crate::error::{ReplayError, overflow};

/// A loop whose iterations threads share, or a nest whose iterations are one sequence.
pub(crate) struct SharedNest<'c> {
    /// The loops, outermost first.
    heads: Vec<NestHead<'c>>,
    /// The number of all iterations.
    pub(crate) count: u64,
    /// The body of the innermost loop.
    pub(crate) body: ParallelBody<'c>,
}

/// The head of a loop of a nest that has been reached.
struct NestHead<'c> {
    head: &'c For,
    /// The first value of its iterator.
    first: i64,
    /// The number of its iterations.
    count: u64,
}

/// The body of a parallel loop.
#[derive(Clone, Copy)]
pub(crate) enum ParallelBody<'c> {
    /// Nodes.
    Nodes(&'c [Op<Placed>]),
    /// The accesses of a row.
    Row(&'c [Placed]),
}

impl<'c> SharedNest<'c> {
    /// Creates the nest of so many loops, at least 1, of which this is the outermost one, with the iterators around it in
    /// `iters`. [`check`] has found the program to have such nests.
    pub(crate) fn new(
        loops: u32,
        (head, body): (&'c For, ParallelBody<'c>),
        iters: &[i64],
    ) -> Result<Self, ReplayError> {
        let mut nest = Self { heads: Vec::new(), count: 1, body };
        nest.add(head, iters)?;
        for _ in 1..loops {
            match nest.body {
                ParallelBody::Nodes([Op::Loop(head, body)]) => {
                    nest.body = ParallelBody::Nodes(body);
                    nest.add(head, iters)?;
                }
                ParallelBody::Nodes([Op::Row(head, sites)]) => {
                    nest.body = ParallelBody::Row(sites);
                    nest.add(head, iters)?;
                }
                // No other loop has accesses.
                _ => break,
            }
        }
        Ok(nest)
    }

    fn add(&mut self, head: &'c For, iters: &[i64]) -> Result<(), ReplayError> {
        let (first, count) = head.iterations(iters)?;
        self.count = self.count.checked_mul(count).ok_or_else(|| overflow("the number of iterations of a nest"))?;
        self.heads.push(NestHead { head, first, count });
        Ok(())
    }

    /// Sets the iterators to their values in the iteration of this number, from 0.
    pub(crate) fn set(&self, mut number: u64, iters: &mut [i64]) {
        for NestHead { head, first, count } in self.heads.iter().rev() {
            iters[head.slot] = first + head.step * (number % count) as i64;
            number /= count;
        }
    }
}

/// Checks that the parallel loops of a program are nests that can be shared.
///
/// # Errors
///
/// [`ReplayError::EmptyChunks`] if a loop has chunks of no iterations, [`ReplayError::Nest`] if the iterations of several loops are
/// no one sequence.
pub(crate) fn check(program: &Program, nodes: &[Node]) -> Result<(), ReplayError> {
    nodes.iter().try_for_each(|node| match node {
        Node::Loop(l) => {
            check_loop(program, l)?;
            check(program, &l.body)
        }
        Node::If(If { then, otherwise, .. }) => {
            check(program, then)?;
            check(program, otherwise)
        }
        Node::Access(_) | Node::Operations(_) | Node::Mark(_) => Ok(()),
    })
}

fn check_loop(program: &Program, l: &Loop) -> Result<(), ReplayError> {
    let iter = &program.iters[l.iter.index()];
    let Some(parallel) = iter.parallel else { return Ok(()) };
    if parallel.schedule == Schedule::Chunks(0) {
        return Err(ReplayError::EmptyChunks { name: iter.name.clone() });
    }
    let nest = l.collapsed(parallel.loops);
    nest.map_err(|error| ReplayError::Nest { name: iter.name.clone(), error }).map(|_| ())
}
