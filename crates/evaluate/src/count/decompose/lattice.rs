//! Lattices of iterators and affine conditions on them.
//!
//! A lattice is the set of points `origin + Σ wₖ·stepₖ`. Fixing an iterator, following a diagonal and keeping one
//! residue of an iterator each turn a lattice into a smaller one, so one type serves for all three. Affine conditions
//! are transformed by the same substitution.

use num_integer::Integer;

use crate::count::limits::{AFFINE_BITS, ITERATORS};

/// Points of the iterators, by coordinates w.
#[derive(Clone, Debug)]
pub(super) struct Lattice {
    pub(super) origin: Vec<i128>,
    pub(super) steps: Vec<Vec<i128>>,
}

impl Lattice {
    /// Returns the lattice of all points of `dimensions` iterators.
    pub(super) fn whole(dimensions: usize) -> Self {
        let unit = |k| (0..dimensions).map(|l| i128::from(l == k)).collect();
        Self { origin: vec![0; dimensions], steps: (0..dimensions).map(unit).collect() }
    }

    /// Returns the number of coordinates.
    pub(super) fn dimensions(&self) -> usize {
        self.steps.len()
    }

    /// Returns true if an iterator differs between points.
    pub(super) fn moves(&self, iterator: usize) -> bool {
        self.steps.iter().any(|step| step[iterator] != 0)
    }

    /// Returns the point at some coordinates. `None` if it leaves 128 bits, as it may for damaged models.
    pub(super) fn point(&self, coordinates: &[i128]) -> Option<Vec<i128>> {
        let mut point = self.origin.clone();
        for (step, w) in self.steps.iter().zip(coordinates) {
            if *w != 0 {
                for (x, s) in point.iter_mut().zip(step) {
                    *x = x.checked_add(s.checked_mul(*w)?)?;
                }
            }
        }
        Some(point)
    }

    /// Returns the lattice in other coordinates, or a part of it: `w = start + Σ vₖ·columnₖ`.
    pub(super) fn substitute(&self, change: &Change) -> Option<Self> {
        let zero = Self { origin: vec![0; self.origin.len()], steps: self.steps.clone() };
        let steps = change.columns.iter().map(|column| zero.point(column)).collect::<Option<_>>()?;
        Some(Self { origin: self.point(&change.start)?, steps })
    }
}

/// A point of the iterators, without an allocation.
#[derive(Clone, Copy, Debug)]
pub(super) struct LatticePoint {
    values: [i128; ITERATORS],
    iterators: usize,
}

impl LatticePoint {
    fn new(values: &[i128], iterators: usize) -> Self {
        let mut point = Self { values: [0; ITERATORS], iterators };
        point.values.iter_mut().zip(values).for_each(|(place, value)| *place = *value);
        point
    }

    /// Returns the values, one for each iterator.
    pub(super) fn coordinates(&self) -> &[i128] {
        &self.values[..self.iterators]
    }

    /// Returns `self + factor·step`.
    fn plus(mut self, step: &LatticePoint, factor: i128) -> Option<Self> {
        for (x, s) in self.values.iter_mut().zip(step.coordinates()) {
            *x = x.checked_add(product(*s, factor)?)?;
        }
        Some(self)
    }

    fn times(mut self, factor: i128) -> Option<Self> {
        for x in &mut self.values[..self.iterators] {
            *x = product(*x, factor)?;
        }
        Some(self)
    }
}

fn product(a: i128, b: i128) -> Option<i128> {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => Some(i128::from(a) * i128::from(b)),
        _ => a.checked_mul(b),
    }
}

/// A lattice with one step: `origin + t·step`.
#[derive(Clone, Copy, Debug)]
pub(super) struct LatticeLine {
    origin: LatticePoint,
    step: LatticePoint,
}

impl LatticeLine {
    pub(super) fn new(lattice: &Lattice, iterators: usize) -> Self {
        Self {
            origin: LatticePoint::new(&lattice.origin, iterators),
            step: LatticePoint::new(&lattice.steps[0], iterators),
        }
    }

