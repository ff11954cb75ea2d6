//! Sums over many rows with a value that is affine in both directions.
//!
//! In row t, `v = base + down·t + right·s` is up to x for the first `⌊(x − base − down·t)/right⌋ + 1` points. The sums of these
//! numbers over all rows, of their squares and of their products with t are [`floor_sums`], so that no row is visited by itself:
//! at large sizes there may be millions of them. Where v descends along the rows, the first points are those above x, and −v
//! ascends.

use symloc_quasi::{Int, Univariate, floor_sums};

use super::{Sums, pairs};

/// Rows in which v, or else −v, ascends, with a constant count.
#[derive(Clone, Debug)]
pub(super) struct Slant {
    base: i128,
    down: i128,
    right: i128,
    negated: bool,
    count: Int,
}

impl Slant {
    /// Converts the rows of a region, given by differences along s; `None` if v is not affine or is level along s, or c is not
    /// constant.
    pub(super) fn new(value: &[Univariate], count: &[Univariate]) -> Option<Self> {
        let ([first, step], [count]) = (value, count) else { return None };
        if first.degree() > 1 || step.degree() > 0 || count.degree() > 0 {
            return None;
        }
        let (base, right) = (first.at(0).to_i128()?, step.at(0).to_i128()?);
        let down = first.at(1).to_i128()?.checked_sub(base)?;
        let (count, negated) = (count.at(0), right < 0);
        let sign = if negated { -1 } else { 1 };
        (right != 0).then_some(Self { base: sign * base, down: sign * down, right: sign * right, negated, count })
    }

    /// Returns the sums over the points with values up to `x` in the rows `start ≤ t < end`, where v = x between the first point
    /// and the one after the last; `all` returns the sums over all points. `None` if a number leaves 128 bits.
    pub(super) fn up_to(&self, start: i128, end: i128, x: &Int, all: impl FnOnce() -> Sums) -> Option<Sums> {
        let x = x.to_i128()?;
        if !self.negated {
            return self.first_points(start, end, x);
        }
        let (all, above) = (all(), self.first_points(start, end, x.checked_neg()?.checked_sub(1)?)?);
        // The weights above are those of −v.
        Some(Sums { count: &all.count - &above.count, weighted: &all.weighted + &above.weighted })
    }

    /// Returns the sums over the points with ±v up to `x`, the first ones of each row.
    fn first_points(&self, start: i128, end: i128, x: i128) -> Option<Sums> {
        let (rows, first) = (end - start, self.base.checked_add(self.down.checked_mul(start)?)?);
        let floors = floor_sums(rows, x.checked_sub(first)?, self.down.checked_neg()?, self.right)?;
        let points = &floors.plain + &Int::from(rows);
        // For each row: the value at s = 0 for each of its points, and the rest 0 + right + 2·right + …
        let firsts = &(&Int::from(first) * &points) + &(&Int::from(self.down) * &(&floors.weighted + &pairs(rows)));
        let rest = (&floors.squares + &floors.plain).div_floor(&Int::from(2))?;
        let sums = Sums { weighted: &firsts + &(&Int::from(self.right) * &rest), count: points };
        Some(sums.times(&self.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_slant_is_the_sum_over_its_rows(
            base in -90_i64..90, down in -9_i64..10, right in prop_oneof![-9_i64..0, 1_i64..10], count in 1_i64..4,
            width in (0_i64..20, 0_i64..6, 1_i64..5), x in -90_i64..90,
        ) {
            let line = |constant: i64, slope: i64| Univariate::through(&[constant, constant + slope].map(Int::from));
            let slant = Slant::new(&[line(base, down), line(right, 0)], &[line(count, 0)]);
            prop_assert!(slant.is_some());
            let Some(slant) = slant else { return Ok(()) };
            let width = |t: i64| width.0 + width.1 * t;
            let (start, divisor) = (3, 1.max(width(0) % 5));
            let row = |t: i64| (0..=width(t) / divisor).map(move |s| base + down * t + right * s);
            // On both sides of x: the value at s = 0 and, times the divisor, the one at the edge.
            let ends = |t: i64| (base + down * t, divisor * (base + down * t) + right * width(t));
            let astride = |t: &i64| match right > 0 {
                true => ends(*t).0 <= x && ends(*t).1 > divisor * x,
                false => ends(*t).0 > x && ends(*t).1 <= divisor * x,
            };
            // The first run of rows for which the condition holds.
            let start = (start..15).find(astride).unwrap_or(start);
            let end = (start..15).find(|t| !astride(t)).unwrap_or(15);
            let sums = |least: i64| {
                let values = (start..end).flat_map(row).filter(|v| *v <= least);
                let (number, sum) = values.fold((0, 0), |(n, sum), v| (n + count, sum + v * count));
                Sums { count: number.into(), weighted: sum.into() }
            };
            let found = slant.up_to(start.into(), end.into(), &x.into(), || sums(i64::MAX));
            prop_assert_eq!(found, Some(sums(x)));
        }
    }

    #[test]
    fn other_rows_are_refused() {
        let poly = |differences: &[i64]| {
            Univariate::from_differences(&differences.iter().copied().map(Int::from).collect::<Vec<_>>())
        };
        let slant = |value: &[Univariate], count: &[i64]| Slant::new(value, &[poly(count)]).is_some();
        assert!(slant(&[poly(&[1, 2]), poly(&[3])], &[1]));
        assert!(!slant(&[poly(&[1, 2, 3]), poly(&[3])], &[1]));
        assert!(!slant(&[poly(&[1, 2]), poly(&[3, 1])], &[1]));
        assert!(!slant(&[poly(&[1, 2]), poly(&[3])], &[1, 1]));
        assert!(!slant(&[poly(&[1, 2])], &[1]));
    }
}
