//! Compares pieces of runs with whole runs.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use symloc_affine::{Line, Program};
use symloc_cache::{Caches, Design, Geometry, Hierarchy, IndexFunction, Replacement};
use symloc_sim::random::{self, ProgramShape, Rng};

use super::position::{Direction, LeafPosition};
use super::window::{AccessPlace, Stage, Stretch};
use super::{Sampling, classes, sample};
use crate::code::Op;
use crate::cursor::{Placed, placed};
use crate::replay::class::Class;
use crate::{Code, MemoryLayout, MemoryMap, Replaying, Survey, executions, replay};

const LINE: u64 = 16;

fn cache(lines: u64, ways: u64, replacement: Replacement) -> Design {
    Design::new(Geometry::new(lines, ways, IndexFunction::Modulo).unwrap(), replacement)
}

/// Returns a program at a size, and its memory.
fn at<'p>(program: &'p Program, sizes: &[i64]) -> (Code<'p>, MemoryMap) {
    let code = Code::new(program, sizes).unwrap();
    let memory =
        MemoryMap::new(program, &Survey::of(&code).unwrap(), MemoryLayout::Linear, &[], Line::Bytes(LINE)).unwrap();
    (code, memory)
}

/// Returns all leaves of a run, from its beginning.
fn forward<'c>(program: &Program, body: &'c [Op<Placed>]) -> Vec<LeafPosition<'c>> {
    let mut next = LeafPosition::first(program, body).unwrap();
    let mut all = Vec::new();
    while let Some(position) = next {
        all.push(position.clone());
        let mut later = position;
        next = later.go(Direction::Forward).unwrap().then_some(later);
    }
    all
}

/// Runs every stretch of `accesses` accesses of a program, in every class; compares the sum of their results with the whole run.
fn stretches_are_as_in_the_whole_run(
    program: &Program,
    sizes: &[i64],
    designs: &[Design],
    accesses: u64,
    history: u64,
) {
    let (code, memory) = at(program, sizes);
    let body = placed(&code, &memory).unwrap();
    let modulus = classes(designs);
    let part = |design: &Design| cache(design.geometry.lines() / modulus, design.geometry.ways(), design.replacement);
    let caches = Hierarchy::new(&designs.iter().map(part).collect::<Vec<_>>()).unwrap();
    let levels = Caches::levels(&caches);
    let mut stage = Stage { program, memory: &memory, body: &body, caches, patience: 2, work: 0, visits: Vec::new() };
    let mut held = vec![0; program.accesses.len() * (levels + 1)];
    let mut written = vec![0; program.arrays.len() * levels];
    for position in forward(program, &body) {
        for index in 0..position.accesses() {
            let stretch = Stretch { start: AccessPlace { position: position.clone(), index }, accesses };
            let (_, all) = stage.class(&stretch, modulus, &mut |_| 0).unwrap();
            let mut visits = 0;
            for rest in 0..modulus {
                let seen = stage.run(&stretch, Class { modulus, rest }, &mut history.clone(), u64::MAX).unwrap();
                assert_eq!(seen.undecided, 0);
                held.iter_mut().zip(&seen.held).for_each(|(all, seen)| *all += seen);
                written.iter_mut().zip(&seen.written).for_each(|(all, seen)| *all += seen);
                visits += seen.visits;
            }
            assert_eq!(visits, all);
        }
    }
    let whole = replay(&code, &memory, designs, Replaying::default()).unwrap();
    let times = |counts: &[Vec<u64>]| counts.iter().flatten().map(|count| count * accesses).collect::<Vec<_>>();
    assert_eq!(held, times(&whole.by_access), "{designs:?} at {sizes:?}\n{program}");
    if history == WHOLE {
        assert_eq!(written, times(&whole.write_backs), "{designs:?} at {sizes:?}\n{program}");
    }
}

/// A history that begins with the program.
const WHOLE: u64 = 1 << 40;

#[test]
fn every_access_is_in_equally_many_stretches() {
    for seed in 0..60 {
        let program = random::program(seed, ProgramShape { symbolic: 2, ..ProgramShape::default() });
        let sizes = random::sizes(&mut Rng::new(seed), &program, 8);
        let (lru, plru, large) =
            (cache(8, 2, Replacement::Lru), cache(16, 4, Replacement::TreePlru), cache(48, 6, Replacement::Fifo));
        // With LRU, whatever the initial length of the history; with others, if it is the whole run.
        let check = |designs: &[Design], accesses, history| {
            stretches_are_as_in_the_whole_run(&program, &sizes, designs, accesses, history);
        };
        check(&[lru], 1, 1);
        check(&[lru], 9, 1);
        check(&[lru], 4, WHOLE);
        check(&[cache(12, 12, Replacement::Lru)], 3, 3);
        check(&[plru], 1, WHOLE);
        check(&[lru, large], 5, WHOLE);
    }
}

#[test]
fn runs_are_the_same_in_both_directions() {
    for seed in 0..200 {
        let program = random::program(seed, ProgramShape::default());
        let (code, memory) = at(&program, &random::sizes(&mut Rng::new(seed), &program, 6));
        let body = placed(&code, &memory).unwrap();
        let leaves = forward(&program, &body);
        let Some(mut position) = leaves.last().cloned() else { continue };
        let place = |position: &LeafPosition<'_>| {
            let first = position.sites()[0].address(&position.iters).unwrap();
            (position.sites()[0].access, first, position.count)
        };
        for earlier in leaves.iter().rev().skip(1) {
            assert!(position.go(Direction::Backward).unwrap(), "seed {seed}");
            assert_eq!(place(&position), place(earlier), "seed {seed}");
        }
        assert!(!position.go(Direction::Backward).unwrap(), "seed {seed}");
    }
}

#[test]
fn intervals_hold_the_truth() {
    let (mut held, mut all) = (0, 0);
    let caches = [
        vec![cache(16, 4, Replacement::Lru)],
        vec![cache(16, 4, Replacement::TreePlru)],
        vec![cache(8, 2, Replacement::Lru), cache(64, 4, Replacement::Lru)],
    ];
    for seed in 0..120 {
        let program = random::program(seed, ProgramShape { symbolic: 3, ..ProgramShape::default() });
        let mut rng = Rng::new(seed);
        let sizes: Vec<_> = program.params.iter().map(|_| rng.range(12, 24)).collect();
        let (code, memory) = at(&program, &sizes);
        let executions: Vec<f64> = executions(&code, u64::MAX).unwrap().iter().map(|count| *count as f64).collect();
        let accesses: f64 = executions.iter().sum();
        for designs in &caches {
            let sampling = Sampling { precision: 0.02, seed, effort: 1_000_000, ..Sampling::default() };
            let estimate = sample(&code, &memory, designs, &executions, &[], sampling).unwrap();
            assert_eq!(estimate, sample(&code, &memory, designs, &executions, &[], sampling).unwrap(), "the same seed");
            let whole = replay(&code, &memory, designs, Replaying::default()).unwrap();
            for (level, rates) in estimate.levels.iter().enumerate() {
                let share = rates.misses;
                let truth = if accesses > 0.0 { whole.misses(level) as f64 / accesses } else { 0.0 };
                all += 1;
                held += u32::from(share.interval.0 <= truth + 1e-9 && truth - 1e-9 <= share.interval.1);
            }
        }
    }
    println!("{held} of {all}");
    assert!(20 * held >= 19 * all, "{held} of {all}");
}
