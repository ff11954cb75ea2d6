//! A region: rows of points, with values that ascend along the rows and from row to row.
//!
//! The points are (t, s) with `0 ≤ t < rows` and `0 ≤ s ≤ ⌊w(t)⌋`, w a quotient of an affine function; v and c are polynomials
//! in both. Along each row v keeps one direction. Its values at the two edges of the region, s = 0 and s = w(t), are polynomials
//! in t. If both of them ascend or descend, then, for any x,
//!
//! - the rows with edges ≤ x are the first or the last so many: their sums are [prefix](super::prefix) sums;
//! - so are the rows with edges > x, which contribute nothing;
//! - each of the rows between is searched like a [stretch](super::stretch); if they are many and v is affine, all of them at
//!   once as a [slant](super::slant).
//!
//! A row may end just before the edge w(t): then it may be among those searched although all of its values are ≤ x, or none.
//! Few rows are searched if v changes faster from row to row than along them; this is how the directions are chosen.

use symloc_quasi::univariate::Run;
use symloc_quasi::{Int, Univariate, univariate};

use super::prefix::Prefix;
use super::ramps::Ramps;
use super::slant::{MANY, Slant};
use super::trapezoid::Quotient;
use super::{Sums, pairs};

/// The points and their polynomials, before directions are known.
pub(super) struct Grid {
    /// The number of rows.
    pub(super) rows: i128,
    /// The last s of row t is `⌊width(t)⌋`, at least 0.
    pub(super) width: Quotient,
    /// v by its differences along s at s = 0, each a polynomial in t; no zero at the end.
    pub(super) value: Vec<Univariate>,
    /// c, likewise.
    pub(super) count: Vec<Univariate>,
}

/// Rows of points, v and c by their differences along s.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// The rows that belong to the region.
    start: i128,
    end: i128,
    width: Quotient,
    value: Vec<Univariate>,
    count: Vec<Univariate>,
    /// The same in machine words, if that is possible.
    ramps: Option<Ramps>,
    /// Does v ascend along the rows?
    rising: bool,
    /// Σ c and Σ v·c over the rows 0 ≤ t′ < t.
    counts: Prefix,
    weighted: Prefix,
    smallest: Edge,
    largest: Edge,
}

/// A bound of the values of each row, below or above, and mostly one of them.
#[derive(Clone, Debug)]
struct Edge {
    /// The bound, so many times.
    value: Univariate,
    scale: Int,
    rising: bool,
}

impl Grid {
    /// v and c of a polynomial in two variables by its values: `sample(t, s)`, for a total degree.
    pub(super) fn differences<E>(
        degree: usize,
        mut sample: impl FnMut(usize, usize) -> Result<Int, E>,
    ) -> Result<Vec<Univariate>, E> {
        // Row t suffices up to s = degree − t, as the b-th difference is of degree − b in t.
        let mut rows = Vec::with_capacity(degree + 1);
        for t in 0..=degree {
            let values = (0..=degree - t).map(|s| sample(t, s)).collect::<Result<Vec<_>, E>>()?;
            rows.push(univariate::differences(&values));
        }
        let column = |b: usize| rows[..=degree - b].iter().map(|row| row[b].clone()).collect::<Vec<_>>();
        let mut columns: Vec<_> = (0..=degree).map(|b| Univariate::through(&column(b))).collect();
        while columns.last().is_some_and(Univariate::is_zero) {
            columns.pop();
        }
        Ok(columns)
    }

    fn last(&self, t: i128) -> i128 {
        self.width.floor(t)
    }

    /// Σ c over the rows before each.
    fn counts(&self) -> Prefix {
        Prefix::new(self.width.divisor, total_degree(&self.count) + 1, |t| {
            Univariate::sum_from_differences(&at_row(&self.count, t)).at(self.last(t) + 1)
        })
    }

    /// Σ v·c, likewise.
    fn weighted(&self) -> Prefix {
        Prefix::new(self.width.divisor, total_degree(&self.value) + total_degree(&self.count) + 1, |t| {
            let (value, count) = (row_poly(&self.value, t), row_poly(&self.count, t));
            let along = value.degree() + count.degree();
            let products: Vec<Int> = (0..=along as i128).map(|s| &value.at(s) * &count.at(s)).collect();
            Univariate::sum_through(&products).at(self.last(t) + 1)
        })
    }

