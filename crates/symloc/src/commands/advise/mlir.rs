//! Programs in MLIR, and einsums, which are lowered to it.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use symloc_advise::native::{NativeFunction, measure_native};
use symloc_advise::results::ResultComparison;
use symloc_advise::run::Measured;
use symloc_advise::{Advice, AdvisedOrder, Nests};
use symloc_affine::{Array, Program};
use symloc_derivation::orders;
use symloc_derivation::texts::{as_mlir, kernel};
use symloc_einsum::Element;
use symloc_mlir::{LoopStatements, Options, Source, linkable, timed};
use symloc_query::CliError;

use super::call::arguments;
use super::transform::script;
use super::written::{Declarer, OPTIMISED, WrittenProgram};
use crate::input::{Enter, Input, ProgramArgs, is_einsum, read};
use crate::refusal::told;

/// A function in a file in MLIR.
pub(super) struct MlirProgram {
    source: Source,
    options: Options,
    input: Input,
    statements: LoopStatements,
}

impl MlirProgram {
    /// Reads the function.
    pub(super) fn read(args: &ProgramArgs, enter: Enter) -> Result<Self, CliError> {
        let source = match is_einsum(args.path()) {
            true => as_mlir(&kernel(&read(args.path())?).map_err(told)?, Element::default()),
            false => read(args.path())?,
        };
        if ProgramArgs::is_network(&source, enter)? {
            return Err(not_read(&source.name));
        }
        let options = args.mlir_of_all_accesses(&source)?;
        let statements = orders::statements(&source, &options).map_err(diagnosed)?;
        let input = args.input(&source, statements.reading.clone())?;
        Ok(Self { source, options, input, statements })
    }
}

/// The ending of files in LLVM IR.
const LLVM_IR: &str = "ll";

impl MlirProgram {
    /// Returns a new source, with a name for messages.
    fn reordered(&self, text: &str) -> Source {
        Source { name: format!("{} in a new order", self.source.name), bytes: text.as_bytes().to_vec() }
    }

    /// Returns the options with which a new source is read: it has the function alone to choose from, after the passes that
    /// it is made with.
    fn options_of_reordered(&self) -> Options {
        Options { function: Some(self.input.program.name.clone()), passes: None, ..self.options.clone() }
    }
}

/// Returns the refusal of a program in a language that cannot be written in a new order.
pub(super) fn not_read(name: &str) -> CliError {
    CliError::with_hint(
        format!("{name}: orders of loops are for C, C++, MLIR and einsums only"),
        "compare two orders of other programs with `symloc compare`",
    )
}

fn diagnosed(errors: symloc_mlir::Errors) -> CliError {
    CliError::Diagnostics(errors.to_string())
}

impl WrittenProgram for MlirProgram {
    fn input(&self) -> &Input {
        &self.input
    }

    fn nests(&self, program: &Program) -> Result<Nests, CliError> {
        orders::nests(&self.statements, program).map_err(|error| CliError::refused(error.to_string()))
    }

    fn registers(&self) -> Result<BTreeSet<String>, CliError> {
        let written = symloc_mlir::read(&self.source, &self.options).map_err(diagnosed)?;
        let in_memory: BTreeSet<&String> = written.program.arrays.iter().map(|array| &array.name).collect();
        let arrays = self.input.program.arrays.iter().filter(|array| array.shape.is_empty());
        Ok(arrays.map(|array| &array.name).filter(|name| !in_memory.contains(name)).cloned().collect())
    }

    fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.source.bytes)
    }

    fn new_source(&self, nests: &Nests, advice: &Advice, order: &AdvisedOrder) -> Result<String, CliError> {
        orders::new_source(&self.source, &self.options, nests, advice, order).map_err(diagnosed)
    }

    fn script(&self, advice: &Advice, order: &AdvisedOrder) -> Result<String, CliError> {
        let (file, function) = (&self.source.name, &self.input.program.name);
        script(file, function, &self.statements.structured, advice, order)
    }

    fn contents(&self, path: &Path, new_source: &str) -> Result<Vec<u8>, CliError> {
        if path.extension().is_none_or(|ending| ending != LLVM_IR) {
            return Ok(new_source.as_bytes().to_vec());
        }
        let new = linkable(&self.reordered(new_source), &self.options_of_reordered()).map_err(diagnosed)?;
        Ok(new.ir)
    }

    fn declarer(&self, _array: &Array) -> Declarer {
        Declarer::Allocation
    }

    fn measure(
        &self,
        sizes: &[i64],
        new_sources: &[String],
        comparison: ResultComparison,
    ) -> Result<Vec<Measured>, CliError> {
        let written = timed(&self.source, &self.options).map_err(diagnosed)?;
        let arguments = arguments(&self.source.name, &self.input.program, sizes, &written)?;
        let mut functions = vec![NativeFunction { ir: written.ir, symbol: written.function }];
        for text in new_sources {
            let new = timed(&self.reordered(text), &self.options_of_reordered()).map_err(diagnosed)?;
            functions.push(NativeFunction { ir: new.ir, symbol: new.function });
        }
        measure_native("clang-22", &OPTIMISED, &functions, &arguments, comparison)
            .map_err(|error| CliError::refused(error.to_string()))
    }
}
