//! Replays affine programs at one size on caches.
//!
//! The time of simulation is proportional to the number of accesses. This crate saves time without changing any number: addresses
//! are stepped instead of computed; as long as the iterations of an innermost loop stay within the lines that they have just
//! used, they are counted and not run; and so are the iterations of a loop that repeat others on other blocks.
//!
//! ```text
//! Program ──Code::new(sizes)──▶ Code ──survey──▶ Survey ──MemoryMap::new──▶ MemoryMap
//!                                 ├──────────────footprint(memory)─────────▶ blocks
//!                                 └──────────────replay(memory, caches)────▶ Held
//! ```
//!
//! - [`code`]: the program at fixed sizes; `affine`: its expressions; `path`: its accesses, each by itself; `extreme`: their
//!   ranges,
//! - [`survey`](mod@survey): the accesses' numbers, order and ranges of subscripts,
//! - [`memory`]: the addresses of arrays; [`footprint`](mod@footprint): the number of their blocks that are touched,
//! - [`columns`](mod@columns): accesses that may use few sets,
//! - [`sampling`]: estimates from pieces of a run that is too long,
//! - [`replay`](mod@replay): the level of a hierarchy that holds the block of each access ([`Held`]); it runs
//!   innermost loops line by line, with a `cursor` for each access, and leaves out iterations that repeat,
//! - [`threads`]: parallel loops on several threads, each with caches of its own; every access is run.
//!
//! The trace interpreter of `symloc-sim`, which runs every access by itself, is the oracle for all of it.

#![warn(clippy::missing_errors_doc)]

mod affine;
pub mod code;
pub mod columns;
mod cursor;
pub mod error;
mod extreme;
pub mod footprint;
pub mod memory;
mod path;
pub mod replay;
pub mod sampling;
pub mod survey;
pub mod threads;

pub use code::Code;
pub use columns::{Column, columns};
pub use error::ReplayError;
pub use footprint::{footprint, footprint_at_most};

pub use memory::{MemoryLayout, MemoryMap};
pub use replay::replay_result::Held;
pub use replay::{Replaying, Warping, replay};
pub use sampling::{Estimate, EstimatedShare, Rates, Sampling, sample};
pub use survey::{Guess, Survey, executions};
pub use threads::interleave::Interleave;
pub use threads::threads_held::{ParallelWork, ThreadHeld, ThreadsHeld};
pub use threads::{Threading, footprint_on_threads, replay_on_threads};
