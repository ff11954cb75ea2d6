//! Derivations beside the trace interpreter.
//!
//! The modules are one binary, so that there is less to link and they run side by side. A new file needs a line here.

mod alike;
mod executions;
mod lines;
mod memory;
mod oracle;
mod random_threads;
mod threads;
mod tiles;
mod totals;
mod write_backs;
