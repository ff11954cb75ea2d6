//! The misses of a parallel program on threads, each with caches of its own, with those on lines that other threads have written.

use symloc_evaluate::{EvalError, Int, Prediction};
use symloc_machine::NamedCache;
use symloc_replay::{Interleave, ThreadHeld, Threading, ThreadsHeld, replay_on_threads};
use symloc_report::answers::misses::CacheMisses;
use symloc_report::{AnswerHeader, Counted};

use super::{MeasuredLevel, MeasuredSize};
use crate::answers::attribution::SizeAttribution;
use crate::answers::question::Question;
use crate::answers::sampled::{SampledSize, Sampler};
use crate::answers::threads::ThreadNeeds;
use crate::answers::threads::formulas::{self, sizes, without_thread};
use crate::answers::threads::size::ThreadRuns;
use crate::error::CliError;
use crate::options::cache_design::CacheDesign;
use crate::options::samples::SampleArgs;
use crate::options::threads::ThreadArgs;

/// The most accesses of a run.
const MOST_ACCESSES: u64 = 200_000_000;

/// Returns the misses of `count` threads at the size of a prediction, on caches as they are built if `built`.
pub(super) fn measure(
    question: &Question<'_>,
    prediction: &Prediction,
    count: u64,
    built: bool,
) -> Result<MeasuredSize, CliError> {
    let args = ThreadArgs { threads: None, shared_levels: 0, interleave: None, max_accesses: MOST_ACCESSES };
    let is_run = ThreadNeeds { model: question.model, args: &args, built, formulas: false }.a_run()?;
    if !is_run {
        return by_formulas(question, prediction, count);
    }
    ThreadRuns::check(count)?;
    let sampler = Sampler::new(question.model, question.evaluator, &SampleArgs::default())?;
    let at = sampler.at(prediction.totals())?;
    match at.header.accesses <= Int::from(MOST_ACCESSES) {
        true => by_run(question, &at, &sampler, count, !built),
        false => {
            let runs = ThreadRuns { question, sampler: &sampler, args: &args, count, apart: !built };
            let answers = runs.misses(prediction.totals())?;
            let levels = answers.into_iter().next().map(|answer| answer.levels).unwrap_or_default();
            Ok(measured(question, at.header.clone(), count, levels.iter().map(level).collect(), Vec::new()))
        }
    }
}

fn measured(
    question: &Question<'_>,
    header: AnswerHeader,
    count: u64,
    levels: Vec<MeasuredLevel>,
    by_access: Vec<Vec<Int>>,
) -> MeasuredSize {
    let header = without_thread(question.model, header);
    MeasuredSize { parameters: header.parameters, threads: Some(count), accesses: header.accesses, levels, by_access }
}

/// Returns a level with all misses of its threads.
fn level(cache: &CacheMisses) -> MeasuredLevel {
    let CacheMisses { name, capacity, lines, ways, interval, threads, .. } = cache;
    let false_sharing = threads.as_ref().and_then(|threads| threads.false_sharing.as_ref());
    let value = false_sharing.into_iter().fold(cache.with_coherence(), |sum, more| &sum + more);
    MeasuredLevel {
        name: name.clone(),
        capacity: *capacity,
        lines: *lines,
        ways: Some(*ways).filter(|ways| ways != lines),
        misses: Counted::new(value, interval.clone()),
    }
}

/// Returns the misses by the formulas of the program of one thread. Those of an access are without the misses on lines that other
/// threads have written, which formulas have for the program as a whole.
fn by_formulas(question: &Question<'_>, prediction: &Prediction, count: u64) -> Result<MeasuredSize, CliError> {
    let hierarchies = question.in_lines(prediction)?;
    let answers = formulas::misses(question, prediction, &hierarchies, count)?;
    let levels: Vec<_> = answers.iter().flat_map(|answer| &answer.levels).map(level).collect();
    let header = AnswerHeader::of_prediction(question.model, prediction);
    let all = sizes(&without_thread(question.model, header.clone()));
    let mut by_access: Vec<Vec<Int>> = Vec::new();
    for number in 0..count {
        let sizes = question.model.on_thread(&all, number, count).map_err(EvalError::from)?;
        let prediction = question.evaluator.predict(question.miss_model, &sizes)?;
        let at = SizeAttribution::new(question.model, question.evaluator, &prediction)?;
        let fills = at.fills(question.miss_model.into(), hierarchies.first().map_or(&[], Vec::as_slice))?;
        let misses = fills.by_access.into_iter().map(|fills| fills.into_iter().map(|fill| fill.misses.value).collect());
        add(&mut by_access, misses.collect());
    }
    Ok(measured(question, header, count, levels, by_access))
}

/// Returns the misses of a run on threads in lockstep. Every cache sees all accesses if `apart`, and else what the one before it
/// misses.
fn by_run(
    question: &Question<'_>,
    at: &SampledSize<'_>,
    sampler: &Sampler<'_>,
    count: u64,
    apart: bool,
) -> Result<MeasuredSize, CliError> {
    let caches: &[&NamedCache] = question.hierarchies.first().map_or(&[], Vec::as_slice);
    let built = at.built(caches)?;
    if !apart {
        CacheDesign::check_order(&built)?;
    }
    let designs = built.iter().map(|level| level.design(at.header.element)).collect::<Result<Vec<_>, _>>()?;
    // There are at most `MOST` threads.
    let threading = Threading { threads: count as usize, interleave: Interleave::Lockstep, limit: MOST_ACCESSES };
    let mut levels: Vec<Vec<Int>> = Vec::new();
    for designs in designs.chunks(if apart { 1 } else { designs.len().max(1) }) {
        let held = replay_on_threads(&at.code, &at.memory, designs, &[], threading)?;
        levels.extend((0..designs.len()).map(|level| by_access_in(&held, sampler.program.accesses.len(), level)));
    }
    let level = |(cache, misses): (&CacheDesign, &Vec<Int>)| MeasuredLevel {
        name: cache.name.clone(),
        capacity: cache.capacity,
        lines: cache.lines,
        ways: Some(cache.ways).filter(|ways| *ways != cache.lines),
        misses: Counted::exact(misses.iter().fold(Int::ZERO, |sum, more| &sum + more)),
    };
    let by_access = (0..sampler.program.accesses.len())
        .map(|access| levels.iter().map(|misses| misses[access].clone()).collect())
        .collect();
    let levels = built.iter().zip(&levels).map(level).collect();
    Ok(measured(question, at.header.clone(), count, levels, by_access))
}

/// Returns the misses of each access of all threads in a level, with those on lines that another thread has written.
fn by_access_in(held: &ThreadsHeld, accesses: usize, level: usize) -> Vec<Int> {
    let of_thread = |thread: &ThreadHeld, access: usize| {
        let alone: u64 = thread.by_access[access][level + 1..].iter().sum();
        let shared = [&thread.true_sharing, &thread.false_sharing];
        alone + shared.iter().map(|lost| lost[access][..=level].iter().sum::<u64>()).sum::<u64>()
    };
    (0..accesses)
        .map(|access| held.threads.iter().map(|thread| of_thread(thread, access)).sum::<u64>().into())
        .collect()
}

/// Adds the misses of a thread to those of others, by access and level.
fn add(sum: &mut Vec<Vec<Int>>, misses: Vec<Vec<Int>>) {
    if sum.is_empty() {
        *sum = misses;
        return;
    }
    for (sum, misses) in sum.iter_mut().flatten().zip(misses.iter().flatten()) {
        *sum += misses;
    }
}
