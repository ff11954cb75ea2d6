//! Derived classes against the trace interpreter: the paper's matmul, and random programs.
//!
//! `symloc-benchmarks random` does the same in larger numbers.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use std::collections::BTreeMap;
use std::time::Instant;

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{Expr, Layout, Line, Program};
use symloc_isl::Context;
use symloc_model::{Bin, Int, LineChoice, Model, SCHEMA, Sizes};
use symloc_reuse::{Error, derive, outline};
use symloc_sim::random::{self, Rng, Shape};
use symloc_sim::{IntervalHistogram, Trace};

fn model(isl: &Context, program: &Program, line: Line) -> Result<Model, Error> {
    let derived = derive(isl, program, Layout::Rows, &[line], &mut |_| ())?;
    Ok(Model {
        schema: SCHEMA.to_owned(),
        generator: String::new(),
        function: program.name.clone(),
        source: String::new(),
        layout: "rows".to_owned(),
        parameters: program.params.iter().map(|p| p.name.clone()).collect(),
        context: Vec::new(),
        program: Some(outline(program, "")),
        accesses: derived.accesses,
        operations: derived.operations,
        lines: derived.lines,
    })
}

fn bins(histogram: &BTreeMap<u64, u64>) -> Vec<Bin> {
    histogram.iter().map(|(value, count)| Bin { interval: Int::from(*value), count: Int::from(*count) }).collect()
}

fn compare(program: &Program, line: Line, model: &Model, sizes: &[i64]) {
    let named: Sizes = model.parameters.iter().cloned().zip(sizes.iter().copied()).collect();
    let place = || format!("{line:?} at {sizes:?}\n{program}");
    let derived = model.at(LineChoice::Only, &named).unwrap_or_else(|error| panic!("{error}\n{}", place()));
    let trace = Trace::new(program, sizes, Layout::Rows, line).unwrap();
    let operations = model.evaluator(LineChoice::Only).unwrap().operations(&named).unwrap();
    assert_eq!(operations, trace.operations().map(Int::from), "{}", place());
    let trace = IntervalHistogram::of(&trace).unwrap();
    assert_eq!(derived.real, bins(&trace.real), "{}", place());
    assert_eq!(derived.imaginary, bins(&trace.imaginary), "{}", place());
}

#[test]
fn matmul_agrees_at_small_sizes() {
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
    let program = b.build();
    let isl = Context::new().unwrap();
    for line in [Line::Bytes(64), Line::Element] {
        let model = model(&isl, &program, line).unwrap();
        (1..=20).for_each(|n| compare(&program, line, &model, &[n]));
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
    let isl = Context::new().unwrap();
    let model = model(&isl, &program, Line::Element).unwrap();
    (1..=20).for_each(|n| compare(&program, Line::Element, &model, &[n]));
}

/// Derives the programs of some seeds and compares each at four sizes. What needs too many steps is left to the
/// benchmark; says how many programs were compared.
fn random_programs(seeds: impl Iterator<Item = u64>, shape: Shape) -> usize {
    let isl = Context::new().unwrap();
    let mut compared = 0;
    for seed in seeds {
        let start = Instant::now();
        let program = random::program(seed, shape);
        let line = if seed.is_multiple_of(3) { Line::Element } else { Line::Bytes(64) };
        isl.reset_operations();
        isl.set_max_operations(2_000_000);
        match model(&isl, &program, line) {
            Ok(model) => {
                let mut rng = Rng::new(seed);
                (0..4).for_each(|_| compare(&program, line, &model, &random::sizes(&mut rng, &program, 12)));
                compared += 1;
            }
            Err(Error::Isl(symloc_isl::Error::Limit { .. })) => {}
            Err(error) => panic!("seed {seed}: {error}\n{program}"),
        }
        println!("seed {seed}: {:?}", start.elapsed());
    }
    compared
}

#[test]
fn random_programs_without_congruences_agree() {
    let shape = Shape { steps: false, floors: false, ..Shape::default() };
    let compared = random_programs(1..61, shape);
    assert!(compared >= 50, "only {compared} programs were compared");
}

#[test]
fn random_programs_of_all_kinds_agree() {
    // Those among the first that take long are left to the benchmark.
    let slow = [2, 7, 10, 28];
    let compared = random_programs((1..44).filter(|seed| !slow.contains(seed)), Shape::default());
    assert!(compared >= 36, "only {compared} programs were compared");
}
