//! Programs with tiles of symbolic size against the trace interpreter, and against tiles of constant size.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{
    Constraint, Expr, Extent, IterId, Layout, Line, LoopStep, ParamId, Program, RadixError, parse_assumptions,
};
use symloc_evaluate::{EvalError, Evaluator, MissModel};
use symloc_model::{LineChoice, Model};
use symloc_reuse::{DeriveOptions, Error, Limits, LineSizes, ModelOrigin, derive};
use symloc_sim::Trace;
use symloc_verify::{compare, named};

fn model(program: &Program, line: Line) -> Result<Model, Error> {
    let lines = LineSizes::Fixed(vec![line]);
    let options = DeriveOptions {
        distances: Some(Limits::default()),
        write_backs: line == Line::Element,
        ..DeriveOptions::new(Layout::Memory, lines)
    };
    Ok(derive(program, &options)?.into_model(program, Layout::Memory, ModelOrigin::default()))
}

/// Compares everything with the trace at a size; false if the context excludes the size.
fn agrees(program: &Program, line: Line, model: &Model, sizes: &[i64]) -> bool {
    let (evaluator, named) = (Evaluator::new(model, LineChoice::Only).unwrap(), named(model, sizes));
    match evaluator.distribution(MissModel::Denning, &named) {
        Ok(_) => {}
        Err(EvalError::OutsideContext { .. }) => return false,
        Err(error) => panic!("{error}\nat {sizes:?}\n{program}"),
    }
    let trace = Trace::new(program, sizes, Layout::Memory, line).unwrap();
    let found = compare(&evaluator, &trace, &named).unwrap_or_else(|error| panic!("{error}\n{program}"));
    assert!(found.differences.is_empty(), "{}\nat {sizes:?}\n{program}", found.differences.join("\n"));
    true
}

/// Compares at all sizes n up to `most` with tiles of up to `tiles`; returns the number of sizes at which the model holds.
fn all_sizes(program: &Program, most: i64, tiles: i64) -> usize {
    let model = model(program, Line::Element).unwrap();
    assert!(model.lines[0].distances.as_ref().unwrap().estimated.is_empty());
    let sizes = (1..=tiles).flat_map(|t| (1..=most).map(move |n| [n, t]));
    sizes.filter(|sizes| agrees(program, Line::Element, &model, sizes)).count()
}

fn step(size: ParamId) -> LoopStep {
    LoopStep::Tiles { times: 1, size }
}

fn plus(e: impl Into<Expr>, f: impl Into<Expr>) -> Expr {
    e.into().plus(&f.into()).unwrap()
}

/// Adds a loop through a tile: from its start to its end, or to the end of all.
fn in_tile(
    b: &mut ProgramBuilder,
    name: &str,
    start: IterId,
    (tile, end): (ParamId, Expr),
    body: impl FnOnce(&mut ProgramBuilder, IterId),
) {
    b.for_(name, start, vec![plus(start, tile), end], body);
}

/// Builds the matrix multiplication of the tile, and that with constant tiles if `constant` is one.
fn matmul(constant: Option<i64>) -> Program {
    let mut b = ProgramBuilder::new("matmul");
    let n = b.param("n");
    let t = b.param("T");
    let step = constant.map_or(step(t), LoopStep::Known);
    let size = constant.map_or(Expr::from(t), Expr::constant);
    let [x, y, z] = ["A", "B", "C"].map(|name| b.array(name, 8, 2));
    b.for_step("ii", 0, n, step, |b, ii| {
        b.for_step("jj", 0, n, step, |b, jj| {
            b.for_step("kk", 0, n, step, |b, kk| {
                let end = |start: IterId| vec![plus(start, size.clone()), n.into()];
                b.for_("i", ii, end(ii), |b, i| {
                    b.for_("j", jj, end(jj), |b, j| {
                        b.for_("k", kk, end(kk), |b, k| {
                            b.read(x, [i, k]);
                            b.read(y, [k, j]);
                            b.read(z, [i, j]);
                            b.write(z, [i, j]);
                        });
                    });
                });
            });
        });
    });
    let mut program = b.build();
    program.context = Program::default_context(&program.params);
    program
}

