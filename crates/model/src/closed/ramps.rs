//! Rows of points in machine words.
//!
//! In most regions v is affine along each row, or else of degree 2 or 3, and c the same at all of its points, or affine. How
//! many points of a row are up to x is then one division, or one search, and what they add up to a few products. Everything
//! that can occur is bounded once, when the region is made, so that no operation has to look for overflow: values fit in 64
//! bits, sums in 128. Regions that exceed these bounds are searched with [`Int`](symloc_quasi::Int)s.

use symloc_quasi::univariate::partition_near;
use symloc_quasi::{Int, Univariate};

use super::Sums;
use super::trapezoid::Quotient;

/// v has so many differences along a row, and each of them so many from row to row: its degree is 3 at most.
const ORDERS: usize = 4;
/// There are no more rows than these, and none is longer: squares fit in 64 bits.
const LONGEST: i128 = 1 << 31;

/// The differences of v and c along the row at its first point: polynomials in the number of the row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ramps {
    value: [Differences; ORDERS],
    count: [Differences; 2],
    /// Is v affine along the rows, and c constant?
    straight: bool,
    width: Width,
}

/// The last point of row t is `⌊(constant + slope·t)/divisor⌋`.
#[derive(Clone, Copy, Debug)]
struct Width {
    constant: i64,
    slope: i64,
    divisor: i64,
}

impl Width {
    /// If it is at most [`LONGEST`] in the rows `0 ≤ t < rows`, as their number is.
    fn new(width: Quotient, rows: i128) -> Option<Self> {
        let divisor = i64::try_from(width.divisor).ok().filter(|divisor| i128::from(*divisor) <= LONGEST)?;
        let longest = width.floor(0).max(width.floor(rows.checked_sub(1)?));
        let (constant, slope) = (i64::try_from(width.numerator.constant).ok()?, width.numerator.slope);
        let slope = i64::try_from(slope).ok().filter(|slope| slope.checked_abs().is_some_and(|s| s < 1 << 31))?;
        (rows <= LONGEST && longest < LONGEST).then_some(Self { constant, slope, divisor })
    }

    /// The last points of row t, and those after it.
    fn from(self, t: i64) -> impl Iterator<Item = i64> {
        let Self { constant, slope, divisor } = self;
        let numerator = constant + slope * t;
        let (step, more) = (slope.div_euclid(divisor), slope.rem_euclid(divisor));
        let first = (numerator.div_euclid(divisor), numerator.rem_euclid(divisor));
        std::iter::successors(Some(first), move |(last, rest)| {
            let (last, rest) = (last + step, rest + more);
            Some(if rest < divisor { (last, rest) } else { (last + 1, rest - divisor) })
        })
        .map(|(last, _)| last)
    }
}

/// A polynomial `Σ Δₖ·C(t, k)` at some t, by its differences there.
#[derive(Clone, Copy, Debug, Default)]
struct Differences([i64; ORDERS]);

impl Differences {
    /// A polynomial, if its degree is at most 3, and a bound of its values and differences for 0 ≤ t ≤ rows.
    fn new(poly: &Univariate, rows: i128) -> Option<(Self, i128)> {
        let mut row = [0_i128; ORDERS];
        let values = row.get_mut(..=poly.degree())?;
        for (t, value) in (0..).zip(values.iter_mut()) {
            *value = poly.at(t).to_i128()?;
        }
        for order in 1..values.len() {
            for at in (order..values.len()).rev() {
                values[at] = values[at].checked_sub(values[at - 1])?;
            }
        }
        let mut most = 0_i128;
        for difference in row.iter().rev() {
            most = most.checked_mul(rows)?.checked_add(difference.checked_abs()?)?;
        }
        let mut differences = [0; ORDERS];
        for (place, difference) in differences.iter_mut().zip(row) {
            *place = i64::try_from(difference).ok()?;
        }
        Some((Self(differences), most))
    }

    /// From t = 0 to another t.
    fn at(self, t: i64) -> Self {
        let Self([a, b, c, d]) = self;
        let pairs = t * (t - 1) / 2;
        // A product with zero could overflow.
        let triples = if d == 0 { 0 } else { pairs * (t - 2) / 3 };
        Self([a + b * t + c * pairs + d * triples, b + c * t + d * pairs, c + d * t, d])
    }

    /// From t to t + 1.
    fn next(&mut self) {
        for order in 1..ORDERS {
            self.0[order - 1] += self.0[order];
        }
    }
}

