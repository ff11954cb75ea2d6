//! Writes a program in digits.

use std::collections::BTreeMap;

use crate::expr::{Atom, Constraint, Expr, Overflow, Relation};
use crate::ids::{AccessId, ArrayId, IterId, ParamId};
use crate::program::{Access, Array, Extent, If, Iter, Location, Loop, LoopStep, Node, Program, SubscriptCase};
use crate::radix::RadixProgram;
use crate::radix::bounds::TileBounds;
use crate::radix::cases::{NotNegative, not_negative, subscripts};
use crate::radix::digits::{Carries, RadixDigits};
use crate::radix::error::RadixError;
use crate::radix::radices::Radices;
use crate::radix::sizes::SizeParams;

const START: &str = "start the loop over tiles at 0, or at a multiple of the tile size";
const STEP: &str = "write the tile size as a number, or leave the constant step out";
const FLOOR: &str = "leave out divisions and remainders of what is tiled, or write the tile size as a number";
const ELSE: &str = "write the two sides as two conditions, or write the tile size as a number";

/// Returns a program in digits.
pub(super) fn rewritten(program: &Program, radices: &Radices) -> Result<RadixProgram, RadixError> {
    let sizes = SizeParams::of(program, radices)?;
    let mut rewriter = Rewriter {
        program: sizes.program(program)?,
        source: program,
        radices,
        sizes: &sizes,
        digits: BTreeMap::new(),
        facts: Vec::new(),
        least: BTreeMap::new(),
    };
    let body = rewriter.body(&program.body)?;
    let arrays = program.arrays.iter().enumerate();
    let arrays = arrays.map(|(index, array)| in_digits(array, &|d| radices.of_dimension(ArrayId(index as u32), d)));
    let arrays = arrays.collect();
    let Rewriter { program, least, .. } = rewriter;
    let at_least =
        |(tile, least): (ParamId, i64)| Ok(Constraint::non_negative(Expr::param(tile).plus_constant(-least)?));
    let conditions: Vec<Constraint> = least.into_iter().map(at_least).collect::<Result<_, Overflow>>()?;
    let mut program = Program { body, arrays, ..program };
    program.assume(conditions.clone());
    Ok(RadixProgram { program, sizes: sizes.sizes, conditions })
}

/// Returns an array with two dimensions in place of each that is in a radix.
fn in_digits(array: &Array, radix: &impl Fn(usize) -> Option<ParamId>) -> Array {
    let dimensions = || array.shape.iter().enumerate();
    if dimensions().all(|(dimension, _)| radix(dimension).is_none()) {
        return array.clone();
    }
    let digits = |(dimension, extent): (usize, &Extent)| match radix(dimension) {
        Some(tile) => vec![Extent::Dynamic, Extent::Size(vec![Expr::param(tile)])],
        None => vec![extent.clone()],
    };
    Array { shape: dimensions().flat_map(digits).collect(), strides: None, ..array.clone() }
}

/// Rewrites nodes from the outside inwards.
struct Rewriter<'a> {
    /// The parameters, iterators and accesses of the program in digits.
    program: Program,
    source: &'a Program,
    radices: &'a Radices,
    sizes: &'a SizeParams,
    /// The digits of iterators.
    digits: BTreeMap<IterId, RadixDigits>,
    /// Expressions that are not negative, by the loops and conditions around.
    facts: Vec<Expr>,
    /// By tile size, the least value of it.
    least: BTreeMap<ParamId, i64>,
}

