//! New loops in a function, around copies of the operations of its statements.

use std::collections::{BTreeMap, BTreeSet};

use melior::Context;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::TypeLike;
use melior::ir::{Attribute, Location, Type, ValueLike};
use symloc_affine::{Atom, Expr, If, IterId, Loop, Node, ParamId, Program};

use super::affine_text::AtomValues;
use super::copied;
use super::partition::Partition;
use super::{NewOrder, StatementInstance};
use crate::compiled::INDEPENDENT;
use crate::ffi::{self, Definition, Op, Val, ValueKey, definition, op_results, value_key};
use crate::ops::lifetimes;

/// Why an order has no code.
pub(super) struct NoCode(pub(super) String);

/// A function whose loops are written anew.
pub(super) struct NestWriter<'w, 'a> {
    pub(super) context: &'a Context,
    pub(super) place: Location<'a>,
    pub(super) partition: &'w Partition<'a>,
    /// By statement of the program, the body that is copied.
    pub(super) bodies: &'w [usize],
    /// By iterator of the program as written, its induction variable and its name.
    pub(super) inductions: &'w [(Option<Val<'a>>, String)],
    pub(super) order: &'w NewOrder<'w>,
    /// The parameters.
    pub(super) params: BTreeMap<ParamId, Val<'a>>,
    /// The induction variables of the new loops around.
    pub(super) scope: BTreeMap<IterId, Val<'a>>,
}

/// Returns the parameters that the bounds, the conditions and the instances of a program in a new order mention.
pub(super) fn mentioned(order: &NewOrder<'_>) -> BTreeSet<ParamId> {
    let mut found = BTreeSet::new();
    let mut collect = |expr: &Expr| {
        expr.each_atom(&mut |atom| {
            if let Atom::Param(param) = atom {
                found.insert(*param);
            }
        });
    };
    each_expr(&order.program.body, &mut collect);
    order.instances.values().flat_map(|instance| &instance.values).for_each(|(_, value)| collect(value));
    found
}

fn each_expr(nodes: &[Node], visit: &mut impl FnMut(&Expr)) {
    for node in nodes {
        match node {
            Node::Loop(l) => {
                l.lower.iter().chain(&l.upper).for_each(&mut *visit);
                each_expr(&l.body, visit);
            }
            Node::If(guard) => {
                guard.condition.iter().for_each(|constraint| visit(&constraint.expr));
                each_expr(&guard.then, visit);
                each_expr(&guard.otherwise, visit);
            }
            Node::Access(_) | Node::Operations(_) | Node::Mark(_) => {}
        }
    }
}

impl<'a> NestWriter<'_, 'a> {
    /// Writes nodes in front of an operation.
    pub(super) fn nodes(&mut self, nodes: &[Node], at: Op<'a>) -> Result<(), NoCode> {
        for node in nodes {
            match node {
                Node::Loop(l) => self.for_loop(l, at)?,
                Node::If(guard) => self.condition(guard, at)?,
                Node::Access(id) => {
                    if let Some(instance) = self.order.instances.get(id) {
                        self.instance(instance, at)?;
                    }
                }
                Node::Operations(_) | Node::Mark(_) => {}
            }
        }
        Ok(())
    }

    fn for_loop(&mut self, l: &Loop, at: Op<'a>) -> Result<(), NoCode> {
        let bounds = self.affine(|values| Some((values.map(&l.lower)?, values.map(&l.upper)?)))?;
        let step = l.step.constant().ok_or_else(|| NoCode("the step of a loop is no constant".to_owned()))?;
        let inserted = ffi::insert_loop(self.context, at, self.place, (&bounds.0, &bounds.1), step);
        let (induction, end) = inserted.ok_or_else(|| NoCode("a loop cannot be written".to_owned()))?;
        ffi::set_name(self.context, induction, &self.name_of(l));
        if let Some(written) = end.parent_operation().filter(|_| self.order.independent.contains(&l.iter)) {
            ffi::set_attribute(written, INDEPENDENT, Attribute::unit(self.context));
        }
        self.scope.insert(l.iter, induction);
        self.nodes(&l.body, end)?;
        self.scope.remove(&l.iter);
        Ok(())
    }

    fn condition(&mut self, guard: &If, at: Op<'a>) -> Result<(), NoCode> {
        let set = self.affine(|values| values.set(&guard.condition))?;
        let has_otherwise = !guard.otherwise.is_empty();
        let inserted = ffi::insert_condition(self.context, at, self.place, &set, has_otherwise);
        let (then, otherwise) = inserted.ok_or_else(|| NoCode("a condition cannot be written".to_owned()))?;
        self.nodes(&guard.then, then)?;
        otherwise.map_or(Ok(()), |end| self.nodes(&guard.otherwise, end))
    }

    /// Writes a copy of a statement, with the values that its induction variables have in the loops around.
    fn instance(&self, instance: &StatementInstance, at: Op<'a>) -> Result<(), NoCode> {
        let unknown = || NoCode("a statement is not known".to_owned());
        let body = self.bodies.get(instance.statement).and_then(|body| self.partition.bodies.get(*body));
        let mut copier = StatementCopy { writer: self, at, values: BTreeMap::new() };
        for (iter, value) in &instance.values {
            let (Some(induction), _) = self.inductions.get(iter.index()).ok_or_else(unknown)? else { continue };
            let new = self.value(value, induction.r#type(), at)?;
            copier.values.insert(value_key(*induction), new);
        }
        for op in body.ok_or_else(unknown)? {
            copier.copy(*op)?;
        }
        Ok(())
    }

    /// Returns an expression in the loops around as a value of a type.
    fn value(&self, expr: &Expr, kind: Type<'a>, at: Op<'a>) -> Result<Val<'a>, NoCode> {
        let none = || NoCode("the value of an induction variable cannot be written".to_owned());
        let index = Type::index(self.context);
        let insert = |name: &str, operands: &[Val<'a>], kind: Type<'a>, attributes: &[(&str, String)]| {
            ffi::insert_before(self.context, at, name, operands, kind, attributes).ok_or_else(none)
        };
        let value = match (expr.as_constant(), only_atom(expr)) {
            (Some(constant), _) => insert("arith.constant", &[], index, &[("value", format!("{constant} : index"))])?,
            (None, Some(Atom::Iter(iter))) => *self.scope.get(iter).ok_or_else(none)?,
            (None, Some(Atom::Param(param))) => *self.params.get(param).ok_or_else(none)?,
            _ => {
                let map = self.affine(|values| values.map(std::slice::from_ref(expr)))?;
                insert("affine.apply", &map.operands, index, &[("map", map.text.clone())])?
            }
        };
        if kind.is_index() { Ok(value) } else { insert("arith.index_cast", &[value], kind, &[]) }
    }

    fn affine<T>(&self, write: impl FnOnce(&AtomValues<'_, 'a>) -> Option<T>) -> Result<T, NoCode> {
        let values = AtomValues {
            iter: &|iter| self.scope.get(&iter).copied(),
            param: &|param| self.params.get(&param).copied(),
        };
        write(&values).ok_or_else(|| NoCode("a bound or a condition has a value that is not known here".to_owned()))
    }

    /// Returns the name of the induction variable whose values a loop runs over; that of the iterator if there is none.
    fn name_of(&self, l: &Loop) -> String {
        let mut names = BTreeSet::new();
        each_access(&l.body, &mut |id| {
            for (iter, value) in self.order.instances.get(&id).iter().flat_map(|instance| &instance.values) {
                if *value == Expr::iter(l.iter)
                    && let Some((_, name)) = self.inductions.get(iter.index())
                {
                    names.insert(name.clone());
                }
            }
        });
        let only = names.pop_first().filter(|_| names.is_empty());
        only.unwrap_or_else(|| iterator_name(self.order.program, l.iter))
    }
}

