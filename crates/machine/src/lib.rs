//! Caches as people write them, and the machines that have them.
//!
//! - [`ranges`]: several numbers at once, `64..4096:*2`, whatever a number looks like,
//! - [`cache`]: one cache, `48KiB,12,64`, or several of different sizes,
//! - [`machine`]: the caches of this machine or of one that a file describes, and how fast it is,
//! - [`levels`]: hierarchies of such caches.
//!
//! Nothing here knows a command: what cannot be had is a [`CacheRequestError`] or a [`DescriptionError`], and what to do about
//! it is said by who asked.

pub mod cache;
mod error;
pub mod levels;
pub mod machine;
pub mod ranges;
mod rates;

pub use cache::{Build, Cache, CacheRange, Capacity};
pub use error::CacheRequestError;
pub use levels::{Levels, NamedCache};
pub use machine::{DescriptionError, Machine, MachineLevel, Speed};
