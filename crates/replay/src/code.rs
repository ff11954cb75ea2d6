//! The program at fixed sizes: parameters replaced by their values, iterators by slots of one vector.
//!
//! An innermost loop that only accesses elements with subscripts affine in its iterator is a *row*. It can be run as a
//! whole, given its start, the distance of each access from one iteration to the next, and the number of iterations.

use symloc_affine::{AccessKind, Constraint, Expr, If, Loop, Node, Program, Relation};
use symloc_cache::Request;

use crate::affine::Affine;
use crate::error::{ReplayError, overflow};

/// A whole program at fixed sizes.
#[derive(Clone, Debug)]
pub struct Code<'p> {
    pub(crate) program: &'p Program,
    pub(crate) sizes: Vec<i64>,
    pub(crate) body: Vec<Op<Site>>,
    /// By slot: true if only subscripts depend on the iterator, so that all iterations make the same sequence of
    /// accesses.
    pub(crate) rectangular: Vec<bool>,
}

/// A node of the tree. Its accesses are given by their subscripts ([`Site`]), or by their addresses.
#[derive(Clone, Debug)]
pub(crate) enum Op<S> {
    Loop(For, Vec<Op<S>>),
    Row(For, Vec<S>),
    If(Vec<(Affine, Relation)>, [Vec<Op<S>>; 2]),
    Access(S),
}

/// The head of a loop.
#[derive(Clone, Debug)]
pub(crate) struct For {
    pub(crate) slot: usize,
    lower: Vec<Affine>,
    upper: Vec<Affine>,
    pub(crate) step: i64,
}

/// An access given by its subscripts.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// The index of the access in the program's table.
    pub(crate) access: usize,
    pub(crate) array: usize,
    pub(crate) request: Request,
    pub(crate) subscripts: Vec<Affine>,
}

/// Receives the accesses of a run, in their order.
pub(crate) trait Visitor<S> {
    /// The error that ends the run.
    type Error: From<ReplayError>;
    /// Visits all accesses of a row, once for each of at least one iteration; the iterator has its first value.
    fn row(&mut self, sites: &[S], iterations: u64, iters: &[i64]) -> Result<(), Self::Error>;
    /// Visits a single access.
    fn access(&mut self, site: &S, iters: &[i64]) -> Result<(), Self::Error>;
    /// Returns the number of the next iterations to leave out. Called before an iteration of a loop, with `done`
    /// iterations over and `left` to come.
    fn leaves_out(&mut self, _slot: usize, _done: u64, _left: u64) -> u64 {
        0
    }
}

impl<'p> Code<'p> {
    /// Compiles the program with one value for each of its parameters.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] if there are not as many sizes as parameters, or the program does not allow them.
    pub fn new(program: &'p Program, sizes: &[i64]) -> Result<Self, ReplayError> {
        check(program, sizes)?;
        let body = TreeCompiler { program, sizes }.nodes(&program.body)?;
        let rectangular = (0..program.iters.len()).map(|slot| !body.iter().any(|op| op.mentions(slot))).collect();
        Ok(Self { program, sizes: sizes.to_vec(), body, rectangular })
    }

    /// Returns the program.
    pub fn program(&self) -> &'p Program {
        self.program
    }
}

/// Runs a tree.
pub(crate) fn run<S, V: Visitor<S>>(program: &Program, body: &[Op<S>], visitor: &mut V) -> Result<(), V::Error> {
    run_at(body, &mut vec![0; program.iters.len()], visitor)
}

/// Runs the part of a tree that is in loops whose iterators have values.
pub(crate) fn run_at<S, V: Visitor<S>>(body: &[Op<S>], iters: &mut [i64], visitor: &mut V) -> Result<(), V::Error> {
    for op in body {
        match op {
            Op::Access(site) => visitor.access(site, iters)?,
            Op::Row(head, sites) => {
                let (first, count) = head.iterations(iters)?;
                if count > 0 {
                    iters[head.slot] = first;
                    visitor.row(sites, count, iters)?;
                }
            }
            Op::Loop(head, body) => {
                let (first, count) = head.iterations(iters)?;
                let mut done = 0;
                while done < count {
                    done += visitor.leaves_out(head.slot, done, count - done);
                    if done < count {
                        iters[head.slot] = first + head.step * done as i64;
                        run_at(body, iters, visitor)?;
                        done += 1;
                    }
                }
            }
            Op::If(condition, [then, otherwise]) => {
                run_at(if holds(condition, iters)? { then } else { otherwise }, iters, visitor)?;
            }
        }
    }
    Ok(())
}

