//! Runs on threads beside their definitions, which take quadratic time.

#![allow(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{Expr, IterId, Layout, Line, ParallelLoops, Program, Schedule};
use symloc_sim::random::{self, ProgramShape, Rng};
use symloc_sim::{
    DistanceHistogram, IntervalHistogram, LineAddress, SimError, ThreadAccess, ThreadReuse, ThreadSurvey, ThreadTrace,
    ThreadTurn, Trace,
};

const THREADS: [u32; 8] = [1, 2, 3, 4, 7, 8, 16, 64];

fn accesses(trace: &ThreadTrace<'_, '_>) -> Vec<ThreadAccess> {
    let mut accesses = Vec::new();
    trace.for_each(|access| accesses.push(access)).unwrap();
    accesses
}

/// Calls `check` with random programs that have parallel loops, on all numbers of threads.
fn for_random_programs(seeds: std::ops::Range<u64>, longest: u64, check: impl Fn(&str, &Trace<'_>, u32)) {
    let mut traces = 0;
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let shape = ProgramShape { arrays: 1, ..ProgramShape::default() };
        let program = random::with_parallel_loops(random::program(seed, shape), seed);
        let sizes = random::sizes(&mut rng, &program, 9);
        let layout = *rng.pick(&[Layout::Rows, Layout::Linear]);
        let line = *rng.pick(&[Line::Element, Line::Bytes(16), Line::Bytes(64)]);
        let trace = Trace::new(&program, &sizes, layout, line).unwrap();
        if trace.accesses() <= longest {
            traces += u32::from(trace.accesses() > 0);
            let place = format!("seed {seed} at {sizes:?}, {layout:?}, {line:?}\n{program}");
            THREADS.iter().for_each(|threads| check(&place, &trace, *threads));
        }
    }
    assert!(traces > 50, "{traces} traces test nothing");
}

/// A triangle whose rows are shared each time that it is entered, between sequential accesses.
fn triangle(schedule: Schedule) -> Program {
    let mut b = ProgramBuilder::new("triangle");
    let n = b.param("n");
    let x = b.array("x", 8, 1);
    b.for_("i", 0, n, |b, i| {
        b.read(x, [i]);
        b.for_("j", i, n, |b, j| {
            b.for_("k", 0, 2, |b, _| _ = b.write(x, [j]));
        });
    });
    let mut program = b.build();
    program.iters[1].parallel = Some(schedule.into());
    // A parallel loop in a parallel loop is sequential.
    program.iters[2].parallel = Some(Schedule::Blocks.into());
    program
}

#[test]
fn each_entry_of_a_loop_is_shared_anew() {
    let of = |schedule| {
        let program = triangle(schedule);
        let trace = Trace::new(&program, &[3], Layout::Rows, Line::Element).unwrap();
        let trace = ThreadTrace::new(&trace, 2).unwrap();
        let tuple = |a: &ThreadAccess| (a.turn.phase, a.turn.thread, a.turn.iteration, a.line.0, a.writes);
        accesses(&trace).iter().map(tuple).collect::<Vec<_>>()
    };
    let twice = |phase, thread, iteration, line| [(phase, thread, iteration, line, true); 2];
    let read = |phase, line| (phase, 0, 0, line, false);
    let blocks = [
        vec![read(0, 0)],
        [twice(1, 0, 0, 0), twice(1, 0, 1, 1), twice(1, 1, 0, 2)].concat(),
        vec![read(2, 1)],
        [twice(3, 0, 0, 1), twice(3, 1, 0, 2)].concat(),
        vec![read(4, 2)],
        twice(5, 0, 0, 2).to_vec(),
    ];
    assert_eq!(of(Schedule::Blocks), blocks.concat());
    let mut chunks = blocks;
    chunks[1] = [twice(1, 0, 0, 0), twice(1, 0, 1, 2), twice(1, 1, 0, 1)].concat();
    assert_eq!(of(Schedule::Chunks(1)), chunks.concat());
}

