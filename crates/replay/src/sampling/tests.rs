//! Pieces of runs against whole runs.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use symloc_affine::{Line, Program};
use symloc_cache::{Caches, Design, Geometry, Hierarchy, Index, Replacement};
use symloc_sim::random::{self, Rng, Shape};

use super::class::Class;
use super::position::{Direction, Position};
use super::window::{Stage, Window};
use super::{Sampling, classes, sample};
use crate::code::Op;
use crate::cursor::{Placed, placed};
use crate::{Code, Memory, Placement, Replaying, Survey, executions, replay};

const LINE: u64 = 16;

fn cache(lines: u64, ways: u64, replacement: Replacement) -> Design {
    Design::new(Geometry::new(lines, ways, Index::Modulo).unwrap(), replacement)
}

/// A program at a size, and its memory.
fn at<'p>(program: &'p Program, sizes: &[i64]) -> (Code<'p>, Memory) {
    let code = Code::new(program, sizes).unwrap();
    let memory = Memory::new(program, &Survey::of(&code).unwrap(), Placement::Linear, Line::Bytes(LINE)).unwrap();
    (code, memory)
}

/// All leaves of a run, from its beginning.
fn forward<'c>(program: &Program, body: &'c [Op<Placed>]) -> Vec<Position<'c>> {
    let mut next = Position::first(program, body).unwrap();
    let mut all = Vec::new();
    while let Some(position) = next {
        all.push(position.clone());
        let mut later = position;
        next = later.go(Direction::Forward).unwrap().then_some(later);
    }
    all
}

/// Is every access decided by itself as in the whole run? With a history of so many accesses at first.
fn decides_as_the_whole_run(program: &Program, sizes: &[i64], designs: &[Design], history: u64) {
    let (code, memory) = at(program, sizes);
    let body = placed(&code, &memory).unwrap();
    let modulus = classes(designs);
    let part = |design: &Design| cache(design.geometry.lines() / modulus, design.geometry.ways(), design.replacement);
    let caches = Hierarchy::new(&designs.iter().map(part).collect::<Vec<_>>()).unwrap();
    let levels = Caches::levels(&caches);
    let (line, events, forgets_at_once) = (LINE as i64, Vec::new(), designs.len() == 1);
    let mut stage = Stage { program, body: &body, line, caches, forgets_at_once, work: 0, events };
    let mut by_access = vec![vec![0; levels + 1]; program.accesses.len()];
    for position in forward(program, &body) {
        for iteration in 0..position.count {
            for site in position.sites() {
                let address = site.address(&position.iters).unwrap() + site.bytes() * iteration as i64;
                let class = Class { modulus, rest: address as u64 / LINE % modulus };
                let iterations = iteration..iteration + 1;
                let window = Window { position: position.clone(), iterations, class };
                let seen = stage.run(&window, &mut history.clone(), u64::MAX).unwrap();
                assert!(!seen.undecided);
                let held = &seen.held[site.access * (levels + 1)..][..=levels];
                by_access[site.access].iter_mut().zip(held).for_each(|(all, held)| *all += held);
            }
        }
    }
    let whole = replay(&code, &memory, designs, Replaying::default()).unwrap();
    assert_eq!(by_access, whole.by_access, "{designs:?} at {sizes:?}\n{program}");
}

#[test]
fn accesses_are_decided_one_by_one() {
    for seed in 0..60 {
        let program = random::program(seed, Shape { symbolic: 2, ..Shape::default() });
        let sizes = random::sizes(&mut Rng::new(seed), &program, 8);
        let (lru, plru, large) =
            (cache(8, 2, Replacement::Lru), cache(16, 4, Replacement::TreePlru), cache(48, 6, Replacement::Fifo));
        // With LRU, however short a history is at first; with others, if it is the whole run.
        decides_as_the_whole_run(&program, &sizes, &[lru], 1);
        decides_as_the_whole_run(&program, &sizes, &[cache(12, 12, Replacement::Lru)], 3);
        decides_as_the_whole_run(&program, &sizes, &[plru], 1 << 40);
        decides_as_the_whole_run(&program, &sizes, &[lru, large], 1 << 40);
    }
}

#[test]
fn runs_are_the_same_in_both_directions() {
    for seed in 0..200 {
        let program = random::program(seed, Shape::default());
        let (code, memory) = at(&program, &random::sizes(&mut Rng::new(seed), &program, 6));
        let body = placed(&code, &memory).unwrap();
        let leaves = forward(&program, &body);
        let Some(mut position) = leaves.last().cloned() else { continue };
        let place = |position: &Position<'_>| {
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
        let program = random::program(seed, Shape { symbolic: 3, ..Shape::default() });
        let mut rng = Rng::new(seed);
        let sizes: Vec<_> = program.params.iter().map(|_| rng.range(12, 24)).collect();
        let (code, memory) = at(&program, &sizes);
        let executions: Vec<f64> = executions(&code, u64::MAX).unwrap().iter().map(|count| *count as f64).collect();
        let accesses: f64 = executions.iter().sum();
        for designs in &caches {
            let sampling = Sampling { precision: 0.02, seed, effort: 1_000_000 };
            let estimate = sample(&code, &memory, designs, &executions, sampling).unwrap();
            assert_eq!(estimate, sample(&code, &memory, designs, &executions, sampling).unwrap(), "the same seed");
            let whole = replay(&code, &memory, designs, Replaying::default()).unwrap();
            for (level, share) in estimate.levels.iter().enumerate() {
                let truth = if accesses > 0.0 { whole.misses(level) as f64 / accesses } else { 0.0 };
                all += 1;
                held += u32::from(share.interval.0 <= truth + 1e-9 && truth - 1e-9 <= share.interval.1);
            }
        }
    }
    println!("{held} of {all}");
    assert!(20 * held >= 19 * all, "{held} of {all}");
}
