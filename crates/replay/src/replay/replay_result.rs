//! The result of a replay.

use symloc_cache::Traffic;

/// The levels that held the blocks requested by a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// By access of the program's text, the number of times that each level held the block, and memory, which is last.
    pub by_access: Vec<Vec<u64>>,
    /// By array, the number of written blocks that each level passed on when they were evicted.
    pub write_backs: Vec<Vec<u64>>,
    /// By level, the traffic.
    pub traffic: Vec<Traffic>,
    /// The number of accesses that were run, and not only counted.
    pub run: u64,
}

impl Held {
    /// Returns the number of accesses that missed a level.
    pub fn misses(&self, level: usize) -> u64 {
        self.by_access.iter().map(|held| held[level + 1..].iter().sum::<u64>()).sum()
    }

    /// Returns the number of accesses.
    pub fn accesses(&self) -> u64 {
        self.by_access.iter().flatten().sum()
    }
}
