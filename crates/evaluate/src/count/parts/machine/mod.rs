//! Sums over rows of points in machine words.
//!
//! In most regions v is affine along each row, or else of degree 2 or 3, and c is constant or affine along it. The number of
//! points of a row up to x is then one division, or one search, and their sums a few products. All values that can occur are
//! bounded once, when the region is made, so that no operation has to check for overflow: values fit in 64 bits, sums in 128.
//! Regions that exceed these bounds are searched with [`Int`](symloc_quasi::Int)s.

mod curved;
mod differences;
mod ends;

use symloc_quasi::{Int, Univariate};

use super::quotient::LinearQuotient;
use curved::Curved;
use differences::{Differences, ORDERS};
use ends::Ends;

/// The largest sum: thousands of them may be added up.
const MOST: i128 = i128::MAX >> 16;

/// An x in a machine word. It is clamped to a range that contains all values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word(pub(super) i64);

impl From<&Int> for Word {
    fn from(x: &Int) -> Self {
        let far = if x.is_negative() { i128::MIN } else { i128::MAX };
        let x = x.to_i128().unwrap_or(far);
        Self(x.clamp(i128::from(i64::MIN / 4), i128::from(i64::MAX / 4)) as i64)
    }
}

/// The differences of v and c along the row at its first point: polynomials in the number of the row.
#[derive(Clone, Copy, Debug)]
pub(super) struct MachineRows {
    value: [Differences; ORDERS],
    count: [Differences; 2],
    /// True if v and c are affine along the rows.
    straight: bool,
    width: Ends,
}

impl MachineRows {
    /// Prepares the rows `0 ≤ t < rows` of a region by its differences along s; `None` if they are of another form, or too large.
    pub(super) fn new(value: &[Univariate], count: &[Univariate], width: LinearQuotient, rows: i128) -> Option<Self> {
        let points = width.floor(0).max(width.floor(rows)).checked_add(1)?;
        let width = Ends::new(width, rows)?;
        let (values, most_value) = all(value, points, rows)?;
        let (counts, most_count) = all(count, points, rows)?;
        let straight = value.len() <= 2;
        if !straight {
            // The largest binomial coefficient in a sum, before it is divided.
            points.checked_pow(value.len() as u32 + 1)?;
        }
        let sums = most_value.checked_mul(2)?.checked_mul(points)?.checked_mul(rows)?.checked_mul(most_count.max(1))?;
        let half = i128::from(i64::MAX / 4);
        let fits = most_value <= half && most_count <= half && sums <= MOST;
        fits.then_some(Self { value: values, count: counts, straight, width })
    }

    /// Returns Σ c and Σ v·c over the points of the rows `start ≤ t < end` with values up to `x`, both below [`MOST`].
    pub(super) fn up_to(&self, start: i128, end: i128, x: Word) -> (i128, i128) {
        let (start, end) = (start as i64, end as i64);
        match self.straight {
            true => self.straight(start, end, x.0),
            false => self.curved(start, end, x.0),
        }
    }

    fn straight(&self, start: i64, end: i64, x: i64) -> (i128, i128) {
        let [mut first, mut step, mut count, mut lean] =
            [self.value[0], self.value[1], self.count[0], self.count[1]].map(|d| d.at(start));
        let (mut number, mut weight) = (0_i128, 0_i128);
        for (_, last) in (start..end).zip(self.width.from(start)) {
            let row = [first.0[0], step.0[0], count.0[0], lean.0[0]];
            let (points, sum) = straight(row, last, x);
            number += points;
            weight += sum;
            [&mut first, &mut step, &mut count, &mut lean].into_iter().for_each(Differences::next);
        }
        (number, weight)
    }

    fn curved(&self, start: i64, end: i64, x: i64) -> (i128, i128) {
        let (mut value, mut count) = (self.value.map(|d| d.at(start)), self.count.map(|d| d.at(start)));
        let (mut number, mut weight) = (0_i128, 0_i128);
        for (t, last) in (start..end).zip(self.width.from(start)) {
            if t > start {
                value.iter_mut().chain(&mut count).for_each(Differences::next);
            }
            let row = Curved { value: value.map(|d| d.0[0]), count: count.map(|d| d.0[0]) };
            let (points, sum) = row.up_to(last, x);
            number += points;
            weight += sum;
        }
        (number, weight)
    }
}

