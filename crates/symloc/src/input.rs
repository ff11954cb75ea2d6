//! From the command line to an affine program.

use std::io::{Read, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use symloc_affine::{Layout, Line, Program, parse_assumptions};
use symloc_mlir::{Options, Source};
use symloc_query::CliError;

/// Which program, and what is assumed of it.
#[derive(Clone, Debug, Args)]
pub(crate) struct ProgramArgs {
    /// An MLIR file; - reads standard input
    #[arg(value_name = "FILE")]
    pub path: PathBuf,
    /// The function to analyse, where there are several
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// An MLIR pass pipeline to run first, such as 'func.func(affine-loop-fusion)'
    #[arg(long, value_name = "PIPELINE")]
    pub passes: Option<String>,
    /// Conditions on the parameters, such as 'n >= 16, n mod 8 = 0'
    #[arg(long, value_name = "CONDITIONS")]
    pub assume: Option<String>,
    /// Rename a parameter
    #[arg(long = "name", value_name = "OLD=NEW", value_parser = rename)]
    pub renames: Vec<(String, String)>,
}

fn rename(text: &str) -> Result<(String, String), String> {
    let (old, new) = text.split_once('=').ok_or_else(|| format!("`{text}` is not of the form p0=n"))?;
    Ok((old.trim().to_owned(), new.trim().to_owned()))
}

impl ProgramArgs {
    /// The file as messages name it.
    pub(crate) fn name(&self) -> String {
        if self.path.as_os_str() == "-" { "<stdin>".to_owned() } else { self.path.display().to_string() }
    }

    /// Reads the program.
    pub(crate) fn load(&self) -> Result<Program, CliError> {
        let source = Source { name: self.name(), bytes: self.bytes()? };
        let options =
            Options { function: self.function.clone(), passes: self.passes.clone(), renames: self.renames.clone() };
        let reading =
            symloc_mlir::read(&source, &options).map_err(|errors| CliError::Diagnostics(errors.to_string()))?;
        // Nobody is left to tell if standard error is closed.
        let _ = write!(std::io::stderr(), "{}", reading.notes);
        let mut program = reading.program;
        if let Some(text) = &self.assume {
            let assumed = parse_assumptions(text, &program.params);
            program.context.extend(assumed.map_err(|error| CliError::refused(format!("--assume: {error}")))?);
        }
        Ok(program)
    }

    fn bytes(&self) -> Result<Vec<u8>, CliError> {
        let bytes = if self.path.as_os_str() == "-" {
            let mut bytes = Vec::new();
            std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        } else {
            std::fs::read(&self.path)
        };
        bytes.map_err(|error| CliError::refused(format!("{}: {error}", self.name())))
    }
}

/// How arrays lie in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutChoice {
    /// Every row starts a new line
    #[default]
    Rows,
    /// The memref's own constant strides
    Linear,
}

/// The layout and the line sizes.
#[derive(Clone, Debug, Args)]
pub(crate) struct LayoutArgs {
    /// Line sizes in bytes, separated by commas
    #[arg(long, value_name = "BYTES", value_delimiter = ',', default_values_t = [64], conflicts_with = "element",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub line_bytes: Vec<u64>,
    /// Lines of one element, whatever its size
    #[arg(long)]
    pub element: bool,
    /// How arrays lie in memory
    #[arg(long, value_enum, default_value_t)]
    pub layout: LayoutChoice,
}

impl LayoutArgs {
    /// The layout.
    pub(crate) fn layout(&self) -> Layout {
        match self.layout {
            LayoutChoice::Rows => Layout::Rows,
            LayoutChoice::Linear => Layout::Linear,
        }
    }

    /// The line sizes, each once.
    pub(crate) fn lines(&self) -> Vec<Line> {
        if self.element {
            return vec![Line::Element];
        }
        let mut lines = self.line_bytes.clone();
        lines.sort_unstable();
        lines.dedup();
        lines.into_iter().map(Line::Bytes).collect()
    }
}