    pub(super) fn origin(&self) -> &[i128] {
        self.origin.coordinates()
    }

    pub(super) fn at(&self, t: i128) -> Option<LatticePoint> {
        self.origin.plus(&self.step, t)
    }

    /// Returns every `step`-th point from `start` on.
    pub(super) fn part(&self, start: i128, step: i128) -> Option<Self> {
        Some(Self { origin: self.at(start)?, step: self.step.times(step)? })
    }
}

/// A lattice with two steps: `origin + t·down + s·right`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    origin: LatticePoint,
    down: LatticePoint,
    right: LatticePoint,
}

impl Plane {
    pub(super) fn new(lattice: &Lattice, iterators: usize) -> Self {
        let [down, right] = [0, 1].map(|step| LatticePoint::new(&lattice.steps[step], iterators));
        Self { origin: LatticePoint::new(&lattice.origin, iterators), down, right }
    }

    pub(super) fn origin(&self) -> &[i128] {
        self.origin.coordinates()
    }

    pub(super) fn at(&self, t: i128, s: i128) -> Option<LatticePoint> {
        self.origin.plus(&self.down, t)?.plus(&self.right, s)
    }

    /// Returns every `down`-th row and `right`-th column, from (t, s) on.
    pub(super) fn part(&self, (t, s): (i128, i128), (down, right): (i128, i128)) -> Option<Self> {
        Some(Self { origin: self.at(t, s)?, down: self.down.times(down)?, right: self.right.times(right)? })
    }

    /// Returns the step from row to row.
    pub(super) fn down(&self) -> &[i128] {
        self.down.coordinates()
    }

    /// Returns the step from column to column.
    pub(super) fn right(&self) -> &[i128] {
        self.right.coordinates()
    }

    /// Returns the plane from (t, s) on, with each row further by `shift` than the one before.
    pub(super) fn sheared(&self, (t, s): (i128, i128), shift: i128) -> Option<Self> {
        Some(Self { origin: self.at(t, s)?, down: self.down.plus(&self.right, shift)?, right: self.right })
    }

    /// Returns the plane with s counted downwards.
    pub(super) fn mirrored(&self) -> Option<Self> {
        Some(Self { right: self.right.times(-1)?, ..*self })
    }

    /// Returns row t.
    pub(super) fn row(&self, t: i128) -> Option<LatticeLine> {
        Some(LatticeLine { origin: self.at(t, 0)?, step: self.right })
    }

    /// Returns column s.
    pub(super) fn column(&self, s: i128) -> Option<LatticeLine> {
        Some(LatticeLine { origin: self.at(0, s)?, step: self.down })
    }
}

/// Coordinates in terms of new ones: `w = start + Σ vₖ·columnₖ`.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) start: Vec<i128>,
    pub(super) columns: Vec<Vec<i128>>,
}

impl Change {
    /// Returns the coordinates on which `direction = value`, solved for the direction's pivot.
    pub(super) fn fix(direction: &LatticeDirection, value: i128) -> Self {
        let dimensions = direction.slopes.len();
        let mut columns = Lattice::whole(dimensions).steps;
        for (column, slope) in columns.iter_mut().zip(&direction.slopes) {
            column[direction.pivot] = -slope;
        }
        columns.remove(direction.pivot);
        let mut start = vec![0; dimensions];
        start[direction.pivot] = value;
        Self { start, columns }
    }
}

/// `Σ slopeₖ·wₖ`, with the slope 1 at the pivot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LatticeDirection {
    slopes: Vec<i128>,
    pivot: usize,
}

impl LatticeDirection {
    /// Returns true if it is one of the coordinates.
    pub(super) fn is_coordinate(&self, coordinate: usize) -> bool {
        self.pivot == coordinate && self.slopes.iter().filter(|slope| **slope != 0).count() == 1
    }
}

/// `constant + Σ slopeₖ·wₖ ≥ 0`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AffineFunction {
    pub(super) constant: i128,
    pub(super) slopes: Vec<i128>,
}

