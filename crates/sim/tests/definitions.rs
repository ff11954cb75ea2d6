//! Compares the fast measurements with their definitions, computed in quadratic time, on random programs.
//!
//! The reference shares nothing with the crate: it walks the tree with `Expr::eval` and takes blocks from
//! `symloc_affine::Layout::block`.

#![allow(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::{AccessId, Layout, Line, Node, Program};
use symloc_sim::random::{self, ProgramShape, Rng};
use symloc_sim::{ByReuse, Cache, DistanceHistogram, IntervalHistogram, Survey, Trace, reuses, simulate};

/// An access, with the array and coordinates of its block.
type Touch = (AccessId, (u32, Vec<i128>));

struct Reference<'p> {
    program: &'p Program,
    sizes: &'p [i64],
    layout: Layout,
    line: Line,
    iters: Vec<i128>,
    touches: Vec<Touch>,
}

impl Reference<'_> {
    fn trace(program: &Program, sizes: &[i64], layout: Layout, line: Line) -> Vec<Touch> {
        let iters = vec![0; program.iters.len()];
        let mut reference = Reference { program, sizes, layout, line, iters, touches: Vec::new() };
        reference.run(&program.body);
        reference.touches
    }

    fn run(&mut self, nodes: &[Node]) {
        for node in nodes {
            let param = |p: symloc_affine::ParamId| i128::from(self.sizes[p.index()]);
            let iter = |i: symloc_affine::IterId| self.iters[i.index()];
            let eval = |e: &symloc_affine::Expr| e.eval(&param, &iter).unwrap();
            match node {
                Node::Loop(l) => {
                    let lower = l.lower.iter().map(eval).max().unwrap();
                    let upper = l.upper.iter().map(eval).min().unwrap();
                    for value in (lower..upper).step_by(l.step.constant().unwrap() as usize) {
                        self.iters[l.iter.index()] = value;
                        self.run(&l.body);
                    }
                }
                Node::If(guard) => {
                    let holds = guard.condition.iter().all(|c| c.holds(&param, &iter).unwrap());
                    self.run(if holds { &guard.then } else { &guard.otherwise });
                }
                Node::Operations(_) | Node::Mark(_) => {}
                Node::Access(id) => {
                    let access = self.program.access(*id);
                    let block = self.layout.block(self.program, access, self.line).unwrap();
                    let block = block.iter().map(eval).collect();
                    self.touches.push((*id, (access.array.0, block)));
                }
            }
        }
    }
}

const LINES: [Line; 4] = [Line::Element, Line::Bytes(16), Line::Bytes(48), Line::Bytes(64)];

/// Calls `check` with traces of random programs: the fast one and the reference.
fn for_random_traces(seeds: std::ops::Range<u64>, longest: usize, check: impl Fn(u64, &Trace<'_>, &[Touch])) {
    let (mut traces, mut accesses) = (0, 0);
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let shape = if rng.one_in(4) { ProgramShape::simple() } else { ProgramShape::default() };
        let program = random::program(seed, shape);
        let sizes = random::sizes(&mut rng, &program, 8);
        let layout = *rng.pick(&[Layout::Rows, Layout::Linear]);
        let line = *rng.pick(&LINES);
        let touches = Reference::trace(&program, &sizes, layout, line);
        let trace = Trace::new(&program, &sizes, layout, line).unwrap();
        assert_eq!(trace.accesses(), touches.len() as u64, "seed {seed}");
        if touches.len() <= longest {
            check(seed, &trace, &touches);
            (traces, accesses) = (traces + 1, accesses + touches.len());
        }
    }
    assert!(traces > 50 && accesses > 20 * traces, "{traces} traces with {accesses} accesses test nothing");
}

#[test]
fn blocks_and_addresses_are_one_to_one() {
    for_random_traces(0..2000, usize::MAX, |seed, trace, touches| {
        let mut fast = Vec::new();
        trace.for_each_address(|access, block, line| fast.push((access, block, line))).unwrap();
        let mut numbers = BTreeMap::new();
        let mut lines = BTreeMap::new();
        assert_eq!(fast.len(), touches.len(), "seed {seed}");
        for ((access, block, line), (expected, coordinates)) in fast.into_iter().zip(touches) {
            assert_eq!(access, *expected, "seed {seed}");
            let next = numbers.len() as u32;
            assert_eq!(block.0, *numbers.entry(coordinates).or_insert(next), "seed {seed}");
            assert_eq!(*lines.entry(coordinates).or_insert(line), line, "seed {seed}");
        }
        let distinct: BTreeSet<_> = lines.values().collect();
        assert_eq!(distinct.len(), lines.len(), "seed {seed}");
    });
}

