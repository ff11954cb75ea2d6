//! A strand: rows of points with polynomial values, searched row by row.
//!
//! Along each row v keeps one direction, so that the points with v ≤ x are its first or its last so many. If very many rows are
//! searched and v is affine, they are summed as a [slant](super::slant).

use symloc_quasi::{Int, Univariate};

use super::ramps::{Ramps, Word};
use super::slant::{MANY, Slant};
use super::surface::Surface;
use super::trapezoid::Quotient;
use super::{Sums, pairs};

/// Rows of points.
#[derive(Clone, Debug)]
pub(super) struct Strand {
    /// The last s of each row.
    width: Quotient,
    value: Surface,
    count: Surface,
    /// The same in machine words, if that is possible.
    ramps: Option<Ramps>,
    /// Does v ascend along the rows?
    rising: bool,
}

impl Strand {
    /// So many rows `0 ≤ s ≤ ⌊width(t)⌋`.
    pub(super) fn new(width: Quotient, value: Surface, count: Surface, rows: i128, rising: bool) -> Self {
        let ramps = Ramps::new(value.differences(), count.differences(), width, rows);
        Self { width, value, count, ramps, rising }
    }

    /// Adds the points of the rows `start ≤ t < end` with values up to `x`, which is between the ends of each of them; `all` are
    /// the sums over all of their points.
    pub(super) fn add_up_to(&self, start: i128, end: i128, x: &Int, all: impl FnOnce() -> Sums, sums: &mut Sums) {
        if let Some(slanted) = self.slant(end - start).and_then(|slant| slant.up_to(start, end, x, all)) {
            sums.add(&slanted);
            return;
        }
        match &self.ramps {
            Some(ramps) => {
                let (count, weighted) = ramps.up_to(start, end, Word::from(x));
                sums.add(&Sums { count: count.into(), weighted: weighted.into() });
            }
            None => (start..end).for_each(|t| sums.add(&self.row_up_to(t, x))),
        }
    }

    /// Are so many rows summed at once?
    pub(super) fn is_slanted(&self, rows: i128) -> bool {
        self.slant(rows).is_some()
    }

    fn slant(&self, rows: i128) -> Option<Slant> {
        if rows < MANY {
            return None;
        }
        Slant::new(self.value.differences(), self.count.differences())
    }

    fn row_up_to(&self, t: i128, x: &Int) -> Sums {
        let length = self.width.floor(t) + 1;
        if let ([constant, slope], [count]) = (self.value.differences(), self.count.differences()) {
            return progression(&constant.at(t), &slope.at(t), length, x).times(&count.at(t));
        }
        // Read in the direction in which v ascends.
        let (origin, step) = if self.rising { (0, 1) } else { (length - 1, -1) };
        let read = |surface: &Surface| {
            let row = surface.row(t);
            if self.rising { row } else { row.along(origin, step) }
        };
        let value = read(&self.value);
        let points = value.count_up_to(x, length);
        if points == 0 {
            return Sums::default();
        }
        let count = read(&self.count);
        let both = value.degree() + count.degree();
        let counts = count.values(both + 1);
        let weights: Vec<Int> = value.values(both + 1).iter().zip(&counts).map(|(v, c)| v * c).collect();
        Sums {
            count: Univariate::sum_through(&counts[..=count.degree()]).at(points),
            weighted: Univariate::sum_through(&weights).at(points),
        }
    }
}

/// How many of `first, first + step, …` are up to `x`, and their sum.
fn progression(first: &Int, step: &Int, length: i128, x: &Int) -> Sums {
    let (low, step) = match step.is_negative() {
        true => (first + &(step * &Int::from(length - 1)), &Int::ZERO - step),
        false => (first.clone(), step.clone()),
    };
    let room = x - &low;
    if room.is_negative() {
        return Sums::default();
    }
    let points = match room.div_floor(&step).map(|last| last.to_i128()) {
        Some(Some(last)) => last.saturating_add(1).min(length),
        _ => length,
    };
    let count = Int::from(points);
    Sums { weighted: &(&low * &count) + &(&step * &pairs(points)), count }
}
