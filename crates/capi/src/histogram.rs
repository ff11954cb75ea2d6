//! Histograms of the reuse intervals, or of the reuse distances, at one size.

use std::ffi::{CString, c_char};

use symloc_evaluate::{Bin, MissModel};

use crate::border;
use crate::error::{c_text, symloc_error};
use crate::evaluator::symloc_evaluator;
use crate::number::Narrow;
use crate::owned;
use crate::status::{Answer, Failure, SYMLOC_OK, symloc_status};

/// The quantity that a histogram counts: `SYMLOC_INTERVALS` or `SYMLOC_DISTANCES`.
pub type symloc_histogram_kind = u32;

/// Reuse intervals: the number of accesses from the previous access to the same line to this one. The interval of a
/// first touch is imaginary: it is taken as if the program were repeated for ever, and reaches into the previous run.
pub const SYMLOC_INTERVALS: symloc_histogram_kind = 0;
/// Reuse distances: the number of different lines that are accessed between the previous access to the same line and
/// this one. First touches have none. Only models that were derived with `--exact` hold them.
pub const SYMLOC_DISTANCES: symloc_histogram_kind = 1;

/// The kind of accesses that a bin counts: one of `SYMLOC_BIN_…`.
pub type symloc_bin_kind = u32;

/// Accesses to lines that were accessed before, by interval or distance.
pub const SYMLOC_BIN_REUSE: symloc_bin_kind = 0;
/// First touches, by imaginary interval; in histograms of intervals only.
pub const SYMLOC_BIN_FIRST_TOUCH: symloc_bin_kind = 1;
/// Accesses whose distance is not known, by interval; in histograms of distances only, and not in most.
pub const SYMLOC_BIN_ESTIMATED: symloc_bin_kind = 2;

/// One of the numbers of a bin.
pub type symloc_bin_quantity = u32;

/// The interval or the distance.
pub const SYMLOC_BIN_VALUE: symloc_bin_quantity = 0;
/// The number of accesses with this value.
pub const SYMLOC_BIN_COUNT: symloc_bin_quantity = 1;

/// A histogram: bins, ordered by kind and, within a kind, by ascending value. Each value occurs once in a kind, and all
/// counts are above 0. Free it with `symloc_histogram_free`.
pub struct symloc_histogram {
    bins: Vec<(symloc_bin_kind, Bin)>,
}

/// A bin of a histogram. A number above `UINT64_MAX` is `UINT64_MAX`, with `status` `SYMLOC_ERROR_OVERFLOW`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct symloc_bin {
    /// `SYMLOC_OK` or `SYMLOC_ERROR_OVERFLOW`.
    pub status: symloc_status,
    /// The kind of accesses that the bin counts.
    pub kind: symloc_bin_kind,
    /// The interval, in accesses, or the distance, in lines.
    pub value: u64,
    /// The number of accesses with this value.
    pub count: u64,
}

impl symloc_bin {
    fn new((kind, bin): &(symloc_bin_kind, Bin)) -> Self {
        let mut narrow = Narrow::default();
        let (value, count) = (narrow.number(&bin.interval), narrow.number(&bin.count));
        Self { status: narrow.status(), kind: *kind, value, count }
    }
}

impl symloc_histogram {
    fn new(evaluator: &symloc_evaluator, kind: symloc_histogram_kind, values: &[i64]) -> Answer<Self> {
        let sizes = evaluator.sizes(values);
        let evaluator = evaluator.prepared.evaluator();
        match kind {
            SYMLOC_INTERVALS => {
                let found = evaluator.distribution(MissModel::Denning, &sizes)?;
                Ok(Self::of([(SYMLOC_BIN_REUSE, found.real), (SYMLOC_BIN_FIRST_TOUCH, found.imaginary)]))
            }
            SYMLOC_DISTANCES => {
                let found = evaluator.distribution(MissModel::Lru, &sizes)?;
                Ok(Self::of([(SYMLOC_BIN_REUSE, found.distances), (SYMLOC_BIN_ESTIMATED, found.real)]))
            }
            other => Err(Failure::argument(format!("{other} is no `symloc_histogram_kind`"))),
        }
    }

    fn of(parts: [(symloc_bin_kind, Vec<Bin>); 2]) -> Self {
        let bins = parts.into_iter().flat_map(|(kind, bins)| bins.into_iter().map(move |bin| (kind, bin)));
        Self { bins: bins.collect() }
    }

