//! The misses of all caches at one size of the program, as one of the two models of misses tells them.

use symloc_quasi::Int;

use super::attribution::Attribution;
use super::curve::MissCurve;
use super::denning::Misses;
use super::locality::{Instance, Locality};
use super::lru::{Lru, LruAttribution};
use super::smith::Sets;
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
    /// The size and the line size.
    pub fn place(&self) -> &Instance {
        match self {
            Prediction::Denning(locality) => locality.place(),
            Prediction::Lru(lru) => lru.place(),
        }
    }

    /// N, the number of accesses.
    pub fn accesses(&self) -> &Int {
        match self {
            Prediction::Denning(locality) => locality.accesses(),
            Prediction::Lru(lru) => lru.accesses(),
        }
    }

    /// m, the number of distinct blocks; also the number of first touches.
    pub fn blocks(&self) -> &Int {
        match self {
            Prediction::Denning(locality) => locality.blocks(),
            Prediction::Lru(lru) => lru.blocks(),
        }
    }

    /// The misses of a fully associative cache of so many blocks.
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

    /// The misses of a set-associative LRU cache: an estimate, Smith's over working sets or over distances.
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

    /// How many reuses of an LRU prediction are judged by their interval, because their distance is not known.
    pub fn estimated(&self) -> Int {
        match self {
            Prediction::Denning(_) => Int::ZERO,
            Prediction::Lru(lru) => lru.estimated(),
        }
    }
}

/// The misses of each access in all caches, by the model of misses of a [`Prediction`]. They add up to its misses.
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
    /// Whose misses they are. `evaluator` is the one that made this prediction.
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
    /// How many accesses there are: as many as [`Outline::accesses`](symloc_model::Outline::accesses), in their order.
    pub fn count(&self) -> usize {
        match &self.by {
            By::Intervals(_, attribution) => attribution.shares().len(),
            By::Distances(_, attribution) => attribution.shares().len(),
        }
    }

    /// How often an access executes.
    pub fn accesses(&self, access: usize) -> &Int {
        match &self.by {
            By::Intervals(_, attribution) => attribution.shares()[access].accesses(),
            By::Distances(_, attribution) => attribution.shares()[access].accesses(),
        }
    }

    /// How many of these are the first to touch their block.
    pub fn first_touches(&self, access: usize) -> Int {
        match &self.by {
            By::Intervals(_, attribution) => attribution.shares()[access].first_touches(),
            By::Distances(_, attribution) => attribution.shares()[access].first_touches().clone(),
        }
    }

    /// How many of the reuses of an access an LRU prediction judges by their interval.
    pub fn estimated(&self, access: usize) -> Int {
        match &self.by {
            By::Intervals(..) => Int::ZERO,
            By::Distances(_, attribution) => attribution.shares()[access].estimated().clone(),
        }
    }

    /// For how many accesses after its last use a block stays in a cache by Denning's model; nothing if it stays for good,
    /// or if misses are predicted from distances.
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

    /// How many reuses of an access have an interval above `x`; nothing if misses are predicted from distances.
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

    /// The misses of each access in a fully associative cache of so many blocks, in the order of the accesses.
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
