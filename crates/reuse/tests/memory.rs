//! Arrays as they lie in memory: models of random programs, whose rows start in the middle of lines, against the trace of real
//! addresses. Every access stays within its array.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use std::ops::Range;

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::rows::{Naming, Purpose};
use symloc_affine::{ArrayId, Constraint, Expr, Extent, IterId, Layout, Line, ParamId, Program, padded_rows};
use symloc_evaluate::Evaluator;
use symloc_model::LineChoice;
use symloc_reuse::{DeriveOptions, Limits, LineSizes, ModelOrigin, derive};
use symloc_sim::Trace;
use symloc_sim::random::Rng;

const LINE: Line = Line::Bytes(64);

/// The extent of one of three axes, which arrays and loops share.
#[derive(Clone, Copy)]
enum Axis {
    Constant(i64),
    Symbolic(ParamId),
}

impl Axis {
    fn expr(self) -> Expr {
        match self {
            Axis::Constant(extent) => Expr::constant(extent),
            Axis::Symbolic(param) => Expr::param(param),
        }
    }
}

struct Generator {
    rng: Rng,
    axes: Vec<Axis>,
    /// Each with the axes of its dimensions.
    arrays: Vec<(ArrayId, Vec<usize>)>,
    iters: usize,
}

impl Generator {
    /// Loops over some of the axes, one cell from either end, with accesses to cells and their neighbours.
    fn nest(&mut self, b: &mut ProgramBuilder, mut around: Vec<(usize, IterId)>) {
        let free: Vec<usize> =
            (0..self.axes.len()).filter(|axis| around.iter().all(|(other, _)| other != axis)).collect();
        let Some(axis) = (!free.is_empty()).then(|| *self.rng.pick(&free)) else {
            return (0..self.rng.range(2, 3)).for_each(|_| self.access(b, &around));
        };
        let name = format!("i{}", self.iters);
        self.iters += 1;
        let upper = self.axes[axis].expr().plus_constant(-1).unwrap();
        b.for_(&name, 1, upper, |b, iter| {
            around.push((axis, iter));
            self.nest(b, around);
        });
    }

    fn access(&mut self, b: &mut ProgramBuilder, around: &[(usize, IterId)]) {
        let (array, axes) = self.rng.pick(&self.arrays).clone();
        let iter = |axis: &usize| around.iter().find(|(other, _)| other == axis).unwrap().1;
        let subscripts: Vec<Expr> =
            axes.iter().map(|axis| Expr::iter(iter(axis)).plus_constant(self.rng.range(-1, 1)).unwrap()).collect();
        if self.rng.one_in(3) {
            b.write(array, subscripts)
        } else {
            b.read(array, subscripts)
        };
    }
}

/// A program of so many axes; their extents are parameters of which the remainder modulo 16 is `rest`, or constants.
fn program(seed: u64, dimensions: usize, rest: Option<i64>) -> Program {
    let mut rng = Rng::new(seed);
    let mut b = ProgramBuilder::new(&format!("memory_{seed}"));
    let axis = |axis: usize| match rest {
        None => Axis::Constant(rng.range(3, 37)),
        Some(_) => Axis::Symbolic(b.param(&format!("n{axis}"))),
    };
    let axes: Vec<Axis> = (0..dimensions).map(axis).collect();
    if let Some(rest) = rest {
        for axis in &axes {
            let remainder = axis.expr().modulo(16).unwrap().plus_constant(-rest).unwrap();
            b.assume(Constraint::zero(remainder));
            b.assume(Constraint::non_negative(axis.expr().plus_constant(-15).unwrap()));
        }
    }
    let mut arrays = Vec::new();
    for number in 0..rng.range(1, 2) {
        let first = rng.range(0, dimensions as i64 - 1) as usize;
        let order: Vec<usize> = (0..dimensions).map(|position| (first + position) % dimensions).collect();
        let (name, bytes) = (format!("A{number}"), *rng.pick(&[4, 8, 8]));
        let constants: Option<Vec<i64>> =
            order.iter().map(|axis| if let Axis::Constant(e) = axes[*axis] { Some(e) } else { None }).collect();
        let array = match constants {
            Some(extents) => b.fixed_array(&name, bytes, &extents),
            None => b.array(&name, bytes, dimensions),
        };
        arrays.push((array, order));
    }
    let mut generator = Generator { rng, axes, arrays, iters: 0 };
    for _ in 0..generator.rng.range(1, 2) {
        generator.nest(&mut b, Vec::new());
    }
    let mut program = b.build();
    for (array, axes) in &generator.arrays {
        for (extent, axis) in program.arrays[array.index()].shape.iter_mut().zip(axes) {
            if let Axis::Symbolic(param) = generator.axes[*axis] {
                *extent = Extent::Size(vec![Expr::param(param)]);
            }
        }
    }
    program
}

