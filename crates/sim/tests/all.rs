//! The interpreter beside definitions, and the programs that tests draw.
//!
//! The modules are one binary, so that there is less to link and they run side by side. A new file needs a line here.

mod bracketed;
mod definitions;
mod examples;
mod random_programs;
mod threads;