fn iterator_name(program: &Program, iter: IterId) -> String {
    program.iters.get(iter.index()).map_or_else(String::new, |iter| iter.name.clone())
}

fn each_access(nodes: &[Node], visit: &mut impl FnMut(symloc_affine::AccessId)) {
    for node in nodes {
        match node {
            Node::Loop(l) => each_access(&l.body, visit),
            Node::If(guard) => {
                each_access(&guard.then, visit);
                each_access(&guard.otherwise, visit);
            }
            Node::Access(id) => visit(*id),
            Node::Operations(_) | Node::Mark(_) => {}
        }
    }
}

/// Returns the iterator or parameter that an expression is.
fn only_atom(expr: &Expr) -> Option<&Atom> {
    let mut terms = expr.terms();
    let (atom, coefficient) = terms.next()?;
    let is_atom = coefficient == 1 && expr.constant_term() == 0 && terms.next().is_none();
    (is_atom && !matches!(atom, Atom::Floor(..))).then_some(atom)
}

/// Copies of the operations of one instance of a statement.
struct StatementCopy<'c, 'w, 'a> {
    writer: &'c NestWriter<'w, 'a>,
    at: Op<'a>,
    /// By old value, the new one.
    values: BTreeMap<ValueKey, Val<'a>>,
}

impl<'a> StatementCopy<'_, '_, 'a> {
    /// Copies an operation, and in front of it the computations of operands that are in no statement.
    fn copy(&mut self, op: Op<'a>) -> Result<(), NoCode> {
        let mut operands = Vec::new();
        for operand in op.operands() {
            operands.push(self.operand(operand)?);
        }
        // Values in a branch on data are defined by the copy; others have to be there before it.
        let mut inner = Vec::new();
        for (place, within) in copied::inner(op).into_iter().enumerate() {
            for (position, operand) in within.operands().enumerate() {
                if !lifetimes::is_within(operand, op) {
                    inner.push((place, position, self.operand(operand)?));
                }
            }
        }
        let copy = ffi::insert_copy(op, self.at);
        let copy = copy.ok_or_else(|| NoCode(format!("`{}` cannot be copied", ffi::name(op))))?;
        for (position, operand) in operands.into_iter().enumerate() {
            ffi::set_operand(copy, position, operand);
        }
        let copies = copied::inner(copy);
        for (place, position, operand) in inner {
            copies.get(place).into_iter().for_each(|within| ffi::set_operand(*within, position, operand));
        }
        for (old, new) in op_results(op).into_iter().zip(op_results(copy)) {
            self.values.insert(value_key(old), new);
        }
        Ok(())
    }

    fn operand(&mut self, operand: Val<'a>) -> Result<Val<'a>, NoCode> {
        let key = value_key(operand);
        if let Some(new) = self.values.get(&key) {
            return Ok(*new);
        }
        if !self.writer.partition.inside.contains(&key) {
            return Ok(operand);
        }
        let Definition::Result { op } = definition(operand) else {
            return Err(NoCode("an induction variable has no value in the new loops".to_owned()));
        };
        if self.writer.partition.of.contains_key(&ffi::key(op)) {
            return Err(NoCode("a statement uses a value of another one".to_owned()));
        }
        self.copy(op)?;
        self.values.get(&key).copied().ok_or_else(|| NoCode("an operand cannot be copied".to_owned()))
    }
}
