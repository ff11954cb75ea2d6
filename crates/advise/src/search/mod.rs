//! The search in a nest.
//!
//! - [`choices`]: the moves that are tried, and their cycles; [`shapes`]: permutations and tiles,
//! - [`combinations`]: the cheapest moves of all nests together.

pub(crate) mod choices;
pub(crate) mod combinations;
mod shapes;
