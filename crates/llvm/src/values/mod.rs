//! The values of instructions: piecewise affine integers, conditions and addresses.
//!
//! The methods of [`environment::Values`] call each other across these files, because the operands of an integer may
//! be addresses, and those of an address integers: they evaluate a tree of expressions.

pub(crate) mod arithmetic;
pub(crate) mod environment;
pub(crate) mod lattice;
pub(crate) mod pointer_rows;
pub(crate) mod pointers;
pub(crate) mod uses;
pub(crate) mod vectors;
