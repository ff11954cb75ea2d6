//! The trace of a program on several threads, and its reuse and sharing by definition.
//!
//! Private caches see the accesses of their thread alone, so intervals and distances are those among the thread's own accesses.
//! An access is a *true-sharing* miss of an LRU cache if the cache would hold its block, but another thread wrote the block in a
//! phase after that of the thread's own previous access to it, and before this one: barriers alone decide this. A block is in
//! *false sharing* in a phase if several threads touch it in that phase and one of them writes it. (Without races they use different
//! elements.) Of some arrays each thread has a copy of its own, whose blocks no other thread touches.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use symloc_affine::{AccessId, AccessKind};

use crate::distances::{DistanceHistogram, Stack};
use crate::error::SimError;
use crate::intervals::{IntervalHistogram, Life};
use crate::trace::{Block, LineAddress, Trace};
use crate::turns::ThreadTurn;

/// One access of a run on threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadAccess {
    /// Its phase, thread and iteration.
    pub turn: ThreadTurn,
    /// The access of the program's text.
    pub access: AccessId,
    /// True if it writes.
    pub writes: bool,
    /// The block, numbered in the order of first touch by any thread.
    pub block: Block,
    /// The block's address.
    pub line: LineAddress,
}

/// The trace of a program on several threads.
#[derive(Clone, Copy, Debug)]
pub struct ThreadTrace<'t, 'p> {
    trace: &'t Trace<'p>,
    threads: u32,
}

impl<'t, 'p> ThreadTrace<'t, 'p> {
    /// Creates the trace of a program on so many threads.
    ///
    /// # Errors
    ///
    /// [`SimError::NoThreads`] if there is no thread.
    pub fn new(trace: &'t Trace<'p>, threads: u32) -> Result<Self, SimError> {
        if threads == 0 { Err(SimError::NoThreads) } else { Ok(Self { trace, threads }) }
    }

    /// Runs the program and visits its accesses: phase by phase, in a phase thread by thread, and those of a thread in its order.
    ///
    /// # Errors
    ///
    /// As for [`Trace::for_each`].
    pub fn for_each(&self, mut visit: impl FnMut(ThreadAccess)) -> Result<(), SimError> {
        let accesses = &self.trace.program().accesses;
        self.trace.for_each_turn(self.threads, |turn, access, block, line| {
            let writes = accesses[access.index()].kind == AccessKind::Write;
            visit(ThreadAccess { turn, access, writes, block, line });
        })
    }
}

/// The reuse of one thread among its own accesses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadReuse {
    /// Its reuse intervals, in its own accesses. Imaginary ones are those of the thread's run, repeated.
    pub intervals: IntervalHistogram,
    /// Its reuse distances, in blocks of its own accesses.
    pub distances: DistanceHistogram,
    /// By access of the program's text: from each reuse distance to the number of reuses of a block that another thread wrote in a
    /// phase strictly between the two accesses.
    pub invalidated: Vec<BTreeMap<u64, u64>>,
}

impl ThreadReuse {
    /// Returns the misses, first touches included, of a fully associative LRU cache of `capacity` blocks for this thread alone.
    pub fn misses(&self, capacity: u64) -> u64 {
        self.distances.misses(capacity)
    }

    /// Returns the further misses of such a cache by true sharing.
    pub fn true_sharing(&self, capacity: u64) -> u64 {
        self.invalidated.iter().flat_map(|distances| distances.range(..capacity)).map(|(_, count)| count).sum()
    }
}

/// The reuse and the sharing of all threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadSurvey {
    /// By thread.
    pub threads: Vec<ThreadReuse>,
    /// By phase, the lines that several threads touch in it and at least one of them writes; phases without such lines are left out.
    pub false_sharing: BTreeMap<u64, BTreeSet<LineAddress>>,
}

impl ThreadSurvey {
    /// Measures a trace.
    ///
    /// # Errors
    ///
    /// As for [`Trace::for_each`].
    pub fn of(trace: &ThreadTrace<'_, '_>) -> Result<Self, SimError> {
        let accesses = trace.trace.program().accesses.len();
        let mut threads: Vec<_> = (0..trace.threads).map(|_| ThreadTally::new(accesses)).collect();
        let (mut writes, mut sharing) = (WritePhases::default(), Sharing::default());
        trace.for_each(|access| {
            threads[access.turn.thread as usize].access(&access, &writes);
            writes.access(&access);
            sharing.access(&access);
        })?;
        sharing.end_phase();
        Ok(Self { threads: threads.into_iter().map(ThreadTally::finish).collect(), false_sharing: sharing.lines })
    }
}

