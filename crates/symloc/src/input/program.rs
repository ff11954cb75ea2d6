//! From a file and the options to an affine program.

use std::io::Write;
use std::path::Path;

use clap::Args;
use symloc_derivation::parallel::ParallelChoice;
use symloc_derivation::program::ReadOptions;
use symloc_derivation::reading::Input;
use symloc_derivation::texts::Enter;
use symloc_einsum::{Element, Kernel};
use symloc_llvm::Language;
use symloc_mlir::{Reading, Source};
use symloc_query::CliError;

use super::code::CodeArgs;
use super::options::SourceOptions;
use crate::refusal::told;

/// The passes, assumptions and names of a program, and its symbolic line size.
#[derive(Clone, Debug, Args)]
pub(crate) struct ProgramOptions {
    #[command(flatten)]
    pub(super) source: SourceOptions,
    /// A name for the number of elements per line, which becomes a parameter: lines of any size
    #[arg(long, value_name = "NAME", conflicts_with_all = ["line_bytes", "element"])]
    line: Option<String>,
    /// Loops whose iterations threads share: by the name of the iterator, by the line of the loop, or all that are
    /// `marked` in the source; i:4 deals chunks of 4 iterations to the threads in turn
    #[arg(long, value_name = "LOOP")]
    parallel: Vec<ParallelChoice>,
    /// True if all loops are sequential, whatever the source and its flags say.
    #[arg(skip)]
    one_thread: bool,
}

impl ProgramOptions {
    /// Returns true if passes are to be run.
    pub(crate) fn has_passes(&self) -> bool {
        self.source.passes.is_some()
    }

    /// Returns true if there are no passes, declarations, assumptions, new names or parallel loops.
    pub(crate) fn is_empty(&self) -> bool {
        let SourceOptions { passes, gather, assume, renames } = &self.source;
        let is_sequential = self.parallel.is_empty();
        passes.is_none() && gather.is_none() && assume.is_empty() && renames.is_empty() && is_sequential
    }

    /// Returns the options without the passes.
    pub(crate) fn before_passes(&self) -> Self {
        Self { source: SourceOptions { passes: None, ..self.source.clone() }, ..self.clone() }
    }

    /// Returns the options for a reading in which all loops are sequential.
    ///
    /// # Errors
    ///
    /// If loops are to be parallel.
    pub(crate) fn of_one_thread(&self) -> Result<Self, CliError> {
        match self.parallel.is_empty() {
            true => Ok(Self { one_thread: true, ..self.clone() }),
            false => Err(CliError::with_hint("--parallel: advise looks for orders of one thread", "leave it out")),
        }
    }

    /// Returns the options of the derivation.
    pub(crate) fn options(&self, function: Option<&str>, code: &CodeArgs) -> ReadOptions {
        ReadOptions {
            source: self.source.options(function),
            line: self.line.clone(),
            parallel: self.parallel.clone(),
            one_thread: self.one_thread,
            code: code.options(),
        }
    }

    /// Reads the program in a file, whose name chooses the front end, and prints its notes.
    pub(crate) fn read(
        &self,
        path: &Path,
        source: &Source,
        function: Option<&str>,
        code: &CodeArgs,
        enter: Enter,
    ) -> Result<Input, CliError> {
        let input = self.read_quietly(path, source, function, code, enter)?;
        say(&input);
        Ok(input)
    }

    /// Reads the program in a file, whose name chooses the front end.
    pub(crate) fn read_quietly(
        &self,
        path: &Path,
        source: &Source,
        function: Option<&str>,
        code: &CodeArgs,
        enter: Enter,
    ) -> Result<Input, CliError> {
        let options = self.options(function, code);
        let compiled = match Language::of(path) {
            Some(language) => {
                options.check_compiled(source).map_err(told)?;
                Some(code.ir(path, language, source)?)
            }
            None => None,
        };
        options.read(path, source, compiled.as_ref(), enter).map_err(told)
    }

    /// Reads the program of a kernel.
    pub(crate) fn lower(&self, kernel: &Kernel, element: Element) -> Result<Input, CliError> {
        self.options(None, &CodeArgs::default()).lower(kernel, element).map_err(told)
    }

    /// Returns the input that a front end for MLIR has read from a source, and prints its notes.
    pub(crate) fn input(&self, source: &Source, reading: Reading) -> Result<Input, CliError> {
        let input = self.options(None, &CodeArgs::default()).input(source, reading).map_err(told)?;
        say(&input);
        Ok(input)
    }
}

/// Prints the notes of a reading.
pub(crate) fn say(input: &Input) {
    for note in &input.said {
        // If standard error is closed, the notes are lost.
        let _ = write!(std::io::stderr(), "{note}");
    }
}
