//! Attributes accesses and misses to the accesses of the program.
//!
//! Every piece of a count belongs to one access of the program and, unless it counts first touches, to one previous access. The
//! window x* of a cache is that of all accesses together; each access misses its own first touches and those of its own reuses that
//! are beyond the cache's thresholds, so their misses add up to those of the program.

use std::sync::Arc;

use symloc_model::Outline;
use symloc_quasi::Int;

use super::curve::Misses;
use super::prediction::{Prediction, Thresholds};
use super::reuses::Reuses;
use crate::count::Parts;
use crate::cumulative::Limit;
use crate::error::EvalError;
use crate::invariants::check_reuses;
use crate::miss_model::MissModel;

/// The misses of each access in all caches, by the miss model of a [`Prediction`]. They add up to its misses.
#[derive(Debug)]
pub struct Attribution<'p> {
    prediction: &'p Prediction,
    shares: Vec<Share>,
    blocks: Vec<Int>,
}

/// The reuses of one access.
#[derive(Debug)]
pub(crate) struct Share {
    accesses: Int,
    first_touches: Int,
    /// Those with a known distance, by their position in the LRU stack.
    places: Reuses,
    /// The others, by their interval.
    intervals: Reuses,
}

impl Share {
    /// Creates a share from all intervals of an access.
    pub(crate) fn new(intervals: Parts, limit: &Arc<Limit>) -> Self {
        let intervals = Reuses::new(intervals, limit);
        let all = intervals.values.all();
        let first_touches = &all.count - &all.real;
        Self { accesses: all.count, first_touches, places: Reuses::new(Parts::default(), limit), intervals }
    }

    /// Judges the share's reuses by their distance, except for some; checks that there are as many.
    pub(crate) fn by_distance(self, places: Parts, intervals: Parts, limit: &Arc<Limit>) -> Result<Self, String> {
        let (places, intervals) = (Reuses::new(places, limit), Reuses::new(intervals, limit));
        check_reuses(&(places.count() + intervals.count()), &self.accesses, &self.first_touches)?;
        Ok(Self { places, intervals, ..self })
    }

    /// Returns the number of executions of the access.
    pub(crate) fn accesses(&self) -> &Int {
        &self.accesses
    }

    fn misses(&self, thresholds: &Thresholds) -> Result<Misses, EvalError> {
        let mut reuse = self.places.above(&thresholds.place)?;
        if let Some(window) = &thresholds.window {
            reuse += &self.intervals.above(window)?;
        }
        Ok(Misses { cold: self.first_touches.clone(), reuse })
    }
}

/// Checks that the accesses add up, and that the first touches of each array are its blocks.
pub(crate) fn check_shares(shares: &[Share], program: &Outline, accesses: &Int, blocks: &[Int]) -> Result<(), String> {
    let all = shares.iter().fold(Int::ZERO, |sum, share| &sum + &share.accesses);
    if all != *accesses {
        return Err(format!("its accesses execute {all} times, the program makes {accesses} accesses"));
    }
    let mut touches = vec![Int::ZERO; blocks.len()];
    for (access, share) in program.accesses.iter().zip(shares) {
        touches[access.array] += &share.first_touches;
    }
    match program.arrays.iter().zip(touches.iter().zip(blocks)).find(|(_, (touches, blocks))| touches != blocks) {
        Some((array, (touches, blocks))) => {
            Err(format!("{touches} first touches of {blocks} blocks of {}", array.name))
        }
        None => Ok(()),
    }
}

impl<'p> Attribution<'p> {
    pub(crate) fn new(prediction: &'p Prediction, shares: Vec<Share>, blocks: Vec<Int>) -> Self {
        Self { prediction, shares, blocks }
    }

    /// Returns the number of accesses: that of [`Outline::accesses`], in whose order they are.
    pub fn count(&self) -> usize {
        self.shares.len()
    }

    /// Returns m of each array, the number of its distinct blocks, in the order of [`Outline::arrays`].
    pub fn blocks(&self) -> &[Int] {
        &self.blocks
    }

    /// Returns the number of times that an access executes.
    pub fn accesses(&self, access: usize) -> &Int {
        &self.shares[access].accesses
    }

    /// Returns the number of these that are the first to touch their block.
    pub fn first_touches(&self, access: usize) -> Int {
        self.shares[access].first_touches.clone()
    }

    /// Returns the number of reuses of an access that an LRU prediction judges by their interval.
    pub fn estimated(&self, access: usize) -> Int {
        match self.prediction.miss_model() {
            MissModel::Denning => Int::ZERO,
            MissModel::Lru => self.shares[access].intervals.count().clone(),
        }
    }

    /// Returns the number of those reuses of an access that are judged by their interval whose interval is above `x`.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn above(&self, access: usize, x: &Int) -> Result<Int, EvalError> {
        self.shares[access].intervals.above(x)
    }

    /// Returns the misses of each access in a fully associative cache of `blocks` blocks, in the order of the accesses.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn misses(&self, blocks: &Int) -> Result<Vec<Misses>, EvalError> {
        let thresholds = self.prediction.thresholds(blocks)?;
        self.shares.iter().map(|share| share.misses(&thresholds)).collect()
    }
}
