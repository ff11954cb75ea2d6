//! What a model file holds.
//!
//! Variables of all polynomials are numbered: the parameters first, in the order of [`Model::parameters`], then
//! a class's free iterators, outermost first.

use serde::{Deserialize, Serialize};
use symloc_quasi::{Constraint, Piece, Poly};

/// The schema that this version writes.
pub const SCHEMA: &str = "symloc.model/1";

/// The locality of one function, for all sizes in its context.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Model {
    /// [`SCHEMA`].
    pub schema: String,
    /// The program that wrote the file, with its version.
    pub generator: String,
    /// The function.
    pub function: String,
    /// The source file, as the user named it.
    pub source: String,
    /// `rows` or `linear`: how arrays lie in memory (DESIGN section 4).
    pub layout: String,
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// The sizes for which the model holds: a conjunction over the parameters.
    pub context: Vec<Constraint>,
    /// N, the number of accesses.
    pub accesses: Vec<Piece>,
    /// One entry for each line size.
    pub lines: Vec<LineModel>,
}

/// The reuse classes at one line size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineModel {
    /// Bytes per cache line. With `element`, the size of one element, or nothing if the arrays differ in it.
    pub line_bytes: Option<u64>,
    /// True if a line holds one element of each array, whatever its size (`--element`).
    pub element: bool,
    /// m, the number of distinct blocks.
    pub blocks: Vec<Piece>,
    /// The classes, real ones first.
    pub classes: Vec<ReuseClass>,
    /// The reuse distances, if they were derived (`--exact`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distances: Option<Distances>,
}

/// The reuse distances at one line size: for each access with a previous one, the number of distinct blocks touched strictly
/// between the two. A fully associative LRU cache of C blocks misses where the distance is at least C, and on first touches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distances {
    /// Classes like those of reuse intervals, all of them real, with the distance as value.
    pub classes: Vec<ReuseClass>,
    /// The accesses whose distance is not known, because finding it exceeded a limit: classes by reuse *interval*. Denning's
    /// recursion decides what they miss.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub estimated: Vec<ReuseClass>,
}

/// Whether an access has a previous access to its block in the same run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// It has.
    Real,
    /// It has not: a first touch, whose interval reaches into the run before (infinite repeat).
    Imaginary,
}

/// All accesses with one formula for the reuse interval: value `v(p; q)`, for the iterators `q` in a domain, with a
/// multiplicity `c(p; q)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReuseClass {
    /// Real or imaginary.
    pub kind: Kind,
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
    /// For each free iterator a range that holds all of the piece's points; see [`Bounds`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<Bounds>,
    /// Where the piece holds, exactly: a conjunction over parameters and iterators.
    #[serde(rename = "where", default, skip_serializing_if = "Vec::is_empty")]
    pub domain: Vec<Constraint>,
    /// How many accesses have this value.
    pub count: Poly,
}

/// A range for one free iterator, `max(lower) ≤ q ≤ min(upper)`, in terms of the parameters and the iterators further out.
/// The bounds are integers at every point; the range may hold points outside the domain, but none is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Inclusive lower bounds, at least one.
    pub lower: Vec<Poly>,
    /// Inclusive upper bounds, at least one.
    pub upper: Vec<Poly>,
}

impl Bounds {
    /// The same bounds in other terms.
    pub fn map(&self, poly: impl Fn(&Poly) -> Poly) -> Self {
        Self { lower: self.lower.iter().map(&poly).collect(), upper: self.upper.iter().map(&poly).collect() }
    }
}
