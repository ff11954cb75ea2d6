//! The cost of a program in an order: misses, and how its innermost loops run.
//!
//! - [`innermost`]: the cost, by innermost loop,
//! - [`count`]: how often loops run; `recurrence`: how long their iterations wait for each other,
//! - [`misses`]: estimated or counted,
//! - `cycles`: the constants.

pub mod count;
pub(crate) mod cycles;
pub mod innermost;
pub mod misses;
mod recurrence;
