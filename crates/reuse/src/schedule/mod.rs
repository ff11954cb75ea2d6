//! The order of executions: when each access executes, and how many accesses come before.
//!
//! - [`timestamps`]: when and where each access executes, and which block it touches;
//! - [`rank`], `earlier`: how many accesses come before;
//! - [`alike`]: nests that are equal, and accesses that are reused alike;
//! - [`counters`]: loops with a step, counted in steps, for previous accesses;
//! - `started`: statements with the start of a line, `rows`: those of rows in memory;
//! - [`coordinates`]: the program in the variables in which blocks are affine.

pub mod alike;
pub mod coordinates;
pub mod counters;
mod earlier;
pub mod rank;
pub(crate) mod rows;
pub(crate) mod started;
pub mod timestamps;
