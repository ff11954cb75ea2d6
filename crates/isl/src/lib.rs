//! Integer sets, maps, schedules and exact counting: isl and Barvinok, safe and owned.
//!
//! An integer set is a set of integer tuples described by affine constraints; a map is such a set of pairs of tuples.
//! Both may mention parameters. isl computes with them exactly; Barvinok counts their elements as quasi-polynomials in
//! the parameters. Text in and out is in isl notation:
//!
//! ```
//! use symloc_isl::{Context, Set};
//!
//! let context = Context::new()?;
//! let triangle = Set::read(&context, "[n] -> { [i, j] : 0 <= i < n and 0 <= j <= i }")?;
//! let count = triangle.card()?;
//! assert_eq!(count.to_string(), "[n] -> { (1/2 * n + 1/2 * n^2) : n > 0 }");
//! # Ok::<(), symloc_isl::Error>(())
//! ```
//!
//! The rules are few:
//!
//! - **One context at a time.** Barvinok is not thread-safe, so a [`Context`] holds a lock of the whole process until
//!   it and every object made from it are gone. Objects therefore never meet objects of another context.
//! - **Nothing is consumed.** Operations borrow; a copy of an isl object is a reference count.
//! - **Every operation may fail**: see [`Error`], above all [`Error::Limit`].
//! - **Numbers leave as plain data** ([`data`]): big integers and rationals that know nothing of isl.
//!
//! The modules: [`context`], [`error`], [`space`], [`set`], [`map`], [`union`], [`aff`], [`qpolynomial`],
//! [`schedule`], [`ast`], [`data`].

#![warn(clippy::missing_errors_doc)]
#![allow(unsafe_code, reason = "this crate is the safe side of the C API: it calls the functions of barvinok-sys")]

#[macro_use]
mod object;
#[macro_use]
pub mod space;
#[macro_use]
mod val;

pub mod aff;
pub mod ast;
pub mod context;
mod counter;
mod counting;
pub mod data;
pub mod error;
pub mod map;
pub mod qpolynomial;
pub mod schedule;
pub mod set;
pub mod union;

pub use aff::{Aff, MultiAff, PwMultiAff};
pub use ast::{AstExpr, AstNode, AstOp, LoopEnds, generate_code};
pub use context::Context;
pub use counting::Counting;
pub use data::{AffineForm, Dim, Div, Linear, LinearConstraint, Point, PolynomialForm, System, Term};
pub use error::{Error, ErrorKind};
pub use map::Map;
pub use qpolynomial::{PwQPolynomial, QPolynomial};
pub use schedule::{IslSchedule, ScheduleConstraints, ScheduleTree, Strategy, compute_schedule};
pub use set::{BasicSet, Set};
pub use space::{DimType, Space};
pub use union::{UnionMap, UnionSet};
