//! Compares runs on threads with the trace interpreter, and with coherent caches as lists of lines that hold their states.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeSet;

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{CollapseError, Expr, If, IterId, Layout, Line, Node, ParallelLoops, Program, Schedule};
use symloc_cache::{
    CoherenceTraffic, Design, Geometry, Hierarchy, Inclusion, IndexFunction, Replacement, Request, ThreadCachesError,
    splitmix,
};
use symloc_replay::{
    Code, Interleave, MemoryLayout, MemoryMap, ReplayError, Replaying, Survey, Threading, ThreadsHeld, footprint,
    footprint_on_threads, replay, replay_on_threads,
};
use symloc_sim::random::{self, ProgramShape, Rng};
use symloc_sim::{ThreadAccess, ThreadSurvey, ThreadTrace, Trace};

const THREADS: [usize; 8] = [1, 2, 3, 4, 7, 8, 16, 64];
const ORDERS: [Interleave; 3] = [Interleave::Lockstep, Interleave::After, Interleave::Random(7)];

fn cache(lines: u64, ways: u64, replacement: Replacement) -> Design {
    Design::new(Geometry::new(lines, ways, IndexFunction::Modulo).unwrap(), replacement)
}

fn full(lines: u64) -> Design {
    cache(lines, lines, Replacement::Lru)
}

/// A program at a size, with a line.
struct ThreadCase {
    program: Program,
    sizes: Vec<i64>,
    placement: MemoryLayout,
    line: Line,
}

impl ThreadCase {
    /// Returns a random program with parallel loops; in one of three each thread has its own of the last array.
    fn random(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let shape = ProgramShape { arrays: 1 + seed as usize % 2, ..ProgramShape::default() };
        let mut program = random::with_parallel_loops(random::program(seed, shape), seed);
        program.arrays.iter_mut().rev().take(usize::from(seed % 3 == 1)).for_each(|array| array.per_thread = true);
        let sizes = random::sizes(&mut rng, &program, 9);
        let placement = *rng.pick(&[MemoryLayout::Rows, MemoryLayout::Linear]);
        Self { program, sizes, placement, line: *rng.pick(&[Line::Element, Line::Bytes(16), Line::Bytes(64)]) }
    }

    /// Returns the accesses of the oracle, and its measurements.
    fn traced(&self, threads: usize) -> (Vec<ThreadAccess>, ThreadSurvey) {
        let layout = if self.placement == MemoryLayout::Linear { Layout::Linear } else { Layout::Rows };
        let trace = Trace::new(&self.program, &self.sizes, layout, self.line).unwrap();
        let trace = ThreadTrace::new(&trace, threads as u32).unwrap();
        let mut accesses = Vec::new();
        trace.for_each(|access| accesses.push(access)).unwrap();
        (accesses, ThreadSurvey::of(&trace).unwrap())
    }

