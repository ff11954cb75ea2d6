//! Predictions of the misses of all caches at one size.

use std::ffi::{CString, c_char};

use symloc_evaluate::{EvalError, Int, MissModel, Prediction};

use crate::border;
use crate::error::{c_text, symloc_error};
use crate::evaluator::symloc_evaluator;
use crate::number::Narrow;
use crate::owned;
use crate::status::{Answer, Failure, SYMLOC_OK, symloc_status};

/// The model that predicts misses: one of `SYMLOC_DEFAULT`, `SYMLOC_DENNING` and `SYMLOC_LRU`.
pub type symloc_miss_model = u32;

/// As on the command line: `SYMLOC_LRU` if the model holds reuse distances, else `SYMLOC_DENNING`.
pub const SYMLOC_DEFAULT: symloc_miss_model = 0;
/// Denning's working-set model, computed from reuse intervals, which every model holds.
pub const SYMLOC_DENNING: symloc_miss_model = 1;
/// Fully associative LRU, computed from reuse distances: exact.
pub const SYMLOC_LRU: symloc_miss_model = 2;

/// One of the numbers of a prediction.
pub type symloc_quantity = u32;

/// All accesses.
pub const SYMLOC_ACCESSES: symloc_quantity = 0;
/// First touches, which miss in every cache.
pub const SYMLOC_COLD: symloc_quantity = 1;
/// Misses of other accesses.
pub const SYMLOC_REUSE: symloc_quantity = 2;
/// All misses: cold ones and others.
pub const SYMLOC_MISSES: symloc_quantity = 3;
/// Accesses of an LRU prediction whose distance is not known: their interval decides whether they miss.
pub const SYMLOC_ESTIMATED: symloc_quantity = 4;

/// The program at one size: the misses of all fully associative caches. Free it with `symloc_prediction_free`.
pub struct symloc_prediction {
    prediction: Prediction,
}

/// The misses in one cache. The numbers count accesses and are exact for `miss_model`. A number above `UINT64_MAX` is
/// `UINT64_MAX`, with `status` `SYMLOC_ERROR_OVERFLOW`; `ratio` is right even then.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct symloc_misses {
    /// `SYMLOC_OK`, or the reason why there are no such numbers.
    pub status: symloc_status,
    /// `SYMLOC_DENNING` or `SYMLOC_LRU`; `SYMLOC_DEFAULT` if there are no numbers.
    pub miss_model: symloc_miss_model,
    /// All accesses.
    pub accesses: u64,
    /// First touches, which miss in every cache: as many as there are different lines.
    pub cold: u64,
    /// Misses of other accesses.
    pub reuse: u64,
    /// `cold + reuse`.
    pub misses: u64,
    /// With `SYMLOC_LRU` the accesses whose distance is not known, because its computation exceeded a limit of the
    /// derivation: their interval decides whether they miss. 0 in most models, and with `SYMLOC_DENNING`.
    pub estimated: u64,
    /// `misses / accesses`; NaN if there are no accesses, or no numbers.
    pub ratio: f64,
}

impl symloc_misses {
    /// Returns a result without numbers.
    pub(crate) fn none(status: symloc_status) -> Self {
        let (accesses, cold, reuse, misses, estimated) = (0, 0, 0, 0, 0);
        Self { status, miss_model: SYMLOC_DEFAULT, accesses, cold, reuse, misses, estimated, ratio: f64::NAN }
    }

    fn of(prediction: &Prediction, numbers: &PredictedNumbers) -> Self {
        let mut narrow = Narrow::default();
        let [accesses, cold, reuse, misses, estimated] = numbers.all.each_ref().map(|number| narrow.number(number));
        let ratio = numbers.of(SYMLOC_MISSES).ratio(numbers.of(SYMLOC_ACCESSES));
        let (status, miss_model) = (narrow.status(), miss_model_of(prediction));
        Self { status, miss_model, accesses, cold, reuse, misses, estimated, ratio }
    }
}

/// The numbers of a prediction for one cache, by [`symloc_quantity`].
struct PredictedNumbers {
    all: [Int; 5],
}

impl PredictedNumbers {
    fn of(&self, quantity: symloc_quantity) -> &Int {
        &self.all[quantity as usize]
    }
}

fn miss_model_of(prediction: &Prediction) -> symloc_miss_model {
    match prediction.miss_model() {
        MissModel::Denning => SYMLOC_DENNING,
        MissModel::Lru => SYMLOC_LRU,
    }
}

/// Checks that a value is one of the miss models.
pub(crate) fn check_miss_model(miss_model: symloc_miss_model) -> Answer<()> {
    match miss_model {
        SYMLOC_DEFAULT | SYMLOC_DENNING | SYMLOC_LRU => Ok(()),
        other => Err(Failure::argument(format!("{other} is no `symloc_miss_model`"))),
    }
}

impl symloc_prediction {
    /// Predicts the misses at one size by `miss_model`.
    pub(crate) fn new(evaluator: &symloc_evaluator, values: &[i64], miss_model: symloc_miss_model) -> Answer<Self> {
        let sizes = evaluator.sizes(values);
        let evaluator = evaluator.prepared.evaluator();
        check_miss_model(miss_model)?;
        let miss_model = match miss_model == SYMLOC_LRU || miss_model == SYMLOC_DEFAULT && evaluator.has_distances() {
            true => MissModel::Lru,
            false => MissModel::Denning,
        };
        Ok(Self { prediction: evaluator.predict(miss_model, &sizes)? })
    }