/// The iterations of three loops are one sequence, in the order of the loops.
#[test]
fn nests_are_shared_as_one_loop() {
    let of = |schedule, threads| {
        let mut b = ProgramBuilder::new("nest");
        let n = b.param("n");
        let x = b.array("x", 8, 1);
        b.for_step("i", 1, n, 4, |b, i| {
            b.operations(1);
            b.for_("j", 0, 2, |b, j| b.for_("k", 0, 2, |b, k| _ = b.read(x, [sum([(4, i), (2, j), (1, k)])])));
        });
        let mut program = b.build();
        program.iters[0].parallel = Some(ParallelLoops { loops: 3, schedule });
        let trace = Trace::new(&program, &[6], Layout::Rows, Line::Element).unwrap();
        let trace = ThreadTrace::new(&trace, threads).unwrap();
        let by =
            |thread| accesses(&trace).iter().filter(|a| a.turn.thread == thread).map(|a| a.line.0).collect::<Vec<_>>();
        (0..threads).map(by).collect::<Vec<_>>()
    };
    // i is 1 and 5, so that there are eight iterations.
    let all = [4, 5, 6, 7, 20, 21, 22, 23];
    assert_eq!(of(Schedule::Blocks, 1), [all]);
    assert_eq!(of(Schedule::Blocks, 3), [&all[..3], &all[3..6], &all[6..]]);
    assert_eq!(of(Schedule::Chunks(3), 2), [vec![4, 5, 6, 22, 23], vec![7, 20, 21]]);
}

fn sum<const N: usize>(terms: [(i64, IterId); N]) -> Expr {
    let add = |sum: Expr, (factor, iter)| sum.add_scaled(&Expr::iter(iter), factor).unwrap();
    terms.into_iter().fold(Expr::constant(0), add)
}

#[test]
fn threads_share_the_accesses_of_the_program() {
    for_random_programs(0..300, u64::MAX, |place, trace, threads| {
        let mut expected = Vec::new();
        trace.for_each_address(|access, _, line| expected.push((access, line))).unwrap();
        let turns = accesses(&ThreadTrace::new(trace, threads).unwrap());
        let mut found: Vec<_> = turns.iter().map(|access| (access.access, access.line)).collect();
        if threads > 1 {
            expected.sort_unstable();
            found.sort_unstable();
        }
        assert!(found == expected, "{threads} {place}");
        let order = |turn: ThreadTurn| (turn.phase, turn.thread, turn.iteration);
        assert!(turns.is_sorted_by_key(|access| order(access.turn)), "{threads} {place}");
        assert!(turns.iter().all(|access| access.turn.thread < threads), "{threads} {place}");
    });
}

/// Measures one thread in quadratic time.
fn by_definition(all: &[ThreadAccess], thread: u32, table: usize) -> ThreadReuse {
    let own: Vec<_> = all.iter().filter(|access| access.turn.thread == thread).collect();
    let mut reuse = ThreadReuse { invalidated: vec![BTreeMap::new(); table], ..ThreadReuse::default() };
    let (mut first, mut last) = (BTreeMap::new(), BTreeMap::new());
    for (rank, access) in own.iter().enumerate() {
        let previous = last.insert(access.line, rank);
        let Some(previous) = previous else {
            first.insert(access.line, rank);
            continue;
        };
        let between: BTreeSet<_> = own[previous + 1..rank].iter().map(|access| access.line).collect();
        let distance = between.len() as u64;
        *reuse.intervals.real.entry((rank - previous) as u64).or_insert(0) += 1;
        *reuse.distances.distances.entry(distance).or_insert(0) += 1;
        let (after, before) = (own[previous].turn.phase, access.turn.phase);
        let foreign = |other: &&ThreadAccess| other.line == access.line && other.turn.thread != thread && other.writes;
        let mut phases = all.iter().filter(foreign).map(|other| other.turn.phase);
        if phases.any(|phase| after < phase && phase < before) {
            *reuse.invalidated[access.access.index()].entry(distance).or_insert(0) += 1;
        }
    }
    for (line, first) in &first {
        *reuse.intervals.imaginary.entry((own.len() + first - last[line]) as u64).or_insert(0) += 1;
    }
    let (accesses, blocks) = (own.len() as u64, first.len() as u64);
    reuse.intervals = IntervalHistogram { accesses, blocks, ..reuse.intervals };
    reuse.distances = DistanceHistogram { accesses, first_touches: blocks, ..reuse.distances };
    reuse
}

