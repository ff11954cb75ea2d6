//! Runs a program on several threads, each with caches of its own, and with caches that all share.
//!
//! Thread 0 runs what is in no parallel loop. The threads share the iterations of a parallel loop (or of a `nest`) by its schedule
//! (`share`) each time that it is reached, in an order to choose ([`interleave`]): iterations as wholes, or access by access (`walk`). A parallel loop
//! inside of it is run by the thread that reaches it. There is a barrier before and after each parallel loop. The result is a
//! [`threads_held`]. Every access is run.

use symloc_affine::{Access, ParallelLoops, Program};
use symloc_cache::{Design, Request, ThreadCaches, ThreadRequest};

use self::interleave::{Drawing, Interleave, order};
use self::nest::{ParallelBody, SharedNest};
use self::share::LoopShare;
use self::threads_held::{ParallelWork, ThreadHeld, ThreadsHeld};
use self::walk::{NextAccess, ThreadWalk};
use crate::code::{Code, For, Op, Visitor, holds, run_at};
use crate::cursor::{Cursor, Placed, placed};
use crate::error::ReplayError;
use crate::footprint::footprint;
use crate::memory::MemoryMap;

pub mod interleave;
mod nest;
mod share;
pub mod threads_held;
mod walk;

/// The options of a run on threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threading {
    /// The number of threads, at least 1.
    pub threads: usize,
    /// The order in which they run in a parallel loop.
    pub interleave: Interleave,
    /// The largest number of accesses before giving up.
    pub limit: u64,
}

/// Runs a program on threads. Each has levels of its own, given from the nearest to the processor to the farthest, and behind them
/// are levels that all share. All are empty at first.
///
/// # Errors
///
/// [`ReplayError::NoThreads`] without a thread, [`ReplayError::EmptyChunks`] if a loop has chunks of no iterations,
/// [`ReplayError::Nest`] if the iterations of several loops are to be one sequence and are not,
/// [`ReplayError::ThreadCaches`] if threads cannot have such levels, [`ReplayError::Overflow`] if an address leaves 64 bits,
/// [`ReplayError::TooManyAccesses`] beyond the limit.
pub fn replay_on_threads(
    code: &Code<'_>,
    memory: &MemoryMap,
    own: &[Design],
    shared: &[Design],
    how: Threading,
) -> Result<ThreadsHeld, ReplayError> {
    Ok(ThreadRun::done(code, memory, own, shared, how)?.into_held())
}

/// Returns the number of distinct blocks that a program touches on threads: those of arrays that they share once, and of the others
/// those of each thread's copy.
///
/// # Errors
///
/// Those of [`footprint`], and where threads have copies those of [`replay_on_threads`].
pub fn footprint_on_threads(code: &Code<'_>, memory: &MemoryMap, how: Threading) -> Result<u64, ReplayError> {
    match memory.has_copies() {
        true => Ok(ThreadRun::done(code, memory, &[], &[], how)?.caches.touched_by_any()),
        false => Ok(footprint(code, memory, u64::MAX)?.into_iter().sum()),
    }
}

/// Returns the distances to the copies of threads, by thread and access of the text; none if there are no copies.
fn to_copies(program: &Program, memory: &MemoryMap, threads: usize) -> Result<Vec<Vec<u64>>, ReplayError> {
    let threads = if memory.has_copies() { threads } else { 0 };
    let of_thread = |thread| {
        let distance = |access: &Access| memory.to_copy(access.array.index(), thread);
        program.accesses.iter().map(distance).collect()
    };
    (0..threads).map(of_thread).collect()
}

fn check(program: &Program, how: Threading) -> Result<(), ReplayError> {
    if how.threads == 0 {
        return Err(ReplayError::NoThreads);
    }
    nest::check(program, &program.body)
}

/// A run of a program on threads.
struct ThreadRun<'r> {
    program: &'r Program,
    line: i64,
    /// By thread and access of the text, the distance in lines to the thread's copy of the array; empty if there are no copies.
    to_copies: Vec<Vec<u64>>,
    caches: ThreadCaches,
    /// By thread.
    held: Vec<ThreadHeld>,
    interleave: Interleave,
    /// The state of the generator of random numbers.
    random: u64,
    /// The thread that runs.
    thread: usize,
    /// The number of barriers so far.
    phase: u64,
    /// The number of accesses that may follow.
    left: u64,
    limit: u64,
    /// By thread, the number of accesses in this phase; of parallel loops only.
    in_phase: Vec<u64>,
    work: ParallelWork,
    row: Vec<Cursor>,
}

impl<'r> ThreadRun<'r> {
    /// Runs a program.
    fn done(
        code: &Code<'r>,
        memory: &MemoryMap,
        own: &[Design],
        shared: &[Design],
        how: Threading,
    ) -> Result<Self, ReplayError> {
        check(code.program, how)?;
        let body = placed(code, memory)?;
        let accesses = code.program.accesses.len();
        let mut run = Self {
            program: code.program,
            line: memory.line_bytes() as i64,
            to_copies: to_copies(code.program, memory, how.threads)?,
            caches: ThreadCaches::new(how.threads, own, shared)?,
            held: vec![ThreadHeld::new(accesses, own.len(), shared.len()); how.threads],
            interleave: how.interleave,
            random: if let Interleave::Random(seed) = how.interleave { seed } else { 0 },
            thread: 0,
            phase: 0,
            left: how.limit,
            limit: how.limit,
            in_phase: vec![0; how.threads],
            work: ParallelWork::default(),
            row: Vec::new(),
        };
        run.nodes(&body, &mut vec![0; code.program.iters.len()])?;
        Ok(run)
    }

