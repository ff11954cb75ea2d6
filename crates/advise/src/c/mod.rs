//! Functions in C, from Clang's `syntax` tree.
//!
//! - [`source`]: the loops and statements; `arithmetic`: what a statement computes,
//! - `nests`: the accesses of the affine program in these statements,
//! - [`emit`]: the source with the nests in a new order.

mod arithmetic;
pub mod emit;
mod nests;
pub mod source;
mod syntax;
