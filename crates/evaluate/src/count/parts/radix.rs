//! Mixed radix: independent iterators with an affine value.
//!
//! The values are `base + Σ stepₖ·qₖ` with `0 ≤ qₖ < lengthₖ` and positive steps, numbers in a mixed radix whose digits may
//! overlap. The values up to x are counted from the largest step down. For the first values of its digit, every number is up to
//! x, whatever the smaller digits are; for the last ones, every number is above x; the few between are descended into. There is
//! at most one between if the smaller digits together do not reach the next larger step, as in positional notation. Contractions
//! of tensors come close to that: their iterators are the digits of the position in a loop nest.
//!
//! Steps of zero become a factor of the count, and two digits that are one number, `lengthₖ·stepₖ = stepₖ₊₁`, become one.
//!
//! Below the last digit stands one value, or a part of any shape.

use symloc_quasi::Int;

use super::{IntervalPart, Sums, pairs};
use crate::count::limits::{DESCENTS, STACKED};

/// A digit with the values `0, step, 2·step, …`, `length` of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Digit {
    pub(crate) step: Int,
    pub(crate) length: i128,
}

impl Digit {
    /// Returns the digit, counted from the other end if its step is negative.
    pub(crate) fn ascending(self) -> Self {
        if self.step.is_negative() { Self { step: &Int::ZERO - &self.step, ..self } } else { self }
    }

    /// Returns the number of values up to `x`.
    pub(super) fn up_to(&self, x: &Int) -> i128 {
        match x.div_floor(&self.step).and_then(|last| last.to_i128()) {
            Some(last) => last.saturating_add(1).clamp(0, self.length),
            None if x.is_negative() => 0,
            None => self.length,
        }
    }
}

/// The points at which all digits are zero.
#[derive(Clone, Debug)]
pub(crate) enum Lowest {
    /// A value, and the number of accesses that have it.
    One(Int, Int),
    /// The points of a part.
    Part(IntervalPart),
}

/// Points with independent coordinates.
#[derive(Clone, Debug)]
pub(crate) struct MixedRadix {
    lowest: Lowest,
    /// The sum of the last values of the digits that count downwards: negative, or zero.
    base: Int,
    /// The product of the lengths of the digits with the step zero: each number occurs so many times.
    times: Int,
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

/// The values that the smaller digits form.
#[derive(Clone, Debug)]
struct Digits {
    /// The smallest and the largest of these values.
    low: Int,
    high: Int,
    /// The sums over them.
    sums: Sums,
}

impl Digits {
    fn none(lowest: &Lowest) -> Self {
        match lowest {
            Lowest::One(value, count) => {
                let sums = Sums { count: count.clone(), weighted: value * count };
                Self { low: value.clone(), high: value.clone(), sums }
            }
            Lowest::Part(part) => Self { low: part.low.clone(), high: part.high.clone(), sums: part.total.clone() },
        }
    }

    /// Adds a digit above these.
    fn with(&self, digit: &Digit) -> Self {
        let mut sums = self.sums.times(&Int::from(digit.length));
        sums.weighted += &(&(&digit.step * &pairs(digit.length)) * &self.sums.count);
        let most = &digit.step * &Int::from(digit.length - 1);
        Self { low: self.low.clone(), high: &self.high + &most, sums }
    }
}

impl Lowest {
    /// Returns the sums over the accesses with a value up to `x`.
    fn up_to(&self, x: &Int) -> Sums {
        match self {
            Self::One(value, count) if value <= x => Sums { count: count.clone(), weighted: value * count },
            Self::One(..) => Sums::default(),
            Self::Part(part) => part.up_to(x),
        }
    }

    fn most_searched(&self) -> i128 {
        match self {
            Self::One(..) => 1,
            Self::Part(part) => part.most_searched(),
        }
    }

    fn searched(&self, x: &Int) -> i128 {
        match self {
            Self::One(..) => 1,
            Self::Part(part) => part.searched(x),
        }
    }
}

impl MixedRadix {
    /// Creates the points with values Σ step·q above those of `lowest`; no length is zero. `None` if too many digits would have to
    /// be descended into.
    pub(crate) fn new(lowest: Lowest, digits: Vec<Digit>) -> Option<Self> {
        let most = match lowest {
            Lowest::One(..) => DESCENTS,
            // In positional notation two digits are descended into; enumeration would search as many parts.
            Lowest::Part(_) => (DESCENTS / lowest.most_searched().max(1)).clamp(2, STACKED),
        };
        Some(Self::unlimited(lowest, digits)).filter(|radix| radix.descents <= most)
    }

