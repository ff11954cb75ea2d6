//! Takes a box for the slices of a fan: v is affine along each coordinate, and with one of them fixed along all others together.
//!
//! In a contraction v has products of iterators, `a·(w + 1) + b·w`. With w fixed, a and b are digits whose steps grow with w
//! (docs/counting.md, Fans).

use super::lattice::{AffineFunction, Change, Lattice, LatticeDirection};
use super::strips::ranges;
use super::{Decomposition, Trouble, check, checked, integer};
use crate::count::parts::fan::{Fan, Growing};

/// A box, with the coordinate that numbers its slices.
struct FanBox {
    axis: usize,
    corner: Vec<i128>,
    /// The number of values of each coordinate.
    lengths: Vec<i128>,
}

impl Decomposition<'_> {
    /// Adds the points of a box as a fan; returns false if they do not have that form.
    pub(super) fn fanned(&mut self, lattice: &Lattice, conditions: &[AffineFunction]) -> Result<bool, Trouble> {
        let Some(ranges) = ranges(conditions, lattice.dimensions()) else { return Ok(false) };
        if !self.plan.is_uniform_on(lattice) {
            return Ok(false);
        }
        let lengths = ranges.iter().map(|(low, high)| high.checked_sub(*low)?.checked_add(1));
        let lengths: Vec<i128> = checked(lengths.collect())?;
        let corner: Vec<i128> = ranges.iter().map(|(low, _)| *low).collect();
        let mut axes: Vec<usize> =
            (0..lattice.dimensions()).filter(|axis| self.plan.is_fan_along(lattice, *axis)).collect();
        axes.sort_by_key(|axis| lengths[*axis]);
        for axis in axes {
            let slices = FanBox { axis, corner: corner.clone(), lengths: lengths.clone() };
            if self.fan(lattice, conditions, &slices)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds a fan with slices along one coordinate. Those on which a step is zero, at the ends, are cut by themselves.
    fn fan(&mut self, lattice: &Lattice, conditions: &[AffineFunction], slices: &FanBox) -> Result<bool, Trouble> {
        let FanBox { axis, ref corner, ref lengths } = *slices;
        let count = self.count_at(&checked(lattice.point(corner))?)?;
        let base = self.growing(lattice, corner, axis)?;
        let mut digits = Vec::with_capacity(lengths.len() - 1);
        for (other, length) in lengths.iter().enumerate().filter(|(other, _)| *other != axis) {
            let mut next = corner.clone();
            next[other] += 1;
            digits.push((self.growing(lattice, &next, axis)?.minus(&base), *length));
        }
        let vanishes = |slice: i128| digits.iter().any(|(step, _)| !step.growth.is_zero() && step.at(slice).is_zero());
        let (mut start, mut end) = (0, lengths[axis]);
        while start < end && vanishes(start) {
            start += 1;
        }
        while start < end && vanishes(end - 1) {
            end -= 1;
        }
        let digits = digits.iter().map(|(step, length)| (step.from(start), *length)).collect();
        if start == end {
            return Ok(false);
        }
        let Some(fan) = Fan::new(end - start, count.clone(), base.from(start), digits) else { return Ok(false) };
        check(&fan.low(), &count)?;
        self.parts.fan(self.kind, fan);
        let direction = LatticeDirection::coordinate(lattice.dimensions(), axis);
        for slice in (0..start).chain(end..lengths[axis]) {
            self.changed(lattice, conditions, &Change::fix(&direction, corner[axis] + slice))?;
        }
        Ok(true)
    }

    /// Returns v at some coordinates, and how it grows along an axis.
    fn growing(&self, lattice: &Lattice, coordinates: &[i128], axis: usize) -> Result<Growing, Trouble> {
        let value = |coordinates: &[i128]| integer(&self.value, &checked(lattice.point(coordinates))?);
        let mut next = coordinates.to_vec();
        next[axis] += 1;
        let first = value(coordinates)?;
        Ok(Growing { growth: &value(&next)? - &first, first })
    }
}
