//! The cost of an order with misses that a model predicts.

use symloc_schedule::Generated;

use crate::cost::cycles::MissCycles;
use crate::cost::innermost::{Cost, Costed, LevelMisses};
use crate::nest::Nests;

/// Returns the cost of a program in an order at one size. `by_access` has the misses of each access of the order's program,
/// for each level.
pub fn cost_of_misses(generated: &Generated, nests: &Nests, sizes: &[i64], by_access: &[Vec<f64>]) -> Cost {
    let costed = Costed::new(generated, nests, sizes);
    let levels = by_access.iter().enumerate();
    let misses = levels.map(|(level, misses)| LevelMisses::of_accesses(&costed, MissCycles::of_level(level), misses));
    costed.with_misses(misses.collect(), true)
}
