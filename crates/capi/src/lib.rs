//! The evaluator for C: what an autotuner or a compiler links.
//!
//! `include/symloc.h` is the interface, and is made of this crate: its words are the comments here, so they are written for
//! those who read C. A function that starts with `symloc_` is one of the header. `docs/c-api.md` says how to link it.
//!
//! ```text
//! file, text ──▶ symloc_model ──line size──▶ symloc_evaluator ──size──▶ symloc_prediction ──lines──▶ symloc_misses
//!                                                             ──size──▶ symloc_histogram ──▶ symloc_bin
//! ```
//!
//! What C may do and Rust may not is met in three places:
//!
//! - `border`: pointers become values, and panics become errors,
//! - `prepared`: an evaluator that keeps the model it borrows,
//! - the functions themselves, each of which hands its pointers to `border` and does nothing else with them.
//!
//! What C calls is in [`model`], [`evaluator`], [`prediction`], [`query`] and [`histogram`]; how it fails is in [`status`] and
//! [`error`], which library it is in [`version`].
//!
//! **No state.** There is no variable outside the objects that are handed out, and what these hold does not change, but for
//! what is computed once and kept, behind atomics and locks. So every object may be asked by several threads at once.

#![allow(unsafe_code, reason = "this crate is the border to C: pointers come in, and objects go out as pointers")]
#![allow(non_camel_case_types, reason = "the names of types are those of the header")]
#![allow(clippy::missing_safety_doc, reason = "the head of the header says what holds for all pointers")]

mod border;
pub mod error;
pub mod evaluator;
pub mod histogram;
pub mod model;
mod names;
mod number;
mod owned;
pub mod prediction;
mod prepared;
pub mod query;
pub mod status;
pub mod version;
