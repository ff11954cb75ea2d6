//! The oracle: measures an affine program by running it.
//!
//! A [`Trace`] interprets a program at given sizes and visits every access with the cache block it touches. All measurements
//! follow their definitions, access by access, and use no result of any analysis; therefore they can check the analyses.
//!
//! - [`trace`]: the interpreter; beneath it `code` (the program at fixed sizes) and `place` (the placement of arrays),
//! - [`intervals`]: reuse intervals under infinite repeat,
//! - [`distances`]: reuse distances, in total and by access, and the misses of fully associative LRU caches,
//! - [`reuses`]: intervals and distances by the two accesses that they are between,
//! - [`cache`]: set-associative LRU caches,
//! - [`threads`]: parallel loops on several threads: reuse and misses of each, true and false sharing; beneath it `turns`, which
//!   gives iterations to threads,
//! - [`passes`](mod@passes): the number of passes of marks,
//! - [`survey`]: intervals, distances and caches in one run,
//! - `random` (feature `random`): random programs for tests.
//!
//! ```
//! use symloc_affine::builder::ProgramBuilder;
//! use symloc_affine::{Layout, Line};
//! use symloc_sim::{DistanceHistogram, Trace};
//!
//! let mut b = ProgramBuilder::new("twice");
//! let n = b.param("n");
//! let x = b.array("x", 8, 1);
//! b.for_("pass", 0, 2, |b, _| b.for_("i", 0, n, |b, i| _ = b.read(x, [i])));
//! let program = b.build();
//!
//! let trace = Trace::new(&program, &[64], Layout::Rows, Line::Bytes(64))?;
//! let distances = DistanceHistogram::of(&trace)?;
//! assert_eq!((distances.accesses, distances.first_touches), (128, 8));
//! assert_eq!((distances.misses(7), distances.misses(8)), (16, 8));
//! # Ok::<(), symloc_sim::SimError>(())
//! ```

#![warn(clippy::missing_errors_doc)]

pub mod cache;
mod code;
pub mod distances;
pub mod error;
pub mod intervals;
pub mod passes;
mod place;
#[cfg(feature = "random")]
pub mod random;
pub mod reuses;
pub mod survey;
pub mod threads;
pub mod trace;
mod turns;
pub mod writes;

pub use cache::{Cache, Misses, simulate};
pub use distances::DistanceHistogram;
pub use error::{CacheError, SimError};
pub use intervals::IntervalHistogram;
pub use passes::{Passes, passes};
pub use reuses::ByReuse;
pub use survey::{Survey, Surveyed};
pub use threads::{ThreadAccess, ThreadReuse, ThreadSurvey, ThreadTrace};
pub use trace::{Block, LineAddress, Trace};
pub use turns::ThreadTurn;
pub use writes::WriteHistogram;
