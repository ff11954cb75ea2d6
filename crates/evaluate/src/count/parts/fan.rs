//! A fan: numbers in mixed radix whose base and steps grow from slice to slice.
//!
//! The values are `base(q) + Σ stepₖ(q)·rₖ` with `0 ≤ rₖ < lengthₖ` and `0 ≤ q < slices`, where base and steps are affine in q: a box on
//! which v is affine along each coordinate. Slice q is a [mixed radix](super::radix). If no step changes its sign, the smallest and the
//! largest value of a slice are affine in q, too, so that the slices wholly up to x are the first so many, or the last. They have a sum in
//! closed form; only those astride x are made, when a question comes to them (docs/counting.md, Fans).

use std::ops::Range;

use symloc_quasi::Int;

use super::Sums;
use super::radix::{Digit, Lowest, MixedRadix};
use crate::count::limits::STACKED;

/// A number that grows by the same from slice to slice.
#[derive(Clone, Debug)]
pub(crate) struct Growing {
    /// Its value on the first slice.
    pub(crate) first: Int,
    pub(crate) growth: Int,
}

impl Growing {
    /// Returns the number on a slice.
    pub(crate) fn at(&self, slice: i128) -> Int {
        &self.first + &(&self.growth * &Int::from(slice))
    }

    /// Returns the number on the slices from `start` on.
    pub(crate) fn from(&self, start: i128) -> Self {
        Self { first: self.at(start), growth: self.growth.clone() }
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.plus(other, -1)
    }

    fn plus(&self, other: &Self, factor: i128) -> Self {
        let sum = |a: &Int, b: &Int| a + &(b * &Int::from(factor));
        Self { first: sum(&self.first, &other.first), growth: sum(&self.growth, &other.growth) }
    }

    /// Returns the slices among `0..slices` on which the number is at most `x`: the first ones, or the last ones.
    fn up_to(&self, x: &Int, slices: i128) -> Range<i128> {
        let ascending = Digit { step: self.growth.clone(), length: slices }.ascending();
        if ascending.step.is_zero() {
            return if self.first <= *x { 0..slices } else { 0..0 };
        }
        let smallest = if self.growth.is_negative() { self.at(slices - 1) } else { self.first.clone() };
        let number = ascending.up_to(&(x - &smallest));
        if self.growth.is_negative() { slices - number..slices } else { 0..number }
    }
}

/// Slices of numbers in mixed radix.
#[derive(Clone, Debug)]
pub(crate) struct Fan {
    slices: i128,
    /// The number of accesses at each point.
    count: Int,
    base: Growing,
    /// The steps and lengths of the digits.
    digits: Vec<(Growing, i128)>,
    /// The smallest and the largest value of a slice.
    smallest: Growing,
    largest: Growing,
    /// An upper bound of the number of digits of a slice that are descended into for one x.
    descents: i128,
}

impl Fan {
    /// Creates the points of some slices. `None` if a step is zero on one end and not on the other, or changes its sign, if the steps
    /// change their order, or if more than [`STACKED`] digits of a slice might have to be descended into.
    pub(crate) fn new(slices: i128, count: Int, base: Growing, digits: Vec<(Growing, i128)>) -> Option<Self> {
        let ends = [0, slices - 1];
        let (mut smallest, mut largest) = (base.clone(), base.clone());
        for (step, length) in &digits {
            let [first, last] = ends.map(|slice| step.at(slice));
            if first.cmp(&Int::ZERO) != last.cmp(&Int::ZERO) {
                return None;
            }
            let end = if first.is_negative() { &mut smallest } else { &mut largest };
            *end = end.plus(step, length - 1);
        }
        let descents = descents(&digits, ends).filter(|descents| *descents <= STACKED)?;
        Some(Self { slices, count, base, digits, smallest, largest, descents })
    }

    /// Returns the largest number of digits that are searched one by one for any x.
    pub(crate) fn most_searched(&self) -> i128 {
        self.slices.saturating_mul(self.descents)
    }

    /// Returns an upper bound of the number of digits that are searched one by one for `x`.
    pub(crate) fn searched(&self, x: &Int) -> i128 {
        let (touched, full) = (self.smallest.up_to(x, self.slices), self.largest.up_to(x, self.slices));
        ((touched.end - touched.start) - (full.end - full.start)).saturating_mul(self.descents)
    }

    /// Returns the smallest value.
    pub(crate) fn low(&self) -> Int {
        self.smallest.at(0).min(self.smallest.at(self.slices - 1))
    }

    /// Returns the largest value.
    pub(crate) fn high(&self) -> Int {
        self.largest.at(0).max(self.largest.at(self.slices - 1))
    }

    /// Returns the sums over all points.
    pub(crate) fn total(&self) -> Sums {
        self.whole(&(0..self.slices))
    }

    /// Returns the sums over the points with values up to `x`.
    pub(crate) fn up_to(&self, x: &Int) -> Sums {
        let (touched, full) = (self.smallest.up_to(x, self.slices), self.largest.up_to(x, self.slices));
        let mut sums = self.whole(&full);
        // An empty range of full slices lies at one end, so that no slice comes twice.
        let before = touched.start..touched.end.min(full.start);
        let after = touched.start.max(full.end)..touched.end;
        before.chain(after).for_each(|slice| sums.add(&self.slice(slice).up_to(x)));
        sums
    }

