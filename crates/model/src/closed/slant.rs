//! Many rows with a value that is affine in both directions.
//!
//! In row t, `v = base + down·t + right·s` is up to x for the first `⌊(x − base − down·t)/right⌋ + 1` points. The sums of
//! these numbers over all rows, of their squares and of their products with t are [`floor_sums`], so that no row is looked
//! at by itself: at large sizes there may be millions of them.

use symloc_quasi::{Int, Univariate, floor_sums};

use super::{Sums, pairs};

/// Fewer rows than these are faster one by one.
pub(super) const MANY: i128 = 256;

/// Rows read in the direction in which v ascends, with so many accesses at each point.
#[derive(Clone, Debug)]
pub(super) struct Slant {
    base: i128,
    down: i128,
    right: i128,
    count: Int,
}

impl Slant {
    /// The rows of a region by their differences along s; `None` if v is not affine, or level along s, or c not constant.
    pub(super) fn new(value: &[Univariate], count: &[Univariate], width: (i128, i128)) -> Option<Self> {
        let ([first, step], [count]) = (value, count) else { return None };
        if first.degree() > 1 || step.degree() > 0 || count.degree() > 0 {
            return None;
        }
        let (base, right) = (first.at(0).to_i128()?, step.at(0).to_i128()?);
        let down = first.at(1).to_i128()?.checked_sub(base)?;
        let count = count.at(0);
        if right > 0 {
            return Some(Self { base, down, right, count });
        }
        // From the last point of each row, which is width.0 + width.1·t.
        let base = base.checked_add(right.checked_mul(width.0)?)?;
        let down = down.checked_add(right.checked_mul(width.1)?)?;
        (right < 0).then_some(Self { base, down, right: -right, count })
    }

    /// The sums over the points with values up to `x` in the rows `start ≤ t < end`. In each of them must be such points, and
    /// others. `None` if something leaves 128 bits.
    pub(super) fn up_to(&self, start: i128, end: i128, x: &Int) -> Option<Sums> {
        let (rows, first) = (end - start, self.base.checked_add(self.down.checked_mul(start)?)?);
        let floors = floor_sums(rows, x.to_i128()?.checked_sub(first)?, self.down.checked_neg()?, self.right)?;
        let points = &floors.plain + &Int::from(rows);
        // Row by row: the value at s = 0 for each of its points, and the rest 0 + right + 2·right + …
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
            width in (0_i64..9, 0_i64..3), x in -90_i64..90,
        ) {
            let line = |constant: i64, slope: i64| Univariate::through(&[constant, constant + slope].map(Int::from));
            let (value, counts) = ([line(base, down), line(right, 0)], [line(count, 0)]);
            let slant = Slant::new(&value, &counts, (width.0.into(), width.1.into()));
            prop_assert!(slant.is_some());
            let Some(slant) = slant else { return Ok(()) };
            let row = |t: i64| (0..=width.0 + width.1 * t).map(move |s| base + down * t + right * s);
            let astride = |t: &i64| row(*t).any(|v| v <= x) && row(*t).any(|v| v > x);
            // The longest run of rows of which the condition holds.
            let start = (0..12).find(astride).unwrap_or(0);
            let end = (start..12).find(|t| !astride(t)).unwrap_or(12);
            let below = (start..end).flat_map(row).filter(|v| *v <= x);
            let (number, sum) = below.fold((0, 0), |(n, sum), v| (n + count, sum + v * count));
            let expected = Sums { count: number.into(), weighted: sum.into() };
            prop_assert_eq!(slant.up_to(start.into(), end.into(), &x.into()), Some(expected));
        }
    }

    #[test]
    fn other_rows_are_refused() {
        let poly = |differences: &[i64]| {
            Univariate::from_differences(&differences.iter().copied().map(Int::from).collect::<Vec<_>>())
        };
        let slant = |value: &[Univariate], count: &[i64]| Slant::new(value, &[poly(count)], (3, 0)).is_some();
        assert!(slant(&[poly(&[1, 2]), poly(&[3])], &[1]));
        assert!(!slant(&[poly(&[1, 2, 3]), poly(&[3])], &[1]));
        assert!(!slant(&[poly(&[1, 2]), poly(&[3, 1])], &[1]));
        assert!(!slant(&[poly(&[1, 2]), poly(&[3])], &[1, 1]));
        assert!(!slant(&[poly(&[1, 2])], &[1]));
    }
}