#[test]
fn matrix_multiplication() {
    assert_eq!(all_sizes(&matmul(None), 13, 6), 13 * 6);
}

/// A triangle in tiles: bounds that compare two iterators, with a carry.
#[test]
fn triangle() {
    let mut b = ProgramBuilder::new("triangle");
    let n = b.param("n");
    let t = b.param("T");
    let [x, y] = ["A", "B"].map(|name| b.array(name, 8, 2));
    b.for_step("ii", 0, n, step(t), |b, ii| {
        b.for_step("jj", 0, plus(ii, 1), step(t), |b, jj| {
            in_tile(b, "i", ii, (t, n.into()), |b, i| {
                in_tile(b, "j", jj, (t, plus(i, 1)), |b, j| {
                    b.read(x, [i, j]);
                    b.write(y, [j, i]);
                });
            });
        });
    });
    let mut program = b.build();
    program.context = Program::default_context(&program.params);
    assert_eq!(all_sizes(&program, 13, 6), 13 * 6);
}

/// Neighbours in the next and the previous tile, bounds within, a second nest without tiles, and one backwards.
#[test]
fn stencil() {
    let mut b = ProgramBuilder::new("stencil");
    let n = b.param("n");
    let t = b.param("T");
    let [x, y] = ["A", "B"].map(|name| b.array(name, 8, 1));
    b.for_step("ii", 0, n, step(t), |b, ii| {
        b.for_("i", vec![ii.into(), 1.into()], vec![plus(ii, t), plus(n, -1)], |b, i| {
            b.read(x, [plus(i, -1)]);
            b.read(x, [plus(i, 1)]);
            b.write(y, [i]);
        });
    });
    b.for_("j", 0, n, |b, j| {
        b.read(y, [Expr::from(n).minus(&plus(j, 1)).unwrap()]);
        b.if_(vec![Constraint::equal(&Expr::from(j), 2).unwrap()], |b| _ = b.write(x, [j]));
    });
    let mut program = b.build();
    program.context = Program::default_context(&program.params);
    // j = 2 has one carry with tiles of at least 3 only.
    assert_eq!(all_sizes(&program, 25, 9), 25 * 7);
}

/// Tiles of tiles: steps of several tiles, and two sizes that have one radix each.
#[test]
fn tiles_of_tiles() {
    let mut b = ProgramBuilder::new("levels");
    let n = b.param("n");
    let [t, u] = ["T", "U"].map(|name| b.param(name));
    let x = b.array("A", 8, 2);
    let outer = LoopStep::Tiles { times: 3, size: t };
    b.for_step("iii", 0, n, outer, |b, iii| {
        b.for_step("jj", 0, n, step(u), |b, jj| {
            let end = plus(iii, Expr::from(t).times(3).unwrap());
            b.for_step("ii", iii, vec![end, n.into()], step(t), |b, ii| {
                in_tile(b, "j", jj, (u, n.into()), |b, j| {
                    in_tile(b, "i", ii, (t, n.into()), |b, i| _ = b.read(x, [i, j]))
                });
            });
        });
    });
    let mut program = b.build();
    program.context = Program::default_context(&program.params);
    let model = model(&program, Line::Element).unwrap();
    for (n, t, u) in (1..=15).flat_map(|n| (1..=4).flat_map(move |t| (1..=3).map(move |u| (n, t, u)))) {
        assert!(agrees(&program, Line::Element, &model, &[n, t, u]));
    }
}

