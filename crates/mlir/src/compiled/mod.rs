//! MLIR's own translation to LLVM IR: of the function that is analysed (`callable`, with the `signature` of its
//! arguments and the passes of `lowering`), to compare its model with the compiled program, or to time it; and of functions of the LLVM dialect (`translate`), which
//! the LLVM front end reads.

mod callable;
mod lowering;
mod signature;
mod translate;

pub(crate) use lowering::INDEPENDENT;

pub use callable::{Callable, callable, linkable, timed};
pub use translate::llvm_ir;
