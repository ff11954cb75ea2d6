//! Einsum expressions in NumPy's notation.
//!
//! ```text
//! expression = subscripts { "," subscripts } [ "->" subscripts ]
//! subscripts = { letter }                                            spaces mean nothing
//! ```
//!
//! The meaning: the product of the operands at their subscripts, summed over all indices that are not in the output.
//! Without `->` the output has the indices that occur exactly once, in the order of ASCII. An index that occurs twice in
//! one operand takes its diagonal. Upper-case and lower-case letters are different indices.

use std::fmt;

use crate::error::{Diagnostic, Place};

/// An index of an expression: an ASCII letter. Its size is the program's parameter of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IndexLetter(char);

impl IndexLetter {
    /// Returns the index of this letter; `None` if it is no ASCII letter.
    pub fn new(letter: char) -> Option<Self> {
        letter.is_ascii_alphabetic().then_some(Self(letter))
    }
}

impl fmt::Display for IndexLetter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The indices of one operand or of the output; none for a scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscripts {
    /// One index for each dimension, outermost first.
    pub indices: Vec<IndexLetter>,
    /// The place where they stand.
    pub place: Place,
}

/// An einsum expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The operands; at least one.
    pub operands: Vec<Subscripts>,
    /// The output: different indices, each of which is in an operand.
    pub output: Subscripts,
}

/// The largest number of operands, as in NumPy.
const MAX_OPERANDS: usize = 64;

impl Expression {
    /// Parses an expression that starts at `start`.
    ///
    /// # Errors
    ///
    /// The first problem of the expression.
    pub fn parse(text: &str, start: Place) -> Result<Self, Diagnostic> {
        let (inputs, output) = match text.split_once("->") {
            Some((inputs, output)) => (inputs, Some((output, start.after(inputs.chars().count() + 2)))),
            None => (text, None),
        };
        if inputs.trim().is_empty() {
            return Err(Diagnostic::new(start, "an expression without operands").hint("write it like `ij,jk->ik`"));
        }
        let operands = operands(inputs, start)?;
        let output = match output {
            Some((text, place)) => explicit_output(text, place, &operands)?,
            None => implicit_output(&operands, start.after(text.chars().count())),
        };
        Ok(Self { operands, output })
    }

    /// Returns all indices, each once, in the order in which they first occur.
    pub fn indices(&self) -> Vec<IndexLetter> {
        distinct(self.operands.iter().flat_map(|operand| &operand.indices))
    }

    /// Returns the indices that are summed over, in the order in which they first occur.
    pub fn summed(&self) -> Vec<IndexLetter> {
        self.indices().into_iter().filter(|index| !self.output.indices.contains(index)).collect()
    }
}

/// Returns each index once, in the order in which they first occur.
pub(crate) fn distinct<'i>(indices: impl IntoIterator<Item = &'i IndexLetter>) -> Vec<IndexLetter> {
    let mut found = Vec::new();
    for index in indices {
        if !found.contains(index) {
            found.push(*index);
        }
    }
    found
}

fn operands(text: &str, start: Place) -> Result<Vec<Subscripts>, Diagnostic> {
    let mut operands = Vec::new();
    let mut place = start;
    for part in text.split(',') {
        operands.push(subscripts(part, place)?);
        place = place.after(part.chars().count() + 1);
    }
    if operands.len() > MAX_OPERANDS {
        let message = format!("{} operands; at most {MAX_OPERANDS} are possible", operands.len());
        return Err(Diagnostic::new(start, message));
    }
    Ok(operands)
}

fn subscripts(text: &str, start: Place) -> Result<Subscripts, Diagnostic> {
    let mut indices = Vec::new();
    for (column, letter) in text.chars().enumerate().filter(|(_, c)| !c.is_whitespace()) {
        indices.push(IndexLetter::new(letter).ok_or_else(|| unexpected(letter, start.after(column)))?);
    }
    let blank = text.chars().take_while(|c| c.is_whitespace()).count();
    Ok(Subscripts { indices, place: start.after(blank) })
}

