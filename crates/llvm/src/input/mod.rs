//! From source text to a function that can be walked.
//!
//! [`clang`] runs a compiler, on loops without a function too ([`fragment`]), and without OpenMP ([`openmp`]).
//! [`request`] reads a module by [`options`]; of its functions ([`module`]) [`select`] chooses one, [`region`] its lines.
//! [`prepare`] runs LLVM's passes, local structures taken apart ([`structures`]); arguments and variables with one value by
//! `--assume` become constants ([`fixed`]).
//! What cannot be read as a whole is refused ([`unsupported`]); the walk follows the rest by [`rules`].

pub(crate) mod clang;
pub(crate) mod fixed;
pub(crate) mod fragment;
pub(crate) mod module;
pub(crate) mod openmp;
pub(crate) mod options;
pub(crate) mod prepare;
pub(crate) mod region;
pub(crate) mod request;
pub(crate) mod rules;
pub(crate) mod select;
pub(crate) mod structures;
pub(crate) mod unsupported;
