//! Models of parallel programs against their trace: each thread by itself, and what others invalidate.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{ArrayId, Expr, Layout, Line, ParamId, Program, Schedule, ThreadProgram, ThreadProgramError};
use symloc_evaluate::{Evaluator, Int, MissModel};
use symloc_model::threads::AllThreads;
use symloc_model::{LineChoice, Model, NamedSizes};
use symloc_reuse::{DeriveOptions, Limits, LineSizes, ModelOrigin, derive};
use symloc_sim::{ThreadSurvey, ThreadTrace, Trace};

const THREADS: [u32; 8] = [1, 2, 3, 4, 7, 8, 16, 64];

/// Derives the model of a program with parallel loops.
pub(crate) fn model(program: &Program, line: Line) -> Result<Model, ThreadProgramError> {
    let threads = ThreadProgram::new(program)?;
    let options = DeriveOptions {
        distances: Some(Limits { window: 500_000 }),
        threads: Some(&threads),
        ..DeriveOptions::new(Layout::Rows, LineSizes::Fixed(vec![line]))
    };
    let derived = derive(&threads.program, &options).unwrap_or_else(|error| panic!("{error}\n{program}"));
    Ok(derived.into_thread_model(program, &threads, Layout::Rows, ModelOrigin::default()))
}

/// Compares the model with the trace at a size, and returns the number of reuses that other threads invalidate.
pub(crate) fn compare(program: &Program, line: Line, model: &Model, sizes: &[i64], count: u32) -> u64 {
    let evaluator = Evaluator::new(model, LineChoice::Only).unwrap();
    let trace = Trace::new(program, sizes, Layout::Rows, line).unwrap();
    let survey = ThreadSurvey::of(&ThreadTrace::new(&trace, count).unwrap()).unwrap();
    let names = program.params.iter().map(|param| param.name.clone());
    let sizes: NamedSizes = names.zip(sizes.iter().copied()).collect();
    let mut blocks = BTreeSet::new();
    ThreadTrace::new(&trace, count).unwrap().for_each(|access| _ = blocks.insert(access.block)).unwrap();
    let touched = evaluator.blocks_of_threads(&sizes, u64::from(count)).unwrap();
    assert_eq!(touched, Int::from(blocks.len() as u64), "blocks of {count} threads at {sizes:?}\n{program}");
    let (mut invalidated, mut shared) = (0, Int::ZERO);
    for (number, expected) in (0..).zip(&survey.threads) {
        let place = || format!("thread {number} of {count} at {sizes:?}\n{program}");
        let at = model.on_thread(&sizes, number, u64::from(count)).unwrap();
        let lines = evaluator.falsely_shared(&at).unwrap().unwrap();
        shared = lines.iter().fold(shared, |sum, lines| &sum + lines);
        let found = evaluator.distribution(MissModel::Denning, &at).unwrap_or_else(|e| panic!("{e}: {}", place()));
        let intervals: BTreeMap<Int, Int> = found.real.iter().map(|b| (b.interval.clone(), b.count.clone())).collect();
        let traced = expected.intervals.real.iter().map(|(value, count)| (Int::from(*value), Int::from(*count)));
        assert_eq!(intervals, traced.collect(), "intervals of {}", place());
        let exact = evaluator.distribution(MissModel::Lru, &at).unwrap();
        if !exact.real.is_empty() {
            continue; // Some distances are estimated.
        }
        let lru = evaluator.predict(MissModel::Lru, &at).unwrap();
        let others = evaluator.invalidated(MissModel::Lru, &at).unwrap().unwrap();
        for capacity in 0..=expected.intervals.blocks + 1 {
            let blocks = Int::from(capacity);
            assert_eq!(lru.misses(&blocks).unwrap().total(), expected.misses(capacity).into(), "{}", place());
            let sharing = expected.true_sharing(capacity);
            assert_eq!(others.misses(&lru, &blocks).unwrap(), sharing.into(), "{capacity} blocks, {}", place());
        }
        invalidated += expected.true_sharing(u64::MAX);
    }
    let expected: usize = survey.false_sharing.values().map(BTreeSet::len).sum();
    assert_eq!(shared, Int::from(expected as u64), "false sharing of {count} threads at {sizes:?}\n{program}");
    invalidated
}

