//! The line sizes of a model.

use std::fmt;

use crate::choice::LineChoice;
use crate::error::RequestError;
use crate::types::{LineModel, Model};

impl Model {
    /// Returns the classes at one line size.
    pub fn line(&self, choice: LineChoice) -> Result<&LineModel, RequestError> {
        let chosen = match (choice, self.lines.as_slice()) {
            (LineChoice::Only, [only]) => Some(only),
            (LineChoice::Only, _) => None,
            (LineChoice::Bytes(bytes), lines) => {
                lines.iter().find(|l| l.line_bytes == Some(bytes) || l.symbolic.is_some())
            }
        };
        chosen.ok_or_else(|| {
            let held: Vec<_> = self.lines.iter().map(|line| LineName(line).to_string()).collect();
            RequestError::Line { choice, held: held.join(", ") }
        })
    }
}

/// A line size in words.
struct LineName<'l>(&'l LineModel);

impl fmt::Display for LineName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.0.symbolic {
            return write!(f, "lines of any number of {}-byte elements", line.element_bytes);
        }
        match (self.0.element, self.0.line_bytes) {
            (true, Some(bytes)) => write!(f, "one element of {bytes} bytes per line"),
            (_, Some(bytes)) => write!(f, "{bytes} bytes"),
            (_, None) => write!(f, "one element per line"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sizes::tests::triangle;

    #[test]
    fn the_line_size_must_exist() {
        let mut model = triangle();
        assert!(model.line(LineChoice::Bytes(8)).is_ok());
        let error = model.line(LineChoice::Bytes(64)).unwrap_err().to_string();
        assert_eq!(error, "no line size of 64 bytes; the model holds one element of 8 bytes per line");
        let wide = LineModel { line_bytes: Some(64), element: false, ..model.lines[0].clone() };
        model.lines.push(wide);
        let error = model.line(LineChoice::Only).unwrap_err().to_string();
        assert!(error.ends_with("the model holds one element of 8 bytes per line, 64 bytes"), "{error}");
    }
}
