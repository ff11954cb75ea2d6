//! Programs that repeat nests, whose accesses are derived once, beside the trace interpreter.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{AccessId, ArrayId, Constraint, Expr, If, IterId, Layout, Line, Loop, Node, Program};
use symloc_evaluate::Evaluator;
use symloc_model::{LineChoice, Model};
use symloc_reuse::{DeriveOptions, Limits, LineSizes, ModelOrigin, derive};
use symloc_sim::Trace;
use symloc_sim::random::{self, ProgramShape, Rng};

/// Distances that exceed these are estimated.
const SHORT: Limits = Limits { window: 200_000 };

fn model(program: &Program, line: Line, distances: Option<Limits>) -> Model {
    let options = DeriveOptions { distances, ..DeriveOptions::new(Layout::Rows, LineSizes::Fixed(vec![line])) };
    derive(program, &options).unwrap().into_model(program, Layout::Rows, ModelOrigin::default())
}

/// Compares all results of a model at a size with the trace, access by access.
fn compare(program: &Program, line: Line, model: &Model, sizes: &[i64]) {
    let trace = Trace::new(program, sizes, Layout::Rows, line).unwrap();
    let evaluator = Evaluator::new(model, LineChoice::Only).unwrap();
    let found = symloc_verify::compare(&evaluator, &trace, &symloc_verify::named(model, sizes)).unwrap();
    assert!(found.differences.is_empty(), "{}\n{line:?} at {sizes:?}\n{program}", found.differences.join("\n"));
}

/// Adds a layer: x·w into y, y is normalised by its rows, and what all layers read is added.
fn layer(b: &mut ProgramBuilder, n: &Expr, [x, w, y, shared]: [ArrayId; 4]) {
    let name = |b: &ProgramBuilder, letter: &str| format!("{letter}{}", b.clone().build().iters.len());
    let (i, j, k) = (name(b, "i"), name(b, "j"), name(b, "k"));
    b.for_(&i, 0, n.clone(), |b, i| {
        b.for_(&j, 0, n.clone(), |b, j| {
            b.for_(&k, 0, n.clone(), |b, k| {
                b.read(x, [i, k]);
                b.read(w, [k, j]);
                b.write(y, [i, j]);
            });
        });
    });
    let (i, j) = (name(b, "i"), name(b, "j"));
    b.for_(&i, 0, n.clone(), |b, i| {
        b.for_(&j, 0, n.clone(), |b, j| {
            b.read(y, [i, j]);
            b.read(shared, [i, j]);
            b.write(y, [i, j]);
        });
    });
}

/// Returns a network of so many layers.
fn network(layers: usize) -> Program {
    let mut b = ProgramBuilder::new("network");
    let n = Expr::param(b.param("n"));
    let shared = b.array("shared", 8, 2);
    let mut x = b.array("x", 8, 2);
    for number in 0..layers {
        let [w, y] = ["w", "y"].map(|name| b.array(&format!("{name}{number}"), 8, 2));
        layer(&mut b, &n, [x, w, y, shared]);
        x = y;
    }
    b.build()
}

#[test]
fn layers_have_the_reuse_of_the_trace() {
    let program = network(4);
    for line in [Line::Bytes(64), Line::Element] {
        let (intervals, exact) = (model(&program, line, None), model(&program, line, Some(SHORT)));
        for n in 1..=11 {
            compare(&program, line, &intervals, &[n]);
            compare(&program, line, &exact, &[n]);
        }
    }
}

/// Classes that only a later layer has name its own iterators.
#[test]
fn free_iterators_have_names_of_their_own_nest() {
    let program = network(3);
    let derived = model(&program, Line::Element, None);
    for class in derived.lines.iter().flat_map(|line| &line.classes) {
        let first = class.counts.iter().filter_map(|count| count.access).min().unwrap();
        // Nests of three and two loops, three accesses each.
        let nest = first / 3;
        let loops = nest / 2 * 5 + nest % 2 * 3;
        let own = &program.iters[loops..loops + 3 - nest % 2];
        for name in &class.iterators {
            assert!(own.iter().any(|iter| iter.name == *name || format!("u_{}", iter.name) == *name), "{name}");
        }
    }
}

/// Returns a program that runs another one several times, each time with its own arrays but for the first one.
fn repeated(program: &Program, times: u32) -> Program {
    let mut all =
        Program { body: Vec::new(), accesses: Vec::new(), iters: Vec::new(), arrays: Vec::new(), ..program.clone() };
    for time in 0..times {
        let (iters, arrays, accesses) = (all.iters.len() as u32, all.arrays.len() as u32, all.accesses.len() as u32);
        let own = |array: ArrayId| match array.index() {
            0 => array,
            index if time == 0 => ArrayId(index as u32),
            index => ArrayId(arrays + index as u32 - 1),
        };
        for mut iter in program.iters.clone() {
            iter.name = format!("{}_{time}", iter.name);
            all.iters.push(iter);
        }
        for mut array in program.arrays.iter().skip(usize::from(time > 0)).cloned() {
            array.name = format!("{}_{time}", array.name);
            all.arrays.push(array);
        }
        for mut access in program.accesses.clone() {
            access.array = own(access.array);
            access.subscripts.iter_mut().for_each(|subscript| *subscript = moved(subscript, iters));
            all.accesses.push(access);
        }
        all.body.extend(program.body.iter().map(|node| moved_node(node, iters, accesses)));
    }
    all
}

fn moved(expression: &Expr, by: u32) -> Expr {
    expression.substitute(&|iter| Some(Ok(Expr::iter(IterId(iter.0 + by))))).unwrap()
}

fn moved_node(node: &Node, iters: u32, accesses: u32) -> Node {
    let all = |expressions: &[Expr]| expressions.iter().map(|expression| moved(expression, iters)).collect();
    let body = |nodes: &[Node]| nodes.iter().map(|node| moved_node(node, iters, accesses)).collect();
    let condition = |c: &Constraint| Constraint { expr: moved(&c.expr, iters), ..c.clone() };
    match node {
        Node::Access(access) => Node::Access(AccessId(access.0 + accesses)),
        Node::Operations(_) | Node::Mark(_) => node.clone(),
        Node::Loop(l) => Node::Loop(Loop {
            iter: IterId(l.iter.0 + iters),
            lower: all(&l.lower),
            upper: all(&l.upper),
            body: body(&l.body),
            ..l.clone()
        }),
        Node::If(guard) => Node::If(If {
            condition: guard.condition.iter().map(condition).collect(),
            then: body(&guard.then),
            otherwise: body(&guard.otherwise),
        }),
    }
}

#[test]
fn random_programs_agree_when_they_are_repeated() {
    let shape = ProgramShape { depth: 2, accesses: 4, params: 2, ..ProgramShape::default() };
    for seed in 1..=12 {
        let program = repeated(&random::program(seed, shape), 3);
        let line = Line::Bytes(64);
        let derived = model(&program, line, (seed % 3 == 0).then_some(SHORT));
        let mut rng = Rng::new(seed);
        for _ in 0..3 {
            compare(&program, line, &derived, &random::sizes(&mut rng, &program, 12));
        }
    }
}
