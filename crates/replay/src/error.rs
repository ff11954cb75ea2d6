//! Errors of replaying.

use symloc_affine::{CollapseError, LayoutError};
use symloc_cache::{GeometryError, ThreadCachesError};

/// The reason why a program cannot be replayed at a size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// One size per parameter is needed.
    #[error("{given} sizes given, but the program has {} parameters ({})", .params.len(), .params.join(", "))]
    SizeCount {
        /// The parameters' names.
        params: Vec<String>,
        /// The number of sizes given.
        given: usize,
    },
    /// The sizes lie outside the program's context.
    #[error("the sizes {sizes} do not satisfy the condition `{condition}` of the program")]
    Context {
        /// The sizes, as `n = 3, m = 4`.
        sizes: String,
        /// The condition.
        condition: String,
    },
    /// A value does not fit in 64 bits.
    #[error("{place} leaves the range of 64-bit integers at these sizes")]
    Overflow {
        /// The expression's place in the program.
        place: String,
    },
    /// The arrays do not fit in the address space.
    #[error("array `{array}` does not fit in an address space of 2^62 bytes")]
    AddressSpace {
        /// The array at which the space is exhausted.
        array: String,
    },
    /// An array cannot lie at the requested address.
    #[error("array `{array}` cannot start at {base:#x}: {reason}")]
    Base {
        /// The array.
        array: String,
        /// The address, in bytes.
        base: u64,
        /// The reason.
        reason: String,
    },
    /// There are more accesses than the user allows.
    #[error("the trace has more than {limit} accesses")]
    TooManyAccesses {
        /// The number allowed.
        limit: u64,
    },
    /// A cache cannot be built.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// A program runs on at least one thread.
    #[error("a program runs on at least one thread")]
    NoThreads,
    /// A parallel loop is shared in chunks of no iterations: the front end that made the program has a bug.
    #[error("loop `{name}` is shared in chunks of no iterations (this is a bug in what produced it)")]
    EmptyChunks {
        /// The iterator of the loop.
        name: String,
    },
    /// The iterations of several loops are to be shared as one sequence, and are none: the front end that made the program has a bug.
    #[error("loop `{name}` and those in it cannot be shared as one: {error} (this is a bug in what produced it)")]
    Nest {
        /// The iterator of the outermost loop.
        name: String,
        /// The reason.
        error: CollapseError,
    },
    /// Threads cannot have such caches.
    #[error(transparent)]
    ThreadCaches(#[from] ThreadCachesError),
    /// An array has no place under the layout.
    #[error(transparent)]
    Layout(#[from] LayoutError),
}

/// Creates the error that `place` leaves 64 bits.
#[cold]
pub(crate) fn overflow(place: impl Into<String>) -> ReplayError {
    ReplayError::Overflow { place: place.into() }
}
