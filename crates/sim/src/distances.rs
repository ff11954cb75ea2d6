//! Reuse distances, and with them the misses of every fully associative LRU cache at once.
//!
//! The distance of an access t is the number of distinct blocks touched strictly between prev(t) and t. A fully
//! associative LRU cache of C blocks misses exactly when the distance is at least C or t is a first touch
//! (Mattson et al., "Evaluation techniques for storage hierarchies", 1970).

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use symloc_affine::AccessId;

use crate::error::SimError;
use crate::trace::{Block, Trace};

/// The histogram of reuse distances.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DistanceHistogram {
    /// The number of accesses.
    pub accesses: u64,
    /// The number of accesses to a block that was never touched before.
    pub first_touches: u64,
    /// From each distance to the number of accesses that have it.
    pub distances: BTreeMap<u64, u64>,
}

impl DistanceHistogram {
    /// Measures the histogram of a whole trace.
    ///
    /// # Errors
    ///
    /// As for [`Trace::for_each`].
    pub fn of(trace: &Trace<'_>) -> Result<Self, SimError> {
        let mut tally = Tally::default();
        measure(trace, |_, distance| tally.count(distance))?;
        Ok(tally.finish())
    }

    /// Measures one histogram per access of the program's text, in the order of [`AccessId`]s. They add up to [that of the
    /// trace](Self::of).
    ///
    /// # Errors
    ///
    /// As for [`Trace::for_each`].
    pub fn by_access(trace: &Trace<'_>) -> Result<Vec<Self>, SimError> {
        let mut tallies = vec![Tally::default(); trace.program().accesses.len()];
        measure(trace, |access, distance| tallies[access.index()].count(distance))?;
        Ok(tallies.into_iter().map(Tally::finish).collect())
    }

    /// Returns the misses, first touches included, of a fully associative LRU cache of `capacity` blocks.
    pub fn misses(&self, capacity: u64) -> u64 {
        self.first_touches + self.distances.range(capacity..).map(|(_, count)| count).sum::<u64>()
    }
}

/// A histogram under construction.
#[derive(Clone, Default)]
struct Tally {
    first_touches: u64,
    distances: FxHashMap<u64, u64>,
}

impl Tally {
    #[inline]
    fn count(&mut self, distance: Option<u64>) {
        match distance {
            Some(distance) => *self.distances.entry(distance).or_insert(0) += 1,
            None => self.first_touches += 1,
        }
    }

    fn finish(self) -> DistanceHistogram {
        let accesses = self.first_touches + self.distances.values().sum::<u64>();
        let distances = self.distances.into_iter().collect();
        DistanceHistogram { accesses, first_touches: self.first_touches, distances }
    }
}

/// Visits every access with its distance, `None` for a first touch.
fn measure(trace: &Trace<'_>, mut visit: impl FnMut(AccessId, Option<u64>)) -> Result<(), SimError> {
    let mut stack = Stack::new();
    trace.for_each(|access, block| visit(access, stack.touch(block)))
}

/// The LRU stack as a time line: the latest access of every block seen so far is a mark at a slot, in order of time. The distance
/// of an access is the number of marks after that of its block. A Fenwick tree counts them in O(log n); when the slots run out,
/// the marks are compacted, so n is at most about twice the number of blocks.
pub(crate) struct Stack {
    marks: Fenwick,
    /// By block, the slot of its latest access.
    slots: Vec<u32>,
    /// By slot, the block that was accessed then; the slot is marked if the block was not accessed again.
    blocks: Vec<u32>,
}

impl Stack {
    const INITIAL_SLOTS: usize = 1 << 10;

    pub(crate) fn new() -> Self {
        Self { marks: Fenwick::new(Self::INITIAL_SLOTS, 0), slots: Vec::new(), blocks: Vec::new() }
    }

    /// Moves the block to the top; returns its distance if it was on the stack.
    pub(crate) fn touch(&mut self, block: Block) -> Option<u64> {
        let latest = self.slots.get(block.index()).copied();
        if latest.is_some_and(|slot| slot as usize + 1 == self.blocks.len()) {
            return Some(0);
        }
        if self.blocks.len() == self.marks.len() {
            self.compact();
        }
        let next = self.blocks.len() as u32;
        self.blocks.push(block.0);
        let distance = match self.slots.get_mut(block.index()) {
            Some(slot) => {
                let upto = self.marks.sum_through(*slot as usize);
                self.marks.add(*slot as usize, -1);
                *slot = next;
                Some(self.slots.len() as u64 - u64::from(upto))
            }
            None => {
                self.slots.push(next);
                None
            }
        };
        self.marks.add(next as usize, 1);
        distance
    }

    /// Removes the slots without a mark.
    fn compact(&mut self) {
        let mut kept = 0;
        for slot in 0..self.blocks.len() {
            let block = self.blocks[slot];
            let latest = &mut self.slots[block as usize];
            if *latest as usize == slot {
                *latest = kept as u32;
                self.blocks[kept] = block;
                kept += 1;
            }
        }
        self.blocks.truncate(kept);
        self.marks = Fenwick::new((2 * kept).max(Self::INITIAL_SLOTS), kept);
    }
}

/// A Fenwick tree (binary indexed tree): `tree[i]` is the sum of the `lowbit(i + 1)` values that end at i.
struct Fenwick {
    tree: Vec<u32>,
}

impl Fenwick {
    /// Creates `len` values, the first `ones` of them 1 and the others 0.
    fn new(len: usize, ones: usize) -> Self {
        let ones_before = |end: usize| end.min(ones) as u32;
        let sum = |end: usize| ones_before(end) - ones_before(end & (end - 1));
        Self { tree: (1..=len).map(sum).collect() }
    }

    fn len(&self) -> usize {
        self.tree.len()
    }

    fn add(&mut self, index: usize, value: i32) {
        let mut end = index + 1;
        while let Some(sum) = self.tree.get_mut(end - 1) {
            *sum = sum.wrapping_add_signed(value);
            end += end & end.wrapping_neg();
        }
    }

    /// Returns the sum of the values at `0..=index`.
    fn sum_through(&self, index: usize) -> u32 {
        let mut end = index + 1;
        let mut sum = 0;
        while end > 0 {
            sum += self.tree[end - 1];
            end &= end - 1;
        }
        sum
    }
}
