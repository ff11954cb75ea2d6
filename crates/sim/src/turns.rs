//! Which thread runs which iteration of a parallel loop, and the phases between barriers.
//!
//! A run alternates between sequential code, which thread 0 runs, and parallel loops, whose iterations all threads share. Each
//! stretch of either is a *phase*: there is a barrier before and after a parallel loop. A parallel loop inside a parallel loop is
//! run by the thread that reaches it.

use symloc_affine::Schedule;

/// The place of an access in a run on threads. Sorted by it, phases follow each other, and in a parallel loop the threads go in
/// lockstep: the first iteration of each, then the second of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadTurn {
    /// The number of barriers before it.
    pub phase: u64,
    /// In a parallel loop, the number of iterations that its thread has run before this one; 0 in sequential code.
    pub iteration: u64,
    /// The thread, from 0.
    pub thread: u32,
}

/// Some threads during a run.
pub(crate) struct Team {
    /// `None` if all loops are run sequentially.
    threads: Option<u32>,
    inside: bool,
    pub(crate) turn: ThreadTurn,
}

impl Team {
    /// Creates a team that runs all loops sequentially.
    pub(crate) fn alone() -> Self {
        Self { threads: None, inside: false, turn: ThreadTurn::default() }
    }

    /// Creates a team of threads, at least one.
    pub(crate) fn of(threads: u32) -> Self {
        Self { threads: Some(threads), ..Self::alone() }
    }

    /// Returns the number of threads that share the next parallel loop; `None` if it is run sequentially.
    pub(crate) fn sharers(&self) -> Option<u32> {
        self.threads.filter(|_| !self.inside)
    }

    /// Begins a parallel loop, after a barrier.
    pub(crate) fn fork(&mut self) {
        self.inside = true;
        self.turn = ThreadTurn { phase: self.turn.phase + 1, ..ThreadTurn::default() };
    }

    /// Lets a thread run, from its first iteration.
    pub(crate) fn switch(&mut self, thread: u32) {
        (self.turn.thread, self.turn.iteration) = (thread, 0);
    }

    /// Ends an iteration of a parallel loop.
    pub(crate) fn next_iteration(&mut self) {
        self.turn.iteration += 1;
    }

    /// Ends a parallel loop, with a barrier.
    pub(crate) fn join(&mut self) {
        self.inside = false;
        self.turn = ThreadTurn { phase: self.turn.phase + 1, ..ThreadTurn::default() };
    }
}

/// Returns the thread of each of `count` iterations, in their order.
pub(crate) fn owners(schedule: Schedule, count: u64, threads: u32) -> Vec<u32> {
    match schedule {
        Schedule::Chunks(size) => (0..count).map(|k| (k / size.max(1) % u64::from(threads)) as u32).collect(),
        Schedule::Blocks => {
            let (each, more) = (count / u64::from(threads), count % u64::from(threads));
            let of = |thread: u32| (0..each + u64::from(u64::from(thread) < more)).map(move |_| thread);
            (0..threads).flat_map(of).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_deal_iterations() {
        assert_eq!(owners(Schedule::Blocks, 8, 3), [0, 0, 0, 1, 1, 1, 2, 2]);
        assert_eq!(owners(Schedule::Blocks, 2, 3), [0, 1]);
        assert_eq!(owners(Schedule::Chunks(1), 5, 2), [0, 1, 0, 1, 0]);
        assert_eq!(owners(Schedule::Chunks(2), 9, 3), [0, 0, 1, 1, 2, 2, 0, 0, 1]);
        assert_eq!(owners(Schedule::Chunks(100), 3, 3), [0, 0, 0]);
    }
}
