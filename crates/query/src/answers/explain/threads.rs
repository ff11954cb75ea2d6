//! The number of threads from which on the part of each fits in its cache.

use symloc_evaluate::{EvalError, Evaluator, Int};
use symloc_model::NamedSizes;
use symloc_report::MissModel;
use symloc_report::answers::sentence::{NumberQuestion, Quantity, Sentence};

/// The most threads that are tried.
const MOST: u64 = 1024;

/// The program of one thread of several, at one size.
#[derive(Clone, Copy, Debug)]
pub struct ThreadPart<'t> {
    /// The model with the parameters of threads.
    pub evaluator: &'t Evaluator<'t>,
    /// The size, without these parameters.
    pub sizes: &'t NamedSizes,
    /// The miss model.
    pub miss_model: MissModel,
}

impl ThreadPart<'_> {
    /// Returns the sentence about the number of threads with which all misses of each in a cache of `lines` lines are first
    /// touches; `None` if one thread suffices, or too many do not.
    pub(super) fn sentence(&self, lines: &Int) -> Result<Option<Sentence>, EvalError> {
        if self.fits(1, lines)? {
            return Ok(None);
        }
        let mut count = 2;
        while !self.fits(count, lines)? {
            count *= 2;
            if count > MOST {
                return Ok(None);
            }
        }
        let (mut too_few, mut enough) = (count / 2, count);
        while enough - too_few > 1 {
            let middle = too_few.midpoint(enough);
            if self.fits(middle, lines)? { enough = middle } else { too_few = middle }
        }
        let mut text = Sentence::default();
        let question = || NumberQuestion::new(Quantity::Threads).lines(lines);
        text.words("With ").number(Int::from(enough), question());
        text.words(
            " threads, each with such a cache of its own, all that a thread misses by itself are first touches; with ",
        );
        text.number(Int::from(too_few), question()).words(if too_few == 1 { " they are not all." } else { " not." });
        Ok(Some(text))
    }

    /// Returns true if no thread of `count` misses a reuse.
    fn fits(&self, count: u64, lines: &Int) -> Result<bool, EvalError> {
        for number in 0..count {
            let at = self.evaluator.model().on_thread(self.sizes, number, count)?;
            if !self.evaluator.predict(self.miss_model, &at)?.misses(lines)?.reuse.is_zero() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
