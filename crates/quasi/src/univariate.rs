//! Integer-valued polynomials in one variable, from their values.
//!
//! On a residue class a quasi-polynomial is a polynomial whose degree is known, so a few values determine it. With the
//! forward differences `Δₖ` at 0 it is `Σ Δₖ·C(t, k)` (Newton), and its sum over `0 ≤ s < t` is `Σ Δₖ·C(t, k + 1)`:
//! all of these are integers, for every integer `t`. They are kept as `(Σ aₖ·tᵏ) / d`, which one division evaluates.

mod machine;
mod short;

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

use crate::int::Int;
use machine::{FEW, MachinePoly, differences_of, machine, root};
use short::Short;

/// A polynomial that takes integers to integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Univariate(Repr);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Repr {
    Short(Short),
    Machine(Box<MachinePoly>),
    Big(Box<Big>),
}

/// `(Σ aₖ·tᵏ) / d`, of any degree and size.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Big {
    coefficients: Vec<BigInt>,
    denominator: BigInt,
}

impl Repr {
    /// Returns the smallest representation for the first `count` differences, if they are not too large for machine
    /// words.
    fn new(differences: &[i128; FEW], count: usize) -> Option<Self> {
        if let Some(short) = Short::new(differences, count) {
            return Some(Self::Short(short));
        }
        let machine = MachinePoly::new(differences, count)?;
        Some(Short::of(&machine).map_or_else(|| Self::Machine(Box::new(machine)), Self::Short))
    }
}

impl Univariate {
    /// Returns the polynomial of the least degree that has `values[t]` at every `t`.
    pub fn through(values: &[Int]) -> Self {
        match machine(values, 0).and_then(|row| Repr::new(&differences_of(row, values.len())?, values.len())) {
            Some(repr) => Self(repr),
            None => Self::from_differences(&differences(values)),
        }
    }

    /// `S` with `S(t) = Σ p(s)` over `0 ≤ s < t`, for the polynomial `p` of the least degree that has `values[t]` at
    /// every `t`.
    pub fn sum_through(values: &[Int]) -> Self {
        Self::sum_from_differences(&differences(values))
    }

    /// `Σ Δₖ·C(t, k)`.
    pub fn from_differences(differences: &[Int]) -> Self {
        Self::shifted(differences, 0)
    }

    /// `Σ Δₖ·C(t, k + 1)`, the sum of `Σ Δₖ·C(s, k)` over `0 ≤ s < t`.
    pub fn sum_from_differences(differences: &[Int]) -> Self {
        Self::shifted(differences, 1)
    }

    fn shifted(differences: &[Int], shift: usize) -> Self {
        let count = differences.len() + shift;
        let small = machine(differences, shift).and_then(|row| Repr::new(&row, count));
        Self(small.unwrap_or_else(|| Repr::Big(Box::new(Big::new(differences, shift)))))
    }

    /// Returns the degree; 0 for constants.
    pub fn degree(&self) -> usize {
        match &self.0 {
            Repr::Short(short) => short.degree(),
            Repr::Machine(machine) => machine.degree(),
            Repr::Big(big) => big.coefficients.len().saturating_sub(1),
        }
    }

    /// Returns the highest forward difference, which is the same everywhere.
    pub fn top_difference(&self) -> Int {
        differences(&self.values(self.degree() + 1)).pop().unwrap_or(Int::ZERO)
    }

    /// Returns the value at `t`.
    #[inline]
    pub fn at(&self, t: i128) -> Int {
        match &self.0 {
            Repr::Short(short) => short.at(t).map_or_else(|| Self::long_at(&short.machine(), t), Int::from),
            Repr::Machine(machine) => Self::long_at(machine, t),
            Repr::Big(big) => Int::from(big.at(t)),
        }
    }

    /// Returns the value at `t`, of any size.
    #[cold]
    fn long_at(machine: &MachinePoly, t: i128) -> Int {
        machine.at(t).map_or_else(|| Int::from(machine.big_at(t)), Int::from)
    }

    /// Returns the number of values at `0..length` that are at most `x`, for a polynomial that does not descend there.
    pub fn count_up_to(&self, x: &Int, length: i128) -> i128 {
        self.crossing(x, 0, length, true)
    }

