//! Rows of points on which v and c are polynomials in two coordinates.
//!
//! The points are (t, s) with `0 ≤ t < rows` and `0 ≤ s ≤ ⌊w(t)⌋`, w a quotient of an affine function. If v keeps one
//! direction along the rows, its values at the ends s = 0 and s = w(t) bound those of a row; both are polynomials in t.
//! Where each of them keeps one direction, too, the points form a [region](crate::count::parts::region).

use std::sync::Arc;

use symloc_quasi::univariate::Run;
use symloc_quasi::{Bivariate, Int, Univariate};

use crate::count::parts::Sums;
use crate::count::parts::periodic::Prefix;
use crate::count::parts::quotient::LinearQuotient;
use crate::count::parts::region::{Edge, RowRegion};
use crate::count::parts::rows::PointRows;

/// The points with their polynomials, before the directions of v are known.
pub(super) struct Grid {
    /// The number of rows.
    pub(super) rows: i128,
    /// The last s of row t is `⌊width(t)⌋`, at least 0.
    pub(super) width: LinearQuotient,
    /// v in t and s.
    pub(super) value: Bivariate,
    /// c in t and s.
    pub(super) count: Bivariate,
}

impl Grid {
    /// Returns true if a count is negative at one of the corners.
    pub(super) fn has_negative_count(&self) -> bool {
        let corners = [0, self.rows - 1].into_iter().flat_map(|t| [(t, 0), (t, self.last(t))]);
        corners.into_iter().any(|(t, s)| self.count.row(t).at(s).is_negative())
    }

    /// Splits the grid into regions; `None` if v changes its direction along rows.
    pub(super) fn regions(self) -> Option<Vec<RowRegion>> {
        let rising = self.direction()?;
        let near = RowBound { value: self.value.differences().first().cloned()?, scale: 1 };
        let far = self.far()?;
        let sums = Arc::new(self.sums());
        let (smallest, largest) = if rising { (near, far) } else { (far, near) };
        let points = Arc::new(PointRows::new(self.width, self.value, self.count, self.rows, rising));
        let mut regions = Vec::new();
        for low in smallest.value.monotone_runs(self.rows) {
            for high in largest.value.monotone_runs(self.rows) {
                let (start, end) = (low.start.max(high.start), low.end.min(high.end));
                if start < end {
                    let edges = [smallest.edge(low, start), largest.edge(high, start)];
                    regions.push(RowRegion::new(start..end, Arc::clone(&points), Arc::clone(&sums), edges));
                }
            }
        }
        Some(regions)
    }

    fn last(&self, t: i128) -> i128 {
        self.width.floor(t)
    }

    /// Returns the prefix sums over the rows.
    fn sums(&self) -> Prefix {
        let weight = self.value.times(&self.count);
        let row = |t| {
            let points = self.last(t) + 1;
            Sums { count: self.count.sum(t, points), weighted: weight.sum(t, points) }
        };
        Prefix::new(self.width.divisor, self.count.degree().max(weight.degree()) + 1, self.rows, row)
    }

    /// Returns v at s = w(t), in t; `None` where it cannot be expressed as a polynomial.
    fn far(&self) -> Option<RowBound> {
        let degree = self.value.degree() as i128;
        let through = |at: &dyn Fn(i128) -> Int| Univariate::through(&(0..=degree).map(at).collect::<Vec<_>>());
        if let Some(width) = self.width.integer() {
            return Some(RowBound { value: through(&|t| self.value.row(t).at(width.at(t))), scale: 1 });
        }
        if self.value.differences().len() > 3 {
            return None;
        }
        // v = Δ₀ + Δ₁·s + Δ₂·s·(s − 1)/2 at s = w/d, times 2d².
        let d = self.width.divisor;
        let scale = d.checked_mul(d)?.checked_mul(2)?;
        let edge = |t: i128| {
            let (d, w) = (Int::from(d), Int::from(self.width.numerator.at(t)));
            self.value.combined(t, [Int::from(scale), &(&d * &w) * &Int::from(2), &w * &(&w - &d)])
        };
        Some(RowBound { value: through(&edge), scale })
    }

    /// Returns true if the values ascend along every row up to its end, false if they descend; `None` if neither is
    /// certain.
    fn direction(&self) -> Option<bool> {
        let signs = match (self.value.degree(), self.width.integer()) {
            (2, None) => self.slopes(),
            (..=2, _) => self.steps(),
            _ => {
                let step = self.value.step();
                step.differences().iter().flat_map(|step| <[Int; 2]>::from(step.range(self.rows))).collect()
            }
        };
        match (signs.iter().any(Int::is_negative), signs.iter().any(|sign| *sign > Int::ZERO)) {
            (true, true) => None,
            (negative, _) => Some(!negative),
        }
    }

    /// Returns `v(t, s + 1) − v(t, s)`, which is affine, at the corners; its signs there bound those everywhere.
    fn steps(&self) -> Vec<Int> {
        let step = self.value.step();
        let corners = [0, self.rows - 1].into_iter().flat_map(|t| [(t, 0), (t, (self.last(t) - 1).max(0))]);
        corners.map(|(t, s)| step.row(t).at(s)).collect()
    }

    /// Returns the derivative of v along s, `Δ₁ + Δ₂·(s − 1/2)`, which is affine, times 2d at the corners.
    fn slopes(&self) -> Vec<Int> {
        let d = self.width.divisor;
        let corners = [0, self.rows - 1].into_iter().flat_map(|t| [(t, 0), (t, self.width.numerator.at(t))]);
        corners.map(|(t, w)| self.value.combined(t, [Int::ZERO, Int::from(2 * d), Int::from(2 * w - d)])).collect()
    }
}

/// The values at one end of the rows, times `scale`.
struct RowBound {
    value: Univariate,
    scale: i128,
}

impl RowBound {
    /// Returns the edge over the rows from `start` on, a run in which the values keep their direction.
    fn edge(&self, run: Run, start: i128) -> Edge {
        Edge { value: self.value.along(start, 1), scale: self.scale, rising: run.rising }
    }
}