    fn replayed<T>(&self, run: impl FnOnce(&Code<'_>, &MemoryMap) -> Result<T, ReplayError>) -> T {
        let code = Code::new(&self.program, &self.sizes).unwrap();
        let survey = Survey::of(&code).unwrap();
        let memory = MemoryMap::new(&self.program, &survey, self.placement, &[], self.line).unwrap();
        run(&code, &memory).unwrap()
    }

    fn held(&self, own: &[Design], shared: &[Design], threads: usize, interleave: Interleave) -> ThreadsHeld {
        let how = Threading { threads, interleave, limit: u64::MAX };
        self.replayed(|code, memory| replay_on_threads(code, memory, own, shared, how))
    }

    fn place(&self) -> String {
        format!("{:?} {:?} at {:?}\n{}", self.placement, self.line, self.sizes, self.program)
    }
}

/// Returns the accesses of the oracle in the order in which threads interleave.
fn interleaved(accesses: &[ThreadAccess], interleave: Interleave) -> Vec<ThreadAccess> {
    let mut ordered = accesses.to_vec();
    match interleave {
        Interleave::After => {}
        Interleave::Lockstep => ordered.sort_by_key(|access| access.turn),
        Interleave::Random(mut state) => {
            ordered.clear();
            for phase in accesses.chunk_by(|a, b| a.turn.phase == b.turn.phase) {
                let mut threads: Vec<_> = phase.chunk_by(|a, b| a.turn.thread == b.turn.thread).collect();
                // Phases alternate: parallel loops have odd numbers.
                let random = phase[0].turn.phase % 2 == 1;
                while !threads.is_empty() {
                    let at = if random { splitmix::below(&mut state, threads.len() as u64) as usize } else { 0 };
                    ordered.push(threads[at][0]);
                    threads[at] = &threads[at][1..];
                    threads.retain(|left| !left.is_empty());
                }
            }
        }
    }
    ordered
}

/// Calls `check` with random programs of at most so many accesses, on all numbers of threads.
fn for_random_programs(
    seeds: std::ops::Range<u64>,
    longest: usize,
    mut check: impl FnMut(&ThreadCase, usize, &[ThreadAccess], &ThreadSurvey),
) {
    for seed in seeds {
        let case = ThreadCase::random(seed);
        for threads in THREADS {
            let (accesses, survey) = case.traced(threads);
            if accesses.len() <= longest {
                check(&case, threads, &accesses, &survey);
            }
        }
    }
}

/// Returns the nests of a program whose iterations threads share as one sequence of those of several loops.
fn collapsed(program: &Program, nodes: &[Node]) -> usize {
    let in_node = |node: &Node| match node {
        Node::Loop(l) => match program.iters[l.iter.index()].parallel {
            Some(parallel) => usize::from(parallel.loops > 1),
            None => collapsed(program, &l.body),
        },
        Node::If(If { then, otherwise, .. }) => collapsed(program, then) + collapsed(program, otherwise),
        Node::Access(_) | Node::Operations(_) | Node::Mark(_) => 0,
    };
    nodes.iter().map(in_node).sum()
}

/// The random programs do have nests that are shared as one loop.
#[test]
fn random_programs_have_collapsed_nests() {
    let cases = (0..400).map(ThreadCase::random);
    let nests: usize = cases.map(|case| collapsed(&case.program, &case.program.body)).sum();
    assert!(nests > 30, "{nests} nests show nothing");
}

/// Misses and true sharing do not depend on how threads interleave, and are those that the oracle defines.
#[test]
fn fully_associative_caches_follow_the_oracle() {
    let mut sharing = 0;
    for_random_programs(0..400, 3000, |case, threads, _, survey| {
        for (lines, interleave) in [1, 2, 5, 100].into_iter().flat_map(|lines| ORDERS.map(|order| (lines, order))) {
            let held = case.held(&[full(lines)], &[], threads, interleave);
            for (held, expected) in held.threads.iter().zip(&survey.threads) {
                let found = (held.misses(0), held.blocks, held.accesses());
                let expected_counts = (expected.misses(lines), expected.intervals.blocks, expected.intervals.accesses);
                assert_eq!(found, expected_counts, "{threads} {}", case.place());
                let invalidated = expected.invalidated.iter().map(|distances| distances.range(..lines));
                let invalidated: Vec<u64> = invalidated.map(|of| of.map(|(_, count)| count).sum()).collect();
                assert_eq!(held.true_sharing.concat(), invalidated, "{threads} {interleave:?} {}", case.place());
                sharing += invalidated.iter().sum::<u64>();
            }
        }
    });
    assert!(sharing > 1000, "{sharing} test nothing");
}

/// The work of parallel loops is that of the oracle's phases with odd numbers.
#[test]
fn work_is_counted_by_phase() {
    let mut uneven = 0;
    for_random_programs(0..100, 3000, |case, threads, accesses, _| {
        let (mut all, mut busiest) = (0, 0);
        for phase in accesses.chunk_by(|a, b| a.turn.phase == b.turn.phase).filter(|phase| phase[0].turn.phase % 2 == 1)
        {
            let of_threads = phase.chunk_by(|a, b| a.turn.thread == b.turn.thread).map(|of| of.len() as u64);
            all += phase.len() as u64;
            busiest += of_threads.max().unwrap();
        }
        for interleave in ORDERS {
            let work = case.held(&[full(2)], &[], threads, interleave).work;
            assert_eq!((work.all, work.busiest), (all, busiest), "{threads} {interleave:?} {}", case.place());
        }
        uneven += u64::from(busiest * threads as u64 > all);
    });
    assert!(uneven > 100, "{uneven} test nothing");
}

/// The levels of a thread do what they do on the trace of the thread alone, whatever their kind.
#[test]
fn own_levels_are_those_of_the_thread_alone() {
    let (small, large) = (cache(8, 2, Replacement::Lru), cache(32, 4, Replacement::TreePlru));
    let designs = [
        vec![cache(16, 4, Replacement::Qlru)],
        vec![cache(8, 4, Replacement::Random(3))],
        vec![small, large],
        vec![small, Design { inclusion: Inclusion::Inclusive, ..large }],
        vec![small, Design { inclusion: Inclusion::Exclusive, ..large }, cache(64, 8, Replacement::Fifo)],
    ];
    for_random_programs(0..150, 2000, |case, threads, accesses, _| {
        for (own, interleave) in designs.iter().zip(ORDERS.iter().cycle()) {
            let held = case.held(own, &[full(40)], threads, *interleave);
            for (thread, held) in held.threads.iter().enumerate() {
                let mut alone = Hierarchy::new(own).unwrap();
                let mut by_access = vec![vec![0; own.len() + 1]; case.program.accesses.len()];
                for access in accesses.iter().filter(|access| access.turn.thread as usize == thread) {
                    let request = if access.writes { Request::Write } else { Request::Read };
                    by_access[access.access.index()][alone.access(access.line.0, request, &mut |_, _, _| ())] += 1;
                }
                assert_eq!((&held.by_access, &held.traffic), (&by_access, &alone.traffic()), "{}", case.place());
            }
        }
    });
}

#[test]
fn one_thread_is_the_sequential_replay() {
    let small = cache(8, 2, Replacement::Lru);
    let designs = [
        vec![cache(80, 80, Replacement::Lru)],
        vec![cache(16, 8, Replacement::TreePlru)],
        vec![small, cache(32, 4, Replacement::Lru), cache(64, 8, Replacement::Qlru)],
    ];
    for seed in 0..150 {
        let case = ThreadCase::random(seed);
        for designs in &designs {
            let sequential = case.replayed(|code, memory| replay(code, memory, designs, Replaying::default()));
            for shared in 0..=designs.len() {
                let (own, shared) = designs.split_at(designs.len() - shared);
                let held = case.held(own, shared, 1, ORDERS[seed as usize % 3]);
                let one = &held.threads[0];
                let traffic = [&one.traffic[..], &held.shared[..]].concat();
                assert_eq!(traffic, sequential.traffic, "{}", case.place());
                let own_misses = (0..own.len()).map(|level| one.misses(level));
                let misses: Vec<_> =
                    own_misses.chain((0..shared.len()).map(|level| one.shared_misses(level))).collect();
                let expected: Vec<_> = (0..designs.len()).map(|level| sequential.misses(level)).collect();
                assert_eq!((misses, held.accesses()), (expected, sequential.accesses()), "{}", case.place());
                assert_eq!(held.coherence, CoherenceTraffic::default());
            }
        }
    }
}

/// The state of a line, in the line itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mesi {
    M,
    E,
    S,
    I,
}

