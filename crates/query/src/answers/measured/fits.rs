//! The sizes at which a cache misses nothing but first touches.

use symloc_evaluate::{Evaluator, Int};
use symloc_machine::{Levels, NamedCache};
use symloc_model::{Model, NamedSizes};
use symloc_report::MissModel;

use crate::answers::cache_in_lines::CacheInLines;
use crate::answers::predictor::Predictor;
use crate::error::CliError;

/// Returns the first of some sizes at which a cache, taken as fully associative, misses more than first touches, with the number of
/// these further misses; `None` if there is no such size.
///
/// # Errors
///
/// A refusal of the sizes or of the cache, and errors of the evaluation.
pub fn first_that_does_not_fit(
    model: &Model,
    levels: &Levels,
    cache: &NamedCache,
    sizes: impl Iterator<Item = NamedSizes>,
) -> Result<Option<(NamedSizes, Int)>, CliError> {
    let model = &model.on_one_thread();
    let line = levels.line(None)?;
    let evaluator = Evaluator::new(model, line)?;
    let predictor = Predictor { evaluator: &evaluator, miss_model: MissModel::choose(None, model, line)? };
    for sizes in sizes {
        let prediction = predictor.predict(&sizes)?;
        let lines = CacheInLines::new(cache, prediction.place().line_bytes)?.fully_associative()?;
        let misses = prediction.misses(&Int::from(lines))?;
        if !misses.reuse.is_zero() {
            return Ok(Some((sizes, misses.reuse)));
        }
    }
    Ok(None)
}
