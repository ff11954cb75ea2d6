//! Errors of a `symloc.toml`, with their places.

use std::fmt;
use std::ops::Range;

/// An error at a place of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The reason.
    pub message: String,
    /// A remedy.
    pub hint: Option<String>,
}

impl std::error::Error for ConfigError {}

/// Formats the error as `2:8: error: …`, to which the name of the file is prefixed.
impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: error: {}", self.line, self.column, self.message)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "\nhelp: {hint}"))
    }
}

impl ConfigError {
    /// Creates an error at the start of a range of bytes.
    pub(crate) fn at(text: &str, span: Option<Range<usize>>, message: impl Into<String>) -> Self {
        let (line, column) = place(text, span.map_or(0, |span| span.start));
        Self { line, column, message: message.into(), hint: None }
    }

    /// Adds a remedy.
    #[must_use]
    pub(crate) fn with_hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// Creates the error of the parser. For an unknown key it names the most similar one.
    pub(crate) fn of_parser(text: &str, error: &toml::de::Error) -> Self {
        let message =
            error.message().trim().replace("unknown field", "unknown key").replace("missing field", "missing key");
        let found = Self::at(text, error.span(), message.split(", expected one of").next().unwrap_or_default());
        let quoted: Vec<&str> = error.message().split('`').skip(1).step_by(2).collect();
        match quoted.as_slice() {
            [unknown, known @ ..] if error.message().starts_with("unknown field") => {
                found.with_hint(suggestion(unknown, known))
            }
            _ => found,
        }
    }
}

/// Returns the line and the column of an offset, from 1.
pub(crate) fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let column = before.rsplit('\n').next().map_or(0, |rest| rest.chars().count()) + 1;
    (before.matches('\n').count() + 1, column)
}

/// The least similarity of a name that is suggested, from 0 to 1.
const SIMILAR: f64 = 0.7;

fn suggestion(unknown: &str, known: &[&str]) -> String {
    let similarity = |name: &str| strsim::jaro_winkler(unknown, name);
    let best = known.iter().max_by(|one, other| similarity(one).total_cmp(&similarity(other)));
    match best.filter(|name| similarity(name) >= SIMILAR) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("the keys are {}", known.join(", ")),
    }
}
