//! Models at a size: closed forms, curves, files of all versions and damaged ones.
//!
//! The modules are one binary, so that there is less to link and they run side by side. A new file needs a line here.

mod closed;
mod curve;
mod files;
mod mutated;
mod symbolic_line;
mod threads;
