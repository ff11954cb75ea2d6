//! The orders of an answer that are worth proposing.

use symloc_advise::{Advice, AdvisedOrder};

/// An order is worth proposing if it is predicted to be this many times as fast: below that the prediction may be wrong.
pub(super) const WORTHWHILE: f64 = 1.15;

/// Returns the orders that are predicted to be faster than the program as written, the fastest first; an order that the
/// user gives, whatever is predicted.
pub(super) fn proposed(advice: &Advice) -> impl Iterator<Item = &AdvisedOrder> {
    let limit = if advice.is_given { f64::INFINITY } else { advice.written.cost.cycles / WORTHWHILE };
    advice.candidates.iter().filter(move |candidate| candidate.cost.cycles < limit)
}
