//! A program that is advised on, in whatever language it is written.

use std::borrow::Cow;

use symloc_advise::results::ResultComparison;
use symloc_advise::run::Measured;
use symloc_advise::{Advice, AdvisedOrder, Nests};
use symloc_affine::Program;
use symloc_query::CliError;

use crate::input::Input;

/// The flags of a compiler that was given none that choose an optimisation.
pub(super) const OPTIMISED: [&str; 2] = ["-O3", "-march=native"];

/// A function as it is written, which can be written in other orders.
pub(super) trait WrittenProgram {
    /// Returns the function as it was read.
    fn input(&self) -> &Input;

    /// Returns the loop nests; `program` is the one that was read, with constant strides.
    fn nests(&self, program: &Program) -> Result<Nests, CliError>;

    /// Returns the source as written, in the language in which new orders are.
    fn text(&self) -> Cow<'_, str>;

    /// Returns the source with the nests in a new order.
    fn new_source(&self, nests: &Nests, advice: &Advice, order: &AdvisedOrder) -> Result<String, CliError>;

    /// Compiles and runs the program as written, and then in new orders.
    fn measure(
        &self,
        sizes: &[i64],
        new_sources: &[String],
        comparison: ResultComparison,
    ) -> Result<Vec<Measured>, CliError>;
}
