//! The sizes that a new order relies on.
//!
//! Sizes are at least 1: where one shifts a subscript, as k does in `A[i + k][j]`, an order may be legal for this reason alone, and the
//! new source would compute something else with k = -1.

use num_bigint::BigInt;
use symloc_affine::{Atom, Constraint, ParamId, Relation};
use symloc_isl::Context;
use symloc_schedule::Scop;
use symloc_schedule::legality::violation;

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

/// Returns the parameter of which a condition is that it is at least 1, as a size is if nothing else is known.
fn size(condition: &Constraint) -> Option<ParamId> {
    let mut terms = condition.expr.terms();
    match (terms.next(), terms.next(), condition.expr.constant_term(), condition.relation) {
        (Some((Atom::Param(param), 1)), None, -1, Relation::NonNegative) => Some(*param),
        _ => None,
    }
}
