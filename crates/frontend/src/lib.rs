//! The parts of front ends that are the same for all languages.
//!
//! A front end walks a function and collects a [`Draft`]: a tree of loops, guards and accesses over candidates for
//! parameters. [`finish`](finish::finish) makes a [`Program`](symloc_affine::Program) of it.
//!
//! - [`cases`]: piecewise affine values,
//! - [`arithmetic`]: division, comparison and minima of piecewise affine values,
//! - [`assumed`]: the conditions of `--assume` on candidates, while a program is read,
//! - [`conditions`]: the text of conditions on sizes, for notes,
//! - [`delinearize`]: the rows of an array, from the offsets of all accesses to it,
//! - [`raising`]: the state of a walk: accesses, iterators, errors, and reasons of errors,
//! - [`ranges`]: lower bounds of affine expressions,
//! - `extents`: the extents that decide where rows lie,
//! - [`draft`], [`mod@finish`]: the way from a draft to a program, with the parameters that are used and unique names,
//! - [`library`]: functions without a body that are known by their names,
//! - [`names`]: unique names, from those of the source,
//! - [`openmp`]: pragmas of OpenMP, in a text of C or C++,
//! - [`outside`]: accesses that leave their array,
//! - [`parallel`]: the loops that a source marks as parallel,
//! - [`presumed`]: the lines that line markers give to a text,
//! - [`poly`]: offsets, polynomials in the sizes,
//! - [`characteristics`]: the control-flow graph, with the operations and the execution counts of its blocks,
//! - [`diagnostics`]: errors and notes with places, and their rendering,
//! - [`signature`]: the arguments of a function,
//! - [`shares`]: conditions on data that hold in a share of the iterations (`--branch`),
//! - [`source`]: the input,
//! - [`uses`]: the classification of integers as sizes and bounds, by their uses.

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
pub mod openmp;
pub mod outside;
pub mod parallel;
pub mod poly;
pub mod presumed;
pub mod raising;
pub mod ranges;
pub mod shares;
pub mod signature;
pub mod source;
pub mod uses;

pub use characteristics::{Branches, Characteristics};
pub use diagnostics::{Diagnostic, Errors, Kind, Note, Notes, Text};
pub use draft::{Candidate, Domain, Draft, DraftIter, Origin};
pub use finish::{Finished, finish, finished};
pub use parallel::{ArrayVariable, AssignedVariable, LoopMark, ParallelMarks, RefusedMark, SourceVariables};
pub use source::{Reading, Source, on_large_stack};