/// The phases in which blocks were written, and by which threads.
#[derive(Default)]
struct WritePhases(FxHashMap<Block, Vec<(u64, u32)>>);

impl WritePhases {
    fn access(&mut self, access: &ThreadAccess) {
        let write = (access.turn.phase, access.turn.thread);
        if access.writes {
            let writes = self.0.entry(access.block).or_default();
            if writes.last() != Some(&write) {
                writes.push(write);
            }
        }
    }

    /// Returns true if another thread wrote a block in a phase strictly between two.
    fn between(&self, block: Block, thread: u32, (after, before): (u64, u64)) -> bool {
        let writes = self.0.get(&block).map_or(&[][..], Vec::as_slice);
        let since = writes.iter().rev().take_while(|(phase, _)| *phase > after);
        since.into_iter().any(|(phase, writer)| *phase < before && *writer != thread)
    }
}

/// The accesses to each block in one phase, and the lines in false sharing of those before.
#[derive(Default)]
struct Sharing {
    phase: u64,
    /// By line: the threads that touch it, and whether one writes it.
    touched: BTreeMap<LineAddress, (BTreeSet<u32>, bool)>,
    lines: BTreeMap<u64, BTreeSet<LineAddress>>,
}

impl Sharing {
    fn access(&mut self, access: &ThreadAccess) {
        if access.turn.phase != self.phase {
            self.end_phase();
            self.phase = access.turn.phase;
        }
        let (threads, written) = self.touched.entry(access.line).or_default();
        threads.insert(access.turn.thread);
        *written |= access.writes;
    }

    fn end_phase(&mut self) {
        let touched = std::mem::take(&mut self.touched).into_iter();
        let shared = touched.filter(|(_, (threads, written))| threads.len() > 1 && *written);
        let lines: BTreeSet<_> = shared.map(|(line, _)| line).collect();
        if !lines.is_empty() {
            self.lines.insert(self.phase, lines);
        }
    }
}

/// A [`ThreadReuse`] under construction.
struct ThreadTally {
    reuse: ThreadReuse,
    /// The blocks, numbered in the order of the thread's first touch.
    numbers: FxHashMap<Block, u32>,
    stack: Stack,
    lives: Vec<Life>,
    /// By the thread's number of a block, the phase of its latest access.
    phases: Vec<u64>,
}

impl ThreadTally {
    fn new(accesses: usize) -> Self {
        let reuse = ThreadReuse { invalidated: vec![BTreeMap::new(); accesses], ..ThreadReuse::default() };
        Self { reuse, numbers: FxHashMap::default(), stack: Stack::new(), lives: Vec::new(), phases: Vec::new() }
    }

    fn access(&mut self, access: &ThreadAccess, writes: &WritePhases) {
        let ThreadTurn { phase, thread, .. } = access.turn;
        let next = self.numbers.len() as u32;
        let block = Block(*self.numbers.entry(access.block).or_insert(next));
        let rank = self.reuse.intervals.accesses;
        self.reuse.intervals.accesses += 1;
        let Some(distance) = self.stack.touch(block) else {
            self.lives.push(Life { first: rank, toucher: access.access.index(), latest: rank });
            self.phases.push(phase);
            return;
        };
        let life = &mut self.lives[block.index()];
        let latest = &mut self.phases[block.index()];
        let count = |histogram: &mut BTreeMap<u64, u64>, value| *histogram.entry(value).or_insert(0) += 1;
        count(&mut self.reuse.intervals.real, rank - life.latest);
        count(&mut self.reuse.distances.distances, distance);
        if writes.between(access.block, thread, (*latest, phase)) {
            count(&mut self.reuse.invalidated[access.access.index()], distance);
        }
        (life.latest, *latest) = (rank, phase);
    }

    fn finish(self) -> ThreadReuse {
        let mut reuse = self.reuse;
        let IntervalHistogram { accesses, blocks, imaginary, .. } = &mut reuse.intervals;
        *blocks = self.lives.len() as u64;
        *imaginary = Life::imaginary(&self.lives, *accesses);
        (reuse.distances.accesses, reuse.distances.first_touches) = (*accesses, *blocks);
        reuse
    }
}
