//! The reasons why a program has no statements, no order or no code.

use symloc_affine::{Location, Overflow};

/// Why an order could not be found or made to code.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScheduleError {
    /// isl failed, or reached the limit on its operations.
    #[error(transparent)]
    Isl(#[from] symloc_isl::Error),
    /// The relations of the program could not be built.
    #[error(transparent)]
    Reuse(#[from] symloc_reuse::Error),
    /// A number left 64 bits.
    #[error(transparent)]
    Overflow(#[from] Overflow),
    /// The accesses of a statement run at different times.
    #[error(
        "{location}: this statement runs in several loops, or has loops of its own; if a condition chooses between two bounds of a loop \
         around it, write the smaller of two ends or the larger of two starts"
    )]
    Scattered {
        /// The first access.
        location: Location,
    },
    /// A statement runs under one of several conditions, and none of its accesses runs whenever it does.
    #[error(
        "{location}: this runs under one of several conditions: make one comparison of them, or repeat it under each"
    )]
    Alternatives {
        /// The first access.
        location: Location,
    },
    /// The generated code or the scheduler's answer has a part that is not affine.
    #[error("isl's answer has a part that is not affine: {part}")]
    NotAffine {
        /// The part, as text.
        part: String,
    },
}
