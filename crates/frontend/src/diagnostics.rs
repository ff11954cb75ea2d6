//! Errors as values, and their rendering: `file:line:col: error: …`, the source line, a caret, notes and help.

use std::fmt;

use symloc_affine::{Assumption, AssumptionKind, Location};

use crate::presumed::line_at;

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The text is not valid in its language.
    Syntax,
    /// The program is valid, but cannot be analysed.
    Unsupported,
    /// A request does not fit the input: the function, the pass pipeline or a renaming.
    Request,
    /// A fault of this front end.
    Internal,
}

/// One error: message, place, reason and hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its kind.
    pub kind: Kind,
    /// Its place, if it is about one in the source.
    pub location: Option<Location>,
    /// The message.
    pub message: String,
    /// The reasons, and the other places that play a part.
    pub notes: Vec<Note>,
    /// The remedy.
    pub hint: Option<String>,
}

/// An explanation, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The place, if not that of the error.
    pub location: Option<Location>,
    /// The explanation.
    pub text: String,
    /// The kind of assumption, if it is one: it then belongs to the model.
    pub assumes: Option<AssumptionKind>,
    /// True if it is not printed when the source is read, because everybody expects it.
    pub is_silent: bool,
}

impl Note {
    /// Returns an explanation that is not an assumption.
    pub fn new(location: Option<Location>, text: impl Into<String>) -> Self {
        Self { location, text: text.into(), assumes: None, is_silent: false }
    }

    /// Returns an assumption.
    pub fn assuming(kind: AssumptionKind, location: Option<Location>, text: impl Into<String>) -> Self {
        Self { assumes: Some(kind), ..Self::new(location, text) }
    }

    /// Makes it silent: not printed when the source is read.
    pub fn silent(self) -> Self {
        Self { is_silent: true, ..self }
    }
}

impl Diagnostic {
    /// Returns an error without explanations.
    pub fn new(kind: Kind, location: Option<Location>, message: impl Into<String>) -> Self {
        Self { kind, location, message: message.into(), notes: Vec::new(), hint: None }
    }

    /// Sets the place.
    pub fn at(self, location: Option<Location>) -> Self {
        Self { location, ..self }
    }

    /// Adds an explanation about the same place.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(Note::new(None, text));
        self
    }

    /// Adds an explanation about another place.
    pub fn note_at(mut self, location: Option<Location>, text: impl Into<String>) -> Self {
        self.notes.push(Note::new(location, text));
        self
    }

    /// Sets the remedy.
    pub fn hint(mut self, text: impl Into<String>) -> Self {
        self.hint = Some(text.into());
        self
    }
}

/// All errors found in a source, in the order of their places.
///
/// Displays as their rendering, an empty line between two; the last line ends with a newline.
///
/// ```text
/// gemm.mlir:5:12: error: subscript 1 of this `memref.load` is not affine
///       %x = memref.load %A[%ij] : memref<?xf64>
///            ^
/// gemm.mlir:4:13: note: `%ij`: it multiplies two values that are not constant
///       %ij = arith.muli %i, %j : index
///             ^
/// help: give a size among the factors its value with --assume, or multiply by constants; a product of sizes may be an argument of its own
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errors {
    /// The errors; at least one.
    pub diagnostics: Vec<Diagnostic>,
    texts: Vec<Text>,
}

/// The notes about a source: facts and assumptions that a reader may not expect.
///
/// Displays like [`Errors`]; empty if there are none.
///
/// ```text
/// mvt.mlir:3:3: note: `affine.parallel` is analysed in sequential order, its last iterator varying fastest
///   affine.parallel (%i) = (0) to (%n) {
///   ^
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notes {
    /// The notes, in the order of their places.
    pub notes: Vec<Note>,
    texts: Vec<Text>,
}

impl Notes {
    /// Returns the notes that belong to every answer, as one line each.
    pub fn remarks(&self) -> Vec<String> {
        let line = |note: &Note| match &note.location {
            Some(location) => format!("{location}: {}", note.text),
            None => note.text.clone(),
        };
        let is_remark = |note: &&Note| note.assumes.is_some_and(AssumptionKind::is_remark) && !note.is_silent;
        self.notes.iter().filter(is_remark).map(line).collect()
    }

    /// Returns the assumptions, silent ones too.
    pub fn assumptions(&self) -> Vec<Assumption> {
        let assumption = |note: &Note| {
            let (text, location) = (note.text.clone(), note.location.clone());
            note.assumes.map(|kind| Assumption { kind, text, location })
        };
        self.notes.iter().filter_map(assumption).collect()
    }

    /// Returns notes, sorted by place.
    pub fn new(texts: Vec<Text>, mut notes: Vec<Note>) -> Self {
        notes.sort_by(|a, b| a.location.cmp(&b.location));
        Self { notes, texts }
    }

    /// Returns errors that were found after the source was read, with excerpts of its text.
    pub fn errors(&self, diagnostics: Vec<Diagnostic>) -> Errors {
        Errors::new(self.texts.clone(), diagnostics)
    }
}

impl fmt::Display for Notes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.notes.iter().filter(|note| !note.is_silent).try_for_each(|note| write_note(f, &self.texts, note))
    }
}

/// The text of a source, for excerpts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Its name in messages.
    pub name: String,
    /// Its text; empty for a binary file such as bytecode.
    pub text: String,
}

/// Writes the source line and a caret under its column, if the place is in one of the texts.
fn write_excerpt(f: &mut fmt::Formatter<'_>, texts: &[Text], location: &Location) -> fmt::Result {
    let Some(line) = texts.iter().find_map(|text| line_at(&text.text, &text.name, location)) else { return Ok(()) };
    // Columns count bytes. Tabs are kept, so that the caret stands under its character.
    let before = line.get(..(location.column as usize).saturating_sub(1)).unwrap_or(line);
    let pad: String = before.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    writeln!(f, "{line}\n{pad}^")
}

fn write_note(f: &mut fmt::Formatter<'_>, texts: &[Text], note: &Note) -> fmt::Result {
    let Some(location) = &note.location else { return writeln!(f, "note: {}", note.text) };
    writeln!(f, "{location}: note: {}", note.text)?;
    write_excerpt(f, texts, location)
}

impl Errors {
    /// Returns errors, sorted by place and without duplicates.
    pub fn new(texts: Vec<Text>, mut diagnostics: Vec<Diagnostic>) -> Self {
        diagnostics.sort_by(|a, b| a.location.cmp(&b.location));
        let mut kept: Vec<Diagnostic> = Vec::new();
        for diagnostic in diagnostics {
            // Equal ones have the same place, so only the last few can be equal to it.
            let mut same_place = kept.iter().rev().take_while(|other| other.location == diagnostic.location);
            if !same_place.any(|other| *other == diagnostic) {
                kept.push(diagnostic);
            }
        }
        Self { diagnostics: kept, texts }
    }

    fn write_diagnostic(&self, f: &mut fmt::Formatter<'_>, diagnostic: &Diagnostic) -> fmt::Result {
        match &diagnostic.location {
            Some(location) => write!(f, "{location}")?,
            None => write!(f, "{}", self.texts.first().map_or("", |text| &text.name))?,
        }
        writeln!(f, ": error: {}", diagnostic.message)?;
        if let Some(location) = &diagnostic.location {
            write_excerpt(f, &self.texts, location)?;
        }
        diagnostic.notes.iter().try_for_each(|note| write_note(f, &self.texts, note))?;
        match &diagnostic.hint {
            Some(hint) => writeln!(f, "help: {hint}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.diagnostics.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            self.write_diagnostic(f, diagnostic)?;
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}