    fn slice(&self, slice: i128) -> MixedRadix {
        let digits = self.digits.iter().map(|(step, length)| Digit { step: step.at(slice), length: *length });
        MixedRadix::unlimited(Lowest::One(self.base.at(slice), self.count.clone()), digits.collect())
    }

    /// Returns the sums over all points of some slices. As v is affine along each coordinate, its mean is its value in the middle.
    fn whole(&self, slices: &Range<i128>) -> Sums {
        let points =
            self.digits.iter().fold(Int::from(slices.end - slices.start), |n, (_, length)| &n * &Int::from(*length));
        let count = &points * &self.count;
        let twice = |number: &Growing| {
            &(&number.first * &Int::from(2)) + &(&number.growth * &Int::from(slices.start + slices.end - 1))
        };
        let middle = self.digits.iter().fold(&twice(&self.base) * &Int::from(2), |sum, (step, length)| {
            &sum + &(&twice(step) * &Int::from(length - 1))
        });
        let four_times = &count * &middle;
        Sums { weighted: four_times.div_floor(&Int::from(4)).unwrap_or(four_times), count }
    }
}

/// Returns an upper bound of the number of digits that are descended into on any slice; `None` if the steps change their order.
///
/// The reach of the smaller digits, divided by the step of a digit, is a quotient of affine functions of the slice: it is largest on one of the ends.
fn descents(digits: &[(Growing, i128)], ends: [i128; 2]) -> Option<i128> {
    let size = |step: Int| if step.is_negative() { &Int::ZERO - &step } else { step };
    let on_ends = digits.iter().map(|(step, length)| (ends.map(|slice| size(step.at(slice))), *length));
    let mut ascending: Vec<_> = on_ends.filter(|(steps, length)| *length > 1 && !steps[0].is_zero()).collect();
    ascending.sort_by(|(a, _), (b, _)| a.cmp(b));
    if ascending.windows(2).any(|pair| pair[0].0[1] > pair[1].0[1]) {
        return None;
    }
    let (mut reached, mut descents) = ([Int::ZERO, Int::ZERO], 1_i128);
    for (steps, length) in ascending {
        let touched = reached.iter_mut().zip(steps).map(|(reached, step)| {
            let digit = Digit { step, length };
            let touched = digit.up_to(reached);
            *reached += &(&digit.step * &Int::from(length - 1));
            touched
        });
        descents = descents.saturating_mul(touched.max().unwrap_or(1));
    }
    Some(descents)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_fan_is_the_sum_over_its_points(
            base in (-50_i64..50, -9_i64..10), slices in 1_i64..9, count in 1_i64..5,
            digits in proptest::collection::vec((-30_i64..31, -6_i64..7, 1_i64..6), 0..4),
        ) {
            let growing = |first: i64, growth: i64| Growing { first: first.into(), growth: growth.into() };
            let steps = digits.iter().map(|(first, growth, length)| (growing(*first, *growth), i128::from(*length)));
            let fan = Fan::new(slices.into(), count.into(), growing(base.0, base.1), steps.collect());
            let mut values: Vec<_> = (0..slices).map(|q| (q, base.0 + q * base.1)).collect();
            for (first, growth, length) in &digits {
                values = values.iter().flat_map(|(q, v)| (0..*length).map(move |r| (*q, v + r * (first + q * growth)))).collect();
            }
            // As steps may change their sign or their order.
            let Some(fan) = fan else { return Ok(()) };
            let sums = |x: i64| {
                let below: Vec<i64> = values.iter().map(|(_, v)| *v).filter(|v| *v <= x).collect();
                Sums { count: (count * below.len() as i64).into(), weighted: (count * below.iter().sum::<i64>()).into() }
            };
            let all = || values.iter().map(|(_, v)| *v);
            let (low, high) = (all().min().unwrap(), all().max().unwrap());
            prop_assert_eq!((fan.low(), fan.high(), fan.total()), (low.into(), high.into(), sums(high)));
            for x in low - 2..=high + 2 {
                prop_assert_eq!(fan.up_to(&x.into()), sums(x));
                let made = (0..fan.slices).map(|slice| fan.slice(slice).searched(&x.into())).max().unwrap();
                prop_assert!(made <= fan.descents && fan.searched(&x.into()) <= fan.most_searched());
            }
        }
    }

    #[test]
    fn steps_that_vanish_or_cross_are_no_fan() {
        let fan = |steps: [(i64, i64); 2]| {
            let digits = steps.map(|(first, growth)| (Growing { first: first.into(), growth: growth.into() }, 3));
            Fan::new(10, 1.into(), Growing { first: 1.into(), growth: 0.into() }, digits.to_vec()).is_some()
        };
        assert!(fan([(1, 1), (100, 3)]) && fan([(0, 0), (-9, -1)]));
        assert!(!fan([(0, 1), (100, 3)]) && !fan([(5, -1), (100, 3)]) && !fan([(1, 2), (2, 1)]));
    }
}
