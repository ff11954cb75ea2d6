//! The loops that a source marks as parallel.

use symloc_affine::{IterId, Location, Loop, Node, ParallelLoops, Program};

use crate::diagnostics::{Diagnostic, Note};

/// The loops that a source marks as parallel. The program itself is sequential: a user chooses which of them have
/// threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParallelMarks {
    /// True if the request itself asks for threads, as `-fopenmp` does.
    pub asked: bool,
    /// The loops that can have threads.
    pub loops: Vec<LoopMark>,
    /// The constructs that cannot.
    pub refused: Vec<RefusedMark>,
    /// The notes about marks that are taken.
    pub notes: Vec<Note>,
}

/// A loop that can have threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopMark {
    /// Its iterator; of a nest, that of the outermost loop.
    pub iter: IterId,
    /// The schedule that the source gives it, and the number of its loops.
    pub parallel: ParallelLoops,
    /// The place of the mark: a pragma, or an operation.
    pub location: Option<Location>,
}

/// A construct for threads that cannot be taken as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedMark {
    /// The reason, and what to do.
    pub error: Diagnostic,
    /// The iterators of its loop; if the user chooses all of them, the construct does not matter. Empty if it has none.
    pub iters: Vec<IterId>,
    /// True if it forbids threads in the whole program, whichever loops are chosen.
    pub is_of_program: bool,
}

impl ParallelMarks {
    /// Returns the schedules of a program's loops, and makes these sequential. A note tells the loops of operations with
    /// several iterators, of which threads share the outermost one.
    pub fn taken_from(program: &mut Program) -> Self {
        let mut marks = Self::default();
        for (iter, data) in (0_u32..).map(IterId).zip(&mut program.iters) {
            let (location, parallel) = (data.location.clone(), data.parallel.take());
            marks.loops.extend(parallel.map(|parallel| LoopMark { iter, parallel, location }));
        }
        let several: Vec<IterId> = marks.loops.iter().map(|mark| mark.iter).collect();
        let several = several.into_iter().filter(|iter| has_several(program, &program.body, *iter));
        let note = |iter: IterId| {
            let text = "threads share the iterations of the outermost loop of this operation";
            Note::new(program.iters[iter.index()].location.clone(), text)
        };
        marks.notes = several.map(note).collect();
        marks
    }

    /// Returns true if the source marks no loop.
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty() && self.refused.is_empty()
    }
}

/// Returns true if a loop and the one directly in it are at one place.
fn has_several(program: &Program, nodes: &[Node], iter: IterId) -> bool {
    let place = |iter: IterId| program.iters[iter.index()].location.as_ref();
    nodes.iter().any(|node| match node {
        Node::Loop(Loop { iter: found, body, .. }) if *found == iter => {
            let is_at = |node: &Node| matches!(node, Node::Loop(inner) if place(inner.iter) == place(iter));
            place(iter).is_some() && body.iter().any(is_at)
        }
        Node::Loop(Loop { body, .. }) => has_several(program, body, iter),
        Node::If(guard) => has_several(program, &guard.then, iter) || has_several(program, &guard.otherwise, iter),
        Node::Access(_) | Node::Operations(_) | Node::Mark(_) => false,
    })
}
