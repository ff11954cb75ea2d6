//! Misses by array.

use serde::Serialize;

/// The misses of one array at each level.
#[derive(Clone, Debug, Serialize)]
pub struct ArrayMisses {
    /// The array.
    pub name: String,
    /// By level, the misses.
    pub misses: Vec<f64>,
}
