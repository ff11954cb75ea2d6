//! The loops that a source marks as parallel.

use symloc_affine::{IterId, Program, Schedule};

use crate::diagnostics::{Diagnostic, Note};

/// The loops that a source marks as parallel. The program itself is sequential: a user chooses which of them have
/// threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParallelMarks {
    /// True if the request itself asks for threads, as `-fopenmp` does.
    pub asked: bool,
    /// The iterators of the loops that can have threads, with their schedules.
    pub loops: Vec<(IterId, Schedule)>,
    /// The constructs that cannot.
    pub refused: Vec<RefusedMark>,
    /// The notes about marks that are taken.
    pub notes: Vec<Note>,
}

/// A construct for threads that cannot be taken as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedMark {
    /// The reason, and what to do.
    pub error: Diagnostic,
    /// The iterators of its loop; if the user chooses all of them, the construct does not matter. Empty if it has none.
    pub iters: Vec<IterId>,
}

impl ParallelMarks {
    /// Returns the schedules of a program's loops, and makes these sequential.
    pub fn taken_from(program: &mut Program) -> Self {
        let iters = (0_u32..).map(IterId).zip(&mut program.iters);
        let loops = iters.filter_map(|(id, iter)| Some((id, iter.parallel.take()?))).collect();
        Self { loops, ..Self::default() }
    }

    /// Returns true if the source marks no loop.
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty() && self.refused.is_empty()
    }
}