    /// Runs nodes that are in no parallel loop.
    fn nodes(&mut self, body: &[Op<Placed>], iters: &mut [i64]) -> Result<(), ReplayError> {
        for op in body {
            match op {
                Op::Loop(head, body) => match self.parallel(head) {
                    Some(parallel) => self.share(parallel, head, ParallelBody::Nodes(body), iters)?,
                    None => self.sequential(head, body, iters)?,
                },
                Op::Row(head, sites) => match self.parallel(head) {
                    Some(parallel) => self.share(parallel, head, ParallelBody::Row(sites), iters)?,
                    None => run_at(std::slice::from_ref(op), iters, self)?,
                },
                Op::If(condition, [then, otherwise]) => {
                    self.nodes(if holds(condition, iters)? { then } else { otherwise }, iters)?;
                }
                Op::Access(site) => self.access(site, iters)?,
            }
        }
        Ok(())
    }

    fn parallel(&self, head: &For) -> Option<ParallelLoops> {
        self.program.iters[head.slot].parallel
    }

    fn sequential(&mut self, head: &For, body: &[Op<Placed>], iters: &mut [i64]) -> Result<(), ReplayError> {
        let (first, count) = head.iterations(iters)?;
        for done in 0..count {
            iters[head.slot] = first + head.step * done as i64;
            self.nodes(body, iters)?;
        }
        Ok(())
    }

    /// Shares the iterations of a parallel loop, or of a nest of which it is the outermost one, among the threads.
    fn share(
        &mut self,
        ParallelLoops { loops, schedule }: ParallelLoops,
        head: &For,
        body: ParallelBody<'_>,
        iters: &mut [i64],
    ) -> Result<(), ReplayError> {
        let nest = SharedNest::new(loops, (head, body), iters)?;
        let threads = self.held.len();
        let shares: Vec<_> = (0..threads).map(|thread| LoopShare::new(schedule, nest.count, threads, thread)).collect();
        let counts: Vec<_> = shares.iter().map(LoopShare::len).collect();
        self.phase += 1;
        self.in_phase.fill(0);
        match order(self.interleave, &counts) {
            Some(order) => {
                for (thread, number) in order {
                    self.thread = thread;
                    nest.set(shares[thread].iteration(number), iters);
                    match nest.body {
                        ParallelBody::Nodes(body) => run_at(body, iters, self)?,
                        ParallelBody::Row(sites) => self.row(sites, 1, iters)?,
                    }
                }
            }
            None => {
                let walk = |share: LoopShare| ThreadWalk::new(&nest, share, iters, self.line);
                self.at_random(shares.into_iter().map(walk).collect())?;
            }
        }
        self.thread = 0;
        self.phase += 1;
        self.work.all += self.in_phase.iter().sum::<u64>();
        self.work.busiest += self.in_phase.iter().copied().max().unwrap_or(0);
        Ok(())
    }

    /// Runs the threads of a parallel loop access by access.
    fn at_random(&mut self, mut walks: Vec<ThreadWalk<'_>>) -> Result<(), ReplayError> {
        let mut next = walks.iter_mut().map(ThreadWalk::next_access).collect::<Result<Vec<_>, _>>()?;
        let left = (0..walks.len()).filter(|thread| next[*thread].is_some()).collect();
        let mut random = self.random;
        let mut drawing = Drawing::new(&mut random, left);
        while let Some(thread) = drawing.draw() {
            self.thread = thread;
            if let Some(NextAccess { access, block, request }) = next[thread] {
                self.one(access, block, request)?;
            }
            next[thread] = walks[thread].next_access()?;
            if next[thread].is_none() {
                drawing.remove(thread);
            }
        }
        self.random = random;
        Ok(())
    }

    fn one(&mut self, access: usize, block: u64, request: Request) -> Result<(), ReplayError> {
        self.left = self.left.checked_sub(1).ok_or(ReplayError::TooManyAccesses { limit: self.limit })?;
        let Self { thread, phase, .. } = *self;
        let block = block + self.to_copies.get(thread).map_or(0, |distances| distances[access]);
        let outcome = self.caches.access(&ThreadRequest { thread, phase, block, request });
        self.held[thread].count(access, outcome);
        self.in_phase[thread] += 1;
        Ok(())
    }

    /// Returns the final counts.
    fn into_held(self) -> ThreadsHeld {
        let Self { caches, held, work, .. } = self;
        let with_traffic =
            |(thread, held)| ThreadHeld { traffic: caches.own_traffic(thread), blocks: caches.touched(thread), ..held };
        ThreadsHeld {
            threads: held.into_iter().enumerate().map(with_traffic).collect(),
            shared: caches.shared_traffic(),
            coherence: caches.coherence(),
            work,
        }
    }
}

impl Visitor<Placed> for ThreadRun<'_> {
    type Error = ReplayError;

    fn row(&mut self, sites: &[Placed], iterations: u64, iters: &[i64]) -> Result<(), ReplayError> {
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        for site in sites {
            row.push(site.cursor(iters, self.line)?);
        }
        for _ in 0..iterations {
            for cursor in &mut row {
                self.one(cursor.access, cursor.block, cursor.request)?;
                cursor.step(self.line);
            }
        }
        self.row = row;
        Ok(())
    }

    fn access(&mut self, site: &Placed, iters: &[i64]) -> Result<(), ReplayError> {
        let block = (site.address(iters)? / self.line) as u64;
        self.one(site.access, block, site.request)
    }
}
