//! Loops for an order, and the program that they are.

use std::borrow::Cow;
use std::collections::BTreeMap;

use num_traits::ToPrimitive;
use symloc_affine::{Access, AccessId, Constraint, Expr, If, Iter, IterId, Loop, Node, Overflow, Program};
use symloc_isl::{AstExpr, AstNode, AstOp, Context, LoopEnds, generate_code};

use crate::carried::{LoopBody, carried};
use crate::dependences::{Carried, Dependences};
use crate::error::ScheduleError;
use crate::order::OrderTree;
use crate::reductions::Reduction;
use crate::scop::{Branch, Scop};

/// A program in a new order.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The program, with the arrays and parameters of the one that was reordered. All accesses of a statement run in it, as its
    /// dependences have it.
    pub program: Program,
    /// By access of the new program, the access of the old one.
    pub origins: Vec<AccessId>,
    /// By access of the new program, the iterators that the old one's statement has, in those of the new program.
    pub instances: Vec<Vec<Expr>>,
    /// By access of the new program, the branches within its statement that it stands in, outermost first.
    pub branches: Vec<Vec<Branch>>,
    /// The dependences that innermost loops carry, apart from those that carry nothing.
    pub carried: BTreeMap<IterId, Carried>,
    /// By innermost loop the updates that it collects in variables. Empty, unless who writes the program decides so.
    pub collected: BTreeMap<IterId, CollectedUpdates>,
    /// isl's code, with the same loops: calls of statements. The loops with more than one iteration are the iterators of the
    /// program, in the order of the text.
    pub loops: AstNode,
}

/// The updates that an innermost loop collects in variables: it reads their elements once in front, and writes them once behind.
#[derive(Clone, Debug)]
pub struct CollectedUpdates {
    /// By statement.
    pub updates: BTreeMap<usize, Reduction>,
    /// The conditions under which the loop has an iteration: otherwise no element is touched.
    pub conditions: Vec<Constraint>,
}

impl Generated {
    /// Returns the program whose accesses run as in the program that is written: under the conditions within their statements, and
    /// outside of the loops that collect them in variables.
    pub fn executed(&self) -> Cow<'_, Program> {
        if self.branches.iter().all(Vec::is_empty) && self.collected.is_empty() {
            return Cow::Borrowed(&self.program);
        }
        Cow::Owned(Program { body: self.executed_nodes(&self.program.body), ..self.program.clone() })
    }

    fn executed_nodes(&self, nodes: &[Node]) -> Vec<Node> {
        let node = |node: &Node| match node {
            Node::Access(id) => {
                let branches = self.branches.get(id.index()).into_iter().flatten();
                branches.rev().fold(Node::Access(*id), |inner, Branch { condition, holds }| {
                    let (then, otherwise) = if *holds { (vec![inner], Vec::new()) } else { (Vec::new(), vec![inner]) };
                    Node::If(If { condition: condition.clone(), then, otherwise })
                })
            }
            Node::Loop(l) => self.executed_loop(l),
            Node::If(guard) => Node::If(If {
                condition: guard.condition.clone(),
                then: self.executed_nodes(&guard.then),
                otherwise: self.executed_nodes(&guard.otherwise),
            }),
            Node::Operations(_) | Node::Mark(_) => node.clone(),
        };
        nodes.iter().map(node).collect()
    }

    /// Returns a loop; where it collects updates, with the reads of their elements in front and the writes behind.
    fn executed_loop(&self, l: &Loop) -> Node {
        let with_body = |body: &[Node]| Node::Loop(Loop { body: self.executed_nodes(body), ..l.clone() });
        let Some(CollectedUpdates { updates, conditions }) = self.collected.get(&l.iter) else {
            return with_body(&l.body);
        };
        let (mut reads, mut inside, mut writes) = (Vec::new(), Vec::new(), Vec::new());
        for node in &l.body {
            let origin = if let Node::Access(id) = node { self.origins.get(id.index()) } else { None };
            let place = match origin {
                Some(origin) if updates.values().any(|update| update.read == *origin) => &mut reads,
                Some(origin) if updates.values().any(|update| update.write == *origin) => &mut writes,
                _ => &mut inside,
            };
            place.push(node.clone());
        }
        let then = [reads, vec![with_body(&inside)], writes].concat();
        Node::If(If { condition: conditions.clone(), then, otherwise: Vec::new() })
    }
}

