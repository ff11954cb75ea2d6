//! The errors of the library: values with a message, a place and a remedy.

#[cfg(feature = "derive")]
use symloc_derivation::DerivationError;
use symloc_evaluate::EvalError;
use symloc_model::ModelError;

/// A place in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorPlace {
    /// The file as the source was named.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// An error of the library. Hints name the options of the command line; those of
/// [`ModelRequest`](crate::ModelRequest) have the same names.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SymlocError {
    /// The program cannot be read exactly, or has no model.
    #[error("{}", .text.trim_end())]
    Source {
        /// The place of the first error; `None` if it has none.
        place: Option<ErrorPlace>,
        /// The first error in one line.
        message: String,
        /// Its remedy.
        hint: Option<String>,
        /// All errors as the command line prints them, with excerpts of the source and hints.
        text: String,
    },
    /// The compiler refused the program, with these messages.
    #[error("{}", .0.trim_end())]
    Compiler(String),
    /// The request cannot be met.
    #[error("{message}")]
    Request {
        /// The error.
        message: String,
        /// A remedy.
        hint: Option<String>,
    },
    /// The derivation takes more steps than the request allows, and the model cannot do without.
    #[error("{message}")]
    Limit {
        /// The access whose reuse takes longer; `None` for other parts of the derivation.
        place: Option<ErrorPlace>,
        /// The limit, and where it was reached.
        message: String,
    },
    /// A file cannot be read.
    #[error("{file}: cannot read it: {error}")]
    File {
        /// The file.
        file: String,
        /// The reason.
        error: std::io::Error,
    },
    /// A file or text is no model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model cannot answer a question.
    #[error(transparent)]
    Question(#[from] EvalError),
    /// A bug of symloc.
    #[error("internal error: {0}; please report this program")]
    Internal(String),
}

impl SymlocError {
    /// Returns the place of the error in the source; `None` if it has none.
    pub fn place(&self) -> Option<&ErrorPlace> {
        match self {
            Self::Source { place, .. } | Self::Limit { place, .. } => place.as_ref(),
            _ => None,
        }
    }

    /// Returns a remedy; `None` if none is known.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::Source { hint, .. } | Self::Request { hint, .. } => hint.as_deref(),
            Self::Limit { .. } => Some("raise it with --max-operations"),
            _ => None,
        }
    }

    /// Creates the error for a request that cannot be met.
    pub(crate) fn request(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Request { message: message.into(), hint: Some(hint.into()) }
    }
}

#[cfg(feature = "derive")]
impl From<DerivationError> for SymlocError {
    fn from(error: DerivationError) -> Self {
        match error {
            DerivationError::Source(errors) => {
                let text = errors.to_string();
                match errors.diagnostics.into_iter().next() {
                    None => Self::Internal("a program is refused without an error".to_owned()),
                    Some(first) => {
                        let (place, hint) = (first.location.as_ref().map(place), first.hint);
                        Self::Source { place, message: first.message, hint, text }
                    }
                }
            }
            DerivationError::Einsum { file, errors } => {
                let text = errors.to_string();
                match errors.diagnostics.into_iter().next() {
                    None => Self::Internal("an einsum is refused without an error".to_owned()),
                    Some(first) => {
                        let place = ErrorPlace { file, line: first.place.line, column: first.place.column };
                        Self::Source { place: Some(place), message: first.message, hint: first.hint, text }
                    }
                }
            }
            DerivationError::Compiler(messages) => Self::Compiler(messages),
            DerivationError::Request { message, hint } => Self::Request { message, hint },
            DerivationError::Limit { location, message } => {
                Self::Limit { place: location.as_ref().map(place), message }
            }
            DerivationError::Replay(error) => Self::Request { message: error.to_string(), hint: None },
            DerivationError::Internal(message) => Self::Internal(message),
        }
    }
}

#[cfg(feature = "derive")]
fn place(location: &symloc_affine::Location) -> ErrorPlace {
    ErrorPlace { file: location.file.to_string(), line: location.line, column: location.column }
}
