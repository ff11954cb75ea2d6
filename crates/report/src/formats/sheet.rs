//! A table of formulas without regard to their meaning, and its form as aligned text.

use std::io::{self, Write};

use crate::formats::terminal::Terminal;
use crate::formats::text::Columns;

/// A table for people: a caption, a head, cells, and notes.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// The subject of the table, one line each.
    pub caption: Vec<String>,
    /// The names of the columns.
    pub head: Vec<&'static str>,
    /// The cells; all rows have the length of the head.
    pub rows: Vec<Vec<Cell>>,
    /// Notes that the reader must know, one line each.
    pub notes: Vec<String>,
}

/// A cell of a [`Sheet`].
#[derive(Clone, Debug)]
pub enum Cell {
    /// A formula in the format's style.
    Formula(String),
    /// Words.
    Words(String),
    /// An unknown value.
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

/// The width of a table that is not written to a terminal.
pub const WIDTH: usize = 160;

/// Returns the width of a table on standard output.
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
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
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

    /// Returns the width of its rows as columns.
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
