//! Front end: einsum expressions to affine programs.
//!
//! `'ik,kj->ij'` defines the result; locality depends on the computation. A [`Kernel`] has both: the expression and the loop nests that
//! compute it, which come from a search for a good order of pairwise contractions, or from the lines of a `.einsum` file.
//!
//! - [`expression`]: expressions in NumPy's notation,
//! - [`kernel`]: arrays and statements, and the nest of each statement,
//! - [`file`](mod@file): the `.einsum` format, on `tokens`; `check` proves that its statements compute its expression,
//! - `read`: from an expression or a file to a kernel,
//! - `path`: the order of contractions; `plan` turns it into statements,
//! - [`nest`]: the statements as a tree of loops and accesses, which defines their meaning,
//! - `lower`: that tree as a [`symloc_affine::Program`],
//! - `mlir`: that tree as text in MLIR's affine dialect.
//!
//! ```
//! use symloc_einsum::{Element, Kernel};
//!
//! let kernel = Kernel::from_expression("<expression>", "ik,kl,lj->ij")?;
//! let program = kernel.program(Element::F64);
//! assert_eq!((program.iters.len(), program.accesses.len()), (6, 10));
//! assert!(kernel.to_mlir(Element::F64).contains("affine.for %i1 = 0 to %i {"));
//! # Ok::<(), symloc_einsum::Errors>(())
//! ```

mod check;
mod error;
pub mod expression;
pub mod file;
pub mod kernel;
mod lower;
mod mlir;
pub mod nest;
mod path;
mod plan;
mod read;
mod tokens;

pub use error::{Diagnostic, Errors, Place};
pub use expression::{Expression, IndexLetter};
pub use kernel::{ArrayId, Kernel, KernelArray, KernelStatement};

/// The type of all array elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Element {
    /// 4 bytes.
    F32,
    /// 8 bytes.
    #[default]
    F64,
}

impl Element {
    /// Returns its size.
    pub fn bytes(self) -> u64 {
        match self {
            Element::F32 => 4,
            Element::F64 => 8,
        }
    }

    /// Returns its name in MLIR.
    pub fn name(self) -> &'static str {
        match self {
            Element::F32 => "f32",
            Element::F64 => "f64",
        }
    }
}