/// Returns a program that runs all instances in an order.
///
/// # Errors
///
/// [`ScheduleError::Isl`] if isl fails or reaches the limit on its operations, [`ScheduleError::NotAffine`] if bounds or
/// conditions of the code are not affine.
pub fn generate_program(
    isl: &Context,
    scop: &Scop,
    dependences: &Dependences,
    order: &OrderTree,
) -> Result<Generated, ScheduleError> {
    let loops = generate_code(&order.to_isl(isl, scop)?, &scop.context, LoopEnds::Minimum)?;
    let program = Program { iters: Vec::new(), accesses: Vec::new(), body: Vec::new(), ..scop.program.clone() };
    let mut reader = CodeReader {
        isl,
        scop,
        dependences,
        program,
        origins: Vec::new(),
        access_instances: Vec::new(),
        branches: Vec::new(),
        scope: BTreeMap::new(),
        around: Vec::new(),
        instances: Vec::new(),
        carried: BTreeMap::new(),
    };
    reader.program.body = reader.nodes(&loops)?;
    let CodeReader { program, origins, access_instances, branches, carried, .. } = reader;
    let collected = BTreeMap::new();
    Ok(Generated { program, origins, instances: access_instances, branches, carried, collected, loops })
}

/// Reads isl's code as a program.
struct CodeReader<'s> {
    isl: &'s Context,
    scop: &'s Scop,
    dependences: &'s Dependences,
    program: Program,
    origins: Vec<AccessId>,
    /// By access, the instance of its statement.
    access_instances: Vec<Vec<Expr>>,
    /// By access, the branches within its statement that it stands in.
    branches: Vec<Vec<Branch>>,
    /// The values of the loops around, by their names in the code: iterators, or those of loops with one iteration.
    scope: BTreeMap<String, Expr>,
    /// The iterators of the loops around.
    around: Vec<IterId>,
    /// The instances of statements so far, with the values of the statements' iterators.
    instances: Vec<(usize, Vec<Expr>)>,
    carried: BTreeMap<IterId, Carried>,
}

