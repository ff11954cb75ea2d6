//! Sequences of integers that are polynomial on every residue.
//!
//! Counts repeat with the cache lines, `c(t) = ⌊(t + 63)/64⌋ − ⌊t/64⌋`, and so do sums over rows that end at `⌊(a +
//! b·t)/d⌋`: on each residue of t modulo a period they are polynomials in `t div period`. So are their prefix sums. A
//! congruence among the conditions is a count that is zero on the other residues.

use std::convert::Infallible;

use num_integer::Integer;
use symloc_quasi::{Int, Univariate};

use super::Sums;

/// N quantities that are polynomials in `t div period` on each residue of t.
#[derive(Clone, Debug)]
pub(crate) struct Periodic<const N: usize> {
    residues: Vec<[Univariate; N]>,
}

impl<const N: usize> Periodic<N> {
    /// Interpolates the values at 0, 1, 2, …, requested in this order; only those before `length` are used.
    pub(crate) fn through<E>(
        period: i128,
        degree: usize,
        length: i128,
        mut value: impl FnMut(i128) -> Result<[Int; N], E>,
    ) -> Result<Self, E> {
        let period = period.min(length).max(1);
        let mut samples: Vec<[Vec<Int>; N]> = vec![[(); N].map(|()| Vec::with_capacity(degree + 1)); period as usize];
        for t in 0..length.min(period * (degree as i128 + 1)) {
            for (samples, value) in samples[(t % period) as usize].iter_mut().zip(value(t)?) {
                samples.push(value);
            }
        }
        let residues = samples.iter().map(|all| all.each_ref().map(|values| Univariate::through(values)));
        Ok(Self { residues: residues.collect() })
    }

    /// Returns the values at t.
    #[inline]
    pub(crate) fn at(&self, t: i128) -> [Int; N] {
        let (round, residue) = match (self.residues.len(), u64::try_from(t)) {
            (1, _) => (t, 0),
            // A division in machine words is much faster.
            (period, Ok(t)) => (i128::from(t / period as u64), (t % period as u64) as usize),
            (period, Err(_)) => {
                let (round, residue) = t.div_mod_floor(&(period as i128));
                (round, residue as usize)
            }
        };
        self.residues[residue].each_ref().map(|poly| poly.at(round))
    }

    /// Returns the period: the number of residues.
    pub(crate) fn period(&self) -> i128 {
        self.residues.len() as i128
    }

    /// Returns the polynomials of each residue, with the number of the first `length` places that it has.
    fn parts(&self, length: i128) -> impl Iterator<Item = (&[Univariate; N], i128)> {
        let period = self.period();
        let points = move |residue: i128| Integer::div_floor(&(length - residue - 1), &period) + 1;
        self.residues.iter().zip((0..).map(points)).take_while(|(_, points)| *points > 0)
    }
}

impl Periodic<1> {
    /// Returns the highest degree on a residue.
    pub(crate) fn degree(&self) -> usize {
        self.residues.iter().map(|[poly]| poly.degree()).max().unwrap_or(0)
    }

    /// Returns true if it is zero at the first `length` places.
    pub(crate) fn is_zero(&self, length: i128) -> bool {
        self.parts(length).all(|([poly], _)| poly.is_zero())
    }

    /// Returns the sum of the first `length` places.
    pub(crate) fn sum(&self, length: i128) -> Int {
        let sum = |([poly], points): (&[Univariate; 1], i128)| {
            Univariate::sum_through(&poly.values(poly.degree() + 1)).at(points)
        };
        self.parts(length).map(sum).fold(Int::ZERO, |all, sum| &all + &sum)
    }

    /// Returns true if it is negative at one of the first `length` places.
    pub(crate) fn is_negative_somewhere(&self, length: i128) -> bool {
        self.parts(length).any(|([poly], points)| poly.range(points).0.is_negative())
    }
}

/// Prefix sums: Σ c and Σ v·c over all places before t.
#[derive(Clone, Debug)]
pub(crate) struct Prefix(Periodic<2>);

impl Prefix {
    /// Creates the prefix sums of the first `length` places from the sums at each; on each residue `sums` is a
    /// polynomial of at most this degree.
    pub(crate) fn new(period: i128, degree: usize, length: i128, sums: impl Fn(i128) -> Sums) -> Self {
        let mut before = Sums::default();
        let prefix = Periodic::through(period, degree + 1, length + 1, |t| {
            if t > 0 {
                before.add(&sums(t - 1));
            }
            Ok::<_, Infallible>([before.count.clone(), before.weighted.clone()])
        });
        match prefix {
            Ok(prefix) => Self(prefix),
            Err(never) => match never {},
        }
    }

    /// Returns the sums over the places `start ≤ t < end`.
    pub(crate) fn between(&self, start: i128, end: i128) -> Sums {
        if start >= end {
            return Sums::default();
        }
        let mut sums = self.before(end);
        if start > 0 {
            sums.subtract(&self.before(start));
        }
        sums
    }

    fn before(&self, t: i128) -> Sums {
        let [count, weighted] = self.0.at(t);
        Sums { count, weighted }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_are_those_of_the_places(
            period in 1_i128..6, counts in prop::collection::vec(0_i64..5, 6), slope in 0_i64..3, length in 0_i128..40,
            start in 0_i128..40, end in 0_i128..40,
        ) {
            let count = |t: i128| i64::try_from(t).unwrap_or(0) * slope + counts[(t % period) as usize];
            let sums = |t: i128| {
                let count = Int::from(count(t));
                Sums { weighted: &count * &Int::from(3 * t + 1), count }
            };
            let prefix = Prefix::new(period, 2, length, sums);
            let (start, end) = (start.min(length), end.min(length));
            let mut expected = Sums::default();
            (start..end).for_each(|t| expected.add(&sums(t)));
            prop_assert_eq!(prefix.between(start, end), expected);
            let single = Periodic::through(period, 1, length, |t| Ok::<_, Infallible>([Int::from(count(t))]));
            let Ok(single) = single;
            prop_assert!((0..length).all(|t| single.at(t) == [Int::from(count(t))]));
            prop_assert_eq!(single.is_zero(length), (0..length).all(|t| count(t) == 0));
            prop_assert!(!single.is_negative_somewhere(length));
        }
    }
}
