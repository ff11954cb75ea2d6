//! The page that explores a model: one file with the evaluator in it, as WebAssembly, and no network.
//!
//! ```text
//! symloc curve --html ──document::document──▶ page ── questions in JSON ──▶ Session (in WebAssembly)
//!                       (table, scaling laws,     ◀── answers in JSON ────
//!                        source, first picture)
//! ```
//!
//! Texts that do not depend on sizes and caches are put into the page when it is written: [`document`]. The others are requested
//! from a [`Session`], which is this crate compiled for `wasm32-unknown-unknown`; its answers are the JSON that the commands
//! print. The interface to the page is `abi`, three functions. A page without WebAssembly keeps its first picture, and the
//! numbers under the pointer.
//!
//! `crates/page/page.wasm.gz` is in the repository so that no compiler for WebAssembly is needed; `crates/page/build` makes it,
//! and a test compares the sources from which it was made.

#[cfg(target_family = "wasm")]
mod abi;
#[cfg(not(target_family = "wasm"))]
pub mod document;
mod predicted;
mod question;
mod session;

pub use session::Session;