impl Ramps {
    /// The rows `0 ≤ t < rows` of a region by its differences along s; `None` if they are of another form, or too large.
    pub(super) fn new(value: &[Univariate], count: &[Univariate], width: Quotient, rows: i128) -> Option<Self> {
        let points = width.floor(0).max(width.floor(rows)).checked_add(1)?;
        let width = Width::new(width, rows)?;
        let (values, most_value) = all(value, points, rows)?;
        let (counts, most_count) = all(count, points, rows)?;
        let straight = value.len() <= 2 && count.len() == 1;
        if !straight {
            // The largest binomial coefficient in a sum, before it is divided.
            points.checked_pow(value.len() as u32 + 1)?;
        }
        let sums = most_value.checked_mul(2)?.checked_mul(points)?.checked_mul(rows)?.checked_mul(most_count.max(1))?;
        let half = i128::from(i64::MAX / 4);
        let fits = most_value <= half && most_count <= half && sums <= i128::MAX / 4;
        fits.then_some(Self { value: values, count: counts, straight, width })
    }

    /// Σ c and Σ v·c over the points of the rows `start ≤ t < end` with values up to `x`.
    pub(super) fn up_to(&self, start: i128, end: i128, x: &Int) -> Sums {
        // Every value is between these bounds, and every row among those that are bounded.
        let far = if x.is_negative() { i128::MIN } else { i128::MAX };
        let x = x.to_i128().unwrap_or(far).clamp(i128::from(i64::MIN / 4), i128::from(i64::MAX / 4)) as i64;
        let (start, end) = (start as i64, end as i64);
        let (number, weight) = if self.straight { self.straight(start, end, x) } else { self.bent(start, end, x) };
        Sums { count: number.into(), weighted: weight.into() }
    }

    fn straight(&self, start: i64, end: i64, x: i64) -> (i128, i128) {
        let [mut first, mut step, mut count] = [self.value[0], self.value[1], self.count[0]].map(|d| d.at(start));
        let (mut number, mut weight) = (0_i128, 0_i128);
        for (_, last) in (start..end).zip(self.width.from(start)) {
            let (points, sum) = straight(first.0[0], step.0[0], last, x);
            number += i128::from(count.0[0]) * i128::from(points);
            weight += i128::from(count.0[0]) * sum;
            [&mut first, &mut step, &mut count].into_iter().for_each(Differences::next);
        }
        (number, weight)
    }

    fn bent(&self, start: i64, end: i64, x: i64) -> (i128, i128) {
        let (mut value, mut count) = (self.value.map(|d| d.at(start)), self.count.map(|d| d.at(start)));
        let (mut number, mut weight) = (0_i128, 0_i128);
        for (_, last) in (start..end).zip(self.width.from(start)) {
            let row = Bent { value: value.map(|d| d.0[0]), count: count.map(|d| d.0[0]) };
            let (points, sum) = row.up_to(last, x);
            number += points;
            weight += sum;
            value.iter_mut().chain(&mut count).for_each(Differences::next);
        }
        (number, weight)
    }
}

/// The differences along a row, if there are not too many, and a bound of the values at its points.
fn all<const N: usize>(differences: &[Univariate], points: i128, rows: i128) -> Option<([Differences; N], i128)> {
    let (mut all, mut most) = ([Differences::default(); N], 0_i128);
    for (order, poly) in differences.iter().enumerate().rev() {
        let (differences, bound) = Differences::new(poly, rows)?;
        *all.get_mut(order)? = differences;
        most = most.checked_mul(points)?.checked_add(bound)?;
    }
    Some((all, most))
}

/// How many of `first, first + step, …, first + step·last` are up to `x`, and their sum.
fn straight(first: i64, step: i64, last: i64, x: i64) -> (i64, i128) {
    let (low, rise) = if step < 0 { (first + step * last, -step) } else { (first, step) };
    let room = x - low;
    if room < 0 {
        return (0, 0);
    }
    let steps = if rise == 0 { last } else { (room / rise).min(last) };
    // The first and the last of these values, once for each of them, is twice their sum.
    (steps + 1, (i128::from(2 * low + rise * steps) * i128::from(steps + 1)) >> 1)
}

/// A row by its differences: `v = Σ Δₖ·C(s, k)`, with one direction over the points that count, and c likewise.
struct Bent {
    value: [i64; ORDERS],
    count: [i64; 2],
}

impl Bent {
    fn at(&self, s: i64) -> i64 {
        Differences(self.value).at(s).0[0]
    }

    /// Σ c and Σ v·c over the first so many points.
    fn sums(&self, points: i64) -> (i128, i128) {
        let [constant, lean] = self.count.map(i128::from);
        let n = i128::from(points);
        let orders = self.value.iter().rposition(|difference| *difference != 0).map_or(0, |last| last + 1);
        // As s·C(s, k) = k·C(s, k) + (k + 1)·C(s, k + 1), all sums are of the form Σ C(s, k) = C(n, k + 1).
        let (mut binomial, mut weight) = (n, 0_i128);
        for (k, difference) in (0..).zip(&self.value[..orders]) {
            let next = binomial * (n - k - 1) / (k + 2);
            let counts = (constant + lean * k) * binomial + lean * (k + 1) * next;
            weight += i128::from(*difference) * counts;
            binomial = next;
        }
        (constant * n + lean * (n * (n - 1) / 2), weight)
    }

