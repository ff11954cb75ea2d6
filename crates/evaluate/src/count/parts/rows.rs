//! Rows of points with polynomial values, searched row by row.
//!
//! Along each row v keeps one direction, so that the points with v ≤ x are its first or its last ones. If very many
//! rows are searched and v is affine, they are summed as a [slant](super::slant).

use symloc_quasi::{Bivariate, Int, Univariate};

use super::Sums;
use super::machine::{MachineRows, Word};
use super::quotient::LinearQuotient;
use super::slant::Slant;
use crate::count::limits::SLANTED;

/// Rows of points.
#[derive(Clone, Debug)]
pub(crate) struct PointRows {
    /// The last s of each row.
    width: LinearQuotient,
    value: Bivariate,
    count: Bivariate,
    /// The rows in machine words, if they fit.
    machine: Option<MachineRows>,
    /// True if v ascends along the rows.
    rising: bool,
}

impl PointRows {
    /// Creates `rows` rows `0 ≤ s ≤ ⌊width(t)⌋`.
    pub(crate) fn new(width: LinearQuotient, value: Bivariate, count: Bivariate, rows: i128, rising: bool) -> Self {
        let machine = MachineRows::new(value.differences(), count.differences(), width, rows);
        Self { width, value, count, machine, rising }
    }

    /// Adds the points of the rows `start ≤ t < end` with values up to `x`, which is between the ends of each of them;
    /// `all` returns the sums over all of their points.
    pub(crate) fn add_up_to(&self, start: i128, end: i128, x: &Int, all: impl FnOnce() -> Sums, sums: &mut Sums) {
        if let Some(slanted) = self.slant(end - start).and_then(|slant| slant.up_to(start, end, x, all)) {
            sums.add(&slanted);
            return;
        }
        match &self.machine {
            Some(machine) => {
                let (count, weighted) = machine.up_to(start, end, Word::from(x));
                sums.add(&Sums { count: count.into(), weighted: weighted.into() });
            }
            None => (start..end).for_each(|t| sums.add(&self.row_up_to(t, x))),
        }
    }

    /// Returns true if `rows` rows are summed at once.
    pub(crate) fn is_slanted(&self, rows: i128) -> bool {
        self.slant(rows).is_some()
    }

    fn slant(&self, rows: i128) -> Option<Slant> {
        if rows < SLANTED {
            return None;
        }
        Slant::new(self.value.differences(), self.count.differences())
    }

    /// Returns the sums over the points of row t with values up to `x`: the first points, or the last.
    fn row_up_to(&self, t: i128, x: &Int) -> Sums {
        let length = self.width.floor(t) + 1;
        let (value, count) = (self.value.row(t), self.count.row(t));
        let change = value.crossing(x, 0, length, self.rising);
        let (start, end) = if self.rising { (0, change) } else { (change, length) };
        let counts = count.values(value.degree() + count.degree() + 1);
        let weights: Vec<Int> = counts.iter().enumerate().map(|(s, count)| count * &value.at(s as i128)).collect();
        let between = |values: &[Int]| {
            let sum = Univariate::sum_through(values);
            &sum.at(end) - &sum.at(start)
        };
        Sums { count: between(&counts), weighted: between(&weights) }
    }
}