/// Coherent caches as lists, the newest line last: one for each thread, and one that all share.
struct PlainCaches {
    own: Vec<Vec<(u64, Mesi)>>,
    shared: Vec<u64>,
    lines: [usize; 2],
    coherence: CoherenceTraffic,
    /// By thread: misses, lines found invalid, and misses of the shared cache.
    counts: Vec<[u64; 3]>,
}

impl PlainCaches {
    fn new(threads: usize, lines: [usize; 2]) -> Self {
        let (own, counts) = (vec![Vec::new(); threads], vec![[0; 3]; threads]);
        Self { own, shared: Vec::new(), lines, coherence: CoherenceTraffic::default(), counts }
    }

    /// Makes a block the newest of the shared cache; returns whether it was there.
    fn share(&mut self, block: u64) -> bool {
        let found = self.shared.iter().position(|known| *known == block).map(|at| self.shared.remove(at));
        self.shared.push(block);
        let over = self.shared.len().saturating_sub(self.lines[1]);
        self.shared.drain(..over);
        found.is_some()
    }

    fn access(&mut self, thread: usize, block: u64, writes: bool) {
        let found = self.own[thread].iter().position(|(known, _)| *known == block);
        let before = found.map_or(Mesi::I, |at| self.own[thread].remove(at).1);
        self.counts[thread][0] += u64::from(found.is_none());
        self.counts[thread][1] += u64::from(found.is_some() && before == Mesi::I);
        let fetched = if before == Mesi::I { self.fetch(thread, block) } else { before };
        if writes {
            self.coherence.upgrades += u64::from(before == Mesi::S);
            self.coherence.invalidations += self.each_copy(thread, block, Mesi::I).len() as u64;
        }
        self.own[thread].push((block, if writes { Mesi::M } else { fetched }));
        if self.own[thread].len() > self.lines[0] && self.own[thread][0].1 == Mesi::M {
            self.share(self.own[thread][0].0);
        }
        let over = self.own[thread].len().saturating_sub(self.lines[0]);
        self.own[thread].drain(..over);
    }

