//! Attributes accesses and misses to the accesses of the program.
//!
//! Every piece of a count belongs to one access of the program and, unless it counts first touches, to one previous access.
//! The window x* of a cache is that of all accesses together; each access misses its own first touches and its own reuses with RI
//! > x*, so their misses add up to those of the program.

use std::sync::Arc;

use symloc_model::Outline;
use symloc_quasi::Int;

use super::histogram::Misses;
use crate::count::Parts;
use crate::cumulative::{Cumulative, Limit};
use crate::error::EvalError;

/// The reuse intervals of each access at one size. These are exact.
#[derive(Debug)]
pub struct Attribution {
    shares: Vec<Share>,
    blocks: Vec<Int>,
}

/// The reuse intervals of one access.
#[derive(Debug)]
pub struct Share {
    accesses: Int,
    real: Int,
    intervals: Cumulative,
}

impl Attribution {
    /// Creates the attribution; checks that the accesses add up, and that the first touches of each array are its blocks.
    pub(crate) fn new(
        program: &Outline,
        parts: Vec<Parts>,
        accesses: &Int,
        blocks: Vec<Int>,
        limit: &Arc<Limit>,
    ) -> Result<Self, String> {
        let shares: Vec<Share> = parts.into_iter().map(|parts| Share::new(parts, limit)).collect();
        let all = shares.iter().fold(Int::ZERO, |sum, share| &sum + &share.accesses);
        if all != *accesses {
            return Err(format!("its accesses execute {all} times, the program makes {accesses} accesses"));
        }
        let mut touches = vec![Int::ZERO; blocks.len()];
        for (access, share) in program.accesses.iter().zip(&shares) {
            touches[access.array] += &share.first_touches();
        }
        match program.arrays.iter().zip(touches.iter().zip(&blocks)).find(|(_, (touches, blocks))| touches != blocks) {
            Some((array, (touches, blocks))) => {
                Err(format!("{touches} first touches of {blocks} blocks of {}", array.name))
            }
            None => Ok(Self { shares, blocks }),
        }
    }

    /// Returns the shares of the accesses, in the order of [`Outline::accesses`].
    pub fn shares(&self) -> &[Share] {
        &self.shares
    }

    /// Returns m of each array, the number of its distinct blocks, in the order of [`Outline::arrays`].
    pub fn blocks(&self) -> &[Int] {
        &self.blocks
    }
}

impl Share {
    pub(crate) fn new(parts: Parts, limit: &Arc<Limit>) -> Self {
        let intervals = Cumulative::new(parts, limit);
        let all = intervals.all();
        Self { accesses: all.count, real: all.real, intervals }
    }

    /// Returns the number of times that the access executes.
    pub fn accesses(&self) -> &Int {
        &self.accesses
    }

    /// Returns the number of these that are the first to touch their block.
    pub fn first_touches(&self) -> Int {
        &self.accesses - &self.real
    }

    /// Returns the misses in a cache with the window x* of [`Locality::window`](crate::Locality::window).
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn misses(&self, window: Option<&Int>) -> Result<Misses, EvalError> {
        let reuse = match window {
            Some(window) => &self.real - &self.intervals.below(window)?.real,
            None => Int::ZERO,
        };
        Ok(Misses { cold: self.first_touches(), reuse })
    }
}
