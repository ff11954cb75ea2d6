//! The loops whose iterations threads share, and which thread runs which.

/// The loops whose iterations threads share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParallelLoops {
    /// The number of loops, at least 1: this loop and those directly in it, one in the other. Their iterations are one
    /// sequence, in the order of the program.
    pub loops: u32,
    /// The shares of threads in the sequence.
    pub schedule: Schedule,
}

impl From<Schedule> for ParallelLoops {
    /// Returns a single loop with this schedule.
    fn from(schedule: Schedule) -> Self {
        Self { loops: 1, schedule }
    }
}

/// The shares of threads in the iterations of a parallel loop (OpenMP's static schedules).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Schedule {
    /// One block of neighbouring iterations for each thread. The numbers of iterations differ by at most one, and the
    /// first threads have more.
    Blocks,
    /// Chunks of so many neighbouring iterations, at least one, dealt to the threads in turn.
    Chunks(u64),
}