    /// Σ c and Σ v·c over the points `0..=last` with values up to `x`.
    fn up_to(&self, last: i64, x: i64) -> (i128, i128) {
        let rising = self.at(last) >= self.value[0];
        let holds = |s: i64| (self.at(s) <= x) == rising;
        let change = partition_near(self.root(x, rising), 0, last + 1, holds);
        let before = self.sums(change);
        if rising {
            return before;
        }
        let all = self.sums(last + 1);
        (all.0 - before.0, all.1 - before.1)
    }

    /// About where the values pass x, as if v were of degree 2; whoever uses it looks at exact values around it.
    fn root(&self, x: i64, rising: bool) -> i64 {
        let [first, step, bend] = [self.value[0] - x, self.value[1], self.value[2]].map(|value| value as f64);
        if self.value[2] == 0 {
            return (-first / step) as i64;
        }
        let slope = step - bend / 2.0;
        let root = (slope * slope - 2.0 * bend * first).max(0.0).sqrt();
        (((if rising { root } else { -root }) - slope) / bend) as i64
    }
}

#[cfg(test)]
mod tests {
    use super::super::trapezoid::Bound;
    use super::*;
    use proptest::prelude::*;

    fn univariate(differences: &[i64]) -> Univariate {
        Univariate::from_differences(&differences.iter().map(|d| Int::from(*d)).collect::<Vec<_>>())
    }

    proptest! {
        /// Differences of one sign make values of one direction.
        #[test]
        fn ramps_are_the_sums_over_their_points(
            value in prop::collection::vec(prop::collection::vec(0_i64..6, 1..=4), 1..=4), falling: bool,
            count in prop::collection::vec(prop::collection::vec(0_i64..4, 1..=4), 1..=2),
            width in (0_i128..9, 0_i128..6, 1_i128..4), rows in 1_i128..7, start in 0_i128..7, far in -300_i64..300,
        ) {
            let sign = if falling { -1 } else { 1 };
            let signed = |row: &Vec<i64>| univariate(&row.iter().map(|d| sign * d).collect::<Vec<_>>());
            let value: Vec<Univariate> = value.iter().map(signed).collect();
            let count: Vec<Univariate> = count.iter().map(|row| univariate(row)).collect();
            let (constant, slope, divisor) = width;
            let width = Quotient { numerator: Bound { constant, slope }, divisor };
            let ramps = Ramps::new(&value, &count, width, rows);
            prop_assert!(ramps.is_some(), "small numbers fit");
            let Some(ramps) = ramps else { return Ok(()) };
            let row = |differences: &[Univariate], t: i128| {
                Univariate::from_differences(&differences.iter().map(|poly| poly.at(t)).collect::<Vec<_>>())
            };
            let start = start.min(rows);
            let points: Vec<(Int, Int)> = (start..rows)
                .flat_map(|t| (0..=width.floor(t)).map(move |s| (t, s)))
                .map(|(t, s)| (row(&value, t).at(s), row(&count, t).at(s)))
                .collect();
            for x in points.iter().map(|(v, _)| v.clone()).chain([Int::from(far)]) {
                let mut expected = Sums::default();
                for (v, c) in points.iter().filter(|(v, _)| *v <= x) {
                    expected.add(&Sums { count: c.clone(), weighted: v * c });
                }
                prop_assert_eq!(ramps.up_to(start, rows, &x), expected, "up to {}", x);
            }
        }
    }

    #[test]
    fn numbers_that_might_not_fit_are_refused() {
        let ramps = |value: &[&[i64]], points: i128, rows| {
            let value: Vec<Univariate> = value.iter().map(|row| univariate(row)).collect();
            let width = Quotient { numerator: Bound { constant: points - 1, slope: 0 }, divisor: 1 };
            Ramps::new(&value, &[univariate(&[1])], width, rows)
        };
        assert!(ramps(&[&[1], &[1]], 1 << 31, 1 << 31).is_some());
        assert!(ramps(&[&[1], &[1]], (1 << 31) + 1, 1).is_none());
        assert!(ramps(&[&[1], &[1]], 1, (1 << 31) + 1).is_none());
        assert!(ramps(&[&[1], &[1 << 31]], 1 << 31, 1).is_none());
        assert!(ramps(&[&[1], &[1], &[1], &[1]], 1 << 21, 1).is_none());
        assert!(ramps(&[&[1, 1, 1, 1, 1]], 1, 1).is_none());
    }
}
