//! Places arrays in memory, in units of lines.
//!
//! Arrays are line-aligned, disjoint and packed in the order of the program's table, from line 0. Each takes the smallest box
//! that holds the block of the element with all subscripts zero, the blocks of its declared extents where these are constants,
//! and every block that the trace touches; within the box, lines are in row-major order. So a dynamic extent is the part that the
//! trace touches, counted from 0, and arrays that are never touched take no room.
//!
//! [`Padding::Prime`] extends every side of a box to the next prime, in lines for the last dimension: a row of doubles has 8p
//! elements on 64-byte lines. Distances between rows and between arrays then have no factor in common with the number of sets of
//! a cache, so that lines fall into its sets as if by chance, as in the paper's simulations. Blocks, and with them reuse
//! intervals and distances, do not change.

use symloc_affine::{Array, ElementCoordinates, Extent, Line, Strides};

use crate::error::SimError;

/// The padding between the rows of an array, and between arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Padding {
    /// No padding.
    None,
    /// Padding that makes each extent a prime number.
    Prime,
}

impl Padding {
    /// Returns the extent in memory of `lines` lines. `None` if it is too large.
    fn extent(self, lines: u64) -> Option<u64> {
        match self {
            Padding::None => Some(lines),
            Padding::Prime => prime_from(lines),
        }
    }
}

/// Returns the smallest prime that is at least `least`, by trial division; `None` above 2^40, which exceeds any memory.
fn prime_from(least: u64) -> Option<u64> {
    let is_prime = |n: u64| (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
    (least.max(2)..1 << 40).find(|n| is_prime(*n))
}

/// Inclusive ranges of block coordinates, one per coordinate.
#[derive(Clone, Debug)]
pub(crate) struct Hull(Vec<(i64, i64)>);

impl Hull {
    /// Returns the box of the declared extents.
    pub(crate) fn declared(array: &Array, coordinates: &ElementCoordinates, line: Line) -> Result<Self, SimError> {
        if coordinates.are_of_scalar() {
            return Ok(Self(Vec::new()));
        }
        let (outer, within) = array.shape.split_at(coordinates.outer);
        let range = addresses(within, &coordinates.strides);
        let (low, high) = range.ok_or_else(|| SimError::AddressSpace { array: array.name.clone() })?;
        let elements = line.elements(array)?;
        let lines = (low.div_euclid(elements), high.div_euclid(elements));
        Ok(Self(outer.iter().map(|extent| (0, last(extent))).chain([lines]).collect()))
    }

    /// Returns true if the box is no larger than that of the declared extents, where these are constants.
    pub(crate) fn is_within(
        &self,
        array: &Array,
        coordinates: &ElementCoordinates,
        line: Line,
    ) -> Result<bool, SimError> {
        let declared = Self::declared(array, coordinates, line)?;
        let (outer, within) = array.shape.split_at(coordinates.outer.min(array.shape.len()));
        let is_known = |extents: &[Extent]| extents.iter().all(|extent| extent.constant().is_some());
        let known = outer.iter().map(|extent| is_known(std::slice::from_ref(extent))).chain([is_known(within)]);
        let mut ranges = self.0.iter().zip(&declared.0).zip(known);
        Ok(ranges.all(|((own, declared), known)| !known || own == declared))
    }

    /// Returns the number of blocks in each coordinate.
    pub(crate) fn extents(&self) -> Vec<i64> {
        self.0.iter().map(|(low, high)| (high - low).saturating_add(1)).collect()
    }

    /// Extends one coordinate's range.
    #[inline]
    pub(crate) fn include(&mut self, coordinate: usize, value: i64) {
        let (low, high) = &mut self.0[coordinate];
        *low = value.min(*low);
        *high = value.max(*high);
    }

    /// Places the box at the lines from `base`, and moves `base` behind it. `None` if it does not fit in 2^63 lines.
    pub(crate) fn place(&self, padding: Padding, base: &mut u64) -> Option<ArrayLines> {
        let mut stride = 1_u64;
        let mut axes = Vec::with_capacity(self.0.len());
        for &(low, high) in self.0.iter().rev() {
            axes.push(Axis { low, stride });
            let extent = padding.extent(high.abs_diff(low).checked_add(1)?)?;
            stride = extent.checked_mul(stride)?;
        }
        axes.reverse();
        let place = ArrayLines { base: *base, lines: stride, axes };
        *base = base.checked_add(stride).filter(|&end| end <= 1 << 63)?;
        Some(place)
    }
}

/// Returns the last subscript of an extent; 0 where the extent is unknown.
fn last(extent: &Extent) -> i64 {
    extent.constant().map_or(0, |extent| extent.saturating_sub(1).max(0))
}

/// Returns the range of the element addresses of an array and of address 0. `None` if it leaves 64 bits.
fn addresses(shape: &[Extent], strides: &Strides) -> Option<(i64, i64)> {
    let mut range = (strides.offset, strides.offset);
    for (extent, &stride) in shape.iter().zip(&strides.strides) {
        let span = last(extent).checked_mul(stride)?;
        range = (range.0.checked_add(span.min(0))?, range.1.checked_add(span.max(0))?);
    }
    Some((range.0.min(0), range.1.max(0)))
}

/// The lines of one array.
#[derive(Clone, Debug, Default)]
pub(crate) struct ArrayLines {
    pub(crate) base: u64,
    /// The number of lines.
    pub(crate) lines: u64,
    axes: Vec<Axis>,
}

#[derive(Clone, Debug)]
struct Axis {
    low: i64,
    stride: u64,
}

impl ArrayLines {
    /// Returns the distance between neighbours in each coordinate.
    pub(crate) fn strides(&self) -> impl Iterator<Item = u64> {
        self.axes.iter().map(|axis| axis.stride)
    }

    /// Returns the offset of a coordinate, which must lie in the box, from the base.
    #[inline]
    pub(crate) fn offset(&self, coordinate: usize, value: i64) -> u64 {
        let axis = &self.axes[coordinate];
        value.abs_diff(axis.low) * axis.stride
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_follow_each_other_and_keep_their_low_corners() {
        let mut base = 0;
        let first = Hull(vec![(-1, 2), (0, 4)]).place(Padding::None, &mut base).unwrap();
        let second = Hull(vec![]).place(Padding::None, &mut base).unwrap();
        assert_eq!((first.base, second.base, base), (0, 20, 21));
        assert_eq!([first.offset(0, -1), first.offset(0, 2), first.offset(1, 3)], [0, 15, 3]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(Hull(vec![(i64::MIN, i64::MAX)]).place(Padding::None, &mut 0).is_none());
        assert!(Hull(vec![(0, i64::MAX - 1)]).place(Padding::None, &mut 5).is_none());
    }

    #[test]
    fn padded_extents_are_primes() {
        let extents = [1, 2, 3, 4, 8, 25, 30, 90, 1_000_000].map(|lines| Padding::Prime.extent(lines).unwrap());
        assert_eq!(extents, [2, 2, 3, 5, 11, 29, 31, 97, 1_000_003]);
        let mut base = 0;
        let place = Hull(vec![(0, 3), (0, 7)]).place(Padding::Prime, &mut base).unwrap();
        assert_eq!(([place.offset(0, 1), place.offset(1, 1)], base), ([11, 1], 55));
        assert!(Hull(vec![(0, 1 << 50)]).place(Padding::Prime, &mut 0).is_none());
    }
}
