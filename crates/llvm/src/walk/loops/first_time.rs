//! The first iteration in which a condition on the iterator holds.

use symloc_affine::{Constraint, Expr, IterId, Relation};
use symloc_frontend::cases::{Cases, Extreme};
use symloc_frontend::poly::Poly;
use symloc_frontend::raising::Cause;
use symloc_frontend::ranges::Ranges;

use crate::walk::loops::counter::{aligned, split};
use crate::walk::loops::ways_out::mentions;

/// Returns the first iteration from `start` on in which a conjunction holds; `None` where it never holds.
pub(super) fn first_time(
    condition: &[Constraint],
    start: &Expr,
    iter: IterId,
    step: i64,
    ranges: &Ranges,
) -> Result<Cases<Option<Expr>>, Cause> {
    let (on_iterator, free): (Vec<&Constraint>, Vec<&Constraint>) = condition.iter().partition(|c| mentions(c, iter));
    let first = match on_iterator.as_slice() {
        [] => Cases::Always(Some(start.clone())),
        [only] => first_time_of_one(only, start, iter, step, ranges)?,
        several if several.iter().all(|c| c.relation == Relation::NonNegative) => {
            first_time_of_all(several, start, iter, step, ranges)?
        }
        _ => {
            return Err(Cause::hinted(
                "it is left under several conditions on its counter",
                "leave it by one comparison",
            ));
        }
    };
    match free.is_empty() {
        true => Ok(first),
        false => Ok(Cases::when(free.into_iter().cloned().collect(), first, Cases::Always(None))),
    }
}

/// Returns the first iteration in which several values are not negative: the first one in which those that grow are not
/// negative, if those that shrink are not negative there either.
fn first_time_of_all(
    conditions: &[&Constraint],
    start: &Expr,
    iter: IterId,
    step: i64,
    ranges: &Ranges,
) -> Result<Cases<Option<Expr>>, Cause> {
    let (mut from, mut shrinking) = (vec![start.clone()], Vec::new());
    for condition in conditions {
        match split(&condition.expr, iter).ok_or_else(not_linear)? {
            (coefficient @ 1.., rest) => {
                from.push(aligned(start, &rest.times(-1)?.ceil_div(coefficient)?, step, ranges)?);
            }
            shrinks => shrinking.push(shrinks),
        }
    }
    ranges.extreme(Extreme::Largest, &from)?.and_then(&mut |first: &Expr| {
        let mut found = Cases::Always(Some(first.clone()));
        for (coefficient, rest) in &shrinking {
            let still = ranges.holds(Constraint::non_negative(rest.add_scaled(first, *coefficient)?));
            found = still
                .and_then(&mut |&still| Ok::<_, Cause>(if still { found.clone() } else { Cases::Always(None) }))?;
        }
        Ok(found)
    })
}

fn first_time_of_one(
    constraint: &Constraint,
    start: &Expr,
    iter: IterId,
    step: i64,
    ranges: &Ranges,
) -> Result<Cases<Option<Expr>>, Cause> {
    let (coefficient, rest) = split(&constraint.expr, iter).ok_or_else(not_linear)?;
    let at_start = rest.add_scaled(start, coefficient)?;
    let when = |condition: Constraint, then: Expr, otherwise: Option<Expr>| {
        ranges
            .holds(condition)
            .try_map(&mut |&holds| Ok::<_, Cause>(if holds { Some(then.clone()) } else { otherwise.clone() }))
    };
    match (constraint.relation, coefficient) {
        (Relation::NonNegative, 1..) => {
            let bound = rest.times(-1)?.ceil_div(coefficient)?;
            let late = Constraint::non_negative(bound.minus(start)?);
            when(late, bound, Some(start.clone()))
        }
        (Relation::NonNegative, _) => when(Constraint::non_negative(at_start), start.clone(), None),
        (Relation::Zero, _) => {
            let bound = meeting(constraint, iter)?;
            let distance = bound.minus(start)?;
            let meets = ranges.holds(Constraint::zero(distance.modulo(step)?));
            let reached = when(Constraint::non_negative(distance), bound, None)?;
            meets.and_then(&mut |&meets| Ok::<_, Cause>(if meets { reached.clone() } else { Cases::Always(None) }))
        }
    }
}

/// Returns the iteration in which an equality holds.
pub(super) fn meeting(equality: &Constraint, iter: IterId) -> Result<Expr, Cause> {
    let (coefficient, rest) = split(&equality.expr, iter).ok_or_else(not_linear)?;
    exact(&rest, coefficient).ok_or_else(not_linear)
}

/// Returns the x at which `coefficient·x + rest` is zero, if its coefficients are integers.
pub(super) fn exact(rest: &Expr, coefficient: i64) -> Option<Expr> {
    let negated = rest.times(if coefficient > 0 { -1 } else { 1 }).ok()?;
    Poly::from(negated).divided(coefficient.abs())?.affine()
}

pub(super) fn not_linear() -> Cause {
    Cause::hinted(
        "the condition that ends it is not linear in its counter",
        "compare the counter with its end directly",
    )
}
