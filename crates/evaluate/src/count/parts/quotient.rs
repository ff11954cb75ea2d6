//! Quotients of affine functions, which bound the rows of points.

use std::cmp::Ordering;

use num_integer::Integer;

/// `constant + slope·t`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinearBound {
    pub(crate) constant: i128,
    pub(crate) slope: i128,
}

impl LinearBound {
    pub(crate) fn at(self, t: i128) -> i128 {
        self.constant + self.slope * t
    }

    /// Returns the bound with t counted from another origin.
    pub(crate) fn from(self, t: i128) -> Self {
        Self { constant: self.at(t), slope: self.slope }
    }

    pub(crate) fn times(self, factor: i128) -> Self {
        Self { constant: self.constant * factor, slope: self.slope * factor }
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        Self { constant: self.constant - other.constant, slope: self.slope - other.slope }
    }

    pub(crate) fn negated(self) -> Self {
        self.times(-1)
    }

    /// Narrows `start..end` to the part where the bound is not negative.
    pub(crate) fn narrow(self, start: &mut i128, end: &mut i128) {
        match self.slope.signum() {
            0 if self.constant < 0 => *end = *start,
            0 => {}
            1 => *start = (*start).max(self.change()),
            _ => *end = (*end).min(self.change()),
        }
    }

    /// Returns the t from which on the bound is not negative, if it ascends; negative, if it descends.
    pub(crate) fn change(self) -> i128 {
        match self.slope > 0 {
            true => Integer::div_ceil(&-self.constant, &self.slope),
            false => Integer::div_floor(&self.constant, &-self.slope) + 1,
        }
    }
}

/// `numerator / divisor`; the divisor is positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinearQuotient {
    pub(crate) numerator: LinearBound,
    pub(crate) divisor: i128,
}

impl LinearQuotient {
    pub(crate) fn floor(self, t: i128) -> i128 {
        Integer::div_floor(&self.numerator.at(t), &self.divisor)
    }

    pub(crate) fn ceil(self, t: i128) -> i128 {
        Integer::div_ceil(&self.numerator.at(t), &self.divisor)
    }

    /// Returns the distance in t after which the quotient has moved by a whole multiple of `step`.
    pub(crate) fn period(self, step: i128) -> Option<i128> {
        let whole = self.divisor.checked_mul(step)?;
        Some(whole / whole.gcd(&self.numerator.slope))
    }

    /// Returns the quotient as an affine function, if its divisor is 1.
    pub(crate) fn integer(self) -> Option<LinearBound> {
        (self.divisor == 1).then_some(self.numerator)
    }

    /// Returns the difference to an affine function.
    pub(crate) fn minus(self, other: LinearBound) -> Self {
        Self { numerator: self.numerator.minus(other.times(self.divisor)), ..self }
    }

    pub(crate) fn negated(self) -> Self {
        Self { numerator: self.numerator.negated(), ..self }
    }

    /// Returns the difference of two quotients, times both divisors.
    pub(crate) fn difference(self, other: Self) -> LinearBound {
        self.numerator.times(other.divisor).minus(other.numerator.times(self.divisor))
    }

    /// Compares the quotients at t, and after it if they are equal there.
    pub(crate) fn compare(self, other: Self, t: i128) -> Ordering {
        let difference = self.difference(other);
        (difference.at(t), difference.slope).cmp(&(0, 0))
    }
}
