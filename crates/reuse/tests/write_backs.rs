//! Write-backs of derived models beside caches by definition, which keep the lines of the trace and whether each is written.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use std::collections::{BTreeMap, VecDeque};

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{AccessKind, Expr, Layout, Line, Program};
use symloc_evaluate::{Evaluator, Int, MissModel};
use symloc_model::{LineChoice, Model};
use symloc_reuse::{DeriveOptions, Error, Limits, LineSizes, ModelOrigin, derive};
use symloc_sim::Trace;
use symloc_sim::random::{self, ProgramShape, Rng};

use crate::share;

/// Derives a model with write-backs.
fn model(program: &Program, line: Line, limit: Option<u64>) -> Result<Model, Error> {
    let options = DeriveOptions {
        write_backs: true,
        distances: Some(Limits { window: 500_000 }),
        max_operations: limit,
        ..DeriveOptions::new(Layout::Rows, LineSizes::Fixed(vec![line]))
    };
    let derived = derive(program, &options)?;
    derived.unknown_write_backs.iter().for_each(|unknown| println!("unknown: {unknown:?}"));
    Ok(derived.into_model(program, Layout::Rows, ModelOrigin::default()))
}

/// The blocks of a run, each with whether it was written.
fn accesses(program: &Program, line: Line, sizes: &[i64]) -> Vec<(usize, bool)> {
    let (trace, mut accesses) = (Trace::new(program, sizes, Layout::Rows, line).unwrap(), Vec::new());
    let written = |access| program.access(access).kind == AccessKind::Write;
    trace.for_each(|access, block| accesses.push((block.index(), written(access)))).unwrap();
    accesses
}

/// Returns the write-backs of an LRU cache: a list of blocks, the last used one first.
fn of_lru(accesses: &[(usize, bool)], capacity: usize) -> u64 {
    let (mut cache, mut write_backs) = (VecDeque::<(usize, bool)>::new(), 0);
    for (block, writes) in accesses {
        let held = cache.iter().position(|(other, _)| other == block).and_then(|at| cache.remove(at));
        if held.is_none() && cache.len() == capacity {
            write_backs += u64::from(cache.pop_back().unwrap().1);
        }
        cache.push_front((*block, *writes || held.is_some_and(|(_, dirty)| dirty)));
    }
    write_backs
}

/// Returns the write-backs of a cache that drops a block when so many accesses have passed without one to it.
fn of_window(accesses: &[(usize, bool)], window: usize) -> u64 {
    let (mut held, mut write_backs) = (BTreeMap::<usize, (usize, bool)>::new(), 0);
    for now in 0..=accesses.len() {
        held.retain(|_, (last, dirty)| {
            let stays = now - *last <= window;
            write_backs += u64::from(!stays && *dirty);
            stays
        });
        if let Some((block, writes)) = accesses.get(now) {
            let dirty = held.get(block).is_some_and(|(_, dirty)| *dirty);
            held.insert(*block, (now, *writes || dirty));
        }
    }
    write_backs
}

/// Which write-backs a model holds.
#[derive(Default)]
struct KnownWriteBacks {
    by_interval: usize,
    by_distance: usize,
}

/// Compares the write-backs of a model with the run at a size, in caches of all sizes.
fn compare(program: &Program, line: Line, model: &Model, sizes: &[i64]) -> KnownWriteBacks {
    let place = || format!("{line:?} at {sizes:?}\n{program}");
    let accesses = accesses(program, line, sizes);
    let evaluator = Evaluator::new(model, LineChoice::Only).unwrap();
    let sizes = symloc_verify::named(model, sizes);
    let mut known = KnownWriteBacks::default();
    for miss_model in MissModel::ALL {
        let Some(writes) = evaluator.writes(miss_model, &sizes).unwrap_or_else(|e| panic!("{e}\n{}", place())) else {
            continue;
        };
        let prediction = evaluator.predict(miss_model, &sizes).unwrap();
        let blocks = prediction.blocks().to_string().parse::<usize>().unwrap();
        for capacity in 1..=blocks + 1 {
            let found = writes.write_backs(&prediction, &Int::from(capacity as i64)).unwrap();
            let expected = match (miss_model, prediction.window(&Int::from(capacity as i64)).unwrap()) {
                (MissModel::Lru, _) => of_lru(&accesses, capacity),
                (MissModel::Denning, Some(window)) => of_window(&accesses, window.to_string().parse().unwrap()),
                (MissModel::Denning, None) => 0,
            };
            assert_eq!(found, Int::from(expected as i64), "{miss_model:?}, {capacity} lines, {}", place());
        }
        match miss_model {
            MissModel::Denning => known.by_interval += 1,
            MissModel::Lru => known.by_distance += 1,
        }
    }
    known
}