/// Compares the model of all threads together with the sum over the threads of a trace, at a size that they share evenly.
/// Returns true if it is one.
fn compare_together(program: &Program, line: Line, model: &Model, sizes: &[i64], count: u32) -> bool {
    let Ok(AllThreads { model: all, size, quotient, rest }) = model.on_threads(u64::from(count)) else {
        return false;
    };
    let at = program.params.iter().position(|param| param.name == size).unwrap();
    let (count_of, whole) = (i64::from(count), sizes[at] - rest as i64);
    if whole < 0 || whole % count_of != 0 {
        return false;
    }
    let names = program.params.iter().map(|param| param.name.clone()).zip(sizes.iter().copied());
    let mut quotients: NamedSizes = names.filter(|(name, _)| *name != size).collect();
    quotients.insert(quotient, whole / count_of);
    let trace = Trace::new(program, sizes, Layout::Rows, line).unwrap();
    let survey = ThreadSurvey::of(&ThreadTrace::new(&trace, count).unwrap()).unwrap();
    let evaluator = Evaluator::new(&all, LineChoice::Only).unwrap();
    let prediction = evaluator.predict(MissModel::Lru, &quotients).unwrap();
    for capacity in 0..=trace.accesses().min(40) {
        let expected: u64 = survey.threads.iter().map(|thread| thread.misses(capacity)).sum();
        let found = prediction.misses(&Int::from(capacity)).unwrap().total();
        assert_eq!(found, Int::from(expected), "{capacity} blocks, {count} threads at {sizes:?}\n{program}");
    }
    true
}

/// Compares the model of the program on one thread with the sequential trace.
pub(crate) fn compare_one_thread(program: &Program, line: Line, model: &Model, sizes: &[i64]) {
    let model = model.on_one_thread();
    let trace = Trace::new(program, sizes, Layout::Rows, line).unwrap();
    let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
    let found = symloc_verify::compare(&evaluator, &trace, &symloc_verify::named(&model, sizes)).unwrap();
    assert!(found.differences.is_empty(), "{} at {sizes:?}\n{program}", found.differences.join("\n"));
}

/// Compares a program with its traces. Returns the number of reuses that other threads invalidate, and of sizes that threads
/// share evenly.
fn check(mut program: Program, parallel: &[u32], most: i64) -> [u64; 2] {
    for iter in parallel {
        program.iters[*iter as usize].parallel = Some(Schedule::Blocks.into());
    }
    let (mut invalidated, mut together) = (0, 0);
    for line in [Line::Element, Line::Bytes(32)] {
        let model = model(&program, line).unwrap();
        let sizes = |n: i64| vec![n; program.params.len()];
        for n in (1..=most).filter(|n| model.on_thread(&named(&program, &sizes(*n)), 0, 1).is_ok()) {
            if Evaluator::new(&model, LineChoice::Only).unwrap().operations(&named(&program, &sizes(n))).is_err() {
                continue; // Outside the context.
            }
            compare_one_thread(&program, line, &model, &sizes(n));
            for count in [2, 3] {
                together += u64::from(compare_together(&program, line, &model, &sizes(n), count));
            }
            // Many threads take long, and are alike at all small sizes.
            for count in THREADS.into_iter().filter(|count| *count <= 8 || n == most) {
                invalidated += compare(&program, line, &model, &sizes(n), count);
            }
        }
    }
    [invalidated, together]
}

pub(crate) fn named(program: &Program, sizes: &[i64]) -> NamedSizes {
    program.params.iter().map(|param| param.name.clone()).zip(sizes.iter().copied()).collect()
}

fn parts(arrays: [&str; 2], rank: usize) -> (ProgramBuilder, ParamId, [ArrayId; 2]) {
    let mut b = ProgramBuilder::new("f");
    let n = b.param("n");
    let arrays = arrays.map(|name| b.array(name, 8, rank));
    (b, n, arrays)
}

fn plus(expr: impl Into<Expr>, constant: i64) -> Expr {
    expr.into().plus_constant(constant).unwrap()
}

#[test]
fn a_product_of_matrices() {
    let (mut b, n, [x, y]) = parts(["A", "B"], 2);
    let z = b.array("C", 8, 2);
    b.for_("i", 0, n, |b, i| {
        b.for_("j", 0, n, |b, j| {
            b.for_("k", 0, n, |b, k| {
                b.read(x, [i, k]);
                b.read(y, [k, j]);
                b.write(z, [i, j]);
            });
        });
    });
    let [invalidated, together] = check(b.build(), &[0], 7);
    assert_eq!(invalidated, 0, "one phase");
    assert!(together > 8, "{together}");
}

