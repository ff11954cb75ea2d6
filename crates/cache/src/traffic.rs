//! The numbers of blocks that a level takes and passes on.

use crate::level::LineState;

/// The traffic of a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// The number of blocks requested from it.
    pub accesses: u64,
    /// The number of requests for blocks that it did not hold.
    pub misses: u64,
    /// The number of blocks that came in, including prefetched ones.
    pub fills: u64,
    /// The number of written blocks that it passed on when they were evicted.
    pub write_backs: u64,
    /// The number of blocks that it evicted and that were perhaps written.
    pub perhaps_written: u64,
    /// The number of single writes that it passed on.
    pub writes_through: u64,
}

impl Traffic {
    /// Adds `times` times the traffic between two states.
    pub fn add(&mut self, times: u64, earlier: &Self, later: &Self) {
        let add = |sum: &mut u64, earlier: u64, later: u64| *sum += times * (later - earlier);
        add(&mut self.accesses, earlier.accesses, later.accesses);
        add(&mut self.misses, earlier.misses, later.misses);
        add(&mut self.fills, earlier.fills, later.fills);
        add(&mut self.write_backs, earlier.write_backs, later.write_backs);
        add(&mut self.perhaps_written, earlier.perhaps_written, later.perhaps_written);
        add(&mut self.writes_through, earlier.writes_through, later.writes_through);
    }

    /// Counts the eviction of a block that was written, or perhaps was.
    pub(crate) fn evict(&mut self, state: LineState) {
        match state {
            LineState::Clean => {}
            LineState::PerhapsDirty => self.perhaps_written += 1,
            LineState::Dirty => self.write_backs += 1,
        }
    }

    /// Adds `times` times the traffic since `earlier`.
    pub(crate) fn repeat(&mut self, earlier: &Self, times: u64) {
        let now = *self;
        self.add(times, earlier, &now);
    }
}
