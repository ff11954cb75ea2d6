//! The page that explores a model: one file with the evaluator in it, as WebAssembly, and no network.
//!
//! ```text
//! symloc curve --html ──document::document──▶ page ── questions in JSON ──▶ Session (in WebAssembly)
//!                       (table, scaling laws,     ◀── answers in JSON ────
//!                        source, first picture)
//! ```
//!
//! What does not depend on sizes and caches is put into the page when it is written: [`document`]. What does is asked of a
//! [`Session`], which is this crate compiled for `wasm32-unknown-unknown`; its answers are the JSON that the commands print. The
//! border to the page is `abi`, three functions. A page without WebAssembly keeps its first picture, and the numbers under the pointer.
//!
//! `crates/page/page.wasm.gz` is in the repository so that nobody needs a compiler for WebAssembly; `crates/page/build` makes it, and a
//! test compares the sources that it was made from.

#[cfg(target_family = "wasm")]
mod abi;
#[cfg(not(target_family = "wasm"))]
pub mod document;
mod question;
mod session;

pub use session::Session;
