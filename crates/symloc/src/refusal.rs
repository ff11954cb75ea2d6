//! Errors of a reading and a derivation as errors of a command.

use symloc_derivation::DerivationError;
use symloc_query::CliError;

/// Returns the error of a command for one on the way to a model.
pub(crate) fn told(error: DerivationError) -> CliError {
    limited(error, || "raise it with --max-operations".to_owned())
}

/// Returns the error of a command for one of a derivation, with the advice for when a limit is reached.
pub(crate) fn limited(error: DerivationError, help: impl FnOnce() -> String) -> CliError {
    match error {
        DerivationError::Source(errors) => CliError::Diagnostics(errors.to_string()),
        DerivationError::Einsum { errors, .. } => CliError::Diagnostics(errors.to_string()),
        DerivationError::Compiler(messages) => CliError::Diagnostics(messages),
        DerivationError::Request { message, hint } => CliError::Refused { message, hint },
        DerivationError::Limit { location: Some(location), message } => {
            CliError::Diagnostics(format!("{location}: error: {message}\nhelp: {}\n", help()))
        }
        DerivationError::Limit { location: None, message } => CliError::with_hint(message, help()),
        DerivationError::Replay(error) => error.into(),
        error @ DerivationError::Internal(_) => CliError::with_hint(error.to_string(), "please report this program"),
    }
}
