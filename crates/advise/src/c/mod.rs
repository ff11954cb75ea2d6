//! Functions in C, from Clang's `syntax` tree.
//!
//! - [`source`]: the loops and statements; `arithmetic`: what a statement computes,
//! - `nests`: the accesses of the affine program in these statements,
//! - [`emit`]: the source with the nests in a new order,
//! - [`run`]: sources compiled, run and compared.

mod arithmetic;
pub mod emit;
mod nests;
pub mod run;
pub mod source;
mod syntax;
