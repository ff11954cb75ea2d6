//! Polynomials with coefficients in machine words: what nearly all are, in one cache line.

use super::machine::{FEW, INVERSES, MachinePoly, reach, root};
use super::partition_near;

/// `(Σ aₖ·tᵏ) / d`, k ≤ degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Short {
    coefficients: [i64; FEW],
    degree: u8,
    /// d is 2^shift times an odd number.
    shift: u8,
    odd: u8,
    /// For |t| below such powers of two all partial sums fit in 62 bits, and in 126 bits.
    reach: [u8; 2],
}

impl Short {
    /// `Σ Δₖ·C(t, k)` for the first so many differences, if its degree is at most 2, as it mostly is.
    pub(super) fn new(differences: &[i128; FEW], count: usize) -> Option<Self> {
        if differences[3..count.max(3)].iter().any(|d| *d != 0) {
            return None;
        }
        let [constant, slope, bend, ..] = *differences;
        let small = |difference: i128| i64::try_from(difference).ok().filter(|d| d.unsigned_abs() < 1 << 60);
        let (constant, slope, bend) = (small(constant)?, small(slope)?, small(bend)?);
        // C(t, 2) = (t² − t)/2
        Some(match bend % 2 == 0 {
            true => Self::with([constant, slope - bend / 2, bend / 2, 0, 0, 0], 0, 1),
            false => Self::with([2 * constant, 2 * slope - bend, bend, 0, 0, 0], 1, 1),
        })
    }

    pub(super) fn of(machine: &MachinePoly) -> Option<Self> {
        let mut coefficients = [0; FEW];
        for (short, coefficient) in coefficients.iter_mut().zip(machine.coefficients()) {
            *short = i64::try_from(*coefficient).ok()?;
        }
        let (shift, odd) = machine.divisor();
        Some(Self::with(coefficients, shift, odd))
    }

    fn with(coefficients: [i64; FEW], shift: u8, odd: u8) -> Self {
        let degree = coefficients.iter().rposition(|c| *c != 0).unwrap_or(0);
        let sizes = coefficients[..=degree].iter().map(|c| i64::BITS - c.unsigned_abs().leading_zeros());
        let reach = [62, 126].map(|bits| reach(sizes.clone(), bits));
        Self { coefficients, degree: degree as u8, shift, odd, reach }
    }

    /// Converts to a [`MachinePoly`], which has room for larger numbers.
    pub(super) fn machine(&self) -> MachinePoly {
        MachinePoly::with(self.coefficients.map(i128::from), self.degree(), self.shift, self.odd)
    }

    pub(super) fn degree(&self) -> usize {
        usize::from(self.degree)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.degree == 0 && self.coefficients[0] == 0
    }

    /// Returns the value at `t`, if all that occurs fits in 128 bits for certain.
    #[inline]
    pub(super) fn at(&self, t: i128) -> Option<i128> {
        let t = i64::try_from(t).ok()?;
        // There is no remainder, so that dividing by the odd part is multiplying by its inverse.
        let inverse = INVERSES[usize::from(self.odd >> 1)];
        if self.is_near(t, 0) {
            Some(i128::from((self.near(t) >> self.shift).wrapping_mul(inverse as i64)))
        } else if self.is_near(t, 1) {
            Some((self.far(t) >> self.shift).wrapping_mul(inverse))
        } else {
            None
        }
    }

    #[inline]
    fn is_near(&self, t: i64, reach: usize) -> bool {
        t.unsigned_abs() >> self.reach[reach] == 0
    }

    /// Returns the numerator within the first reach. All terms are taken: that is faster than to decide how many.
    #[inline]
    fn near(&self, t: i64) -> i64 {
        self.coefficients.iter().rev().fold(0, |sum: i64, c| sum.wrapping_mul(t).wrapping_add(*c))
    }

    /// Returns the numerator within the second reach.
    #[inline]
    fn far(&self, t: i64) -> i128 {
        let mut sum = 0_i128;
        for c in self.coefficients[..=self.degree()].iter().rev() {
            sum = sum.wrapping_mul(i128::from(t)).wrapping_add(i128::from(*c));
        }
        sum
    }

    /// [`Univariate::crossing`](super::Univariate::crossing), if all that occurs fits in machine words for certain.
    #[inline]
    pub(super) fn crossing(&self, x: i128, start: i128, end: i128, rising: bool) -> Option<i128> {
        let (start, end) = (i64::try_from(start).ok()?, i64::try_from(end).ok()?);
        if !self.is_near(start, 0) || !self.is_near(end, 0) {
            return None;
        }
        // The same as a comparison of numerators.
        let x = i64::try_from(x).ok()?.checked_mul(i64::from(self.odd) << self.shift)?;
        let float = |k: usize| self.coefficients[k] as f64;
        let guess = match self.degree() {
            1 => root(&[float(0), float(1)], x as f64, (start, end), rising),
            2 => root(&[float(0), float(1), float(2)], x as f64, (start, end), rising),
            3 => root(&[float(0), float(1), float(2), float(3)], x as f64, (start, end), rising),
            degree => root(&self.coefficients.map(|c| c as f64)[..=degree], x as f64, (start, end), rising),
        };
        Some(partition_near(guess, start, end, |t| (self.near(t) <= x) == rising).into())
    }
}
