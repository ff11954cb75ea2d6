//! A region: rows of points, with values that ascend from row to row.
//!
//! A region consists of [strands](super::strand), which have the same number of rows; row t of the region is row t of all of them.
//! Two polynomials bound the values of each row, its *edges*. If each of them ascends or descends, then, for any x,
//!
//! - the rows with both edges ≤ x are the first or the last so many: their sums are [prefix](super::prefix) sums;
//! - so are the rows with both edges > x, which contribute nothing;
//! - the rows between are searched one by one.
//!
//! An edge may lie outside of the values of its row, which costs time only: the row may be searched although all of its values
//! are ≤ x, or none. Few rows are searched if v changes faster from row to row than within them; this is how the directions
//! are chosen.

use symloc_quasi::{Int, Univariate};

use super::Sums;
use super::bundle::Bundle;
use super::lanes::Lanes;
use super::prefix::Prefix;
use super::ramps::Word;
use super::strand::Strand;

/// Rows of points.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    rows: i128,
    strands: Vec<Strand>,
    /// The first so many strands in floating point.
    quick: usize,
    bundle: Bundle,
    /// The sums over the rows before each.
    sums: Prefix,
    smallest: Edge,
    largest: Edge,
}

/// A bound of the values of each row, from below or from above, and mostly one of them.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    /// The bound, so many times.
    pub(super) value: Univariate,
    pub(super) scale: i128,
    pub(super) rising: bool,
}

impl Region {
    /// The first rows of some strands, with edges that bound the values of each.
    pub(super) fn new(rows: i128, mut strands: Vec<Strand>, sums: Prefix, [smallest, largest]: [Edge; 2]) -> Self {
        strands.sort_by_key(|strand| strand.lanes().is_none());
        let lanes: Vec<Lanes> = strands.iter().map_while(Strand::lanes).collect();
        let (quick, bundle) = (lanes.len(), Bundle::new(lanes));
        Self { rows, strands, quick, bundle, sums, smallest, largest }
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> i128 {
        self.rows
    }

    /// How many strands there are.
    pub(super) fn strands(&self) -> usize {
        self.strands.len()
    }

    /// The lower and the upper one.
    pub(super) fn edges(&self) -> (&Edge, &Edge) {
        (&self.smallest, &self.largest)
    }

    /// The sums over the rows before each.
    pub(super) fn sums(&self) -> &Prefix {
        &self.sums
    }

    pub(super) fn into_strands(self) -> Vec<Strand> {
        self.strands
    }

    /// The rows from `start` on.
    pub(super) fn from(&self, start: i128) -> Self {
        let edge = |edge: &Edge| Edge { value: edge.value.along(start, 1), ..edge.clone() };
        Self::new(
            self.rows - start,
            self.strands.iter().map(|strand| strand.from(start)).collect(),
            self.sums.from(start),
            [edge(&self.smallest), edge(&self.largest)],
        )
    }

    /// A value that no other is smaller than, and mostly the smallest.
    pub(super) fn low(&self) -> Int {
        self.smallest.at(if self.smallest.rising { 0 } else { self.rows - 1 }, Int::div_floor)
    }

    /// A value that no other is larger than, and mostly the largest.
    pub(super) fn high(&self) -> Int {
        self.largest.at(if self.largest.rising { self.rows - 1 } else { 0 }, Int::div_ceil)
    }

    /// The sums over all points.
    pub(super) fn total(&self) -> Sums {
        self.sums.between(0, self.rows)
    }

    /// The sums over the points with values up to `x`.
    pub(super) fn up_to(&self, x: &Int) -> Sums {
        let mut sums = Sums::default();
        self.add_up_to(x, &mut sums);
        sums
    }

    /// Adds the same.
    pub(super) fn add_up_to(&self, x: &Int, sums: &mut Sums) {
        // Rows that may have values up to x at all, and rows that have nothing else.
        let touched = self.smallest.rows_up_to(x, self.rows);
        let full = self.largest.rows_up_to(x, self.rows);
        self.sums.add_between(full.0, full.1, sums);
        // An empty range of full rows lies at one end of the region, so that no row comes twice.
        self.search(touched.0, touched.1.min(full.0), x, sums);
        self.search(touched.0.max(full.1), touched.1, x, sums);
    }

    /// How many rows of strands are searched one by one for `x`.
    pub(super) fn searched(&self, x: &Int) -> i128 {
        let rows = self.smallest.rows_apart(&self.largest, x, self.rows);
        match self.strands.as_slice() {
            [strand] if strand.is_slanted(rows) => 0,
            strands => rows.saturating_mul(strands.len() as i128),
        }
    }

    /// How many rows of each strand are searched where row t begins.
    pub(super) fn searched_about(&self, t: i128) -> i128 {
        self.smallest.rows_apart(&self.largest, &self.smallest.at(t, Int::div_ceil), self.rows)
    }

    /// Adds the points of the rows `start ≤ t < end` with values up to `x`, which is between the edges of each of them.
    fn search(&self, start: i128, end: i128, x: &Int, sums: &mut Sums) {
        if start >= end {
            return;
        }
        if let [strand] = self.strands.as_slice()
            && let Some(all) = strand.slanted_up_to(start, end, x, || self.sums.between(start, end))
        {
            sums.add(&all);
            return;
        }
        match self.bundle.up_to(start, end, Word::from(x)) {
            Some((count, weighted)) => {
                sums.add(&Sums { count: count.into(), weighted: weighted.into() });
                if self.quick < self.strands.len() {
                    Strand::all_up_to(&self.strands[self.quick..], start, end, x, sums);
                }
            }
            None => Strand::all_up_to(&self.strands, start, end, x, sums),
        }
    }
}

impl Edge {
    /// The bound in row t.
    pub(super) fn at(&self, t: i128, round: fn(&Int, &Int) -> Option<Int>) -> Int {
        let value = self.value.at(t);
        round(&value, &Int::from(self.scale)).unwrap_or(value)
    }

    /// How many of the first rows have `x` between this edge, the lower one, and the upper one.
    pub(super) fn rows_apart(&self, upper: &Self, x: &Int, rows: i128) -> i128 {
        let (touched, full) = (self.rows_up_to(x, rows), upper.rows_up_to(x, rows));
        (touched.1 - touched.0) - (full.1 - full.0)
    }

    /// The rows among `0..rows` whose bound is at most `x`: the first ones, or the last ones.
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
