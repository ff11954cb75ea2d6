//! A stretch: points in a row whose values ascend.
//!
//! Along a row of points t = 0, 1, … both v and c are polynomials. Where v does not descend, the points with v ≤ x are the
//! first so many; a binary search finds how many, and prefix sums of c and of v·c, polynomials again, say the rest. Where
//! v descends, the row is read from its other end.

use symloc_quasi::univariate::Run;
use symloc_quasi::{Int, Univariate};

use super::Sums;

/// A row of points with ascending values.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    length: i128,
    value: Univariate,
    /// Σ c and Σ v·c over the first t points.
    counts: Univariate,
    weighted: Univariate,
}

/// v and c as polynomials along a row of points.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) length: i128,
    pub(super) value: Univariate,
    pub(super) count: Univariate,
}

impl Row {
    /// The parts of the row in which v does not change its direction.
    pub(super) fn stretches(&self) -> impl Iterator<Item = Stretch> {
        self.value.monotone_runs(self.length).into_iter().map(|run| self.stretch(run))
    }

    fn stretch(&self, Run { start, end, rising }: Run) -> Stretch {
        let (origin, step) = if rising { (start, 1) } else { (end - 1, -1) };
        let at = |poly: &Univariate, t: usize| poly.at(origin + step * t as i128);
        let counts: Vec<Int> = (0..=self.count.degree()).map(|t| at(&self.count, t)).collect();
        let both = self.value.degree() + self.count.degree();
        let weighted: Vec<Int> = (0..=both).map(|t| &at(&self.value, t) * &at(&self.count, t)).collect();
        Stretch {
            length: end - start,
            value: if origin == 0 && rising { self.value.clone() } else { self.value.along(origin, step) },
            counts: Univariate::sum_through(&counts),
            weighted: Univariate::sum_through(&weighted),
        }
    }
}

impl Stretch {
    /// The smallest value.
    pub(super) fn low(&self) -> Int {
        self.value.at(0)
    }

    /// The largest value.
    pub(super) fn high(&self) -> Int {
        self.value.at(self.length - 1)
    }

    /// The sums over the points with values up to `x`.
    pub(super) fn up_to(&self, x: &Int) -> Sums {
        self.first(self.value.count_up_to(x, self.length))
    }

    /// The sums over all points.
    pub(super) fn total(&self) -> Sums {
        self.first(self.length)
    }

    /// How many points there are.
    pub(super) fn length(&self) -> i128 {
        self.length
    }

    /// The value of a point.
    pub(super) fn value(&self, t: i128) -> Int {
        self.value.at(t)
    }

    /// The values of all points.
    pub(super) fn values(&self) -> &Univariate {
        &self.value
    }

    /// Σ c over the first points.
    pub(super) fn counts(&self) -> &Univariate {
        &self.counts
    }

    /// Σ v·c over the first points.
    pub(super) fn weighted(&self) -> &Univariate {
        &self.weighted
    }

    /// How many points have values up to `x`.
    pub(super) fn points_up_to(&self, x: &Int) -> i128 {
        self.value.count_up_to(x, self.length)
    }

    /// The degree of the values and their highest difference: equal for stretches that may stay side by side.
    pub(super) fn pitch(&self) -> (usize, Int) {
        (self.value.degree(), self.value.top_difference())
    }

    /// Some of the points.
    pub(super) fn slice(&self, start: i128, length: i128) -> Self {
        let moved = |sums: &Univariate| {
            let before = sums.at(start);
            let values: Vec<Int> = (0..=sums.degree() as i128).map(|t| &sums.at(start + t) - &before).collect();
            Univariate::through(&values)
        };
        Self { length, value: self.value.along(start, 1), counts: moved(&self.counts), weighted: moved(&self.weighted) }
    }

    fn first(&self, points: i128) -> Sums {
        Sums { count: self.counts.at(points), weighted: self.weighted.at(points) }
    }
}
