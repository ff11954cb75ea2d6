//! Queries of many sizes and many caches in one call.

use crate::border;
use crate::error::symloc_error;
use crate::evaluator::symloc_evaluator;
use crate::prediction::{check_miss_model, symloc_miss_model, symloc_misses, symloc_prediction};
use crate::status::{Answer, Failure, symloc_status};

/// A grid of sizes and caches.
struct QueryGrid<'e> {
    evaluator: &'e symloc_evaluator,
    /// The sizes one after the other, each with a value for each parameter.
    sizes: Vec<i64>,
    size_count: usize,
    lines: Vec<u64>,
    miss_model: symloc_miss_model,
}

impl QueryGrid<'_> {
    /// Writes the results of all pairs of a size and a cache; returns the first error.
    fn answer(&self, room: &border::Room<symloc_misses>) -> Option<Failure> {
        let mut first = None;
        let parameters = self.evaluator.needed();
        for size in 0..self.size_count {
            let values = &self.sizes[size * parameters..][..parameters];
            let prediction = symloc_prediction::new(self.evaluator, values, self.miss_model);
            for (cache, lines) in self.lines.iter().enumerate() {
                let (misses, failure) = match &prediction {
                    Ok(prediction) => prediction.misses(*lines),
                    Err(failure) => (symloc_misses::none(failure.status), None),
                };
                room.write(size * self.lines.len() + cache, misses);
                first = first.or(failure);
            }
            first = first.or(prediction.err());
        }
        first
    }
}

/// Multiplies two counts; fails if the product overflows.
fn product(a: usize, b: usize) -> Answer<usize> {
    a.checked_mul(b).ok_or_else(|| Failure::argument(format!("{a} times {b} are too many")))
}

/// Computes the misses at `size_count` sizes, each in `cache_count` fully associative caches. Both counts may be 1.
///
/// `sizes` holds the sizes one after the other, each with a value for each of `parameter_count` parameters, in the
/// order of `symloc_evaluator_parameter`; `lines` holds the number of lines of each cache. The misses at size `s` in
/// cache `c` are written to `results[s * cache_count + c]`.
///
/// All results are written, each with its own status: a size outside the model's context does not affect the others. If
/// some failed, the call returns the status of the first of these, and `error` describes it; see
/// `symloc_prediction_new` and `symloc_prediction_misses`. If the call itself is wrong, no result is written: it
/// returns `SYMLOC_ERROR_ARGUMENT`, or `SYMLOC_ERROR_PARAMETER` for too few parameters.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_evaluator_query(
    evaluator: *const symloc_evaluator,
    sizes: *const i64,
    parameter_count: usize,
    size_count: usize,
    lines: *const u64,
    cache_count: usize,
    miss_model: symloc_miss_model,
    results: *mut symloc_misses,
    error: *mut *mut symloc_error,
) -> symloc_status {
    let work = || {
        // SAFETY: the caller gives an evaluator that is not freed.
        let evaluator = unsafe { border::borrow(evaluator, "evaluator")? };
        evaluator.check_count(parameter_count)?;
        check_miss_model(miss_model)?;
        let (values, answers) = (product(parameter_count, size_count)?, product(size_count, cache_count)?);
        // SAFETY: the caller gives `values` values of sizes, `cache_count` caches, and room for a result of each pair.
        let (sizes, lines, room) = unsafe {
            let (sizes, lines) = (border::array(sizes, values, "sizes")?, border::array(lines, cache_count, "lines")?);
            (sizes, lines, border::Room::new(results, answers, "results")?)
        };
        if answers == 0 {
            return Ok(());
        }
        QueryGrid { evaluator, sizes, size_count, lines, miss_model }.answer(&room).map_or(Ok(()), Err)
    };
    // SAFETY: the caller gives NULL or room for an error.
    unsafe { border::status(error, work) }
}
