//! A program that is advised on, in whatever language it is written.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use symloc_advise::results::ResultComparison;
use symloc_advise::run::Measured;
use symloc_advise::{Advice, AdvisedOrder, Nests};
use symloc_affine::{Array, Program};
use symloc_query::CliError;

use crate::input::Input;

/// The flags of a compiler that was given none that choose an optimisation.
pub(super) const OPTIMISED: [&str; 2] = ["-O3", "-march=native"];

/// The one who declares an array, and says how long its rows are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands) enum Declarer {
    /// The caller of the function, which passes the array.
    Caller,
    /// The function, or the file around it.
    Source,
    /// Whoever allocates it; all types of the array say how long its rows are.
    Allocation,
}

/// A function as it is written, which can be written in other orders.
pub(in crate::commands) trait WrittenProgram {
    /// Returns the function as it was read.
    fn input(&self) -> &Input;

    /// Returns the function with the accesses that other commands read, where those of `input` are others.
    fn as_read(&self) -> Option<Program> {
        None
    }

    /// Returns the loop nests; `program` is the one that was read, with constant strides.
    fn nests(&self, program: &Program) -> Result<Nests, CliError>;

    /// Returns the names of the scalars in the loop nests that other commands take to be in registers. Here they are in
    /// memory, so that they are dependences.
    fn registers(&self) -> Result<BTreeSet<String>, CliError>;

    /// Returns the source as written, in the language in which new orders are.
    fn text(&self) -> Cow<'_, str>;

    /// Returns the source with the nests in a new order.
    fn new_source(&self, nests: &Nests, advice: &Advice, order: &AdvisedOrder) -> Result<String, CliError>;

    /// Returns who declares an array.
    fn declarer(&self, array: &Array) -> Declarer;

    /// Returns a script of the transform dialect that makes an order of the source.
    fn script(&self, advice: &Advice, order: &AdvisedOrder) -> Result<String, CliError> {
        let _ = (advice, order);
        Err(CliError::with_hint(
            "--transform writes a script for MLIR, and this program is in another language",
            "leave it out: -o writes the source in the new order",
        ))
    }

    /// Returns what is written to a file for a new source: the source, or what it is compiled to where the file's name
    /// says so.
    fn contents(&self, path: &Path, new_source: &str) -> Result<Vec<u8>, CliError> {
        let _ = path;
        Ok(new_source.as_bytes().to_vec())
    }

    /// Compiles and runs the program as written, and then in new orders.
    fn measure(
        &self,
        sizes: &[i64],
        new_sources: &[String],
        comparison: ResultComparison,
    ) -> Result<Vec<Measured>, CliError>;
}
