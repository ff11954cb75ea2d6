//! Caches of several threads: each has levels of its own, which are kept coherent, and behind them may be levels that all share.
//!
//! The protocol is MESI. A line of a thread's own levels is modified, exclusive, shared or invalid ([`MesiState`]); these states are
//! kept in a directory, outside of the levels. A line that becomes invalid keeps its place and its age. So the levels of each
//! thread hold what they would hold if the thread were alone, whatever the others do, and an access that finds an invalid line is a
//! *coherence miss*: a further miss. Whether it is one by true or by false sharing is decided by phases, see [`LostLine`](outcome::LostLine).
//!
//! A miss asks the shared levels. If another thread has modified the line, it is *transferred*: that thread passes it on to the
//! shared levels, which hold it then, and keeps it as a shared one. A write to a shared line is an *upgrade*; every copy that
//! another thread holds is *invalidated*.

mod boxed;
mod directory;
pub mod error;
pub mod outcome;

use crate::hierarchy::{Design, Inclusion, Writes};
use crate::level::{LineState, Request};
use crate::traffic::Traffic;

use boxed::{BoxedCaches, boxed};
use directory::Directory;
use error::ThreadCachesError;
use outcome::{CoherenceTraffic, MesiState, ThreadOutcome, ThreadRequest};

/// The caches of several threads. Each thread has the first levels for itself; all threads share the others.
pub struct ThreadCaches {
    /// By thread, the levels of its own.
    own: Vec<Box<dyn BoxedCaches>>,
    own_levels: usize,
    shared: Option<Box<dyn BoxedCaches>>,
    directory: Directory,
    coherence: CoherenceTraffic,
    /// The written blocks that levels of a thread have evicted, with the level.
    evicted: Vec<(usize, u64)>,
}

impl ThreadCaches {
    /// Creates empty caches for so many threads: levels of their own, and then levels that they share.
    ///
    /// # Errors
    ///
    /// [`ThreadCachesError`] if a level cannot be built, or if threads cannot have it.
    pub fn new(threads: usize, own: &[Design], shared: &[Design]) -> Result<Self, ThreadCachesError> {
        check(own, shared)?;
        let levels = if own.is_empty() { 0 } else { threads };
        Ok(Self {
            own: (0..levels).map(|_| boxed(own)).collect::<Result<_, _>>()?,
            own_levels: own.len(),
            shared: if shared.is_empty() { None } else { Some(boxed(shared)?) },
            directory: Directory::new(threads),
            coherence: CoherenceTraffic::default(),
            evicted: Vec::new(),
        })
    }

    /// Runs an access.
    pub fn access(&mut self, access: &ThreadRequest) -> ThreadOutcome {
        let ThreadRequest { thread, phase, block, request } = *access;
        if self.own_levels == 0 {
            self.directory.touch(thread, phase, block);
            return ThreadOutcome { own: 0, lost: None, shared: self.ask_shared(block, request) };
        }
        let own = self.own[thread].access(block, request, &mut |level, block, _| self.evicted.push((level, block)));
        let (has_line, is_valid) = (own < self.own_levels, self.directory.is_valid(thread, block));
        let lost = (has_line && !is_valid).then(|| self.directory.reason(thread, phase, block));
        let hit = has_line && is_valid;
        let shared = if hit { None } else { self.fetch(thread, block) };
        if request == Request::Write {
            self.write(access, hit);
        }
        self.directory.touch(thread, phase, block);
        self.write_back(thread);
        ThreadOutcome { own, lost, shared }
    }

    /// Returns the state of a block's line in the levels of a thread.
    pub fn state(&self, thread: usize, block: u64) -> MesiState {
        let has_line = self.own.get(thread).is_some_and(|levels| levels.find(block).is_some());
        if has_line { self.directory.state(thread, block) } else { MesiState::Invalid }
    }

    /// Returns the number of distinct blocks that threads have accessed.
    pub fn touched_by_any(&self) -> u64 {
        self.directory.touched_by_any()
    }

    /// Returns the number of distinct blocks that a thread has accessed.
    pub fn touched(&self, thread: usize) -> u64 {
        self.directory.touched(thread)
    }

    /// Returns the traffic of a thread's own levels, as if the thread were alone.
    pub fn own_traffic(&self, thread: usize) -> Vec<Traffic> {
        self.own.get(thread).map_or_else(Vec::new, |levels| levels.traffic())
    }

    /// Returns the traffic of the shared levels.
    pub fn shared_traffic(&self) -> Vec<Traffic> {
        self.shared.as_ref().map_or_else(Vec::new, |levels| levels.traffic())
    }

    /// Returns the messages between the threads' own levels.
    pub fn coherence(&self) -> CoherenceTraffic {
        self.coherence
    }

    /// Gets a valid line for a thread; returns the shared level that held it, if there is any.
    fn fetch(&mut self, thread: usize, block: u64) -> Option<usize> {
        if self.directory.downgrade(thread, block) {
            self.coherence.transfers += 1;
            self.pass_on(block);
        }
        let own = &self.own;
        self.directory.fetch(thread, block, |other| own[other].find(block).is_some());
        self.ask_shared(block, Request::Read)
    }

    /// Accounts for a write to a line that the thread has, or had to fetch.
    fn write(&mut self, access: &ThreadRequest, hit: bool) {
        let ThreadRequest { thread, phase, block, .. } = *access;
        if hit && self.directory.state(thread, block) == MesiState::Shared {
            self.coherence.upgrades += 1;
        }
        let others = self.directory.valid(block).iter().map(|other| *other as usize).filter(|other| *other != thread);
        self.coherence.invalidations += others.filter(|other| self.own[*other].find(block).is_some()).count() as u64;
        self.directory.write(thread, phase, block);
    }

    /// Passes on what a thread's last level has evicted, unless others have taken it before.
    fn write_back(&mut self, thread: usize) {
        let mut evicted = std::mem::take(&mut self.evicted);
        evicted.retain(|(level, _)| level + 1 == self.own_levels);
        for (at, (_, block)) in evicted.iter().enumerate() {
            // A level before the last may have newer content, or pass it on in the same access.
            let remains = self.own[thread].find(*block) == Some(LineState::Dirty)
                || evicted[at + 1..].iter().any(|(_, later)| later == block);
            if self.directory.write_back(thread, *block, remains) {
                self.pass_on(*block);
            }
        }
        evicted.clear();
        self.evicted = evicted;
    }

    /// Passes a written block on to the shared levels.
    fn pass_on(&mut self, block: u64) {
        if let Some(shared) = &mut self.shared {
            shared.take_in(block);
        }
    }

    /// Asks the shared levels for a block; what they evict goes to memory.
    fn ask_shared(&mut self, block: u64, request: Request) -> Option<usize> {
        self.shared.as_mut().map(|shared| shared.access(block, request, &mut |_, _, _| ()))
    }
}

/// Checks that threads can have such levels.
fn check(own: &[Design], shared: &[Design]) -> Result<(), ThreadCachesError> {
    for (design, level) in own.iter().zip(1..) {
        if design.prefetch {
            return Err(ThreadCachesError::Prefetch { level });
        }
        if design.writes != Writes::default() {
            return Err(ThreadCachesError::Writes { level });
        }
    }
    // Without levels before them, shared levels are a hierarchy like any other.
    let depends = |design: &Design| !own.is_empty() && design.inclusion != Inclusion::NonInclusive;
    match shared.iter().position(depends) {
        Some(at) => Err(ThreadCachesError::Inclusion { level: own.len() + at + 1 }),
        None => Ok(()),
    }
}
