//! From the command line to an affine program: which front end reads a text, and what is asked of it.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use symloc_affine::{Layout, Line, Program, parse_assumptions};
use symloc_einsum::{Element, Kernel};
use symloc_mlir::{Options, Source};
use symloc_query::CliError;

/// A program, and what messages and models call its source.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub name: String,
    pub program: Program,
}

/// Which program.
#[derive(Clone, Debug, Args)]
pub(crate) struct ProgramArgs {
    /// An MLIR file, or an einsum in a file whose name ends in .einsum; - reads MLIR from standard input
    #[arg(value_name = "FILE")]
    path: PathBuf,
    /// The function to analyse, where there are several
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    #[command(flatten)]
    options: ProgramOptions,
}

impl ProgramArgs {
    /// Reads the program; the file's name chooses the front end.
    pub(crate) fn load(&self) -> Result<Input, CliError> {
        let source = read(&self.path)?;
        let function = self.function.as_deref();
        match is_einsum(&self.path) {
            true => self.options.lower(&kernel(&source)?, Element::default(), function),
            false => self.options.parse(&source, function),
        }
    }
}

/// What is done to a program, and assumed of it.
#[derive(Clone, Debug, Args)]
pub(crate) struct ProgramOptions {
    /// An MLIR pass pipeline to run first, such as 'func.func(affine-loop-fusion)'
    #[arg(long, value_name = "PIPELINE")]
    passes: Option<String>,
    /// Conditions on the parameters, such as 'n >= 16, n mod 8 = 0'
    #[arg(long, value_name = "CONDITIONS")]
    assume: Option<String>,
    /// Rename a parameter
    #[arg(long = "name", value_name = "OLD=NEW", value_parser = rename)]
    renames: Vec<(String, String)>,
}

fn rename(text: &str) -> Result<(String, String), String> {
    let (old, new) = text.split_once('=').ok_or_else(|| format!("`{text}` is not of the form p0=n"))?;
    Ok((old.trim().to_owned(), new.trim().to_owned()))
}

impl ProgramOptions {
    /// The program of a kernel. What MLIR's front end does for MLIR, it also does for the kernel as MLIR.
    pub(crate) fn lower(&self, kernel: &Kernel, element: Element, function: Option<&str>) -> Result<Input, CliError> {
        if self.passes.is_none() && self.renames.is_empty() && function.is_none() {
            return self.assumed(kernel.source.to_string(), kernel.program(element));
        }
        let source = Source { name: format!("{} as MLIR", kernel.source), bytes: kernel.to_mlir(element).into_bytes() };
        self.parse(&source, function)
    }

    /// The program of a text in MLIR.
    fn parse(&self, source: &Source, function: Option<&str>) -> Result<Input, CliError> {
        let options = Options {
            function: function.map(str::to_owned),
            passes: self.passes.clone(),
            renames: self.renames.clone(),
        };
        let reading =
            symloc_mlir::read(source, &options).map_err(|errors| CliError::Diagnostics(errors.to_string()))?;
        // Nobody is left to tell if standard error is closed.
        let _ = write!(std::io::stderr(), "{}", reading.notes);
        self.assumed(source.name.clone(), reading.program)
    }

    fn assumed(&self, name: String, mut program: Program) -> Result<Input, CliError> {
        if let Some(text) = &self.assume {
            let assumed = parse_assumptions(text, &program.params);
            program.assume(assumed.map_err(|error| CliError::refused(format!("--assume: {error}")))?);
        }
        Ok(Input { name, program })
    }
}

/// True for the files that the front end for einsums reads.
pub(crate) fn is_einsum(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "einsum")
}

/// The kernel of a `.einsum` file.
pub(crate) fn kernel(source: &Source) -> Result<Kernel, CliError> {
    let text = std::str::from_utf8(&source.bytes).map_err(|error| {
        CliError::refused(format!("{}: not UTF-8 text, from byte {} on", source.name, error.valid_up_to()))
    })?;
    Kernel::from_file(&source.name, text).map_err(|errors| CliError::Diagnostics(errors.to_string()))
}

/// Reads a file, or standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<Source, CliError> {
    let standard_input = path.as_os_str() == "-";
    let name = if standard_input { "<stdin>".to_owned() } else { path.display().to_string() };
    let bytes = if standard_input {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    let bytes = bytes.map_err(|error| CliError::refused(format!("{name}: cannot read it: {error}")))?;
    Ok(Source { name, bytes })
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
    #[command(flatten)]
    lines: LineArgs,
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
        self.lines.lines()
    }
}

/// The line sizes.
#[derive(Clone, Debug, Args)]
pub(crate) struct LineArgs {
    /// Line sizes in bytes, separated by commas
    #[arg(long, value_name = "BYTES", value_delimiter = ',', default_values_t = [64], conflicts_with = "element",
        value_parser = clap::value_parser!(u64).range(1..))]
    line_bytes: Vec<u64>,
    /// Lines of one element, whatever its size
    #[arg(long)]
    element: bool,
}

impl LineArgs {
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