impl AffineFunction {
    /// Creates the condition. `None` if the numbers are so large that sums and differences of two might overflow.
    pub(super) fn new(constant: i128, slopes: Vec<i128>) -> Option<Self> {
        let small = slopes.iter().chain([&constant]).all(|x| x.unsigned_abs() >> AFFINE_BITS == 0);
        small.then_some(Self { constant, slopes })
    }

    /// Returns the condition in other coordinates.
    pub(super) fn substitute(&self, change: &Change) -> Option<Self> {
        let linear = Self { constant: 0, slopes: self.slopes.clone() };
        let slopes = change.columns.iter().map(|column| linear.at(column)).collect::<Option<_>>()?;
        Some(Self::new(self.at(&change.start)?, slopes)?.tightened())
    }

    /// Returns `constant + Σ slopeₖ·wₖ` at some coordinates.
    pub(super) fn at(&self, coordinates: &[i128]) -> Option<i128> {
        let mut products = self.slopes.iter().zip(coordinates);
        products.try_fold(self.constant, |sum, (slope, w)| sum.checked_add(slope.checked_mul(*w)?))
    }

    /// Returns `−self ≥ 0`; the complement would be `−self − 1 ≥ 0`.
    pub(super) fn reversed(&self) -> Self {
        Self { constant: -self.constant, slopes: self.slopes.iter().map(|s| -s).collect() }
    }

    /// Returns a condition with the same integer points and coprime slopes.
    pub(super) fn tightened(mut self) -> Self {
        let gcd = self.slopes.iter().fold(0_i128, |gcd, slope| gcd.gcd(slope));
        if gcd > 1 {
            self.slopes.iter_mut().for_each(|slope| *slope /= gcd);
            self.constant = Integer::div_floor(&self.constant, &gcd);
        }
        self
    }

    /// Returns true if the condition has the same truth value at every point.
    pub(super) fn is_constant(&self) -> bool {
        self.slopes.iter().all(|slope| *slope == 0)
    }

    /// Returns the direction that this condition bounds, and its bound from below or from above. `None` if no slope is
    /// 1 or −1.
    fn bounds(&self) -> Option<(LatticeDirection, IntegerBound)> {
        let pivot = self.slopes.iter().position(|slope| slope.abs() == 1)?;
        Some(if self.slopes[pivot] == 1 {
            (LatticeDirection { slopes: self.slopes.clone(), pivot }, IntegerBound::Lower(-self.constant))
        } else {
            (
                LatticeDirection { slopes: self.slopes.iter().map(|s| -s).collect(), pivot },
                IntegerBound::Upper(self.constant),
            )
        })
    }
}

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

/// Returns the directions that some conditions bound.
pub(super) fn bounded(conditions: &[AffineFunction]) -> impl Iterator<Item = Strip> {
    let mut intervals: Vec<(LatticeDirection, Interval)> = Vec::new();
    for (direction, bound) in conditions.iter().filter_map(AffineFunction::bounds) {
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

/// Returns the range of each coordinate, if every condition is about one coordinate and all are bounded.
pub(super) fn ranges(conditions: &[AffineFunction], dimensions: usize) -> Option<Vec<(i128, i128)>> {
    let mut intervals = vec![Interval::default(); dimensions];
    for condition in conditions {
        let pivot = condition.slopes.iter().position(|slope| *slope != 0)?;
        if condition.slopes[pivot + 1..].iter().any(|slope| *slope != 0) {
            return None;
        }
        let (_, bound) = condition.bounds()?;
        intervals[pivot].meet(&bound);
    }
    intervals.iter().map(Interval::ends).collect()
}

#[cfg(test)]
mod tests {
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
    fn conditions_are_tightened_to_integer_points() {
        let tightened = AffineFunction { constant: -9, slopes: vec![8, -16] }.tightened();
        assert_eq!(tightened, AffineFunction { constant: -2, slopes: vec![1, -2] });
    }
}
