//! Sums whose terms may be exchanged: the dependences that are left, the orders that make use of it, and the loops that collect
//! sums in variables.

use std::collections::BTreeMap;

use symloc_affine::lines::loops;
use symloc_affine::{AccessKind, Atom, Constraint, Loop, Node, Overflow};
use symloc_isl::{AstExpr, AstNode, Context};
use symloc_schedule::generate::generate_program;
use symloc_schedule::legality::violation;
use symloc_schedule::{Carried, CollectedUpdates, Dependences, Generated, OrderTree, Reduction, ScheduleError, Scop};

use crate::error::{AdviseError, MissingOption};
use crate::nest::Nests;

/// The changes that are permitted to the order of sums, products, minima and maxima that collect one element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sums {
    /// It stays, so results are equal bit by bit.
    #[default]
    InOrder,
    /// It may change, so results are equal within rounding.
    Reassociated,
}

/// The dependences that orders have to respect.
pub(crate) struct OrderRules {
    sums: Sums,
    /// Those that an order has to respect.
    pub(crate) dependences: Dependences,
    /// Those that keep the order of sums as well.
    pub(crate) strict: Dependences,
}

impl OrderRules {
    pub(crate) fn new(isl: &Context, scop: &Scop, nests: &Nests, sums: Sums) -> Result<Self, AdviseError> {
        let strict = Dependences::of(isl, scop)?;
        let dependences = match sums {
            Sums::InOrder => strict.clone(),
            Sums::Reassociated => without_order_of_sums(isl, scop, nests)?,
        };
        Ok(Self { sums, dependences, strict })
    }

    /// Returns what a legal order does to sums: it may exchange their terms, or a loop may collect several at once.
    pub(crate) fn sums_of(
        &self,
        isl: &Context,
        scop: &Scop,
        order: &OrderTree,
        generated: &Generated,
    ) -> Result<Sums, AdviseError> {
        if self.sums == Sums::InOrder {
            return Ok(Sums::InOrder);
        }
        let is_exchanged = !generated.collected.is_empty() || violation(isl, scop, &self.strict, order)?.is_some();
        Ok(if is_exchanged { Sums::Reassociated } else { Sums::InOrder })
    }

    /// Returns the option with which an order that is not legal would be.
    pub(crate) fn missing_option(
        &self,
        isl: &Context,
        scop: &Scop,
        nests: &Nests,
        order: &OrderTree,
    ) -> Result<MissingOption, AdviseError> {
        let is_legal = self.sums == Sums::InOrder
            && violation(isl, scop, &without_order_of_sums(isl, scop, nests)?, order)?.is_none();
        Ok(if is_legal { MissingOption::Reassociate } else { MissingOption::None })
    }
}

/// Returns the program in an order, whose innermost loops collect sums in variables where they may and can: so they can add several
/// terms at once. [`crate::c`] writes the loops so.
///
/// # Errors
///
/// Those of [`generate_program`].
pub(crate) fn generate_collecting(
    isl: &Context,
    scop: &Scop,
    nests: &Nests,
    dependences: &Dependences,
    order: &OrderTree,
) -> Result<Generated, ScheduleError> {
    let mut generated = generate_program(isl, scop, dependences, order)?;
    let mut bodies = Vec::new();
    add_bodies(&generated.loops, &mut bodies);
    let mut collected = BTreeMap::new();
    loops(&generated.program.body, &mut |l| {
        let Some(Carried::Reductions(statements)) = generated.carried.get(&l.iter) else { return };
        if bodies.get(l.iter.index()).is_some_and(|body| direct_calls(body).is_some()) {
            let of = |statement: &usize| Some((*statement, collected_update(&generated, nests, l, *statement)?));
            let updates: Option<BTreeMap<_, _>> = statements.iter().map(of).collect();
            let update = updates.and_then(|updates| Some(CollectedUpdates { updates, conditions: entered(l).ok()? }));
            collected.extend(update.map(|update| (l.iter, update)));
        }
    });
    generated.collected = collected;
    Ok(generated)
}

/// Returns the update of a statement that an innermost loop can collect: of one element in all iterations, whose array nothing else in
/// the loop touches; `None` if it cannot.
fn collected_update(generated: &Generated, nests: &Nests, l: &Loop, statement: usize) -> Option<Reduction> {
    let reduction = nests.reductions[statement].filter(|_| nests.collected.contains(&statement))?;
    let inside = l.body.iter().map(|node| if let Node::Access(id) = node { Some(*id) } else { None });
    let inside: Vec<_> = inside.collect::<Option<_>>()?;
    let program = &generated.program;
    let (own, others): (Vec<_>, Vec<_>) =
        inside.into_iter().partition(|id| reduction.has(generated.origins[id.index()]));
    let mut writes = own.iter().map(|id| program.access(*id)).filter(|access| access.kind == AccessKind::Write);
    let (write, None) = (writes.next()?, writes.next()) else { return None };
    let varies = |atom: &Atom| *atom == Atom::Iter(l.iter);
    let is_one = !write.subscripts.iter().any(|subscript| subscript.mentions(&varies));
    let is_alone = others.iter().all(|id| program.access(*id).array != write.array);
    (is_one && is_alone).then_some(reduction)
}

/// Returns the conditions under which a loop has an iteration.
fn entered(l: &Loop) -> Result<Vec<Constraint>, Overflow> {
    let pairs = l.lower.iter().flat_map(|lower| l.upper.iter().map(move |upper| (lower, upper)));
    pairs.map(|(lower, upper)| Ok(Constraint::non_negative(upper.minus(lower)?.plus_constant(-1)?))).collect()
}

/// Adds the bodies of the loops of isl's code that may have several iterations, in the order of the text: the iterators of the
/// program.
fn add_bodies<'c>(code: &'c AstNode, bodies: &mut Vec<&'c AstNode>) {
    match code {
        AstNode::Block(children) => children.iter().for_each(|child| add_bodies(child, bodies)),
        AstNode::If { then, otherwise, .. } => {
            add_bodies(then, bodies);
            otherwise.iter().for_each(|otherwise| add_bodies(otherwise, bodies));
        }
        AstNode::For { condition, body, .. } => {
            bodies.extend(condition.as_ref().map(|_| &**body));
            add_bodies(body, bodies);
        }
        AstNode::User { .. } => {}
    }
}

/// Returns the calls of statements in a loop's body; `None` if there are conditions or other loops.
pub(crate) fn direct_calls(body: &AstNode) -> Option<Vec<(&str, &[AstExpr])>> {
    match body {
        AstNode::Block(children) => {
            let calls: Option<Vec<_>> = children.iter().map(direct_calls).collect();
            Some(calls?.into_iter().flatten().collect())
        }
        AstNode::User { statement, instance } => Some(vec![(statement.as_str(), instance.as_slice())]),
        AstNode::If { .. } | AstNode::For { .. } => None,
    }
}

/// Returns the dependences that remain where sums may be reordered.
fn without_order_of_sums(isl: &Context, scop: &Scop, nests: &Nests) -> Result<Dependences, AdviseError> {
    let reductions: Vec<Reduction> = nests.reductions.iter().flatten().copied().collect();
    Ok(Dependences::with_reductions(isl, scop, &reductions)?)
}
