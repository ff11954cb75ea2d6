//! Derived classes against the trace interpreter: the paper's matmul, and random programs. Reuse intervals, and reuse
//! distances of programs up to depth 3.
//!
//! `symloc-benchmarks random` does the same in larger numbers.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use std::time::Instant;

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{Constraint, Expr, Layout, Line, LineCoordinates, Program};
use symloc_evaluate::{Evaluator, Int, MissModel};
use symloc_model::{LineChoice, Model};
use symloc_reuse::{DeriveOptions, Error, Limits, LineSizes, ModelOrigin, derive};
use symloc_sim::random::{self, ProgramShape, Rng};
use symloc_sim::{DistanceHistogram, IntervalHistogram, Trace};

use crate::share;

fn options(line: Line) -> DeriveOptions<'static> {
    DeriveOptions::new(Layout::Rows, LineSizes::Fixed(vec![line]))
}

fn model(program: &Program, options: &DeriveOptions<'_>) -> Result<Model, Error> {
    Ok(derive(program, options)?.into_model(program, Layout::Rows, ModelOrigin::default()))
}

/// Compares all results of the model at a size with the trace.
fn compare(program: &Program, line: Line, model: &Model, sizes: &[i64]) {
    let place = || format!("{line:?} at {sizes:?}\n{program}");
    let trace = Trace::new(program, sizes, Layout::Rows, line).unwrap();
    let evaluator = Evaluator::new(model, LineChoice::Only).unwrap();
    let found = symloc_verify::compare(&evaluator, &trace, &symloc_verify::named(model, sizes));
    let found = found.unwrap_or_else(|error| panic!("{error}\n{}", place()));
    assert!(found.differences.is_empty(), "{}\n{}", found.differences.join("\n"), place());
}

/// Derives a model with reuse distances.
fn exact_model(program: &Program, line: Line, limits: Limits) -> Model {
    model(program, &DeriveOptions { distances: Some(limits), ..options(line) }).unwrap()
}

/// Returns the number of estimated classes of reuse distances.
fn estimated(model: &Model) -> usize {
    model.lines[0].distances.as_ref().unwrap().estimated.len()
}

/// Limits that keep the test short; distances that exceed them are estimated.
const SHORT: Limits = Limits { window: 500_000 };

fn matmul() -> Program {
    let mut b = ProgramBuilder::new("matmul");
    let n = b.param("n");
    let [x, y, z] = ["A", "B", "C"].map(|name| b.array(name, 8, 2));
    b.for_("i", 0, n, |b, i| {
        b.for_("j", 0, n, |b, j| {
            b.for_("k", 0, n, |b, k| {
                b.read(x, [i, k]);
                b.read(y, [k, j]);
                b.read(z, [i, j]);
                b.write(z, [i, j]);
            });
        });
    });
    b.build()
}

#[test]
fn matmul_agrees_at_small_sizes() {
    let program = matmul();
    for line in [Line::Bytes(64), Line::Element] {
        let intervals = model(&program, &options(line)).unwrap();
        (1..=20).for_each(|n| compare(&program, line, &intervals, &[n]));
        let model = exact_model(&program, line, SHORT);
        assert_eq!(estimated(&model), 0);
        (1..=20).for_each(|n| compare(&program, line, &model, &[n]));
    }
}

/// Reuses whose distances exceed the limits have intervals instead, and none is lost.
#[test]
fn what_exceeds_the_limits_is_estimated() {
    let (program, line) = (matmul(), Line::Bytes(64));
    let reuses = |n: i64| 4 * n * n * n - 3 * n * ((n + 7) / 8);
    for (limits, some_are_known) in [(Limits { window: 1 }, false), (Limits { window: 15_000 }, true)] {
        let model = exact_model(&program, line, limits);
        let found = model.lines[0].distances.as_ref().unwrap();
        assert!(!found.estimated.is_empty());
        assert_eq!(!found.classes.is_empty(), some_are_known);
        let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
        for n in [8, 13] {
            let sizes = [("n", n)].into_iter().collect();
            let [denning, lru] = MissModel::ALL.map(|how| evaluator.predict(how, &sizes).unwrap());
            assert!(lru.estimated() > Int::ZERO && lru.estimated() <= reuses(n).into());
            assert_eq!(lru.misses(&Int::ZERO).unwrap().reuse, reuses(n).into());
            for lines in (0..200).filter(|_| !some_are_known) {
                assert_eq!(lru.misses(&lines.into()).unwrap(), denning.misses(&lines.into()).unwrap());
            }
        }
    }
}

