//! Functions in C and C++.
//!
//! - [`reading`]: the loops and statements, from Clang's syntax tree,
//! - [`nests`]: the accesses of the affine program in these statements,
//! - [`accumulators`]: variables for which the elements can stand that they are stored to; `variables` that are declared
//!   between loops: copied (`copies`), local to a statement, or with new names,
//! - [`emit`]: the source with the nests in a new order; `instances`: its statements; `collected`: sums
//!   in variables, for the `hints` of loops; `operations`: expressions in C,
//! - [`run`]: sources compiled, run and compared; `driver`: the program that calls the function.

pub mod accumulators;
mod collected;
pub mod copies;
mod driver;
pub mod emit;
mod hints;
mod instances;
pub mod nests;
mod operations;
pub mod reading;
pub mod run;
mod variables;
