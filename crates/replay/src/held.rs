//! What a replay finds.

use symloc_cache::Traffic;

/// What some caches held of what a program asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// By access of the program's text, how often each level held the block, and memory, which is last.
    pub by_access: Vec<Vec<u64>>,
    /// By array, how many written blocks each level passed on when they made room.
    pub write_backs: Vec<Vec<u64>>,
    /// By level, what went in and out.
    pub traffic: Vec<Traffic>,
    /// How many accesses were run, and not only counted.
    pub run: u64,
}

impl Held {
    /// How many accesses missed a level.
    pub fn misses(&self, level: usize) -> u64 {
        self.by_access.iter().map(|held| held[level + 1..].iter().sum::<u64>()).sum()
    }

    /// How many accesses there were.
    pub fn accesses(&self) -> u64 {
        self.by_access.iter().flatten().sum()
    }
}