/// Compares everything that a model tells at a size with the trace; returns how many distances are estimated.
fn compare(program: &Program, sizes: &[Vec<i64>]) -> usize {
    let limits = Limits { window: 300_000 };
    let options =
        DeriveOptions { distances: Some(limits), ..DeriveOptions::new(Layout::Memory, LineSizes::Fixed(vec![LINE])) };
    let derived = derive(program, &options).unwrap_or_else(|error| panic!("{error}\n{program}"));
    let model = derived.into_model(program, Layout::Memory, ModelOrigin::default());
    let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
    for sizes in sizes {
        let trace = Trace::new(program, sizes, Layout::Memory, LINE).unwrap();
        let found = symloc_verify::compare(&evaluator, &trace, &symloc_verify::named(&model, sizes)).unwrap();
        assert!(found.differences.is_empty(), "{} at {sizes:?}\n{program}", found.differences.join("\n"));
    }
    model.lines[0].distances.as_ref().map_or(0, |distances| distances.estimated.len())
}

fn is_exact(program: &Program) -> bool {
    let naming = |array| {
        let elements = LINE.elements(array).unwrap();
        Naming::of(program, array, elements, Purpose::RowsApart).unwrap()
    };
    program.arrays.iter().all(|array| !matches!(naming(array), Naming::Padded(padded) if padded.why.is_some()))
}

fn constant_rows(seeds: Range<u64>) {
    for seed in seeds {
        let program = program(seed, 1 + seed as usize % 3, None);
        assert!(is_exact(&program));
        compare(&program, &[vec![]]);
    }
}

fn symbolic_rows(seeds: Range<u64>) {
    for seed in seeds {
        let dimensions = if seed % 6 == 4 { 3 } else { 2 };
        let rest = (5 * seed as i64 + 1) % 16;
        let program = program(seed, dimensions, Some(rest));
        assert!(is_exact(&program), "{program}");
        let size = |more: i64| if rest == 15 { 15 + more } else { rest + 16 + more };
        let sizes =
            |first: i64, second: i64| (0..dimensions).map(|d| size(if d % 2 == 0 { first } else { second })).collect();
        compare(&program, &[sizes(0, 0), sizes(16, 0), sizes(0, 16)]);
    }
}

#[test]
fn constant_rows_that_lines_do_not_divide() {
    constant_rows(0..6);
}

#[test]
fn symbolic_rows_of_known_remainder() {
    symbolic_rows(0..6);
}

#[test]
#[ignore = "many minutes: cargo test --release -p symloc-reuse --test all memory -- --ignored"]
fn many_programs() {
    constant_rows(6..206);
    symbolic_rows(6..106);
}

/// Reads a matrix by columns and writes it by rows, these in tiles; its rows are as long as n, with n mod 8 = `rest`.
fn tiled(tile: i64, rest: i64) -> Program {
    let mut b = ProgramBuilder::new("tiled");
    let n = Expr::param(b.param("n"));
    b.assume(Constraint::zero(n.modulo(8).unwrap().plus_constant(-rest).unwrap()));
    b.assume(Constraint::non_negative(n.plus_constant(-8).unwrap()));
    let a = b.array("A", 8, 2);
    b.for_("i", 0, n.clone(), |b, i| {
        b.for_("jt", 0, n.plus_constant(tile - 1).unwrap().floor_div(tile).unwrap(), |b, jt| {
            let first = Expr::iter(jt).times(tile).unwrap();
            b.for_("j", first.clone(), vec![first.plus_constant(tile).unwrap(), n.clone()], |b, j| {
                b.read(a, [j, i]);
                b.write(a, [i, j]);
            });
        });
    });
    let mut program = b.build();
    program.arrays[a.index()].shape.fill(Extent::Size(vec![n]));
    program
}

