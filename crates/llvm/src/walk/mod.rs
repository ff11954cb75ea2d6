//! The walk over the blocks of a function, in the order of execution, which makes loops, guards and accesses.
//!
//! Within one iteration of a loop the control flow is acyclic ([`blocks`]). At a branch both sides are followed up to
//! their join; they become the two sides of a guard. An edge that is taken ([`arrivals`]) has the values of the phis at
//! its end, so that a side may be followed more than once, with other values. [`loops`] turns natural loops into
//! counted ones. Branches may depend on data ([`data_branch`]) or be decided by assumptions ([`decided_branch`]).
//! Instructions ([`instructions`]) make accesses and operations ([`mix`]); calls that were not inlined are known by
//! name ([`calls`]), or fill and copy memory ([`bulk`]) in loops ([`extents`]). [`recorder`] counts executions of blocks,
//! and [`doubts`] has the conditions on data, for hints.
//!
//! The methods of [`walker::Walker`] call each other in a ring across these files and those of [`loops`]: a block may
//! start a loop, whose body is blocks. That is the recursion over a tree, and the only one of its kind in this crate.

pub(crate) mod arrivals;
pub(crate) mod blocks;
pub(crate) mod bulk;
pub(crate) mod calls;
pub(crate) mod data_branch;
pub(crate) mod decided_branch;
pub(crate) mod doubts;
pub(crate) mod extents;
pub(crate) mod instructions;
pub(crate) mod loops;
pub(crate) mod mix;
pub(crate) mod recorder;
pub(crate) mod walker;
