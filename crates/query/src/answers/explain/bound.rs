//! The distance of misses from those that no order of the same operations goes below.

use symloc_evaluate::{EvalError, Int, Prediction};
use symloc_report::answers::sentence::{NumberQuestion, Quantity, Sentence};
use symloc_report::formats::text::times;

use crate::answers::lower_bound::BoundedSize;

/// Returns the sentence about a cache of so many lines; `None` if nothing but first touches misses, or if no more than these
/// is known of any order.
pub(super) fn sentence(
    bounded: &BoundedSize<'_>,
    prediction: &Prediction,
    lines: &Int,
) -> Result<Option<Sentence>, EvalError> {
    let misses = prediction.misses(lines)?;
    if misses.reuse.is_zero() || !bounded.has_program() {
        return Ok(None);
    }
    let (bound, total) = (bounded.misses(lines), misses.total());
    let question = |measure| NumberQuestion::new(measure).lines(lines);
    let mut text = Sentence::default();
    text.words("No order of the same operations misses less than ");
    text.number(&bound, question(Quantity::Bound)).words(" times");
    if total > bound {
        text.words("; these misses are ").number(times(&total, &bound), question(Quantity::TimesBound));
        text.words(" times as many");
    }
    text.words(".");
    Ok(Some(text))
}
