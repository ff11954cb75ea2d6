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

/// Returns a third of a number of random programs, and all of them where `SYMLOC_LONG` is set, as `./check long` does.
fn share(all: u64) -> u64 {
    if std::env::var_os("SYMLOC_LONG").is_some() { all } else { all / 3 }
}