fn gemm() -> Program {
    let mut b = ProgramBuilder::new("gemm");
    let n = b.param("n");
    let [x, y, z] = ["A", "B", "C"].map(|name| b.array(name, 8, 2));
    b.for_("i", 0, n, |b, i| {
        b.for_("j", 0, n, |b, j| {
            b.read(z, [i, j]);
            b.write(z, [i, j]);
        });
        b.for_("k", 0, n, |b, k| {
            b.for_("j", 0, n, |b, j| {
                b.read(x, [i, k]);
                b.read(y, [k, j]);
                b.read(z, [i, j]);
                b.write(z, [i, j]);
            });
        });
    });
    b.build()
}

/// A vector that is written, read in every iteration of a loop, and written again.
fn read_again() -> Program {
    let mut b = ProgramBuilder::new("again");
    let n = b.param("n");
    let [x, y] = ["A", "B"].map(|name| b.array(name, 8, 1));
    b.for_("t", 0, n, |b, _| {
        b.for_("i", 0, n, |b, i| {
            b.write(x, [i]);
        });
        b.for_("j", 0, n, |b, j| {
            b.for_("k", 0, Expr::iter(j).plus_constant(1).unwrap(), |b, k| {
                b.read(y, [k]);
            });
            b.for_("i", 0, n, |b, i| {
                b.read(x, [i]);
            });
        });
    });
    b.build()
}

/// A vector whose last accesses repeat the one before, and that one the one before it.
fn repeated_at_the_end() -> Program {
    let mut b = ProgramBuilder::new("repeated");
    let n = b.param("n");
    let x = b.array("A", 8, 1);
    for reads in [0, 3] {
        b.for_(&format!("i{reads}"), 0, n, |b, i| match reads {
            0 => _ = b.write(x, [i]),
            _ => (0..reads).for_each(|_| _ = b.read(x, [i])),
        });
    }
    b.build()
}

#[test]
fn write_backs_of_small_programs_agree() {
    for program in [gemm(), read_again(), repeated_at_the_end()] {
        for line in [Line::Element, Line::Bytes(64)] {
            let model = model(&program, line, None).unwrap();
            for n in [1, 2, 3, 7, 8, 9, 13] {
                let known = compare(&program, line, &model, &[n]);
                assert_eq!((known.by_interval, known.by_distance), (1, 1), "{line:?}\n{program}");
            }
        }
    }
}

/// Compares the programs of some seeds at four sizes; returns for how many the write-backs are known, by interval and by
/// distance.
fn random_programs(seeds: impl Iterator<Item = u64>, shape: ProgramShape) -> [usize; 3] {
    let mut known = [0; 3];
    for seed in seeds {
        let program = random::program(seed, shape);
        let line = if seed.is_multiple_of(3) { Line::Element } else { Line::Bytes(64) };
        match model(&program, line, Some(2_000_000)) {
            Ok(model) if model.sampled.is_some() => {}
            Ok(model) => {
                let mut rng = Rng::new(seed);
                let mut all = KnownWriteBacks::default();
                for _ in 0..4 {
                    let known = compare(&program, line, &model, &random::sizes(&mut rng, &program, 12));
                    all.by_interval += known.by_interval;
                    all.by_distance += known.by_distance;
                }
                let is_known = [4, all.by_interval, all.by_distance].map(|sizes| usize::from(sizes == 4));
                println!("seed {seed}: {is_known:?}");
                known.iter_mut().zip(is_known).for_each(|(sum, more)| *sum += more);
            }
            Err(Error::Limit { .. } | Error::Isl(symloc_isl::Error::Limit { .. })) => {}
            Err(error) => panic!("seed {seed}: {error}\n{program}"),
        }
    }
    known
}

#[test]
fn write_backs_of_random_programs_agree() {
    let shape = ProgramShape { depth: 3, steps: false, floors: false, ..ProgramShape::default() };
    let programs = share(40);
    let known = random_programs(1..=programs, shape);
    assert!(known[0] as u64 >= programs * 3 / 4, "{known:?}");
}
