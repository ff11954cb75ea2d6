//! The orders of an answer that are worth proposing.

use symloc_advise::{Advice, AdvisedOrder, Selection};

/// An order is worth proposing if it is predicted to be this many times as fast: below that the prediction may be wrong.
pub(super) const WORTHWHILE: f64 = 1.15;

/// Returns the orders that are predicted to be faster than the program as written, the fastest first; an order that the
/// user gives, whatever is predicted.
pub(super) fn proposed(advice: &Advice) -> impl Iterator<Item = &AdvisedOrder> {
    let is_any = advice.is_given || advice.selection == Selection::Spread;
    let limit = if is_any { f64::INFINITY } else { advice.written.cost.cycles / WORTHWHILE };
    advice.candidates.iter().filter(move |candidate| candidate.cost.cycles < limit)
}
