//! Merges two iterators that are the digits of one number.
//!
//! Cache lines divide an iterator into a line and a place in it, `8·u + r` with `0 ≤ r < 8`, and the lines of rows are numbered by
//! `lines·row + line`. Where v, c and all conditions depend on that number alone, apart from the range of the lower digit, the number
//! takes the place of both iterators (docs/counting.md, Digits of one number). Unlike in a [mixed radix](super::super::parts::radix), v
//! may be any polynomial.

use symloc_quasi::Section;

use super::lattice::{AffineFunction, Lattice, LatticeDirection, simplex};
use super::strips::Strip;
use super::{Decomposition, Trouble, checked};
use crate::count::limits::SHORT;

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
        let (digits, conditions) = self.digit_pair(lattice, conditions, 0)?;
        Some((digits.numbers(lattice), conditions))
    }

    /// Adds the points of two digits of one number of which the lower one has too few values: those of all numbers, and those of the
    /// missing values with the opposite sign. Returns false if there are no such two.
    pub(super) fn filled(&mut self, lattice: &Lattice, conditions: &[AffineFunction]) -> Result<bool, Trouble> {
        let pair = |missing| Some((missing, self.digit_pair(lattice, conditions, missing)?));
        let Some((missing, (digits, all))) = (1..=SHORT).find_map(pair) else { return Ok(false) };
        let end = checked(digits.first.checked_add(digits.base))?;
        let direction = LatticeDirection::coordinate(lattice.dimensions(), digits.low);
        let gap = Strip { direction, first: end - missing, last: end - 1 };
        let others: Vec<_> = conditions.iter().filter(|c| !c.is_about(digits.low)).cloned().collect();
        self.aside(|this| {
            this.enumerate(lattice, &others, &gap)?;
            this.parts.negate();
            this.part(digits.numbers(lattice), all)
        })
    }

    /// Returns two digits of one number, the lower one of which has `missing` values less than the base, and the conditions in that
    /// number.
    fn digit_pair(
        &self,
        lattice: &Lattice,
        conditions: &[AffineFunction],
        missing: i128,
    ) -> Option<(DigitPair, Vec<AffineFunction>)> {
        // Polynomials on the lattice, so that a few points prove their equality.
        if lattice.steps.iter().any(|step| self.plan.periods.along(step) != Some(1)) {
            return None;
        }
        let coordinates = 0..lattice.dimensions();
        let pairs = coordinates.clone().flat_map(|high| coordinates.clone().map(move |low| (high, low)));
        pairs.filter(|(high, low)| high != low).find_map(|(high, low)| {
            let digits = DigitPair::new(high, low, conditions, missing)?;
            let conditions = conditions.iter().filter(|c| !c.is_about(low));
            let conditions = conditions.map(|c| digits.condition(c)).collect::<Option<Vec<_>>>()?;
            self.are_one_number(lattice, digits).then_some((digits, conditions))
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
    /// Returns the digits, if `low` has a first and a last value, and at least two values; the base is larger by `missing`.
    fn new(high: usize, low: usize, conditions: &[AffineFunction], missing: i128) -> Option<Self> {
        let own = conditions.iter().filter(|c| c.is_about(low));
        let (mut first, mut last) = (None, None);
        // Slopes of conditions on one coordinate are 1 or −1.
        for AffineFunction { constant, slopes } in own {
            match slopes[low] {
                1 => first = first.max(Some(-constant)),
                _ => last = Some(last.map_or(*constant, |last: i128| last.min(*constant))),
            }
        }
        let values = last?.checked_sub(first?)?.checked_add(1)?;
        let base = values.checked_add(missing)?;
        (values > 1).then_some(Self { high, low, first: first?, base })
    }

    /// Returns the lattice with the number in the place of both digits.
    fn numbers(self, lattice: &Lattice) -> Lattice {
        let mut lattice = lattice.clone();
        lattice.steps.remove(self.high);
        lattice
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
