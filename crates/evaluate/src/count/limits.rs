//! All constants that were chosen, not derived. Results do not depend on them, only times do, and which pieces are enumerated.
//!
//! They were chosen by `symloc-benchmarks evaluation`, with and without `--exact`, over the stored kernels at n = 100 to 100,000;
//! what it measured stands beside each.

/// Pieces with more free iterators than these are enumerated; those of contractions have up to six.
pub(super) const ITERATORS: usize = 8;

/// A direction of the iterators with so few values is enumerated at once. With 2 adi and cholesky take seconds, with 16 or 32
/// the exact nussinov 2.4 or 3.5 times as long.
pub(super) const SHORT: i128 = 8;

/// More residues than these, of one iterator or of a pair, count as points that are enumerated. From 2¹⁰ to 2¹⁶ all is the same.
pub(super) const RESIDUES: i128 = 1 << 14;

/// Shorter runs are atoms, point by point. Against 8, further caches of the exact nussinov take a third of the time, and 32 does
/// not gain much more.
pub(super) const SHORT_RUN: i128 = 16;

/// Trapezoids with fewer rows or shorter rows are taken row by row. From 2 to 16 all is the same; without, the exact nussinov takes
/// 1.4 times as long.
pub(super) const THIN: i128 = 4;

/// Directions in which v is constant have components up to this. With 8 further caches of nussinov take 3.5 times as long, with 512
/// first ones of the exact syrk 2.7 times.
pub(super) const STEEPEST: i128 = 64;

/// More rows astride than these are summed at once, where v is affine: otherwise time grows with n. With 64 it is the same; with 1024
/// further caches of the exact syr2k take 3 times as long.
pub(super) const SLANTED: i128 = 256;

/// Numbers in mixed radix that need more digits for one x are taken as rows instead: some tens of milliseconds. With 2¹⁴ contractions
/// are enumerated, and do not end.
pub(super) const DESCENTS: i128 = 1 << 20;

/// Conditions with larger numbers are refused, and those of polygons, and rows farther out, sooner. A difference of two quotients has a constant
/// below 2¹⁰⁹ and a slope below 2⁷³ then, so that nothing overflows. These are proved, not measured.
pub(super) const AFFINE_BITS: u32 = 120;
pub(super) const CONSTANT_BITS: u32 = 72;
pub(super) const SLOPE_BITS: u32 = 36;
pub(super) const FARTHEST: i128 = 1 << 50;
