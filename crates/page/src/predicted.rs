//! A program at a size, on one thread or on several.

use symloc_evaluate::{EvalError, Evaluator, Int, MissModel, Misses, OneThread, Prediction, ThreadSum};
use symloc_model::{Model, NamedSizes};
use symloc_report::answers::misses::ThreadMisses;

/// A program at a size.
#[derive(Debug)]
pub(crate) struct PredictedCase {
    /// On one thread.
    pub(crate) whole: Prediction,
    /// On each of several threads; empty if there is one.
    pub(crate) threads: Vec<OneThread>,
}

impl PredictedCase {
    /// Prepares each of `count` threads.
    pub(crate) fn threads(
        evaluator: &Evaluator<'_>,
        miss_model: MissModel,
        sizes: &NamedSizes,
        count: u64,
    ) -> Result<Vec<OneThread>, EvalError> {
        evaluator.threads(miss_model, sizes, 0..count, count)
    }

    /// Returns the misses of caches of `blocks` blocks, one for each thread if there are several.
    pub(crate) fn misses(&self, blocks: &Int) -> Result<(Misses, Option<ThreadMisses>), EvalError> {
        if self.threads.is_empty() {
            return Ok((self.whole.misses(blocks)?, None));
        }
        let ThreadSum { misses, by_thread, coherence } =
            ThreadSum::new(&self.threads, blocks, |one| one.misses(blocks))?;
        Ok((misses, Some(ThreadMisses { by_thread, coherence, ..ThreadMisses::default() })))
    }

    /// Returns the lines that threads share falsely, by array; `None` if they are not known, or for one thread.
    pub(crate) fn falsely_shared(&self, model: &Model) -> Result<Option<Vec<(String, Int)>>, EvalError> {
        if self.threads.is_empty() {
            return Ok(None);
        }
        let Some(lines) = OneThread::falsely_shared_by(&self.threads) else { return Ok(None) };
        let named = model.outline()?.arrays.iter().map(|array| array.name.clone()).zip(lines);
        Ok(Some(named.filter(|(_, count)| !count.is_zero()).collect()))
    }

    /// Returns the number of reuses that are estimated.
    pub(crate) fn estimated(&self) -> Int {
        self.parts().iter().fold(Int::ZERO, |sum, one| &sum + &one.estimated())
    }

    /// Returns the predictions whose misses add up.
    pub(crate) fn parts(&self) -> Vec<&Prediction> {
        match self.threads.as_slice() {
            [] => vec![&self.whole],
            threads => threads.iter().map(|thread| &thread.prediction).collect(),
        }
    }
}