impl CodeReader<'_> {
    fn nodes(&mut self, node: &AstNode) -> Result<Vec<Node>, ScheduleError> {
        match node {
            AstNode::Block(children) => {
                let nodes = children.iter().map(|child| self.nodes(child)).collect::<Result<Vec<_>, _>>()?;
                Ok(nodes.into_iter().flatten().collect())
            }
            AstNode::If { condition, then, otherwise } => {
                self.guarded(&operands(condition, AstOp::Or), then, otherwise.as_deref())
            }
            AstNode::For { iterator, start, condition: None, body, .. } => {
                let value = self.expr(start)?;
                self.within(iterator, value, body)
            }
            AstNode::For { iterator, start, condition: Some(condition), step, body } => {
                Ok(vec![self.for_node(iterator, start, condition, step, body)?])
            }
            AstNode::User { statement, instance } => self.instance(statement, instance),
        }
    }

    /// Reads the body of a loop with this value.
    fn within(&mut self, iterator: &str, value: Expr, body: &AstNode) -> Result<Vec<Node>, ScheduleError> {
        let shadowed = self.scope.insert(iterator.to_owned(), value);
        let nodes = self.nodes(body);
        match shadowed {
            Some(outer) => self.scope.insert(iterator.to_owned(), outer),
            None => self.scope.remove(iterator),
        };
        nodes
    }

    fn for_node(
        &mut self,
        iterator: &str,
        start: &AstExpr,
        condition: &AstExpr,
        step: &AstExpr,
        body: &AstNode,
    ) -> Result<Node, ScheduleError> {
        let lower = operands(start, AstOp::Max).into_iter().map(|bound| self.expr(bound));
        let lower = lower.collect::<Result<Vec<_>, _>>()?;
        let step = self.expr(step)?.as_constant().filter(|step| *step > 0).ok_or_else(|| not_affine(step))?;
        let iter = IterId(self.program.iters.len() as u32);
        self.program.iters.push(Iter::named(self.fresh(iterator)));
        let outer = self.scope.insert(iterator.to_owned(), Expr::iter(iter));
        let constraints = self.conjunction(condition)?;
        match outer {
            Some(outer) => self.scope.insert(iterator.to_owned(), outer),
            None => self.scope.remove(iterator),
        };
        let (mut upper, mut guard) = (Vec::new(), Vec::new());
        for constraint in constraints {
            match upper_bound(&constraint, iter)? {
                Some(bound) => upper.push(bound),
                None => guard.push(constraint),
            }
        }
        if upper.is_empty() {
            return Err(not_affine(condition));
        }
        let first = self.instances.len();
        self.around.push(iter);
        let mut body = self.within(iterator, Expr::iter(iter), body)?;
        self.around.pop();
        if !body.iter().any(has_loop) {
            let body =
                LoopBody { program: &self.program, around: &self.around, iter, instances: &self.instances[first..] };
            let carried = carried(self.isl, self.scop, self.dependences, &body)?;
            if carried != Carried::Nothing {
                self.carried.insert(iter, carried);
            }
        }
        if !guard.is_empty() {
            body = vec![Node::If(If { condition: guard, then: body, otherwise: Vec::new() })];
        }
        Ok(Node::Loop(Loop { iter, lower, upper, step: step.into(), body }))
    }

    /// Returns a name that no parameter and no other iterator has.
    fn fresh(&self, name: &str) -> String {
        let mut fresh = name.to_owned();
        let mut number = 1;
        while self.program.has_name(&fresh) {
            fresh = format!("{name}_{number}");
            number += 1;
        }
        fresh
    }

    /// Returns nodes that run `then` where one of several conditions holds: they are asked one after the other.
    fn guarded(
        &mut self,
        alternatives: &[&AstExpr],
        then: &AstNode,
        otherwise: Option<&AstNode>,
    ) -> Result<Vec<Node>, ScheduleError> {
        let Some((first, others)) = alternatives.split_first() else {
            return otherwise.map_or(Ok(Vec::new()), |node| self.nodes(node));
        };
        // The iterators of loops in a branch stand once in the table, so it cannot be copied.
        if !others.is_empty() && then.has_loop() {
            return Err(not_affine(first));
        }
        let condition = self.conjunction(first)?;
        let then_nodes = self.nodes(then)?;
        let otherwise = self.guarded(others, then, otherwise)?;
        Ok(vec![Node::If(If { condition, then: then_nodes, otherwise })])
    }

    /// Returns the accesses of an instance of a statement.
    fn instance(&mut self, name: &str, instance: &[AstExpr]) -> Result<Vec<Node>, ScheduleError> {
        let position = self.scop.position(name).ok_or_else(|| ScheduleError::NotAffine { part: name.to_owned() })?;
        let statement = &self.scop.statements[position];
        let values = instance.iter().map(|value| self.expr(value)).collect::<Result<Vec<_>, _>>()?;
        self.instances.push((position, values.clone()));
        let value = |iter: IterId| {
            let place = statement.iters.iter().position(|other| *other == iter)?;
            values.get(place).cloned().map(Ok)
        };
        let mut nodes = Vec::new();
        let here = |Branch { condition, holds }: &Branch| {
            let condition = condition.iter().map(|Constraint { expr, relation }| {
                Ok(Constraint { expr: expr.substitute(&value)?, relation: *relation })
            });
            Ok(Branch { condition: condition.collect::<Result<_, Overflow>>()?, holds: *holds })
        };
        for (origin, branches) in statement.accesses.iter().zip(&statement.branches) {
            let access = self.scop.program.access(*origin);
            let subscripts = access.subscripts.iter().map(|subscript| subscript.substitute(&value));
            let subscripts = subscripts.collect::<Result<Vec<_>, _>>()?;
            nodes.push(Node::Access(AccessId(self.program.accesses.len() as u32)));
            self.program.accesses.push(Access { subscripts, ..access.clone() });
            self.origins.push(*origin);
            self.access_instances.push(values.clone());
            self.branches.push(branches.iter().map(here).collect::<Result<_, Overflow>>()?);
        }
        Ok(nodes)
    }

    /// Returns the constraints of a conjunction of comparisons.
    fn conjunction(&self, condition: &AstExpr) -> Result<Vec<Constraint>, ScheduleError> {
        let mut constraints = Vec::new();
        for comparison in operands(condition, AstOp::And) {
            let AstExpr::Op(operation, sides) = comparison else { return Err(not_affine(comparison)) };
            let [left, right] = sides.as_slice() else { return Err(not_affine(comparison)) };
            // `greater` is at least `least`, and different by `gap`.
            let (greater, least, gap) = match operation {
                AstOp::Eq => {
                    constraints.push(Constraint::zero(self.expr(left)?.minus(&self.expr(right)?)?));
                    continue;
                }
                AstOp::Ge => (left, right, 0),
                AstOp::Gt => (left, right, 1),
                AstOp::Le => (right, left, 0),
                AstOp::Lt => (right, left, 1),
                _ => return Err(not_affine(comparison)),
            };
            for greater in operands(greater, AstOp::Min) {
                for least in operands(least, AstOp::Max) {
                    let difference = self.expr(greater)?.minus(&self.expr(least)?)?.plus_constant(-gap)?;
                    constraints.push(Constraint::non_negative(difference));
                }
            }
        }
        Ok(constraints)
    }

    fn expr(&self, expr: &AstExpr) -> Result<Expr, ScheduleError> {
        match expr {
            AstExpr::Int(value) => value.to_i64().map(Expr::constant).ok_or_else(|| not_affine(expr)),
            AstExpr::Name(name) => {
                let value = self.scope.get(name).cloned();
                value.or_else(|| self.program.param(name).map(Expr::param)).ok_or_else(|| not_affine(expr))
            }
            AstExpr::Op(AstOp::Minus, operands) => match operands.as_slice() {
                [only] => Ok(self.expr(only)?.times(-1)?),
                _ => Err(not_affine(expr)),
            },
            AstExpr::Op(operation, operands) => {
                let [left, right] = operands.as_slice() else { return Err(not_affine(expr)) };
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                match (operation, left.as_constant(), right.as_constant()) {
                    (AstOp::Add, ..) => Ok(left.plus(&right)?),
                    (AstOp::Sub, ..) => Ok(left.minus(&right)?),
                    (AstOp::Mul, _, Some(factor)) => Ok(left.times(factor)?),
                    (AstOp::Mul, Some(factor), _) => Ok(right.times(factor)?),
                    (AstOp::Div | AstOp::FloorDiv | AstOp::PositiveDiv, _, Some(divisor)) if divisor > 0 => {
                        Ok(left.floor_div(divisor)?)
                    }
                    (AstOp::PositiveRem | AstOp::ZeroRem, _, Some(divisor)) if divisor > 0 => Ok(left.modulo(divisor)?),
                    _ => Err(not_affine(expr)),
                }
            }
        }
    }
}

