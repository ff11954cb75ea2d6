//! Rows of several strands, searched together in floating point.

use pulp::{Arch, Simd, WithSimd};

use super::lanes::{Binomials, Lanes, ROWS, Totals};
use super::pack::Pack;
use super::ramps::Word;

/// So many plain strands are better taken side by side than row by row.
const MANY: usize = 4;

/// Strands with the same rows.
#[derive(Clone, Debug)]
pub(super) struct Bundle {
    pack: Pack,
    others: Vec<Lanes>,
}

impl Bundle {
    pub(super) fn new(strands: Vec<Lanes>) -> Self {
        let (mut plain, mut others): (Vec<_>, Vec<_>) = strands.into_iter().partition(Lanes::is_plain);
        if plain.len() < MANY {
            others.append(&mut plain);
        }
        Self { pack: Pack::new(&plain), others }
    }

    /// Σ c and Σ v·c over the points of the rows `start ≤ t < end` with values up to `x`, both below 2^115; `None` if they
    /// were not exact.
    pub(super) fn up_to(&self, start: i128, end: i128, x: Word) -> Option<(i128, i128)> {
        let Word(x) = x;
        let search = Search { bundle: self, start: start as i64, end: end as i64, x };
        let [number, rest] = Arch::new().dispatch(search);
        let exact = !number.is_nan();
        exact.then(|| {
            let (number, rest) = (number as i64, rest as i64);
            (number.into(), i128::from(x) * i128::from(number) - i128::from(rest))
        })
    }
}

/// Rows to be searched for values up to x.
struct Search<'b> {
    bundle: &'b Bundle,
    start: i64,
    end: i64,
    x: i64,
}

impl WithSimd for Search<'_> {
    /// Σ c and Σ c·(x − v); no numbers if they might have been rounded.
    type Output = [f64; 2];

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> [f64; 2] {
        let mut totals = Totals::none(simd);
        for start in (self.start..self.end).step_by(ROWS) {
            let (first, rows) = (Binomials::new(start), ((self.end - start) as usize).min(ROWS));
            self.bundle.pack.add(&first, rows, self.x, &mut totals);
            for lanes in &self.bundle.others {
                lanes.add(&first, rows, self.x, &mut totals);
            }
        }
        totals.sums()
    }
}

#[cfg(test)]
mod tests {
    use super::super::ramps::Ramps;
    use super::super::trapezoid::{Bound, Quotient};
    use super::*;
    use proptest::prelude::*;
    use symloc_quasi::{Int, Univariate};

    fn univariate(differences: &[i64]) -> Univariate {
        Univariate::from_differences(&differences.iter().map(|d| Int::from(*d)).collect::<Vec<_>>())
    }

    fn width((constant, slope, divisor): (i128, i128, i128)) -> Quotient {
        Quotient { numerator: Bound { constant, slope }, divisor }
    }

    /// v and c at the first points of the rows and from point to point, by their differences.
    #[derive(Clone, Debug)]
    struct Rows {
        first: Vec<i64>,
        step: Vec<i64>,
        count: Vec<i64>,
        lean: i64,
    }

    impl Rows {
        /// With counts that are not negative in rows that are not longer than this.
        fn any(longest: i64) -> impl Strategy<Value = Self> {
            let first = prop::collection::vec(-6_i64..6, 1..=4);
            let offset = prop_oneof![Just(0), -(1_i64 << 59)..1 << 59];
            let step = prop_oneof![
                prop::collection::vec(0_i64..6, 1..=1),
                prop::collection::vec(0_i64..6, 1..=3),
                prop::collection::vec(-6_i64..1, 1..=3)
            ];
            let count = prop::collection::vec(0_i64..4, 1..=2);
            (first, offset, step, count, prop_oneof![Just(0), -1_i64..3]).prop_map(move |all| {
                let (mut first, offset, step, mut count, lean) = all;
                first[0] += offset;
                count[0] += if lean < 0 { longest } else { 0 };
                Self { first, step, count, lean }
            })
        }

