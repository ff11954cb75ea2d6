//! Parallel programs: shared caches in random orders, false sharing beside the time that two real threads take, and the
//! times of derivations and questions.

pub(crate) mod orders;
pub(crate) mod sharing;
pub(crate) mod times;