    /// Returns the first t in `start..end` with a value above `x`, for a polynomial that does not descend there; with
    /// `rising` false, the first one with a value up to `x`, for one that does not ascend.
    #[inline]
    pub fn crossing(&self, x: &Int, start: i128, end: i128, rising: bool) -> i128 {
        if let (Repr::Short(short), Some(x)) = (&self.0, x.to_i128())
            && let Some(crossing) = short.crossing(x, start, end, rising)
        {
            return crossing;
        }
        self.long_crossing(x, start, end, rising)
    }

    /// Returns the crossing of [`Self::crossing`] for values of any size.
    #[cold]
    fn long_crossing(&self, x: &Int, start: i128, end: i128, rising: bool) -> i128 {
        let machine = match &self.0 {
            Repr::Short(short) => Some(short.machine()),
            Repr::Machine(machine) => Some(**machine),
            Repr::Big(_) => None,
        };
        if let (Some(machine), Some(x)) = (machine, x.to_i128())
            && let Some(crossing) = machine.crossing(x, start, end, rising)
        {
            return crossing;
        }
        let holds = |t: i128| self.is_up_to(t, x) == rising;
        let (Ok(first), Ok(last)) = (i64::try_from(start), i64::try_from(end)) else {
            return partition_point(start, end, holds);
        };
        let (coefficients, denominator) = match &self.0 {
            Repr::Short(short) => short.machine().floats(),
            Repr::Machine(machine) => machine.floats(),
            Repr::Big(big) => big.floats(),
        };
        let guess = root(&coefficients, x.to_f64() * denominator, (first, last), rising);
        partition_near(guess, first, last, |t| holds(t.into())).into()
    }

    /// Returns true if the value at `t` is at most `x`.
    #[inline]
    pub fn is_up_to(&self, t: i128, x: &Int) -> bool {
        if let (Repr::Short(short), Some(x)) = (&self.0, x.to_i128())
            && let Some(value) = short.at(t)
        {
            return value <= x;
        }
        self.at(t) <= *x
    }

    /// Returns true if it is zero everywhere.
    pub fn is_zero(&self) -> bool {
        match &self.0 {
            Repr::Short(short) => short.is_zero(),
            Repr::Machine(machine) => machine.is_zero(),
            Repr::Big(big) => big.coefficients.iter().all(BigInt::is_zero),
        }
    }

    /// Returns the smallest and the largest value in `0..length`, for a positive length.
    pub fn range(&self, length: i128) -> (Int, Int) {
        let ends = self.monotone_runs(length).into_iter().flat_map(|run| [run.start, run.end - 1]);
        let first = self.at(0);
        ends.map(|t| self.at(t)).fold((first.clone(), first), |(low, high), value| {
            if value < low {
                (value, high)
            } else if value > high {
                (low, value)
            } else {
                (low, high)
            }
        })
    }

    /// Returns the values at `0, 1, …, count − 1`.
    pub fn values(&self, count: usize) -> Vec<Int> {
        (0..count).map(|t| self.at(t as i128)).collect()
    }

    /// Returns the polynomial of `s` that has the value of this one at `start + step·s`.
    pub fn along(&self, start: i128, step: i128) -> Self {
        let values: Vec<Int> = (0..=self.degree()).map(|s| self.at(start + step * s as i128)).collect();
        Self::through(&values)
    }

    /// Cuts `0..length` into maximal runs without a change of direction: `(start, end, rising)`. The last value of a
    /// run and the first of the next may compare either way.
    pub fn monotone_runs(&self, length: i128) -> Vec<Run> {
        if self.degree() <= 1 {
            let rising = self.at(0) <= self.at(1);
            return if length > 0 { vec![Run { start: 0, end: length, rising }] } else { Vec::new() };
        }
        let step = self.step();
        let mut runs: Vec<Run> = Vec::new();
        // The sign of p(t + 1) − p(t) belongs to the pair (t, t + 1).
        for run in step.monotone_runs(length - 1) {
            let negative = |t| step.at(t).is_negative();
            let change = match (negative(run.start), negative(run.end - 1)) {
                (first, last) if first == last => run.end,
                (first, _) => partition_point(run.start, run.end, |t| negative(t) == first),
            };
            for (start, end) in [(run.start, change), (change, run.end)] {
                if start < end {
                    let rising = !negative(start);
                    match runs.last_mut() {
                        Some(last) if last.rising == rising => last.end = end,
                        _ => runs.push(Run { start, end, rising }),
                    }
                }
            }
        }
        // From pairs to points: the run that owns the pair (t, t + 1) owns t; the last one owns both.
        match runs.last_mut() {
            Some(last) => last.end = length,
            None if length > 0 => runs.push(Run { start: 0, end: length, rising: true }),
            None => {}
        }
        runs
    }