/// Returns the differences along a row, if there are at most `N`, and a bound of the values at its points.
fn all<const N: usize>(differences: &[Univariate], points: i128, rows: i128) -> Option<([Differences; N], i128)> {
    let (mut all, mut most) = ([Differences::default(); N], 0_i128);
    for (order, poly) in differences.iter().enumerate().rev() {
        let (differences, bound) = Differences::new(poly, rows)?;
        *all.get_mut(order)? = differences;
        most = most.checked_mul(points)?.checked_add(bound)?;
    }
    Some((all, most))
}

/// Returns Σ c and Σ v·c over the points `0..=last` with values `v = first + step·s` up to `x`, and `c = count + lean·s`.
fn straight([first, step, count, lean]: [i64; 4], last: i64, x: i64) -> (i128, i128) {
    // Read in the direction in which v ascends.
    let (low, rise, count, lean) = match step < 0 {
        true => (first + step * last, -step, count + lean * last, -lean),
        false => (first, step, count, lean),
    };
    let room = x - low;
    if room < 0 {
        return (0, 0);
    }
    let steps = if rise == 0 { last } else { (room / rise).min(last) };
    let (points, pairs) = (i128::from(steps + 1), (i128::from(steps) * i128::from(steps + 1)) >> 1);
    let (mut number, mut moment) = (i128::from(count) * points, i128::from(count) * pairs);
    if lean != 0 {
        let squares = pairs * i128::from(2 * steps + 1) / 3;
        number += i128::from(lean) * pairs;
        moment += i128::from(lean) * squares;
    }
    (number, i128::from(low) * number + i128::from(rise) * moment)
}

#[cfg(test)]
mod tests {
    use super::super::Sums;
    use super::super::quotient::LinearBound;
    use super::*;
    use proptest::prelude::*;

    fn univariate(differences: &[i64]) -> Univariate {
        Univariate::from_differences(&differences.iter().map(|d| Int::from(*d)).collect::<Vec<_>>())
    }

    proptest! {
        /// Differences of one sign make values of one direction.
        #[test]
        fn machine_are_the_sums_over_their_points(
            value in prop::collection::vec(prop::collection::vec(0_i64..6, 1..=4), 1..=4), falling: bool,
            count in prop::collection::vec(prop::collection::vec(0_i64..4, 1..=4), 1..=2),
            width in (0_i128..9, 0_i128..6, 1_i128..4), rows in 1_i128..7, start in 0_i128..7, far in -300_i64..300,
        ) {
            let sign = if falling { -1 } else { 1 };
            let signed = |row: &Vec<i64>| univariate(&row.iter().map(|d| sign * d).collect::<Vec<_>>());
            let value: Vec<Univariate> = value.iter().map(signed).collect();
            let count: Vec<Univariate> = count.iter().map(|row| univariate(row)).collect();
            let (constant, slope, divisor) = width;
            let width = LinearQuotient { numerator: LinearBound { constant, slope }, divisor };
            let machine = MachineRows::new(&value, &count, width, rows);
            prop_assert!(machine.is_some(), "small numbers fit");
            let Some(machine) = machine else { return Ok(()) };
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
                let (count, weighted) = machine.up_to(start, rows, Word::from(&x));
                let sums = Sums { count: count.into(), weighted: weighted.into() };
                prop_assert_eq!(sums, expected, "up to {}", x);
            }
        }
    }

    #[test]
    fn numbers_that_might_not_fit_are_refused() {
        let machine = |value: &[&[i64]], points: i128, rows| {
            let value: Vec<Univariate> = value.iter().map(|row| univariate(row)).collect();
            let width = LinearQuotient { numerator: LinearBound { constant: points - 1, slope: 0 }, divisor: 1 };
            MachineRows::new(&value, &[univariate(&[1])], width, rows)
        };
        assert!(machine(&[&[1], &[1]], 1 << 31, 1 << 31).is_some());
        assert!(machine(&[&[1], &[1]], (1 << 31) + 1, 1).is_none());
        assert!(machine(&[&[1], &[1]], 1, (1 << 31) + 1).is_none());
        assert!(machine(&[&[1], &[1 << 31]], 1 << 31, 1).is_none());
        assert!(machine(&[&[1], &[1], &[1], &[1]], 1 << 21, 1).is_none());
        assert!(machine(&[&[1, 1, 1, 1, 1]], 1, 1).is_none());
    }
}
