//! The evaluator as a C library, for autotuners and compilers.
//!
//! The interface, `include/symloc.h`, is generated from this crate with its comments, which are therefore written for C
//! programmers. Functions whose names begin with `symloc_` are those of the header. `docs/c-api.md` explains how to
//! link the library.
//!
//! ```text
//! file, text ──▶ symloc_model ──line size──▶ symloc_evaluator ──size──▶ symloc_prediction ──lines──▶ symloc_misses
//!                                                             ──size──▶ symloc_histogram ──▶ symloc_bin
//! ```
//!
//! Three places deal with things that C may do and Rust may not:
//!
//! - `border`: pointers become values, and panics become errors,
//! - `prepared`: an evaluator that keeps the model it borrows,
//! - the functions themselves, each of which hands its pointers to `border` and does nothing else with them.
//!
//! The functions of the header are in [`model`], [`evaluator`], [`prediction`], [`query`] and [`histogram`]; errors are
//! in [`status`] and [`error`], the versions in [`version`].
//!
//! **No state.** There are no variables outside the objects that are handed out, and objects do not change, except for
//! cached values behind atomics and locks. So several threads may use an object at once.

#![allow(unsafe_code, reason = "this crate is the border to C: pointers come in, and objects go out as pointers")]
#![allow(non_camel_case_types, reason = "the names of types are those of the header")]
#![allow(clippy::missing_safety_doc, reason = "the head of the header says what holds for all pointers")]

pub mod border;
pub mod error;
pub mod evaluator;
pub mod histogram;
pub mod model;
mod names;
mod number;
pub mod owned;
pub mod prediction;
mod prepared;
pub mod query;
pub mod status;
pub mod version;