    /// v at s = w(t), and how many times; `None` where that is not known.
    fn far_edge(&self) -> Option<(Univariate, Int)> {
        let degree = total_degree(&self.value) as i128;
        let through = |at: &dyn Fn(i128) -> Int| Univariate::through(&(0..=degree).map(at).collect::<Vec<_>>());
        if let Some(width) = self.width.integer() {
            return Some((through(&|t| row_poly(&self.value, t).at(width.at(t))), Int::from(1)));
        }
        if self.value.len() > 3 {
            return None;
        }
        // v = Δ₀ + Δ₁·s + Δ₂·s·(s − 1)/2 at s = w/d, times 2d².
        let (d, two) = (Int::from(self.width.divisor), Int::from(2));
        let scale = &two * &(&d * &d);
        let edge = |t: i128| {
            let w = Int::from(self.width.numerator.at(t));
            let factors = [scale.clone(), &two * &(&d * &w), &w * &(&w - &d)];
            let terms = factors.iter().zip(&self.value).map(|(factor, difference)| factor * &difference.at(t));
            terms.fold(Int::ZERO, |sum, term| &sum + &term)
        };
        Some((through(&edge), scale))
    }

    /// The smallest count, or something smaller.
    pub(super) fn has_negative_count(&self) -> bool {
        let corners = [0, self.rows - 1].into_iter().flat_map(|t| [(t, 0), (t, self.last(t))]);
        corners.into_iter().any(|(t, s)| row_poly(&self.count, t).at(s).is_negative())
    }

    /// The regions that the grid consists of; `None` if v changes its direction along rows.
    pub(super) fn regions(self) -> Option<Vec<Region>> {
        let rising = self.direction()?;
        let (near, far) = ((self.value.first().cloned()?, Int::from(1)), self.far_edge()?);
        let (counts, weighted) = (self.counts(), self.weighted());
        let (smallest, largest) = if rising { (near, far) } else { (far, near) };
        let ramps = Ramps::new(&self.value, &self.count, self.width, self.rows);
        let mut regions = Vec::new();
        for low in smallest.0.monotone_runs(self.rows) {
            for high in largest.0.monotone_runs(self.rows) {
                let (start, end) = (low.start.max(high.start), low.end.min(high.end));
                if start < end {
                    let edge = |(value, scale): &(Univariate, Int), run: Run| Edge {
                        value: value.clone(),
                        scale: scale.clone(),
                        rising: run.rising,
                    };
                    regions.push(Region {
                        start,
                        end,
                        width: self.width,
                        value: self.value.clone(),
                        count: self.count.clone(),
                        ramps,
                        rising,
                        counts: counts.clone(),
                        weighted: weighted.clone(),
                        smallest: edge(&smallest, low),
                        largest: edge(&largest, high),
                    });
                }
            }
        }
        Some(regions)
    }

    /// Do the values ascend along every row, up to its edge, or descend? `None` if neither is certain.
    fn direction(&self) -> Option<bool> {
        let signs = match (total_degree(&self.value), self.width.integer()) {
            (2, None) => self.slopes(),
            (..=2, _) => self.steps(),
            _ => {
                let steps = self.value.get(1..).unwrap_or_default();
                steps.iter().flat_map(|step| <[Int; 2]>::from(step.range(self.rows))).collect()
            }
        };
        match (signs.iter().any(Int::is_negative), signs.iter().any(|sign| *sign > Int::ZERO)) {
            (true, true) => None,
            (negative, _) => Some(!negative),
        }
    }

    /// `v(t, s + 1) − v(t, s)`, which is affine, at the corners: its signs there are those everywhere.
    fn steps(&self) -> Vec<Int> {
        let steps = self.value.get(1..).unwrap_or_default();
        let corners = [0, self.rows - 1].into_iter().flat_map(|t| [(t, 0), (t, (self.last(t) - 1).max(0))]);
        corners.map(|(t, s)| row_poly(steps, t).at(s)).collect()
    }

