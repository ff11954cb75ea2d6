//! Mixed radix: independent iterators with an affine value.
//!
//! The values are `base + Σ stepₖ·qₖ` with `0 ≤ qₖ < lengthₖ` and positive steps, numbers in a mixed radix whose digits may
//! overlap. The values up to x are counted from the largest step down. For the first values of its digit, every number is up to
//! x, whatever the smaller digits are; for the last ones, every number is above x; the few between are descended into. There is
//! at most one between if the smaller digits together do not reach the next larger step, as in positional notation. Contractions
//! of tensors come close to that: their iterators are the digits of the position in a loop nest.
//!
//! Steps of zero become a factor of the count, and two digits that are one number, `lengthₖ·stepₖ = stepₖ₊₁`, become one.

use symloc_quasi::Int;

use super::{Sums, pairs};
use crate::count::limits::DESCENTS;

/// A digit with the values `0, step, 2·step, …`, `length` of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Digit {
    pub(crate) step: Int,
    pub(crate) length: i128,
}

/// Points with independent coordinates.
#[derive(Clone, Debug)]
pub(crate) struct MixedRadix {
    /// The smallest value.
    base: Int,
    /// Accesses at each point.
    count: Int,
    /// By descending step.
    levels: Vec<Level>,
    /// The largest number of digits that are descended into for one x.
    descents: i128,
}

#[derive(Clone, Debug)]
struct Level {
    digit: Digit,
    below: Digits,
}

/// The numbers that the smaller digits form.
#[derive(Clone, Debug)]
struct Digits {
    /// The number of these numbers.
    numbers: Int,
    /// The largest of these numbers.
    span: Int,
    /// Their sum.
    sum: Int,
}

impl Digits {
    const NONE: Self = Self { numbers: int(1), span: Int::ZERO, sum: Int::ZERO };

    /// Adds a digit above these.
    fn with(&self, digit: &Digit) -> Self {
        let length = Int::from(digit.length);
        Self {
            numbers: &self.numbers * &length,
            span: &self.span + &(&digit.step * &(&length - &int(1))),
            sum: &(&self.sum * &length) + &(&(&digit.step * &pairs(digit.length)) * &self.numbers),
        }
    }
}

const fn int(value: i128) -> Int {
    Int::small(value)
}

impl MixedRadix {
    /// Creates the points with values `base + Σ step·q` and `count` accesses at each; no length is zero. `None` if too many
    /// digits would have to be descended into.
    pub(crate) fn new(base: Int, count: Int, digits: Vec<Digit>) -> Option<Self> {
        let (base, count, digits) = normal(base, count, digits);
        let (mut below, mut levels, mut descents) = (Digits::NONE, Vec::with_capacity(digits.len()), 1_i128);
        for digit in digits {
            let reached = below.span.div_floor(&digit.step)?.to_i128()?.min(digit.length - 1);
            descents = descents.checked_mul(reached.checked_add(1)?).filter(|descents| *descents <= DESCENTS)?;
            let with = below.with(&digit);
            levels.push(Level { digit, below });
            below = with;
        }
        levels.reverse();
        Some(Self { base, count, levels, descents })
    }

    /// Returns the largest number of digits that are descended into for one x.
    pub(crate) fn descents(&self) -> i128 {
        self.descents
    }

    /// Returns the smallest value.
    pub(crate) fn low(&self) -> Int {
        self.base.clone()
    }

    /// Returns the largest value.
    pub(crate) fn high(&self) -> Int {
        &self.base + &self.all().span
    }

    /// Returns the sums over all points.
    pub(crate) fn total(&self) -> Sums {
        let all = self.all();
        self.sums(&all.numbers, &all.sum)
    }

    /// Returns the sums over the points with values up to `x`.
    pub(crate) fn up_to(&self, x: &Int) -> Sums {
        let room = x - &self.base;
        let (mut numbers, mut sum) = (Int::ZERO, Int::ZERO);
        descend(&self.levels, &room, &Int::ZERO, &mut numbers, &mut sum);
        self.sums(&numbers, &sum)
    }

    fn all(&self) -> Digits {
        self.levels.first().map_or(Digits::NONE, |level| level.below.with(&level.digit))
    }

    fn sums(&self, numbers: &Int, sum: &Int) -> Sums {
        Sums { count: numbers * &self.count, weighted: &(&(numbers * &self.base) + sum) * &self.count }
    }
}

