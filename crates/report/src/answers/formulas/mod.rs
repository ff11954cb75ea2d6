//! Answers for all sizes: formulas.
//!
//! - [`tables`]: the common parts of [`table`], the locality table, its [`shares`] for arrays, accesses and nests, and the [`bounds`] on
//!   the miss ratio;
//! - [`misses`]: the number of misses in the sizes and the cache, with its `roots`;
//! - [`profiles`]: the caches that matter, in leading terms; [`terms`]: in terms of more orders.

pub mod bounds;
pub mod digits;
pub mod misses;
pub mod profiles;
mod roots;
mod rows;
pub mod shares;
pub mod table;
pub mod tables;
pub mod terms;
