//! Lattices of iterators and affine conditions on them.
//!
//! A lattice is the set of points `origin + Σ wₖ·stepₖ`. Fixing an iterator, following a diagonal and keeping one
//! residue of an iterator each turn a lattice into a smaller one, so one type serves for all three. Affine conditions
//! are transformed by the same substitution.

use num_integer::Integer;
use symloc_quasi::Relation;

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
    pub(super) slopes: Vec<i128>,
    pub(super) pivot: usize,
}

impl LatticeDirection {
    /// Returns the direction of one of the coordinates.
    pub(super) fn coordinate(dimensions: usize, coordinate: usize) -> Self {
        Self { slopes: Lattice::whole(dimensions).steps.swap_remove(coordinate), pivot: coordinate }
    }

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

    /// Adds the condition to others, an equation as two inequalities.
    pub(super) fn join(self, relation: Relation, conditions: &mut Vec<Self>) {
        if relation == Relation::Zero {
            self.reversed().tightened().meet(conditions);
        }
        self.tightened().meet(conditions);
    }

    /// Adds the inequality to others; of parallel ones it keeps the tighter one. At a size many are parallel.
    fn meet(self, conditions: &mut Vec<Self>) {
        match conditions.iter_mut().find(|known| known.slopes == self.slopes) {
            Some(known) => known.constant = known.constant.min(self.constant),
            None => conditions.push(self),
        }
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

    /// Returns true if the condition is about one coordinate alone.
    pub(super) fn is_about(&self, coordinate: usize) -> bool {
        self.slopes.iter().enumerate().all(|(k, slope)| (*slope != 0) == (k == coordinate))
    }
}

/// Returns the points whose coordinates are not negative and add up to at most `most`.
pub(super) fn simplex(dimensions: usize, most: i128) -> Vec<Vec<i128>> {
    let mut points = vec![Vec::with_capacity(dimensions)];
    for _ in 0..dimensions {
        let longer = |point: Vec<i128>| {
            let left = most - point.iter().sum::<i128>();
            (0..=left).map(move |next| [&point[..], &[next]].concat())
        };
        points = points.into_iter().flat_map(longer).collect();
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_tightened_to_integer_points() {
        let tightened = AffineFunction { constant: -9, slopes: vec![8, -16] }.tightened();
        assert_eq!(tightened, AffineFunction { constant: -2, slopes: vec![1, -2] });
    }
}
