//! The program at fixed sizes, in a form that runs fast.
//!
//! Parameters are replaced by their values, iterators by slots of one vector, and the subscripts of an access by the
//! coordinates of its block: `⌊x_r / B⌋` after the outer subscripts (rows), or `⌊(offset + Σ stride·x) / B⌋` (linear).
//! All arithmetic is checked.

use symloc_affine::{
    Access, AccessId, Atom, Constraint, Expr, If, IterId, Layout, Line, Loop, Mark, Node, ParallelLoops, Program,
    Relation, Schedule, Strides,
};

use crate::error::SimError;
use crate::turns::{Team, ThreadTurn, owners};

/// `constant + Σ coefficient · iterator + Σ coefficient · ⌊numerator / divisor⌋`.
#[derive(Clone, Debug, Default)]
struct Affine {
    constant: i64,
    terms: Vec<(usize, i64)>,
    floors: Vec<(Floor, i64)>,
}

/// `⌊numerator / divisor⌋`.
#[derive(Clone, Debug)]
pub(crate) struct Floor {
    numerator: Affine,
    divisor: i64,
}

impl Affine {
    /// Evaluates the expression; `None` if a partial result leaves 64 bits.
    #[inline]
    fn eval(&self, iters: &[i64]) -> Option<i64> {
        let mut value = self.constant;
        for &(slot, coefficient) in &self.terms {
            value = value.checked_add(iters[slot].checked_mul(coefficient)?)?;
        }
        for (floor, coefficient) in &self.floors {
            value = value.checked_add(floor.eval(iters)?.checked_mul(*coefficient)?)?;
        }
        Some(value)
    }

    fn add_scaled(&mut self, other: &Affine, factor: i64) -> Option<()> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for &(slot, coefficient) in &other.terms {
            self.terms.push((slot, coefficient.checked_mul(factor)?));
        }
        for (floor, coefficient) in &other.floors {
            self.floors.push((floor.clone(), coefficient.checked_mul(factor)?));
        }
        Some(())
    }
}

impl Floor {
    /// Evaluates the floor; `None` if a partial result leaves 64 bits.
    #[inline]
    pub(crate) fn eval(&self, iters: &[i64]) -> Option<i64> {
        let value = self.numerator.eval(iters)?;
        Some(if self.divisor == 1 { value } else { value.div_euclid(self.divisor) })
    }
}

/// An access, ready to run.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) id: AccessId,
    /// The array's index.
    pub(crate) array: usize,
    /// The block's coordinates within the array.
    pub(crate) block: Vec<Floor>,
}

/// A step of a run.
pub(crate) enum RunStep<'s> {
    Access(&'s Site),
    /// A number of floating-point operations.
    Operations(u64),
    Mark(&'s Mark),
}

#[derive(Clone, Debug)]
enum CodeNode<'p> {
    Loop(CodeLoop<'p>),
    If { condition: Vec<(Affine, Relation)>, then: Vec<CodeNode<'p>>, otherwise: Vec<CodeNode<'p>> },
    Site(Site),
    Operations(u64),
    Mark(&'p Mark),
}

#[derive(Clone, Debug)]
struct CodeLoop<'p> {
    name: &'p str,
    slot: usize,
    lower: Vec<Affine>,
    upper: Vec<Affine>,
    step: i64,
    parallel: Option<ParallelLoops>,
    body: Vec<CodeNode<'p>>,
}

/// A whole program at fixed sizes.
#[derive(Clone, Debug)]
pub(crate) struct Code<'p> {
    slots: usize,
    body: Vec<CodeNode<'p>>,
}

impl<'p> Code<'p> {
    /// Compiles `program`; `sizes` holds one value per parameter.
    pub(crate) fn new(program: &'p Program, sizes: &[i64], layout: Layout, line: Line) -> Result<Self, SimError> {
        let slots = program.iters.len();
        let mut compiler = Compiler { program, sizes, layout, line, in_scope: vec![false; slots] };
        Ok(Self { slots, body: compiler.nodes(&program.body)? })
    }

