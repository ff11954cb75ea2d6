//! The misses of all caches at one size of the program, by either of the two miss models.

use symloc_quasi::Int;

use super::attribution::Attribution;
use super::curve::MissCurve;
use super::histogram::Misses;
use super::reuses::{Lru, LruAttribution};
use super::smith::Sets;
use super::working_set::{Instance, Locality};
use crate::error::EvalError;
use crate::evaluator::Evaluator;

/// Misses from reuse intervals or from reuse distances.
#[derive(Debug)]
pub enum Prediction {
    /// Denning's recursion over reuse intervals.
    Denning(Box<Locality>),
    /// Fully associative LRU, from reuse distances.
    Lru(Box<Lru>),
}

impl Prediction {
    /// Returns the size and the line size.
    pub fn place(&self) -> &Instance {
        match self {
            Prediction::Denning(locality) => locality.place(),
            Prediction::Lru(lru) => lru.place(),
        }
    }

    /// Returns N, the number of accesses.
    pub fn accesses(&self) -> &Int {
        match self {
            Prediction::Denning(locality) => locality.accesses(),
            Prediction::Lru(lru) => lru.accesses(),
        }
    }

    /// Returns m, the number of distinct blocks; also the number of first touches.
    pub fn blocks(&self) -> &Int {
        match self {
            Prediction::Denning(locality) => locality.blocks(),
            Prediction::Lru(lru) => lru.blocks(),
        }
    }

    /// Returns the misses of a fully associative cache of `blocks` blocks.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn misses(&self, blocks: &Int) -> Result<Misses, EvalError> {
        match self {
            Prediction::Denning(locality) => locality.misses(blocks),
            Prediction::Lru(lru) => lru.misses(blocks),
        }
    }

    /// Returns an estimate of the misses of a set-associative LRU cache, by Smith's model over working sets or over distances.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn misses_in_sets(&self, cache: &Sets) -> Result<Misses, EvalError> {
        match self {
            Prediction::Denning(locality) => locality.misses_in_sets(cache),
            Prediction::Lru(lru) => lru.misses_in_sets(cache),
        }
    }

    /// Returns the number of reuses of an LRU prediction that are judged by their interval because their distance is unknown.
    pub fn estimated(&self) -> Int {
        match self {
            Prediction::Denning(_) => Int::ZERO,
            Prediction::Lru(lru) => lru.estimated(),
        }
    }
}

/// The misses of each access in all caches, by the miss model of a [`Prediction`]. They add up to its misses.
#[derive(Debug)]
pub struct PredictedShares<'p> {
    by: By<'p>,
}

#[derive(Debug)]
enum By<'p> {
    Intervals(&'p Locality, Attribution),
    Distances(&'p Lru, LruAttribution),
}

impl Prediction {
    /// Attributes the misses to accesses. `evaluator` is the one that made this prediction.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::attribution`].
    pub fn shares(&self, evaluator: &Evaluator<'_>) -> Result<PredictedShares<'_>, EvalError> {
        let sizes = self.place().sizes();
        let by = match self {
            Prediction::Denning(locality) => By::Intervals(locality, evaluator.attribution(&sizes)?),
            Prediction::Lru(lru) => match evaluator.lru_attribution(&sizes)? {
                Some(attribution) => By::Distances(lru, attribution),
                None => return Err(EvalError::NoDistances),
            },
        };
        Ok(PredictedShares { by })
    }
}

impl PredictedShares<'_> {
    /// Returns the number of accesses: that of [`Outline::accesses`](symloc_model::Outline::accesses), in whose order they are.
    pub fn count(&self) -> usize {
        match &self.by {
            By::Intervals(_, attribution) => attribution.shares().len(),
            By::Distances(_, attribution) => attribution.shares().len(),
        }
    }

    /// Returns the number of times that an access executes.
    pub fn accesses(&self, access: usize) -> &Int {
        match &self.by {
            By::Intervals(_, attribution) => attribution.shares()[access].accesses(),
            By::Distances(_, attribution) => attribution.shares()[access].accesses(),
        }
    }

    /// Returns the number of these that are the first to touch their block.
    pub fn first_touches(&self, access: usize) -> Int {
        match &self.by {
            By::Intervals(_, attribution) => attribution.shares()[access].first_touches(),
            By::Distances(_, attribution) => attribution.shares()[access].first_touches().clone(),
        }
    }

    /// Returns the number of reuses of an access that an LRU prediction judges by their interval.
    pub fn estimated(&self, access: usize) -> Int {
        match &self.by {
            By::Intervals(..) => Int::ZERO,
            By::Distances(_, attribution) => attribution.shares()[access].estimated().clone(),
        }
    }

    /// Returns the number of accesses for which a block stays in a cache after its last use, by Denning's model. `None` if it is
    /// never evicted, or if misses are predicted from distances.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn window(&self, blocks: &Int) -> Result<Option<Int>, EvalError> {
        match &self.by {
            By::Intervals(locality, _) => locality.window(blocks),
            By::Distances(..) => Ok(None),
        }
    }

    /// Returns the number of reuses of an access with an interval above `x`; `None` if misses are predicted from distances.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn above(&self, access: usize, x: &Int) -> Result<Option<Int>, EvalError> {
        match &self.by {
            By::Intervals(_, attribution) => Ok(Some(attribution.shares()[access].misses(Some(x))?.reuse)),
            By::Distances(..) => Ok(None),
        }
    }

    /// Returns the misses of each access in a fully associative cache of `blocks` blocks, in the order of the accesses.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn misses(&self, blocks: &Int) -> Result<Vec<Misses>, EvalError> {
        match &self.by {
            By::Intervals(locality, attribution) => {
                let window = locality.window(blocks)?;
                attribution.shares().iter().map(|share| share.misses(window.as_ref())).collect()
            }
            By::Distances(lru, attribution) => {
                let window = lru.window(blocks)?;
                attribution.shares().iter().map(|share| share.misses(blocks, window.as_ref())).collect()
            }
        }
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