/// The reason why a program is refused.
fn refused(program: &Program) -> String {
    match model(program, Line::Element) {
        Err(Error::Tiles(RadixError::Unsuited { why, .. })) => why,
        other => panic!("not refused for its tiles: {:?}", other.err()),
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let program = |build: &dyn Fn(&mut ProgramBuilder, ParamId, [ParamId; 2])| {
        let mut b = ProgramBuilder::new("refused");
        let n = b.param("n");
        let sizes = ["T", "U"].map(|name| b.param(name));
        build(&mut b, n, sizes);
        b.build()
    };
    let one = program(&|b, n, [t, _]| {
        let x = b.array("A", 8, 1);
        b.for_step("ii", 1, n, step(t), |b, ii| _ = b.read(x, [ii]));
    });
    assert_eq!(refused(&one), "`ii` starts at 1, which need not be a multiple of T");
    let two = program(&|b, n, sizes| {
        let x = b.array("A", 8, 1);
        for (name, size) in ["ii", "jj"].into_iter().zip(sizes) {
            b.for_step(name, 0, n, step(size), |b, ii| _ = b.read(x, [ii]));
        }
    });
    assert_eq!(refused(&two), "dimension 1 of `A` has tiles of two sizes, T and U");
    let floor = program(&|b, n, [t, _]| {
        let x = b.array("A", 8, 1);
        b.for_step("ii", 0, n, step(t), |b, ii| _ = b.read(x, [Expr::from(ii).floor_div(2).unwrap()]));
    });
    assert_eq!(refused(&floor), "floor((ii)/2) is divided by a number, and by a tile of symbolic size");
    let steps = program(&|b, n, [t, _]| {
        let x = b.array("A", 8, 1);
        b.for_step("ii", 0, n, step(t), |b, ii| {
            b.for_step("i", ii, vec![plus(ii, t), n.into()], 2, |b, i| _ = b.read(x, [i]));
        });
    });
    assert_eq!(refused(&steps), "`i` goes in steps of 2 through tiles of symbolic size");
}

/// Lines of eight elements, with tiles of whole lines: rows are padded, or whole lines.
#[test]
fn tiles_of_whole_lines() {
    let line = Line::Bytes(64);
    let assuming = |text: &str| {
        let mut program = matmul(None);
        let n = Expr::param(ParamId(0));
        program.arrays.iter_mut().for_each(|array| array.shape[1] = Extent::Size(vec![n.clone()]));
        let conditions = parse_assumptions(text, &program.params, &[ParamId(1)]).unwrap();
        program.assume(conditions.constraints);
        program.multiples = conditions.multiples;
        program
    };
    let held = |text: &str, n: &[i64], t: &[i64]| {
        let program = assuming(text);
        let model = model(&program, line).unwrap();
        let sizes = t.iter().flat_map(|t| n.iter().map(move |n| [*n, *t]));
        sizes.filter(|sizes| agrees(&program, line, &model, sizes)).count()
    };
    assert_eq!(held("T mod 8 = 0", &[5, 8, 13, 16, 19, 24], &[8, 16]), 12);
    assert_eq!(held("T mod 8 = 0, n mod 8 = 0", &[8, 16, 24], &[8, 16]), 6);
    assert_eq!(held("T mod 8 = 0, n mod T = 0", &[8, 16, 24], &[8, 16]), 4);
    let refused = |text: &str| match model(&assuming(text), line) {
        Err(Error::Tiles(RadixError::Unsuited { why, .. })) => why,
        other => panic!("not refused for its tiles: {:?}", other.err()),
    };
    assert_eq!(refused("n >= 1"), "lines of 8 elements: the tiles of `A` need not start a line");
    assert_eq!(refused("T mod 8 = 0, n mod 8 = 3, n >= 8"), "lines of 8 elements: rows of `A` need not start a line");
}

/// Where the size is a multiple of the tile there is no last tile that is shorter, and fewer classes.
#[test]
fn whole_tiles() {
    let mut program = matmul(None);
    let with_rests = model(&program, Line::Element).unwrap();
    program.multiples.push((ParamId(0), ParamId(1)));
    let model = model(&program, Line::Element).unwrap();
    assert!(model.lines[0].classes.len() < with_rests.lines[0].classes.len());
    let sizes = (1..=5).flat_map(|t| (1..=12).map(move |n| [n, t]));
    assert_eq!(sizes.filter(|sizes| agrees(&program, Line::Element, &model, sizes)).count(), 12 + 6 + 4 + 3 + 2);
}
