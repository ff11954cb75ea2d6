//! The errors of isl and Barvinok.

use barvinok_sys::{LoadError, isl_error};

/// The reason why an operation failed. The operation is the name of the C function.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The libraries could not be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// This thread already has a context, and waiting for it would wait forever.
    #[error("this thread already has an isl context; drop it and all its objects first, or share it")]
    Busy,
    /// The limit of [`Context::set_max_operations`](crate::Context::set_max_operations) was reached.
    #[error("limit: `{operation}` reached the limit on isl operations")]
    Limit {
        /// The operation that failed.
        operation: &'static str,
    },
    /// A count or sum is infinite for some values of the parameters.
    #[error("`{operation}`: the result is infinite because the set is unbounded")]
    Unbounded {
        /// The operation that failed.
        operation: &'static str,
    },
    /// A value is not a number: it was computed from an undefined one.
    #[error("`{operation}`: the value is not a number")]
    Undefined {
        /// The operation that failed.
        operation: &'static str,
    },
    /// A text or name holds a NUL character, which C cannot represent.
    #[error("a NUL character in the text {text:?}")]
    Nul {
        /// The text.
        text: String,
    },
    /// Any other failure in isl.
    #[error("`{operation}` failed ({kind}): {message}")]
    Isl {
        /// The operation that failed.
        operation: &'static str,
        /// isl's class of the failure.
        kind: ErrorKind,
        /// isl's message.
        message: String,
    },
}

/// isl's classes of failures, apart from limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Arguments that make no sense: a syntax error, spaces that do not match, a position out of range.
    #[error("invalid argument")]
    Invalid,
    /// Not implemented in isl.
    #[error("unsupported")]
    Unsupported,
    /// Out of memory.
    #[error("out of memory")]
    Memory,
    /// A bug in isl, or a failure that it does not explain.
    #[error("internal error")]
    Internal,
}

impl Error {
    /// Adds the text in which a parser failed to the message.
    pub(crate) fn in_text(self, text: &str) -> Error {
        match self {
            Error::Isl { operation, kind, message } => {
                Error::Isl { operation, kind, message: format!("{message} in `{text}`") }
            }
            other => other,
        }
    }

    /// Returns the error of `operation` that isl describes by a class and a message.
    pub(crate) fn from_isl(operation: &'static str, class: isl_error, message: String) -> Error {
        let kind = match class {
            barvinok_sys::ISL_ERROR_QUOTA | barvinok_sys::ISL_ERROR_ABORT => return Error::Limit { operation },
            barvinok_sys::ISL_ERROR_INVALID => ErrorKind::Invalid,
            barvinok_sys::ISL_ERROR_UNSUPPORTED => ErrorKind::Unsupported,
            barvinok_sys::ISL_ERROR_ALLOC => ErrorKind::Memory,
            _ => ErrorKind::Internal,
        };
        Error::Isl { operation, kind, message }
    }
}
