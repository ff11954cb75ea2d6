//! What front ends share, whatever language they read.
//!
//! A front end walks a function and collects a [`Draft`]: a tree of loops, guards and accesses over candidates for
//! parameters. [`finish`](finish::finish) makes a [`Program`](symloc_affine::Program) of it.
//!
//! - [`arithmetic`]: division, comparison, minima of such values,
//! - [`assumed`]: what `--assume` says of candidates while a program is read,
//! - [`cases`]: values that are affine case by case,
//! - [`conditions`]: conditions on sizes, as notes show them,
//! - [`delinearize`]: the rows of an array, from the offsets of all accesses to it,
//! - [`ranges`]: which expressions are never negative,
//! - `extents`: the extents that decide where rows lie,
//! - [`draft`], [`mod@finish`]: from what was read to a program, with the parameters that are used and unique names,
//! - [`library`]: functions without a body that are known by their names,
//! - [`names`]: names of the source that say something,
//! - [`outside`]: accesses that leave their array,
//! - [`poly`]: offsets, polynomials in the sizes,
//! - [`characteristics`]: the control-flow graph, what its blocks do, and how often,
//! - [`diagnostics`]: errors and notes with places, and their rendering,
//! - [`signature`]: what the arguments of a function are,
//! - [`shares`]: conditions on data of which the user says how often they hold,
//! - [`source`]: what is read, [`uses`]: sizes and bounds, by what integers are used for.

pub mod arithmetic;
pub mod assumed;
pub mod cases;
pub mod characteristics;
pub mod conditions;
pub mod delinearize;
pub mod diagnostics;
pub mod draft;
mod extents;
pub mod finish;
pub mod library;
pub mod names;
pub mod outside;
pub mod poly;
pub mod ranges;
pub mod shares;
pub mod signature;
pub mod source;
pub mod uses;

pub use characteristics::{Branches, Characteristics};
pub use diagnostics::{Diagnostic, Errors, Kind, Note, Notes, Text};
pub use draft::{Candidate, Domain, Draft, Origin};
pub use finish::{Finished, finish, finished};
pub use source::{Reading, Source, on_large_stack};
