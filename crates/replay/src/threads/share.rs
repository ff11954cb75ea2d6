//! The iterations of a parallel loop that each thread runs.

use symloc_affine::Schedule;

/// The part of a parallel loop that one thread runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoopShare {
    schedule: Schedule,
    /// The number of iterations of the loop.
    count: u64,
    threads: u64,
    thread: u64,
}

impl LoopShare {
    /// Creates the share of a thread in a loop of `count` iterations.
    pub(crate) fn new(schedule: Schedule, count: u64, threads: usize, thread: usize) -> Self {
        Self { schedule, count, threads: threads as u64, thread: thread as u64 }
    }

    /// Returns the number of its iterations.
    pub(crate) fn len(&self) -> u64 {
        let Self { count, threads, thread, .. } = *self;
        let dealt = |things: u64| things / threads + u64::from(thread < things % threads);
        match self.schedule {
            Schedule::Blocks => dealt(count),
            Schedule::Chunks(size) => {
                let (chunks, rest) = (count / size, count % size);
                dealt(chunks) * size + if chunks % threads == thread { rest } else { 0 }
            }
        }
    }

    /// Returns the number in the loop of one of its iterations, both from 0.
    pub(crate) fn iteration(&self, number: u64) -> u64 {
        let Self { count, threads, thread, .. } = *self;
        match self.schedule {
            Schedule::Blocks => count / threads * thread + thread.min(count % threads) + number,
            Schedule::Chunks(size) => (number / size * threads + thread) * size + number % size,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every iteration belongs to one thread, and each thread runs its own in their order.
    #[test]
    fn shares_are_a_partition() {
        let chunks = [1, 2, 3, 5, 64, u64::MAX].map(Schedule::Chunks);
        for schedule in chunks.into_iter().chain([Schedule::Blocks]) {
            for (count, threads) in (0..40).flat_map(|count| [1, 2, 3, 7, 16, 64].map(|threads| (count, threads))) {
                let shares = (0..threads).map(|thread| LoopShare::new(schedule, count, threads, thread));
                let of = |share: LoopShare| (0..share.len()).map(|number| share.iteration(number)).collect::<Vec<_>>();
                let shares: Vec<_> = shares.map(of).collect();
                assert!(shares.iter().all(|share| share.is_sorted()));
                let mut all = shares.concat();
                all.sort_unstable();
                assert_eq!(all, (0..count).collect::<Vec<_>>(), "{schedule:?} {count} {threads}");
                let lengths = shares.iter().map(Vec::len);
                if schedule == Schedule::Blocks {
                    assert!(shares.concat().is_sorted() && lengths.clone().is_sorted_by(|a, b| a >= b));
                    assert!(lengths.clone().max().unwrap_or(0) - lengths.min().unwrap_or(0) <= 1);
                }
            }
        }
    }
}
