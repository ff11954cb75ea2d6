//! From an affine program to its reuse classes.
//!
//! ```text
//! program ─▶ timestamps, accesses ─▶ prev (dataflow) ─┐
//!        └─▶ rank (loop tree) ────────────────────────┴▶ intervals ─▶ simplified ─▶ grouped ─▶ counted
//! ```
//!
//! Each arrow is a module, and each module opens with its idea:
//!
//! - [`timestamps`]: when and where each access executes, and which block it touches;
//! - [`rank`]: how many accesses come before;
//! - [`counters`]: loops with a step, counted in steps for the dataflow;
//! - [`prev`]: the previous access to the same block;
//! - [`coordinates`]: the program in the variables in which blocks are affine;
//! - [`lines`]: these variables for a symbolic line size;
//! - [`interval`]: rank(t) − rank(prev(t)), by substitution;
//! - [`simplify`]: formulas that are equal on their domain become equal; `merge` takes one for several parts where it holds on all, and
//!   `coalesce` makes these fewer;
//! - [`strides`]: iterators that go in steps count the steps;
//! - [`classes`]: equal formulas become one class, which is counted;
//! - `sums`: counts, which are `closed` forms or Barvinok's; `digits` makes them easier, `disjoint` and `cover` add them up;
//! - `facts`: what linear constraints imply, without isl;
//! - [`distance`]: reuse distances, on request; most blocks between two accesses are `boxes`;
//! - `sink`: all of this for one access;
//! - [`derive`](mod@derive): for every access and every line size; `blocks` counts distinct blocks, `phase` says what is being done;
//! - [`executions`]: how often marks are passed, for programs that have some;
//! - `steps`: work that may take too long;
//! - `outline` and `stored`: the model, with the accesses and arrays that counts belong to.
//!
//! Formulas are polynomials in the variables of a [`Frame`]; `convert` carries them there from isl.
//!
//! (Zhu, Pan, Ding, Wu, *Fully Symbolic Analysis of Loop Locality*, section 3; docs/mathematics.md.)

#![warn(clippy::missing_errors_doc)]

mod bits;
mod blocks;
mod bounds;
mod candidates;
pub mod classes;
mod coalesce;
mod conditions;
mod convert;
pub mod coordinates;
pub mod counters;
mod cover;
pub mod derive;
mod disjoint;
pub mod distance;
mod error;
pub mod executions;
mod frame;
pub mod interval;
pub mod lines;
mod merge;
mod outline;
mod phase;
pub mod prev;
pub mod rank;
pub mod simplify;
mod sink;
mod slices;
mod steps;
mod stored;
pub mod strides;
mod sums;
mod tiles;
mod times;
pub mod timestamps;

pub use derive::{LineSizes, Options, derive};
pub use distance::Limits;
pub use error::{Error, LineError};
pub use executions::{Count, Executions};
pub use frame::Frame;
pub use phase::Phase;
pub use stored::{Derived, Origin, context, stored_assumptions};
