//! The C API of isl and Barvinok, loaded at run time.
//!
//! isl is not linked the ordinary way on purpose: LLVM carries an isl of its own (Polly's), exports its symbols, and a
//! second isl in the same program would silently bind to them. So the libraries are opened with `RTLD_LOCAL |
//! RTLD_DEEPBIND` and every function is looked up by name, once, in [`Libraries::global`].
//!
//! - [`load`]: where the libraries are searched, [`library`]: how one is opened,
//! - [`functions`]: the signatures, as one table for each library.
//!
//! Everything here is raw. `symloc-isl` wraps it safely.

#![warn(clippy::missing_errors_doc)]
#![allow(unsafe_code, reason = "this crate is the border to C: it loads libraries and describes their functions")]

pub mod functions;
pub mod library;
pub mod load;

pub use functions::*;
pub use library::LoadError;
pub use load::{Counting, Libraries};
