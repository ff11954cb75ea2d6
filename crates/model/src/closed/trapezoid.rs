//! Polygons of integer points, cut into trapezoids.
//!
//! The points are (t, s). If all bounds of s are affine in t with integer coefficients, the polygon is a sequence of
//! trapezoids, each between one lower and one upper bound.

use num_integer::Integer;

/// `constant + slope·t`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) constant: i128,
    pub(super) slope: i128,
}

impl Bound {
    pub(super) fn at(self, t: i128) -> i128 {
        self.constant + self.slope * t
    }

    pub(super) fn minus(self, other: Self) -> Self {
        Self { constant: self.constant - other.constant, slope: self.slope - other.slope }
    }

    pub(super) fn negated(self) -> Self {
        Self { constant: -self.constant, slope: -self.slope }
    }

    /// The part of `start..end` where the bound is not negative.
    pub(super) fn narrow(self, start: &mut i128, end: &mut i128) {
        match self.slope.signum() {
            0 if self.constant < 0 => *end = *start,
            0 => {}
            1 => *start = (*start).max(self.change()),
            _ => *end = (*end).min(self.change()),
        }
    }

    /// The t from which on the bound is not negative, if it ascends; negative, if it descends.
    fn change(self) -> i128 {
        match self.slope > 0 {
            true => Integer::div_ceil(&-self.constant, &self.slope),
            false => Integer::div_floor(&self.constant, &-self.slope) + 1,
        }
    }
}

/// `start ≤ t < end`, `lower(t) ≤ s ≤ upper(t)`; no row is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trapezoid {
    pub(super) start: i128,
    pub(super) end: i128,
    pub(super) lower: Bound,
    pub(super) upper: Bound,
}

/// A conjunction of conditions on (t, s).
#[derive(Clone, Debug, Default)]
pub(super) struct Polygon {
    lowers: Vec<Bound>,
    uppers: Vec<Bound>,
    across: Vec<Bound>,
}

impl Polygon {
    /// Forgets all conditions.
    pub(super) fn clear(&mut self) {
        self.lowers.clear();
        self.uppers.clear();
        self.across.clear();
    }

    /// Adds `constant + t·slopes.0 + s·slopes.1 ≥ 0`. False if the slope in s does not divide the others' gcd, so that the
    /// bound of s is not affine.
    #[must_use]
    pub(super) fn add(&mut self, constant: i128, slopes: (i128, i128)) -> bool {
        let gcd = slopes.0.gcd(&slopes.1).max(1);
        let (constant, slope) = (Integer::div_floor(&constant, &gcd), slopes.0 / gcd);
        match slopes.1 / gcd {
            0 => self.across.push(Bound { constant, slope }),
            1 => self.lowers.push(Bound { constant: -constant, slope: -slope }),
            -1 => self.uppers.push(Bound { constant, slope }),
            _ => return false,
        }
        true
    }

    /// The trapezoids; `None` if some direction is unbounded.
    pub(super) fn trapezoids(&self) -> Option<Vec<Trapezoid>> {
        let pairs = self.uppers.iter().flat_map(|upper| self.lowers.iter().map(|lower| upper.minus(*lower)));
        let (mut start, mut end) = (i128::MIN, i128::MAX);
        for bound in self.across.iter().copied().chain(pairs) {
            if bound.slope == 0 && bound.constant < 0 {
                return Some(Vec::new());
            }
            bound.narrow(&mut start, &mut end);
        }
        if start == i128::MIN || end == i128::MAX {
            return None;
        }
        if start >= end {
            return Some(Vec::new());
        }
        let mut cuts = vec![start, end];
        for bounds in [&self.lowers, &self.uppers] {
            for (index, one) in bounds.iter().enumerate() {
                let differences = bounds[..index].iter().map(|other| one.minus(*other));
                let changes = differences.filter(|d| d.slope != 0).map(Bound::change);
                cuts.extend(changes.filter(|t| start < *t && *t < end));
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        cuts.windows(2).map(|pair| self.between(pair[0], pair[1])).collect()
    }

    /// The trapezoid over a range of t in which no two bounds change their order: among bounds that agree at its start,
    /// the one that is tighter after it.
    fn between(&self, start: i128, end: i128) -> Option<Trapezoid> {
        let lower = self.lowers.iter().copied().max_by_key(|bound| (bound.at(start), bound.slope))?;
        let upper = self.uppers.iter().copied().min_by_key(|bound| (bound.at(start), bound.slope))?;
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
            conditions in proptest::collection::vec((-12_i128..12, -3_i128..4, -1_i128..2), 0..6),
        ) {
            let frame = [(0, 1, 0), (9, -1, 0), (3, 0, 1), (7, 0, -1)];
            let all: Vec<_> = frame.into_iter().chain(conditions).collect();
            let mut polygon = Polygon::default();
            for (constant, t, s) in &all {
                prop_assert!(polygon.add(*constant, (*t, *s)));
            }
            let mut found = Vec::new();
            for Trapezoid { start, end, lower, upper } in polygon.trapezoids().unwrap() {
                prop_assert!(start < end);
                for t in start..end {
                    prop_assert!(lower.at(t) <= upper.at(t));
                    found.extend((lower.at(t)..=upper.at(t)).map(|s| (t, s)));
                }
            }
            let holds = |t: i128, s: i128| all.iter().all(|(c, a, b)| c + a * t + b * s >= 0);
            let expected: Vec<_> =
                (-20..20).flat_map(|t| (-20..20).map(move |s| (t, s))).filter(|(t, s)| holds(*t, *s)).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn unbounded_polygons_and_fractional_bounds_are_refused() {
        let mut polygon = Polygon::default();
        assert!(polygon.add(0, (1, 0)) && polygon.add(0, (0, 1)) && polygon.add(9, (0, -1)));
        assert_eq!(polygon.trapezoids(), None);
        assert!(!polygon.add(0, (1, -2)));
        assert!(polygon.add(0, (4, -2)));
    }
}
