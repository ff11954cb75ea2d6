//! Models of random parallel programs against their trace.
//!
//! The programs are small, so that two hundred are derived in a minute: one or two parallel loops, with one loop in them at most,
//! perhaps in a sequential loop and beside sequential code. What makes a derivation slow is rare in each of them: triangles, steps,
//! loops of another length, subscripts that run backwards. Iterations may race: what is compared is defined all the same.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{ArrayId, Atom, Constraint, Expr, If, IterId, Layout, Line, Node, Program, Schedule};
use symloc_evaluate::{Evaluator, MissModel};
use symloc_model::LineChoice;
use symloc_sim::Trace;
use symloc_sim::random::{self, Rng};

use crate::share;
use crate::threads::{compare, compare_one_thread, model, named};

/// The number of programs to compare.
const PROGRAMS: u64 = 200;

/// The number of programs to compare in which each thread has an array of its own.
const WITH_COPIES: u64 = 90;

/// The bounds of a parallel loop: from `lower` to n + `more`, in steps.
#[derive(Clone, Copy)]
struct LoopShape {
    lower: i64,
    more: i64,
    step: i64,
}

struct ParallelGenerator {
    rng: Rng,
    /// The size of loops.
    size: Expr,
    /// The arrays, with their ranks.
    arrays: Vec<(ArrayId, usize)>,
    /// The iterators of the loops around.
    scope: Vec<IterId>,
    /// The number of loops so far.
    loops: usize,
    /// The iterators of parallel loops.
    parallel: Vec<IterId>,
    /// The number of parts that make a derivation slow, such as triangles, that may follow.
    hard: u64,
    /// The number of accesses that may follow.
    accesses: u64,
}

/// Returns the random program of a seed, with at least one parallel loop.
fn parallel_program(seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    let mut b = ProgramBuilder::new(&format!("parallel_{seed}"));
    let size = Expr::param(b.param("n"));
    let choices: [&[usize]; 5] = [&[1], &[1], &[2], &[1, 1], &[1, 2]];
    let ranks = *rng.pick(&choices);
    let arrays = ranks.iter().zip(["A", "B"]).map(|(rank, name)| (b.array(name, 8, *rank), *rank)).collect();
    let (hard, accesses) = (rng.range(1, 2).unsigned_abs(), rng.range(3, 6).unsigned_abs());
    let (scope, parallel) = (Vec::new(), Vec::new());
    let mut generator = ParallelGenerator { rng, size, arrays, scope, loops: 0, parallel, hard, accesses };
    match generator.rng.range(0, 5) {
        0 => generator.phases(&mut b, 2),
        1 => {
            let steps = Expr::param(b.param("m"));
            generator.hard = 0;
            let phases = generator.rng.range(1, 2);
            generator.sequential_loop(&mut b, steps, |g, b| g.phases(b, phases));
        }
        _ => {
            let (steps, phases) = (generator.rng.range(2, 3), generator.rng.range(1, 2));
            generator.sequential_loop(&mut b, Expr::constant(steps), |g, b| g.phases(b, phases));
        }
    }
    let mut program = b.build();
    for iter in generator.parallel {
        program.iters[iter.index()].parallel = Some(Schedule::Blocks.into());
    }
    program
}

impl ParallelGenerator {
    /// Returns true once in `n` times, as long as hard parts may follow.
    fn hard(&mut self, n: u64) -> bool {
        let chosen = self.rng.one_in(n) && self.hard > 0;
        self.hard -= u64::from(chosen);
        chosen
    }

    fn sequential_loop(
        &mut self,
        b: &mut ProgramBuilder,
        upper: Expr,
        body: impl FnOnce(&mut Self, &mut ProgramBuilder),
    ) {
        self.for_step(b, (Expr::constant(0), upper, 1), body);
    }

    fn for_step(
        &mut self,
        b: &mut ProgramBuilder,
        (lower, upper, step): (Expr, Expr, i64),
        body: impl FnOnce(&mut Self, &mut ProgramBuilder),
    ) {
        let name = format!("i{}", self.loops);
        self.loops += 1;
        b.for_step(&name, lower, upper, step, |b, iter| {
            self.scope.push(iter);
            body(self, b);
            self.scope.pop();
        });
    }

