//! The oracle: what an affine program does, found by doing it.
//!
//! A [`Trace`] interprets a program at given sizes and hands out every access with the cache block it touches. All
//! measurements follow their definitions, access by access, and use nothing that any analysis has derived; that is what
//! makes them fit to check the analyses.
//!
//! - [`trace`]: the interpreter; beneath it `code` (the program at fixed sizes) and `place` (where arrays lie),

mod code;
pub mod error;
mod place;
pub mod trace;

pub use error::{CacheError, SimError};
pub use trace::{Block, LineAddress, Trace};
