//! Misses at a size, from the sums (`cumulative`) of intervals and of distances.
//!
//! | file | contents |
//! |---|---|
//! | [`working_set`] | fully associative, by Denning's window: from the sums of reuse intervals |
//! | [`histogram`] | fully associative, by Denning's window: from a histogram, point by point |
//! | [`reuses`] | fully associative LRU, exact: from reuse distances |
//! | [`prediction`] | either of them, by the name of the model |
//! | [`smith`], [`conflicts`] | estimates for set-associative caches |
//! | [`attribution`] | by access |
//! | [`curve`](mod@curve) | over all cache sizes |

pub mod attribution;
pub mod conflicts;
pub mod curve;
pub mod histogram;
pub mod prediction;
pub mod reuses;
pub mod smith;
mod survey;
pub mod working_set;
