//! Reuse intervals under infinite repeat.
//!
//! The interval of an access t is `rank(t) − rank(prev(t))`, with prev(t) the previous access to the same block. A first
//! touch has no prev; if the trace is repeated for ever, its prev is the block's last access in the run before, so its
//! *imaginary* interval is `N + rank(t) − rank(last)`. Source: DESIGN.md section 2, after Zhu et al., "Fully Symbolic
//! Analysis of Loop Locality".
//!
//! The intervals of one block add up to N, those of the trace to N times the number of blocks (RI sum invariance).

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::error::SimError;
use crate::trace::Trace;

/// How often each reuse interval occurs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IntervalHistogram {
    /// The number of accesses, N.
    pub accesses: u64,
    /// The number of distinct blocks, m; also of first touches.
    pub blocks: u64,
    /// From each interval of accesses that are no first touches to their number.
    pub real: BTreeMap<u64, u64>,
    /// From each interval of first touches to their number.
    pub imaginary: BTreeMap<u64, u64>,
}

/// The ranks of a block's first and latest access.
pub(crate) struct Life {
    pub(crate) first: u64,
    pub(crate) latest: u64,
}

impl Life {
    /// The imaginary intervals after a run of so many accesses.
    pub(crate) fn imaginary(lives: &[Life], accesses: u64) -> BTreeMap<u64, u64> {
        let mut imaginary = BTreeMap::new();
        for life in lives {
            *imaginary.entry(accesses + life.first - life.latest).or_insert(0) += 1;
        }
        imaginary
    }
}

impl IntervalHistogram {
    /// The histogram of a trace.
    pub fn of(trace: &Trace<'_>) -> Result<Self, SimError> {
        let mut lives: Vec<Life> = Vec::new();
        let mut real = FxHashMap::default();
        let mut rank = 0;
        trace.for_each(|_, block| {
            match lives.get_mut(block.index()) {
                Some(life) => {
                    *real.entry(rank - life.latest).or_insert(0) += 1;
                    life.latest = rank;
                }
                None => lives.push(Life { first: rank, latest: rank }),
            }
            rank += 1;
        })?;
        let imaginary = Life::imaginary(&lives, rank);
        Ok(Self { accesses: rank, blocks: lives.len() as u64, real: real.into_iter().collect(), imaginary })
    }
}