/// In line coordinates the program makes the same accesses in the same order, to the same lines.
#[test]
fn line_coordinates_keep_the_trace() {
    for seed in 1..200 {
        let program = random::program(seed, ProgramShape::default());
        let line = Line::Bytes(64);
        let lines = LineCoordinates::new(&program, Layout::Rows, line).unwrap();
        let mut rng = Rng::new(seed);
        for _ in 0..3 {
            let sizes = random::sizes(&mut rng, &program, 20);
            let histograms = |program| {
                let trace = Trace::new(program, &sizes, Layout::Rows, line).unwrap();
                (IntervalHistogram::of(&trace).unwrap(), DistanceHistogram::by_access(&trace).unwrap())
            };
            assert_eq!(histograms(&program), histograms(&lines.program), "seed {seed} at {sizes:?}\n{program}");
        }
    }
}

/// A random program reduced: over iterators, isl's dataflow ends with an error on the congruence i mod 3 = 2.
#[test]
fn loops_with_a_step_agree() {
    let mut b = ProgramBuilder::new("steps");
    let n = b.param("n");
    let x = b.array("A", 8, 1);
    let near = |expr: &Expr, constant: i64| expr.plus_constant(constant).unwrap();
    let n = Expr::param(n);
    b.for_step("i", -1, near(&n, 2), 3, |b, i| {
        let i = Expr::iter(i);
        b.for_("j", 0, near(&n, -1), |b, _| {
            b.read(x, [near(&i, -1).floor_div(2).unwrap()]);
        });
        b.for_("k", 0, near(&i, 1), |b, k| {
            b.for_("l", near(&i, -1), vec![near(&i, 2), n.clone()], |b, _| {
                b.read(x, [Expr::iter(k).floor_div(4).unwrap()]);
            });
            b.read(x, [near(&i, -2).floor_div(8).unwrap()]);
        });
    });
    let program = b.build();
    let model = model(&program, &options(Line::Element)).unwrap();
    (1..=20).for_each(|n| compare(&program, Line::Element, &model, &[n]));
}

/// Between j = 0 and j = 1, where two accesses stand alone, comes one that is there for every j: to isl's dataflow it
/// is none of the last before j = 1 unless iterators are moved (`Counted::moved`).
#[test]
fn iterators_with_one_value_agree() {
    let mut b = ProgramBuilder::new("peeled");
    let n = b.param("n");
    let x = b.array("A", 8, 1);
    b.for_("i", 0, n, |b, _| {
        b.for_("j", 0, n, |b, j| {
            let at = |value: i64| vec![Constraint::zero(Expr::from(j).plus_constant(-value).unwrap())];
            b.if_(at(1), |b| _ = b.read(x, [0]));
            b.read(x, [0]);
            b.if_(at(0), |b| _ = b.write(x, [0]));
        });
    });
    let program = b.build();
    let model = exact_model(&program, Line::Element, SHORT);
    (1..=9).for_each(|n| compare(&program, Line::Element, &model, &[n]));
}

