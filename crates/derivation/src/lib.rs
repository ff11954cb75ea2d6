//! From the text of a program to its model, as the commands and the library do it: what stands between the front ends
//! and the derivation, and what follows it.
//!
//! ```text
//! Source ──compile──▶ LLVM IR ──read──▶ Input ──model──▶ Model
//! ```
//!
//! - [`program`]: the program in a source, by the front end that the name of its file chooses,
//! - [`code`]: programs in C, C++, Fortran and LLVM IR; `database` finds their flags in `compile_commands.json`,
//! - [`texts`]: files, networks and kernels, and LLVM IR in MLIR,
//! - [`parallel`]: the loops that threads share,
//! - [`reading`]: a program as it was read; [`values`] joins the programs of `--assume 'k in 1, 3'`,
//! - [`lines`]: the layout and the line sizes, [`tiles`]: tile sizes that are parameters,
//! - [`mod@model`]: the derivation, with its events; `explain` turns its errors into those of the source,
//! - [`check`]: the RI sum test of each derivation, and the comparison of its distances with the trace,
//! - `orders`: the loops of a function in MLIR, for a search of orders, `dense`: the program at one size, with contiguous rows (both with the
//!   feature `advise`),
//! - [`error`]: errors with places and remedies.
//!
//! Nothing here prints, ends the process or keeps a state; processes are forked only if a caller asks for workers.

#![warn(clippy::missing_errors_doc)]

pub mod check;
pub mod code;
mod database;
#[cfg(feature = "advise")]
pub mod dense;
pub mod error;
mod explain;
pub mod lines;
pub mod model;
#[cfg(feature = "advise")]
pub mod orders;
pub mod parallel;
pub mod program;
pub mod reading;
pub mod texts;
pub mod tiles;
pub mod values;

pub use error::DerivationError;
pub use explain::explain;
