//! Integers of any size that are machine words most of the time.
//!
//! Counts of accesses fit in 128 bits except on deep nests at large sizes. [`Int`] computes in `i128`, notices overflow
//! and goes on with a big integer, so that sums over many small numbers allocate nothing and no sum is ever wrong.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Mul, Sub};

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive};

use crate::Rational;

/// An integer of any size.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Int(Repr);

/// `Big` holds only what does not fit in `Small`, so equal integers have equal representations.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Repr {
    Small(i128),
    Big(Box<BigInt>),
}

impl Int {
    /// Zero.
    pub const ZERO: Int = Int(Repr::Small(0));

    /// Returns a value that fits in 128 bits.
    pub const fn small(value: i128) -> Self {
        Int(Repr::Small(value))
    }

    /// Returns the value, if it fits in 128 bits.
    #[inline]
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Repr::Small(value) => Some(*value),
            Repr::Big(_) => None,
        }
    }

    /// Returns the value as a big integer.
    pub fn to_big(&self) -> BigInt {
        match &self.0 {
            Repr::Small(value) => BigInt::from(*value),
            Repr::Big(value) => (**value).clone(),
        }
    }

    /// Returns true if the value is below zero.
    #[inline]
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small(value) => *value < 0,
            Repr::Big(value) => value.is_negative(),
        }
    }

    /// Returns true if the value is zero.
    #[inline]
    pub fn is_zero(&self) -> bool {
        *self == Int::ZERO
    }

    /// `⌊self / divisor⌋`; `None` for a divisor of zero.
    pub fn div_floor(&self, divisor: &Int) -> Option<Int> {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &divisor.0)
            && *b > 0
        {
            return Some(Int(Repr::Small(a.div_euclid(*b))));
        }
        (!divisor.is_zero()).then(|| self.combine_big(divisor, BigInt::div_floor))
    }

    /// `⌈self / divisor⌉`; `None` for a divisor of zero.
    pub fn div_ceil(&self, divisor: &Int) -> Option<Int> {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &divisor.0)
            && *b > 0
        {
            return Some(Int(Repr::Small(Integer::div_ceil(a, b))));
        }
        (!divisor.is_zero()).then(|| self.combine_big(divisor, BigInt::div_ceil))
    }

    /// Returns the value, rounded to a float.
    #[inline]
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Small(value) => *value as f64,
            Repr::Big(value) => value.to_f64().unwrap_or(f64::NAN),
        }
    }

    /// `self / divisor`, rounded to the nearest float, for printing; NaN for a divisor of zero.
    pub fn ratio(&self, divisor: &Int) -> f64 {
        match divisor.is_zero() {
            true => f64::NAN,
            false => Rational::new(self.to_big(), divisor.to_big()).to_f64().unwrap_or(f64::NAN),
        }
    }

    /// Computes in 128 bits, or in big integers where that overflows.
    #[inline]
    fn combine(&self, other: &Int, small: fn(i128, i128) -> Option<i128>, big: BigOperation) -> Int {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
            && let Some(value) = small(*a, *b)
        {
            return Int(Repr::Small(value));
        }
        self.combine_big(other, big)
    }

    #[cold]
    fn cmp_big(&self, other: &Int) -> Ordering {
        self.to_big().cmp(&other.to_big())
    }

    #[cold]
    fn combine_big(&self, other: &Int, big: BigOperation) -> Int {
        Int::from(match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => big(&BigInt::from(*a), &BigInt::from(*b)),
            (Repr::Small(a), Repr::Big(b)) => big(&BigInt::from(*a), b),
            (Repr::Big(a), Repr::Small(b)) => big(a, &BigInt::from(*b)),
            (Repr::Big(a), Repr::Big(b)) => big(a, b),
        })
    }
}

/// With big integers.
type BigOperation = fn(&BigInt, &BigInt) -> BigInt;

/// `a·b` in 128 bits; without the general test for overflow where both factors are small.
pub(crate) fn product(a: i128, b: i128) -> Option<i128> {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => Some(i128::from(a) * i128::from(b)),
        _ => a.checked_mul(b),
    }
}

impl From<BigInt> for Int {
    fn from(value: BigInt) -> Self {
        Int(value.to_i128().map_or_else(|| Repr::Big(Box::new(value)), Repr::Small))
    }
}

impl From<&BigInt> for Int {
    fn from(value: &BigInt) -> Self {
        Int(value.to_i128().map_or_else(|| Repr::Big(Box::new(value.clone())), Repr::Small))
    }
}

macro_rules! from_machine {
    ($($type:ty),*) => {$(
        impl From<$type> for Int {
            fn from(value: $type) -> Self {
                Int(Repr::Small(i128::from(value)))
            }
        }
    )*};
}

from_machine!(i32, i64, u64, i128);

impl Add for &Int {
    type Output = Int;
    #[inline]
    fn add(self, other: &Int) -> Int {
        self.combine(other, i128::checked_add, |a, b| a + b)
    }
}

impl Sub for &Int {
    type Output = Int;
    #[inline]
    fn sub(self, other: &Int) -> Int {
        self.combine(other, i128::checked_sub, |a, b| a - b)
    }
}

impl Mul for &Int {
    type Output = Int;
    #[inline]
    fn mul(self, other: &Int) -> Int {
        self.combine(other, product, |a, b| a * b)
    }
}

impl AddAssign<&Int> for Int {
    #[inline]
    fn add_assign(&mut self, other: &Int) {
        if let (Repr::Small(a), Repr::Small(b)) = (&mut self.0, &other.0)
            && let Some(sum) = a.checked_add(*b)
        {
            *a = sum;
            return;
        }
        *self = &*self + other;
    }
}

impl Ord for Int {
    #[inline]
    fn cmp(&self, other: &Int) -> Ordering {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0) {
            return a.cmp(b);
        }
        self.cmp_big(other)
    }
}

impl PartialOrd for Int {
    #[inline]
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(value) => value.fmt(f),
            Repr::Big(value) => value.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overflow_leaves_and_enters_128_bits_without_a_trace() {
        let large = Int::from(i128::MAX);
        let larger = &large + &Int::from(1);
        assert_eq!(larger.to_i128(), None);
        assert_eq!(larger.to_string(), "170141183460469231731687303715884105728");
        assert_eq!(&larger - &Int::from(1), large);
        assert!(larger > large && !larger.is_negative());
        let square = &larger * &larger;
        assert_eq!(square.div_floor(&larger), Some(larger.clone()));
        assert_eq!(square.ratio(&larger), larger.ratio(&Int::from(1)));
    }

    #[test]
    fn division_rounds_to_both_sides_and_refuses_zero() {
        let (seven, two) = (Int::from(-7), Int::from(2));
        assert_eq!(seven.div_floor(&two), Some(Int::from(-4)));
        assert_eq!(seven.div_ceil(&two), Some(Int::from(-3)));
        assert_eq!(seven.div_floor(&Int::ZERO), None);
        assert!(seven.ratio(&Int::ZERO).is_nan());
    }
}