    /// Runs the program and calls `visit` at each access and operation with the values of the iterators.
    pub(crate) fn run(
        &self,
        mut visit: impl FnMut(RunStep<'_>, &[i64]) -> Result<(), SimError>,
    ) -> Result<(), SimError> {
        run(&self.body, &mut vec![0; self.slots], &mut Team::alone(), &mut |step, iters, _| visit(step, iters))
    }

    /// Runs the program on threads, at least one: phase by phase, and in a phase thread by thread.
    pub(crate) fn run_on_threads(
        &self,
        threads: u32,
        mut visit: impl FnMut(RunStep<'_>, &[i64], ThreadTurn) -> Result<(), SimError>,
    ) -> Result<(), SimError> {
        run(&self.body, &mut vec![0; self.slots], &mut Team::of(threads), &mut visit)
    }
}

fn run(
    ops: &[CodeNode<'_>],
    iters: &mut Vec<i64>,
    team: &mut Team,
    visit: &mut impl FnMut(RunStep<'_>, &[i64], ThreadTurn) -> Result<(), SimError>,
) -> Result<(), SimError> {
    for op in ops {
        match op {
            CodeNode::Site(site) => visit(RunStep::Access(site), iters, team.turn)?,
            CodeNode::Mark(mark) => visit(RunStep::Mark(mark), iters, team.turn)?,
            CodeNode::Operations(count) => visit(RunStep::Operations(*count), iters, team.turn)?,
            CodeNode::If { condition, then, otherwise } => {
                let holds = holds(condition, iters).ok_or_else(|| overflow("the condition of an `if`"))?;
                run(if holds { then } else { otherwise }, iters, team, visit)?;
            }
            CodeNode::Loop(l) => match l.parallel.zip(team.sharers()) {
                Some((parallel, threads)) => l.share(parallel, threads, iters, team, visit)?,
                None => {
                    for value in l.values(iters)? {
                        iters[l.slot] = value;
                        run(&l.body, iters, team, visit)?;
                    }
                }
            },
        }
    }
    Ok(())
}

impl CodeLoop<'_> {
    /// Returns the values of the iterator.
    fn values(&self, iters: &[i64]) -> Result<impl Iterator<Item = i64> + Clone + use<>, SimError> {
        let range = extreme(&self.lower, iters, i64::max).zip(extreme(&self.upper, iters, i64::min));
        let (lower, upper) = range.ok_or_else(|| overflow(format!("a bound of loop `{}`", self.name)))?;
        let (step, within) = (self.step, move |value: &i64| *value < upper);
        Ok(std::iter::successors(Some(lower).filter(within), move |value| value.checked_add(step).filter(within)))
    }

    /// Runs the loop, or the nest of which it is the outermost one, on threads, one after the other.
    fn share(
        &self,
        parallel: ParallelLoops,
        threads: u32,
        iters: &mut Vec<i64>,
        team: &mut Team,
        visit: &mut impl FnMut(RunStep<'_>, &[i64], ThreadTurn) -> Result<(), SimError>,
    ) -> Result<(), SimError> {
        let nest = self.nest(parallel.loops)?;
        let sequence = sequence(&nest, iters)?;
        let owners = owners(parallel.schedule, sequence.len() as u64, threads);
        let body = nest.last().map_or(&self.body, |innermost| &innermost.body);
        team.fork();
        for thread in 0..threads {
            team.switch(thread);
            for (values, _) in sequence.iter().zip(&owners).filter(|(_, owner)| **owner == thread) {
                nest.iter().zip(values).for_each(|(l, value)| iters[l.slot] = *value);
                run(body, iters, team, visit)?;
                team.next_iteration();
            }
        }
        team.join();
        Ok(())
    }

    /// Returns this loop and those directly in it, `loops` in all, outermost first.
    fn nest(&self, loops: u32) -> Result<Vec<&Self>, SimError> {
        let mut nest = vec![self];
        let mut innermost = self;
        for _ in 1..loops {
            let is_code = |node: &&CodeNode<'_>| !matches!(node, CodeNode::Operations(_) | CodeNode::Mark(_));
            let mut code = innermost.body.iter().filter(is_code);
            let (Some(CodeNode::Loop(inner)), None) = (code.next(), code.next()) else {
                let reason = format!("loop `{}` does not consist of another loop", innermost.name);
                return Err(SimError::Malformed(reason));
            };
            nest.push(inner);
            innermost = inner;
        }
        Ok(nest)
    }
}

/// Returns the iterations of a nest in their order, each as the values of its iterators.
fn sequence(nest: &[&CodeLoop<'_>], iters: &mut Vec<i64>) -> Result<Vec<Vec<i64>>, SimError> {
    let Some((outer, inner)) = nest.split_first() else { return Ok(vec![Vec::new()]) };
    let mut all = Vec::new();
    for value in outer.values(iters)? {
        iters[outer.slot] = value;
        all.extend(sequence(inner, iters)?.into_iter().map(|rest| [vec![value], rest].concat()));
    }
    Ok(all)
}

/// Returns the largest or smallest of the bounds, which are never empty.
fn extreme(bounds: &[Affine], iters: &[i64], pick: fn(i64, i64) -> i64) -> Option<i64> {
    let (first, others) = bounds.split_first()?;
    others.iter().try_fold(first.eval(iters)?, |value, bound| Some(pick(value, bound.eval(iters)?)))
}

fn holds(condition: &[(Affine, Relation)], iters: &[i64]) -> Option<bool> {
    for (expr, relation) in condition {
        let value = expr.eval(iters)?;
        let holds = match relation {
            Relation::Zero => value == 0,
            Relation::NonNegative => value >= 0,
        };
        if !holds {
            return Some(false);
        }
    }
    Some(true)
}

pub(crate) fn overflow(place: impl Into<String>) -> SimError {
    SimError::Overflow { place: place.into() }
}

struct Compiler<'p, 's> {
    program: &'p Program,
    sizes: &'s [i64],
    layout: Layout,
    line: Line,
    /// By iterator: true if the current node stands inside its loop.
    in_scope: Vec<bool>,
}

impl<'p> Compiler<'p, '_> {
    fn nodes(&mut self, nodes: &'p [Node]) -> Result<Vec<CodeNode<'p>>, SimError> {
        nodes.iter().map(|node| self.node(node)).collect()
    }

    fn node(&mut self, node: &'p Node) -> Result<CodeNode<'p>, SimError> {
        match node {
            Node::Loop(l) => self.for_loop(l),
            Node::If(guard) => self.guard(guard),
            Node::Mark(mark) => Ok(CodeNode::Mark(mark)),
            Node::Operations(count) => Ok(CodeNode::Operations(count.unwrap_or(0))),
            Node::Access(id) => {
                let access = self.program.accesses.get(id.index());
                let access = access.ok_or_else(|| SimError::Malformed(format!("there is no access {}", id.0)))?;
                self.access(*id, access).map(CodeNode::Site)
            }
        }
    }

    fn for_loop(&mut self, l: &'p Loop) -> Result<CodeNode<'p>, SimError> {
        let slot = l.iter.index();
        let iter = self.program.iters.get(slot);
        let iter = iter.ok_or_else(|| SimError::Malformed(format!("there is no iterator {slot}")))?;
        let (name, parallel) = (iter.name.as_str(), iter.parallel);
        let step = l.step.at(self.sizes).filter(|_| !l.lower.is_empty() && !l.upper.is_empty());
        let step = step.ok_or_else(|| {
            SimError::Malformed(format!("loop `{name}` needs lower and upper bounds and a step of at least 1"))
        })?;
        if parallel.is_some_and(|parallel| parallel.schedule == Schedule::Chunks(0)) {
            return Err(SimError::Malformed(format!("loop `{name}` is shared in chunks of no iterations")));
        }
        if self.in_scope[slot] {
            return Err(SimError::Malformed(format!("loop `{name}` contains a loop over the same iterator")));
        }
        let bounds = |bounds: &[Expr]| bounds.iter().map(|b| self.affine(b)).collect::<Result<_, _>>();
        let (lower, upper) = (bounds(&l.lower)?, bounds(&l.upper)?);
        self.in_scope[slot] = true;
        let body = self.nodes(&l.body)?;
        self.in_scope[slot] = false;
        Ok(CodeNode::Loop(CodeLoop { name, slot, lower, upper, step, parallel, body }))
    }

    fn guard(&mut self, guard: &'p If) -> Result<CodeNode<'p>, SimError> {
        let constraint = |c: &Constraint| Ok((self.affine(&c.expr)?, c.relation));
        let condition = guard.condition.iter().map(constraint).collect::<Result<_, SimError>>()?;
        Ok(CodeNode::If { condition, then: self.nodes(&guard.then)?, otherwise: self.nodes(&guard.otherwise)? })
    }

    fn access(&self, id: AccessId, access: &Access) -> Result<Site, SimError> {
        let index = access.array.index();
        let array = self.program.arrays.get(index);
        let array = array.ok_or_else(|| SimError::Malformed(format!("there is no array {index}")))?;
        let rank = array.strides.as_ref().map_or(array.shape.len(), |s| s.strides.len());
        if !access.cases.is_empty() {
            return Err(SimError::Malformed(format!("the subscripts of `{}` depend on cases", array.name)));
        }
        if access.subscripts.len() != array.shape.len() || rank != array.shape.len() {
            let reason = format!("subscripts, extents and strides of `{}` differ in number", array.name);
            return Err(SimError::Malformed(reason));
        }
        let divisor = self.line.elements_at(self.program, access)?;
        let mut outer = access.subscripts.iter().map(|s| self.affine(s)).collect::<Result<Vec<_>, _>>()?;
        let coordinates = self.layout.coordinates_at(self.program, array, self.line, self.sizes)?;
        if coordinates.are_of_scalar() {
            return Ok(Site { id, array: index, block: Vec::new() });
        }
        let within = outer.split_off(coordinates.outer);
        let Strides { offset, strides } = coordinates.strides;
        let mut numerator = Affine { constant: offset, ..Affine::default() };
        for (subscript, stride) in within.iter().zip(strides) {
            let sum = numerator.add_scaled(subscript, stride);
            sum.ok_or_else(|| overflow(format!("an address in `{}`", array.name)))?;
        }
        let outer = outer.into_iter().map(|numerator| Floor { numerator, divisor: 1 });
        let block = outer.chain([Floor { numerator, divisor }]).collect();
        Ok(Site { id, array: index, block })
    }

    fn affine(&self, expr: &Expr) -> Result<Affine, SimError> {
        let mut affine = Affine { constant: expr.constant_term(), ..Affine::default() };
        for (atom, coefficient) in expr.terms() {
            match atom {
                Atom::Param(p) => {
                    let size = self.sizes.get(p.index());
                    let size = size.ok_or_else(|| SimError::Malformed(format!("there is no parameter {}", p.0)))?;
                    let sum = size.checked_mul(coefficient).and_then(|term| affine.constant.checked_add(term));
                    affine.constant = sum.ok_or_else(|| overflow(format!("`{}`", self.program.show(expr))))?;
                }
                Atom::Iter(i) => affine.terms.push((self.slot(*i)?, coefficient)),
                Atom::Floor(numerator, divisor) => {
                    if *divisor < 1 {
                        return Err(SimError::Malformed(format!("a floor divides by {divisor}")));
                    }
                    let floor = Floor { numerator: self.affine(numerator)?, divisor: *divisor };
                    affine.floors.push((floor, coefficient));
                }
            }
        }
        Ok(affine)
    }

    fn slot(&self, iter: IterId) -> Result<usize, SimError> {
        match self.in_scope.get(iter.index()) {
            Some(true) => Ok(iter.index()),
            _ => Err(SimError::Malformed(format!("iterator {} is used outside its loop", iter.0))),
        }
    }
}
