//! Random affine programs for tests.
//!
//! [`program`] is a pure function of a seed and a [`ProgramShape`], so a failing test needs to print only the seed. The
//! programs are small at small sizes: on every path at most [`ProgramShape::symbolic`] loops have a trip count that
//! depends on a parameter, the others run at most four times.

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{
    ArrayId, Constraint, Expr, If, Iter, IterId, Loop, Node, Overflow, Param, ParamId, Program, Schedule, Strides,
};

/// The features that a random program may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramShape {
    /// The deepest nesting of loops.
    pub depth: usize,
    /// The largest number of loops, one inside the other, whose trip counts depend on parameters.
    pub symbolic: usize,
    /// The largest number of accesses; there is always at least one.
    pub accesses: usize,
    /// The largest number of arrays, at least 1.
    pub arrays: usize,
    /// The largest number of parameters, at least 1.
    pub params: usize,
    /// Bodies of several nodes: loops after loops, accesses between loops. Without it there may still be several nests.
    pub imperfect: bool,
    /// Bounds that mention outer iterators.
    pub triangular: bool,
    /// Steps of 2 or 3.
    pub steps: bool,
    /// Guards, with and without `else`.
    pub guards: bool,
    /// Two lower or two upper bounds.
    pub min_max: bool,
    /// `mod` and `floordiv` in bounds, guards and subscripts.
    pub floors: bool,
    /// Negative lower bounds and subscripts.
    pub negative: bool,
}

impl Default for ProgramShape {
    /// Enables all features: depth up to 5, up to 8 accesses.
    fn default() -> Self {
        Self {
            depth: 5,
            symbolic: 2,
            accesses: 8,
            arrays: 3,
            params: 2,
            imperfect: true,
            triangular: true,
            steps: true,
            guards: true,
            min_max: true,
            floors: true,
            negative: true,
        }
    }
}

impl ProgramShape {
    /// Returns the shape of rectangular nests without steps, guards or floors.
    pub fn simple() -> Self {
        Self {
            depth: 3,
            symbolic: 3,
            accesses: 4,
            imperfect: false,
            triangular: false,
            steps: false,
            guards: false,
            min_max: false,
            floors: false,
            negative: false,
            ..Self::default()
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Creates a generator whose numbers depend only on the seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number in `low..=high`, a small range.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        low + (self.bits() % (high - low + 1).unsigned_abs()) as i64
    }

    /// Returns true once in `n` times.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.bits().is_multiple_of(n)
    }

    /// Returns an element of a list that is not empty.
    pub fn pick<'t, T>(&mut self, list: &'t [T]) -> &'t T {
        &list[(self.bits() % list.len() as u64) as usize]
    }
}

/// Returns random sizes in `1..=max`, one per parameter.
pub fn sizes(rng: &mut Rng, program: &Program, max: i64) -> Vec<i64> {
    program.params.iter().map(|_| rng.range(1, max)).collect()
}

/// Returns the random program of a seed. Its arrays have constant strides, so that it has a trace under both layouts; its context
/// is that every parameter is at least 1.
pub fn program(seed: u64, shape: ProgramShape) -> Program {
    let mut rng = Rng::new(seed);
    let mut b = ProgramBuilder::new(&format!("random_{seed}"));
    let params = (0..rng.range(1, shape.params.max(1) as i64)).map(|k| b.param(&format!("n{k}"))).collect();
    let arrays = (0..rng.range(1, shape.arrays.max(1) as i64)).map(|k| array(&mut rng, &mut b, k)).collect();
    let budget = rng.range(1, shape.accesses.max(1) as i64) as usize;
    let mut generator = Generator { rng, shape, params, arrays, scope: Vec::new(), symbolic: 0, iters: 0, budget };
    // Every body reaches accesses eventually.
    while generator.budget > 0 {
        generator.body(&mut b);
    }
    b.build()
}

/// Makes about half of the loops of a program parallel, in blocks or in small chunks, and shares some of those in them together
/// with them. They may have races, and be nested.
pub fn with_parallel_loops(mut program: Program, seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    for iter in &mut program.iters {
        let schedule = if rng.one_in(2) { Schedule::Blocks } else { Schedule::Chunks(rng.range(1, 4).unsigned_abs()) };
        iter.parallel = Some(schedule.into()).filter(|_| rng.one_in(2));
    }
    collapse(&program.body, &mut program.iters, &mut rng);
    program
}

/// Collapses parallel loops with two or three loops in them, where these form a rectangular nest.
fn collapse(nodes: &[Node], iters: &mut [Iter], rng: &mut Rng) {
    for node in nodes {
        match node {
            Node::Loop(l) => {
                let most = (2..=3).rev().find(|loops| l.collapsed(*loops).is_ok());
                if let Some((parallel, most)) = iters[l.iter.index()].parallel.as_mut().zip(most) {
                    let loops = if rng.one_in(4) { 1 } else { rng.range(2, i64::from(most)) };
                    parallel.loops = loops.unsigned_abs() as u32;
                }
                collapse(&l.body, iters, rng);
            }
            Node::If(If { then, otherwise, .. }) => {
                collapse(then, iters, rng);
                collapse(otherwise, iters, rng);
            }
            Node::Access(_) | Node::Operations(_) | Node::Mark(_) => {}
        }
    }
}