fn has_loop(node: &Node) -> bool {
    match node {
        Node::Loop(_) => true,
        Node::If(guard) => guard.then.iter().chain(&guard.otherwise).any(has_loop),
        Node::Access(_) | Node::Operations(_) | Node::Mark(_) => false,
    }
}

/// Returns the operands of nested operations of one kind: of `max(a, max(b, c))` those are a, b and c.
fn operands(expr: &AstExpr, operation: AstOp) -> Vec<&AstExpr> {
    match expr {
        AstExpr::Op(kind, parts) if *kind == operation => {
            parts.iter().flat_map(|part| operands(part, operation)).collect()
        }
        _ => vec![expr],
    }
}

/// Returns the value before which an iterator stops by a constraint; `None` if it is no upper bound of the iterator.
fn upper_bound(constraint: &Constraint, iter: IterId) -> Result<Option<Expr>, ScheduleError> {
    let is_iter = |atom: &symloc_affine::Atom| *atom == symloc_affine::Atom::Iter(iter);
    let coefficient = constraint.expr.terms().find(|(atom, _)| is_iter(atom)).map_or(0, |(_, factor)| factor);
    let rest =
        constraint.expr.add_scaled(&Expr::iter(iter), coefficient.checked_neg().ok_or(symloc_affine::Overflow)?)?;
    if coefficient >= 0 || rest.mentions(&is_iter) {
        return Ok(None);
    }
    // rest − c·iter ≥ 0 exactly if iter ≤ ⌊rest / c⌋.
    Ok(Some(rest.floor_div(coefficient.checked_neg().ok_or(symloc_affine::Overflow)?)?.plus_constant(1)?))
}

fn not_affine(expr: &AstExpr) -> ScheduleError {
    ScheduleError::NotAffine { part: format!("{expr:?}") }
}
