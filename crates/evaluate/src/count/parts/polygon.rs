//! Polygons of integer points, cut into trapezoids.
//!
//! The points are (t, s). If s is bounded by quotients of affine functions of t, the polygon is a sequence of trapezoids, each
//! between one lower and one upper bound. The bounds are rational: a row runs from the ceiling of the lower bound to the floor of
//! the upper one.

use std::cmp::Ordering;

use num_integer::Integer;

use crate::count::limits::{CONSTANT_BITS, FARTHEST, SLOPE_BITS};

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
    fn change(self) -> i128 {
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
    fn difference(self, other: Self) -> LinearBound {
        self.numerator.times(other.divisor).minus(other.numerator.times(self.divisor))
    }

    /// Compares the quotients at t, and after it if they are equal there.
    fn compare(self, other: Self, t: i128) -> Ordering {
        let difference = self.difference(other);
        (difference.at(t), difference.slope).cmp(&(0, 0))
    }
}

/// `start ≤ t < end`, `⌈lower(t)⌉ ≤ s ≤ ⌊upper(t)⌋`, where `lower(t) ≤ upper(t)`; there may be no integer between the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trapezoid {
    pub(crate) start: i128,
    pub(crate) end: i128,
    pub(crate) lower: LinearQuotient,
    pub(crate) upper: LinearQuotient,
}

/// A conjunction of conditions on (t, s).
#[derive(Clone, Debug, Default)]
pub(crate) struct Polygon {
    lowers: Vec<LinearQuotient>,
    uppers: Vec<LinearQuotient>,
    across: Vec<LinearBound>,
}

impl Polygon {
    /// Removes all conditions.
    pub(crate) fn clear(&mut self) {
        self.lowers.clear();
        self.uppers.clear();
        self.across.clear();
    }

    /// Adds `constant + t·slopes.0 + s·slopes.1 ≥ 0`; `None` if the numbers are too large.
    pub(crate) fn add(&mut self, constant: i128, slopes: (i128, i128)) -> Option<()> {
        let large = |x: i128, bits: u32| x.unsigned_abs() >> bits != 0;
        let gcd = slopes.0.gcd(&slopes.1).max(1);
        let numerator = LinearBound { constant: Integer::div_floor(&constant, &gcd), slope: slopes.0 / gcd };
        if large(numerator.constant, CONSTANT_BITS)
            || [numerator.slope, slopes.1 / gcd].iter().any(|s| large(*s, SLOPE_BITS))
        {
            return None;
        }
        match slopes.1 / gcd {
            0 => self.across.push(numerator),
            divisor @ 1.. => self.lowers.push(LinearQuotient { numerator: numerator.negated(), divisor }),
            divisor => self.uppers.push(LinearQuotient { numerator, divisor: -divisor }),
        }
        Some(())
    }

    /// Returns the trapezoids; `None` if some direction is unbounded, or nearly so.
    pub(crate) fn trapezoids(&self) -> Option<Vec<Trapezoid>> {
        let pairs = self.uppers.iter().flat_map(|upper| self.lowers.iter().map(|lower| upper.difference(*lower)));
        let (mut start, mut end) = (i128::MIN, i128::MAX);
        for bound in self.across.iter().copied().chain(pairs) {
            if bound.slope == 0 && bound.constant < 0 {
                return Some(Vec::new());
            }
            bound.narrow(&mut start, &mut end);
        }
        if start >= end {
            return Some(Vec::new());
        }
        if start < -FARTHEST || end > FARTHEST {
            return None;
        }
        let mut cuts = vec![start, end];
        for bounds in [&self.lowers, &self.uppers] {
            for (index, one) in bounds.iter().enumerate() {
                let differences = bounds[..index].iter().map(|other| one.difference(*other));
                let changes = differences.filter(|d| d.slope != 0).map(LinearBound::change);
                cuts.extend(changes.filter(|t| start < *t && *t < end));
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        cuts.windows(2).map(|pair| self.between(pair[0], pair[1])).collect()
    }

    /// Returns the trapezoid over a range of t in which no two bounds change their order. Among bounds that agree at its start,
    /// it chooses the one that is tighter after it.
    fn between(&self, start: i128, end: i128) -> Option<Trapezoid> {
        let lower = self.lowers.iter().copied().max_by(|a, b| a.compare(*b, start))?;
        let upper = self.uppers.iter().copied().min_by(|a, b| a.compare(*b, start))?;
        Some(Trapezoid { start, end, lower, upper })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn trapezoids_hold_the_points_of_the_polygon(
            conditions in proptest::collection::vec((-12_i128..12, -5_i128..6, -4_i128..5), 0..6),
        ) {
            let frame = [(0, 1, 0), (9, -1, 0), (3, 0, 1), (7, 0, -1)];
            let all: Vec<_> = frame.into_iter().chain(conditions).collect();
            let mut polygon = Polygon::default();
            for (constant, t, s) in &all {
                polygon.add(*constant, (*t, *s)).unwrap();
            }
            let mut found = Vec::new();
            for Trapezoid { start, end, lower, upper } in polygon.trapezoids().unwrap() {
                prop_assert!(start < end);
                for t in start..end {
                    prop_assert!(!upper.difference(lower).at(t).is_negative());
                    let first = Integer::div_ceil(&lower.numerator.at(t), &lower.divisor);
                    found.extend((first..=upper.floor(t)).map(|s| (t, s)));
                }
            }
            let holds = |t: i128, s: i128| all.iter().all(|(c, a, b)| c + a * t + b * s >= 0);
            let expected: Vec<_> =
                (-20..20).flat_map(|t| (-20..20).map(move |s| (t, s))).filter(|(t, s)| holds(*t, *s)).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn unbounded_polygons_are_refused() {
        let mut polygon = Polygon::default();
        for (constant, slopes) in [(0, (1, 0)), (0, (0, 1)), (9, (0, -1))] {
            assert_eq!(polygon.add(constant, slopes), Some(()));
        }
        assert_eq!(polygon.trapezoids(), None);
        assert_eq!(polygon.add(1 << 80, (1, 0)), None);
        assert_eq!(polygon.add(0, (1, 1 << 40)), None);
    }
}
