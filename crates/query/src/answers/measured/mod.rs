//! The misses of a model at some sizes as plain numbers, with those of each access: what `symloc check` compares.
//!
//! - `threads`: those of parallel programs,
//! - [`leading`]: the misses of each access at a size as formulas.
//!
//! The numbers are those of `query --by access` and `query --threads` for the same model, sizes and caches.

use symloc_evaluate::{Evaluator, Int, Prediction};
use symloc_machine::{Capacity, Levels, NamedCache};
use symloc_model::Model;
use symloc_report::answers::attribution::FilledCache;
use symloc_report::{Counted, MissModel};

use super::attribution::{Fills, SizeAttribution};
use super::predictor::Predictor;
use super::question::Question;
use super::sampled::{Sampler, are_run_by_default};
use crate::error::CliError;
use crate::options::caches::single;
use crate::options::grid::Grid;
use crate::options::samples::SampleArgs;

pub mod fits;
pub mod leading;
mod threads;

/// The misses of a hierarchy of caches at one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredSize {
    /// The size, without the parameters of a thread.
    pub parameters: Vec<(String, i128)>,
    /// The number of threads; `None` for a program that is asked about on one thread.
    pub threads: Option<u64>,
    /// The number of accesses.
    pub accesses: Int,
    /// The levels, from the core outwards.
    pub levels: Vec<MeasuredLevel>,
    /// The misses by access of the outline and by level; empty where they are not known.
    pub by_access: Vec<Vec<Int>>,
}

/// A level of caches and its misses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredLevel {
    /// The name that its machine gives it.
    pub name: Option<String>,
    /// The capacity as the user gave it.
    pub capacity: Capacity,
    /// The number of lines.
    pub lines: u64,
    /// The associativity, unless it is fully associative.
    pub ways: Option<u64>,
    /// The misses.
    pub misses: Counted,
}

/// Returns the misses of one hierarchy at each size, by number of threads if any are given.
///
/// # Errors
///
/// A refusal of the sizes, the caches or the threads, and errors of the evaluation.
pub fn measure(model: &Model, sizes: &Grid, levels: &Levels, threads: &[u64]) -> Result<Vec<MeasuredSize>, CliError> {
    single(levels)?;
    if threads.is_empty() && model.threads.is_some() {
        return measure(&model.on_one_thread(), sizes, levels, threads);
    }
    let line = levels.line(None)?;
    let evaluator = Evaluator::new(model, line)?;
    let hierarchies = levels.hierarchies().collect();
    let is_run = are_run_by_default(levels, model);
    let miss_model = match is_run {
        true => MissModel::Denning,
        false => MissModel::choose(None, model, line)?,
    };
    let question = Question { model, evaluator: &evaluator, miss_model, sizes, hierarchies };
    let predictor = Predictor { evaluator: &evaluator, miss_model };
    let mut found = Vec::new();
    for point in sizes.points() {
        let prediction = predictor.predict(&point.into_iter().collect())?;
        if threads.is_empty() {
            found.push(on_one_thread(&question, &prediction, is_run)?);
        }
        for count in threads {
            found.push(threads::measure(&question, &prediction, *count, is_run)?);
        }
    }
    Ok(found)
}

/// Returns the misses of the program on one thread: simulated or sampled if `is_run`, and else predicted.
fn on_one_thread(question: &Question<'_>, prediction: &Prediction, is_run: bool) -> Result<MeasuredSize, CliError> {
    let at = SizeAttribution::new(question.model, question.evaluator, prediction)?;
    let hierarchies = question.in_lines(prediction);
    let fills = match is_run {
        true => sampled(question, prediction)?,
        false => at.fills(question.miss_model.into(), hierarchies?.first().map_or(&[], Vec::as_slice))?,
    };
    let Fills { levels, by_access, .. } = fills;
    let caches = question.hierarchies.first().map_or(&[][..], Vec::as_slice);
    let level = |(filled, cache): (FilledCache, &&NamedCache)| MeasuredLevel {
        name: filled.name,
        capacity: filled.capacity,
        lines: filled.lines,
        ways: cache.cache.ways,
        misses: filled.fill.misses,
    };
    Ok(MeasuredSize {
        parameters: at.header.parameters.clone(),
        threads: None,
        accesses: at.header.accesses.clone(),
        levels: levels.into_iter().zip(caches).map(level).collect(),
        by_access: by_access
            .into_iter()
            .map(|fills| fills.into_iter().map(|fill| fill.misses.value).collect())
            .collect(),
    })
}

/// Returns the misses of a run of the program, or of samples of it. Samples are drawn in the same way in every call.
fn sampled(question: &Question<'_>, prediction: &Prediction) -> Result<Fills, CliError> {
    let sampler = Sampler::new(question.model, question.evaluator, &SampleArgs::default())?;
    let at = sampler.at(prediction.totals())?;
    at.fills(question.hierarchies.first().map_or(&[], Vec::as_slice), &[])
}
