//! The lines that caches write back.

use symloc_quasi::Int;

use super::prediction::{Prediction, Thresholds};
use super::reuses::Reuses;
use crate::error::EvalError;

/// The writes of a program at one size, by the longest reuse up to the next write to their block, or up to the end.
#[derive(Debug)]
pub struct WriteReuses {
    /// By the position in the LRU stack, if they are known by distance.
    pub(crate) places: Reuses,
    /// By the interval, if they are not.
    pub(crate) intervals: Reuses,
}

impl WriteReuses {
    /// Returns the number of writes.
    pub fn count(&self) -> Int {
        self.places.count() + self.intervals.count()
    }

    /// Returns the number of blocks that a cache of `blocks` blocks writes back; those that it still holds at the end are
    /// not among them. `prediction` is that of the same program at the same size, by the same model.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn write_backs(&self, prediction: &Prediction, blocks: &Int) -> Result<Int, EvalError> {
        let Thresholds { place, window } = prediction.thresholds(blocks)?;
        let by_interval = window.map_or(Ok(Int::ZERO), |window| self.intervals.above(&window))?;
        Ok(&self.places.above(&place)? + &by_interval)
    }
}
