//! The layout of arrays and the line sizes of a derivation.

use clap::{Args, ValueEnum};
use symloc_affine::{Layout, Line, ParamId};
use symloc_derivation::lines::default_layout;
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
    /// Returns the layout that is given.
    pub(crate) fn chosen(&self) -> Option<Layout> {
        self.layout.map(|choice| match choice {
            LayoutChoice::Memory => Layout::Memory,
            LayoutChoice::Rows => Layout::Rows,
            LayoutChoice::Linear => Layout::Linear,
        })
    }

    /// Returns the layout: the one that is given, or the one by default.
    pub(crate) fn layout(&self, line: Option<ParamId>) -> Layout {
        self.chosen().unwrap_or_else(|| default_layout(&self.lines(line)))
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