fn unexpected(letter: char, place: Place) -> Diagnostic {
    match letter {
        '.' => Diagnostic::new(place, "an ellipsis has no number of dimensions that is known before the arrays are")
            .hint("write its indices out"),
        '-' | '>' => Diagnostic::new(place, format!("unexpected `{letter}`")).hint("one `->` stands before the output"),
        _ => Diagnostic::new(place, format!("unexpected `{letter}`"))
            .hint("indices are letters, `a` to `z` and `A` to `Z`"),
    }
}

fn explicit_output(text: &str, start: Place, operands: &[Subscripts]) -> Result<Subscripts, Diagnostic> {
    let mut seen = Vec::new();
    for (column, letter) in text.chars().enumerate().filter(|(_, c)| !c.is_whitespace()) {
        let place = start.after(column);
        let index = match (letter, IndexLetter::new(letter)) {
            (_, Some(index)) => index,
            (',', _) => return Err(Diagnostic::new(place, "an expression has one output")),
            _ => return Err(unexpected(letter, place)),
        };
        if !operands.iter().any(|operand| operand.indices.contains(&index)) {
            return Err(Diagnostic::new(place, format!("output index `{index}` is in no operand")));
        }
        if seen.contains(&index) {
            return Err(Diagnostic::new(place, format!("output index `{index}` occurs twice")));
        }
        seen.push(index);
    }
    subscripts(text, start)
}

fn implicit_output(operands: &[Subscripts], place: Place) -> Subscripts {
    let all: Vec<IndexLetter> = operands.iter().flat_map(|operand| operand.indices.iter().copied()).collect();
    let once = |index: &IndexLetter| all.iter().filter(|other| *other == index).count() == 1;
    let mut indices: Vec<IndexLetter> = all.iter().copied().filter(once).collect();
    indices.sort_unstable();
    Subscripts { indices, place }
}

impl fmt::Display for Subscripts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.indices.iter().try_for_each(|index| index.fmt(f))
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, operand) in self.operands.iter().enumerate() {
            write!(f, "{}{operand}", if position > 0 { "," } else { "" })?;
        }
        write!(f, "->{}", self.output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        Expression::parse(text, Place::START).unwrap().to_string()
    }

    fn error(text: &str) -> (u32, String) {
        let error = Expression::parse(text, Place::START).unwrap_err();
        (error.place.column, error.message)
    }

    #[test]
    fn expressions_are_read_as_numpy_reads_them() {
        for (text, expression) in [
            ("ik,kj->ij", "ik,kj->ij"),
            (" i k , k j - > ij ".replace("- >", "->").as_str(), "ik,kj->ij"),
            ("ik,kj", "ik,kj->ij"),
            ("bA,Ac", "bA,Ac->bc"),
            ("ZA", "ZA->AZ"),
            ("aZ", "aZ->Za"),
            ("ii", "ii->"),
            ("ii->i", "ii->i"),
            (",i->i", ",i->i"),
            ("i,,i->", "i,,i->"),
        ] {
            assert_eq!(read(text), expression, "{text}");
        }
    }

    #[test]
    fn errors_have_the_column_of_what_is_wrong() {
        for (text, column, message) in [
            ("", 1, "an expression without operands"),
            (" ->", 1, "an expression without operands"),
            ("ik,kj->im", 9, "output index `m` is in no operand"),
            ("ij->ii", 6, "output index `i` occurs twice"),
            ("ij, j1->i", 6, "unexpected `1`"),
            ("é", 1, "unexpected `é`"),
            ("i-j", 2, "unexpected `-`"),
            ("i->i->i", 5, "unexpected `-`"),
            ("i,j->i,j", 7, "an expression has one output"),
            ("...i->i", 1, "an ellipsis has no number of dimensions that is known before the arrays are"),
        ] {
            assert_eq!(error(text), (column, message.to_owned()), "{text}");
        }
        assert!(error(&"i,".repeat(64)).1.starts_with("65 operands"));
    }

    #[test]
    fn places_are_those_of_the_first_letter() {
        let expression = Expression::parse("ik, kj ->ij", Place::START).unwrap();
        let columns = expression.operands.iter().chain([&expression.output]).map(|s| s.place.column);
        assert_eq!(columns.collect::<Vec<_>>(), [1, 5, 10]);
    }
}
