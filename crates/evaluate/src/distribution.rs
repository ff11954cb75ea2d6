//! The reuse intervals of a program at one size, as a histogram.

use symloc_quasi::Int;

use symloc_model::IntervalKind;

/// A reuse interval with the number of accesses that have it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bin {
    /// The reuse interval, in accesses.
    pub interval: Int,
    /// The number of accesses that have it.
    pub count: Int,
}

/// All reuse intervals at one size and line size. These are exact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// The size.
    pub parameters: Vec<(String, i128)>,
    /// Bytes per cache line, if all arrays agree on them.
    pub line_bytes: Option<u64>,
    /// True if a line holds one element of each array.
    pub element: bool,
    /// N, the number of accesses.
    pub accesses: Int,
    /// m, the number of distinct blocks; also the number of first touches.
    pub blocks: Int,
    /// The real reuses, by ascending interval; every interval occurs once, with a positive count.
    pub real: Vec<Bin>,
    /// The first touches by their imaginary interval: ascending, each once, with a positive count.
    pub imaginary: Vec<Bin>,
}

impl Distribution {
    /// Checks the invariants of every program: each access is in one class, each block has one first touch, and the intervals,
    /// imaginary ones included, sum to N·m (RI sum invariance). The error describes the violation.
    pub(crate) fn check(&self) -> Result<(), String> {
        let (real, imaginary) = (Totals::of(&self.real), Totals::of(&self.imaginary));
        let accesses = &real.accesses + &imaginary.accesses;
        if accesses != self.accesses {
            return Err(format!("the classes hold {accesses} accesses, the program makes {}", self.accesses));
        }
        if imaginary.accesses != self.blocks {
            return Err(format!("{} first touches of {} blocks", imaginary.accesses, self.blocks));
        }
        let (sum, expected) = (&real.intervals + &imaginary.intervals, &self.accesses * &self.blocks);
        if sum != expected {
            return Err(format!("the reuse intervals sum to {sum}, accesses times blocks is {expected}"));
        }
        Ok(())
    }
}

struct Totals {
    accesses: Int,
    intervals: Int,
}

impl Totals {
    fn of(bins: &[Bin]) -> Self {
        let mut totals = Totals { accesses: Int::ZERO, intervals: Int::ZERO };
        for bin in bins {
            totals.accesses += &bin.count;
            totals.intervals += &(&bin.interval * &bin.count);
        }
        totals
    }
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
