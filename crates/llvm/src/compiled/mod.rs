//! The executable module that `verify --compiled` runs.
//!
//! [`runnable`] reports the accesses of a function, apart from reads that LLVM takes from a register ([`repeated`]).
//! [`entry`] calls the function in its [`surroundings`], and passes arguments as MLIR does ([`memrefs`]).

pub(crate) mod entry;
pub(crate) mod memrefs;
pub(crate) mod repeated;
pub(crate) mod runnable;
pub(crate) mod surroundings;
