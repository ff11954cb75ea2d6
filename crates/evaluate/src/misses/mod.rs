//! Misses at a size, from the sums (`cumulative`) of intervals and of distances.
//!
//! | file | contents |
//! |---|---|
//! | [`prediction`] | of all accesses, in fully associative caches: by distance, or by interval |
//! | [`reuses`] | the number of reuses beyond a value |
//! | [`coherence`] | the reuses that other threads invalidate |
//! | [`write_backs`] | the lines that are written back |
//! | [`threads`] | of several threads together |
//! | `working_set`, `survey` | Denning's window of a cache |
//! | [`attribution`] | by access |
//! | [`smith`], [`conflicts`] | estimates for set-associative caches |
//! | [`curve`](mod@curve) | over all cache sizes |
//! | [`histogram`] | over all cache sizes, from a histogram |

pub mod attribution;
pub mod coherence;
pub mod conflicts;
pub mod curve;
pub mod histogram;
pub mod prediction;
pub mod reuses;
pub mod smith;
mod survey;
pub mod threads;
pub(crate) mod working_set;
pub mod write_backs;