    fn fetch(&mut self, thread: usize, block: u64) -> Mesi {
        let copies = self.each_copy(thread, block, Mesi::S);
        if copies.contains(&Mesi::M) {
            self.coherence.transfers += 1;
            self.share(block);
        }
        self.counts[thread][2] += u64::from(!self.share(block));
        if copies.is_empty() { Mesi::E } else { Mesi::S }
    }

    /// Gives the valid lines of other threads a state; returns the states that they had.
    fn each_copy(&mut self, thread: usize, block: u64, state: Mesi) -> Vec<Mesi> {
        let others = self.own.iter_mut().enumerate().filter(|(other, _)| *other != thread);
        let lines = others.flat_map(|(_, lines)| lines).filter(|(known, old)| *known == block && *old != Mesi::I);
        lines.map(|(_, old)| std::mem::replace(old, state)).collect()
    }
}

/// All counts are those of lists of lines that hold their own states.
#[test]
fn interleaved_threads_follow_the_protocol() {
    let (mut messages, mut false_sharing) = (CoherenceTraffic::default(), 0);
    for_random_programs(0..400, 3000, |case, threads, accesses, _| {
        for (own, shared) in [(1, 3), (4, 12), (12, 70), (100, 100)] {
            for interleave in ORDERS {
                let mut plain = PlainCaches::new(threads, [own, shared]);
                for access in interleaved(accesses, interleave) {
                    plain.access(access.turn.thread as usize, access.line.0, access.writes);
                }
                let held = case.held(&[full(own as u64)], &[full(shared as u64)], threads, interleave);
                let lost = held.threads.iter().map(|held| held.false_sharing(0)).sum::<u64>();
                let counts = held
                    .threads
                    .iter()
                    .map(|held| [held.misses(0), held.true_sharing(0) + held.false_sharing(0), held.shared_misses(0)]);
                assert_eq!(counts.collect::<Vec<_>>(), plain.counts, "{threads} {interleave:?} {}", case.place());
                assert_eq!(held.coherence, plain.coherence, "{threads} {interleave:?} {}", case.place());
                messages.upgrades += plain.coherence.upgrades;
                messages.transfers += plain.coherence.transfers;
                false_sharing += lost;
            }
        }
    });
    assert!(messages.upgrades > 1000 && messages.transfers > 1000 && false_sharing > 1000, "{messages:?} test nothing");
}

/// A cache that all threads share, and that sees every access.
#[test]
fn a_shared_cache_sees_the_interleaved_accesses() {
    for_random_programs(0..200, 3000, |case, threads, accesses, survey| {
        for (lines, interleave) in [3, 20].into_iter().flat_map(|lines| ORDERS.map(|order| (lines, order))) {
            let ordered = interleaved(accesses, interleave);
            let mut plain = PlainCaches::new(threads, [0, lines]);
            let misses = ordered.iter().filter(|access| !plain.share(access.line.0)).count();
            let held = case.held(&[], &[full(lines as u64)], threads, interleave);
            let found: u64 = held.threads.iter().map(|held| held.shared_misses(0)).sum();
            assert_eq!(found, misses as u64, "{threads} {interleave:?} {}", case.place());
            let blocks = survey.threads.iter().map(|thread| thread.intervals.blocks);
            assert!(held.threads.iter().map(|held| held.blocks).eq(blocks), "{threads} {}", case.place());
            assert_eq!(held.coherence, CoherenceTraffic::default());
        }
    });
}

