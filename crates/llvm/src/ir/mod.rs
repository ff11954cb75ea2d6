//! LLVM's IR as the other rooms see it, below all of them: instructions and types ([`ffi`]), natural loops and joins
//! ([`cfg`]), functions that are known by name ([`library`]), names and places in the source ([`places`]).

pub(crate) mod cfg;
pub(crate) mod ffi;
pub(crate) mod library;
pub(crate) mod places;
