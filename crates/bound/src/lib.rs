//! Lower bounds on the misses of all legal orders of a program's operations, in a fully associative cache with any
//! replacement, at every size.
//!
//! ```text
//! model ─▶ statements ─▶ families, slots ─▶ encounters ─▶ roles ─▶ laws ─▶ partitions at a size ─▶ bound
//! ```
//!
//! - `statement`: the statements of a program, whose iterations are operations; `encounter`: two of their accesses,
//! - `family`: statements that count as one, and their projections to elements; `roles`: what elements are to them,
//! - `subspace`, `exponents`: exponents of Brascamp-Lieb inequalities; `triangle`: products of a matrix with itself,
//! - `law`: how many operations a set of elements allows; `candidate`: the laws of a family,
//! - `partition`: the misses that a law makes necessary; [`bounds`]: the bound of the program.
//!
//! docs/bounds.md has the proofs.

#![warn(clippy::missing_errors_doc)]

pub mod bounds;
mod candidate;
mod encounter;
mod exponents;
mod family;
mod law;
mod partition;
mod roles;
mod statement;
mod subspace;
#[cfg(test)]
mod tests;
mod triangle;

pub use bounds::{LineContent, LowerBound, NoPartitions, PartitionBound, ProgramBounds, ProgramCounts};