/// The blocks of all threads together are those of the trace, with the copies of each thread.
#[test]
fn copies_of_threads_are_further_blocks() {
    let mut copied = 0;
    for_random_programs(0..300, 3000, |case, threads, accesses, _| {
        let how = Threading { threads, interleave: Interleave::After, limit: u64::MAX };
        let found = case.replayed(|code, memory| footprint_on_threads(code, memory, how));
        let blocks: BTreeSet<_> = accesses.iter().map(|access| access.block).collect();
        assert_eq!(found, blocks.len() as u64, "{threads} {}", case.place());
        let sequential = case.replayed(|code, memory| footprint(code, memory, u64::MAX));
        copied += found - sequential.iter().sum::<u64>();
    });
    assert!(copied > 1000, "{copied} blocks test nothing");
}

/// The arrays of a thread are those that its accesses reach.
#[test]
fn a_thread_has_its_own_place_for_arrays() {
    let (shared, mut own) = (update(Schedule::Blocks), update(Schedule::Blocks));
    own.program.arrays[0].per_thread = true;
    let map = |case: &ThreadCase| case.replayed(|_, memory| Ok(memory.clone()));
    let (shared, own) = (map(&shared), map(&own));
    assert_eq!((shared.has_copies(), own.has_copies()), (false, true));
    assert_eq!([shared.to_copy(0, 5), own.to_copy(0, 0)], [Ok(0), Ok(0)]);
    // Its 64 elements are 8 lines.
    assert_eq!([own.to_copy(0, 1), own.to_copy(0, 3)], [Ok(8), Ok(24)]);
    assert_eq!(own.of_thread(3).unwrap().origin_of(0), own.origin_of(0) + 24 * 64);
    assert!(own.to_copy(0, usize::MAX).is_err());
}

/// `x[i] += 1` for 64 elements of eight bytes, in parallel.
fn update(schedule: Schedule) -> ThreadCase {
    let mut b = ProgramBuilder::new("update");
    let x = b.fixed_array("x", 8, &[64]);
    b.for_("i", 0, 64, |b, i| {
        b.read(x, [i]);
        b.write(x, [i]);
    });
    let mut program = b.build();
    program.iters[0].parallel = Some(schedule.into());
    ThreadCase { program, sizes: Vec::new(), placement: MemoryLayout::Linear, line: Line::Bytes(64) }
}

fn misses_and_sharing(held: &ThreadsHeld) -> Vec<(u64, u64, u64)> {
    held.threads.iter().map(|held| (held.misses(0), held.true_sharing(0), held.false_sharing(0))).collect()
}

/// With chunks of one iteration four threads update each line, twice each. In lockstep every thread but the first takes it from the
/// one before, and all of them do so the second time.
#[test]
fn chunks_of_less_than_a_line_share_it() {
    let held = |schedule, interleave| update(schedule).held(&[full(16)], &[full(64)], 4, interleave);
    let chunked = held(Schedule::Chunks(1), Interleave::Lockstep);
    assert_eq!(misses_and_sharing(&chunked), [(8, 0, 8); 4]);
    assert_eq!(chunked.coherence, CoherenceTraffic { upgrades: 7 * 8, invalidations: 7 * 8, transfers: 7 * 8 });
    assert_eq!((chunked.shared[0].accesses, chunked.shared[0].misses), (64, 8));
    // One after the other, a thread has done all of its work when the next one begins.
    let after = held(Schedule::Chunks(1), Interleave::After);
    assert_eq!(misses_and_sharing(&after), [(8, 0, 0); 4]);
    assert_eq!(after.coherence.transfers, 3 * 8);
    for schedule in [Schedule::Chunks(8), Schedule::Blocks] {
        let apart = held(schedule, Interleave::Lockstep);
        assert_eq!(misses_and_sharing(&apart), [(2, 0, 0); 4]);
        assert_eq!(apart.coherence, CoherenceTraffic::default());
    }
}