/// Adds the numbers up to `room` that the digits form, each increased by `offset`.
fn descend(levels: &[Level], room: &Int, offset: &Int, numbers: &mut Int, sum: &mut Int) {
    if room.is_negative() {
        return;
    }
    let Some((Level { digit, below }, rest)) = levels.split_first() else {
        *numbers += &int(1);
        *sum += offset;
        return;
    };
    let up_to = |room: &Int| match room.div_floor(&digit.step).and_then(|last| last.to_i128()) {
        Some(last) => last.saturating_add(1).clamp(0, digit.length),
        None => {
            if room.is_negative() {
                0
            } else {
                digit.length
            }
        }
    };
    let (full, touched) = (up_to(&(room - &below.span)), up_to(room));
    let points = &below.numbers * &Int::from(full);
    *sum += &(&(&below.sum * &Int::from(full)) + &(&(&digit.step * &pairs(full)) * &below.numbers));
    *sum += &(&points * offset);
    *numbers += &points;
    for q in full..touched {
        let value = &digit.step * &Int::from(q);
        descend(rest, &(room - &value), &(offset + &value), numbers, sum);
    }
}

/// Makes all steps positive, sorts them ascending, and merges digits that form one number.
fn normal(mut base: Int, mut count: Int, digits: Vec<Digit>) -> (Int, Int, Vec<Digit>) {
    let mut positive: Vec<Digit> = Vec::with_capacity(digits.len());
    for Digit { step, length } in digits {
        if step.is_zero() {
            count = &count * &Int::from(length);
        } else if step.is_negative() {
            base += &(&step * &Int::from(length - 1));
            positive.push(Digit { step: &Int::ZERO - &step, length });
        } else {
            positive.push(Digit { step, length });
        }
    }
    positive.retain(|digit| digit.length > 1);
    positive.sort_by(|a, b| a.step.cmp(&b.step));
    let mut merged: Vec<Digit> = Vec::with_capacity(positive.len());
    for digit in positive {
        match merged.last_mut() {
            Some(last) if &last.step * &Int::from(last.length) == digit.step => {
                match last.length.checked_mul(digit.length) {
                    Some(length) => last.length = length,
                    None => merged.push(digit),
                }
            }
            _ => merged.push(digit),
        }
    }
    (base, count, merged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_mixed_radix_is_the_sum_over_its_points(
            base in -50_i64..50, count in 1_i64..5,
            digits in proptest::collection::vec((-12_i64..13, 1_i64..6), 0..5),
        ) {
            let mut values = vec![base];
            for (step, length) in &digits {
                values = values.iter().flat_map(|v| (0..*length).map(move |q| v + step * q)).collect();
            }
            let digits = digits.iter().map(|(s, l)| Digit { step: Int::from(*s), length: i128::from(*l) }).collect();
            let radix = MixedRadix::new(base.into(), count.into(), digits);
            prop_assert!(radix.is_some(), "at most 625 points");
            let Some(radix) = radix else { return Ok(()) };
            let sums = |x: i64| {
                let below: Vec<i64> = values.iter().copied().filter(|v| *v <= x).collect();
                Sums { count: (count * below.len() as i64).into(), weighted: (count * below.iter().sum::<i64>()).into() }
            };
            let (low, high) = (*values.iter().min().unwrap(), *values.iter().max().unwrap());
            prop_assert_eq!((radix.low(), radix.high(), radix.total()), (low.into(), high.into(), sums(high)));
            for x in low - 2..=high + 2 {
                prop_assert_eq!(radix.up_to(&x.into()), sums(x));
            }
        }
    }

    #[test]
    fn positional_notation_is_one_digit() {
        let digit = |step: i64, length| Digit { step: step.into(), length };
        let radix = MixedRadix::new(1.into(), 1.into(), vec![digit(100, 10), digit(1, 10), digit(0, 7), digit(10, 10)]);
        assert_eq!(radix.unwrap().levels.len(), 1);
        // Each digit reaches far beyond the step of the next.
        let wild = vec![digit(1_000_003, 1 << 40), digit(1_000_007, 1 << 40), digit(1_000_033, 1 << 40)];
        assert!(MixedRadix::new(1.into(), 1.into(), wild).is_none());
    }
}
