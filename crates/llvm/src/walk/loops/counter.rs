//! The induction variable of a loop.

use symloc_affine::{Atom, Expr, IterId, LoopStep};
use symloc_frontend::arithmetic::Trouble;
use symloc_frontend::cases::{Cases, Extreme, bounds};
use symloc_frontend::poly::Poly;
use symloc_frontend::raising::Cause;
use symloc_frontend::ranges::Ranges;

use crate::ir::ffi::Value;

/// The induction variable of a loop: a phi, or the number of the iteration.
#[derive(Clone, Debug)]
pub(crate) struct Counter<'m> {
    /// The phi that is the iterator; `None` if iterations are counted from 0.
    pub(crate) phi: Option<Value<'m>>,
    pub(crate) start: Cases<Poly>,
    /// The step, at least 1.
    pub(crate) step: LoopStep,
    pub(crate) name: Option<String>,
}

impl Counter<'_> {
    /// Returns the number by which other counters are divided: the step, or 1 if it is no constant. Then others do not change.
    pub(crate) fn divisor(&self) -> i64 {
        self.step.constant().unwrap_or(1)
    }

    /// Returns true if its loop goes in steps of a parameter.
    pub(crate) fn has_tiles(&self) -> bool {
        self.step.size().is_some()
    }

    /// Returns its first value.
    pub(crate) fn first(&self) -> Result<Cases<Expr>, Cause> {
        self.start.try_map(&mut |start: &Poly| Ok::<_, Cause>(start.to_affine()?))
    }

    /// Returns the lower bounds of the iterator; the loop starts at their maximum.
    pub(crate) fn lower(&self) -> Result<Cases<Vec<Expr>>, Cause> {
        let start = self.first()?;
        match bounds(&start, Extreme::Largest) {
            Some(bounds) => Ok(Cases::Always(bounds)),
            None => start.try_map(&mut |start: &Expr| Ok::<_, Cause>(vec![start.clone()])),
        }
    }

    /// Returns the lower bounds of the iterator, if they are the same in all cases.
    pub(crate) fn known_lower(&self) -> Vec<Expr> {
        match self.lower() {
            Ok(Cases::Always(lower)) => lower,
            _ => Vec::new(),
        }
    }
}

/// Returns the least number that is at least `bound` and differs from `start` by a multiple of `step`.
pub(crate) fn aligned(start: &Expr, bound: &Expr, step: i64, ranges: &Ranges) -> Result<Expr, Trouble> {
    if step == 1 {
        return Ok(bound.clone());
    }
    let distance = bound.minus(start)?;
    if let Some(remainder) = ranges.known_remainder(&distance, step) {
        return Ok(bound.plus_constant((-remainder).rem_euclid(step))?);
    }
    Ok(start.add_scaled(&distance.ceil_div(step)?, step)?)
}

/// Splits an expression into the coefficient of an iterator and the rest; `None` if the iterator is in a floor.
pub(crate) fn split(expr: &Expr, iter: IterId) -> Option<(i64, Expr)> {
    let coefficient = expr.terms().find(|(atom, _)| **atom == Atom::Iter(iter)).map_or(0, |(_, c)| c);
    let rest = expr.add_scaled(&Expr::iter(iter), coefficient.checked_neg()?).ok()?;
    (!rest.mentions(&|atom| *atom == Atom::Iter(iter))).then_some((coefficient, rest))
}