    /// Adds parallel loops, perhaps with sequential code around them.
    fn phases(&mut self, b: &mut ProgramBuilder, count: i64) {
        let step = if self.hard(6) { self.rng.range(2, 3) } else { 1 };
        let mut shape = LoopShape { lower: self.rng.range(-1, 2), more: self.rng.range(-2, 1), step };
        for _ in 0..count {
            if self.rng.one_in(4) {
                self.sequential_code(b);
            }
            self.parallel_loop(b, shape);
            // Mostly of the same length, from another lower bound.
            let shift = self.rng.range(-1, 1);
            (shape.lower, shape.more) = (shape.lower + shift, shape.more + shift + i64::from(self.hard(5)));
        }
        if self.rng.one_in(5) {
            self.sequential_code(b);
        }
    }

    fn sequential_code(&mut self, b: &mut ProgramBuilder) {
        let upper = if self.hard(3) { self.size.clone() } else { Expr::constant(3) };
        match self.rng.one_in(2) {
            true => self.access(b),
            false => self.sequential_loop(b, upper, |g, b| g.access(b)),
        }
    }

    fn parallel_loop(&mut self, b: &mut ProgramBuilder, LoopShape { lower, more, step }: LoopShape) {
        self.parallel.push(IterId(self.loops as u32));
        let bounds = (Expr::constant(lower), plus(&self.size, more), step);
        self.for_step(b, bounds, |g, b| match g.rng.range(0, 9) {
            0..=3 => g.accesses(b),
            4..=6 => g.with_inner_loop(b),
            7 | 8 => g.guarded(b, Self::accesses),
            _ => g.guarded(b, Self::with_inner_loop),
        });
    }

    fn with_inner_loop(&mut self, b: &mut ProgramBuilder) {
        if self.rng.one_in(3) {
            self.access(b);
        }
        let outer = self.iter();
        let (zero, short) = (Expr::constant(0), Expr::constant(self.rng.range(1, 3)));
        let symbolic = self.hard(2);
        let bounds = match self.rng.range(0, 2) {
            0 if symbolic => (zero, plus(&outer, self.rng.range(0, 1)), 1),
            1 if symbolic => (outer, self.size.clone(), 1),
            _ if symbolic => (zero, self.size.clone(), 1),
            0 => (plus(&outer, -1), plus(&outer, 1), 1),
            1 => (zero, Expr::constant(4), 2),
            _ => (zero, short, 1),
        };
        self.for_step(b, bounds, Self::accesses);
        if self.rng.one_in(3) {
            self.access(b);
        }
    }

    fn guarded(&mut self, b: &mut ProgramBuilder, body: impl FnOnce(&mut Self, &mut ProgramBuilder)) {
        let (iter, constant) = (self.iter(), self.rng.range(0, 2));
        let condition = match self.rng.range(0, 2) {
            _ if self.hard(4) => Constraint::zero(plus(&iter.modulo(2).unwrap(), -(constant % 2))),
            0 => Constraint::non_negative(plus(&iter, -constant)),
            1 => Constraint::non_negative(plus(&scaled(&self.size, &iter, -1), -constant)),
            _ => Constraint::zero(plus(&iter, -constant)),
        };
        let then = b.nodes(|b| body(self, b));
        let otherwise = if self.rng.one_in(2) { b.nodes(|b| self.access(b)) } else { Vec::new() };
        b.if_else(
            vec![condition],
            |b| then.into_iter().for_each(|node| b.push(node)),
            |b| {
                otherwise.into_iter().for_each(|node| b.push(node));
            },
        );
    }

    fn accesses(&mut self, b: &mut ProgramBuilder) {
        for _ in 0..self.rng.range(1, 2) {
            self.access(b);
        }
    }

    fn access(&mut self, b: &mut ProgramBuilder) {
        if self.accesses == 0 {
            return;
        }
        self.accesses -= 1;
        let (array, rank) = *self.rng.pick(&self.arrays);
        let subscripts: Vec<_> = (0..rank).map(|_| self.subscript()).collect();
        match self.rng.one_in(2) {
            true => b.write(array, subscripts),
            false => b.read(array, subscripts),
        };
    }

    fn subscript(&mut self) -> Expr {
        let (a, c) = (self.iter(), self.iter());
        let offset = self.rng.range(-1, 2);
        match self.rng.range(0, 11) {
            _ if self.hard(12) => plus(&scaled(&self.size, &a, -1), offset),
            0 if self.hard(1) => scaled(&a, &c, 1),
            1 if self.hard(1) => plus(&scaled(&a, &a, 1), offset),
            2 => Expr::constant(offset),
            _ => plus(&a, offset),
        }
    }

    /// Returns an iterator in scope, mostly one of the innermost two; a constant if there is none.
    fn iter(&mut self) -> Expr {
        let near = &self.scope[self.scope.len().saturating_sub(2)..];
        if near.is_empty() { Expr::constant(1) } else { Expr::iter(*self.rng.pick(near)) }
    }
}