/// The tiles make two parameters of n, in which the lengths of rows are written, too.
#[test]
fn rows_in_tiles_lie_as_the_others() {
    for (tile, rest) in [(3, 3), (4, 5), (12, 1), (16, 7)] {
        let program = tiled(tile, rest);
        assert!(is_exact(&program), "{program}");
        compare(&program, &[vec![8 + rest], vec![16 + rest], vec![24 + rest]]);
    }
}

/// Reads `count` times a neighbour of every inner cell of 7 × 9 × 11 doubles, all of them in turn.
fn neighbours(count: usize) -> Program {
    let mut b = ProgramBuilder::new("neighbours");
    let n = b.param("n");
    b.assume(Constraint::non_negative(Expr::param(n).times(-1).unwrap().plus_constant(7).unwrap()));
    let a = b.fixed_array("A", 8, &[7, 9, 11]);
    b.for_("i", 1, Expr::param(n).plus_constant(-1).unwrap(), |b, i| {
        b.for_("j", 1, 8, |b, j| {
            b.for_("k", 1, 10, |b, k| {
                let offsets = (-1..=1).flat_map(|x| (-1..=1).flat_map(move |y| (-1..=1).map(move |z| [x, y, z])));
                for offsets in offsets.cycle().take(count) {
                    let moved = [i, j, k].into_iter().zip(offsets);
                    b.read(a, moved.map(|(iter, offset)| Expr::iter(iter).plus_constant(offset).unwrap()));
                }
            });
        });
    });
    b.build()
}

#[test]
fn rows_that_start_at_many_places_are_padded_if_there_are_many_accesses() {
    for (count, first_row) in [(32, 11), (33, 16)] {
        let program = neighbours(count);
        let coordinates = Layout::Memory.coordinates_at(&program, &program.arrays[0], LINE, &[7]).unwrap();
        assert_eq!(coordinates.strides.strides, [9 * first_row, first_row, 1], "{count} accesses");
        let note = padded_rows(&program, &[LINE]).unwrap();
        assert_eq!(note.is_some_and(|note| note.text.contains("rows of A to whole lines")), count > 32);
    }
    compare(&neighbours(33), &[vec![4], vec![7]]);
}

#[test]
fn an_element_behind_its_row_is_in_a_line_of_the_next_one() {
    let mut b = ProgramBuilder::new("behind");
    let n = b.param("n");
    let a = b.fixed_array("A", 8, &[7, 11]);
    b.for_("i", 0, Expr::param(n), |b, i| {
        b.for_("j", 0, 11, |b, j| {
            let [i, j] = [i, j].map(Expr::iter);
            b.read(a, [i.clone(), j.plus_constant(2).unwrap()]);
            b.write(a, [i, j]);
        });
    });
    compare(&b.build(), &[vec![1], vec![4], vec![6]]);
}

/// Reads rows of n + m doubles from both ends, on conditions that say nothing of n and m alone, or nothing of their sum.
#[test]
fn rows_as_long_as_a_sum_of_sizes() {
    let rows = |conditions: &dyn Fn(Expr, Expr) -> Vec<Constraint>| {
        let mut b = ProgramBuilder::new("sums");
        let [n, m] = ["n", "m"].map(|name| Expr::param(b.param(name)));
        conditions(n.clone(), m.clone()).into_iter().for_each(|condition| b.assume(condition));
        let a = b.array("A", 8, 2);
        b.for_("i", 0, n.clone(), |b, i| {
            b.for_("j", 0, m.clone(), |b, j| {
                b.read(a, [Expr::iter(i), Expr::iter(j)]);
                b.write(a, [Expr::iter(i), Expr::iter(j).plus(&n).unwrap()]);
            });
        });
        let mut program = b.build();
        let length = n.plus(&m).unwrap();
        program.arrays[a.index()].shape = vec![Extent::Size(vec![n]), Extent::Size(vec![length])];
        program
    };
    let remainder = |expr: &Expr, rest: i64| Constraint::zero(expr.modulo(8).unwrap().plus_constant(-rest).unwrap());
    let least = |expr: &Expr, least: i64| Constraint::non_negative(expr.plus_constant(-least).unwrap());
    let of_sum = rows(&|n, m| {
        let sum = n.plus(&m).unwrap();
        vec![remainder(&sum, 3), least(&sum, 7)]
    });
    let of_each = rows(&|n, m| vec![remainder(&n, 0), remainder(&m, 3), least(&n, 1)]);
    let short = rows(&|n, m| vec![remainder(&n, 1), remainder(&m, 3)]);
    assert!(is_exact(&of_sum) && is_exact(&of_each) && !is_exact(&short));
    compare(&of_sum, &[vec![5, 6], vec![1, 10], vec![13, 6]]);
    compare(&of_each, &[vec![8, 3], vec![8, 11], vec![16, 3]]);
}

