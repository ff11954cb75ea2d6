//! Errors of the simulation.

use symloc_affine::{LayoutError, Line};

/// The reason why a program has no trace at the given sizes, or why the trace cannot be measured.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SimError {
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
    #[error("array `{array}` does not fit in an address space of 2^63 lines")]
    AddressSpace {
        /// The array at which the space is exhausted.
        array: String,
    },
    /// The trace is longer than its user allows.
    #[error("the trace has more than {limit} accesses")]
    TooManyAccesses {
        /// The number allowed.
        limit: u64,
    },
    /// More marks are passed than their user allows.
    #[error("the program passes more than {limit} marks")]
    TooManyPasses {
        /// The number allowed.
        limit: u64,
    },
    /// A program runs on at least one thread.
    #[error("a program runs on at least one thread")]
    NoThreads,
    /// More blocks are touched than are counted.
    #[error("the trace touches more than 2^31 blocks, which is the limit of the simulation")]
    TooManyBlocks,
    /// Block coordinates do not exist under the layout.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// A cache's lines are not those of the trace.
    #[error("the cache has {cache}, but the trace was made for {trace}", cache = show(.cache), trace = show(.trace))]
    LineMismatch {
        /// The cache's line.
        cache: Line,
        /// The trace's line.
        trace: Line,
    },
    /// The program breaks a rule of [`symloc_affine::Program`]: the front end that made it has a bug.
    #[error("malformed program (this is a bug in what produced it): {0}")]
    Malformed(String),
}

/// The reason why three numbers are not a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CacheError {
    /// A number is zero.
    #[error("capacity, ways and line size of a cache must be at least 1")]
    Zero,
    /// The sets are not whole.
    #[error("a cache of {bytes} bytes is not a whole number of sets of {ways} ways of {line_bytes}-byte lines")]
    Sets {
        /// Capacity in bytes.
        bytes: u64,
        /// Lines per set.
        ways: u64,
        /// Bytes per line.
        line_bytes: u64,
    },
}

fn show(line: &Line) -> String {
    match line {
        Line::Element => "lines of one element".to_owned(),
        Line::Bytes(bytes) => format!("lines of {bytes} bytes"),
    }
}