pub(crate) fn holds(condition: &[(Affine, Relation)], iters: &[i64]) -> Result<bool, ReplayError> {
    for (expr, relation) in condition {
        let value = expr.at(iters).ok_or_else(|| overflow("the condition of an `if`"))?;
        if !relation_holds(*relation, value) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn relation_holds(relation: Relation, value: i64) -> bool {
    match relation {
        Relation::Zero => value == 0,
        Relation::NonNegative => value >= 0,
    }
}

impl For {
    /// Returns the first value of the iterator, and the number of values.
    pub(crate) fn iterations(&self, iters: &[i64]) -> Result<(i64, u64), ReplayError> {
        let extreme = |bounds: &[Affine], pick: fn(i64, i64) -> i64| {
            let mut values = bounds.iter().map(|bound| bound.at(iters));
            let first = values.next()??;
            values.try_fold(first, |value, bound| Some(pick(value, bound?)))
        };
        let range = extreme(&self.lower, i64::max).zip(extreme(&self.upper, i64::min));
        let (lower, upper) = range.ok_or_else(|| overflow("a bound of a loop"))?;
        let count = if lower < upper { (upper.abs_diff(lower) - 1) / self.step.unsigned_abs() + 1 } else { 0 };
        Ok((lower, count))
    }

    /// Returns an upper bound of an expression in the loop, in the iterators outside; `None` if a floor depends on the
    /// iterator.
    pub(crate) fn at_most(&self, expr: &Affine) -> Option<Affine> {
        let slope = expr.slope(self.slot)?;
        let mut bound = expr.without(self.slot);
        match slope.signum() {
            1 => {
                bound.add(self.upper.first()?, slope)?;
                bound.add(&Affine::constant(1), slope.checked_neg()?)?;
            }
            -1 => bound.add(self.lower.first()?, slope)?,
            _ => {}
        }
        Some(bound)
    }

    /// Returns the distance from the first lower bound to the first upper bound. `None` if a coefficient leaves 64
    /// bits.
    pub(crate) fn span(&self) -> Option<Affine> {
        let mut span = self.upper.first()?.clone();
        span.add(self.lower.first()?, -1)?;
        Some(span)
    }

    /// Returns true if the bounds depend on an iterator.
    pub(crate) fn mentions(&self, slot: usize) -> bool {
        self.lower.iter().chain(&self.upper).any(|bound| bound.mentions(slot))
    }
}

impl<S> Op<S> {
    /// Returns true if bounds of loops or conditions depend on an iterator.
    fn mentions(&self, slot: usize) -> bool {
        match self {
            Op::Access(_) => false,
            Op::Row(head, _) => head.mentions(slot),
            Op::Loop(head, body) => head.mentions(slot) || body.iter().any(|op| op.mentions(slot)),
            Op::If(condition, branches) => {
                condition.iter().any(|(expr, _)| expr.mentions(slot))
                    || branches.iter().flatten().any(|op| op.mentions(slot))
            }
        }
    }

    /// Maps the accesses of the tree; `map` is also given the loop of an access in a row.
    fn try_map<T, E>(&self, map: &mut impl FnMut(&S, Option<&For>) -> Result<T, E>) -> Result<Op<T>, E> {
        Ok(match self {
            Op::Access(site) => Op::Access(map(site, None)?),
            Op::Row(head, sites) => {
                let sites = sites.iter().map(|site| map(site, Some(head)));
                Op::Row(head.clone(), sites.collect::<Result<_, _>>()?)
            }
            Op::Loop(head, body) => Op::Loop(head.clone(), try_map(body, map)?),
            Op::If(condition, [then, otherwise]) => {
                Op::If(condition.clone(), [try_map(then, map)?, try_map(otherwise, map)?])
            }
        })
    }
}

/// Maps the accesses of trees; `map` is also given the loop of an access in a row.
pub(crate) fn try_map<S, T, E>(
    body: &[Op<S>],
    map: &mut impl FnMut(&S, Option<&For>) -> Result<T, E>,
) -> Result<Vec<Op<T>>, E> {
    body.iter().map(|op| op.try_map(map)).collect()
}

fn check(program: &Program, sizes: &[i64]) -> Result<(), ReplayError> {
    if sizes.len() != program.params.len() {
        let params = program.params.iter().map(|p| p.name.clone()).collect();
        return Err(ReplayError::SizeCount { params, given: sizes.len() });
    }
    for condition in &program.context {
        let size = |p: symloc_affine::ParamId| i128::from(sizes[p.index()]);
        match condition.holds(&size, &|_| 0) {
            Some(true) => {}
            Some(false) => {
                let named = program.params.iter().zip(sizes).map(|(p, size)| format!("{} = {size}", p.name));
                let sizes = named.collect::<Vec<_>>().join(", ");
                return Err(ReplayError::Context { sizes, condition: program.show_constraint(condition) });
            }
            None => return Err(overflow(format!("the condition `{}`", program.show_constraint(condition)))),
        }
    }
    Ok(())
}

struct TreeCompiler<'p, 's> {
    program: &'p Program,
    sizes: &'s [i64],
}

impl TreeCompiler<'_, '_> {
    fn nodes(&self, nodes: &[Node]) -> Result<Vec<Op<Site>>, ReplayError> {
        nodes.iter().filter_map(|node| self.node(node).transpose()).collect()
    }

    /// Compiles a node; `None` if it touches no memory.
    fn node(&self, node: &Node) -> Result<Option<Op<Site>>, ReplayError> {
        Ok(match node {
            Node::Loop(l) => Some(self.for_loop(l)?),
            Node::If(guard) => Some(self.guard(guard)?),
            Node::Access(id) => {
                let access = self.program.access(*id);
                Some(Op::Access(Site {
                    access: id.index(),
                    array: access.array.index(),
                    request: match access.kind {
                        AccessKind::Read => Request::Read,
                        AccessKind::Write => Request::Write,
                    },
                    subscripts: self.all(&access.subscripts)?,
                }))
            }
            Node::Operations(_) | Node::Mark(_) => None,
        })
    }

    fn for_loop(&self, l: &Loop) -> Result<Op<Site>, ReplayError> {
        let slot = l.iter.index();
        let iter = |iter: symloc_affine::IterId| self.program.iters[iter.index()].name.clone();
        let overflow = || ReplayError::Overflow { place: format!("the step of the loop over {}", iter(l.iter)) };
        let step = l.step.at(self.sizes).ok_or_else(overflow)?;
        let head = For { slot, lower: self.all(&l.lower)?, upper: self.all(&l.upper)?, step };
        let body = self.nodes(&l.body)?;
        let straight = |op: &Op<Site>| match op {
            Op::Access(site) => site.subscripts.iter().all(|subscript| subscript.slope(slot).is_some()),
            Op::Loop(..) | Op::Row(..) | Op::If(..) => false,
        };
        if !body.iter().all(straight) {
            return Ok(Op::Loop(head, body));
        }
        let site = |op| match op {
            Op::Access(site) => Some(site),
            Op::Loop(..) | Op::Row(..) | Op::If(..) => None,
        };
        Ok(Op::Row(head, body.into_iter().filter_map(site).collect()))
    }

    fn guard(&self, guard: &If) -> Result<Op<Site>, ReplayError> {
        let constraint = |c: &Constraint| Ok((self.affine(&c.expr)?, c.relation));
        let condition = guard.condition.iter().map(constraint).collect::<Result<_, ReplayError>>()?;
        Ok(Op::If(condition, [self.nodes(&guard.then)?, self.nodes(&guard.otherwise)?]))
    }

    fn all(&self, exprs: &[Expr]) -> Result<Vec<Affine>, ReplayError> {
        exprs.iter().map(|expr| self.affine(expr)).collect()
    }

    fn affine(&self, expr: &Expr) -> Result<Affine, ReplayError> {
        Affine::new(self.program, expr, self.sizes)
    }
}
