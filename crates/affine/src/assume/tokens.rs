//! The tokens of conditions.

/// Why a condition was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason} at column {column} of the condition `{text}`")]
pub struct AssumeError {
    /// The whole condition.
    pub text: String,
    /// The column, counted in characters from 1.
    pub column: usize,
    /// The mistake, and the expected text.
    pub reason: String,
}

pub(super) struct AssumeToken<'t> {
    pub(super) text: &'t str,
    /// Its first byte.
    pub(super) start: usize,
    pub(super) column: usize,
}

impl AssumeToken<'_> {
    /// Returns the position of the byte behind it.
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// Returns how long a name is, with a subscript if it is one of an element.
fn name_length(text: &str) -> usize {
    let name = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let element = text.find(']').map(|end| end + 1).filter(|end| *end > name && element(&text[..*end]).is_some());
    element.filter(|_| text[name..].starts_with('[')).unwrap_or(name)
}

pub(super) fn tokenize(text: &str) -> Result<Vec<AssumeToken<'_>>, AssumeError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let start = text.len() - rest.len();
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if first.is_ascii_digit() {
            rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())
        } else if first.is_alphabetic() || first == '_' {
            name_length(rest)
        } else if ["<=", ">=", "=="].iter().any(|op| rest.starts_with(op)) {
            2
        } else if "<>=+-*/%(),".contains(first) {
            1
        } else {
            let column = text[..start].chars().count() + 1;
            return Err(AssumeError { text: text.to_owned(), column, reason: format!("unexpected `{first}`") });
        };
        if !first.is_whitespace() {
            let column = text[..start].chars().count() + 1;
            tokens.push(AssumeToken { text: &rest[..length], start, column });
        }
        rest = &rest[length..];
    }
    Ok(tokens)
}

/// Returns the name of the parameter that an element of an array is: `debug_0` for `debug[0]`.
pub fn element_name(name: &str) -> Option<String> {
    let (array, index) = element(name)?;
    Some(format!("{array}_{index}"))
}

/// Returns the array and the subscript of an element, `debug[0]`.
pub fn element(name: &str) -> Option<(&str, u32)> {
    let (array, index) = name.strip_suffix(']')?.split_once('[')?;
    Some((array, index.parse().ok()?))
}

/// Returns a name that stands alone.
pub(super) fn name_alone(words: &[&str]) -> Option<String> {
    let [name] = words else { return None };
    name.starts_with(|c: char| c.is_alphabetic() || c == '_').then(|| (*name).to_owned())
}

/// Returns an integer that stands alone.
pub(super) fn number(words: &[&str]) -> Option<i64> {
    match words {
        ["-", digits] => format!("-{digits}").parse().ok(),
        [digits] => digits.parse().ok(),
        _ => None,
    }
}
