//! Polynomials with machine integers.
//!
//! How large t may be so that nothing overflows is found out once, so that evaluation has nothing else to test. The division
//! by d leaves no remainder: its powers of two are shifted out, and its odd part has an inverse modulo 2^128.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;

use super::partition_near;
use crate::int::{Int, product};

/// So many coefficients are kept in place: enough for values and counts of degree 2 and the sums of their products.
const FEW: usize = 6;

/// `(Σ aₖ·tᵏ) / d`, k ≤ degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Machine {
    coefficients: [i128; FEW],
    degree: u8,
    /// d is 2^shift times an odd number.
    shift: u8,
    odd: u8,
    /// Up to these |t| all partial sums fit in 62 bits, and in 126 bits; −1 if none do.
    reach: [i64; 2],
}

/// Small integers in place, after `shift` zeros.
pub(super) fn machine(values: &[Int], shift: usize) -> Option<[i128; FEW]> {
    let mut row = [0; FEW];
    for (place, value) in row.get_mut(shift..shift + values.len())?.iter_mut().zip(values) {
        *place = value.to_i128()?;
    }
    Some(row)
}

/// The forward differences of the first so many.
pub(super) fn differences_of(mut row: [i128; FEW], count: usize) -> Option<[i128; FEW]> {
    for order in 1..count {
        for at in (order..count).rev() {
            row[at] = row[at].checked_sub(row[at - 1])?;
        }
    }
    Some(row)
}

impl Machine {
    /// `Σ Δₖ·C(t, k)` for the first so many differences, by Horner's rule: `Δ₀ + t/1·(Δ₁ + (t − 1)/2·(Δ₂ + …))`.
    pub(super) fn new(differences: &[i128; FEW], count: usize) -> Option<Self> {
        let degree = differences[..count].iter().rposition(|d| *d != 0).unwrap_or(0);
        let mut coefficients = [0; FEW];
        coefficients[0] = differences[degree];
        let mut denominator = 1_i128;
        for k in (0..degree).rev() {
            // p becomes p·(t − k)/(k + 1) + Δₖ, over the denominator d·(k + 1).
            denominator *= k as i128 + 1;
            for at in (1..=degree - k).rev() {
                coefficients[at] = coefficients[at - 1].checked_sub(product(coefficients[at], k as i128)?)?;
            }
            let constant = product(differences[k], denominator)?;
            coefficients[0] = constant.checked_sub(product(coefficients[0], k as i128)?)?;
        }
        Some(Self::reduced(coefficients, degree, denominator))
    }

    fn reduced(mut coefficients: [i128; FEW], degree: usize, mut denominator: i128) -> Self {
        let gcd = coefficients.iter().fold(denominator, |gcd, c| if gcd == 1 { 1 } else { gcd.gcd(c) });
        if gcd > 1 {
            denominator /= gcd;
            coefficients.iter_mut().for_each(|c| *c /= gcd);
        }
        let shift = denominator.trailing_zeros() as u8;
        let odd = denominator >> shift;
        Self {
            coefficients,
            degree: degree as u8,
            shift,
            odd: odd as u8,
            reach: [62, 126].map(|bits| reach(&coefficients[..=degree], bits)),
        }
    }

    pub(super) fn degree(&self) -> usize {
        usize::from(self.degree)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.degree == 0 && self.coefficients[0] == 0
    }

    /// The value at `t`, if 128 bits are enough.
    #[inline]
    pub(super) fn at(&self, t: i128) -> Option<i128> {
        match i64::try_from(t) {
            Ok(t) if self.is_short(t) => {
                Some(i128::from((self.short(t) >> self.shift).wrapping_mul(self.inverse() as i64)))
            }
            Ok(t) if self.is_long(t) => Some((self.long(t) >> self.shift).wrapping_mul(self.inverse())),
            _ => self.checked(t),
        }
    }

    /// Of the odd part of the denominator.
    #[inline]
    fn inverse(&self) -> i128 {
        INVERSES[usize::from(self.odd >> 1)]
    }

    #[cold]
    fn checked(&self, t: i128) -> Option<i128> {
        let numerator = self.coefficients().rev().try_fold(0, |sum, c| product(sum, t)?.checked_add(*c));
        Some(numerator? / self.denominator())
    }

    /// The value at `t`, however many bits it takes.
    #[cold]
    pub(super) fn big_at(&self, t: i128) -> BigInt {
        self.coefficients().rev().fold(BigInt::zero(), |sum, c| sum * t + c) / self.denominator()
    }

    /// The coefficients and their denominator, roughly.
    pub(super) fn floats(&self) -> (Vec<f64>, f64) {
        (self.coefficients().map(|c| *c as f64).collect(), self.denominator() as f64)
    }

