//! Queries to a locality model.
//!
//! Everything that needs only a model is a [`ModelCommand`]; `symloc-query` has only these commands, `symloc` has them among its
//! own. A command writes its result to the given stream and returns an [`ExitStatus`] or a [`CliError`]; [`finish`] reports
//! either in the same way for both programs.
//!
//! - [`commands`]: one module for each command,
//! - [`options`]: the shared options,
//! - [`grid`], [`datasets`]: the sizes of a query, [`caches`]: its caches,
//! - [`program`]: the program of a model; [`built`]: caches and arrays for simulations,
//! - [`series`]: several models at several sizes,
//! - [`ratio`]: bounds on miss ratios, [`search`]: binary search,
//! - [`explain`]: misses in sentences,
//! - [`source`]: the text that a model was derived from,
//! - [`progress`]: the progress of a long query,
//! - [`packaging`]: completions and man pages,
//! - [`output`]: output to files and notes,
//! - [`error`]: messages and exit codes.

pub mod built;
pub mod caches;
pub mod commands;
pub mod datasets;
pub mod error;
pub mod explain;
pub mod grid;
pub mod options;
pub mod output;
pub mod packaging;
pub mod program;
pub mod progress;
pub mod ratio;
pub mod search;
pub mod series;
pub mod source;

pub use commands::ModelCommand;
pub use error::{CliError, ExitStatus, finish};
