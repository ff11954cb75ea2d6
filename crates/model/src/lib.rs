//! The locality model of a program, as it is stored, and its evaluator.
//!
//! A model holds reuse classes: reuse intervals and how often they occur, both as quasi-polynomials in the
//! program's parameters (DESIGN section 2). Everything a question needs is in the file; evaluating it needs no
//! native library.
//!
//! ```text
//! file ──Model::load──▶ Model ──Model::evaluator(line)──▶ Evaluator ──locality(sizes)──▶ Locality ──▶ misses(blocks)
//!                                                                   ──at(sizes)──▶ Distribution ──Denning::new──▶ curve
//! ```
//!
//! - [`data`]: the model's types and its file format,
//! - [`file`](mod@file): reading, checking and writing it,
//! - [`sizes`]: the values of the parameters,
//! - [`eval`]: all classes at one size,
//! - [`locality`]: miss counts at one size, from closed forms, whatever the size,
//! - [`distribution`]: the histogram of reuse intervals,
//! - [`denning`]: from the histogram to miss counts,
//! - [`smith`], [`conflicts`]: estimates for set-associative caches.

mod closed;
pub mod conflicts;
pub mod data;
pub mod denning;
pub mod distribution;
pub mod eval;
pub mod file;
pub mod locality;
pub mod sizes;
pub mod smith;
mod validate;

pub use data::{Bounds, CountPiece, Kind, LineModel, Model, ReuseClass, SCHEMA};
pub use denning::{Denning, Misses, Step};
pub use distribution::{Bin, Distribution};
pub use eval::{EvalError, Evaluator, LineChoice};
pub use file::ModelError;
pub use locality::{Locality, Place};
pub use sizes::Sizes;
pub use smith::Sets;
pub use symloc_quasi::Int;
