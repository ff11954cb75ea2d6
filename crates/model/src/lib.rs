//! The locality model of a program, as it is stored, and its evaluator.
//!
//! A model holds reuse classes: reuse intervals and how often they occur, both as quasi-polynomials in the
//! program's parameters (DESIGN section 2). Everything a question needs is in the file; evaluating it needs no
//! native library.
//!
//! - [`data`]: the model's types and its file format.

pub mod data;

pub use data::{Bounds, CountPiece, Kind, LineModel, Model, ReuseClass, SCHEMA};