    /// `p(t + 1) − p(t)`.
    fn step(&self) -> Self {
        let values = self.values(self.degree() + 1);
        let steps: Vec<Int> = values.windows(2).map(|pair| &pair[1] - &pair[0]).collect();
        Self::through(&steps)
    }
}

impl Big {
    /// Does the work of [`MachinePoly::new`] with integers of any size.
    fn new(differences: &[Int], shift: usize) -> Self {
        let all: Vec<BigInt> = (0..shift).map(|_| BigInt::zero()).chain(differences.iter().map(Int::to_big)).collect();
        let degree = all.iter().rposition(|d| !d.is_zero()).unwrap_or(0);
        let mut coefficients: Vec<BigInt> = all.get(degree).cloned().into_iter().collect();
        let mut denominator = BigInt::one();
        for (k, difference) in all.iter().enumerate().take(degree).rev() {
            denominator *= k + 1;
            coefficients.insert(0, BigInt::zero());
            for at in 0..coefficients.len() - 1 {
                let moved = &coefficients[at + 1] * BigInt::from(k);
                coefficients[at] -= moved;
            }
            coefficients[0] += difference * &denominator;
        }
        Self { coefficients, denominator }
    }

    /// Returns the coefficients and their denominator as floats.
    fn floats(&self) -> (Vec<f64>, f64) {
        let float = |value: &BigInt| value.to_f64().unwrap_or(f64::NAN);
        (self.coefficients.iter().map(float).collect(), float(&self.denominator))
    }

    fn at(&self, t: i128) -> BigInt {
        let t = BigInt::from(t);
        self.coefficients.iter().rev().fold(BigInt::zero(), |sum, c| sum * &t + c) / &self.denominator
    }
}

/// A range of points on which a polynomial does not change its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The first point.
    pub start: i128,
    /// The point after the last.
    pub end: i128,
    /// True if the values ascend.
    pub rising: bool,
}