/// Puts nodes of a program under conditions on flags: `count` more parameters, which occur nowhere else and are not in the
/// context. Each condition is that a flag is 1, or that it is at least 1.
///
/// # Errors
///
/// Never [`Overflow`], since the numbers are small.
pub fn with_flags(mut program: Program, seed: u64, count: usize) -> Result<Program, Overflow> {
    let mut rng = Rng::new(seed);
    let mut flags = Vec::new();
    for flag in 0..count {
        let value = Expr::param(ParamId(program.params.len() as u32)).plus_constant(-1)?;
        program.params.push(Param::named(format!("flag{flag}")));
        flags.push(if rng.one_in(2) { Constraint::zero(value) } else { Constraint::non_negative(value) });
    }
    program.body = under_flags(&mut rng, program.body, &flags);
    Ok(program)
}

fn under_flags(rng: &mut Rng, nodes: Vec<Node>, flags: &[Constraint]) -> Vec<Node> {
    let mut node = |node: Node| {
        let node = match node {
            Node::Loop(l) => Node::Loop(Loop { body: under_flags(rng, l.body, flags), ..l }),
            node => node,
        };
        let condition: Vec<_> = (0..rng.range(0, 2)).map(|_| rng.pick(flags).clone()).collect();
        match (condition.is_empty(), rng.one_in(3)) {
            (true, _) => node,
            (false, true) => Node::If(If { condition, then: Vec::new(), otherwise: vec![node] }),
            (false, false) => Node::If(If { condition, then: vec![node], otherwise: Vec::new() }),
        }
    };
    nodes.into_iter().map(&mut node).collect()
}

/// Adds an array; also returns its rank.
fn array(rng: &mut Rng, b: &mut ProgramBuilder, number: i64) -> (ArrayId, usize) {
    let name = format!("A{number}");
    let element_bytes = *rng.pick(&[4, 8, 8, 16]);
    let extents: Vec<_> = (0..*rng.pick(&[0, 1, 1, 2, 2, 2, 3])).map(|_| rng.range(4, 40)).collect();
    if rng.one_in(2) {
        return (b.fixed_array(&name, element_bytes, &extents), extents.len());
    }
    let strides = Strides { offset: rng.range(0, 9), strides: extents.clone() };
    (b.strided_array(&name, element_bytes, strides), extents.len())
}

struct Generator {
    rng: Rng,
    shape: ProgramShape,
    params: Vec<ParamId>,
    arrays: Vec<(ArrayId, usize)>,
    /// The iterators of the loops around the current node.
    scope: Vec<IterId>,
    /// The number of them whose trip count depends on a parameter.
    symbolic: usize,
    /// The number of iterators.
    iters: usize,
    /// The number of accesses that may follow.
    budget: usize,
}

impl Generator {
    /// Adds one or more nodes.
    fn body(&mut self, b: &mut ProgramBuilder) {
        let nodes = if self.shape.imperfect { self.rng.range(1, 3) } else { 1 };
        for _ in 0..nodes {
            // The deeper, the more accesses: 10 % at the top, at most 70 %.
            let leaf = self.rng.range(1, 10) <= 1 + 2 * self.scope.len().min(3) as i64;
            if self.scope.len() >= self.shape.depth || leaf {
                self.accesses(b);
            } else if self.shape.guards && !self.scope.is_empty() && self.rng.one_in(4) {
                self.guard(b);
            } else {
                self.for_loop(b);
            }
        }
    }

    fn accesses(&mut self, b: &mut ProgramBuilder) {
        for _ in 0..self.rng.range(1, 3).min(self.budget as i64) {
            self.budget -= 1;
            let (array, rank) = *self.rng.pick(&self.arrays);
            let subscripts: Vec<_> = (0..rank).map(|_| self.subscript()).collect();
            if self.rng.one_in(3) {
                b.write(array, subscripts);
            } else {
                b.read(array, subscripts);
            }
        }
        // Without a further random number, so that the programs of all seeds keep their accesses.
        b.operations(1 + self.budget as u64);
    }

    fn for_loop(&mut self, b: &mut ProgramBuilder) {
        if self.budget == 0 {
            return;
        }
        let name = format!("i{}", self.iters);
        self.iters += 1;
        let symbolic = self.symbolic < self.shape.symbolic && !self.rng.one_in(6);
        let (lower, upper) = if symbolic { self.long_range() } else { self.short_range() };
        let step = if self.shape.steps && self.rng.one_in(4) { self.rng.range(2, 3) } else { 1 };
        self.symbolic += usize::from(symbolic);
        b.for_step(&name, lower, upper, step, |b, iter| {
            self.scope.push(iter);
            self.body(b);
            self.scope.pop();
        });
        self.symbolic -= usize::from(symbolic);
    }

    fn guard(&mut self, b: &mut ProgramBuilder) {
        if self.budget == 0 {
            return;
        }
        let condition = (0..self.rng.range(1, 2)).map(|_| self.constraint()).collect();
        let then = b.nodes(|b| self.branch(b));
        let otherwise = if self.rng.one_in(2) { b.nodes(|b| self.branch(b)) } else { Vec::new() };
        b.push(Node::If(If { condition, then, otherwise }));
    }

