//! Programs in C.

use std::path::Path;

use symloc_advise::c::emit::Emitter;
use symloc_advise::c::run::Runner;
use symloc_advise::run::Measured;
use symloc_advise::{Advice, AdviseError, AdvisedOrder, Nests, SourceFunction};
use symloc_affine::Program;
use symloc_query::CliError;

use super::written::{OPTIMISED, WrittenProgram};
use crate::input::{Enter, Input, ProgramArgs, read};

/// A function in a file in C.
pub(super) struct CProgram<'a> {
    args: &'a ProgramArgs,
    input: Input,
    text: String,
    source: SourceFunction,
}

impl<'a> CProgram<'a> {
    /// Reads the function.
    pub(super) fn read(args: &'a ProgramArgs, enter: Enter) -> Result<Self, CliError> {
        let input = args.load_all_accesses(enter)?;
        let text = String::from_utf8_lossy(&read(args.path())?.bytes).into_owned();
        let tree = args.syntax_tree(&input.program.name)?;
        let source = SourceFunction::read(&tree, &text, &input.program.name);
        let source = source.map_err(|error| refused(args, error))?;
        Ok(Self { args, input, text, source })
    }
}

impl WrittenProgram for CProgram<'_> {
    fn input(&self) -> &Input {
        &self.input
    }

    fn nests(&self, program: &Program) -> Result<Nests, CliError> {
        let nests = self.source.nests(program, &self.input.assumptions, &self.text);
        nests.map_err(|error| refused(self.args, error))
    }

    fn new_source(&self, nests: &Nests, advice: &Advice, order: &AdvisedOrder) -> Result<String, CliError> {
        Ok(Emitter { text: &self.text, source: &self.source, nests, scop: &advice.scop }.file(order))
    }

    fn measure(&self, sizes: &[i64], new_sources: &[String]) -> Result<Vec<Measured>, CliError> {
        let mut flags = self.args.flags()?;
        if !flags.iter().any(|flag| flag.starts_with("-O")) {
            flags.extend(OPTIMISED.map(str::to_owned));
        }
        let folder = self.args.path().parent().unwrap_or(Path::new("."));
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let (source, program) = (&self.source, &self.input.program);
        let runner = Runner { compiler: "clang-22", flags: &flags, folder, source, program, sizes };
        let sources: Vec<_> = std::iter::once(self.text.clone()).chain(new_sources.iter().cloned()).collect();
        runner.measure(&sources).map_err(|error| refused(self.args, error))
    }
}

/// Returns the error with the name of the file in front of a place in it.
fn refused(args: &ProgramArgs, error: AdviseError) -> CliError {
    match error {
        AdviseError::Source { .. } | AdviseError::NotRead { .. } => {
            CliError::refused(format!("{}:{error}", args.path().display()))
        }
        other => CliError::refused(other.to_string()),
    }
}
