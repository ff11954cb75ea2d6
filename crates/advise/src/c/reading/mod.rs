//! The loops and statements of a function, from Clang's `syntax` tree.
//!
//! - [`functions`]: the function in the tree of its file,
//! - `reader`: the statements of its body, with the `heads` of loops, the `declarations` between them, the `effects` of
//!   calls, and the `text` of the file; `arithmetic`: what a statement computes, on `numbers`; [`updates`]: sums that collect one element,
//! - [`source`]: what is found.

mod arithmetic;
mod declarations;
mod effects;
pub mod functions;
mod heads;
pub(super) mod numbers;
mod reader;
pub mod source;
pub(super) mod syntax;
pub(super) mod text;
pub mod updates;
