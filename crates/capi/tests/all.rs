//! The library for C: calls from Rust and from C.
//!
//! The modules are one binary, so that there is less to link and they run side by side. A new file needs a line here.

mod common;
mod damaged;
mod header;
mod messages;
mod programs;
