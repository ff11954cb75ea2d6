//! The reasons why there is no advice.

use symloc_affine::{Location, Overflow};
use symloc_replay::ReplayError;
use symloc_schedule::ScheduleError;

/// The option with which an order would be legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingOption {
    /// There is none.
    None,
    /// Sums may be reordered: the order exchanges their terms, and nothing else.
    Reassociate,
}

/// Why a program cannot be advised on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AdviseError {
    /// The source has no such function, or its body is not in this file.
    #[error("the body of `{name}` is not in this file")]
    NoFunction {
        /// The function.
        name: String,
    },
    /// A statement of the source cannot be moved.
    #[error("{line}:{column}: {why}")]
    Source {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The reason.
        why: String,
    },
    /// An access is in no statement of the function: it is in a function that is called, or in a loop's bounds.
    #[error("{location}: this access is in no statement of the function's loops: a call or a condition makes it")]
    NoStatement {
        /// The access.
        location: Location,
    },
    /// An access is in another file: a header, or the one that line markers name.
    #[error("{location}: this access is in another file than the loops that are to be written anew")]
    OtherFile {
        /// The access.
        location: Location,
    },
    /// A statement of the source is not in the program.
    #[error("{line}:{column}: this statement was not read: a `#pragma scop` leaves it out, or it does nothing")]
    NotRead {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// The loops around an access are not those of the source.
    #[error("{location}: the loops around this access are not those of the source")]
    OtherLoops {
        /// The access.
        location: Location,
    },
    /// The user's order names loops that no statement is in.
    #[error("no statement is in the loops {loops} and no others further inside; statements are in: {known}")]
    NoSuchLoops {
        /// The loops that were given.
        loops: String,
        /// The loops around statements.
        known: String,
    },
    /// The user's order changes what the program computes.
    #[error("{location}: this order is not legal: {why}")]
    NotLegal {
        /// An access of the instance that has to come first.
        location: Location,
        /// The two accesses, and the iterations and sizes at which they would be exchanged.
        why: String,
        /// The option that makes it legal.
        missing: MissingOption,
    },
    /// isl has no complete code for the user's order.
    #[error("isl's code for this order leaves out iterations, so it is not proposed: try other tiles")]
    NoCode,
    /// The compiler did not give a syntax tree.
    #[error("{why}")]
    Tree {
        /// Its messages.
        why: String,
    },
    /// A program could not be built or run.
    #[error("the program could not be run: {why}")]
    Run {
        /// The reason.
        why: String,
    },
    /// Dependences, orders or code.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The program could not be run on caches.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A number left 64 bits.
    #[error(transparent)]
    Overflow(#[from] Overflow),
}

impl From<symloc_isl::Error> for AdviseError {
    fn from(error: symloc_isl::Error) -> Self {
        AdviseError::Schedule(error.into())
    }
}
