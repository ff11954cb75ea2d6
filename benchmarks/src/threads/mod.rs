//! Parallel programs: shared caches in random orders, and false sharing beside the time that two real threads take.

pub(crate) mod orders;
pub(crate) mod sharing;
