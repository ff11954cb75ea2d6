//! Functions in C and C++, from Clang's `syntax` tree.
//!
//! - [`source`]: the loops and statements; `reader` makes them of the tree, with `heads` of loops, `declarations` between
//!   them, the `effects` of calls, and the `text` of the file; [`functions`] finds the function; `arithmetic`: what a
//!   statement computes,
//! - [`nests`]: the accesses of the affine program in these statements,
//! - [`accumulators`]: variables for which the elements can stand that they are stored to; `variables` that are declared
//!   between loops: copied, local to a statement, or with new names,
//! - [`emit`]: the source with the nests in a new order; `instances`: its statements; `operations`: expressions in C,
//! - [`run`]: sources compiled, run and compared; `driver`: the program that calls the function.

pub mod accumulators;
mod arithmetic;
mod declarations;
mod driver;
mod effects;
pub mod emit;
pub mod functions;
mod heads;
mod instances;
pub mod nests;
mod operations;
mod reader;
pub mod run;
pub mod source;
mod syntax;
mod text;
mod variables;
