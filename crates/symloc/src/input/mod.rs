//! From the command line to an affine program. The reading itself is in `symloc_derivation`.
//!
//! - `program`: the program in a file, by the front end that its name chooses; `options`: the options of the front ends,
//! - `code`: programs in C, C++, Fortran and LLVM IR; `branch`: probabilities of branches on data,
//! - `files`: files and standard input,
//! - `lines`: the layout and the line sizes.

use std::path::{Path, PathBuf};

use clap::Args;
use symloc_affine::AssumptionKind;
use symloc_derivation::texts::{self, llvm_ir};
use symloc_frontend::signature::WITHOUT_COMPILED;
use symloc_llvm::{AsRead, Language, Runnable};
use symloc_mlir::{Reading, Source};
use symloc_query::CliError;

use self::code::CodeArgs;
use crate::refusal::told;

pub(crate) mod branch;
pub(crate) mod code;
mod files;
mod lines;
mod options;
mod program;

pub(crate) use symloc_derivation::reading::Input;
pub(crate) use symloc_derivation::texts::{Enter, is_einsum};

pub(crate) use self::files::read;
pub(crate) use self::lines::{LayoutArgs, LayoutChoice, LineArgs};
pub(crate) use self::options::SourceOptions;
pub(crate) use self::program::{ProgramOptions, say};

/// The options that select and change a program.
#[derive(Clone, Debug, Args)]
pub(crate) struct ProgramArgs {
    /// A program in C, C++, Fortran, LLVM IR or MLIR, a network (.onnx) or an einsum (.einsum); - reads MLIR from
    /// standard input
    #[arg(value_name = "FILE")]
    path: PathBuf,
    /// The function to analyse, where there are several
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    #[command(flatten)]
    options: ProgramOptions,
    #[command(flatten)]
    code: CodeArgs,
}

impl ProgramArgs {
    /// Reads the program.
    pub(crate) fn load(&self, enter: Enter) -> Result<Input, CliError> {
        self.options.read(&self.path, &read(&self.path)?, self.function.as_deref(), &self.code, enter)
    }
}

impl ProgramArgs {
    /// Returns the input that the front end for MLIR has read from a source, and prints its notes.
    pub(crate) fn input(&self, source: &Source, reading: Reading) -> Result<Input, CliError> {
        self.options.of_one_thread()?.input(source, reading)
    }

    /// Returns true if a source is a network, which is lowered before it is read.
    pub(crate) fn is_network(source: &Source, enter: Enter) -> Result<bool, CliError> {
        Ok(texts::network(source, enter).map_err(told)?.is_some())
    }

    /// Returns the options with which the front end for MLIR reads every access of a source.
    ///
    /// # Errors
    ///
    /// If an option leaves accesses out or declares which ones there are, or if the source is in the LLVM dialect.
    pub(crate) fn mlir_of_all_accesses(&self, source: &Source) -> Result<symloc_mlir::Options, CliError> {
        self.code.with_all_accesses()?;
        if self.options.source.gather.is_some() {
            return Err(CliError::with_hint(
                "--gather declares which elements are read, so what may be reordered would not be known",
                "leave it out",
            ));
        }
        let options = self.options.source.options(self.function.as_deref()).mlir(&[]);
        if llvm_ir(source, &options).map_err(told)?.is_some() {
            return Err(CliError::with_hint(
                format!("{}: advise reorders loops of MLIR, and functions of the LLVM dialect have none", source.name),
                "give the program as it is before `convert-scf-to-cf`",
            ));
        }
        Ok(options)
    }

    /// Reads the program with every access that may happen, also to variables.
    pub(crate) fn load_all_accesses(&self, enter: Enter) -> Result<Input, CliError> {
        let code = self.code.with_all_accesses()?;
        self.options.of_one_thread()?.read(&self.path, &read(&self.path)?, self.function.as_deref(), &code, enter)
    }

    /// Reads the program as [`ProgramArgs::load`] does for one thread, without its notes.
    pub(crate) fn load_quietly(&self, enter: Enter) -> Result<Input, CliError> {
        let options = self.options.of_one_thread()?;
        options.read_quietly(&self.path, &read(&self.path)?, self.function.as_deref(), &self.code, enter)
    }

    /// Returns the flags of the compiler.
    pub(crate) fn flags(&self) -> Result<Vec<String>, CliError> {
        self.code.flags(&self.path)
    }

    /// Returns Clang's syntax tree of a function of the program.
    pub(crate) fn syntax_tree(&self, function: &str) -> Result<String, CliError> {
        self.code.syntax_tree(&self.path, function)
    }

    /// Returns the path of the program as the user gave it.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the function as a program that can be run, and its language.
    pub(crate) fn runnable(&self, input: &Input) -> Result<(Runnable, Language), CliError> {
        let source = read(&self.path)?;
        let (function, renames) = (self.function.as_deref(), &self.options.source.renames);
        let is_line = |index: usize| input.line.is_some_and(|line| line.index() == index);
        let parameters = input.program.params.iter().enumerate().filter(|(index, _)| !is_line(*index));
        let parameters = parameters.map(|(_, param)| param.name.clone()).collect();
        let merges_reads = input.assumptions.iter().any(|assumption| assumption.kind == AssumptionKind::MergedReads);
        let reading = AsRead { parameters, merges_reads, ..AsRead::default() };
        if let Some(language) = Language::of(&self.path) {
            return Ok((self.code.runnable(&self.path, language, &source, function, renames, &reading)?, language));
        }
        if is_einsum(&self.path) || input.lowered.is_some() {
            return Err(CliError::with_hint(
                format!("{}: --compiled: only for C, C++, Fortran, LLVM IR and MLIR", source.name),
                WITHOUT_COMPILED,
            ));
        }
        Ok((self.mlir_runnable(&source, reading)?, Language::Ir))
    }

    /// Returns the function of a source in MLIR, lowered by MLIR, as a program that can be run.
    fn mlir_runnable(&self, source: &Source, reading: AsRead) -> Result<Runnable, CliError> {
        self.code.refuse_declared(source)?;
        let function = self.function.as_deref();
        if self.options.source.gather.is_some() {
            return Err(CliError::with_hint(
                format!("{}: --compiled does not go with --gather: which rows are read, the data decide", source.name),
                WITHOUT_COMPILED,
            ));
        }
        let options = self.options.source.options(function).mlir(self.code.ignored_calls());
        if let Some(ir) = llvm_ir(source, &options).map_err(told)? {
            let circumstances = symloc_llvm::Circumstances::default();
            let renames = &self.options.source.renames;
            return self.code.runnable_ir(source, &ir, circumstances, function, renames, &reading);
        }
        let callable = symloc_mlir::callable(source, &options);
        let callable = callable.map_err(|errors| CliError::Diagnostics(errors.to_string()))?;
        let reading = AsRead { arguments: Some(callable.arguments), whole_vectors: callable.whole_vectors, ..reading };
        CodeArgs::runnable_mlir(source, &callable.ir, &callable.function, &reading)
    }
}
