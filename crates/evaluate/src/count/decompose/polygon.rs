//! Polygons of integer points, cut into trapezoids.
//!
//! The points are (t, s). If s is bounded by quotients of affine functions of t, the polygon is a sequence of trapezoids, each
//! between one lower and one upper bound. The bounds are rational: a row runs from the ceiling of the lower bound to the floor of
//! the upper one.

use num_integer::Integer;

use crate::count::limits::{CONSTANT_BITS, FARTHEST, SLOPE_BITS};
use crate::count::parts::quotient::{LinearBound, LinearQuotient};

/// `start ≤ t < end`, `⌈lower(t)⌉ ≤ s ≤ ⌊upper(t)⌋`, where `lower(t) ≤ upper(t)`; there may be no integer between the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trapezoid {
    pub(super) start: i128,
    pub(super) end: i128,
    pub(super) lower: LinearQuotient,
    pub(super) upper: LinearQuotient,
}

/// A conjunction of conditions on (t, s).
#[derive(Clone, Debug, Default)]
pub(super) struct Polygon {
    lowers: Vec<LinearQuotient>,
    uppers: Vec<LinearQuotient>,
    across: Vec<LinearBound>,
}

impl Polygon {
    /// Removes all conditions.
    pub(super) fn clear(&mut self) {
        self.lowers.clear();
        self.uppers.clear();
        self.across.clear();
    }

    /// Adds `constant + t·slopes.0 + s·slopes.1 ≥ 0`; `None` if the numbers are too large.
    pub(super) fn add(&mut self, constant: i128, slopes: (i128, i128)) -> Option<()> {
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
    pub(super) fn trapezoids(&self) -> Option<Vec<Trapezoid>> {
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
