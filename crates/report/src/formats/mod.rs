//! The formats of answers, without regard to their meaning.
//!
//! A [`Sheet`] is a table of formulas; [`text`], [`markdown`], [`latex`] and [`html`] print any of them. [`csv`], [`json`] and
//! [`sympy`] are for programs and keep the names of the columns. [`xml`] escapes text, [`terminal`] knows the width and colours of the
//! terminal.

use std::io::{self, Write};

use clap::ValueEnum;
use symloc_quasi::Style;

use self::sheet::Sheet;

pub mod csv;
pub mod html;
pub mod json;
pub mod latex;
pub mod markdown;
pub mod sheet;
pub mod sympy;
pub mod terminal;
pub mod text;
pub mod xml;

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
    /// Returns the notation of formulas in this format.
    pub fn style(self) -> Style {
        match self {
            Format::Text | Format::Markdown => Style::Text,
            Format::Latex | Format::Html => Style::Latex,
            Format::Sympy | Format::Json => Style::Plain,
        }
    }
}

/// Writes sheets one after the other, in a format for people. The width applies to text.
///
/// # Errors
///
/// If `out` cannot be written to.
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

/// Returns a range of formulas: `n/8 to n`, `up to n`.
pub fn range(style: Style, from: Option<&str>, to: &str) -> String {
    let words = |words: &str| if style == Style::Latex { format!(r"\textrm{{{words}}}") } else { words.to_owned() };
    match from {
        Some(from) => [from, &words(" to "), to].concat(),
        None => [&words("up to "), to].concat(),
    }
}