/// Counters of four threads, each of which counts to 100: in one line, or in a line each.
#[test]
fn counters_in_one_line_go_to_and_fro() {
    let counted = |apart| {
        let mut b = ProgramBuilder::new("counters");
        let counters = b.fixed_array("counters", 8, &[4, apart]);
        b.for_("thread", 0, 4, |b, thread| {
            b.for_("k", 0, 100, |b, _| {
                b.read(counters, [thread.into(), Expr::constant(0)]);
                b.write(counters, [thread.into(), Expr::constant(0)]);
            });
        });
        let mut program = b.build();
        program.iters[0].parallel = Some(Schedule::Blocks.into());
        let case = ThreadCase { program, sizes: Vec::new(), placement: MemoryLayout::Linear, line: Line::Bytes(64) };
        case.held(&[full(4)], &[], 4, Interleave::Random(1))
    };
    let apart = counted(8);
    assert_eq!(misses_and_sharing(&apart), [(1, 0, 0); 4]);
    assert_eq!(apart.coherence, CoherenceTraffic::default());
    let together = counted(1);
    for (misses, true_sharing, false_sharing) in misses_and_sharing(&together) {
        assert_eq!((misses, true_sharing), (1, 0));
        // Before most of its accesses another thread has written.
        assert!((50..=150).contains(&false_sharing), "{false_sharing}");
    }
}

/// Two threads write a line each in one loop, and read that of the other in the next.
#[test]
fn lines_go_to_and_fro_between_phases() {
    let mut b = ProgramBuilder::new("exchange");
    let n = b.param("n");
    let x = b.fixed_array("x", 8, &[2, 8]);
    b.for_("t", 0, n, |b, _| {
        b.for_("i", 0, 2, |b, i| _ = b.write(x, [i.into(), Expr::constant(0)]));
        b.for_("j", 0, 2, |b, j| {
            let other = Expr::constant(1).add_scaled(&j.into(), -1).unwrap();
            b.read(x, [other, Expr::constant(0)]);
        });
    });
    let mut program = b.build();
    program.iters[1].parallel = Some(Schedule::Blocks.into());
    program.iters[2].parallel = Some(Schedule::Blocks.into());
    let case = ThreadCase { program, sizes: vec![10], placement: MemoryLayout::Linear, line: Line::Bytes(64) };
    for interleave in ORDERS {
        let held = case.held(&[full(16)], &[], 2, interleave);
        assert_eq!(misses_and_sharing(&held), [(2, 9, 0); 2]);
        assert_eq!(held.coherence, CoherenceTraffic { upgrades: 18, invalidations: 18, transfers: 20 });
    }
    // Were the loops sequential, one thread would have both lines.
    let mut alone = case;
    alone.program.iters.iter_mut().for_each(|iter| iter.parallel = None);
    let held = alone.held(&[full(16)], &[], 2, Interleave::Lockstep);
    assert_eq!(misses_and_sharing(&held), [(2, 0, 0), (0, 0, 0)]);
}

#[test]
fn what_cannot_be_run_is_refused() {
    let refused = |case: &ThreadCase, own: &[Design], threads, limit| {
        let code = Code::new(&case.program, &case.sizes).unwrap();
        let survey = Survey::of(&code).unwrap();
        let memory = MemoryMap::new(&case.program, &survey, case.placement, &[], case.line).unwrap();
        let how = Threading { threads, interleave: Interleave::Lockstep, limit };
        replay_on_threads(&code, &memory, own, &[], how).err()
    };
    let case = update(Schedule::Blocks);
    let own = [full(16)];
    assert_eq!(refused(&case, &own, 0, 128), Some(ReplayError::NoThreads));
    assert_eq!(refused(&case, &own, 2, 128), None);
    assert_eq!(refused(&case, &own, 2, 127), Some(ReplayError::TooManyAccesses { limit: 127 }));
    let prefetch = [Design { prefetch: true, ..own[0] }];
    let error = ThreadCachesError::Prefetch { level: 1 };
    assert_eq!(refused(&case, &prefetch, 2, 128), Some(ReplayError::ThreadCaches(error)));
    let empty = update(Schedule::Chunks(0));
    assert_eq!(refused(&empty, &own, 2, 128), Some(ReplayError::EmptyChunks { name: "i".to_owned() }));
    let mut no_nest = update(Schedule::Blocks);
    no_nest.program.iters[0].parallel = Some(ParallelLoops { loops: 2, schedule: Schedule::Blocks });
    let error = CollapseError::NotPerfect(IterId(0));
    assert_eq!(refused(&no_nest, &own, 2, 128), Some(ReplayError::Nest { name: "i".to_owned(), error }));
}
