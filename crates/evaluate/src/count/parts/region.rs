//! A region: rows of points, with values that ascend from row to row.
//!
//! Two polynomials bound the values of each row, its *edges*. If each of them ascends or descends, then, for any x,
//!
//! - the rows with both edges ≤ x are the first or the last rows: their sums are [prefix](super::periodic::Prefix) sums;
//! - so are the rows with both edges > x, which contribute nothing;
//! - the rows between, astride x, are [searched one by one](super::rows).
//!
//! An edge may lie outside of the values of its row. This costs time only: the row may then be searched although all of its
//! values are ≤ x, or none. Few rows are searched if v changes faster from row to row than within them; the directions are chosen
//! for that.

use std::ops::Range;
use std::sync::Arc;

use symloc_quasi::{Int, Univariate};

use super::Sums;
use super::periodic::Prefix;
use super::rows::PointRows;

/// Consecutive rows of points, bounded by two edges.
#[derive(Clone, Debug)]
pub(crate) struct RowRegion {
    rows: i128,
    /// The row of `points` and of `sums` that is row 0 of the region.
    first: i128,
    points: Arc<PointRows>,
    /// The prefix sums over the rows.
    sums: Arc<Prefix>,
    smallest: Edge,
    largest: Edge,
}

/// A lower or an upper bound of the values of each row; in most cases one of the values.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    /// The bound, times `scale`.
    pub(crate) value: Univariate,
    pub(crate) scale: i128,
    pub(crate) rising: bool,
}

impl RowRegion {
    /// Creates a region of some rows, with edges that bound the values of each.
    pub(crate) fn new(
        rows: Range<i128>,
        points: Arc<PointRows>,
        sums: Arc<Prefix>,
        [smallest, largest]: [Edge; 2],
    ) -> Self {
        Self { rows: rows.end - rows.start, first: rows.start, points, sums, smallest, largest }
    }

    /// Returns the number of rows.
    pub(crate) fn rows(&self) -> i128 {
        self.rows
    }

    /// Returns a lower bound of all values, in most cases the smallest.
    pub(crate) fn low(&self) -> Int {
        self.smallest.at(if self.smallest.rising { 0 } else { self.rows - 1 }, Int::div_floor)
    }

    /// Returns an upper bound of all values, in most cases the largest.
    pub(crate) fn high(&self) -> Int {
        self.largest.at(if self.largest.rising { self.rows - 1 } else { 0 }, Int::div_ceil)
    }

    /// Returns the sums over all points.
    pub(crate) fn total(&self) -> Sums {
        self.between(0, self.rows)
    }

    /// Returns the sums over the points with values up to `x`.
    pub(crate) fn up_to(&self, x: &Int) -> Sums {
        // Rows that may have values up to x, and rows that have only such values.
        let touched = self.smallest.rows_up_to(x, self.rows);
        let full = self.largest.rows_up_to(x, self.rows);
        let mut sums = self.between(full.0, full.1);
        // An empty range of full rows lies at one end of the region, so that no row comes twice.
        self.search(touched.0, touched.1.min(full.0), x, &mut sums);
        self.search(touched.0.max(full.1), touched.1, x, &mut sums);
        sums
    }

    /// Returns the number of rows that are searched one by one for `x`.
    pub(crate) fn searched(&self, x: &Int) -> i128 {
        let (touched, full) = (self.smallest.rows_up_to(x, self.rows), self.largest.rows_up_to(x, self.rows));
        let rows = (touched.1 - touched.0) - (full.1 - full.0);
        if self.points.is_slanted(rows) { 0 } else { rows }
    }

    /// Adds the points of the rows `start ≤ t < end` with values up to `x`, which is between the edges of each of them.
    fn search(&self, start: i128, end: i128, x: &Int, sums: &mut Sums) {
        if start < end {
            let all = || self.between(start, end);
            self.points.add_up_to(self.first + start, self.first + end, x, all, sums);
        }
    }

    /// Returns the sums over the rows `start ≤ t < end`.
    fn between(&self, start: i128, end: i128) -> Sums {
        self.sums.between(self.first + start, self.first + end)
    }
}

impl Edge {
    /// Returns the bound in row t.
    pub(crate) fn at(&self, t: i128, round: fn(&Int, &Int) -> Option<Int>) -> Int {
        let value = self.value.at(t);
        if self.scale == 1 {
            return value;
        }
        round(&value, &Int::from(self.scale)).unwrap_or(value)
    }

    /// Returns the rows among `0..rows` whose bound is at most `x`: the first ones, or the last ones.
    fn rows_up_to(&self, x: &Int, rows: i128) -> (i128, i128) {
        let scaled;
        let x = match self.scale {
            1 => x,
            scale => {
                scaled = x * &Int::from(scale);
                &scaled
            }
        };
        let change = self.value.crossing(x, 0, rows, self.rising);
        if self.rising { (0, change) } else { (change, rows) }
    }
}
