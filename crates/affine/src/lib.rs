//! Affine programs: what every front end produces and every analysis reads.
//!
//! A [`Program`] is a tree of loops, guards and array accesses. Loop bounds, guards and subscripts are
//! [`Expr`]essions: integer linear combinations of parameters, iterators and floors of such combinations, which is
//! what MLIR calls affine and isl calls quasi-affine. The crate knows neither MLIR nor isl.
//!
//! - [`expr`]: expressions and constraints,
//! - [`program`]: the tree, [`ids`]: what its tables are indexed by,
//! - [`schedule`]: which thread runs which iterations of parallel loops, [`collapse`]: nests whose iterations are one sequence,
//! - [`mark`]: places whose executions are counted,
//! - [`layout`]: from an element to the cache block that holds it, `wide`: accesses to several elements at once,
//! - [`rows`]: the lines of arrays in memory and their names, with `strides` that formulas take as they are or pad,
//! - [`lines`]: the same program in line coordinates, [`tiles`]: in tile coordinates, [`truths`]: with truth values for flags,
//!   [`threads`]: as one thread runs it, [`radix`]: with tiles of symbolic size in digits,
//! - [`assume`]: the language of `--assume`, [`join`]: programs for several values of a parameter as one, [`mod@moduli`]: by what a program divides its parameters,
//! - [`assumption`]: what is taken for granted of a program,
//! - [`names`]: what may be a name,
//! - [`builder`]: programs in a few lines of Rust,
//! - [`mod@print`]: the program as readable text (`--emit affine`),
//! - [`bracketed`]: the program as a static trace (`--emit trace`).

#![warn(clippy::missing_errors_doc)]

pub mod assume;
pub mod assumption;
pub mod bracketed;
pub mod builder;
pub mod collapse;
pub mod expr;
pub mod ids;
pub mod join;
pub mod layout;
pub mod lines;
mod mapped;
pub mod mark;
pub mod moduli;
pub mod names;
pub mod padding;
pub mod print;
pub mod program;
mod question;
pub mod radix;
pub mod rows;
pub mod schedule;
mod strides;
pub mod threads;
pub mod tiles;
pub mod truths;
mod wide;

pub use assume::{AssumeError, Assumptions, ValueSet, fixed_values, parse_assumptions, value_sets};
pub use assumption::{Assumption, AssumptionKind};
pub use bracketed::Bracketed;
pub use collapse::CollapseError;
pub use expr::{Atom, Constraint, Expr, Overflow, Relation};
pub use ids::{AccessId, ArrayId, IterId, MarkId, ParamId};
pub use layout::{ElementCoordinates, Layout, LayoutError, Line};
pub use lines::{LineCoordinates, Split};
pub use mark::{Mark, Weight};
pub use moduli::{Modulus, moduli};
pub use names::{is_name, is_source_name, listed};
pub use padding::{arrays_of_one_row, padded_rows, rows_of_symbolic_lines};
pub use program::{
    Access, AccessKind, Array, CarriedValue, Extent, If, Iter, Location, Loop, LoopStep, Node, Param, Program, Strides,
    SubscriptCase, Unused,
};
pub use radix::{RadixError, RadixProgram, SizeDigits};
pub use schedule::{ParallelLoops, Schedule};
pub use threads::{ThreadProgram, ThreadProgramError, ThreadShare};
pub use tiles::TileCoordinates;
pub use truths::TruthValues;
