//! Monotone runs: points in a row whose values ascend or descend.
//!
//! Along a row of points t = 0, 1, … the value v is a polynomial and the count c [periodic](super::periodic). While v keeps its
//! direction, the points with v ≤ x are the first or the last ones: one search in v finds their number, and prefix sums of c and
//! of v·c give their sums.

use std::sync::Arc;

use symloc_quasi::{Int, Univariate, univariate};

use super::Sums;
use super::periodic::{Periodic, Prefix};

/// v and c along a row of points.
#[derive(Clone, Debug)]
pub(crate) struct PointRow {
    pub(crate) length: i128,
    pub(crate) value: Univariate,
    pub(crate) count: Periodic<1>,
}

impl PointRow {
    /// Splits the row into runs in which v keeps its direction.
    pub(crate) fn runs(&self) -> impl Iterator<Item = RowRun> {
        let sums = |t| {
            let [count] = self.count.at(t);
            Sums { weighted: &count * &self.value.at(t), count }
        };
        let degree = self.count.degree() + self.value.degree();
        let sums = Arc::new(Prefix::new(self.count.period(), degree, self.length, sums));
        let run = move |univariate::Run { start, end, rising }| RowRun {
            start,
            end,
            rising,
            value: self.value.clone(),
            sums: Arc::clone(&sums),
        };
        self.value.monotone_runs(self.length).into_iter().map(run)
    }
}

/// The points `start ≤ t < end` of a row, with values of one direction.
#[derive(Clone, Debug)]
pub(crate) struct RowRun {
    start: i128,
    end: i128,
    rising: bool,
    value: Univariate,
    /// Prefix sums over the whole row.
    sums: Arc<Prefix>,
}

impl RowRun {
    /// Returns the smallest value.
    pub(crate) fn low(&self) -> Int {
        self.value.at(if self.rising { self.start } else { self.end - 1 })
    }

    /// Returns the largest value.
    pub(crate) fn high(&self) -> Int {
        self.value.at(if self.rising { self.end - 1 } else { self.start })
    }

    /// Returns the sums over the points with values up to `x`.
    pub(crate) fn up_to(&self, x: &Int) -> Sums {
        let change = self.value.crossing(x, self.start, self.end, self.rising);
        match self.rising {
            true => self.sums.between(self.start, change),
            false => self.sums.between(change, self.end),
        }
    }

    /// Returns the sums over all points.
    pub(crate) fn total(&self) -> Sums {
        self.sums.between(self.start, self.end)
    }

    /// Returns the number of points.
    pub(crate) fn length(&self) -> i128 {
        self.end - self.start
    }

    /// Returns the value and the count of every point.
    pub(crate) fn points(&self) -> impl Iterator<Item = (Int, Int)> {
        (self.start..self.end).map(|t| (self.value.at(t), self.sums.between(t, t + 1).count))
    }
}
