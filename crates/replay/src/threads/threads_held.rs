//! The result of a run on threads.

use symloc_cache::{CoherenceTraffic, LostLine, ThreadOutcome, Traffic};

/// The levels that held the blocks requested by the threads of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadsHeld {
    /// By thread.
    pub threads: Vec<ThreadHeld>,
    /// By shared level, the traffic.
    pub shared: Vec<Traffic>,
    /// The messages between the threads' own levels.
    pub coherence: CoherenceTraffic,
    /// The work in parallel loops.
    pub work: ParallelWork,
}

/// The numbers of accesses in parallel loops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParallelWork {
    /// All of them.
    pub all: u64,
    /// Those of the thread with the most, summed over all phases.
    pub busiest: u64,
}

/// The levels that held the blocks requested by one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadHeld {
    /// By access of the program's text, the number of times that each of the thread's own levels was the nearest with the line,
    /// valid or not; and, last, that none of them had it. So it would be if the thread were alone.
    pub by_access: Vec<Vec<u64>>,
    /// By access of the text, the number of times that the line was invalid by true sharing, by the nearest level that had it.
    pub true_sharing: Vec<Vec<u64>>,
    /// By access of the text, the number of times that the line was invalid by false sharing, by the nearest level that had it.
    pub false_sharing: Vec<Vec<u64>>,
    /// By shared level, the number of requests for blocks that it held; and, last, for those that none held.
    pub shared: Vec<u64>,
    /// The number of distinct blocks that it accesses.
    pub blocks: u64,
    /// By own level, the traffic, as if the thread were alone.
    pub traffic: Vec<Traffic>,
}

impl ThreadsHeld {
    /// Returns the number of accesses.
    pub fn accesses(&self) -> u64 {
        self.threads.iter().map(ThreadHeld::accesses).sum()
    }
}

impl ThreadHeld {
    /// Creates the counts of a thread that has run nothing.
    pub(crate) fn new(accesses: usize, own_levels: usize, shared_levels: usize) -> Self {
        Self {
            by_access: vec![vec![0; own_levels + 1]; accesses],
            true_sharing: vec![vec![0; own_levels]; accesses],
            false_sharing: vec![vec![0; own_levels]; accesses],
            shared: vec![0; shared_levels + 1],
            blocks: 0,
            traffic: Vec::new(),
        }
    }

    /// Counts an access of the text.
    pub(crate) fn count(&mut self, access: usize, outcome: ThreadOutcome) {
        let ThreadOutcome { own, lost, shared } = outcome;
        self.by_access[access][own] += 1;
        match lost {
            Some(LostLine::TrueSharing) => self.true_sharing[access][own] += 1,
            Some(LostLine::FalseSharing) => self.false_sharing[access][own] += 1,
            None => {}
        }
        if let Some(level) = shared {
            self.shared[level] += 1;
        }
    }

    /// Returns the number of accesses.
    pub fn accesses(&self) -> u64 {
        self.by_access.iter().flatten().sum()
    }

    /// Returns the number of accesses to blocks that neither this own level nor those before it had a line of.
    pub fn misses(&self, level: usize) -> u64 {
        self.by_access.iter().flat_map(|held| &held[level + 1..]).sum()
    }

    /// Returns the number of accesses that would hit this own level, or one before it, were the line not invalid by true sharing.
    pub fn true_sharing(&self, level: usize) -> u64 {
        self.true_sharing.iter().flat_map(|lost| &lost[..=level]).sum()
    }

    /// Returns the number of accesses that would hit this own level, or one before it, were the line not invalid by false sharing.
    pub fn false_sharing(&self, level: usize) -> u64 {
        self.false_sharing.iter().flat_map(|lost| &lost[..=level]).sum()
    }

    /// Returns the number of accesses to blocks that neither this shared level, from 0, nor any before it held for this thread.
    pub fn shared_misses(&self, level: usize) -> u64 {
        self.shared[level + 1..].iter().sum()
    }
}