impl Rewriter<'_> {
    fn body(&mut self, nodes: &[Node]) -> Result<Vec<Node>, RadixError> {
        let mut body = Vec::new();
        for node in nodes {
            body.extend(self.node(node)?);
        }
        Ok(body)
    }

    fn node(&mut self, node: &Node) -> Result<Vec<Node>, RadixError> {
        match node {
            Node::Access(id) => self.access(*id),
            Node::Operations(_) | Node::Mark(_) => Ok(vec![node.clone()]),
            Node::If(guard) => self.guard(guard),
            Node::Loop(l) => {
                let known = self.facts.len();
                let nodes = match (self.radices.of_iter(l.iter), l.step) {
                    (None, _) => Ok(vec![Node::Loop(Loop { body: self.body(&l.body)?, ..l.clone() })]),
                    (Some(tile), LoopStep::Tiles { times, .. }) => self.tiles(l, tile, times),
                    (Some(tile), LoopStep::Known(1)) => self.places(l, tile),
                    (Some(_), LoopStep::Known(step)) => {
                        let why =
                            format!("`{}` goes in steps of {step} through tiles of symbolic size", self.name(l.iter));
                        Err(RadixError::at(self.place(l.iter), why, STEP))
                    }
                };
                self.facts.truncate(known);
                nodes
            }
        }
    }

    fn name(&self, iter: IterId) -> &str {
        &self.source.iters[iter.index()].name
    }

    fn place(&self, iter: IterId) -> Option<&Location> {
        self.source.iters[iter.index()].location.as_ref()
    }

    /// Returns the digits of an expression.
    fn digits(&self, expr: &Expr, tile: ParamId, location: Option<&Location>) -> Result<RadixDigits, RadixError> {
        let mut sum = RadixDigits::constant(expr.constant_term());
        for (atom, coefficient) in expr.terms() {
            let digits = match atom {
                Atom::Param(param) if *param == tile => Some(RadixDigits::tiles(Expr::constant(1))),
                Atom::Param(param) => self.sizes.digits(*param, tile),
                Atom::Iter(iter) => self.digits.get(iter).cloned(),
                Atom::Floor(..) => None,
            };
            let digits = digits.ok_or_else(|| {
                let why = format!("{} is divided by a number, and by a tile of symbolic size", self.source.show(expr));
                RadixError::at(location, why, FLOOR)
            })?;
            sum.add_scaled(&digits, coefficient)?;
        }
        Ok(sum)
    }

    fn carries(&mut self, digits: &RadixDigits, tile: ParamId) -> Result<Carries, Overflow> {
        let carries = digits.carries()?;
        let least = self.least.entry(tile).or_insert(1);
        *least = carries.least.max(*least);
        Ok(carries)
    }

    /// Returns the condition that an expression is not negative.
    fn not_negative(
        &mut self,
        expr: &Expr,
        tile: ParamId,
        location: Option<&Location>,
    ) -> Result<NotNegative, RadixError> {
        let digits = self.digits(expr, tile, location)?;
        let carries = self.carries(&digits, tile)?;
        Ok(not_negative(&digits, carries, tile)?)
    }

    /// A loop over tiles counts them: ii = T·t.
    fn tiles(&mut self, l: &Loop, tile: ParamId, times: i64) -> Result<Vec<Node>, RadixError> {
        let location = self.source.iters[l.iter.index()].location.as_ref();
        let mut lower = Vec::new();
        for start in &l.lower {
            let digits = self.digits(start, tile, location)?;
            if digits.rest != Expr::default() {
                let (start, size) = (self.source.show(start), &self.source.params[tile.index()].name);
                let why = format!("`{}` starts at {start}, which need not be a multiple of {size}", self.name(l.iter));
                return Err(RadixError::at(location, why, START));
            }
            lower.push(digits.whole);
        }
        self.rename("t", l.iter);
        self.digits.insert(l.iter, RadixDigits::tiles(Expr::iter(l.iter)));
        let (bounds, excluded) = self.bounds(l, tile)?;
        let TileBounds { upper, conditions, .. } = bounds;
        let body = self.body(&l.body)?;
        let body = unless(excluded, body);
        let l = Loop { lower, upper, step: LoopStep::Known(times), body, ..l.clone() };
        Ok(self.under(conditions, vec![Node::Loop(l)]))
    }

    /// A loop through a dimension is one over tiles, and one over the places in each: i = T·t + r. If it stays in one tile,
    /// the first is left out.
    fn places(&mut self, l: &Loop, tile: ParamId) -> Result<Vec<Node>, RadixError> {
        let rest = self.fresh("r", l.iter);
        self.rename("t", l.iter);
        let place = |whole: Expr| RadixDigits::place(whole, Expr::iter(rest));
        self.digits.insert(l.iter, place(Expr::iter(l.iter)));
        let (mut bounds, mut excluded) = self.bounds(l, tile)?;
        let only = bounds.only();
        if let Some(only) = &only {
            self.digits.insert(l.iter, place(only.clone()));
            (bounds, excluded) = self.bounds(l, tile)?;
        }
        let TileBounds { lower, upper, conditions } = bounds;
        let body = self.body(&l.body)?;
        let body = unless(excluded, body);
        let (first, end) = (vec![Expr::constant(0)], vec![Expr::param(tile)]);
        let places = Node::Loop(Loop { iter: rest, lower: first, upper: end, step: LoopStep::Known(1), body });
        let nodes = match only {
            Some(_) => vec![places],
            None => vec![Node::Loop(Loop { lower, upper, body: vec![places], ..l.clone() })],
        };
        Ok(self.under(conditions, nodes))
    }

    /// Returns the bounds of the tiles of a loop, and conjunctions that no iteration of it may fulfil.
    fn bounds(&mut self, l: &Loop, tile: ParamId) -> Result<(TileBounds, Vec<Vec<Constraint>>), RadixError> {
        let location = self.source.iters[l.iter.index()].location.as_ref();
        let iter = Expr::iter(l.iter);
        let lower = l.lower.iter().map(|bound| iter.minus(bound));
        let upper = l.upper.iter().map(|bound| bound.minus(&iter)?.plus_constant(-1));
        let (mut bounds, mut excluded) = (TileBounds::default(), Vec::new());
        for value in lower.chain(upper) {
            let condition = self.not_negative(&value?, tile, location)?;
            bounds.add(l.iter, &condition.necessary)?;
            excluded.extend(condition.excluded);
        }
        let facts = bounds.upper.iter().map(|bound| bound.minus(&iter)?.plus_constant(-1));
        let facts = facts.chain(bounds.lower.iter().map(|bound| iter.minus(bound)));
        self.facts.extend(facts.collect::<Result<Vec<_>, _>>()?);
        Ok((bounds, excluded))
    }

    /// Puts nodes under conditions, but for those that hold anyway.
    fn under(&self, conditions: Vec<Expr>, nodes: Vec<Node>) -> Vec<Node> {
        let is_new =
            |condition: &Expr| condition.as_constant().is_none_or(|value| value < 0) && !self.facts.contains(condition);
        let condition: Vec<_> = conditions.into_iter().filter(is_new).map(Constraint::non_negative).collect();
        match condition.is_empty() {
            true => nodes,
            false => vec![Node::If(If { condition, then: nodes, otherwise: Vec::new() })],
        }
    }

    fn guard(&mut self, guard: &If) -> Result<Vec<Node>, RadixError> {
        let location = self.location_in(&guard.then).or_else(|| self.location_in(&guard.otherwise)).cloned();
        let location = location.as_ref();
        let (mut condition, mut excluded) = (Vec::new(), Vec::new());
        for constraint in &guard.condition {
            let Some(tile) = self.radices.of_expr(&constraint.expr) else {
                condition.push(constraint.clone());
                continue;
            };
            let sides: &[i64] = if constraint.relation == Relation::Zero { &[1, -1] } else { &[1] };
            for side in sides {
                let value = self.not_negative(&constraint.expr.times(*side)?, tile, location)?;
                condition.push(Constraint::non_negative(value.necessary));
                excluded.extend(value.excluded);
            }
        }
        if !excluded.is_empty() && !guard.otherwise.is_empty() {
            let why = "a condition on what is tiled has an else branch";
            return Err(RadixError::at(location, why, ELSE));
        }
        let then = self.body(&guard.then)?;
        let otherwise = self.body(&guard.otherwise)?;
        Ok(vec![Node::If(If { condition, then: unless(excluded, then), otherwise })])
    }

    /// Returns the place of the first access among nodes.
    fn location_in(&self, nodes: &[Node]) -> Option<&Location> {
        nodes.iter().find_map(|node| match node {
            Node::Access(id) => Some(&self.source.access(*id).location),
            Node::Loop(l) => self.location_in(&l.body),
            Node::If(guard) => self.location_in(&guard.then).or_else(|| self.location_in(&guard.otherwise)),
            Node::Operations(_) | Node::Mark(_) => None,
        })
    }

    /// An access has a case for each combination of carries of its subscripts.
    fn access(&mut self, id: AccessId) -> Result<Vec<Node>, RadixError> {
        let source = self.source;
        let access = source.access(id);
        let mut cases = vec![SubscriptCase { conditions: Vec::new(), subscripts: Vec::new() }];
        for (dimension, subscript) in access.subscripts.iter().enumerate() {
            let own = match self.radices.of_dimension(access.array, dimension) {
                None => vec![SubscriptCase { conditions: Vec::new(), subscripts: vec![subscript.clone()] }],
                Some(tile) => {
                    let digits = self.digits(subscript, tile, Some(&access.location))?;
                    let carries = self.carries(&digits, tile)?;
                    subscripts(&digits, carries, tile)?
                }
            };
            cases = cases.iter().flat_map(|case| own.iter().map(|own| case.joined(own))).collect();
        }
        let subscripts = cases.first().map(|case| case.subscripts.clone()).unwrap_or_default();
        let cases = if cases.len() == 1 { Vec::new() } else { cases };
        self.program.accesses.push(Access { subscripts, cases, ..access.clone() });
        Ok(vec![Node::Access(id)])
    }

    fn fresh(&mut self, prefix: &str, iter: IterId) -> IterId {
        let name = self.program.fresh_name(prefix, self.name(iter));
        self.program.iters.push(Iter::named(name));
        IterId(self.program.iters.len() as u32 - 1)
    }

    fn rename(&mut self, prefix: &str, iter: IterId) {
        self.program.iters[iter.index()].name = self.program.fresh_name(prefix, self.name(iter));
    }
}

/// Returns nodes that are executed where none of some conjunctions holds.
fn unless(excluded: Vec<Vec<Constraint>>, nodes: Vec<Node>) -> Vec<Node> {
    let is_never = |c: &Constraint| c.expr.as_constant().is_some_and(|value| value < 0);
    let possible = excluded.into_iter().filter(|conjunction| !conjunction.iter().any(is_never));
    possible.fold(nodes, |nodes, condition| vec![Node::If(If { condition, then: Vec::new(), otherwise: nodes })])
}

impl SubscriptCase {
    /// Returns the case in which both hold, with the subscripts of both.
    fn joined(&self, other: &Self) -> Self {
        Self {
            conditions: [&self.conditions[..], &other.conditions].concat(),
            subscripts: [&self.subscripts[..], &other.subscripts].concat(),
        }
    }
}