/// Padding moves blocks apart. It changes neither the touched blocks nor their order in memory.
#[test]
fn padding_keeps_blocks_and_separates_lines() {
    for_random_traces(0..300, usize::MAX, |seed, trace, touches| {
        let visited = |trace: &Trace<'_>| {
            let mut visited = Vec::new();
            trace.for_each_address(|access, block, line| visited.push((access, block, line))).unwrap();
            visited
        };
        let plain = visited(trace);
        let padded = visited(&trace.clone().padded().unwrap());
        let mut lines = BTreeMap::new();
        for ((before, after), (_, block)) in plain.iter().zip(&padded).zip(touches) {
            assert_eq!((before.0, before.1), (after.0, after.1), "seed {seed}");
            assert!(before.2 <= after.2, "seed {seed}");
            assert_eq!(*lines.entry(block).or_insert(after.2), after.2, "seed {seed}");
        }
        let in_order: Vec<_> = lines.values().collect();
        assert!(in_order.windows(2).all(|pair| pair[0] < pair[1]), "seed {seed}");
    });
}

#[test]
fn addresses_ascend_with_arrays_and_coordinates() {
    for_random_traces(0..300, usize::MAX, |seed, trace, touches| {
        let mut lines = BTreeMap::new();
        let mut next = touches.iter();
        trace.for_each_address(|_, _, line| _ = lines.insert(&next.next().unwrap().1, line)).unwrap();
        assert!(lines.values().is_sorted(), "seed {seed}");
    });
}

#[test]
fn intervals_are_those_of_the_definition() {
    for_random_traces(0..2000, 1500, |seed, trace, touches| {
        let n = touches.len();
        let twice: Vec<_> = touches.iter().chain(touches).map(|(_, block)| block).collect();
        let mut expected = IntervalHistogram { accesses: n as u64, ..Default::default() };
        for t in n..2 * n {
            let prev = (0..t).rev().find(|&p| twice[p] == twice[t]).unwrap();
            let histogram = if prev < n { &mut expected.imaginary } else { &mut expected.real };
            *histogram.entry((t - prev) as u64).or_insert(0) += 1;
        }
        expected.blocks = expected.imaginary.values().sum();
        let fast = IntervalHistogram::of(trace).unwrap();
        assert_eq!(fast, expected, "seed {seed}");
        let sum: u64 = fast.real.iter().chain(&fast.imaginary).map(|(interval, count)| interval * count).sum();
        assert_eq!(sum, fast.accesses * fast.blocks, "seed {seed}");
    });
}

#[test]
fn distances_are_those_of_the_definition() {
    for_random_traces(0..2000, 1500, |seed, trace, touches| {
        let mut expected = vec![DistanceHistogram::default(); trace.program().accesses.len()];
        for (t, (access, block)) in touches.iter().enumerate() {
            let histogram = &mut expected[access.index()];
            histogram.accesses += 1;
            match touches[..t].iter().rposition(|(_, b)| b == block) {
                Some(prev) => {
                    let between: BTreeSet<_> = touches[prev + 1..t].iter().map(|(_, b)| b).collect();
                    *histogram.distances.entry(between.len() as u64).or_insert(0) += 1;
                }
                None => histogram.first_touches += 1,
            }
        }
        assert_eq!(DistanceHistogram::by_access(trace).unwrap(), expected, "seed {seed}");
        let total = DistanceHistogram::of(trace).unwrap();
        for capacity in 0..12 {
            let by_access: u64 = expected.iter().map(|histogram| histogram.misses(capacity)).sum();
            assert_eq!(total.misses(capacity), by_access, "seed {seed}");
        }
        assert_eq!(total.accesses, touches.len() as u64);
    });
}