    fn coefficients(&self) -> std::slice::Iter<'_, i128> {
        self.coefficients[..=self.degree()].iter()
    }

    fn denominator(&self) -> i128 {
        i128::from(self.odd) << self.shift
    }

    #[inline]
    fn is_short(&self, t: i64) -> bool {
        (-self.reach[0]..=self.reach[0]).contains(&t)
    }

    #[inline]
    fn is_long(&self, t: i64) -> bool {
        (-self.reach[1]..=self.reach[1]).contains(&t)
    }

    /// The numerator at a short t.
    #[inline]
    fn short(&self, t: i64) -> i64 {
        self.coefficients().rev().fold(0, |sum: i64, c| sum.wrapping_mul(t).wrapping_add(*c as i64))
    }

    /// The numerator at a long t.
    #[inline]
    fn long(&self, t: i64) -> i128 {
        self.coefficients().rev().fold(0, |sum: i128, c| sum.wrapping_mul(i128::from(t)).wrapping_add(*c))
    }

    /// [`Univariate::crossing`](super::Univariate::crossing), if 128 bits are enough.
    pub(super) fn crossing(&self, x: i128, start: i128, end: i128, rising: bool) -> Option<i128> {
        let (first, last) = (i64::try_from(start).ok()?, i64::try_from(end).ok()?);
        // The same as a comparison of numerators.
        let x = x.checked_mul(self.denominator())?;
        if let Ok(x) = i64::try_from(x)
            && self.is_short(first)
            && self.is_short(last)
        {
            let guess =
                root(&self.coefficients.map(|c| c as i64 as f64)[..=self.degree()], x as f64, (first, last), rising);
            return Some(partition_near(guess, first, last, |t| (self.short(t) <= x) == rising).into());
        }
        if !self.is_long(first) || !self.is_long(last) {
            return None;
        }
        let guess = root(&self.coefficients.map(|c| c as f64)[..=self.degree()], x as f64, (first, last), rising);
        Some(partition_near(guess, first, last, |t| (self.long(t) <= x) == rising).into())
    }
}

/// About where a polynomial passes x, upwards or downwards. A guess, in floating point: whoever uses it looks at exact values
/// around it.
#[inline]
pub(super) fn root(coefficients: &[f64], x: f64, range: (i64, i64), rising: bool) -> i64 {
    let root = match *coefficients {
        [_] => 0.0,
        [constant, slope] => (x - constant) / slope,
        [constant, slope, square] => {
            let derivative = (slope * slope - 4.0 * square * (constant - x)).sqrt();
            let derivative = if rising { derivative } else { -derivative };
            (derivative - slope) / (2.0 * square)
        }
        _ => newton(coefficients, x, range, rising),
    };
    root as i64
}

/// Newton's method, with a step to the middle wherever it would leave what is known of the root.
fn newton(coefficients: &[f64], x: f64, (start, end): (i64, i64), rising: bool) -> f64 {
    let (mut low, mut high) = (start as f64, end as f64);
    let mut t = (low + high) / 2.0;
    for _ in 0..NEWTON {
        let terms = coefficients.iter().rev();
        let (value, slope) = terms.fold((0.0, 0.0), |(value, slope), c| (value * t + c, slope * t + value));
        if (value > x) == rising {
            high = t
        } else {
            low = t
        }
        let next = t - (value - x) / slope;
        let next = if low < next && next < high { next } else { (low + high) / 2.0 };
        if (next - t).abs() < 0.5 {
            return next;
        }
        t = next;
    }
    t
}

/// Steps of Newton's method, at most.
const NEWTON: usize = 16;

/// The inverses of 1, 3, 5, … modulo 2^128. A denominator divides 5!, and its odd part 15.
const INVERSES: [i128; 8] = {
    let mut inverses = [1; 8];
    let mut at = 0;
    while at < inverses.len() {
        inverses[at] = inverse(2 * at as i128 + 1);
        at += 1;
    }
    inverses
};

/// Each step of Newton's method doubles the number of bits that are right.
const fn inverse(odd: i128) -> i128 {
    let mut inverse = odd;
    while odd.wrapping_mul(inverse) != 1 {
        inverse = inverse.wrapping_mul(2_i128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

/// The largest |t| of the form 2^r − 1 for which every partial sum of `Σ aₖ·tᵏ` fits in so many bits; −1 if there is none.
fn reach(coefficients: &[i128], bits: u32) -> i64 {
    // Of at most eight terms, each has three bits less.
    let room = |c: &i128| (bits - 3).checked_sub(i128::BITS - c.unsigned_abs().leading_zeros());
    let mut least = i64::BITS - 2;
    for (k, c) in (0..).zip(coefficients) {
        match (room(c), k) {
            (None, _) => return -1,
            (Some(_), 0) => {}
            (Some(room), k) => least = least.min(room / k),
        }
    }
    (1 << least) - 1
}
