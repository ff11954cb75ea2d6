//! The values of instructions: piecewise affine integers, conditions and addresses ([`lattice`]).
//!
//! [`environment`] holds the values at the current point of the walk. [`arithmetic`] evaluates integers, [`wrapping`]
//! reads them in the range of their type, [`conditions`] and [`addresses`] compare them, [`parts`] results of
//! intrinsics, [`pointers`] addresses ([`pointer_rows`] and [`vectors`]: behind pointers in memory). [`parameters`] are
//! the candidates for sizes, classified by [`uses`]; [`requirements`] are conditions on them. [`refusals`] says why a
//! value is not known.
//!
//! The methods of [`environment::Values`] call each other across these files, because the operands of an integer may
//! be addresses, and those of an address integers: they evaluate a tree of expressions.

pub(crate) mod addresses;
pub(crate) mod arithmetic;
pub(crate) mod conditions;
pub(crate) mod environment;
pub(crate) mod lattice;
pub(crate) mod parameters;
pub(crate) mod parts;
pub(crate) mod pointer_rows;
pub(crate) mod pointers;
pub(crate) mod refusals;
pub(crate) mod requirements;
pub(crate) mod uses;
pub(crate) mod vectors;
pub(crate) mod wrapping;
