//! Merges two iterators that are the digits of one number.
//!
//! Cache lines divide an iterator into a line and a place in it, `8·u + r` with `0 ≤ r < 8`, and the lines of rows are numbered by
//! `lines·row + line`. Where v, c and all conditions depend on that number alone, apart from the range of the lower digit, the number
//! takes the place of both iterators (docs/counting.md, Digits of one number). Unlike in a [mixed radix](super::super::parts::radix), v
//! may be any polynomial.

use super::Decomposition;
use super::lattice::{AffineFunction, Lattice};
use symloc_quasi::Section;

/// The coordinates `high` and `low`, where `first ≤ low < first + base`: the digits of `base·high + low`.
#[derive(Clone, Copy, Debug)]
struct DigitPair {
    high: usize,
    low: usize,
    first: i128,
    base: i128,
}

impl Decomposition<'_> {
    /// Returns the points with one coordinate in the place of two that are its digits; `None` if there are no such two.
    pub(super) fn merged(
        &self,
        lattice: &Lattice,
        conditions: &[AffineFunction],
    ) -> Option<(Lattice, Vec<AffineFunction>)> {
        // Polynomials on the lattice, so that a few points prove their equality.
        if lattice.steps.iter().any(|step| self.plan.periods.along(step) != Some(1)) {
            return None;
        }
        let coordinates = 0..lattice.dimensions();
        let pairs = coordinates.clone().flat_map(|high| coordinates.clone().map(move |low| (high, low)));
        pairs.filter(|(high, low)| high != low).find_map(|(high, low)| {
            let digits = DigitPair::new(high, low, conditions)?;
            let conditions = conditions.iter().filter(|c| !is_about(c, low));
            let conditions = conditions.map(|c| digits.condition(c)).collect::<Option<Vec<_>>>()?;
            self.are_one_number(lattice, digits).then(|| {
                let mut lattice = lattice.clone();
                lattice.steps.remove(high);
                (lattice, conditions)
            })
        })
    }

    /// Returns true if v, c and the conditions with floors stay as they are where `high` grows by one and `low` falls by the base.
    fn are_one_number(&self, lattice: &Lattice, digits: DigitPair) -> bool {
        let [value, count] = [(&self.value, self.plan.value_degree), (&self.count, self.plan.count_degree)];
        let floored = self.floored.iter().map(|(section, _)| (section, 1));
        [value, count].into_iter().chain(floored).all(|(section, degree)| digits.is_constant(section, degree, lattice))
    }
}

impl DigitPair {
    /// Returns the digits, if `low` has a first and a last value, and at least two values.
    fn new(high: usize, low: usize, conditions: &[AffineFunction]) -> Option<Self> {
        let own = conditions.iter().filter(|c| is_about(c, low));
        let (mut first, mut last) = (None, None);
        // Slopes of conditions on one coordinate are 1 or −1.
        for AffineFunction { constant, slopes } in own {
            match slopes[low] {
                1 => first = first.max(Some(-constant)),
                _ => last = Some(last.map_or(*constant, |last: i128| last.min(*constant))),
            }
        }
        let base = last?.checked_sub(first?)?.checked_add(1)?;
        (base > 1).then_some(Self { high, low, first: first?, base })
    }

    /// Returns a condition in the number w, which takes the place of the lower digit; `None` if it depends on the digits otherwise.
    ///
    /// The higher digit is `⌊(w − first)/base⌋`. It is at least an integer h if w is at least `base·h + first`, and at most h if w is
    /// at most `base·h + first + base − 1`.
    fn condition(self, condition: &AffineFunction) -> Option<AffineFunction> {
        let Self { high, low, first, base } = self;
        let (of_high, of_low) = (condition.slopes[high], condition.slopes[low]);
        let scale = |factor: i128| {
            let slopes = condition.slopes.iter().map(|slope| slope.checked_mul(factor)).collect::<Option<Vec<_>>>()?;
            Some((condition.constant.checked_mul(factor)?, slopes))
        };
        let (constant, mut slopes) = match (of_high, of_low) {
            _ if of_low.checked_mul(base)? == of_high => scale(1)?,
            (1 | -1, 0) => {
                let (constant, mut slopes) = scale(base)?;
                slopes[low] = of_high;
                let rest = if of_high == 1 { first.checked_neg()? } else { first.checked_add(base - 1)? };
                (constant.checked_add(rest)?, slopes)
            }
            _ => return None,
        };
        slopes.remove(high);
        Some(AffineFunction::new(constant, slopes)?.tightened())
    }

    /// Returns true if a polynomial of at most this degree in the coordinates depends on the number alone: if its difference between
    /// (high + 1, low − base) and (high, low) is zero. The difference is of a lower degree, so it is zero everywhere if it is zero at
    /// the points whose coordinates are not negative and add up to less than the degree.
    fn is_constant(self, section: &Section<'_>, degree: usize, lattice: &Lattice) -> bool {
        let value = |coordinates: &[i128]| section.value(&lattice.point(coordinates)?);
        let Some(most) = degree.checked_sub(1) else { return true };
        simplex(lattice.dimensions(), most as i128).into_iter().all(|mut coordinates| {
            let here = value(&coordinates);
            coordinates[self.high] += 1;
            coordinates[self.low] -= self.base;
            // Where it is no integer, nothing is known.
            here.is_some() && here == value(&coordinates)
        })
    }
}

/// Returns true if a condition is about one coordinate alone.
fn is_about(condition: &AffineFunction, coordinate: usize) -> bool {
    condition.slopes.iter().enumerate().all(|(k, slope)| (*slope != 0) == (k == coordinate))
}

/// Returns the points whose coordinates are not negative and add up to at most `most`.
fn simplex(dimensions: usize, most: i128) -> Vec<Vec<i128>> {
    let mut points = vec![Vec::with_capacity(dimensions)];
    for _ in 0..dimensions {
        let longer = |point: Vec<i128>| {
            let left = most - point.iter().sum::<i128>();
            (0..=left).map(move |next| [&point[..], &[next]].concat())
        };
        points = points.into_iter().flat_map(longer).collect();
    }
    points
}
