//! The induction variable of a loop.

use symloc_affine::{Atom, Expr, IterId};
use symloc_frontend::arithmetic::Trouble;
use symloc_frontend::cases::Cases;

use crate::ir::ffi::Value;
use symloc_frontend::poly::Poly;

/// The induction variable of a loop: a phi, or the number of the iteration.
#[derive(Clone, Debug)]
pub(crate) struct Counter<'m> {
    /// The phi that is the iterator; `None` if iterations are counted from 0.
    pub(crate) phi: Option<Value<'m>>,
    pub(crate) start: Cases<Poly>,
    /// At least 1.
    pub(crate) step: i64,
    pub(crate) name: Option<String>,
}

/// Returns the least number that is at least `bound` and differs from `start` by a multiple of `step`.
pub(crate) fn aligned(start: &Expr, bound: &Expr, step: i64) -> Result<Expr, Trouble> {
    if step == 1 {
        return Ok(bound.clone());
    }
    let steps = bound.minus(start)?.ceil_div(step)?;
    Ok(start.add_scaled(&steps, step)?)
}

/// Splits an expression into the coefficient of an iterator and the rest; `None` if the iterator is in a floor.
pub(crate) fn split(expr: &Expr, iter: IterId) -> Option<(i64, Expr)> {
    let coefficient = expr.terms().find(|(atom, _)| **atom == Atom::Iter(iter)).map_or(0, |(_, c)| c);
    let rest = expr.add_scaled(&Expr::iter(iter), coefficient.checked_neg()?).ok()?;
    (!rest.mentions(&|atom| *atom == Atom::Iter(iter))).then_some((coefficient, rest))
}
