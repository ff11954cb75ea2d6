//! Questions to a locality model.
//!
//! Everything that needs only a model is a [`ModelCommand`]; `symloc-query` has nothing else, `symloc` has the same
//! commands among its own. A command writes its result to the stream that it is given and returns an [`ExitStatus`] or a
//! [`CliError`]; [`finish`] reports either the way both programs do.
//!
//! - [`commands`]: one module for each command,
//! - [`options`]: the options that they share, [`cache`]: the notation of cache sizes,
//! - [`series`]: several models at several sizes,
//! - [`export`]: results as text and JSON, [`plot`]: curves as pictures, [`output`] and [`terminal`]: where they go,
//! - [`error`]: messages and exit codes.

pub mod cache;
pub mod commands;
pub mod error;
pub mod export;
pub mod options;
pub mod output;
pub mod plot;
pub mod series;
pub mod terminal;

pub use commands::ModelCommand;
pub use error::{CliError, ExitStatus, finish};
