//! The program as a user sees it.
//!
//! The modules are one binary, so that there is less to link and they run side by side. A new file needs a line here.

mod cli;
mod page;
mod pictures;
mod thread_curves;
