//! The longest reuse of each write, up to the next write to its block or to the end of the run: a cache writes the block back
//! after the write unless it holds it for so long (docs/mathematics.md, "Write-backs").

use std::cmp::Reverse;
use std::collections::BTreeMap;

use symloc_affine::AccessKind;

use crate::distances::Stack;
use crate::error::SimError;
use crate::trace::Trace;

/// The writes of a trace by their longest reuse. The end of the run counts as one more access to each block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WriteHistogram {
    /// From each reuse distance to the number of writes whose longest one it is.
    pub distances: BTreeMap<u64, u64>,
    /// Likewise for reuse intervals.
    pub intervals: BTreeMap<u64, u64>,
}

/// A block at some point of a run.
#[derive(Clone, Copy, Default)]
struct BlockState {
    /// The rank of the latest access.
    latest: u64,
    /// The longest distance and the longest interval since the latest write; `None` if there was no write.
    longest: Option<(u64, u64)>,
}

impl WriteHistogram {
    /// Measures the histogram of a whole trace.
    ///
    /// # Errors
    ///
    /// As for [`Trace::for_each`].
    pub fn of(trace: &Trace<'_>) -> Result<Self, SimError> {
        let (mut found, mut stack, mut blocks) = (Self::default(), Stack::new(), Vec::<BlockState>::new());
        let mut rank = 0;
        trace.for_each(|access, block| {
            let distance = stack.touch(block).unwrap_or(0);
            if blocks.len() <= block.index() {
                blocks.resize(block.index() + 1, BlockState::default());
            }
            let state = &mut blocks[block.index()];
            state.reuse(distance, rank);
            if trace.program().access(access).kind == AccessKind::Write {
                found.add(state.longest.replace((0, 0)));
            }
            rank += 1;
        })?;
        blocks.sort_unstable_by_key(|state| Reverse(state.latest));
        for (distance, mut state) in (0..).zip(blocks) {
            state.reuse(distance, rank);
            found.add(state.longest);
        }
        Ok(found)
    }

    fn add(&mut self, longest: Option<(u64, u64)>) {
        if let Some((distance, interval)) = longest {
            *self.distances.entry(distance).or_insert(0) += 1;
            *self.intervals.entry(interval).or_insert(0) += 1;
        }
    }
}

impl BlockState {
    fn reuse(&mut self, distance: u64, rank: u64) {
        let interval = rank - self.latest;
        self.longest = self.longest.map(|(d, i)| (d.max(distance), i.max(interval)));
        self.latest = rank;
    }
}
