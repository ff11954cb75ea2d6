//! The search in a nest.
//!
//! - [`choices`]: the moves that are tried, and their cycles; [`permutations`] of loops, [`shapes`] of tiles,
//! - [`combinations`]: the cheapest moves of all nests together.

pub(crate) mod choices;
pub(crate) mod combinations;
pub(crate) mod permutations;
mod shapes;
