//! Constants that were chosen, not derived. They affect the running time and which pieces are enumerated, but never the results.
//!
//! They were chosen by `symloc-benchmarks evaluation`, with and without `--exact`, over the stored kernels at n = 100 to 100,000;
//! each comment gives the measurements.

/// The largest number of free iterators of a piece that is not enumerated; contractions have up to six.
pub(super) const ITERATORS: usize = 8;

/// The largest number of values of a direction that is enumerated at once. With 2 adi and cholesky take seconds, with 16 or 32
/// the exact nussinov takes 2.4 or 3.5 times as long.
pub(super) const SHORT: i128 = 8;

/// The largest number of residues, of one iterator or of a pair, that do not count as enumerated points. From 2¹⁰ to 2¹⁶ the
/// times are equal.
pub(super) const RESIDUES: i128 = 1 << 14;

/// The longest period of values along an iterator whose residues are taken apart before anything else is enumerated: a line of 64
/// bytes has at most so many elements. In nussinov the period is 16, in the regression of tensors 8. An iterator with at most so many
/// values is enumerated, in slices of which many are alike.
pub(super) const PERIOD: i128 = 64;

/// The largest number of samples that tell whether two slices are alike: with more it takes as long to cut them.
pub(super) const SAMPLES: i128 = 16;

/// The largest number of samples that tell whether the pieces of two threads are alike: a piece on eight places in a line takes a few
/// times as long to cut.
pub(super) const THREAD_SAMPLES: i128 = 64;

/// The smallest length of a run that is not split into atoms. Compared with 8, further caches of the exact nussinov take a third
/// of the time; 32 gains little more.
pub(super) const SHORT_RUN: i128 = 16;

/// Trapezoids with fewer rows or shorter rows are taken row by row. From 2 to 16 the times are equal; without this limit, the
/// exact nussinov takes 1.4 times as long.
pub(super) const THIN: i128 = 4;

/// The largest number of rows beside rectangles that are taken row by row.
pub(super) const BESIDE: i128 = 8;

/// The largest component of a direction in which v is constant. With 8 further caches of nussinov take 3.5 times as long, with
/// 512 the first caches of the exact syrk 2.7 times.
pub(super) const STEEPEST: i128 = 64;

/// The largest number of samples of a trapezoid's rows of constant v, and the number of rows for each further sample, if rows in another
/// direction can be summed. Without it the threads of symm at n = 1000 take 12 times as long.
pub(super) const LEVEL: i128 = 256;

/// The number of rows astride x from which on they are summed at once, where v is affine; otherwise the time grows with n. With
/// 64 the times are equal; with 1024 further caches of the exact syr2k take 3 times as long.
pub(super) const SLANTED: i128 = 256;

/// The largest number of digits that a number in mixed radix may need for one x, some tens of milliseconds; beyond it rows are
/// used instead. With 2¹⁴ contractions are enumerated, and do not end.
pub(super) const DESCENTS: i128 = 1 << 20;

/// The largest number of values of a digit above a part that may be searched for one x. A line of 64 bytes has 16 elements of four bytes, and as
/// many slices may be alike. Without it further caches of the exact symm at n = 9,999 take 250 times as long. As many digits of a slice of a
/// fan may be searched.
pub(super) const STACKED: i128 = 16;

/// The largest sizes of numbers: in conditions, in the constants and slopes of polygons, and in the places of rows. With them, a
/// difference of two quotients has a constant below 2¹⁰⁹ and a slope below 2⁷³, so that nothing overflows. These are proved, not
/// measured.
pub(super) const AFFINE_BITS: u32 = 120;
pub(super) const CONSTANT_BITS: u32 = 72;
pub(super) const SLOPE_BITS: u32 = 36;
pub(super) const FARTHEST: i128 = 1 << 50;
