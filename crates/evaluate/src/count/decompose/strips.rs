//! Directions between two bounds.

use super::lattice::{AffineFunction, LatticeDirection};

/// A bound of a direction.
enum IntegerBound {
    Lower(i128),
    Upper(i128),
}

/// An interval of integers; open ends are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Interval {
    lower: Option<i128>,
    upper: Option<i128>,
}

impl Interval {
    fn meet(&mut self, bound: &IntegerBound) {
        match *bound {
            IntegerBound::Lower(bound) => self.lower = Some(self.lower.map_or(bound, |l| l.max(bound))),
            IntegerBound::Upper(bound) => self.upper = Some(self.upper.map_or(bound, |u| u.min(bound))),
        }
    }

    /// Returns the first and the last value, if the interval is bounded; the last may come before the first.
    pub(super) fn ends(&self) -> Option<(i128, i128)> {
        Some((self.lower?, self.upper?))
    }
}

/// A direction between two bounds; the last value may come before the first.
#[derive(Clone, Debug)]
pub(super) struct Strip {
    pub(super) direction: LatticeDirection,
    pub(super) first: i128,
    pub(super) last: i128,
}

impl Strip {
    /// Returns the distance from the first to the last value; negative if there are no values.
    fn span(&self) -> i128 {
        self.last.saturating_sub(self.first)
    }

    /// Returns the number of values; `None` if it leaves 128 bits.
    pub(super) fn length(&self) -> Option<i128> {
        Some(self.last.checked_sub(self.first)?.checked_add(1)?.max(0))
    }

    /// Returns the shorter one of two strips; the first one, if they are as short.
    pub(super) fn shorter(self, other: Self) -> Self {
        if other.span() < self.span() { other } else { self }
    }
}

/// Returns the direction that a condition bounds, and its bound from below or from above. `None` if no slope is
/// 1 or −1.
fn bounds(condition: &AffineFunction) -> Option<(LatticeDirection, IntegerBound)> {
    let pivot = condition.slopes.iter().position(|slope| slope.abs() == 1)?;
    Some(if condition.slopes[pivot] == 1 {
        (LatticeDirection { slopes: condition.slopes.clone(), pivot }, IntegerBound::Lower(-condition.constant))
    } else {
        (
            LatticeDirection { slopes: condition.slopes.iter().map(|s| -s).collect(), pivot },
            IntegerBound::Upper(condition.constant),
        )
    })
}

/// Returns the directions that some conditions bound.
pub(super) fn bounded(conditions: &[AffineFunction]) -> impl Iterator<Item = Strip> {
    let mut intervals: Vec<(LatticeDirection, Interval)> = Vec::new();
    for (direction, bound) in conditions.iter().filter_map(bounds) {
        match intervals.iter_mut().find(|(d, _)| *d == direction) {
            Some((_, interval)) => interval.meet(&bound),
            None => {
                let mut interval = Interval::default();
                interval.meet(&bound);
                intervals.push((direction, interval));
            }
        }
    }
    let strip =
        |(direction, interval): (_, Interval)| interval.ends().map(|(first, last)| Strip { direction, first, last });
    intervals.into_iter().filter_map(strip)
}

/// Returns the shortest of the [`bounded`] directions; the first one, if several are as short.
pub(super) fn shortest(conditions: &[AffineFunction]) -> Option<Strip> {
    bounded(conditions).reduce(Strip::shorter)
}

/// Returns the bounds of single coordinates that follow from two conditions together, where no condition has one.
pub(super) fn implied(conditions: &[AffineFunction]) -> Vec<AffineFunction> {
    let pairs =
        conditions.iter().enumerate().flat_map(|(k, one)| conditions[..k].iter().map(move |other| (one, other)));
    let sums = pairs.filter_map(|(one, other)| {
        let slopes: Vec<i128> = one.slopes.iter().zip(&other.slopes).map(|(a, b)| a + b).collect();
        let mut moved = slopes.iter().filter(|slope| **slope != 0);
        (moved.next().is_some() && moved.next().is_none())
            .then(|| AffineFunction::new(one.constant + other.constant, slopes).map(AffineFunction::tightened))?
    });
    sums.filter(|sum| conditions.iter().all(|c| c.slopes != sum.slopes)).collect()
}

/// Returns true if one of some conditions, or two of them together, hold nowhere.
pub(super) fn are_contradictory(conditions: &[AffineFunction]) -> bool {
    conditions.iter().enumerate().any(|(k, one)| {
        let is_opposite = |other: &&AffineFunction| one.slopes.iter().zip(&other.slopes).all(|(a, b)| *a == -b);
        // A constant condition is opposite to itself.
        conditions[..=k].iter().filter(is_opposite).any(|other| one.constant + other.constant < 0)
    })
}

/// Returns the range of each coordinate, if every condition is about one coordinate and all are bounded.
pub(super) fn ranges(conditions: &[AffineFunction], dimensions: usize) -> Option<Vec<(i128, i128)>> {
    let mut intervals = vec![Interval::default(); dimensions];
    for condition in conditions {
        let pivot = condition.slopes.iter().position(|slope| *slope != 0)?;
        if condition.slopes[pivot + 1..].iter().any(|slope| *slope != 0) {
            return None;
        }
        let (_, bound) = bounds(condition)?;
        intervals[pivot].meet(&bound);
    }
    intervals.iter().map(Interval::ends).collect()
}

#[cfg(test)]
mod tests {
    use super::super::lattice::{Change, Lattice};
    use super::*;

    #[test]
    fn a_strip_has_a_short_diagonal() {
        // 0 ≤ j ≤ 99, j + 2 ≤ i ≤ j + 8
        let condition = |constant, i, j| AffineFunction { constant, slopes: vec![i, j] };
        let strip = [condition(0, 0, 1), condition(99, 0, -1), condition(-2, 1, -1), condition(8, -1, 1)];
        let Strip { direction, first, last } = shortest(&strip).unwrap();
        assert_eq!((direction.slopes.as_slice(), first, last), ([1, -1].as_slice(), 2, 8));
        let change = Change::fix(&direction, 5);
        let line = Lattice::whole(2).substitute(&change).unwrap();
        assert_eq!(line.point(&[10]), Some(vec![15, 10]));
        assert_eq!(strip[1].substitute(&change).unwrap(), AffineFunction { constant: 99, slopes: vec![-1] });
        assert!(strip[3].substitute(&change).unwrap().is_constant());
    }

    #[test]
    fn two_conditions_bound_a_coordinate() {
        // 2 ≤ i + j + k, i + j ≤ −1, k ≤ 15: k is at least 3.
        let condition = |constant, slopes: [i128; 3]| AffineFunction { constant, slopes: slopes.to_vec() };
        let conditions = [condition(-2, [1, 1, 1]), condition(-1, [-1, -1, 0]), condition(15, [0, 0, -1])];
        assert_eq!(implied(&conditions), [condition(-3, [0, 0, 1])]);
        assert_eq!(implied(&[&conditions[..], &[condition(0, [0, 0, 1])]].concat()), []);
    }

    #[test]
    fn contradictions_of_one_condition_and_of_two() {
        let condition = |constant, i, j| AffineFunction { constant, slopes: vec![i, j] };
        // i ≥ j + 3 and i ≤ j + last.
        let two = |last| [condition(5, 1, 0), condition(-3, 1, -1), condition(last, -1, 1)];
        assert_eq!([2, 3].map(|last| are_contradictory(&two(last))), [true, false]);
        assert_eq!([-1, 0].map(|constant| are_contradictory(&[condition(constant, 0, 0)])), [true, false]);
    }
}