/// Returns the first `t` in `start..end` for which `holds` is false, where it is true up to some point and false from
/// there.
pub fn partition_point(start: i128, end: i128, mut holds: impl FnMut(i128) -> bool) -> i128 {
    let (mut low, mut high) = (start, end);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

/// Returns the same point as [`partition_point`], faster if it is near `guess`.
#[inline]
pub fn partition_near(guess: i64, start: i64, end: i64, holds: impl Fn(i64) -> bool) -> i64 {
    let guess = guess.clamp(start, end);
    let (mut low, mut high, mut stride) = (guess, guess, 1);
    // `low` and `high` move apart until the point is between them.
    while low > start && !holds(low - 1) {
        high = low - 1;
        low = high.saturating_sub(stride).max(start);
        stride *= 2;
    }
    if low == guess {
        while high < end && holds(high) {
            low = high + 1;
            high = low.saturating_add(stride).min(end);
            stride *= 2;
        }
    }
    if low == high { low } else { partition_point(low.into(), high.into(), |t| holds(t as i64)) as i64 }
}

/// Returns the forward differences at 0 of a sequence.
pub fn differences(values: &[Int]) -> Vec<Int> {
    let mut row = values.to_vec();
    for order in 1..row.len() {
        for at in (order..row.len()).rev() {
            row[at] = &row[at] - &row[at - 1];
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ints(values: impl IntoIterator<Item = i64>) -> Vec<Int> {
        values.into_iter().map(Int::from).collect()
    }

    #[test]
    fn triangle_numbers() {
        let p = Univariate::through(&ints([0, 1, 3, 6, 10]));
        assert_eq!(p.degree(), 2);
        assert_eq!(p.at(100), Int::from(5050));
        assert_eq!(p.at(-1), Int::ZERO);
        assert_eq!(Univariate::sum_through(&ints([0, 1, 2])).at(101), Int::from(5050));
        assert_eq!(Univariate::through(&[]).at(7), Int::ZERO);
    }

    #[test]
    fn large_values_are_exact() {
        let p = Univariate::through(&ints((0..8).map(|t: i64| t.pow(7))));
        assert_eq!(p.at(1 << 31).to_big(), BigInt::one() << 217);
        let sum = Univariate::sum_through(&ints((0..8).map(|t: i64| t.pow(7))));
        assert_eq!(&sum.at((1 << 31) + 1) - &sum.at(1 << 31), p.at(1 << 31));
    }

    proptest! {
        #[test]
        fn guesses_do_not_matter(guess in -30_i64..40, start in -5_i64..5, length in 0_i64..30, point in 0_i64..40) {
            let (end, point) = (start + length, start + point);
            let expected = partition_point(start.into(), end.into(), |t| t < point.into());
            prop_assert_eq!(i128::from(partition_near(guess, start, end, |t| t < point)), expected);
        }

        #[test]
        fn crossings_of_large_parabolas(
            a in -9_i64..10, b in -9_i64..10, c in -9_i64..9, x in -4000_i64..4000,
            scale in prop_oneof![0_u32..40, 100..200_u32], end in 0_i128..20,
        ) {
            let scaled = |value: i64| Int::from(BigInt::from(value) << scale);
            let p = |t: i64| scaled(a * t * t + b * t + c);
            let poly = Univariate::through(&[p(0), p(1), p(2)]);
            let x = scaled(x);
            for run in poly.monotone_runs(end) {
                let expected = (run.start..run.end).find(|t| (poly.at(*t) <= x) != run.rising).unwrap_or(run.end);
                prop_assert_eq!(poly.crossing(&x, run.start, run.end, run.rising), expected);
            }
        }

        #[test]
        fn values_of_any_size(
            differences in proptest::collection::vec((-9_i64..10, 0_u32..100), 1..7),
            t in (prop_oneof![-9_i64..10, Just(i64::MAX), Just(i64::MIN), any::<i64>()], 0_u32..60), near in -2_i64..3,
        ) {
            let differences: Vec<Int> =
                differences.iter().map(|(d, bits)| Int::from(BigInt::from(*d) << bits)).collect();
            let t = i128::from((t.0 >> t.1).saturating_add(near));
            let mut value = BigInt::zero();
            let mut binomial = BigInt::one();
            for (k, difference) in (0..).zip(&differences) {
                value += difference.to_big() * &binomial;
                binomial = binomial * (t - k) / (k + 1);
            }
            let p = Univariate::from_differences(&differences);
            prop_assert_eq!(p.at(t).to_big(), value.clone());
            for (x, expected) in [(-1, false), (0, true), (1, true)] {
                prop_assert_eq!(p.is_up_to(t, &Int::from(&value + x)), expected);
            }
        }

        #[test]
        fn values_sums_and_runs(
            values in proptest::collection::vec(-9_i64..9, 1..6), length in 0_i128..20,
            start in -5_i128..5, step in -3_i128..3,
        ) {
            let p = Univariate::through(&ints(values.iter().copied()));
            let sum = Univariate::sum_through(&ints(values.iter().copied()));
            prop_assert_eq!(p.values(values.len()), ints(values));
            let mut total = Int::ZERO;
            for t in 0..length {
                prop_assert_eq!(sum.at(t), total.clone());
                total += &p.at(t);
            }
            let along = p.along(start, step);
            for t in 0..4 {
                prop_assert_eq!(along.at(t), p.at(start + step * t));
            }
            let runs = p.monotone_runs(length);
            prop_assert_eq!(runs.iter().map(|r| r.end - r.start).sum::<i128>(), length);
            prop_assert!(runs.windows(2).all(|pair| pair[0].end == pair[1].start && pair[0].start < pair[0].end));
            for run in runs {
                if run.rising {
                    let part = p.along(run.start, 1);
                    for x in -20_i64..20 {
                        let x = Int::from(x);
                        let expected = (run.start..run.end).filter(|t| p.at(*t) <= x).count();
                        prop_assert_eq!(part.count_up_to(&x, run.end - run.start), expected as i128);
                    }
                }
                for t in run.start + 1..run.end {
                    let (before, here) = (p.at(t - 1), p.at(t));
                    let ordered = if run.rising { before <= here } else { before >= here };
                    prop_assert!(ordered);
                }
            }
        }
    }
}
