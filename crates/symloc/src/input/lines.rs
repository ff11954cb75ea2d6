//! The layout of arrays and the line sizes of a derivation.

use clap::{Args, ValueEnum};
use symloc_affine::{Layout, Line, ParamId, Program};
use symloc_query::CliError;
use symloc_reuse::LineSizes;

/// How arrays lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutChoice {
    /// As in memory: rows follow each other. Rows of symbolic length start a new line each, unless --assume tells the
    /// remainder of their length
    Memory,
    /// Every row starts a new line
    Rows,
    /// The memref's own constant strides
    Linear,
}

/// The layout and the line sizes.
#[derive(Clone, Debug, Args)]
pub(crate) struct LayoutArgs {
    #[command(flatten)]
    pub lines: LineArgs,
    /// How arrays lie in memory [default: memory; rows with --line]
    #[arg(long, value_enum)]
    pub layout: Option<LayoutChoice>,
}

impl LayoutArgs {
    /// Returns the layout. By default rows follow each other as in memory; but with a symbolic line size, on which
    /// their offsets in lines would depend, every row starts a line.
    pub(crate) fn layout(&self, line: Option<ParamId>) -> Layout {
        match self.layout {
            None if line.is_some() => Layout::Rows,
            None | Some(LayoutChoice::Memory) => Layout::Memory,
            Some(LayoutChoice::Rows) => Layout::Rows,
            Some(LayoutChoice::Linear) => Layout::Linear,
        }
    }

    /// Returns the line sizes, each once; or the symbolic one.
    pub(crate) fn lines(&self, line: Option<ParamId>) -> LineSizes {
        self.lines.lines(line)
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
    /// Returns the options that select one line size.
    pub(crate) fn one(line: Line) -> Self {
        match line {
            Line::Bytes(bytes) => Self { line_bytes: vec![bytes], element: false },
            Line::Element => Self { line_bytes: Vec::new(), element: true },
        }
    }

    /// Returns the line sizes, each once; or the symbolic one.
    pub(crate) fn lines(&self, line: Option<ParamId>) -> LineSizes {
        if let Some(parameter) = line {
            return LineSizes::Symbolic(parameter);
        }
        if self.element {
            return LineSizes::Fixed(vec![Line::Element]);
        }
        let mut lines = self.line_bytes.clone();
        lines.sort_unstable();
        lines.dedup();
        LineSizes::Fixed(lines.into_iter().map(Line::Bytes).collect())
    }
}

/// Returns the line sizes at a size of the program.
pub(crate) fn lines_at(lines: &LineSizes, program: &Program, sizes: &[i64]) -> Result<Vec<Line>, CliError> {
    match lines {
        LineSizes::Fixed(lines) => Ok(lines.clone()),
        LineSizes::Symbolic(parameter) => {
            let elements = u64::try_from(sizes[parameter.index()]).ok().filter(|elements| *elements > 0);
            let bytes = elements.and_then(|elements| elements.checked_mul(program.largest_element()));
            let name = &program.params[parameter.index()].name;
            let refused = || CliError::refused(format!("{name} is not a number of elements in a line"));
            bytes.map(|bytes| vec![Line::Bytes(bytes)]).ok_or_else(refused)
        }
    }
}