/// Reads n × m pixels of three floats, of which m modulo 16 is known or not; m is at least 5, so that 3m is a line less one.
fn pixels(rest: Option<i64>) -> Program {
    let mut b = ProgramBuilder::new("pixels");
    let [n, m] = ["n", "m"].map(|name| b.param(name));
    b.assume(Constraint::non_negative(Expr::param(m).times(3).unwrap().plus_constant(-15).unwrap()));
    if let Some(rest) = rest {
        let floats = Expr::param(m).times(3).unwrap();
        b.assume(Constraint::zero(floats.modulo(16).unwrap().plus_constant(-rest).unwrap()));
    }
    let a = b.array("A", 4, 3);
    b.for_("i", 0, Expr::param(n), |b, i| {
        b.for_("j", 0, Expr::param(m), |b, j| {
            b.for_("k", 0, Expr::constant(3), |b, k| {
                b.read(a, [i, j, k].map(Expr::iter));
            });
        });
    });
    let mut program = b.build();
    program.arrays[a.index()].shape = vec![Extent::Dynamic, Extent::Size(vec![Expr::param(m)]), Extent::Known(3)];
    program
}

#[test]
fn what_lies_within_the_innermost_symbolic_extent_is_one_row() {
    let lines = |program: &Program, sizes: [i64; 2]| {
        compare(program, &[sizes.to_vec()]);
        Trace::new(program, &sizes, Layout::Memory, LINE).unwrap().lines()
    };
    let open = pixels(None);
    assert!(!is_exact(&open));
    assert_eq!(lines(&open, [5, 32]), 5 * 6);
    assert_eq!(lines(&open, [5, 33]), 5 * 7);
    // The remainder of 3m decides that of m.
    for (rest, m, real) in [(0, 32, 30), (3, 33, 31), (9, 19, 18)] {
        let known = pixels(Some(rest));
        assert!(is_exact(&known), "{known}");
        assert_eq!(lines(&known, [5, m]), real);
    }
}

/// Reads all of 2 × n × m doubles, in reverse.
fn planes(conditions: &dyn Fn(Expr, Expr) -> Vec<Constraint>) -> Program {
    let mut b = ProgramBuilder::new("planes");
    let [n, m] = ["n", "m"].map(|name| Expr::param(b.param(name)));
    conditions(n.clone(), m.clone()).into_iter().for_each(|condition| b.assume(condition));
    let a = b.array("A", 8, 3);
    b.for_("k", 0, m.clone(), |b, k| {
        b.for_("i", 0, n.clone(), |b, i| {
            b.for_("p", 0, 2, |b, p| {
                b.read(a, [p, i, k].map(Expr::iter));
            });
        });
    });
    let mut program = b.build();
    program.arrays[a.index()].shape = vec![Extent::Known(2), Extent::Size(vec![n]), Extent::Size(vec![m])];
    program
}

/// Planes start where a row ends: so their place in a line depends on the number of rows, too.
#[test]
fn a_note_names_all_remainders_that_rows_need() {
    let remainder = |expr: &Expr, rest: i64| Constraint::zero(expr.modulo(8).unwrap().plus_constant(-rest).unwrap());
    let least = |expr: &Expr, least: i64| Constraint::non_negative(expr.plus_constant(-least).unwrap());
    let note = padded_rows(&planes(&|_, _| Vec::new()), &[LINE]).unwrap().unwrap().text;
    let end = "exact where m mod 8 = 0, or where --assume says what m mod 8 and n mod 8 are";
    assert!(note.ends_with(end), "{note}");
    let one = planes(&|_, m| vec![remainder(&m, 3), least(&m, 7)]);
    let both = planes(&|n, m| vec![remainder(&m, 3), least(&m, 7), remainder(&n, 5)]);
    let whole = planes(&|_, m| vec![remainder(&m, 0)]);
    assert!(!is_exact(&one) && is_exact(&both) && is_exact(&whole));
    compare(&both, &[vec![5, 11], vec![13, 19]]);
}
