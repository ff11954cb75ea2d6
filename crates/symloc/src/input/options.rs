//! The options of a front end, and the basic blocks that it reads.

use std::io::Write;
use std::path::Path;

use clap::{Args, ValueEnum};
use symloc_derivation::program::{FrontEndOptions, assumptions};
use symloc_derivation::texts::{Enter, as_mlir, is_einsum, kernel, llvm_ir, network, no_calls};
use symloc_einsum::Element;
use symloc_frontend::{Branches, Characteristics};
use symloc_llvm::Language;
use symloc_mlir::{Characterised, Gather, Source};
use symloc_query::CliError;

use super::code::CompilerArgs;
use crate::refusal::told;

/// The passes, assumptions and names of a program.
#[derive(Clone, Debug, Args)]
pub(crate) struct SourceOptions {
    /// An MLIR pass pipeline to run first, such as 'func.func(affine-loop-fusion)'
    #[arg(long, value_name = "PIPELINE")]
    pub(super) passes: Option<String>,
    /// Which rows a read touches that data choose, such as that of an embedding (MLIR and networks)
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(super) gather: Option<GatherChoice>,
    /// Conditions on the parameters, such as 'n >= 16, n mod 8 = 0'
    #[arg(long, value_name = "CONDITIONS")]
    pub(super) assume: Vec<String>,
    /// Rename a parameter
    #[arg(long = "name", value_name = "OLD=NEW", value_parser = rename)]
    pub(super) renames: Vec<(String, String)>,
}

/// The declaration about rows that data choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum GatherChoice {
    /// Each is another one
    Distinct,
    /// All are one
    Same,
}

impl SourceOptions {
    /// Reads the basic blocks of the program in a file, whose name chooses the front end.
    pub(crate) fn characterise(
        &self,
        path: &Path,
        source: &Source,
        function: Option<&str>,
        branches: &Branches,
        compiler: &CompilerArgs,
        enter: Enter,
    ) -> Result<Characteristics, CliError> {
        let front = self.options(function);
        let code = compiler.options();
        let llvm = || code.options(function, &self.renames, front.conditions().as_deref());
        let found = if let Some(language) = Language::of(path) {
            let (ir, circumstances) = compiler.ir(path, language, source)?;
            let options = symloc_llvm::Options { circumstances, ..llvm() };
            symloc_llvm::characterise(source, &ir, &options, branches)
        } else if is_einsum(path) {
            if !code.ignored_calls.is_empty() {
                return Err(told(no_calls(source)));
            }
            let text = as_mlir(&kernel(source).map_err(told)?, Element::default());
            symloc_mlir::characterise(&text, &front.mlir(&[]), branches)
        } else {
            let options = front.mlir(&code.ignored_calls);
            let network = network(source, enter).map_err(told)?;
            match (network, llvm_ir(source, &options).map_err(told)?) {
                (Some(network), _) => network.characterise(&options, branches),
                (None, Some(ir)) => symloc_llvm::characterise(source, &ir, &llvm(), branches),
                (None, None) => symloc_mlir::characterise(source, &options, branches),
            }
        };
        let Characterised { mut characteristics, notes } =
            found.map_err(|errors| CliError::Diagnostics(errors.to_string()))?;
        // If standard error is closed, the notes are lost.
        let _ = write!(std::io::stderr(), "{notes}");
        if let Some(text) = &front.conditions() {
            let program = &mut characteristics.program;
            program.assume(assumptions(text, program, None).map_err(told)?.constraints);
        }
        Ok(characteristics)
    }

    /// Returns the options of the derivation.
    pub(super) fn options(&self, function: Option<&str>) -> FrontEndOptions {
        FrontEndOptions {
            function: function.map(str::to_owned),
            passes: self.passes.clone(),
            gather: self.gather.map(|choice| match choice {
                GatherChoice::Distinct => Gather::Distinct,
                GatherChoice::Same => Gather::Same,
            }),
            assume: self.assume.clone(),
            renames: self.renames.clone(),
        }
    }
}

fn rename(text: &str) -> Result<(String, String), String> {
    let (old, new) = text.split_once('=').ok_or_else(|| format!("`{text}` is not of the form p0=n"))?;
    Ok((old.trim().to_owned(), new.trim().to_owned()))
}
