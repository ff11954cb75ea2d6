//! Orders that are legal, and programs in these orders.
//!
//! The modules are one binary, so that there is less to link and they run side by side. A new file needs a line here.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests and their helpers stop at the first surprise")]

mod interpreter;
mod legality;
mod orders;
mod races;
mod reductions;
