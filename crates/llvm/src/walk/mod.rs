//! The walk over the blocks of a function, in the order of execution, which makes loops, guards and accesses.
//!
//! The methods of [`walker::Walker`] call each other in a ring across these files and those of [`loops`]: a block may
//! start a loop, whose body is blocks. That is the recursion over a tree, and the only one of its kind in this crate.

pub(crate) mod bulk;
pub(crate) mod calls;
pub(crate) mod data_branch;
pub(crate) mod decided_branch;
pub(crate) mod loops;
pub(crate) mod mix;
pub(crate) mod recorder;
pub(crate) mod walker;
