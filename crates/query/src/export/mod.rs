//! Results as text for people and as data for programs, apart from what computes them.
//!
//! A [`Sheet`] is a table of formulas that does not know what they mean; [`text`], [`markdown`], [`latex`] and [`html`] print any of
//! them. [`csv`], [`json`] and [`sympy`] are for programs and keep the names of the columns. What is asked of a model and what
//! is simulated have the same form ([`histogram`], [`misses`]), so that one can be compared with the other. [`curve`]
//! and [`comparison`] hold miss curves; pictures of them are in [`plot`](crate::plot).

pub mod annotation;
pub mod answers;
pub mod attribution;
pub mod comparison;
pub mod csv;
pub mod curve;
pub mod estimate;
pub mod explanation;
mod header;
pub mod histogram;
pub mod html;
pub mod json;
pub mod latex;
pub mod markdown;
pub mod misses;
pub mod sympy;
pub mod text;

use std::io::{self, Write};

use clap::ValueEnum;
use symloc_quasi::Style;

pub use header::{Fields, Header};

use crate::export::text::Columns;
use crate::terminal::Terminal;

/// The format of a table of formulas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Aligned columns
    #[default]
    Text,
    /// A table in Markdown
    Markdown,
    /// A tabular environment
    Latex,
    /// A page with typeset formulas
    Html,
    /// Python that builds SymPy expressions
    Sympy,
    /// One JSON object
    Json,
}

impl Format {
    /// How formulas are written in this format.
    pub fn style(self) -> Style {
        match self {
            Format::Text | Format::Markdown => Style::Text,
            Format::Latex | Format::Html => Style::Latex,
            Format::Sympy | Format::Json => Style::Plain,
        }
    }
}

/// A table for people: what it is about, a head, cells, and notes.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// What the table is about, one line each.
    pub caption: Vec<String>,
    /// The names of the columns.
    pub head: Vec<&'static str>,
    /// The cells; all rows have the length of the head.
    pub rows: Vec<Vec<Cell>>,
    /// What the reader must know, one line each.
    pub notes: Vec<String>,
}

/// A cell of a [`Sheet`].
#[derive(Clone, Debug)]
pub enum Cell {
    /// A formula in the format's style.
    Formula(String),
    /// Words.
    Words(String),
    /// Nothing is known.
    Unknown,
}

impl Cell {
    fn text(&self) -> String {
        match self {
            Cell::Formula(text) | Cell::Words(text) => text.clone(),
            Cell::Unknown => "-".to_owned(),
        }
    }
}

impl From<Option<String>> for Cell {
    fn from(formula: Option<String>) -> Self {
        formula.map_or(Cell::Unknown, Cell::Formula)
    }
}

/// Writes sheets one after the other, in a format for people. The width is that of text.
pub fn write_sheets(out: &mut dyn Write, format: Format, width: usize, sheets: &[Sheet]) -> io::Result<()> {
    if format == Format::Html {
        return html::write(out, sheets);
    }
    for (index, sheet) in sheets.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        match format {
            Format::Markdown => markdown::write(out, sheet)?,
            Format::Latex => latex::write(out, sheet)?,
            _ => sheet.write_text(out, width)?,
        }
    }
    Ok(())
}

/// A range of formulas: `n/8 to n`, `up to n`.
pub fn range(style: Style, from: Option<&str>, to: &str) -> String {
    let words = |words: &str| if style == Style::Latex { format!(r"\textrm{{{words}}}") } else { words.to_owned() };
    match from {
        Some(from) => [from, &words(" to "), to].concat(),
        None => [&words("up to "), to].concat(),
    }
}

/// The width of a table that is not written to a terminal.
pub const WIDTH: usize = 160;

/// The width of a table on standard output.
pub fn width() -> usize {
    Terminal::of_stdout().map_or(WIDTH, |terminal| terminal.width)
}

impl Sheet {
    /// Adds a column; it must have as many cells as the others.
    pub fn push(&mut self, name: &'static str, cells: impl Iterator<Item = Cell>) {
        let first = self.head.is_empty();
        self.head.push(name);
        if first {
            self.rows = cells.map(|cell| vec![cell]).collect();
        } else {
            self.rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
        }
    }

    /// Writes the sheet as aligned text, or as one paragraph for each row if its formulas are too long for columns in this
    /// width.
    pub fn write_text(&self, out: &mut dyn Write, width: usize) -> io::Result<()> {
        for line in &self.caption {
            writeln!(out, "{line}")?;
        }
        if !self.rows.is_empty() {
            writeln!(out)?;
            self.write_rows(out, width)?;
        }
        if !self.notes.is_empty() {
            writeln!(out)?;
        }
        self.notes.iter().try_for_each(|note| writeln!(out, "{note}"))
    }

    /// How wide its rows are as columns.
    pub fn width(&self) -> usize {
        self.columns().width()
    }

    fn columns(&self) -> Columns {
        let mut columns = Columns::new(&self.head, self.head.len());
        self.rows.iter().for_each(|row| columns.push(row.iter().map(Cell::text).collect()));
        columns
    }

    fn write_rows(&self, out: &mut dyn Write, width: usize) -> io::Result<()> {
        let columns = self.columns();
        if columns.width() <= width { columns.write(out) } else { self.write_paragraphs(out) }
    }

    fn write_paragraphs(&self, out: &mut dyn Write) -> io::Result<()> {
        let width = self.head.iter().map(|name| name.len()).max().unwrap_or(0);
        for (index, row) in self.rows.iter().enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            let known = self.head.iter().zip(row).filter(|(_, cell)| !matches!(cell, Cell::Unknown));
            for (name, text) in known.map(|(name, cell)| (name, cell.text())).filter(|(_, text)| !text.is_empty()) {
                writeln!(out, "{name:width$}  {text}")?;
            }
        }
        Ok(())
    }
}
