//! A program that is advised on, in whatever language it is written.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use symloc_advise::candidates::COUNTED;
use symloc_advise::cost::misses::MissEstimator;
use symloc_advise::results::ResultComparison;
use symloc_advise::run::Measured;
use symloc_advise::{Advice, AdvisedOrder, Hierarchy, LevelMisses, Nests};
use symloc_affine::{Array, Node, Program};
use symloc_derivation::dense;
use symloc_query::CliError;

use super::refusal::refused;
use crate::input::Input;
use crate::refusal::told;

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
    fn as_read(&self) -> Option<&Program> {
        None
    }

    /// Returns what [`WrittenProgram::as_read`] does, if it has the same sizes as `input`, in the same order.
    fn as_read_at_same_sizes(&self) -> Option<&Program> {
        let names = |program: &Program| program.params.iter().map(|param| param.name.clone()).collect::<Vec<_>>();
        self.as_read().filter(|program| names(program) == names(&self.input().program))
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

/// Returns a note with the misses that other commands count in the loops as written, where scalars are in registers, if they are not
/// those of the order as written. Orders need these scalars in memory, or collect them where they are stored.
///
/// # Errors
///
/// If the program cannot be run at these sizes.
pub(super) fn note_of_registers(
    written: &dyn WrittenProgram,
    advice: &Advice,
    hierarchy: &Hierarchy,
    levels: &[String],
    sizes: &[i64],
) -> Result<Option<String>, CliError> {
    let cost = &advice.written.cost;
    let of_loops = |program: &Program| {
        let is_loop = |node: &&Node| !matches!(node, Node::Access(_));
        Program { body: program.body.iter().filter(is_loop).cloned().collect(), ..program.clone() }
    };
    let as_read = if cost.is_exact { written.as_read_at_same_sizes() } else { None };
    let Some(program) = as_read else { return Ok(None) };
    let (program, _) = dense::at_size(&of_loops(program), sizes).map_err(told)?;
    let estimator = MissEstimator::new(&program, hierarchy, sizes).map_err(refused)?;
    let Some(misses) = estimator.counted(&program, COUNTED).map_err(refused)? else { return Ok(None) };
    if cost.misses.iter().map(LevelMisses::all).eq(misses.iter().map(|misses| *misses as f64)) {
        return Ok(None);
    }
    let each: Vec<String> = levels.iter().zip(&misses).map(|(level, misses)| format!("{level} {misses}")).collect();
    let each = each.join(", ");
    Ok(Some(match written.registers()?.is_empty() {
        true => format!(
            "with the counters of loops in memory, as `simulate --registers none` counts, the program as written misses {each}; \
             the misses here are without them"
        ),
        false => format!(
            "with scalars in registers, as `simulate` counts, the program as written misses {each}; orders need those with results in \
             memory, or collect them where they are stored, and the misses here are counted so"
        ),
    }))
}
