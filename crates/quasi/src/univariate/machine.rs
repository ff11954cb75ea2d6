//! Polynomials with coefficients of up to 128 bits.
//!
//! The bound on t below which nothing overflows is computed once, so that evaluation has nothing else to test. The
//! division by d leaves no remainder: its powers of two are shifted out, and its odd part has an inverse modulo 2^128.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;

use super::partition_near;
use crate::int::{Int, product};

/// So many coefficients are kept in place: enough for values and counts of degree 2 and the sums of their products.
pub(super) const FEW: usize = 6;

/// `(Σ aₖ·tᵏ) / d`, k ≤ degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MachinePoly {
    coefficients: [i128; FEW],
    degree: u8,
    /// d is 2^shift times an odd number.
    shift: u8,
    odd: u8,
    /// For |t| below this power of two all partial sums fit in 126 bits.
    reach: u8,
}

/// Returns integers as an array, after `shift` zeros; `None` if they are too many or do not fit 128 bits.
pub(super) fn machine(values: &[Int], shift: usize) -> Option<[i128; FEW]> {
    let mut row = [0; FEW];
    for (place, value) in row.get_mut(shift..shift + values.len())?.iter_mut().zip(values) {
        *place = value.to_i128()?;
    }
    Some(row)
}

/// Returns the forward differences of the first `count` values; `None` if one leaves 128 bits.
pub(super) fn differences_of(mut row: [i128; FEW], count: usize) -> Option<[i128; FEW]> {
    for order in 1..count {
        for at in (order..count).rev() {
            row[at] = row[at].checked_sub(row[at - 1])?;
        }
    }
    Some(row)
}

impl MachinePoly {
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
        // Remainders first: they are short.
        let gcd = coefficients
            .iter()
            .fold(denominator as i64, |gcd, c| if gcd == 1 { 1 } else { gcd.gcd(&((c % i128::from(gcd)) as i64)) });
        let gcd = i128::from(gcd);
        if gcd > 1 {
            denominator /= gcd;
            coefficients.iter_mut().for_each(|c| *c /= gcd);
        }
        let shift = denominator.trailing_zeros() as u8;
        Self::with(coefficients, degree, shift, (denominator >> shift) as u8)
    }

    /// Creates it from its coefficients and its denominator, `odd` times 2^`shift`.
    pub(super) fn with(coefficients: [i128; FEW], degree: usize, shift: u8, odd: u8) -> Self {
        Self {
            coefficients,
            degree: degree as u8,
            shift,
            odd,
            reach: reach(coefficients[..=degree].iter().map(|c| i128::BITS - c.unsigned_abs().leading_zeros()), 126),
        }
    }

    /// Returns the exponent of two and the odd factor of the denominator.
    pub(super) fn divisor(&self) -> (u8, u8) {
        (self.shift, self.odd)
    }

    pub(super) fn degree(&self) -> usize {
        usize::from(self.degree)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.degree == 0 && self.coefficients[0] == 0
    }

    /// Returns the value at `t`, if 128 bits are enough.
    #[inline]
    pub(super) fn at(&self, t: i128) -> Option<i128> {
        match i64::try_from(t) {
            Ok(t) if self.is_long(t) => Some((self.long(t) >> self.shift).wrapping_mul(self.inverse())),
            _ => self.checked(t),
        }
    }

    /// Returns the inverse of the odd part of the denominator.
    #[inline]
    fn inverse(&self) -> i128 {
        INVERSES[usize::from(self.odd >> 1)]
    }

    #[cold]
    fn checked(&self, t: i128) -> Option<i128> {
        let numerator = self.coefficients().iter().rev().try_fold(0, |sum, c| product(sum, t)?.checked_add(*c));
        Some(numerator? / self.denominator())
    }

    /// Returns the value at `t`, however many bits it takes.
    #[cold]
    pub(super) fn big_at(&self, t: i128) -> BigInt {
        self.coefficients().iter().rev().fold(BigInt::zero(), |sum, c| sum * t + c) / self.denominator()
    }

    /// Returns the coefficients and their denominator as floats.
    pub(super) fn floats(&self) -> (Vec<f64>, f64) {
        (self.coefficients().iter().map(|c| *c as f64).collect(), self.denominator() as f64)
    }

    /// Returns the coefficients up to the degree.
    pub(super) fn coefficients(&self) -> &[i128] {
        &self.coefficients[..=self.degree()]
    }

    fn denominator(&self) -> i128 {
        i128::from(self.odd) << self.shift
    }

    #[inline]
    fn is_long(&self, t: i64) -> bool {
        t.unsigned_abs() >> self.reach == 0
    }

    /// Returns the numerator at a long t.
    #[inline]
    fn long(&self, t: i64) -> i128 {
        self.coefficients().iter().rev().fold(0, |sum: i128, c| sum.wrapping_mul(i128::from(t)).wrapping_add(*c))
    }

    /// [`Univariate::crossing`](super::Univariate::crossing), if 128 bits are enough.
    pub(super) fn crossing(&self, x: i128, start: i128, end: i128, rising: bool) -> Option<i128> {
        let (first, last) = (i64::try_from(start).ok()?, i64::try_from(end).ok()?);
        // The same as a comparison of numerators.
        let x = x.checked_mul(self.denominator())?;
        if !self.is_long(first) || !self.is_long(last) {
            return None;
        }
        let guess = root(&self.coefficients.map(|c| c as f64)[..=self.degree()], x as f64, (first, last), rising);
        Some(partition_near(guess, first, last, |t| (self.long(t) <= x) == rising).into())
    }
}

