//! The misses of all caches at one size of the program, as one of the two models of misses tells them.

use symloc_quasi::Int;

use crate::curve::MissCurve;
use crate::denning::Misses;
use crate::locality::{Locality, Place};
use crate::lru::Lru;
use crate::smith::Sets;

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
    pub fn place(&self) -> &Place {
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
    pub fn misses(&self, blocks: &Int) -> Misses {
        match self {
            Prediction::Denning(locality) => locality.misses(blocks),
            Prediction::Lru(lru) => lru.misses(blocks),
        }
    }

    /// The misses of a set-associative LRU cache: an estimate, Smith's over working sets or over distances.
    pub fn misses_in_sets(&self, cache: &Sets) -> Misses {
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

impl MissCurve for Prediction {
    fn misses(&self, blocks: &Int) -> Misses {
        self.misses(blocks)
    }

    fn blocks(&self) -> &Int {
        self.blocks()
    }
}
