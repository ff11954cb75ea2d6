//! The derivation as a C library, for plug-ins of compilers.
//!
//! The interface, `include/symloc-derive.h`, is generated from [`mod@derive`] and [`options`] with their comments, which are
//! therefore written for C programmers. The functions of the evaluator, `symloc.h`, are those of `symloc-capi`; so is
//! the border to C: pointers that become values, and panics that become errors.

#![allow(unsafe_code, reason = "this crate is the border to C: pointers come in, and objects go out as pointers")]
#![allow(non_camel_case_types, reason = "the names of types are those of the header")]
#![allow(clippy::missing_safety_doc, reason = "the head of the header says what holds for all pointers")]

pub mod derive;
mod failure;
pub mod options;