fn false_sharing(all: &[ThreadAccess]) -> BTreeMap<u64, BTreeSet<LineAddress>> {
    let mut lines: BTreeMap<u64, BTreeSet<LineAddress>> = BTreeMap::new();
    for write in all.iter().filter(|access| access.writes) {
        let meets = |other: &ThreadAccess| {
            other.line == write.line && other.turn.phase == write.turn.phase && other.turn.thread != write.turn.thread
        };
        if all.iter().any(meets) {
            lines.entry(write.turn.phase).or_default().insert(write.line);
        }
    }
    lines
}

#[test]
fn reuse_and_sharing_follow_their_definitions() {
    let (mut invalidated, mut shared) = (0, 0);
    let counts = std::cell::RefCell::new((&mut invalidated, &mut shared));
    for_random_programs(0..1200, 400, |place, trace, threads| {
        let threaded = ThreadTrace::new(trace, threads).unwrap();
        let all = accesses(&threaded);
        let survey = ThreadSurvey::of(&threaded).unwrap();
        let table = trace.program().accesses.len();
        let expected: Vec<_> = (0..threads).map(|thread| by_definition(&all, thread, table)).collect();
        assert!(survey.threads == expected, "{threads} {place}");
        assert_eq!(survey.false_sharing, false_sharing(&all), "{threads} {place}");
        let mut counts = counts.borrow_mut();
        *counts.0 += survey.threads.iter().map(|thread| thread.true_sharing(u64::MAX)).sum::<u64>();
        *counts.1 += survey.false_sharing.len();
    });
    assert!(invalidated > 500 && shared > 1000, "{invalidated} and {shared} test nothing");
}

#[test]
fn one_thread_is_the_sequential_run() {
    for_random_programs(0..200, u64::MAX, |place, trace, threads| {
        if threads == 1 {
            let survey = ThreadSurvey::of(&ThreadTrace::new(trace, 1).unwrap()).unwrap();
            assert_eq!(survey.threads[0].intervals, IntervalHistogram::of(trace).unwrap(), "{place}");
            assert_eq!(survey.threads[0].distances, DistanceHistogram::of(trace).unwrap(), "{place}");
            assert_eq!(survey.threads[0].true_sharing(u64::MAX), 0, "{place}");
            assert!(survey.false_sharing.is_empty(), "{place}");
        }
    });
}

#[test]
fn no_threads_empty_chunks_and_broken_nests_are_refused() {
    let program = triangle(Schedule::Blocks);
    let trace = Trace::new(&program, &[3], Layout::Rows, Line::Element).unwrap();
    assert_eq!(ThreadTrace::new(&trace, 0).map(|_| ()), Err(SimError::NoThreads));
    let empty = triangle(Schedule::Chunks(0));
    let refused = Trace::new(&empty, &[3], Layout::Rows, Line::Element).map(|_| ());
    assert!(matches!(refused, Err(SimError::Malformed(_))), "{refused:?}");
    // The outer loop of the triangle has an access beside the inner one.
    let mut broken = triangle(Schedule::Blocks);
    broken.iters[0].parallel = Some(ParallelLoops { loops: 2, schedule: Schedule::Blocks });
    let trace = Trace::new(&broken, &[3], Layout::Rows, Line::Element).unwrap();
    let refused = ThreadTrace::new(&trace, 2).unwrap().for_each(|_| ());
    assert!(matches!(refused, Err(SimError::Malformed(_))), "{refused:?}");
}
