//! Sheets in Markdown. Formulas are code, since `*` means emphasis elsewhere.

use std::io::{self, Write};

use crate::formats::sheet::{Cell, Sheet};

/// Writes a sheet.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write(out: &mut dyn Write, sheet: &Sheet) -> io::Result<()> {
    paragraphs(out, &sheet.caption)?;
    writeln!(out, "| {} |", sheet.head.join(" | "))?;
    writeln!(out, "|{}", " --- |".repeat(sheet.head.len()))?;
    for row in &sheet.rows {
        let cells: Vec<_> = row.iter().map(cell).collect();
        writeln!(out, "| {} |", cells.join(" | "))?;
    }
    if !sheet.notes.is_empty() {
        writeln!(out)?;
    }
    paragraphs(out, &sheet.notes)
}

fn paragraphs(out: &mut dyn Write, lines: &[String]) -> io::Result<()> {
    lines.iter().try_for_each(|line| writeln!(out, "{line}\n"))
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Formula(text) => format!("`{text}`"),
        Cell::Words(text) => text.clone(),
        Cell::Unknown => "-".to_owned(),
    }
}
