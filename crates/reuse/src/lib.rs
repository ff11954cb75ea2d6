//! From an affine program to its reuse classes.
//!
//! ```text
//! program ─▶ timestamps, accesses ─▶ previous accesses ─┐
//!        └─▶ rank (loop tree) ──────────────────────────┴▶ intervals ─▶ simplified ─▶ grouped ─▶ counted
//! ```
//!
//! Each folder opens with its idea, and a folder uses only those above it:
//!
//! - `counting`: sums over the points of a set, in closed form (`symloc_polyhedra`) or by Barvinok;
//! - [`formulas`]: formulas as short as they can be, in as few pieces as possible;
//! - [`schedule`]: timestamps, ranks, and the program in the variables in which blocks are affine;
//! - [`previous`]: the previous access to the same block;
//! - [`intervals`]: rank(t) − rank(prev(t)), and the classes of equal intervals, which are counted;
//! - [`distance`]: reuse distances, on request;
//! - [`lines`]: lines of symbolic size.
//!
//! Around them stand `sink` (all of this for one access), [`derive`](mod@derive) (for every access and every line size), `coherence` (reuses of lines that other threads have written), [`executions`] (how often marks are passed), `tiles` (results in tile coordinates), `write_backs` (writes by their longest reuse up to the next write, from reuses that are handed over by `found`), `totals` (accesses and distinct blocks; what is known where a limit was reached), and `outline` and `stored`:
//! the model, with the accesses and arrays that counts belong to. Below them stand [`Frame`], the variables of a formula, `convert`,
//! which carries formulas there from isl, `conditions` and `times`, and `steps`, which bounds work that may take too long.
//!
//! (Zhu, Pan, Ding, Wu, *Fully Symbolic Analysis of Loop Locality*, section 3; docs/mathematics.md.)

#![warn(clippy::missing_errors_doc)]

mod coherence;
mod conditions;
mod convert;
mod counting;
pub mod derive;
pub mod distance;
mod error;
pub mod executions;
pub mod formulas;
mod found;
mod frame;
pub mod intervals;
pub mod lines;
mod outline;
mod phase;
pub mod previous;
pub mod schedule;
mod sink;
mod steps;
mod stored;
mod tiles;
mod times;
mod totals;
mod write_backs;

pub use derive::{DeriveOptions, LineSizes, derive};
pub use distance::Limits;
pub use error::{Error, LineError};
pub use executions::{Count, Executions};
pub use frame::Frame;
pub use phase::{DerivedPart, Phase};
pub use stored::{Derived, ModelOrigin, OverLimit, context, stored_assumptions};
pub use symloc_workers::Workers;
pub use write_backs::UnknownWriteBacks;
