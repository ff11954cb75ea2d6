//! Misses on lines that another thread has written since.

use symloc_quasi::Int;

use super::prediction::{Prediction, Thresholds};
use super::reuses::Reuses;
use crate::error::EvalError;

/// The reuses of one thread at one size before which another thread wrote the line.
#[derive(Debug)]
pub struct InvalidatedReuses {
    /// Those with a known distance, by their position in the LRU stack.
    pub(crate) places: Reuses,
    /// The others, by their interval.
    pub(crate) intervals: Reuses,
}

impl InvalidatedReuses {
    /// Returns the number of them that would hit in a cache of `blocks` blocks, and miss because the line is invalid.
    /// `prediction` is that of the same thread at the same size, by the same model.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn misses(&self, prediction: &Prediction, blocks: &Int) -> Result<Int, EvalError> {
        let Thresholds { place, window } = prediction.thresholds(blocks)?;
        let within = |reuses: &Reuses, most: &Int| Ok::<_, EvalError>(reuses.count() - &reuses.above(most)?);
        let intervals = match window {
            Some(window) => within(&self.intervals, &window)?,
            None => self.intervals.count().clone(),
        };
        Ok(&within(&self.places, &place)? + &intervals)
    }
}
