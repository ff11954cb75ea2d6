//! Questions to a locality model.
//!
//! Everything that needs only a model is a [`ModelCommand`]; `symloc-query` has nothing else, `symloc` has the same
//! commands among its own. A command writes its result to the stream that it is given and returns an [`ExitStatus`] or a
//! [`CliError`]; [`finish`] reports either the way both programs do.
//!
//! - [`commands`]: one module for each command,
//! - [`options`]: the options that they share,
//! - [`grid`], [`datasets`]: the sizes that a question is about, [`caches`]: its caches,
//! - [`program`]: the program of a model; [`built`]: caches and arrays as a simulation needs them,
//! - [`series`]: several models at several sizes,
//! - [`ratio`]: bounds on miss ratios, [`search`]: where something begins to hold,
//! - [`explain`]: misses in sentences,
//! - [`source`]: the text that a model was derived from,
//! - [`progress`]: how far a long question has come,
//! - [`packaging`]: completions and man pages,
//! - [`output`]: where results go,
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