        fn lanes(&self, width: Quotient, rows: i128) -> Option<Lanes> {
            let value = [univariate(&self.first), univariate(&self.step)];
            let count = [univariate(&self.count), univariate(&[self.lean])];
            Ramps::new(&value, &count, width, rows)?.lanes(0, self.step.iter().all(|d| *d >= 0))
        }

        /// v and c at all points.
        fn points(&self, width: Quotient, rows: std::ops::Range<i128>) -> Vec<(i128, i128)> {
            let at = |differences: &[i64], t| univariate(differences).at(t).to_i128().unwrap();
            let row = |t| {
                let (first, step, count) = (at(&self.first, t), at(&self.step, t), at(&self.count, t));
                (0..=width.floor(t)).map(move |s| (first + step * s, count + i128::from(self.lean) * s))
            };
            rows.flat_map(row).collect()
        }
    }

    /// With the instructions at hand, and with those that every processor has.
    fn both(bundle: &Bundle, start: i128, end: i128, x: Word) -> (Option<(i128, i128)>, [f64; 2]) {
        let search = Search { bundle, start: start as i64, end: end as i64, x: x.0 };
        (bundle.up_to(start, end, x), Arch::Scalar.dispatch(search))
    }

    proptest! {
        #[test]
        fn bundles_are_the_sums_over_their_points(
            strands in prop::collection::vec(Rows::any(250), 1..20), far in -300_i64..300,
            shape in (0_i128..9, 0_i128..3, 1_i128..4), start in 0_i128..70, rows in 1_i128..70,
        ) {
            let (width, rows) = (width(shape), start.min(rows - 1)..rows);
            // Strands far from one another have no x in common.
            let near = |rows: &&Rows| (rows.first[0] - strands[0].first[0]).abs() < 1 << 40;
            let strands: Vec<&Rows> = strands.iter().filter(near).collect();
            let lanes: Option<Vec<Lanes>> = strands.iter().map(|strand| strand.lanes(width, rows.end)).collect();
            prop_assert!(lanes.is_some(), "small differences fit");
            let bundle = Bundle::new(lanes.unwrap_or_default());
            let points: Vec<_> = strands.iter().flat_map(|strand| strand.points(width, rows.clone())).collect();
            let values = points.iter().step_by(points.len() / 20 + 1).map(|(v, _)| *v);
            for x in values.chain([i128::from(strands[0].first[0] + far)]) {
                let below = points.iter().filter(|(v, _)| *v <= x);
                let expected = below.fold((0, 0), |(count, sum), (v, c)| (count + c, sum + v * c));
                let (found, [number, rest]) = both(&bundle, rows.start, rows.end, Word::from(&Int::from(x)));
                prop_assert_eq!(found, Some(expected), "up to {}", x);
                prop_assert_eq!((number, rest), (expected.0 as f64, (x * expected.0 - expected.1) as f64));
            }
        }
    }

    #[test]
    fn sums_that_might_be_rounded_are_refused() {
        let bundle = |step: i64, strands| {
            let rows = Rows { first: vec![0], step: vec![step], count: vec![1], lean: 0 };
            Bundle::new(vec![rows.lanes(width((1 << 20, 0, 1)), 64).unwrap(); strands])
        };
        let end = |step: i64| Word::from(&Int::from(step << 20));
        let points = (1 << 20) + 1;
        for strands in [1, 9] {
            let all = strands as i128 * 64 * points;
            assert_eq!(both(&bundle(1, strands), 0, 64, end(1)).0, Some((all, all * (1 << 20) / 2)));
            assert_eq!(both(&bundle(1 << 20, strands), 0, 64, end(1 << 20)).0, None);
            // What is summed is x − v, and this is too far away.
            assert_eq!(both(&bundle(1, strands), 0, 64, Word::from(&Int::from(i64::MAX))).0, None);
        }
    }
}