#[test]
fn reuses_are_those_of_the_definition() {
    for_random_traces(0..1000, 1500, |seed, trace, touches| {
        let (mut intervals, mut distances) = (ByReuse::new(), ByReuse::new());
        for (t, (access, block)) in touches.iter().enumerate() {
            let Some(prev) = touches[..t].iter().rposition(|(_, b)| b == block) else { continue };
            let between: BTreeSet<_> = touches[prev + 1..t].iter().map(|(_, b)| b).collect();
            let reuse = (touches[prev].0, *access);
            *intervals.entry(reuse).or_default().entry((t - prev) as u64).or_insert(0) += 1;
            *distances.entry(reuse).or_default().entry(between.len() as u64).or_insert(0) += 1;
        }
        assert_eq!(reuses::intervals(trace).unwrap(), intervals, "seed {seed}");
        assert_eq!(reuses::distances(trace).unwrap(), distances, "seed {seed}");
    });
}

/// Returns the misses of an LRU cache whose sets are plain lists, newest first.
fn lru(lines: &[u64], sets: u64, ways: usize) -> u64 {
    let mut cache: Vec<Vec<u64>> = vec![Vec::new(); sets as usize];
    let mut misses = 0;
    for line in lines {
        let set = &mut cache[(line % sets) as usize];
        match set.iter().position(|l| l == line) {
            Some(found) => _ = set.remove(found),
            None => misses += 1,
        }
        set.insert(0, *line);
        set.truncate(ways);
    }
    misses
}

#[test]
fn set_associative_caches_are_lists_of_lines() {
    for_random_traces(0..1000, 20_000, |seed, trace, touches| {
        let Line::Bytes(line_bytes) = trace.line() else { return };
        let mut lines = Vec::new();
        trace.for_each_address(|_, _, line| lines.push(line.0)).unwrap();
        let shapes = [(1, 1), (1, 4), (2, 2), (3, 2), (8, 1), (5, 3)];
        let cache = |&(sets, ways)| Cache::new(sets * ways * line_bytes, ways, line_bytes).unwrap();
        let caches: Vec<_> = shapes.iter().map(cache).collect();
        let results = simulate(trace, &caches).unwrap();
        for ((sets, ways), result) in shapes.into_iter().zip(results) {
            assert_eq!(result.misses, lru(&lines, sets, ways as usize), "seed {seed}, {sets} sets, {ways} ways");
            assert_eq!(result.accesses, touches.len() as u64);
        }
    });
}

#[test]
fn one_set_agrees_with_the_distances() {
    for_random_traces(0..1000, usize::MAX, |seed, trace, _| {
        let histogram = DistanceHistogram::of(trace).unwrap();
        let caches: Vec<_> = (0..20).map(|lines| Cache::fully_associative(lines, trace.line())).collect();
        for (cache, result) in caches.iter().zip(simulate(trace, &caches).unwrap()) {
            assert_eq!(result.misses, histogram.misses(cache.ways()), "seed {seed}, {} lines", cache.ways());
            assert_eq!(result.first_touches, histogram.first_touches, "seed {seed}");
        }
    });
}

#[test]
fn a_survey_is_all_of_them() {
    for_random_traces(0..500, usize::MAX, |seed, trace, _| {
        let cache = |(sets, ways)| match trace.line() {
            Line::Bytes(line_bytes) => Cache::new(sets * ways * line_bytes, ways, line_bytes).unwrap(),
            Line::Element => Cache::fully_associative(ways, Line::Element),
        };
        let caches = [(1, 4), (3, 2)].map(cache);
        let survey = Survey::of(trace, &caches).unwrap();
        assert_eq!(survey.caches, simulate(trace, &caches).unwrap(), "seed {seed}");
        assert_eq!(survey.intervals(), IntervalHistogram::of(trace).unwrap(), "seed {seed}");
        assert_eq!(survey.distances(), DistanceHistogram::of(trace).unwrap(), "seed {seed}");
        let by_access = DistanceHistogram::by_access(trace).unwrap();
        for (surveyed, expected) in survey.accesses.iter().zip(&by_access) {
            assert_eq!((&surveyed.distances, surveyed.first_touches), (&expected.distances, expected.first_touches));
            assert_eq!(surveyed.intervals.values().sum::<u64>(), expected.accesses - expected.first_touches);
        }
        assert_eq!(survey.accesses.len(), by_access.len());
    });
}