    /// The derivative of v along s, `Δ₁ + Δ₂·(s − 1/2)`, which is affine, times 2d at the corners.
    fn slopes(&self) -> Vec<Int> {
        let twice = Int::from(2 * self.width.divisor);
        let corners = [0, self.rows - 1].into_iter().flat_map(|t| [(t, 0), (t, self.width.numerator.at(t))]);
        let factors = |w: i128| [twice.clone(), Int::from(2 * w - self.width.divisor)];
        let slope = |(t, w)| {
            let terms = self.value.iter().skip(1).zip(factors(w)).map(|(difference, f)| &difference.at(t) * &f);
            terms.fold(Int::ZERO, |sum, term| &sum + &term)
        };
        corners.map(slope).collect()
    }
}

/// The degree in both variables, at most.
fn total_degree(differences: &[Univariate]) -> usize {
    differences
        .iter()
        .enumerate()
        .map(|(b, poly)| if poly.is_zero() { 0 } else { b + poly.degree() })
        .max()
        .unwrap_or(0)
}

fn at_row(differences: &[Univariate], t: i128) -> Vec<Int> {
    differences.iter().map(|poly| poly.at(t)).collect()
}

/// Row t as a polynomial in s.
fn row_poly(differences: &[Univariate], t: i128) -> Univariate {
    Univariate::from_differences(&at_row(differences, t))
}

impl Region {
    /// A value that no other is smaller than, and mostly the smallest.
    pub(super) fn low(&self) -> Int {
        let row = if self.smallest.rising { self.start } else { self.end - 1 };
        self.smallest.value.at(row).div_floor(&self.smallest.scale).unwrap_or(Int::ZERO)
    }

    /// A value that no other is larger than, and mostly the largest.
    pub(super) fn high(&self) -> Int {
        let row = if self.largest.rising { self.end - 1 } else { self.start };
        self.largest.value.at(row).div_ceil(&self.largest.scale).unwrap_or(Int::ZERO)
    }

    /// The sums over all points.
    pub(super) fn total(&self) -> Sums {
        self.between(self.start, self.end)
    }

    /// The sums over the points with values up to `x`.
    pub(super) fn up_to(&self, x: &Int) -> Sums {
        // Rows that may have values up to x at all, and rows that have nothing else.
        let touched = self.smallest.rows_up_to(x, self.start, self.end);
        let full = self.largest.rows_up_to(x, self.start, self.end);
        let mut sums = self.between(full.0, full.1);
        // An empty range of full rows lies at one end of the region, so that no row comes twice.
        self.rows_up_to(touched.0, touched.1.min(full.0), x, &mut sums);
        self.rows_up_to(touched.0.max(full.1), touched.1, x, &mut sums);
        sums
    }

    /// Adds the points of the rows `start ≤ t < end` with values up to `x`. The edges of all of them are on both sides of `x`.
    fn rows_up_to(&self, start: i128, end: i128, x: &Int, sums: &mut Sums) {
        if start >= end {
            return;
        }
        if end - start >= MANY
            && let Some(slant) = Slant::new(&self.value, &self.count)
            && let Some(all) = slant.up_to(start, end, x, || self.between(start, end))
        {
            sums.add(&all);
            return;
        }
        match &self.ramps {
            Some(ramps) => sums.add(&ramps.up_to(start, end, x)),
            None => (start..end).for_each(|t| sums.add(&self.row_up_to(t, x))),
        }
    }

    fn row_up_to(&self, t: i128, x: &Int) -> Sums {
        let length = self.width.floor(t) + 1;
        if let ([constant, slope], [count]) = (self.value.as_slice(), self.count.as_slice()) {
            return progression(&constant.at(t), &slope.at(t), length, x).times(&count.at(t));
        }
        // Read in the direction in which v ascends.
        let (origin, step) = if self.rising { (0, 1) } else { (length - 1, -1) };
        let read = |differences: &[Univariate]| {
            let row = row_poly(differences, t);
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

    fn between(&self, start: i128, end: i128) -> Sums {
        let between = |prefix: &Prefix| &prefix.at(end) - &prefix.at(start);
        Sums { count: between(&self.counts), weighted: between(&self.weighted) }
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

impl Edge {
    /// The rows among `start..end` whose bound is at most `x`: the first ones, or the last ones.
    fn rows_up_to(&self, x: &Int, start: i128, end: i128) -> (i128, i128) {
        let x = x * &self.scale;
        match self.rising {
            true => (start, self.value.crossing(&x, start, end, true)),
            false => (self.value.crossing(&x, start, end, false), end),
        }
    }
}
