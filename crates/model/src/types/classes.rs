//! Reuse classes: the reuses of a program at one line size, by formula.

use serde::{Deserialize, Serialize};
use symloc_quasi::{Constraint, Piece, Poly};

/// A line size that is a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymbolicLine {
    /// Elements per line: the position of a parameter in [`Model::parameters`](super::Model::parameters).
    pub parameter: usize,
    /// Bytes of an element; of the largest, if the arrays differ in them.
    pub element_bytes: u64,
}

/// The reuse classes at one line size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineModel {
    /// Bytes per cache line. With `element`, the size of one element, or `None` if the arrays differ in it.
    pub line_bytes: Option<u64>,
    /// True if a line holds one element of each array, whatever its size (`--element`).
    pub element: bool,
    /// The line size, if it is a parameter; then `line_bytes` is `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbolic: Option<SymbolicLine>,
    /// m, the number of distinct blocks.
    pub blocks: Vec<Piece>,
    /// The number of distinct blocks of each array of [`Outline::arrays`](super::Outline::arrays); empty without an outline.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub array_blocks: Vec<Vec<Piece>>,
    /// The classes, real ones first.
    pub classes: Vec<ReuseClass>,
    /// The reuse distances, if they were derived (`--exact`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distances: Option<Distances>,
    /// The reuses of lines that another thread has written in between; `None` if the model is of one thread, or if they
    /// are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coherence: Option<Coherence>,
    /// The writes by the reuse that decides whether they are written back; `None` if they were not derived
    /// (`--write-backs`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_backs: Option<WriteBacks>,
}

/// The writes of a program, by the longest of the reuses up to the next write to their block, or up to the end of the
/// program. A cache writes the block back after exactly those for which it does not hold this reuse.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriteBacks {
    /// Classes by reuse interval, all of them real; `None` if they have no formulas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classes: Option<Vec<ReuseClass>>,
    /// Classes by reuse distance, none of them estimated; `None` if distances were not derived, or have no formulas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distances: Option<Distances>,
}

/// The use that threads make of lines that others write (docs/parallel.md).
///
/// The reuses are those of one thread before which another thread wrote the line, after the phase of the previous access
/// and before the phase of this one: wherever they would hit, they miss.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coherence {
    /// By array of [`Outline::arrays`](super::Outline::arrays), the number of its lines that this thread and later ones
    /// touch in one phase, but no earlier one, and that one of them writes, summed over all phases.
    pub falsely_shared: Vec<Vec<Piece>>,
    /// Classes by reuse interval, all of them real.
    pub classes: Vec<ReuseClass>,
    /// Classes by reuse distance, if distances were derived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distances: Option<Distances>,
}

/// The reuse distances at one line size: for each access with a previous one, the number of distinct blocks touched
/// strictly between the two. A fully associative LRU cache of C blocks misses where the distance is at least C, and on
/// first touches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distances {
    /// Classes like those of reuse intervals, all of them real, with the distance as value.
    pub classes: Vec<ReuseClass>,
    /// The accesses whose distance is not known, because finding it exceeded a limit: classes by reuse *interval*.
    /// Denning's recursion decides which of them miss.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub estimated: Vec<ReuseClass>,
}

/// The kind of an interval, by the previous access to the block in the same run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntervalKind {
    /// There is a previous access.
    Real,
    /// There is none: a first touch, whose interval reaches into the previous run (infinite repeat).
    Imaginary,
}

/// All accesses with one formula for the reuse interval: value `v(p; q)`, for the iterators `q` in a domain, with a
/// multiplicity `c(p; q)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReuseClass {
    /// Real or imaginary.
    pub kind: IntervalKind,
    /// The names of the free iterators q; empty if the value depends on the parameters alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub iterators: Vec<String>,
    /// v, an integer wherever the class has members.
    pub value: Poly,
    /// c: pieces in the parameters and q, which add up where they overlap; zero where there is none.
    pub counts: Vec<CountPiece>,
}

/// A piece of a multiplicity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountPiece {
    /// The access that it counts, by its position in [`Outline::accesses`](super::Outline::accesses); `None` without an outline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access: Option<usize>,
    /// The access that touched the block before it, by its position; `None` for first touches and in models without
    /// previous accesses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<usize>,
    /// A range for each free iterator that holds all of the piece's points; see [`Bounds`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<Bounds>,
    /// The exact domain of the piece: a conjunction over parameters and iterators.
    #[serde(rename = "where", default, skip_serializing_if = "Vec::is_empty")]
    pub domain: Vec<Constraint>,
    /// The number of accesses with this value.
    pub count: Poly,
}

/// A range for one free iterator, `max(lower) ≤ q ≤ min(upper)`, in terms of the parameters and the iterators further
/// out. The bounds are integers at every point; the range contains all points of the domain, and possibly others.
#[derive(Clone, Debug, PartialEq, Hash, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Inclusive lower bounds, at least one.
    pub lower: Vec<Poly>,
    /// Inclusive upper bounds, at least one.
    pub upper: Vec<Poly>,
}

impl Bounds {
    /// Returns the bounds with each polynomial replaced.
    pub fn map(&self, poly: impl Fn(&Poly) -> Poly) -> Self {
        Self { lower: self.lower.iter().map(&poly).collect(), upper: self.upper.iter().map(&poly).collect() }
    }
}
