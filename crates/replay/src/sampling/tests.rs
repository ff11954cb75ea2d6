//! Compares pieces of runs with whole runs.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{IterId, Line, Program};
use symloc_cache::{Caches, Design, Geometry, Hierarchy, IndexFunction, Replacement};
use symloc_sim::random::{self, ProgramShape, Rng};

use super::position::{Direction, LeafPosition};
use super::window::{AccessPlace, Stage, Stretch, written_arrays};
use super::{EstimatedShare, Sampling, classes, sample};
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
    let mut stage = Stage {
        program,
        memory: &memory,
        body: &body,
        caches,
        patience: 2,
        decides: true,
        is_written: written_arrays(program),
        work: 0,
        visits: Vec::new(),
    };
    let mut held = vec![0; program.accesses.len() * (levels + 1)];
    let mut written = vec![0; program.arrays.len() * levels];
    for position in forward(program, &body) {
        for index in 0..position.accesses() {
            let stretch = Stretch { start: AccessPlace { position: position.clone(), index }, accesses };
            let (_, all) = stage.class(&stretch, modulus, &mut |_| 0).unwrap();
            let mut visits = 0;
            for rest in 0..modulus {
                let seen = stage.run(&stretch, Class { modulus, rest }, &mut history.clone(), u64::MAX, 0).unwrap();
                assert_eq!(seen.undecided, 0);
                assert!(seen.perhaps.iter().all(|count| *count == 0));
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
    if history == WHOLE || is_lru(designs) {
        assert_eq!(written, times(&whole.write_backs), "{designs:?} at {sizes:?}\n{program}");
    }
}

/// Returns true for a single LRU cache, about which histories leave no doubt.
fn is_lru(designs: &[Design]) -> bool {
    matches!(designs, [design] if design.replacement == Replacement::Lru)
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
        check(&[cache(16, 2, Replacement::Random(seed))], 2, WHOLE);
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

/// Whether intervals held, and how far estimates were off, in half widths of their intervals.
#[derive(Clone, Copy, Debug, Default)]
struct Coverage {
    held: u32,
    all: u32,
    errors: f64,
    halves: f64,
}

impl Coverage {
    fn add(&mut self, share: EstimatedShare, truth: f64) {
        let (low, high) = share.interval;
        self.all += 1;
        self.held += u32::from(low <= truth + 1e-9 && truth - 1e-9 <= high);
        self.errors += share.value - truth;
        self.halves += (high - low) / 2.0;
    }

    fn bias(&self) -> f64 {
        self.errors / self.halves
    }

    fn check(&self, what: &str) {
        println!("{what}: {self:?}, bias {:.3}", self.bias());
        assert!(20 * self.held >= 19 * self.all, "{what}: {self:?}");
    }
}

/// Adds estimated misses and write-backs of all levels to coverages of them.
fn compare(
    program: &Program,
    sizes: &[i64],
    designs: &[Design],
    sampling: Sampling,
    [misses, back]: &mut [Coverage; 2],
) {
    let (code, memory) = at(program, sizes);
    let executions: Vec<f64> = executions(&code, u64::MAX).unwrap().iter().map(|count| *count as f64).collect();
    let estimate = sample(&code, &memory, designs, &executions, &[], sampling).unwrap();
    if sampling.seed == 0 {
        assert_eq!(estimate, sample(&code, &memory, designs, &executions, &[], sampling).unwrap(), "the same seed");
    }
    let whole = replay(&code, &memory, designs, Replaying::default()).unwrap();
    let accesses = executions.iter().sum::<f64>().max(1.0);
    for (level, rates) in estimate.levels.iter().enumerate() {
        misses.add(rates.misses, whole.misses(level) as f64 / accesses);
        back.add(rates.write_backs, whole.traffic[level].write_backs as f64 / accesses);
    }
}

const POLICIES: [Replacement; 5] =
    [Replacement::Lru, Replacement::Fifo, Replacement::TreePlru, Replacement::Qlru, Replacement::Random(1)];

#[test]
fn intervals_hold_the_truth() {
    for policy in POLICIES {
        let mut coverages = [Coverage::default(); 2];
        for seed in 0..40 {
            let program = random::program(seed, ProgramShape { symbolic: 3, ..ProgramShape::default() });
            let mut rng = Rng::new(seed);
            let sizes: Vec<_> = program.params.iter().map(|_| rng.range(12, 24)).collect();
            let sampling = Sampling { precision: 0.02, seed, effort: 200_000, ..Sampling::default() };
            for designs in [vec![cache(16, 4, policy)], vec![cache(8, 2, policy), cache(64, 4, policy)]] {
                compare(&program, &sizes, &designs, sampling, &mut coverages);
            }
        }
        coverages[0].check(&format!("misses, {policy:?}"));
        coverages[1].check(&format!("write-backs, {policy:?}"));
    }
}

/// Returns the LU decomposition in place, which writes lines once and reads them for long before they leave.
fn lu(n: i64) -> Program {
    let mut b = ProgramBuilder::new("lu");
    let a = b.fixed_array("A", 8, &[n, n]);
    let eliminate = |b: &mut ProgramBuilder, i: IterId, j: IterId, name: &str, end: IterId| {
        b.for_(name, 0, end, |b, k| {
            b.read(a, [i, k]);
            b.read(a, [k, j]);
            b.read(a, [i, j]);
            b.write(a, [i, j]);
        });
    };
    b.for_("i", 0, n, |b, i| {
        b.for_("j", 0, i, |b, j| {
            eliminate(b, i, j, "k", j);
            b.read(a, [j, j]);
            b.read(a, [i, j]);
            b.write(a, [i, j]);
        });
        b.for_("j1", i, n, |b, j| eliminate(b, i, j, "k1", i));
    });
    b.build()
}

#[test]
fn lines_that_were_written_long_ago_are_known() {
    let program = lu(150);
    for policy in [Replacement::Lru, Replacement::Qlru] {
        let mut coverages = [Coverage::default(); 2];
        for seed in 0..6 {
            let sampling = Sampling { precision: 0.0005, seed, effort: 1_000_000, ..Sampling::default() };
            compare(&program, &[], &[cache(128, 8, policy)], sampling, &mut coverages);
        }
        assert!(coverages[1].bias().abs() < 0.3, "{policy:?}: {:?}", coverages[1]);
        coverages[1].check(&format!("write-backs of lu, {policy:?}"));
    }
}

/// Returns a transposition, in which a line makes room after a random number of misses.
fn transposition(n: i64) -> Program {
    let mut b = ProgramBuilder::new("transposition");
    let [from, to] = ["A", "B"].map(|name| b.fixed_array(name, 8, &[n, n]));
    b.for_("i", 0, n, |b, i| {
        b.for_("j", 0, n, |b, j| {
            b.read(from, [i, j]);
            b.write(to, [j, i]);
        });
    });
    b.build()
}

#[test]
fn random_replacement_has_no_bias() {
    let program = transposition(1500);
    let mut coverages = [Coverage::default(); 2];
    for seed in 0..10 {
        let sampling = Sampling { precision: 0.0005, seed, effort: 1_000_000, ..Sampling::default() };
        compare(&program, &[], &[cache(64, 4, Replacement::Random(0))], sampling, &mut coverages);
    }
    for (coverage, what) in coverages.iter().zip(["misses", "write-backs"]) {
        println!("{what}, random: {coverage:?}, bias {:.3}", coverage.bias());
        assert!(coverage.bias().abs() < 0.2, "{what}: {coverage:?}");
        assert!(10 * coverage.held >= 9 * coverage.all, "{what}: {coverage:?}");
    }
}