fn plus(expr: &Expr, constant: i64) -> Expr {
    expr.plus_constant(constant).unwrap()
}

/// Returns `a + factor · b`.
fn scaled(a: &Expr, b: &Expr, factor: i64) -> Expr {
    a.add_scaled(b, factor).unwrap()
}

/// Intervals, distances, true sharing and false sharing of each thread are those of the trace.
#[test]
fn models_of_random_parallel_programs_are_those_of_their_traces() {
    let programs = share(PROGRAMS);
    let invalidated = compare_random_programs(programs, parallel_program);
    assert!(invalidated > programs * 2, "{invalidated} invalidated reuses show nothing");
}

/// So are they where each thread has its own of the last array, which may be the only one.
#[test]
fn models_with_arrays_of_each_thread_are_those_of_their_traces() {
    let program = |seed| {
        let mut program = parallel_program(seed);
        program.arrays.iter_mut().rev().take(1).for_each(|array| array.per_thread = true);
        program
    };
    let programs = share(WITH_COPIES);
    let invalidated = compare_random_programs(programs, program);
    assert!(invalidated > programs / 4, "{invalidated} invalidated reuses show nothing");
}

/// Compares so many programs with their traces; returns the number of reuses that other threads invalidate.
fn compare_random_programs(programs: u64, program: impl Fn(u64) -> Program) -> u64 {
    let (mut compared, mut exact, mut invalidated, mut seed) = (0, 0, 0, 0);
    while compared < programs {
        seed += 1;
        assert!(seed < 2 * programs, "most programs have no accesses");
        let program = program(seed);
        let mut rng = Rng::new(seed);
        let line = if rng.one_in(2) { Line::Element } else { Line::Bytes(16) };
        let model = model(&program, line).unwrap();
        let sizes = random::sizes(&mut rng, &program, 9);
        let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
        if evaluator.operations(&named(&program, &sizes)).is_err() {
            continue; // Outside the context.
        }
        compare_one_thread(&program, line, &model, &sizes);
        for count in [1, 2, 3, 4, 7, 8] {
            invalidated += compare(&program, line, &model, &sizes, count);
        }
        compared += u64::from(Trace::new(&program, &sizes, Layout::Rows, line).unwrap().accesses() > 0);
        let distances = evaluator.distribution(MissModel::Lru, &named(&program, &sizes)).unwrap();
        exact += u64::from(distances.real.is_empty());
    }
    assert!(exact > programs * 9 / 10, "all distances are known of {exact} programs only");
    invalidated
}

/// The parts that a parallel program may have.
#[derive(Debug, Default)]
struct ParallelParts {
    arrays: usize,
    phases: usize,
    triangles: usize,
    steps: usize,
    guards: usize,
    outer_loops: usize,
}

impl ParallelParts {
    fn add(&mut self, program: &Program, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Loop(l) => {
                    let is_parallel = program.iters[l.iter.index()].parallel.is_some();
                    let is_iter = |atom: &Atom| matches!(atom, Atom::Iter(_));
                    self.phases += usize::from(is_parallel);
                    self.steps += usize::from(is_parallel && l.step.constant().is_some_and(|step| step > 1));
                    self.outer_loops += usize::from(!is_parallel && holds_parallel(program, &l.body));
                    self.triangles += usize::from(l.lower.iter().chain(&l.upper).any(|bound| bound.mentions(&is_iter)));
                    self.add(program, &l.body);
                }
                Node::If(If { then, otherwise, .. }) => {
                    self.guards += 1;
                    self.add(program, then);
                    self.add(program, otherwise);
                }
                Node::Access(_) | Node::Operations(_) | Node::Mark(_) => {}
            }
        }
    }
}

fn holds_parallel(program: &Program, nodes: &[Node]) -> bool {
    nodes.iter().any(|node| matches!(node, Node::Loop(l) if program.iters[l.iter.index()].parallel.is_some()))
}

#[test]
fn random_parallel_programs_have_all_parts() {
    let mut parts = ParallelParts::default();
    for program in (0..PROGRAMS).map(parallel_program) {
        parts.add(&program, &program.body);
        parts.arrays += program.arrays.len();
    }
    let ParallelParts { arrays, phases, triangles, steps, guards, outer_loops } = parts;
    let programs = PROGRAMS as usize;
    assert!(arrays > programs * 5 / 4 && phases > programs * 5 / 4 && outer_loops > programs / 2, "{parts:?}");
    assert!([triangles, steps, guards].iter().all(|count| *count > programs / 10), "{parts:?}");
}
