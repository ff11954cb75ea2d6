//! The library that derives, for C: programs in C, and the header.
//!
//! The modules are one binary, which does not link the library: programs load it. A new file needs a line here.

#[path = "../../capi/tests/common/generated.rs"]
mod generated;
mod header;
mod programs;
