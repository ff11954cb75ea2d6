//! All constants that were chosen, not derived. Results do not depend on them, only times do, and which pieces are enumerated:
//! `symloc-benchmarks evaluation` measures them.

/// Pieces with more free iterators than these are enumerated; those of contractions have up to six.
pub(super) const ITERATORS: usize = 8;

/// A direction of the iterators with so few values is enumerated at once.
pub(super) const SHORT: i128 = 8;

/// More residues than these, of one iterator or of a pair, count as points that are enumerated.
pub(super) const RESIDUES: i128 = 1 << 14;

/// Shorter runs are atoms, point by point.
pub(super) const SHORT_RUN: i128 = 8;

/// Trapezoids with fewer rows or shorter rows are taken row by row.
pub(super) const THIN: i128 = 4;

/// Directions in which v is constant have components up to this.
pub(super) const STEEPEST: i128 = 64;

/// Directions in which v is nearly constant have components up to this, and v changes so many times less along them.
pub(super) const NEARLY: i128 = 8;

/// More rows astride than these are summed at once, where v is affine.
pub(super) const SLANTED: i128 = 256;

/// Numbers in mixed radix that need more digits for one x are taken as rows instead: some tens of milliseconds.
pub(super) const DESCENTS: i128 = 1 << 20;

/// The same for two digits, which are rows of a region, too, and faster there.
pub(super) const DESCENTS_OF_TWO: i128 = 1 << 6;

/// Conditions with larger numbers are refused, and those of polygons, and rows farther out, sooner. A difference of two quotients has a constant
/// below 2¹⁰⁹ and a slope below 2⁷³ then, so that nothing overflows. These are proved, not measured.
pub(super) const AFFINE_BITS: u32 = 120;
pub(super) const CONSTANT_BITS: u32 = 72;
pub(super) const SLOPE_BITS: u32 = 36;
pub(super) const FARTHEST: i128 = 1 << 50;