/// About the first integer after which a polynomial has passed x, upwards or downwards. A guess, in floating point:
/// whoever uses it looks at exact values around it.
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
    (root as i64).saturating_add(1)
}

/// Newton's method, with a step to the middle wherever it would leave what is known of the root.
fn newton(coefficients: &[f64], x: f64, (start, end): (i64, i64), rising: bool) -> f64 {
    let (mut low, mut high) = (start as f64, end as f64);
    let mut t = radical(coefficients, x);
    for _ in 0..NEWTON {
        if !(low < t && t < high) {
            t = (low + high) / 2.0;
        }
        let terms = coefficients.iter().rev();
        let (value, slope) = terms.fold((0.0, 0.0), |(value, slope), c| (value * t + c, slope * t + value));
        if (value > x) == rising {
            high = t
        } else {
            low = t
        }
        let next = t - (value - x) / slope;
        if (next - t).abs() < 0.5 {
            return next;
        }
        t = next;
    }
    t
}

/// Returns the root that the polynomial would have if it were `a·(t + h)ⁿ + b`, to a few per cent of t + h; NaN if it
/// has none.
#[inline]
fn radical(coefficients: &[f64], x: f64) -> f64 {
    let [.., second, first] = *coefficients else { return f64::NAN };
    let degree = (coefficients.len() - 1) as f64;
    let h = second / (first * degree);
    let bottom = coefficients.iter().rev().fold(0.0, |sum, c| c - sum * h);
    // The exponent is most of the bits, so that dividing them divides it.
    let power = (x - bottom) / first;
    let exponent = (power.abs().to_bits() as f64 - ONE) / degree + ONE;
    f64::from_bits(exponent as u64).copysign(power) - h
}

/// The bits of 1, about.
const ONE: f64 = 1.0_f64.to_bits() as f64;

/// Steps of Newton's method, at most.
const NEWTON: usize = 16;

/// The inverses of 1, 3, 5, … modulo 2^128. A denominator divides 5!, and its odd part 15.
pub(super) const INVERSES: [i128; 8] = {
    let mut inverses = [1; 8];
    let mut at = 0;
    while at < inverses.len() {
        inverses[at] = inverse(2 * at as i128 + 1);
        at += 1;
    }
    inverses
};

/// Returns the inverse of an odd number modulo 2¹²⁸. Each step of Newton's method doubles the number of right bits.
const fn inverse(odd: i128) -> i128 {
    let mut inverse = odd;
    while odd.wrapping_mul(inverse) != 1 {
        inverse = inverse.wrapping_mul(2_i128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

/// Returns the largest r for which every partial sum of `Σ aₖ·tᵏ` fits in so many bits wherever |t| < 2^r, by the bits
/// of each aₖ.
pub(super) fn reach(mut sizes: impl Iterator<Item = u32>, bits: u32) -> u8 {
    // Of at most eight terms, each has three bits less.
    let room = |size: u32| (bits - 3).checked_sub(size);
    let constant = sizes.next().and_then(room);
    let least = sizes.zip(1..).map(|(size, k)| room(size).map_or(0, |room| room / k)).fold(i64::BITS - 2, u32::min);
    // At 0 there is only the first.
    if constant.is_some() { least as u8 } else { 0 }
}