    fn numbers(&self, lines: u64) -> Result<PredictedNumbers, EvalError> {
        let Self { prediction } = self;
        let misses = prediction.misses(&Int::from(lines))?;
        let total = misses.total();
        let all = [prediction.accesses().clone(), misses.cold, misses.reuse, total, prediction.estimated()];
        Ok(PredictedNumbers { all })
    }

    /// Returns the misses in one cache, and the error if a number is missing or did not fit.
    pub(crate) fn misses(&self, lines: u64) -> (symloc_misses, Option<Failure>) {
        match self.numbers(lines) {
            Ok(numbers) => {
                let misses = symloc_misses::of(&self.prediction, &numbers);
                let overflow = || Failure::new(misses.status, format!("more than {} accesses", u64::MAX));
                (misses, (misses.status != SYMLOC_OK).then(overflow))
            }
            Err(error) => {
                let failure = Failure::from(error);
                (symloc_misses::none(failure.status), Some(failure))
            }
        }
    }

    fn text(&self, lines: u64, quantity: symloc_quantity) -> Answer<CString> {
        if quantity > SYMLOC_ESTIMATED {
            return Err(Failure::argument(format!("{quantity} is no `symloc_quantity`")));
        }
        Ok(c_text(&self.numbers(lines)?.of(quantity).to_string()))
    }
}

/// Prepares the prediction at one size: a value for each of `parameter_count` parameters, in the order of
/// `symloc_evaluator_parameter`. This is most of the work; after it, each cache takes little time.
///
/// Returns NULL with `SYMLOC_ERROR_PARAMETER` or `SYMLOC_ERROR_ARGUMENT` for too few or too many sizes, with
/// `SYMLOC_ERROR_CONTEXT`, `SYMLOC_ERROR_NO_DISTANCES`, `SYMLOC_ERROR_LIMIT` or `SYMLOC_ERROR_INCONSISTENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_prediction_new(
    evaluator: *const symloc_evaluator,
    sizes: *const i64,
    parameter_count: usize,
    miss_model: symloc_miss_model,
    error: *mut *mut symloc_error,
) -> *mut symloc_prediction {
    let work = || {
        // SAFETY: the caller gives an evaluator that is not freed.
        let evaluator = unsafe { border::borrow(evaluator, "evaluator")? };
        evaluator.check_count(parameter_count)?;
        // SAFETY: the caller gives an array of `parameter_count` sizes.
        let sizes = unsafe { border::array(sizes, parameter_count, "sizes")? };
        symloc_prediction::new(evaluator, &sizes, miss_model)
    };
    // SAFETY: the caller gives NULL or room for an error.
    unsafe { border::object(error, work) }
}

/// Returns the model that predicts the misses: `SYMLOC_DENNING` or `SYMLOC_LRU`; `SYMLOC_DEFAULT` for no prediction.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_prediction_miss_model(prediction: *const symloc_prediction) -> symloc_miss_model {
    // SAFETY: the caller gives NULL or a prediction that is not freed.
    unsafe { prediction.as_ref() }.map_or(SYMLOC_DEFAULT, |prediction| miss_model_of(&prediction.prediction))
}

/// Returns the bytes per line at this size; 0 if they are not known, or for no prediction.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_prediction_line_bytes(prediction: *const symloc_prediction) -> u64 {
    // SAFETY: as above.
    unsafe { prediction.as_ref() }.and_then(|prediction| prediction.prediction.place().line_bytes).unwrap_or(0)
}

/// Computes the misses in `cache_count` fully associative caches of `lines[0]`, `lines[1]`, … lines and writes them to
/// `results[0]`, `results[1]`, …
///
/// All results are written, each with its own status. If some failed, the call returns the status of the first of
/// these, `SYMLOC_ERROR_LIMIT` or `SYMLOC_ERROR_OVERFLOW`, and `error` describes it. With `SYMLOC_ERROR_ARGUMENT` no
/// result is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_prediction_misses(
    prediction: *const symloc_prediction,
    lines: *const u64,
    cache_count: usize,
    results: *mut symloc_misses,
    error: *mut *mut symloc_error,
) -> symloc_status {
    let work = || {
        // SAFETY: the caller gives a prediction that is not freed, caches, and room for as many results.
        let (prediction, lines, room) = unsafe {
            let prediction = border::borrow(prediction, "prediction")?;
            let lines = border::array(lines, cache_count, "lines")?;
            (prediction, lines, border::Room::new(results, cache_count, "results")?)
        };
        let mut first = None;
        for (index, lines) in lines.into_iter().enumerate() {
            let (misses, failure) = prediction.misses(lines);
            room.write(index, misses);
            first = first.or(failure);
        }
        first.map_or(Ok(()), Err)
    };
    // SAFETY: the caller gives NULL or room for an error.
    unsafe { border::status(error, work) }
}

/// Returns a number of a prediction for a cache of `lines` lines with all its decimal digits. The text belongs to the
/// caller: free it with `symloc_string_free`.
///
/// Returns NULL with `SYMLOC_ERROR_LIMIT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_prediction_text(
    prediction: *const symloc_prediction,
    lines: u64,
    quantity: symloc_quantity,
    error: *mut *mut symloc_error,
) -> *mut c_char {
    // SAFETY: the caller gives a prediction that is not freed, and NULL or room for an error.
    unsafe { border::text(error, || border::borrow(prediction, "prediction")?.text(lines, quantity)) }
}

/// Frees a prediction; ignores NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_prediction_free(prediction: *mut symloc_prediction) {
    // SAFETY: the caller gives NULL or a prediction of this library, and does not use it again.
    unsafe { owned::free(prediction) }
}

/// Frees a text that belongs to the caller; ignores NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_string_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: the caller gives a text of this library with its length unchanged, and does not use it again.
        drop(unsafe { CString::from_raw(text) });
    }
}
