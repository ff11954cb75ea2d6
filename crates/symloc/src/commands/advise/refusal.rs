//! Errors of the search, with what to do.

use symloc_advise::{AdviseError, MissingOption};
use symloc_query::CliError;

/// Returns the error of the search, with the option that makes a refused order legal.
pub(in crate::commands) fn refused(error: AdviseError) -> CliError {
    match error {
        AdviseError::NotLegal { missing: MissingOption::Reassociate, .. } => CliError::with_hint(
            error.to_string(),
            "it only adds up terms of a sum in another order, which rounds differently: --reassociate permits that",
        ),
        AdviseError::OtherFile { .. } => CliError::with_hint(
            error.to_string(),
            "give the file with the loops itself; text that is preprocessed with `clang -E -P` has no line markers of other files",
        ),
        other => CliError::refused(other.to_string()),
    }
}
