//! Reuse intervals under infinite repeat.
//!
//! The interval of an access t is `rank(t) − rank(prev(t))`, with prev(t) the previous access to the same block. A first
//! touch has no prev; if the trace is repeated for ever, its prev is the block's last access in the run before, so its
//! *imaginary* interval is `N + rank(t) − rank(last)`. Source: docs/mathematics.md, "First touches and imaginary reuse",
//! after Zhu et al., "Fully Symbolic Analysis of Loop Locality", section 3.4.
//!
//! The intervals of one block add up to N, those of the trace to N times the number of blocks (RI sum invariance).

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::error::SimError;
use crate::trace::Trace;

/// The histogram of reuse intervals.
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

/// The first and the latest access to a block.
pub(crate) struct Life {
    /// The rank of the first access to it, and the index of that access.
    pub(crate) first: u64,
    pub(crate) toucher: usize,
    /// The rank of the latest access to it.
    pub(crate) latest: u64,
}

impl Life {
    /// Returns the imaginary interval after a run of `accesses` accesses.
    fn interval(&self, accesses: u64) -> u64 {
        accesses + self.first - self.latest
    }

    /// Returns the imaginary intervals after a run of `accesses` accesses.
    pub(crate) fn imaginary(lives: &[Life], accesses: u64) -> BTreeMap<u64, u64> {
        let mut imaginary = BTreeMap::new();
        for life in lives {
            *imaginary.entry(life.interval(accesses)).or_insert(0) += 1;
        }
        imaginary
    }
}

impl IntervalHistogram {
    /// Measures the histogram of a trace.
    ///
    /// # Errors
    ///
    /// As for [`Trace::for_each`].
    pub fn of(trace: &Trace<'_>) -> Result<Self, SimError> {
        let mut all = Self::default();
        for one in Self::by_access(trace)? {
            all.accesses += one.accesses;
            all.blocks += one.blocks;
            for (sum, intervals) in [(&mut all.real, one.real), (&mut all.imaginary, one.imaginary)] {
                for (interval, count) in intervals {
                    *sum.entry(interval).or_insert(0) += count;
                }
            }
        }
        Ok(all)
    }

    /// Measures the histograms of each static access, in the order of the program's table. Their numbers of blocks count the
    /// blocks that the access is the first to touch.
    ///
    /// # Errors
    ///
    /// As for [`Trace::for_each`].
    pub fn by_access(trace: &Trace<'_>) -> Result<Vec<Self>, SimError> {
        let accesses = trace.program().accesses.len();
        let mut histograms = vec![Self::default(); accesses];
        let mut real = vec![FxHashMap::default(); accesses];
        let mut lives: Vec<Life> = Vec::new();
        let mut rank = 0;
        trace.for_each(|access, block| {
            let access = access.index();
            histograms[access].accesses += 1;
            match lives.get_mut(block.index()) {
                Some(life) => {
                    *real[access].entry(rank - life.latest).or_insert(0) += 1;
                    life.latest = rank;
                }
                None => lives.push(Life { first: rank, toucher: access, latest: rank }),
            }
            rank += 1;
        })?;
        for (histogram, real) in histograms.iter_mut().zip(real) {
            histogram.real = real.into_iter().collect();
        }
        for life in &lives {
            let histogram = &mut histograms[life.toucher];
            histogram.blocks += 1;
            *histogram.imaginary.entry(life.interval(rank)).or_insert(0) += 1;
        }
        Ok(histograms)
    }
}