/// A random program reduced: isl's dataflow finds neither a source nor its absence for some of the reads.
#[test]
fn congruences_and_floors_lose_no_access() {
    let mut b = ProgramBuilder::new("lost");
    let n = Expr::param(b.param("n"));
    let x = b.fixed_array("A", 8, &[64, 8]);
    let zero = Expr::constant(0);
    b.for_("i", -3, n.clone(), |b, i| {
        b.for_step("j", n.plus_constant(-3).unwrap(), n.clone(), 2, |b, j| {
            b.for_("k", 0, 2, |b, _| {
                b.write(x, [Expr::iter(j).modulo(8).unwrap(), zero.clone()]);
            });
            b.read(x, [Expr::iter(i).plus_constant(-2).unwrap().floor_div(4).unwrap(), zero.clone()]);
        });
    });
    let program = b.build();
    let model = model(&program, &options(Line::Bytes(64))).unwrap();
    (1..=40).for_each(|n| compare(&program, Line::Bytes(64), &model, &[n]));
}

/// A random program reduced: an isl that does not sort constraints finds no last one among the writes to even rows.
#[test]
fn the_last_of_even_rows_is_found() {
    let mut b = ProgramBuilder::new("even");
    let (n, m) = (Expr::param(b.param("n")), Expr::param(b.param("m")));
    let x = b.array("A", 8, 1);
    let near = |expr: &Expr, constant: i64| expr.plus_constant(constant).unwrap();
    b.for_("i", 0, near(&m, 1), |b, i| {
        b.for_("j", vec![Expr::constant(0), near(&n, -3)], vec![m.clone(), near(&Expr::iter(i), 2)], |b, j| {
            let j = Expr::iter(j);
            b.for_("k", j.clone(), near(&j, 4), |b, _| {
                b.write(x, [j.modulo(2).unwrap()]);
            });
            b.write(x, [j]);
        });
    });
    let program = b.build();
    let model = model(&program, &options(Line::Element)).unwrap();
    (1..=10).for_each(|n| (1..=10).for_each(|m| compare(&program, Line::Element, &model, &[n, m])));
}

/// The start of a loop is a case distinction, and the steps count from it.
#[test]
fn loops_with_a_step_and_several_starts_agree() {
    let mut b = ProgramBuilder::new("starts");
    let n = Expr::param(b.param("n"));
    let x = b.array("A", 8, 1);
    let near = |expr: &Expr, constant: i64| expr.plus_constant(constant).unwrap();
    b.for_step("i", vec![Expr::constant(1), near(&n, -6)], n.clone(), 3, |b, i| {
        let i = Expr::iter(i);
        b.for_step("j", vec![near(&i, -2), near(&n, -9), Expr::constant(0)], near(&i, 4), 2, |b, j| {
            b.read(x, [Expr::iter(j)]);
            b.write(x, [i.clone()]);
        });
    });
    let program = b.build();
    for line in [Line::Element, Line::Bytes(64)] {
        let model = model(&program, &options(line)).unwrap();
        (1..=24).for_each(|n| compare(&program, line, &model, &[n]));
    }
}

/// With reuse distances or without.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WithDistances {
    Yes,
    No,
}

/// Derives the programs of some seeds and compares each at four sizes; says for how many nothing is estimated. What
/// needs too many steps is left to the benchmark.
fn random_programs(seeds: impl Iterator<Item = u64>, shape: ProgramShape, exact: WithDistances) -> usize {
    let mut compared = 0;
    for seed in seeds {
        let start = Instant::now();
        let program = random::program(seed, shape);
        let line = if seed.is_multiple_of(3) { Line::Element } else { Line::Bytes(64) };
        match model(&program, &DeriveOptions { max_operations: Some(2_000_000), ..options(line) }) {
            // Totals of such programs are compared in totals.rs.
            Ok(intervals) if intervals.sampled.is_some() => {}
            Ok(intervals) => {
                let model = if exact == WithDistances::Yes { exact_model(&program, line, SHORT) } else { intervals };
                let mut rng = Rng::new(seed);
                (0..4).for_each(|_| compare(&program, line, &model, &random::sizes(&mut rng, &program, 12)));
                compared += usize::from(exact == WithDistances::No || estimated(&model) == 0);
            }
            // Totals may reach the limit as well.
            Err(Error::Limit { .. } | Error::Isl(symloc_isl::Error::Limit { .. })) => {}
            Err(error) => panic!("seed {seed}: {error}\n{program}"),
        }
        println!("seed {seed}: {:?}", start.elapsed());
    }
    compared
}

