//! Answers over the number of threads.
//!
//! - [`curve`]: misses and traffic on each number of threads,
//! - [`roofline`]: the most operations per second that the cores of a machine allow with that traffic.

pub mod curve;
pub mod roofline;
