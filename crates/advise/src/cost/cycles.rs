//! The cycles of a unit of work.
//!
//! They are those of one processor, an AMD EPYC of 2023, by its data sheets and by the times of kernels: docs/advice.md
//! has the comparison. Another processor has others, but the order of candidates depends on their ratios, which differ
//! less.

/// An access of 8 bytes in a loop that runs in vectors.
pub(crate) const VECTOR: f64 = 0.15;
/// An access in vectors whose elements lie apart.
pub(crate) const GATHER: f64 = 1.5;
/// An access in a loop that does not run in vectors.
pub(crate) const SCALAR: f64 = 0.5;
/// An entry of an innermost loop.
pub(crate) const ENTRY: f64 = 10.0;
/// A division in vectors.
pub(crate) const VECTOR_DIVISION: f64 = 2.0;
/// A division in a loop that does not run in vectors, where nothing waits for it.
pub(crate) const SCALAR_DIVISION: f64 = 5.0;

/// The cycles until the result of an operation is there: what the next iteration may wait for.
pub mod latencies {
    /// An addition or a multiplication.
    pub const ADDITION: f64 = 4.0;
    /// An addition of integers.
    pub const INTEGER_ADDITION: f64 = 1.0;
    /// A division.
    pub const DIVISION: f64 = 13.0;
    /// A function.
    pub const CALL: f64 = 20.0;
    /// A minimum, a maximum or a choice between two values.
    pub const CHOICE: f64 = 1.0;
}

/// Of the shorter of computing and waiting for memory, the part that does not overlap with the longer.
pub(crate) const APART: f64 = 0.2;
/// An access to another page than in the iteration before.
pub(crate) const PAGE: f64 = 1.0;
/// The search for a page whose address is not kept.
pub(crate) const PAGE_WALK: f64 = 12.0;
/// The pages whose addresses a processor keeps: those of the years 2017 to 2025 have 1536 to 3072 places, which pages share
/// with other things, and not evenly.
pub(crate) const PAGES: f64 = 1200.0;
/// Misses of the first, second, … level.
const LEVELS: [MissCycles; 3] = [
    MissCycles { streamed: 2.0, scattered: 2.0 },
    MissCycles { streamed: 4.0, scattered: 12.0 },
    MissCycles { streamed: 15.0, scattered: 30.0 },
];

/// The cycles of a miss of a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MissCycles {
    /// Of a block that is fetched ahead.
    pub(crate) streamed: f64,
    /// Of another block, beyond a hit.
    pub(crate) scattered: f64,
}

impl MissCycles {
    /// Returns those of a cache; deeper levels than are known cost as much as the deepest.
    pub(crate) fn of_level(level: usize) -> Self {
        LEVELS[level.min(LEVELS.len() - 1)]
    }
}
