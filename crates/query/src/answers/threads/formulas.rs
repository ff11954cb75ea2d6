//! The misses of threads by the formulas of the program of one thread, each in caches of its own.

use std::iter::StepBy;
use std::num::NonZero;
use std::ops::Range;
use std::panic::resume_unwind;
use std::thread;

use symloc_evaluate::{EvalError, Int, OneThread, Prediction, ThreadSum};
use symloc_model::{Model, NamedSizes};
use symloc_report::AnswerHeader;
use symloc_report::answers::misses::{CacheMisses, LevelMisses, ThreadMisses};

use crate::answers::cache_in_lines::CacheInLines;
use crate::answers::question::Question;
use crate::error::CliError;

/// Returns the misses of `count` threads in each hierarchy at one size, by the formulas of the program of one thread.
pub(crate) fn misses(
    question: &Question<'_>,
    prediction: &Prediction,
    hierarchies: &[Vec<CacheInLines>],
    count: u64,
) -> Result<Vec<LevelMisses>, CliError> {
    let mut header = without_thread(question.model, AnswerHeader::of_prediction(question.model, prediction));
    let sizes = sizes(&header);
    header.blocks = question.evaluator.blocks_of_threads(&sizes, count)?;
    let some = |numbers| question.evaluator.threads(question.miss_model, &sizes, numbers, count);
    let threads = on_all_cores(count, &some)?;
    let estimated =
        threads.iter().map(|thread| thread.prediction.estimated()).fold(Int::ZERO, |sum, more| &sum + &more);
    let falsely_shared = falsely_shared(question, &threads)?;
    let of_hierarchy = |caches: &Vec<CacheInLines>| {
        Ok(LevelMisses {
            header: header.clone(),
            source: question.miss_model.into(),
            estimated: estimated.clone(),
            falsely_shared: falsely_shared.clone(),
            levels: caches.iter().map(|cache| level(cache, &threads)).collect::<Result<_, EvalError>>()?,
        })
    };
    hierarchies.iter().map(of_hierarchy).collect()
}

/// Returns the results for the numbers below `count`, in their order, which are computed on all cores: `some` computes those of a core.
/// Each core has every so many-th number: shares that begin at the same place of a line, which have parts in common, are that far apart.
fn on_all_cores<T: Send>(
    count: u64,
    some: &(impl Fn(StepBy<Range<u64>>) -> Result<Vec<T>, EvalError> + Sync),
) -> Result<Vec<T>, EvalError> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let of_cores = thread::scope(|scope| {
        let starts = 0..count.min(cores as u64);
        let parts: Vec<_> = starts.map(|start| scope.spawn(move || some((start..count).step_by(cores)))).collect();
        let results = parts.into_iter().map(|part| part.join().unwrap_or_else(|panic| resume_unwind(panic)));
        results.collect::<Result<Vec<Vec<T>>, EvalError>>()
    })?;
    let mut of_cores: Vec<_> = of_cores.into_iter().map(Vec::into_iter).collect();
    let mut results = Vec::new();
    while let Some(next) = of_cores.get_mut(results.len() % cores).and_then(Iterator::next) {
        results.push(next);
    }
    Ok(results)
}

/// Returns the number of falsely shared lines of each array that has some; `None` if the model does not hold them.
fn falsely_shared(question: &Question<'_>, threads: &[OneThread]) -> Result<Option<Vec<(String, Int)>>, CliError> {
    let outline = question.model.outline()?;
    let named = |lines: Vec<Int>| {
        let named = outline.arrays.iter().map(|array| array.name.clone()).zip(lines);
        named.filter(|(_, lines)| !lines.is_zero()).collect()
    };
    Ok(OneThread::falsely_shared_by(threads).map(named))
}

/// Returns the misses of all threads in a level of caches.
fn level(cache: &CacheInLines, threads: &[OneThread]) -> Result<CacheMisses, EvalError> {
    let alone = |prediction: &Prediction| Ok(cache.ask(prediction)?.misses);
    let ThreadSum { misses, by_thread, coherence } = ThreadSum::new(threads, &Int::from(cache.lines), alone)?;
    Ok(CacheMisses {
        misses,
        threads: Some(ThreadMisses { by_thread, coherence, ..ThreadMisses::default() }),
        ..cache.without_misses()
    })
}

/// Returns a header without the thread's parameters.
pub(crate) fn without_thread(model: &Model, mut header: AnswerHeader) -> AnswerHeader {
    let of_thread: Vec<&String> = model.threads.iter().flat_map(|threads| threads.names(model)).collect();
    header.parameters.retain(|(name, _)| !of_thread.contains(&name));
    header
}

/// Returns the sizes of a header that has no parameters of a thread.
pub(crate) fn sizes(header: &AnswerHeader) -> NamedSizes {
    // They were 64 bits before they were evaluated.
    let size = |(name, size): &(String, i128)| Some((name.clone(), i64::try_from(*size).ok()?));
    header.parameters.iter().filter_map(size).collect()
}
