//! Caches as they are built: sets of ways, a replacement policy, write-backs, levels behind each other.
//!
//! A cache sees *blocks*: numbers of cache lines, that is, addresses divided by the line size. This crate knows no programs; other crates
//! run programs on caches.
//!
//! - [`geometry`]: sets, ways, and the set that a block belongs to,
//! - [`policy`]: the choice of the line that a full set evicts ([`Lru`], [`Fifo`], [`TreePlru`], [`Qlru`], [`Random`]),
//! - [`level`]: one cache, with the lines that were written; [`associative`]: a cache of a single large set, [`whole`]: with its traffic,
//! - [`hierarchy`]: caches behind each other, [`traffic`]: what they take and pass on,
//! - [`splitmix`]: pseudorandom numbers,
//! - [`caches`]: the common interface of all kinds of caches, [`mod@build`]: the kind for a design,
//! - [`coherence`]: caches of several threads: those of each, kept coherent, and those that they share.
//!
//! ```
//! use symloc_cache::{Geometry, IndexFunction, Level, LineState, Lru, Outcome, Request};
//!
//! // 32 KiB in lines of 64 bytes: 64 sets of 8 ways.
//! let geometry = Geometry::new(512, 8, IndexFunction::Modulo)?;
//! let mut cache = Level::new(geometry, Lru)?;
//! assert!(!cache.access(0, Request::Read).is_hit());
//! assert!(cache.access(0, Request::Write).is_hit());
//!
//! // Blocks that are 64 apart share a set; the ninth drives out the first, which was written.
//! let outcomes: Vec<Outcome> = (1..=8).map(|k| cache.access(64 * k, Request::Read)).collect();
//! assert_eq!(outcomes[7].write_back(), Some((0, LineState::Dirty)));
//! # Ok::<(), symloc_cache::GeometryError>(())
//! ```

#![warn(clippy::missing_errors_doc)]

pub mod associative;
pub mod build;
pub mod caches;
pub mod coherence;
pub mod geometry;
pub mod hierarchy;
pub mod level;
pub mod policy;
pub mod splitmix;
pub mod traffic;
pub mod whole;

pub use associative::Associative;
pub use build::{OnCaches, build};
pub use caches::{Caches, Single};
pub use coherence::ThreadCaches;
pub use coherence::error::ThreadCachesError;
pub use coherence::outcome::{CoherenceTraffic, LostLine, MesiState, ThreadOutcome, ThreadRequest};
pub use geometry::{Geometry, GeometryError, IndexFunction};
pub use hierarchy::{Design, Hierarchy, Inclusion, Replacement, Writes};
pub use level::{Level, LineState, Outcome, Request};
pub use policy::{Fifo, Lru, Policy, Qlru, Random, TreePlru};
pub use traffic::Traffic;
pub use whole::Whole;
