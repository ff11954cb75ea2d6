//! MLIR's own translation to LLVM IR: of the function that is analysed (`callable`, with the `signature` of its
//! arguments), to compare its model with the compiled program, or to time it; and of functions of the LLVM dialect (`translate`), which
//! the LLVM front end reads.

mod callable;
mod signature;
mod translate;

pub use callable::{Callable, callable, timed};
pub use translate::llvm_ir;
