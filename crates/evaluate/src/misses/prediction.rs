//! The misses of all caches at one size of the program.
//!
//! A cache of C blocks misses
//!
//! - every first touch,
//! - every reuse with a known distance of at least C, and
//! - every other reuse whose interval exceeds Denning's window x* of C (see `working_set`).
//!
//! The distance of an access is the number of distinct blocks touched strictly between the previous access to its block and this
//! one, so its block is at position distance + 1 of the LRU stack. Misses by distance are exact (Mattson et al., "Evaluation
//! techniques for storage hierarchies", 1970). Denning's model is the case in which no distance is known.

use symloc_quasi::Int;

use super::curve::{MissCurve, Misses};
use super::reuses::Reuses;
use super::working_set::WorkingSet;
use crate::error::EvalError;
use crate::instance::{Instance, Totals};
use crate::invariants::check_reuses;
use crate::miss_model::MissModel;

/// The misses of all caches at one size, by one of the two miss models. These are exact for the model.
#[derive(Debug)]
pub struct Prediction {
    miss_model: MissModel,
    totals: Totals,
    /// The reuses with a known distance, by their position in the LRU stack.
    pub(super) places: Reuses,
    /// The other reuses, if there are any.
    pub(super) windowed: Option<Windowed>,
}

/// Reuses that are judged by their interval.
#[derive(Debug)]
pub(crate) struct Windowed {
    pub(crate) working_set: WorkingSet,
    /// The reuses, in LRU those whose distance is unknown; `None` if they are all reuses of the program, as in Denning's model.
    pub(crate) estimated: Option<Reuses>,
}

/// The reuses that miss in a cache.
#[derive(Debug)]
pub(super) struct Thresholds {
    /// Those that are more than so many blocks deep in the LRU stack.
    pub(super) place: Int,
    /// Of those that are judged by their interval, the ones with a longer interval; `None` if all of them hit.
    pub(super) window: Option<Int>,
}

impl Windowed {
    /// Returns the reuses.
    fn reuses(&self) -> &Reuses {
        self.estimated.as_ref().unwrap_or(&self.working_set.intervals)
    }

    /// Returns the number of reuses that miss in a cache of `blocks` blocks.
    fn misses(&self, blocks: &Int) -> Result<Int, EvalError> {
        let Some(point) = self.working_set.window(blocks)? else { return Ok(Int::ZERO) };
        match &self.estimated {
            None => Ok(self.working_set.intervals.rest(&point.data)),
            Some(reuses) => reuses.above(&point.x),
        }
    }
}

impl Prediction {
    /// Prepares all caches; the error describes the contradiction if the reuses do not add up.
    pub(crate) fn new(
        miss_model: MissModel,
        totals: Totals,
        places: Reuses,
        windowed: Option<Windowed>,
    ) -> Result<Self, String> {
        let others = windowed.as_ref().map_or(Int::ZERO, |windowed| windowed.reuses().count().clone());
        check_reuses(&(places.count() + &others), &totals.accesses, &totals.blocks)?;
        Ok(Self { miss_model, totals, places, windowed })
    }

    /// Returns the miss model.
    pub fn miss_model(&self) -> MissModel {
        self.miss_model
    }

    /// Returns the size, with the numbers of accesses and blocks.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Returns the size and the line size.
    pub fn place(&self) -> &Instance {
        &self.totals.place
    }

    /// Returns N, the number of accesses.
    pub fn accesses(&self) -> &Int {
        &self.totals.accesses
    }

    /// Returns m, the number of distinct blocks; also the number of first touches.
    pub fn blocks(&self) -> &Int {
        &self.totals.blocks
    }

    /// Returns the number of points, or rows of points, that were enumerated because no closed form was known.
    pub fn enumerated(&self) -> u64 {
        let windowed = self.windowed.as_ref();
        let intervals = windowed.map(|windowed| &windowed.working_set.intervals);
        let estimated = windowed.and_then(|windowed| windowed.estimated.as_ref());
        [Some(&self.places), intervals, estimated].into_iter().flatten().map(|reuses| reuses.values.enumerated()).sum()
    }

    /// Returns the number of reuses of an LRU prediction that are judged by their interval because their distance is unknown.
    pub fn estimated(&self) -> Int {
        let estimated = self.windowed.as_ref().and_then(|windowed| windowed.estimated.as_ref());
        estimated.map_or(Int::ZERO, |reuses| reuses.count().clone())
    }

    /// Returns the misses of a fully associative cache of `blocks` blocks.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn misses(&self, blocks: &Int) -> Result<Misses, EvalError> {
        let mut reuse = self.places.above(blocks)?;
        if let Some(windowed) = &self.windowed {
            reuse += &windowed.misses(blocks)?;
        }
        Ok(Misses { cold: self.totals.blocks.clone(), reuse })
    }

    /// Returns x*, the number of accesses for which a block stays in a cache after its last use, by Denning's model: the largest
    /// window whose working set fits in `blocks` blocks. `None` if every window fits, or if every reuse is judged by its distance.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn window(&self, blocks: &Int) -> Result<Option<Int>, EvalError> {
        let Some(windowed) = &self.windowed else { return Ok(None) };
        Ok(windowed.working_set.window(blocks)?.map(|point| point.x))
    }

    /// Returns the reuses that miss in a cache of `blocks` blocks.
    pub(super) fn thresholds(&self, blocks: &Int) -> Result<Thresholds, EvalError> {
        Ok(Thresholds { place: blocks.clone(), window: self.window(blocks)? })
    }
}

impl MissCurve for Prediction {
    fn misses(&self, blocks: &Int) -> Result<Misses, EvalError> {
        self.misses(blocks)
    }

    fn blocks(&self) -> &Int {
        self.blocks()
    }
}