#[test]
fn random_programs_without_congruences_agree() {
    let shape = ProgramShape { steps: false, floors: false, ..ProgramShape::default() };
    let programs = share(60);
    let compared = random_programs(1..=programs, shape, WithDistances::No);
    assert!(compared as u64 >= programs * 5 / 6, "only {compared} programs were compared");
}

#[test]
fn random_programs_of_all_kinds_agree() {
    // Those among the first that take long are left to the benchmark.
    let slow = [2, 7, 10, 28];
    let compared =
        random_programs((1..44).filter(|seed| !slow.contains(seed)), ProgramShape::default(), WithDistances::No);
    assert!(compared >= 36, "only {compared} programs were compared");
}

#[test]
fn random_distances_without_congruences_agree() {
    let shape = ProgramShape { depth: 3, steps: false, floors: false, ..ProgramShape::default() };
    let programs = share(40);
    let compared = random_programs(1..=programs, shape, WithDistances::Yes);
    assert!(compared as u64 >= programs * 4 / 5, "only {compared} programs were compared");
}

#[test]
fn random_distances_of_all_kinds_agree() {
    let programs = share(24);
    let compared =
        random_programs(1..=programs, ProgramShape { depth: 3, ..ProgramShape::default() }, WithDistances::Yes);
    assert!(compared as u64 >= programs * 3 / 4, "only {compared} programs were compared");
}

/// Parameters that are only compared with a constant become truth values.
#[test]
fn programs_with_flags_agree() {
    let shape = ProgramShape { depth: 3, floors: false, steps: false, ..ProgramShape::default() };
    let mut truths = 0;
    for seed in 1..=share(24) {
        let program = random::with_flags(random::program(seed, shape), seed, 3).unwrap();
        let mut rng = Rng::new(seed);
        let line = Line::Bytes(64);
        let model = match seed % 4 {
            0 => exact_model(&program, line, SHORT),
            _ => model(&program, &options(line)).unwrap(),
        };
        truths += model.truths.len();
        for flags in 0..8 {
            let flag = |bit: usize| i64::from(flags >> bit & 1 == 1) + i64::from(flags == 5);
            let sizes = random::sizes(&mut rng, &program, 9);
            let sizes: Vec<i64> = sizes[..sizes.len() - 3].iter().copied().chain((0..3).map(flag)).collect();
            compare(&program, line, &model, &sizes);
        }
    }
    assert!(truths as u64 > share(24), "only {truths} truth values");
}

/// Two accesses under each of twenty flags: a case for each combination would be a million.
#[test]
fn many_flags_make_no_more_cases_than_accesses() {
    let mut b = ProgramBuilder::new("flags");
    let n = b.param("n");
    let arrays: Vec<_> = (0..20).map(|k| b.array(&format!("A{k}"), 8, 1)).collect();
    let flags: Vec<_> = (0..20).map(|k| Expr::param(b.param(&format!("flag{k}")))).collect();
    for (flag, array) in flags.iter().zip(&arrays) {
        b.if_(vec![Constraint::equal(flag, 1).unwrap()], |b| {
            b.for_("i", 0, n, |b, i| {
                b.read(*array, [i]);
                b.write(*array, [i]);
            });
        });
    }
    let program = Program { context: Program::default_context(&[symloc_affine::Param::named("n")]), ..b.build() };
    let model = model(&program, &options(Line::Bytes(64))).unwrap();
    assert!(
        model.accesses.len() == 1 && model.lines[0].classes.len() <= 2 * 20 + 2,
        "{}",
        model.lines[0].classes.len()
    );
    for flags in [0, 1, 0b1010_1010_1010_1010_1010, 0xf_ffff] {
        let sizes: Vec<i64> = std::iter::once(19).chain((0..20).map(|flag| flags >> flag & 1)).collect();
        compare(&program, Line::Bytes(64), &model, &sizes);
    }
}
