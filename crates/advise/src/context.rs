//! The sizes that a new order relies on.
//!
//! Sizes are at least 1: where one shifts a subscript, as k does in `A[i + k][j]`, an order may be legal for this reason alone, and the
//! new source would compute something else with k = -1. With a size of 0, code in a loop over it does not run.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use symloc_affine::{Atom, Constraint, Expr, ParamId, Program, Relation};
use symloc_isl::Context;
use symloc_schedule::legality::{is_complete, violation};
use symloc_schedule::{Generated, Scop};

use crate::candidates::AdvisedOrder;
use crate::error::AdviseError;
use crate::nest::Nests;
use crate::sums::OrderRules;

/// Returns sizes below 1, with their names, at which an order is not legal; none if it is legal whatever they are.
///
/// # Errors
///
/// [`AdviseError::Schedule`] if isl fails.
pub fn illegal_below_one(
    isl: &Context,
    nests: &Nests,
    order: &AdvisedOrder,
) -> Result<Vec<(String, BigInt)>, AdviseError> {
    let sizes: Vec<_> = nests.program.context.iter().filter_map(size).collect();
    let mut program = nests.program.clone();
    program.context.retain(|condition| size(condition).is_none());
    let scop = Scop::new(isl, program, &nests.groups)?;
    let dependences = OrderRules::new(isl, &scop, nests, order.sums)?.dependences;
    let Some(broken) = violation(isl, &scop, &dependences, &order.order)? else { return Ok(Vec::new()) };
    let is_below = |(name, value): &(String, BigInt)| {
        *value < BigInt::from(1) && nests.program.param(name).is_some_and(|param| sizes.contains(&param))
    };
    Ok(broken.sizes.into_iter().filter(is_below).collect())
}

/// Returns the names of the sizes with which the code of an order may leave instances out, or run others, if they are 0; none if it is
/// right then, too. The code may start something in a loop that has no iterations then.
///
/// # Errors
///
/// [`AdviseError::Schedule`] if isl fails.
pub fn incomplete_at_zero(isl: &Context, nests: &Nests, order: &AdvisedOrder) -> Result<Vec<String>, AdviseError> {
    let sizes: BTreeSet<ParamId> = nests.program.context.iter().filter_map(size).collect();
    let is_right = |zero: &BTreeSet<ParamId>| {
        let at_least = |condition: &Constraint| match size(condition).filter(|param| zero.contains(param)) {
            Some(param) => Constraint::non_negative(Expr::param(param)),
            None => condition.clone(),
        };
        let context: Vec<Constraint> = nests.program.context.iter().map(at_least).collect();
        let scop = Scop::new(isl, Program { context: context.clone(), ..nests.program.clone() }, &nests.groups)?;
        let program = Program { context, ..order.generated.program.clone() };
        let generated = Generated { program, ..order.generated.clone() };
        Ok::<_, AdviseError>(is_complete(isl, &scop, &order.order, &generated)?)
    };
    if is_right(&sizes)? {
        return Ok(Vec::new());
    }
    let mut wrong = Vec::new();
    for size in &sizes {
        if !is_right(&BTreeSet::from([*size]))? {
            wrong.push(*size);
        }
    }
    let wrong = if wrong.is_empty() { sizes.into_iter().collect() } else { wrong };
    Ok(wrong.into_iter().map(|size| nests.program.params[size.index()].name.clone()).collect())
}

/// Returns the parameter of which a condition is that it is at least 1, as a size is if nothing else is known.
fn size(condition: &Constraint) -> Option<ParamId> {
    let mut terms = condition.expr.terms();
    match (terms.next(), terms.next(), condition.expr.constant_term(), condition.relation) {
        (Some((Atom::Param(param), 1)), None, -1, Relation::NonNegative) => Some(*param),
        _ => None,
    }
}