    /// Returns `count` consecutive bins.
    fn range(&self, first: usize, count: usize) -> Answer<&[(symloc_bin_kind, Bin)]> {
        let end = first.checked_add(count);
        end.and_then(|end| self.bins.get(first..end)).ok_or_else(|| {
            Failure::argument(format!("no {count} bins from {first} on: the histogram has {}", self.bins.len()))
        })
    }

    fn text(&self, index: usize, quantity: symloc_bin_quantity) -> Answer<CString> {
        let [(_, bin)] = self.range(index, 1)? else { return Ok(CString::default()) };
        match quantity {
            SYMLOC_BIN_VALUE => Ok(c_text(&bin.interval.to_string())),
            SYMLOC_BIN_COUNT => Ok(c_text(&bin.count.to_string())),
            other => Err(Failure::argument(format!("{other} is no `symloc_bin_quantity`"))),
        }
    }
}

/// Returns the histogram at one size: a value for each of `parameter_count` parameters, in the order of
/// `symloc_evaluator_parameter`. It visits the points of classes with free iterators, so in a model that has such
/// classes the time grows with the size, up to `max_points` of `symloc_evaluator_new`.
///
/// Returns NULL with the errors of `symloc_prediction_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_histogram_new(
    evaluator: *const symloc_evaluator,
    kind: symloc_histogram_kind,
    sizes: *const i64,
    parameter_count: usize,
    error: *mut *mut symloc_error,
) -> *mut symloc_histogram {
    let work = || {
        // SAFETY: the caller gives an evaluator that is not freed.
        let evaluator = unsafe { border::borrow(evaluator, "evaluator")? };
        evaluator.check_count(parameter_count)?;
        // SAFETY: the caller gives an array of `parameter_count` sizes.
        let sizes = unsafe { border::array(sizes, parameter_count, "sizes")? };
        symloc_histogram::new(evaluator, kind, &sizes)
    };
    // SAFETY: the caller gives NULL or room for an error.
    unsafe { border::object(error, work) }
}

/// Returns the number of bins; 0 for no histogram.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_histogram_count(histogram: *const symloc_histogram) -> usize {
    // SAFETY: the caller gives NULL or a histogram that is not freed.
    unsafe { histogram.as_ref() }.map_or(0, |histogram| histogram.bins.len())
}

/// Copies `count` bins, beginning with the one at index `first`, to `bins[0]`, `bins[1]`, …
///
/// All of them are written, each with its own status; if some numbers did not fit, the call returns
/// `SYMLOC_ERROR_OVERFLOW`. If there are fewer bins, it returns `SYMLOC_ERROR_ARGUMENT` and writes none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_histogram_bins(
    histogram: *const symloc_histogram,
    first: usize,
    bins: *mut symloc_bin,
    count: usize,
    error: *mut *mut symloc_error,
) -> symloc_status {
    let work = || {
        // SAFETY: the caller gives a histogram that is not freed.
        let range = unsafe { border::borrow(histogram, "histogram")? }.range(first, count)?;
        // SAFETY: the caller gives room for `count` bins.
        let room = unsafe { border::Room::new(bins, count, "bins")? };
        let mut overflow = None;
        for (index, bin) in range.iter().map(symloc_bin::new).enumerate() {
            room.write(index, bin);
            let message = || format!("bin {}: more than {}", first + index, u64::MAX);
            overflow = overflow.or_else(|| (bin.status != SYMLOC_OK).then(|| Failure::new(bin.status, message())));
        }
        overflow.map_or(Ok(()), Err)
    };
    // SAFETY: the caller gives NULL or room for an error.
    unsafe { border::status(error, work) }
}

/// Returns a number of a bin with all its decimal digits. The text belongs to the caller: free it with
/// `symloc_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_histogram_text(
    histogram: *const symloc_histogram,
    index: usize,
    quantity: symloc_bin_quantity,
    error: *mut *mut symloc_error,
) -> *mut c_char {
    // SAFETY: the caller gives a histogram that is not freed, and NULL or room for an error.
    unsafe { border::text(error, || border::borrow(histogram, "histogram")?.text(index, quantity)) }
}

/// Frees a histogram; ignores NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_histogram_free(histogram: *mut symloc_histogram) {
    // SAFETY: the caller gives NULL or a histogram of this library, and does not use it again.
    unsafe { owned::free(histogram) }
}
