//! Counts and sums the reuse intervals up to x in closed form (docs/counting.md).
//!
//! At a size the parameters are numbers. A piece of a class is then a set of integer points, the solutions of some
//! conditions, with a value v and a count c at each. [`decompose`] divides it into [`parts`], whose sums are
//! found without visiting their points.
//!
//! | word | meaning |
//! |---|---|
//! | cumulative histogram | K(x) = Σ c and B(x) = Σ v·c over the points with v ≤ x: [`Sums`] |
//! | atom | one value, and the number of accesses that have it |
//! | row | points one step apart: t = 0, 1, … |
//! | monotone [run](parts::run) | a part of a row on which v keeps its direction: one search in v, and a prefix sum |
//! | [periodic](parts::periodic) polynomial | polynomial on each residue of t modulo a period, as counts and their prefix sums are |
//! | [lattice](decompose::lattice) | the points of some iterators, in coordinates with small steps |
//! | [polygon](decompose::polygon) | the points of two iterators, cut into trapezoids of rows |
//! | [region](parts::region) | rows in which v ascends or descends in both directions: prefix sums, and one search for each row astride x |
//! | [mixed radix](parts::radix) | independent iterators with an affine value: the digits of a number |
//! | digit above a part | an iterator on which nothing else depends: the part again for each of its values, with v longer by one step |
//! | [fan](parts::fan) | slices that are numbers in mixed radix, with a base and steps that grow from each to the next |
//! | [slices](decompose::slices) that are alike | parts of a piece at successive values of a direction that differ by a shift of v |
//! | [floor sum](parts::slant) | Σ ⌊(a + b·t)/m⌋, by Euclid's algorithm: many rows astride at once |
//!
//! Numbers are exact; [`machine`](parts::machine) is the one fast path, in machine words, with its bound established once.
//! Constants that were chosen, not derived, are in [`limits`].

mod decompose;
mod limits;
mod parts;
#[cfg(test)]
mod tests;

pub(crate) use decompose::{Decomposition, Plan, Trouble};
pub(crate) use parts::{IntervalAtom, IntervalPart, Parts, Sums};
