//! The directory: which threads have valid lines of each block, and who wrote it when.

use rustc_hash::{FxHashMap, FxHashSet};

use super::outcome::{LostLine, MesiState};

/// What is known of all blocks that were accessed.
pub(crate) struct Directory {
    blocks: FxHashMap<u64, BlockSharing>,
    /// By thread, the phase of its last access to each block.
    phases: Vec<FxHashMap<u64, u64>>,
}

/// What is known of one block.
#[derive(Default)]
struct BlockSharing {
    /// The threads that accessed the block since another thread wrote it: lines of theirs are valid.
    valid: Vec<u32>,
    /// The thread whose line is exclusive or modified.
    owner: Option<u32>,
    /// True if the owner's line is modified.
    modified: bool,
    /// The last phase in which the block was written, and its writers in it.
    phase: u64,
    writers: LastWriters,
    /// The last writers in phases before that.
    earlier: LastWriters,
}

/// The last writer of a block, and the last one of all others, with their phases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LastWriters {
    last: Option<(u64, u32)>,
    other: Option<(u64, u32)>,
}

impl LastWriters {
    /// Adds a write, which is not before those that were added.
    fn add(&mut self, phase: u64, thread: u32) {
        if self.last.is_some_and(|(_, last)| last != thread) {
            self.other = self.last;
        }
        self.last = Some((phase, thread));
    }

    /// Returns the last phase in which a thread other than this one wrote.
    fn without(&self, thread: u32) -> Option<u64> {
        let last = self.last.filter(|(_, last)| *last != thread);
        last.or(self.other).map(|(phase, _)| phase)
    }
}

impl BlockSharing {
    /// Begins a phase, which is not before those of earlier writes.
    fn begin(&mut self, phase: u64) {
        if phase > self.phase {
            let LastWriters { last, other } = std::mem::take(&mut self.writers);
            for (phase, thread) in other.into_iter().chain(last) {
                self.earlier.add(phase, thread);
            }
            self.phase = phase;
        }
    }
}

impl Directory {
    pub(crate) fn new(threads: usize) -> Self {
        Self { blocks: FxHashMap::default(), phases: vec![FxHashMap::default(); threads] }
    }

    /// Returns the threads whose lines of a block are valid, if they still have them.
    pub(crate) fn valid(&self, block: u64) -> &[u32] {
        self.blocks.get(&block).map_or(&[], |sharing| &sharing.valid)
    }

    /// Returns true if a thread accessed a block, and no other thread wrote it since.
    pub(crate) fn is_valid(&self, thread: usize, block: u64) -> bool {
        self.valid(block).contains(&(thread as u32))
    }

    /// Returns the state of a line that a thread has.
    pub(crate) fn state(&self, thread: usize, block: u64) -> MesiState {
        let thread = thread as u32;
        match self.blocks.get(&block).filter(|sharing| sharing.valid.contains(&thread)) {
            None => MesiState::Invalid,
            Some(sharing) if sharing.owner != Some(thread) => MesiState::Shared,
            Some(sharing) if sharing.modified => MesiState::Modified,
            Some(_) => MesiState::Exclusive,
        }
    }

    /// Returns the reason why a thread finds an invalid line in a phase.
    pub(crate) fn reason(&mut self, thread: usize, phase: u64, block: u64) -> LostLine {
        let accessed = self.phases[thread].get(&block).copied();
        let sharing = self.blocks.entry(block).or_default();
        sharing.begin(phase);
        match sharing.earlier.without(thread as u32).zip(accessed) {
            Some((written, accessed)) if written > accessed => LostLine::TrueSharing,
            _ => LostLine::FalseSharing,
        }
    }

    /// Makes a line that another thread has modified a shared one; returns whether there is one.
    pub(crate) fn downgrade(&mut self, thread: usize, block: u64) -> bool {
        let sharing = self.blocks.entry(block).or_default();
        let modified = sharing.modified && sharing.owner != Some(thread as u32);
        if modified {
            (sharing.owner, sharing.modified) = (None, false);
        }
        modified
    }

    /// Gives a thread a line that is exclusive unless others have it, too; `holds` tells whether a thread has a line.
    pub(crate) fn fetch(&mut self, thread: usize, block: u64, holds: impl Fn(usize) -> bool) {
        let thread = thread as u32;
        let sharing = self.blocks.entry(block).or_default();
        sharing.valid.retain(|other| *other != thread);
        // Threads that have dropped their lines are looked at once, and not again and again.
        while sharing.valid.pop_if(|other| !holds(*other as usize)).is_some() {}
        sharing.owner = Some(thread).filter(|_| sharing.valid.is_empty());
        sharing.valid.push(thread);
    }

    /// Makes the line of a thread the only valid one, and a modified one.
    pub(crate) fn write(&mut self, thread: usize, phase: u64, block: u64) {
        let thread = thread as u32;
        let sharing = self.blocks.entry(block).or_default();
        sharing.valid.clear();
        sharing.valid.push(thread);
        (sharing.owner, sharing.modified) = (Some(thread), true);
        sharing.begin(phase);
        sharing.writers.add(phase, thread);
    }

    /// Accounts for the eviction of a line that was written some time, and that remains written in another level if `remains`;
    /// returns whether it is modified.
    pub(crate) fn write_back(&mut self, thread: usize, block: u64, remains: bool) -> bool {
        let Some(sharing) = self.blocks.get_mut(&block) else { return false };
        let modified = sharing.modified && sharing.owner == Some(thread as u32);
        sharing.modified &= !modified || remains;
        modified
    }

    /// Remembers the phase of an access.
    pub(crate) fn touch(&mut self, thread: usize, phase: u64, block: u64) {
        self.phases[thread].insert(block, phase);
    }

    /// Returns the number of distinct blocks that threads have accessed.
    pub(crate) fn touched_by_any(&self) -> u64 {
        self.phases.iter().flat_map(FxHashMap::keys).collect::<FxHashSet<_>>().len() as u64
    }

    /// Returns the number of distinct blocks that a thread has accessed.
    pub(crate) fn touched(&self, thread: usize) -> u64 {
        self.phases[thread].len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_writer_and_the_last_other_one_suffice() {
        let mut writers = LastWriters::default();
        assert_eq!(writers.without(0), None);
        let writes = [(1, 0), (2, 1), (2, 0), (5, 0), (7, 2), (7, 2), (9, 1)];
        for (at, (phase, thread)) in writes.into_iter().enumerate() {
            writers.add(phase, thread);
            for without in 0..4 {
                let last = writes[..=at].iter().rev().find(|(_, thread)| *thread != without);
                assert_eq!(writers.without(without), last.map(|(phase, _)| *phase), "{at} {without}");
            }
        }
    }
}