    fn branch(&mut self, b: &mut ProgramBuilder) {
        if self.rng.one_in(2) { self.body(b) } else { self.accesses(b) }
    }

    /// Returns bounds whose distance depends on a parameter or on an outer iterator.
    fn long_range(&mut self) -> (Vec<Expr>, Vec<Expr>) {
        let mut lower = vec![self.low_constant()];
        let mut upper = vec![self.size()];
        if self.shape.triangular && !self.scope.is_empty() {
            match self.rng.range(0, 3) {
                0 => lower = vec![self.near_iter()],
                1 => upper = vec![self.near_iter()],
                _ => (),
            }
        }
        self.second_bound(&mut lower, -5);
        self.second_bound(&mut upper, 0);
        (lower, upper)
    }

    /// Returns bounds of at most four iterations.
    fn short_range(&mut self) -> (Vec<Expr>, Vec<Expr>) {
        let triangular = self.shape.triangular && !self.scope.is_empty() && self.rng.one_in(3);
        let lower = if triangular { self.near_iter() } else { self.low_constant() };
        let mut upper = vec![sum(self.rng.range(1, 4), &[(1, &lower)])];
        self.second_bound(&mut upper, 0);
        (vec![lower], upper)
    }

    /// Sometimes adds an outer iterator or a size with an offset of about `near`.
    fn second_bound(&mut self, bounds: &mut Vec<Expr>, near: i64) {
        if self.shape.min_max && self.rng.one_in(4) {
            let size = self.size();
            let iter = self.shape.triangular && !self.scope.is_empty() && self.rng.one_in(2);
            bounds.push(if iter { self.near_iter() } else { sum(self.rng.range(near - 1, near + 1), &[(1, &size)]) });
        }
    }

    /// Returns `0`, or another small constant.
    fn low_constant(&mut self) -> Expr {
        let low = if self.shape.negative { -3 } else { 0 };
        Expr::constant(if self.rng.one_in(2) { 0 } else { self.rng.range(low, 2) })
    }

    /// Returns a parameter plus a small constant, or half of it.
    fn size(&mut self) -> Expr {
        let param = Expr::param(*self.rng.pick(&self.params));
        let size = sum(self.rng.range(-1, 2), &[(1, &param)]);
        if self.shape.floors && self.rng.one_in(5) { small(size.floor_div(2)) } else { size }
    }

    /// Returns an iterator in scope plus a small constant.
    fn near_iter(&mut self) -> Expr {
        let iter = self.iter();
        sum(self.rng.range(-1, 2), &[(1, &iter)])
    }

    /// Returns an iterator in scope; a constant if there is none.
    fn iter(&mut self) -> Expr {
        if self.scope.is_empty() { Expr::constant(1) } else { Expr::iter(*self.rng.pick(&self.scope)) }
    }

    fn constraint(&mut self) -> Constraint {
        let (a, b) = (self.iter(), self.iter());
        let constant = self.rng.range(-2, 3);
        match self.rng.range(0, 4) {
            0 | 1 if self.shape.floors => {
                let modulus = self.rng.range(2, 4);
                Constraint::zero(sum(-self.rng.range(0, modulus - 1), &[(1, &small(a.modulo(modulus)))]))
            }
            2 => Constraint::zero(sum(-constant, &[(1, &a)])),
            3 => Constraint::non_negative(sum(constant, &[(1, &a), (-1, &b)])),
            _ => Constraint::non_negative(sum(constant - 2, &[(1, &self.size()), (-1, &a)])),
        }
    }

    fn subscript(&mut self) -> Expr {
        let (a, b) = (self.iter(), self.iter());
        let offset = self.rng.range(if self.shape.negative { -2 } else { 0 }, 2);
        match self.rng.range(0, 11) {
            0 if self.shape.floors => small(a.modulo(self.rng.range(2, 9))),
            1 if self.shape.floors => small(sum(offset, &[(1, &a)]).floor_div(self.rng.range(2, 4))),
            2 => sum(offset, &[(1, &a), (1, &b)]),
            3 => sum(0, &[(2, &a), (1, &b)]),
            4 if self.shape.negative => sum(offset, &[(1, &a), (-1, &b)]),
            5 if self.shape.negative => sum(offset, &[(1, &self.size()), (-1, &a)]),
            6 => Expr::constant(offset),
            7 | 8 => sum(offset, &[(1, &a)]),
            _ => a,
        }
    }
}

/// Returns `constant + Σ coefficient · expression`.
fn sum(constant: i64, terms: &[(i64, &Expr)]) -> Expr {
    let add = |sum: Expr, &(coefficient, expr): &(i64, &Expr)| small(sum.add_scaled(expr, coefficient));
    terms.iter().fold(Expr::constant(constant), add)
}

#[expect(clippy::expect_used, reason = "a few additions of coefficients below 100")]
fn small<T>(result: Result<T, Overflow>) -> T {
    result.expect("random coefficients are small")
}
