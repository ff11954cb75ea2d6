//! The status of each error of the library.

use symloc::SymlocError;
use symloc_capi::status::{
    Failure, FailurePlace, SYMLOC_ERROR_ARGUMENT, SYMLOC_ERROR_COMPILER, SYMLOC_ERROR_INTERNAL, SYMLOC_ERROR_IO,
    SYMLOC_ERROR_LIMIT, SYMLOC_ERROR_MODEL, SYMLOC_ERROR_SOURCE,
};

/// Returns the error of a call for one of a derivation.
pub(crate) fn failure(error: &SymlocError) -> Failure {
    let status = match error {
        SymlocError::Source { .. } => SYMLOC_ERROR_SOURCE,
        SymlocError::Compiler(_) => SYMLOC_ERROR_COMPILER,
        SymlocError::Request { .. } => SYMLOC_ERROR_ARGUMENT,
        SymlocError::Limit { .. } => SYMLOC_ERROR_LIMIT,
        SymlocError::File { .. } => SYMLOC_ERROR_IO,
        SymlocError::Model(_) | SymlocError::Question(_) => SYMLOC_ERROR_MODEL,
        _ => SYMLOC_ERROR_INTERNAL,
    };
    // The text of an error in a source has its hint.
    let hint = error.hint().filter(|_| !matches!(error, SymlocError::Source { .. }));
    let message = [Some(error.to_string()), hint.map(|hint| format!("help: {hint}"))];
    let message = message.into_iter().flatten().collect::<Vec<_>>().join("\n");
    let place =
        error.place().map(|place| FailurePlace { file: place.file.clone(), line: place.line, column: place.column });
    Failure { place, ..Failure::new(status, message) }
}
