//! Errors of the caches of threads.

use crate::geometry::GeometryError;

/// The reasons why threads cannot have such caches. Levels count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ThreadCachesError {
    /// A cache cannot be built.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// A level of each thread that prefetches.
    #[error(
        "level {level} prefetches: levels that each thread has for itself are not simulated so; leave `prefetch` out"
    )]
    Prefetch {
        /// The level.
        level: usize,
    },
    /// A level of each thread that does not write back.
    #[error(
        "level {level} does not write back: levels that each thread has for itself are not simulated so; leave `through` and \
         `no-allocate` out"
    )]
    Writes {
        /// The level.
        level: usize,
    },
    /// A shared level whose lines depend on those before it.
    #[error(
        "level {level} is shared, and its lines would depend on those of each thread: this is not simulated; leave `inclusive` and \
         `exclusive` out"
    )]
    Inclusion {
        /// The level.
        level: usize,
    },
}
