//! Misses at a size, from the sums (`cumulative`) of intervals and of distances.
//!
//! | file | contents |
//! |---|---|
//! | [`locality`] | fully associative, by Denning's window: from the sums of reuse intervals |
//! | [`denning`] | fully associative, by Denning's window: from a histogram, point by point |
//! | [`lru`] | fully associative LRU, exact: from reuse distances |
//! | [`prediction`] | either of them, by the name of the model |
//! | [`smith`], [`conflicts`] | estimates for set-associative caches |
//! | [`attribution`] | by access |
//! | [`curve`](mod@curve) | over all cache sizes |

pub mod attribution;
pub mod conflicts;
pub mod curve;
pub mod denning;
pub mod locality;
pub mod lru;
pub mod prediction;
pub mod smith;
