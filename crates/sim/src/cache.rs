//! Set-associative LRU caches.
//!
//! A cache has sets of equally many ways; a line goes to the set `address mod sets`, where it replaces the least
//! recently used line. One set is a fully associative cache. The number of sets need not be a power of two. Reads and
//! writes count alike (write-allocate), as in the paper. Addresses are those of [`LineAddress`].
//!
//! Several levels are simulated independently: each sees the full trace, not only the misses of the level before, as in
//! the paper.

use rustc_hash::FxHashMap;
use symloc_affine::Line;

use crate::error::{CacheError, SimError};
use crate::trace::{Block, LineAddress, Trace};

/// The shape of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cache {
    sets: u64,
    ways: u64,
    line: Line,
}

impl Cache {
    /// Creates a cache of `bytes` bytes with `ways` lines of `line_bytes` bytes per set.
    ///
    /// # Errors
    ///
    /// [`CacheError`] if a number is 0 or the sets are not whole.
    pub fn new(bytes: u64, ways: u64, line_bytes: u64) -> Result<Self, CacheError> {
        if bytes == 0 || ways == 0 || line_bytes == 0 {
            return Err(CacheError::Zero);
        }
        let set_bytes = ways.checked_mul(line_bytes).filter(|set_bytes| bytes.is_multiple_of(*set_bytes));
        let set_bytes = set_bytes.ok_or(CacheError::Sets { bytes, ways, line_bytes })?;
        Ok(Self { sets: bytes / set_bytes, ways, line: Line::Bytes(line_bytes) })
    }

    /// Creates a fully associative cache of `lines` lines; one without lines always misses.
    pub fn fully_associative(lines: u64, line: Line) -> Self {
        Self { sets: 1, ways: lines, line }
    }

    /// Returns the number of sets.
    pub fn sets(&self) -> u64 {
        self.sets
    }

    /// Returns the number of lines per set.
    pub fn ways(&self) -> u64 {
        self.ways
    }
}

/// The misses of a cache on a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Misses {
    /// The number of accesses.
    pub accesses: u64,
    /// The number of first touches, which miss in every cache.
    pub first_touches: u64,
    /// The number of misses, first touches included.
    pub misses: u64,
}

/// Runs the trace through each of the caches, which do not influence each other; one result per cache, in order.
///
/// # Errors
///
/// [`SimError::LineMismatch`] if the lines of a cache are not those of the trace, or as for [`Trace::for_each`].
pub fn simulate(trace: &Trace<'_>, caches: &[Cache]) -> Result<Vec<Misses>, SimError> {
    let mut states = States::new(trace, caches)?;
    trace.for_each_address(|_, block, line| states.access(block, line))?;
    Ok(states.finish())
}

/// The states of caches during one run of a trace.
pub(crate) struct States(Vec<State>);

impl States {
    pub(crate) fn new(trace: &Trace<'_>, caches: &[Cache]) -> Result<Self, SimError> {
        match caches.iter().find(|cache| cache.line != trace.line()) {
            Some(cache) => Err(SimError::LineMismatch { cache: cache.line, trace: trace.line() }),
            None => Ok(Self(caches.iter().map(|cache| State::new(*cache)).collect())),
        }
    }

    pub(crate) fn access(&mut self, block: Block, line: LineAddress) {
        self.0.iter_mut().for_each(|state| state.access(block, line));
    }

    pub(crate) fn finish(self) -> Vec<Misses> {
        self.0.into_iter().map(|state| state.result).collect()
    }
}

/// The state of a cache. Sets are numbered when a block first falls into them, so that the cost does not depend on the size.
struct State {
    cache: Cache,
    result: Misses,
    /// From `address mod sets` to the set's number.
    numbers: FxHashMap<u64, u32>,
    sets: Vec<CacheSet>,
    /// The entries of blocks, by number.
    entries: Vec<ListEntry>,
}

/// The lines of a set form a doubly linked list, most recent first.
#[derive(Clone, Copy)]
struct CacheSet {
    lines: u64,
    newest: u32,
    oldest: u32,
}

/// A block's place in the list of its set. The neighbours are valid only while it is cached.
#[derive(Clone, Copy)]
struct ListEntry {
    set: u32,
    cached: bool,
    newer: u32,
    older: u32,
}

/// The absence of a neighbour. No block has this number, as there are at most 2^31.
const NONE: u32 = u32::MAX;

impl State {
    fn new(cache: Cache) -> Self {
        let (numbers, sets, entries) = Default::default();
        Self { cache, result: Misses::default(), numbers, sets, entries }
    }

    fn access(&mut self, block: Block, line: LineAddress) {
        self.result.accesses += 1;
        if block.index() == self.entries.len() {
            self.result.first_touches += 1;
            let set = self.set_of(line);
            self.entries.push(ListEntry { set, cached: false, newer: NONE, older: NONE });
        }
        if self.entries[block.index()].cached {
            self.unlink(block.0);
        } else {
            self.result.misses += 1;
            self.make_room(self.entries[block.index()].set);
        }
        if self.cache.ways > 0 {
            self.push(block.0);
        }
    }

    fn set_of(&mut self, line: LineAddress) -> u32 {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(line.0 % self.cache.sets).or_insert(next);
        if number == next {
            self.sets.push(CacheSet { lines: 0, newest: NONE, oldest: NONE });
        }
        number
    }

    /// Evicts the oldest line of a full set.
    fn make_room(&mut self, set: u32) {
        let CacheSet { lines, oldest, .. } = self.sets[set as usize];
        if lines == self.cache.ways && oldest != NONE {
            self.unlink(oldest);
        }
    }

    fn unlink(&mut self, block: u32) {
        let ListEntry { set, newer, older, .. } = self.entries[block as usize];
        self.entries[block as usize].cached = false;
        let set = &mut self.sets[set as usize];
        set.lines -= 1;
        match newer {
            NONE => set.newest = older,
            _ => self.entries[newer as usize].older = older,
        }
        match older {
            NONE => set.oldest = newer,
            _ => self.entries[older as usize].newer = newer,
        }
    }

    /// Makes the block the newest of its set.
    fn push(&mut self, block: u32) {
        let set = &mut self.sets[self.entries[block as usize].set as usize];
        set.lines += 1;
        let older = std::mem::replace(&mut set.newest, block);
        match older {
            NONE => set.oldest = block,
            _ => self.entries[older as usize].newer = block,
        }
        let entry = &mut self.entries[block as usize];
        (entry.cached, entry.newer, entry.older) = (true, NONE, older);
    }
}
