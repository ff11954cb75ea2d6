//! Caches in the notation of users, and the machines that have them.
//!
//! - [`ranges`]: several numbers at once, `64..4096:*2`, for any notation of numbers,
//! - [`cache`]: one cache, `48KiB,12,64`, or several of different sizes,
//! - [`machine`]: the caches and the speed of this machine or of one that a file describes,
//! - [`levels`]: hierarchies of such caches.
//!
//! This crate knows no commands: its errors are [`CacheRequestError`] and [`DescriptionError`], and the caller explains the remedy.

pub mod cache;
mod error;
pub mod levels;
pub mod machine;
pub mod ranges;
mod rates;

pub use cache::{Build, Cache, CacheRange, Capacity};
pub use error::CacheRequestError;
pub use levels::{Levels, NamedCache};
pub use machine::{DescriptionError, Machine, MachineLevel, NoCommonBandwidth, SourceRate, Speed};
