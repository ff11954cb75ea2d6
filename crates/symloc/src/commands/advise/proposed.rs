//! The orders of an answer that are worth proposing, and the one whose source is wanted.

use symloc_advise::run::Measured;
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

/// Returns the place of the order whose source is wanted: the one that the user gives, or the fastest, unless the program
/// as written is.
pub(super) fn chosen(advice: &Advice, measured: &[Measured], orders: usize) -> Option<usize> {
    if advice.is_given && measured.iter().all(Measured::is_equal) {
        return (orders > 0).then_some(0);
    }
    fastest(measured).unwrap_or(usize::from(orders > 0)).checked_sub(1)
}

/// Returns the place of the fastest program with equal results, with the one as written at 0.
pub(super) fn fastest(measured: &[Measured]) -> Option<usize> {
    let equal = measured.iter().enumerate().filter(|(_, measured)| measured.is_equal());
    equal.min_by(|(_, a), (_, b)| a.seconds.total_cmp(&b.seconds)).map(|(place, _)| place)
}
