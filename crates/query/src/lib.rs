//! Queries to a locality model.
//!
//! Everything that needs only a model is a [`ModelCommand`]; `symloc-query` has only these commands, `symloc` has them among its
//! own. A command writes its result to the given stream and returns an [`ExitStatus`] or a [`CliError`]; [`finish`] reports
//! either in the same way for both programs.
//!
//! - [`commands`]: one module for each command, which reads its options, asks, and prints,
//! - [`options`]: the shared options,
//! - [`answers`]: what is computed,
//! - [`source`]: the text that a model was derived from,
//! - [`progress`]: the progress of a long query,
//! - [`packaging`]: completions and man pages,
//! - [`output`]: output to files and notes,
//! - [`error`]: messages and exit codes.

pub mod answers;
pub mod commands;
pub mod error;
pub mod options;
pub mod output;
pub mod packaging;
pub mod progress;
pub mod source;

pub use commands::ModelCommand;
pub use error::{CliError, ExitStatus, finish};
