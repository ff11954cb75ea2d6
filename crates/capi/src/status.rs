//! The status of a call, and the status of each error of the other crates.

use ::symloc_model::{ModelError, RequestError};
use symloc_evaluate::EvalError;

/// The status of a call: `SYMLOC_OK`, or the reason why it failed. `symloc_error_message` has the details.
pub type symloc_status = u32;

/// The call succeeded.
pub const SYMLOC_OK: symloc_status = 0;
/// The call itself is wrong: NULL where an object or an array is needed, an index, a count or a choice that does not
/// exist, text that is not UTF-8.
pub const SYMLOC_ERROR_ARGUMENT: symloc_status = 1;
/// The file cannot be read.
pub const SYMLOC_ERROR_IO: symloc_status = 2;
/// The file or text is not a model, or a damaged one.
pub const SYMLOC_ERROR_MODEL: symloc_status = 3;
/// The model has a later version of the format than this library can read.
pub const SYMLOC_ERROR_NEWER: symloc_status = 4;
/// A parameter has no value or two values, or a value is for a name that is not a parameter.
pub const SYMLOC_ERROR_PARAMETER: symloc_status = 5;
/// The model does not hold this line size, or it holds several and none was chosen.
pub const SYMLOC_ERROR_LINE: symloc_status = 6;
/// The model was not derived for this size: the message has the condition that the size violates.
pub const SYMLOC_ERROR_CONTEXT: symloc_status = 7;
/// The query needs reuse distances, and the model was derived without them.
pub const SYMLOC_ERROR_NO_DISTANCES: symloc_status = 8;
/// The evaluation would have to visit more than `max_points` points; or a derivation takes more than `max_operations`
/// steps, and the model cannot do without.
pub const SYMLOC_ERROR_LIMIT: symloc_status = 9;
/// The model contradicts itself at this size: its file was changed, or the derivation was wrong.
pub const SYMLOC_ERROR_INCONSISTENT: symloc_status = 10;
/// A number is larger than `UINT64_MAX`; the functions whose names end in `_text` return all its digits.
pub const SYMLOC_ERROR_OVERFLOW: symloc_status = 11;
/// A bug of this library. All objects stay valid, but the call has no result.
pub const SYMLOC_ERROR_INTERNAL: symloc_status = 12;
/// A program cannot be read exactly, or has no model. Only functions of `symloc-derive.h` return it.
pub const SYMLOC_ERROR_SOURCE: symloc_status = 13;
/// The compiler of a program refuses it or is missing. Only functions of `symloc-derive.h` return it.
pub const SYMLOC_ERROR_COMPILER: symloc_status = 14;

/// The error of a call.
#[derive(Debug)]
pub struct Failure {
    /// The status of the call.
    pub status: symloc_status,
    /// The message.
    pub message: String,
    /// The place in the source that the error is about; `None` if there is none.
    pub place: Option<FailurePlace>,
}

/// A place in a source.
#[derive(Debug)]
pub struct FailurePlace {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// The result of a call.
pub type Answer<T> = Result<T, Failure>;

impl Failure {
    /// Returns an error without a place.
    pub fn new(status: symloc_status, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), place: None }
    }

    /// Returns the error of a call that is itself wrong.
    pub fn argument(message: impl Into<String>) -> Self {
        Self::new(SYMLOC_ERROR_ARGUMENT, message)
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        let status = match &error {
            // A file that is not UTF-8 is not a model: this is no error of reading.
            ModelError::Io(error) if error.kind() != std::io::ErrorKind::InvalidData => SYMLOC_ERROR_IO,
            ModelError::Newer { .. } => SYMLOC_ERROR_NEWER,
            _ => SYMLOC_ERROR_MODEL,
        };
        Self::new(status, error.to_string())
    }
}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Self {
        Self::new(status_of_request(&error), error.to_string())
    }
}

impl From<EvalError> for Failure {
    fn from(error: EvalError) -> Self {
        let status = match &error {
            EvalError::Request(request) => status_of_request(request),
            EvalError::OutsideContext { .. } => SYMLOC_ERROR_CONTEXT,
            EvalError::NoPrevious { .. } | EvalError::Sampled => SYMLOC_ERROR_MODEL,
            EvalError::NoDistances => SYMLOC_ERROR_NO_DISTANCES,
            EvalError::LineBytes { .. } | EvalError::TwoLines { .. } => SYMLOC_ERROR_LINE,
            EvalError::Limit { .. } => SYMLOC_ERROR_LIMIT,
            EvalError::Inconsistent { .. } => SYMLOC_ERROR_INCONSISTENT,
        };
        Self::new(status, error.to_string())
    }
}

fn status_of_request(error: &RequestError) -> symloc_status {
    match error {
        RequestError::Missing { .. } | RequestError::Unknown { .. } => SYMLOC_ERROR_PARAMETER,
        RequestError::Unused { .. } => SYMLOC_ERROR_CONTEXT,
        RequestError::Line { .. } => SYMLOC_ERROR_LINE,
        RequestError::Unattributed { .. } | RequestError::NoNests { .. } => SYMLOC_ERROR_MODEL,
    }
}
