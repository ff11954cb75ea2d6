//! Classes of intervals and distances with a symbolic line size against the trace interpreter, for many line sizes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use std::time::Instant;

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{Constraint, Expr, Layout, Line, Param, ParamId, Program};
use symloc_evaluate::{Bin, Distribution, EvalError, Evaluator, Int, MissModel};
use symloc_model::{LineChoice, Model};
use symloc_reuse::{DeriveOptions, Error, Limits, LineSizes, ModelOrigin, derive};
use symloc_sim::Trace;
use symloc_sim::random::{self, ProgramShape, Rng};
use symloc_verify::{compare, named};

/// The model of a program whose last parameter is the line size, with reuse distances.
fn model(program: &Program) -> Result<Model, Error> {
    limited(program, Limits::default())
}

fn limited(program: &Program, limits: Limits) -> Result<Model, Error> {
    let lines = LineSizes::Symbolic(ParamId(program.params.len() as u32 - 1));
    let options = DeriveOptions {
        distances: Some(limits),
        // Of the whole derivation, apart from distances.
        max_operations: Some(5_000_000),
        ..DeriveOptions::new(Layout::Rows, lines)
    };
    Ok(derive(program, &options)?.into_model(program, Layout::Rows, ModelOrigin::default()))
}

/// Compares with the trace; the last size is the number of elements per line. False if the context excludes the size.
fn agrees(program: &Program, model: &Model, sizes: &[i64]) -> bool {
    let (evaluator, named) = (Evaluator::new(model, LineChoice::Only).unwrap(), named(model, sizes));
    let derived = match evaluator.distribution(MissModel::Denning, &named) {
        Ok(derived) => derived,
        Err(EvalError::OutsideContext { .. }) => return false,
        Err(error) => panic!("{error}\n{program}"),
    };
    let line = Line::Bytes(derived.place.line_bytes.unwrap());
    let trace = Trace::new(program, sizes, Layout::Rows, line).unwrap();
    let found = compare(&evaluator, &trace, &named).unwrap_or_else(|error| panic!("{error}\n{program}"));
    assert!(found.differences.is_empty(), "{}\nat {sizes:?}\n{program}", found.differences.join("\n"));
    true
}

fn distances(model: &Model, sizes: &[i64]) -> Distribution {
    Evaluator::new(model, LineChoice::Only).unwrap().distribution(MissModel::Lru, &named(model, sizes)).unwrap()
}

/// Compares at all sizes n up to 19 with lines of up to 9 elements; says for how many sizes the model holds.
fn all_sizes(program: &Program) -> usize {
    let model = model(program).unwrap();
    let sizes = (1..=9).flat_map(|b| (1..=19).map(move |n| [n, b]));
    sizes.filter(|sizes| agrees(program, &model, sizes)).count()
}

#[test]
fn traversal() {
    let mut p = ProgramBuilder::new("traversal");
    let n = p.param("n");
    p.param("b");
    let a = p.array("A", 8, 2);
    p.for_("i", 0, n, |p, i| p.for_("j", 0, n, |p, j| _ = p.read(a, [i, j])));
    assert_eq!(all_sizes(&p.build()), 9 * 19);
}

fn matmul() -> Program {
    let mut p = ProgramBuilder::new("matmul");
    let n = p.param("n");
    p.param("b");
    let [x, y, z] = ["A", "B", "C"].map(|name| p.array(name, 8, 2));
    p.for_("i", 0, n, |p, i| {
        p.for_("j", 0, n, |p, j| {
            p.for_("k", 0, n, |p, k| {
                p.read(x, [i, k]);
                p.read(y, [k, j]);
                p.read(z, [i, j]);
                p.write(z, [i, j]);
            });
        });
    });
    p.build()
}

#[test]
fn matrix_multiplication() {
    assert_eq!(all_sizes(&matmul()), 9 * 19);
}

/// With n a multiple of b, nine classes without free iterators are left, as with constant lines.
#[test]
fn matrix_multiplication_with_whole_lines() {
    let mut program = matmul();
    program.multiples.push((ParamId(0), ParamId(1)));
    let model = model(&program).unwrap();
    assert_eq!(model.lines[0].classes.len(), 9);
    assert!(model.lines[0].classes.iter().all(|class| class.iterators.is_empty()));
    let sizes = (1..=6).flat_map(|b| (1..=4).map(move |m| [m * b, b]));
    assert!(sizes.clone().all(|sizes| agrees(&program, &model, &sizes)));
    assert!(!agrees(&program, &model, &[9, 8]));
}

