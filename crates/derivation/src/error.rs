//! The errors of a reading and of a derivation.

use symloc_affine::Location;
use symloc_frontend::{Diagnostic, Errors, Kind};

/// An error on the way from a text to a model. Hints name options of the command line.
#[derive(Debug, thiserror::Error)]
pub enum DerivationError {
    /// The program cannot be read exactly, or has no model: errors with places in its source.
    #[error("{0}")]
    Source(Errors),
    /// An einsum has errors.
    #[error("{errors}")]
    Einsum {
        /// The name of its file.
        file: String,
        /// The errors, with places in it.
        errors: symloc_einsum::Errors,
    },
    /// The compiler refused the program, with these messages.
    #[error("{0}")]
    Compiler(String),
    /// The request cannot be met.
    #[error("{message}")]
    Request {
        /// The error.
        message: String,
        /// A remedy.
        hint: Option<String>,
    },
    /// A limit on the steps of the derivation was reached.
    #[error("{}{message}", .location.as_ref().map_or_else(String::new, |location| format!("{location}: ")))]
    Limit {
        /// The access whose reuse takes longer; `None` for other parts of the derivation.
        location: Option<Location>,
        /// The limit, and where it was reached.
        message: String,
    },
    /// The program cannot be run at a size.
    #[error(transparent)]
    Replay(#[from] symloc_replay::ReplayError),
    /// The model contradicts itself, or the trace. A bug in symloc.
    #[error("internal error: {0}")]
    Internal(String),
}

impl DerivationError {
    /// Creates a refusal without advice.
    pub fn refused(message: impl Into<String>) -> Self {
        Self::Request { message: message.into(), hint: None }
    }

    /// Creates a refusal with advice.
    pub fn with_hint(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Request { message: message.into(), hint: Some(hint.into()) }
    }

    /// Creates an error at one place, with advice.
    pub fn at(location: Location, message: impl Into<String>, hint: impl Into<String>) -> Self {
        let error = Diagnostic::new(Kind::Unsupported, Some(location), message).hint(hint);
        Self::Source(Errors::new(Vec::new(), vec![error]))
    }
}

impl From<Errors> for DerivationError {
    fn from(errors: Errors) -> Self {
        Self::Source(errors)
    }
}
