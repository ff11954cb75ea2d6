//! Totals of programs whose derivation reaches a limit, beside the trace interpreter.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use std::collections::BTreeSet;
use std::time::Duration;

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{Expr, Layout, Line, Program};
use symloc_evaluate::{EvalError, Evaluator, Int, MissModel};
use symloc_model::{LineChoice, Model};
use symloc_reuse::{DeriveOptions, Error, Limits, LineSizes, ModelOrigin, OverLimit, Workers, derive};
use symloc_sim::Trace;
use symloc_sim::random::{self, ProgramShape, Rng};
use symloc_verify::named;

use crate::share;

const LINE: Line = Line::Bytes(64);

/// Returns the model that a limit leads to; `None` if the limit is too low for totals, too.
fn model(program: &Program, limit: u64) -> Option<Model> {
    let options =
        DeriveOptions { max_operations: Some(limit), ..DeriveOptions::new(Layout::Rows, LineSizes::Fixed(vec![LINE])) };
    match derive(program, &options) {
        Ok(derived) => Some(derived.into_model(program, Layout::Rows, ModelOrigin::default())),
        Err(Error::Isl(_) | Error::Limit { .. }) => None,
        Err(error) => panic!("{error}\n{program}"),
    }
}

/// Returns the model by the lowest limit that suffices for totals.
fn with_totals(program: &Program) -> Model {
    (8..24).find_map(|power| model(program, 1 << power)).unwrap_or_else(|| panic!("no totals of\n{program}"))
}

/// Compares the totals at a size with the trace.
fn compare(program: &Program, model: &Model, sizes: &[i64]) {
    let mut executions = vec![0_u64; program.accesses.len()];
    let mut blocks = BTreeSet::new();
    let trace = Trace::new(program, sizes, Layout::Rows, LINE).unwrap();
    trace
        .for_each(|access, block| {
            executions[access.index()] += 1;
            blocks.insert(block);
        })
        .unwrap();
    let (evaluator, sizes) = (Evaluator::new(model, LineChoice::Only).unwrap(), named(model, sizes));
    let totals = evaluator.totals(&sizes).unwrap();
    assert_eq!(totals.accesses, Int::from(executions.iter().sum::<u64>()), "{sizes:?}\n{program}");
    assert_eq!(totals.blocks, Int::from(blocks.len() as u64), "{sizes:?}\n{program}");
    let executions: Vec<Int> = executions.into_iter().map(Int::from).collect();
    assert_eq!(evaluator.executions(&sizes).unwrap(), executions, "{sizes:?}\n{program}");
    if model.sampled.is_some() {
        for miss_model in [MissModel::Denning, MissModel::Lru] {
            assert_eq!(evaluator.predict(miss_model, &sizes).unwrap_err(), EvalError::Sampled);
            assert_eq!(evaluator.distribution(miss_model, &sizes).unwrap_err(), EvalError::Sampled);
            assert_eq!(evaluator.reuses(miss_model, &sizes).unwrap_err(), EvalError::Sampled);
        }
    }
}

#[test]
fn totals_of_random_programs_equal_their_traces() {
    let mut sampled = 0;
    let programs = share(120);
    for seed in 0..programs {
        let program = random::program(seed, ProgramShape::simple());
        let mut rng = Rng::new(seed);
        let model = with_totals(&program);
        sampled += usize::from(model.sampled.is_some());
        for _ in 0..3 {
            compare(&program, &model, &random::sizes(&mut rng, &program, 12));
        }
    }
    assert!(sampled as u64 >= programs / 2, "only {sampled} programs reach a limit");
}

/// Returns a sum of multiples and a constant.
fn sum(terms: &[(&Expr, i64)], constant: i64) -> Expr {
    terms.iter().fold(Expr::constant(constant), |sum, (term, factor)| sum.add_scaled(term, *factor).unwrap())
}

/// Returns the number of tiles of 4 that hold the first so many iterations.
fn tiles(iterations: &Expr) -> Expr {
    iterations.ceil_div(4).unwrap()
}

/// Returns a stencil in place, skewed by time, in tiles of 4 × 4.
fn skewed_tiles() -> Program {
    let mut b = ProgramBuilder::new("skewed_tiles");
    let (t, n) = (Expr::param(b.param("t")), Expr::param(b.param("n")));
    let a = b.array("A", 8, 1);
    b.for_("ti", 0, tiles(&t), |b, ti| {
        let ti = Expr::iter(ti);
        // The element p, from 1 to n − 2, stands at x = i + p.
        let last = vec![tiles(&sum(&[(&t, 1), (&n, 1)], -2)), tiles(&sum(&[(&ti, 4), (&n, 1)], 2))];
        b.for_("tx", ti.clone(), last, |b, tx| {
            let tx = Expr::iter(tx);
            let end_of = |tile: &Expr| sum(&[(tile, 4)], 4);
            b.for_("i", sum(&[(&ti, 4)], 0), vec![end_of(&ti), t.clone()], |b, i| {
                let i = Expr::iter(i);
                let (first, end) = (sum(&[(&i, 1)], 1), sum(&[(&i, 1), (&n, 1)], -1));
                b.for_("x", vec![sum(&[(&tx, 4)], 0), first], vec![end_of(&tx), end], |b, x| {
                    let at = |offset: i64| sum(&[(&Expr::iter(x), 1), (&i, -1)], offset);
                    for offset in [-1, 0, 1] {
                        b.read(a, [at(offset)]);
                    }
                    b.write(a, [at(0)]);
                });
            });
        });
    });
    b.build()
}

#[test]
fn tiles_of_skewed_loops_cost_nothing() {
    let program = skewed_tiles();
    let model = with_totals(&program);
    assert!(model.sampled.is_some());
    assert!(model.accesses.len() <= 2 && model.lines[0].blocks.len() <= 4, "{model:?}");
    for sizes in [[1, 1], [1, 3], [3, 4], [4, 9], [9, 5], [13, 31], [16, 64]] {
        compare(&program, &model, &sizes);
    }
}

#[test]
fn a_limit_on_time_leads_to_totals_too() {
    let program = skewed_tiles();
    let workers = Workers { count: 1, limit: Some(Duration::from_secs(1)) };
    let distances = Some(Limits::default());
    let options =
        DeriveOptions { workers, distances, ..DeriveOptions::new(Layout::Rows, LineSizes::Fixed(vec![LINE])) };
    let derived = derive(&program, &options).unwrap();
    assert!(
        matches!(derived.over_limit, Some(OverLimit { limit: Error::Time { .. }, .. })),
        "{:?}",
        derived.over_limit
    );
    let model = derived.into_model(&program, Layout::Rows, ModelOrigin::default());
    for sizes in [[1, 3], [7, 9], [13, 6]] {
        compare(&program, &model, &sizes);
    }
}
