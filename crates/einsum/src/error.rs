//! Errors with a place: `file:line:col: error: …`, the source line, a caret, and a hint.

use std::fmt;

/// A position in the source; lines and columns count from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

impl Place {
    /// The start of a source.
    pub const START: Place = Place { line: 1, column: 1 };

    /// Returns the place `columns` characters further on in the same line.
    pub(crate) fn after(self, columns: usize) -> Self {
        let columns = u32::try_from(columns).unwrap_or(u32::MAX);
        Self { line: self.line, column: self.column.saturating_add(columns) }
    }
}

/// One error: the place, the problem, and a hint.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    /// The place.
    pub place: Place,
    /// The problem.
    pub message: String,
    /// A hint on the correct form.
    pub hint: Option<String>,
}

impl Diagnostic {
    pub(crate) fn new(place: Place, message: impl Into<String>) -> Self {
        Self { place, message: message.into(), hint: None }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// All errors of a source, in the order of their places. Displays as their rendering, which ends with a newline:
///
/// ```text
/// <expression>:1:8: error: output index `m` is in no operand
/// ik,kj->im
///         ^
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Errors {
    /// The errors; at least one.
    pub diagnostics: Vec<Diagnostic>,
    name: String,
    text: String,
}

impl Errors {
    pub(crate) fn new(name: &str, text: &str, mut diagnostics: Vec<Diagnostic>) -> Self {
        diagnostics.sort();
        diagnostics.dedup();
        Self { diagnostics, name: name.to_owned(), text: text.to_owned() }
    }

    fn write_excerpt(&self, f: &mut fmt::Formatter<'_>, place: Place) -> fmt::Result {
        let Some(line) = self.text.lines().nth((place.line as usize).saturating_sub(1)) else { return Ok(()) };
        // Tabs are kept, so that the caret stands under its character.
        let before = line.chars().chain(std::iter::repeat(' ')).take((place.column as usize).saturating_sub(1));
        let pad: String = before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        writeln!(f, "{line}\n{pad}^")
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, Diagnostic { place, message, hint }) in self.diagnostics.iter().enumerate() {
            if position > 0 {
                writeln!(f)?;
            }
            writeln!(f, "{}:{}:{}: error: {message}", self.name, place.line, place.column)?;
            self.write_excerpt(f, *place)?;
            if let Some(hint) = hint {
                writeln!(f, "help: {hint}")?;
            }
        }
        Ok(())
    }
}
