//! The cache locality of loop nests, derived once for all sizes: `symloc derive` and `symloc query` as a library.
//!
//! ```
//! use symloc::{CacheSize, Language, ModelRequest, Source};
//!
//! let text = "
//! func.func @transpose(%n: index, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
//!   affine.for %i = 0 to %n {
//!     affine.for %j = 0 to %n {
//!       %x = affine.load %A[%i, %j] : memref<?x?xf64>
//!       affine.store %x, %B[%j, %i] : memref<?x?xf64>
//!     }
//!   }
//!   return
//! }";
//! let source = Source::from_text(Language::Mlir, "transpose.mlir", text);
//! let model = ModelRequest::new().exact(true).assume("n mod 8 = 0").derive(&source)?;
//! let answer = model.query(&[("n", 1000)], CacheSize::Bytes(32 * 1024))?;
//! assert_eq!((answer.accesses.to_string(), answer.misses().to_string()), ("2000000".into(), "1125000".into()));
//! # Ok::<(), symloc::SymlocError>(())
//! ```
//!
//! - [`Source`]: a program in MLIR, LLVM IR, C, C++ or Fortran, or an einsum; a file or a text,
//! - [`ModelRequest`]: the options of a derivation, and the derivation,
//! - [`Locality`]: the model: its file, and questions to it,
//! - [`SymlocError`]: errors, with a place in the source and a remedy.
//!
//! # Features
//!
//! `evaluate` has [`Locality`] and needs neither LLVM nor isl; `derive`, the default, has everything but `advise`:
//! `ModelRequest::advise`, which looks for faster orders of the loops of a function in MLIR.
//!
//! # Processes, output and limits
//!
//! The library prints nothing, never ends the process and has no state. It starts `clang-22` for C and C++ and `flang-22`
//! for Fortran, and Python for networks. It forks if [`ModelRequest::workers`] asks for it, and for a set that Barvinok may
//! count without end (skewed tiles have some): a process is given 5 s for it. isl and Barvinok are loaded at run time
//! (`SYMLOC_BARVINOK_DIR` names their folder); without them a derivation is an error.
//!
//! Barvinok draws numbers by the C library's `rand`. A derivation has a state of its own for them, and puts the program's
//! back; other threads that call `rand` meanwhile draw from it, which may change the form of a count, not its value.
//!
//! A derivation cannot be interrupted. [`ModelRequest::max_operations`] bounds the work of isl; limits on time and
//! memory need a process of its own, which is how the command line has them.
//!
//! # Threads
//!
//! Everything may be used by several threads at once. Barvinok is not thread-safe, so one derivation at a time uses isl in a
//! process: others wait. Their models are those of derivations one after the other.
//!
//! ```
//! # let polybench = concat!(env!("CARGO_MANIFEST_DIR"), "/../../polybench/");
//! use symloc::{ModelRequest, Source};
//!
//! let derive = |kernel: &str| {
//!     let source = Source::from_file(format!("{polybench}{kernel}.mlir"))?;
//!     Ok::<_, symloc::SymlocError>(ModelRequest::new().derive(&source)?.to_json())
//! };
//! let (gemm, lu) = (derive("gemm")?, derive("lu")?);
//! let at_once = std::thread::scope(|scope| {
//!     let threads = ["gemm", "lu", "lu", "lu", "gemm"].map(|kernel| scope.spawn(move || derive(kernel)));
//!     threads.map(|thread| thread.join().unwrap())
//! });
//! for (model, alone) in at_once.into_iter().zip([&gemm, &lu, &lu, &lu, &gemm]) {
//!     assert!(model? == *alone);
//! }
//! # Ok::<(), symloc::SymlocError>(())
//! ```

#![warn(clippy::missing_errors_doc)]

/// The Rust of the documentation, which is run as a test.
#[cfg(all(doctest, feature = "derive"))]
#[doc = include_str!("../../../docs/library.md")]
struct Documentation;

#[cfg(feature = "advise")]
mod advise;
mod error;
mod locality;
#[cfg(feature = "derive")]
mod request;
#[cfg(feature = "derive")]
mod source;

#[cfg(feature = "advise")]
pub use advise::{OrderCost, OrderQuestion, OrderSuggestions, SuggestedOrder};
pub use error::{ErrorPlace, SymlocError};
pub use locality::{CacheSize, Locality, SizeMisses};
#[cfg(feature = "derive")]
pub use request::ModelRequest;
#[cfg(feature = "derive")]
pub use source::{Language, Source};
#[cfg(feature = "derive")]
pub use symloc_affine::Layout;
pub use symloc_evaluate::{EvalError, Evaluator, Int, MissModel};
pub use symloc_model::ModelError;
