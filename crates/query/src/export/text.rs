//! Aligned columns, and numbers as people read them.

use std::io::{self, Write};

use symloc_model::{LineModel, Model};

/// A table of text whose columns are as wide as their widest cell.
#[derive(Clone, Debug)]
pub struct Columns {
    rows: Vec<Vec<String>>,
    left: usize,
}

impl Columns {
    /// A table with a head; its first `left` columns are aligned to the left, the others to the right.
    pub fn new(head: &[&str], left: usize) -> Self {
        Self { rows: vec![head.iter().map(|&cell| cell.to_owned()).collect()], left }
    }

    /// Adds a row.
    pub fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// How wide the rows are written.
    pub fn width(&self) -> usize {
        self.widths().iter().map(|width| width + 2).sum::<usize>().saturating_sub(2)
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let length = |row: &Vec<String>, column: usize| row.get(column).map_or(0, |cell| cell.chars().count());
        let width = |column| self.rows.iter().map(|row| length(row, column)).max().unwrap_or(0);
        (0..columns).map(width).collect()
    }

    /// The rows as text, two spaces between columns.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let widths = self.widths();
        self.rows.iter().map(move |row| {
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column < self.left {
                true => format!("{cell:<width$}"),
                false => format!("{cell:>width$}"),
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        })
    }

    /// Writes the rows.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.lines().try_for_each(|line| writeln!(out, "{line}"))
    }
}

/// A share in percent. Of nothing there is none: `-`.
pub fn percent(share: f64) -> String {
    if share.is_nan() { "-".to_owned() } else { format!("{:.2}%", 100.0 * share) }
}

/// A ratio in a few digits: `0.26562`, and `6.1e-8` where that would show nothing. Of no accesses there is none: `-`.
pub fn ratio(value: f64) -> String {
    if value.is_nan() {
        "-".to_owned()
    } else if value == 0.0 || value >= 1e-3 {
        format!("{value:.5}")
    } else {
        format!("{value:.2e}")
    }
}

/// `n = 16, m = 32`
pub fn sizes(sizes: &[(String, i128)]) -> String {
    sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

/// `n = m = 16, k = 32`: neighbours with one value together.
pub fn grouped_sizes(sizes: &[(String, i128)]) -> String {
    let groups = sizes.chunk_by(|(_, one), (_, other)| one == other);
    let group = |group: &[(String, i128)]| {
        let names: Vec<_> = group.iter().map(|(name, _)| format!("{name} = ")).collect();
        group.first().map(|(_, value)| format!("{}{value}", names.concat()))
    };
    groups.filter_map(group).collect::<Vec<_>>().join(", ")
}

/// `full`, or the number of ways.
pub fn ways(ways: u64, lines: u64) -> String {
    if ways == lines { "full".to_owned() } else { ways.to_string() }
}

/// The line size of a part of a model, which may be a parameter.
pub fn lines_of(model: &Model, line: &LineModel) -> String {
    match line.symbolic {
        Some(symbolic) => {
            let name = model.parameters.get(symbolic.parameter).map_or("?", String::as_str);
            format!("lines of {name} elements of {} bytes", symbolic.element_bytes)
        }
        None => lines(line.line_bytes, line.element),
    }
}

/// `64-byte lines`
pub fn lines(line_bytes: Option<u64>, element: bool) -> String {
    match (line_bytes, element) {
        (Some(bytes), false) => format!("{bytes}-byte lines"),
        (Some(bytes), true) => format!("one element of {bytes} bytes per line"),
        (None, _) => "one element per line".to_owned(),
    }
}
