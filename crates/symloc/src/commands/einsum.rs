//! `einsum`: the model of an einsum expression.

use std::io::Write;
use std::path::Path;

use clap::{Args, ValueEnum};
use symloc_derivation::texts;
use symloc_einsum::{Element, Kernel};
use symloc_mlir::Source;
use symloc_query::{CliError, ExitStatus, output};

use super::derive::DerivationArgs;
use crate::input::{self, Input, ProgramOptions, say};
use crate::refusal::told;

/// The options of `einsum`.
#[derive(Clone, Debug, Args)]
pub(crate) struct EinsumArgs {
    /// An expression such as 'ik,kl,lj->ij', or a file whose name ends in .einsum; - reads such a file from standard
    /// input
    #[arg(value_name = "EXPRESSION|FILE")]
    einsum: String,
    /// One nest for the whole expression, instead of one for each contraction of two operands
    #[arg(long)]
    direct: bool,
    /// The type of the elements
    #[arg(long, value_enum, value_name = "TYPE", default_value_t)]
    element_type: ElementType,
    /// Print the loops as MLIR, and stop
    #[arg(long, conflicts_with_all = ["emit", "passes", "assume", "renames"])]
    emit_mlir: bool,
    #[command(flatten)]
    program: ProgramOptions,
    #[command(flatten)]
    derivation: DerivationArgs,
}

/// The element type on the command line, an [`Element`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ElementType {
    /// 4 bytes
    F32,
    /// 8 bytes
    #[default]
    F64,
}

impl EinsumArgs {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        if self.emit_mlir {
            output::write(out, &self.derivation.output, &self.kernel()?.0.to_mlir(self.element()))?;
            return Ok(ExitStatus::Success);
        }
        self.derivation.run(out, |_| self.load())
    }

    fn load(&self) -> Result<Input, CliError> {
        let (kernel, source) = self.kernel()?;
        let input = self.program.lower(&kernel, self.element())?;
        say(&input);
        Ok(match &source {
            Some(source) => input.read_from(source),
            None => input,
        })
    }

    /// Returns the kernel, and the text of its file if it was read from one.
    fn kernel(&self) -> Result<(Kernel, Option<Source>), CliError> {
        let path = Path::new(&self.einsum);
        let (kernel, source) = if self.einsum == "-" || input::is_einsum(path) {
            let source = input::read(path)?;
            (texts::kernel(&source).map_err(told)?, Some(source))
        } else {
            let kernel = Kernel::from_expression("<expression>", &self.einsum);
            (kernel.map_err(|errors| CliError::Diagnostics(errors.to_string()))?, None)
        };
        Ok((if self.direct { kernel.direct() } else { kernel }, source))
    }

    fn element(&self) -> Element {
        match self.element_type {
            ElementType::F32 => Element::F32,
            ElementType::F64 => Element::F64,
        }
    }
}