/// Offsets in both directions, loops that do not start at 0, comparisons between iterators, subscripts that fall.
#[test]
fn offsets_carry() {
    let mut p = ProgramBuilder::new("stencil");
    let n = p.param("n");
    p.param("b");
    let [x, y] = ["A", "y"].map(|name| p.array(name, 8, if name == "A" { 2 } else { 1 }));
    p.for_("i", 1, Expr::from(n).plus_constant(-1).unwrap(), |p, i| {
        p.for_("j", 1, Expr::from(n).plus_constant(-2).unwrap(), |p, j| {
            let at = |e: Expr, c| e.plus_constant(c).unwrap();
            p.read(x, [i.into(), at(j.into(), -1)]);
            p.read(x, [i.into(), at(j.into(), 2)]);
            p.write(x, [at(i.into(), -1), j.into()]);
            p.read(y, [at(Expr::from(n).minus(&j.into()).unwrap(), -1)]);
        });
    });
    // Lines of one element would have too many carries.
    assert_eq!(all_sizes(&p.build()), 8 * 19);
}

#[test]
fn triangles() {
    let mut p = ProgramBuilder::new("triangle");
    let n = p.param("n");
    p.param("b");
    let [x, y] = ["A", "y"].map(|name| p.array(name, 8, if name == "A" { 2 } else { 1 }));
    p.for_("i", 0, n, |p, i| {
        p.for_("j", 0, Expr::from(i).plus_constant(1).unwrap(), |p, j| {
            p.read(x, [i, j]);
            p.read(x, [j, i]);
            p.write(y, [Expr::from(i).minus(&j.into()).unwrap()]);
            p.if_(vec![Constraint::zero(Expr::from(j).minus(&i.into()).unwrap().plus_constant(1).unwrap())], |p| {
                p.read(y, [i]);
            });
        });
    });
    assert_eq!(all_sizes(&p.build()), 9 * 19);
}

/// n·(n + 1)/2 accesses of one kind, and twice as many of another on the same sizes.
#[test]
fn halves_are_told_from_wholes() {
    let mut p = ProgramBuilder::new("halves");
    let n = p.param("n");
    p.param("b");
    let x = p.array("x", 8, 0);
    p.for_("i", 0, n, |p, i| {
        p.for_("j", 0, Expr::from(i).plus_constant(1).unwrap(), |p, _| {
            p.for_("k", 0, 2, |p, _| {
                p.read(x, Vec::<Expr>::new());
                p.write(x, Vec::<Expr>::new());
            });
        });
    });
    assert_eq!(all_sizes(&p.build()), 9 * 19);
}

/// Random programs with lines of any size, each compared at some sizes; says how many of them have all distances.
fn random_programs(seeds: impl Iterator<Item = u64>, shape: ProgramShape) -> usize {
    let mut compared = 0;
    for seed in seeds {
        let mut program = random::program(seed, shape);
        program.params.push(Param::named("b"));
        let line = Expr::param(ParamId(program.params.len() as u32 - 1));
        program.context.push(Constraint::non_negative(line.plus_constant(-1).unwrap()));
        let start = Instant::now();
        let model = match limited(&program, Limits { window: 100_000 }) {
            Ok(model) => model,
            Err(Error::Line(_) | Error::Limit { .. } | Error::Isl(symloc_isl::Error::Limit { .. })) => continue,
            Err(error) => panic!("seed {seed}: {error}\n{program}"),
        };
        compared += usize::from(model.lines[0].distances.as_ref().unwrap().estimated.is_empty());
        println!("seed {seed}: {:?}", start.elapsed());
        let mut rng = Rng::new(seed);
        for b in [1, 2, 3, 4, 8] {
            let mut sizes = random::sizes(&mut rng, &program, 9);
            *sizes.last_mut().unwrap() = b;
            agrees(&program, &model, &sizes);
        }
    }
    compared
}

#[test]
fn random_programs_without_congruences_agree() {
    let shape = ProgramShape { depth: 3, accesses: 4, steps: false, floors: false, ..ProgramShape::default() };
    let compared = random_programs(1..25, shape);
    assert!(compared >= 15, "only {compared} programs were compared");
}

#[test]
fn random_programs_with_steps_agree() {
    let shape = ProgramShape { depth: 3, accesses: 4, floors: false, ..ProgramShape::default() };
    let compared = random_programs(41..63, shape);
    assert!(compared >= 8, "only {compared} programs were compared");
}

/// With ever higher limits there are ever more distances; what is not known is estimated, and never wrong.
#[test]
fn what_exceeds_the_limits_is_estimated() {
    let program = matmul();
    let sizes = [19, 4];
    let mut known = Vec::new();
    for window in [1, 3_000, 4_000, 100_000] {
        let model = limited(&program, Limits { window }).unwrap();
        assert!(agrees(&program, &model, &sizes));
        let sum = |bins: &[Bin]| bins.iter().fold(Int::ZERO, |sum, bin| &sum + &bin.count);
        known.push(sum(&distances(&model, &sizes).distances));
    }
    assert!(known.is_sorted());
    assert_eq!(known[0], Int::ZERO);
    assert!(known[1] > known[0] && known[2] < known[3], "{known:?}");
}
