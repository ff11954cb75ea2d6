//! The order of an answer whose source is wanted.

use symloc_advise::Advice;
use symloc_advise::run::Measured;

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