    /// Creates the points, however many digits have to be descended into.
    pub(super) fn unlimited(lowest: Lowest, digits: Vec<Digit>) -> Self {
        let (base, times, digits) = normal(digits);
        let (mut below, mut levels, mut descents) = (Digits::none(&lowest), Vec::with_capacity(digits.len()), 1_i128);
        for digit in digits {
            descents = descents.saturating_mul(digit.up_to(&(&below.high - &below.low)));
            let with = below.with(&digit);
            levels.push(Level { digit, below });
            below = with;
        }
        levels.reverse();
        Self { lowest, base, times, levels, descents }
    }

    /// Returns the largest number of rows and digits that are searched one by one for any x.
    pub(crate) fn most_searched(&self) -> i128 {
        self.descents.saturating_mul(self.lowest.most_searched())
    }

    /// Returns the number of rows and digits that are searched one by one for `x`.
    pub(crate) fn searched(&self, x: &Int) -> i128 {
        let mut searched = 0_i128;
        let x = x - &self.base;
        let mut count = |x: &Int, _: &Int, _: &mut Sums| searched = searched.saturating_add(self.lowest.searched(x));
        descend(&self.levels, &x, &Int::ZERO, &mut Sums::default(), &mut count);
        searched
    }

    /// Returns the smallest value.
    pub(crate) fn low(&self) -> Int {
        &self.base + &self.all().low
    }

    /// Returns the largest value.
    pub(crate) fn high(&self) -> Int {
        &self.base + &self.all().high
    }

    /// Returns the sums over all points.
    pub(crate) fn total(&self) -> Sums {
        self.whole(self.all().sums)
    }

    /// Returns the sums over the points with values up to `x`.
    pub(crate) fn up_to(&self, x: &Int) -> Sums {
        let mut sums = Sums::default();
        let mut add = |x: &Int, offset: &Int, sums: &mut Sums| sums.add(&self.lowest.up_to(x).raised(offset));
        descend(&self.levels, &(x - &self.base), &Int::ZERO, &mut sums, &mut add);
        self.whole(sums)
    }

    fn all(&self) -> Digits {
        self.levels.first().map_or_else(|| Digits::none(&self.lowest), |level| level.below.with(&level.digit))
    }

    /// Returns sums over the numbers as sums over all points.
    fn whole(&self, sums: Sums) -> Sums {
        sums.raised(&self.base).times(&self.times)
    }
}

/// Adds the sums over the values up to `x`, each increased by `offset`; `lowest` adds those below all digits.
fn descend(levels: &[Level], x: &Int, offset: &Int, sums: &mut Sums, lowest: &mut dyn FnMut(&Int, &Int, &mut Sums)) {
    let Some((Level { digit, below }, rest)) = levels.split_first() else { return lowest(x, offset, sums) };
    let (full, touched) = (digit.up_to(&(x - &below.high)), digit.up_to(&(x - &below.low)));
    if full > 0 {
        let first = Digit { step: digit.step.clone(), length: full };
        sums.add(&below.with(&first).sums.raised(offset));
    }
    for q in full..touched {
        let value = &digit.step * &Int::from(q);
        descend(rest, &(x - &value), &(offset + &value), sums, lowest);
    }
}

/// Makes all steps positive, sorts them ascending, and merges digits that form one number. Also returns by how much the smallest
/// value falls, and how often each number occurs.
fn normal(digits: Vec<Digit>) -> (Int, Int, Vec<Digit>) {
    let (mut base, mut times) = (Int::ZERO, Int::from(1));
    let mut positive: Vec<Digit> = Vec::with_capacity(digits.len());
    for Digit { step, length } in digits {
        if step.is_zero() {
            times = &times * &Int::from(length);
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
    (base, times, merged)
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
            let radix = MixedRadix::new(Lowest::One(base.into(), count.into()), digits);
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
        let one = || Lowest::One(1.into(), 1.into());
        let radix = MixedRadix::new(one(), vec![digit(100, 10), digit(1, 10), digit(0, 7), digit(10, 10)]);
        assert_eq!(radix.unwrap().levels.len(), 1);
        // Each digit reaches far beyond the step of the next.
        let wild = vec![digit(1_000_003, 1 << 40), digit(1_000_007, 1 << 40), digit(1_000_033, 1 << 40)];
        assert!(MixedRadix::new(one(), wild).is_none());
    }
}
