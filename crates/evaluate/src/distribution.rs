//! The reuses of a program at one size, as histograms.

use symloc_model::IntervalKind;
use symloc_quasi::Int;

use crate::cumulative::Below;
use crate::instance::Instance;
use crate::invariants::{check_intervals, check_reuses};
use crate::miss_model::MissModel;

/// A reuse interval, or a reuse distance, with the number of accesses that have it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bin {
    /// The reuse interval, in accesses, or the reuse distance, in blocks.
    pub interval: Int,
    /// The number of accesses that have it.
    pub count: Int,
}

/// The data from which a miss model predicts, at one size and line size. In each list values ascend and occur once, with a positive
/// count. These are exact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// The miss model.
    pub miss_model: MissModel,
    /// The size and the line size.
    pub place: Instance,
    /// N, the number of accesses.
    pub accesses: Int,
    /// m, the number of distinct blocks; also the number of first touches.
    pub blocks: Int,
    /// The reuses that are judged by their distance, by distance: in LRU those whose distance is known, in Denning's model none.
    pub distances: Vec<Bin>,
    /// The reuses that are judged by their interval, by interval: in LRU those whose distance is unknown, in Denning's model all.
    pub real: Vec<Bin>,
    /// The first touches, by their imaginary interval, in Denning's model.
    pub imaginary: Vec<Bin>,
}

impl Distribution {
    /// Returns the number of reuses of LRU that are judged by their interval because their distance is unknown.
    pub fn estimated(&self) -> Int {
        match self.miss_model {
            MissModel::Denning => Int::ZERO,
            MissModel::Lru => number(&self.real),
        }
    }

    /// Checks the invariants of every program. The error describes the violation.
    pub(crate) fn check(&self) -> Result<(), String> {
        let real = number(&self.real);
        match self.miss_model {
            MissModel::Lru => check_reuses(&(&number(&self.distances) + &real), &self.accesses, &self.blocks),
            MissModel::Denning => {
                let all = self.real.iter().chain(&self.imaginary);
                let weighted = all.fold(Int::ZERO, |sum, bin| &sum + &(&bin.interval * &bin.count));
                let below = Below { count: &real + &number(&self.imaginary), real, weighted };
                check_intervals(&below, &self.accesses, &self.blocks)
            }
        }
    }
}

/// Returns the number of accesses in a histogram.
pub(crate) fn number(bins: &[Bin]) -> Int {
    bins.iter().fold(Int::ZERO, |sum, bin| &sum + &bin.count)
}

/// The histograms under construction.
#[derive(Default)]
pub(crate) struct Histograms {
    pub(crate) real: Histogram,
    pub(crate) imaginary: Histogram,
}

impl Histograms {
    pub(crate) fn of(&mut self, kind: IntervalKind) -> &mut Histogram {
        match kind {
            IntervalKind::Real => &mut self.real,
            IntervalKind::Imaginary => &mut self.imaginary,
        }
    }
}

/// A histogram under construction. Bins are in any order, and are merged whenever their number has doubled, so that many points
/// with few values need little memory.
#[derive(Default)]
pub(crate) struct Histogram {
    bins: Vec<Bin>,
    merged: usize,
}

impl Histogram {
    const SMALL: usize = 1 << 16;

    pub(crate) fn add(&mut self, interval: Int, count: Int) {
        if count.is_zero() {
            return;
        }
        self.bins.push(Bin { interval, count });
        if self.bins.len() >= Self::SMALL.max(2 * self.merged) {
            self.merge();
        }
    }

    pub(crate) fn finish(mut self) -> Vec<Bin> {
        self.merge();
        self.bins
    }

    fn merge(&mut self) {
        self.bins.sort_unstable();
        self.bins.dedup_by(|next, kept| {
            let equal = next.interval == kept.interval;
            if equal {
                kept.count += &next.count;
            }
            equal
        });
        self.merged = self.bins.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_points_with_few_values_stay_few() {
        let mut histogram = Histogram::default();
        for i in 0..1_000_000_i64 {
            histogram.add(Int::from(i % 7), Int::from(1));
            assert!(histogram.bins.len() <= Histogram::SMALL);
        }
        let bins = histogram.finish();
        assert_eq!(bins.len(), 7);
        assert_eq!(bins[3], Bin { interval: Int::from(3), count: Int::from(142_857) });
    }
}
