//! From a source to the function to analyse: `source` checks the bytes, `parse` makes a module of them, `passes` runs
//! the user's passes and lifts jumps to loops, `select` chooses the function, and `fixed` makes constants of its
//! arguments with one value by `--assume`. `places` leads back from MLIR's locations to the source; `target` has the caches of
//! the machine that a module is for.

pub(crate) mod fixed;
pub(crate) mod parse;
pub(crate) mod passes;
pub(crate) mod places;
pub(crate) mod select;
pub(crate) mod source;
pub(crate) mod target;