/// Two sweeps over rows, again and again: threads read the rows at the ends of others' shares.
#[test]
fn a_stencil_between_two_arrays() {
    let (mut b, n, [x, y]) = parts(["A", "B"], 1);
    let t = b.param("t");
    let sweep = |b: &mut ProgramBuilder, name: &str, from, to| {
        b.for_(name, 1, plus(n, -1), |b, i| {
            (-1..=1).for_each(|d| _ = b.read(from, [plus(i, d)]));
            b.write(to, [i]);
        });
    };
    b.for_("s", 0, t, |b, _| {
        sweep(b, "i", x, y);
        sweep(b, "j", y, x);
    });
    let [invalidated, together] = check(b.build(), &[1, 2], 11);
    assert!(invalidated > 1000 && together > 12, "{invalidated} {together}");
}

/// Sequential code before, between and after loops of different lengths.
#[test]
fn thread_0_runs_what_is_not_parallel() {
    let (mut b, n, [x, y]) = parts(["x", "y"], 1);
    b.for_("s", 0, 2, |b, _| {
        b.read(y, [0]);
        b.write(x, [0]);
        b.for_("i", 0, n, |b, i| {
            b.read(x, [0]);
            b.write(y, [i]);
        });
        b.for_("j", 0, plus(n, -2), |b, j| {
            b.read(y, [plus(j, 2)]);
            b.write(x, [plus(j, 1)]);
        });
        b.for_("k", 0, 3, |b, k| _ = b.read(x, [k]));
    });
    let [invalidated, _] = check(b.build(), &[1, 2], 9);
    assert!(invalidated > 300, "{invalidated}");
}

#[test]
fn a_loop_with_a_step() {
    let (mut b, n, [x, y]) = parts(["x", "y"], 1);
    b.for_("s", 0, 2, |b, _| {
        b.for_step("i", 1, n, 3, |b, i| {
            b.read(x, [plus(i, -1)]);
            b.write(y, [i]);
        });
        b.for_("j", 0, n, |b, j| {
            b.read(y, [j]);
            b.write(x, [j]);
        });
    });
    let [invalidated, together] = check(b.build(), &[1, 2], 10);
    assert!(invalidated > 100);
    assert_eq!(together, 0, "the number of iterations is no size and a constant");
}

/// A buffer of each thread, beside an array that all of them share: rows are added up in it, and written back.
fn with_buffer(n: ParamId, mut b: ProgramBuilder, [x, y]: [ArrayId; 2]) -> Program {
    b.for_("s", 0, 2, |b, _| {
        b.for_("i", 1, plus(n, -1), |b, i| {
            b.for_("j", 0, n, |b, j| {
                (-1..=1).for_each(|d| _ = b.read(x, [plus(i, d), Expr::iter(j)]));
                b.write(y, [j]);
            });
            b.for_("k", 1, n, |b, k| {
                b.read(y, [plus(k, -1)]);
                b.read(y, [k]);
                b.write(x, [i, k]);
            });
        });
    });
    b.build()
}

/// No line of a buffer is in several threads; were there one buffer for all of them, they would share all of its lines.
#[test]
fn a_buffer_of_each_thread() {
    let shared_lines = |per_thread| {
        let mut b = ProgramBuilder::new("f");
        let n = b.param("n");
        let arrays = [b.array("A", 8, 2), b.array("buffer", 8, 1)];
        let mut program = with_buffer(n, b, arrays);
        program.arrays[1].per_thread = per_thread;
        let compared = program.clone();
        check(compared, &[1], 6);
        program.iters[1].parallel = Some(Schedule::Blocks.into());
        let model = model(&program, Line::Element).unwrap();
        let at = model.on_thread(&named(&program, &[6]), 0, 3).unwrap();
        Evaluator::new(&model, LineChoice::Only).unwrap().falsely_shared(&at).unwrap().unwrap()[1].clone()
    };
    // Two phases, in each of which all six elements are written.
    assert_eq!((shared_lines(true), shared_lines(false)), (Int::ZERO, Int::from(12_u64)));
}

/// Thread 0 uses its copy outside of parallel loops, too, and the program of one thread has one array.
#[test]
fn copies_outside_of_parallel_loops() {
    let (mut b, n, [x, y]) = parts(["x", "y"], 1);
    b.for_("s", 0, 2, |b, _| {
        b.for_("k", 0, 3, |b, k| _ = b.write(y, [k]));
        b.for_("i", 0, n, |b, i| {
            b.read(y, [i]);
            b.read(y, [0]);
            b.write(x, [i]);
        });
        // Written by the last thread.
        b.read(x, [plus(n, -1)]);
        b.read(y, [1]);
    });
    let mut program = b.build();
    program.arrays[1].per_thread = true;
    let [invalidated, _] = check(program, &[2], 9);
    assert!(invalidated > 0);
}
