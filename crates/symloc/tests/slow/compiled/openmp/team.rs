//! Misses of the threads of a recorded run, of lines that other threads wrote, and lines in false sharing, by definition.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

/// An access of the compiled program.
pub(super) struct TeamAccess {
    pub(super) phase: u64,
    pub(super) thread: usize,
    pub(super) address: u64,
    pub(super) writes: bool,
}

/// An access to a block.
pub(super) struct BlockReuse {
    pub(super) thread: usize,
    /// The number of other blocks that its thread has accessed since its own previous access to the block, if there is one.
    pub(super) distance: Option<u64>,
    /// True if another thread wrote the block in a phase between the two.
    pub(super) taken: bool,
}

/// Returns the reuse of each access, in blocks of `bytes` bytes.
pub(super) fn reuses(accesses: &[TeamAccess], threads: usize, bytes: u64) -> Vec<BlockReuse> {
    // By thread, its blocks in the order of its latest accesses, with their phases; by block, who wrote it in which phases.
    let mut stacks: Vec<Vec<(u64, u64)>> = vec![Vec::new(); threads];
    let mut writes = HashMap::<u64, Vec<(u64, usize)>>::new();
    let reuse = |access: &TeamAccess| {
        let TeamAccess { phase, thread, .. } = *access;
        let block = access.address / bytes;
        let stack = &mut stacks[thread];
        let previous = stack.iter().rposition(|(other, _)| *other == block);
        let distance = previous.map(|place| (stack.len() - 1 - place) as u64);
        let latest = previous.map(|place| stack.remove(place).1);
        stack.push((block, phase));
        let of_block = writes.entry(block).or_default();
        let since = |after: u64| of_block.iter().rev().take_while(move |(written, _)| *written > after);
        let taken = latest.is_some_and(|after| since(after).any(|(written, by)| *written < phase && *by != thread));
        if access.writes && of_block.last() != Some(&(phase, thread)) {
            of_block.push((phase, thread));
        }
        BlockReuse { thread, distance, taken }
    };
    accesses.iter().map(reuse).collect()
}

/// Returns the number of pairs of a phase and a block that several threads touch in it and one of them writes.
pub(super) fn falsely_shared(accesses: &[TeamAccess], bytes: u64) -> u64 {
    let mut touched = HashMap::<(u64, u64), (BTreeSet<usize>, bool)>::new();
    for access in accesses {
        let (threads, written) = touched.entry((access.phase, access.address / bytes)).or_default();
        threads.insert(access.thread);
        *written |= access.writes;
    }
    touched.values().filter(|(threads, written)| threads.len() > 1 && *written).count() as u64
}

/// The misses of caches with one capacity: of each thread alone, and those of all threads for lines that others wrote.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TeamMisses {
    pub(super) by_thread: Vec<u64>,
    pub(super) coherence: u64,
}

impl TeamMisses {
    pub(super) fn of(reuses: &[BlockReuse], threads: usize, capacity: u64) -> Self {
        let mut by_thread = vec![0; threads];
        let mut coherence = 0;
        for reuse in reuses {
            let hits = reuse.distance.is_some_and(|distance| distance < capacity);
            by_thread[reuse.thread] += u64::from(!hits);
            coherence += u64::from(hits && reuse.taken);
        }
        Self { by_thread, coherence }
    }

    /// Reads the answer of symloc for one cache.
    pub(super) fn read(level: &Value) -> Self {
        let by_thread = level["misses_by_thread"].as_array().unwrap().iter().map(|misses| misses.as_u64().unwrap());
        Self { by_thread: by_thread.collect(), coherence: level["coherence_misses"].as_u64().unwrap() }
    }
}
