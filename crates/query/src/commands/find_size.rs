//! `find-size`: the largest size with which a cache keeps misses within a bound.
//!
//! Misses may decrease with the size of the problem, so one size implies nothing about another: every size of a given range is
//! evaluated. The answer names the largest that meets the goal and the smallest that does not.

use std::io::Write;

use clap::Args;
use symloc_evaluate::{EvalError, Int, Prediction};
use symloc_report::answers::found_sizes::{FoundSize, FoundSizes, SearchedSizes};
use symloc_report::answers::{AnswerCount, Answers};
use symloc_report::ratio::{MissGoal, Ratio};
use symloc_report::{AnswerHeader, MissModel, miss_model};

use crate::answers::cache_in_lines::CacheInLines;
use crate::answers::predictor::{Predictor, QuerySteps};
use crate::error::{CliError, ExitStatus};
use crate::options::caches::CacheArgs;
use crate::options::grid::{Grid, ParameterAxis};
use crate::options::{FormatArgs, GridArgs, ModelArgs, SizeArgs};
use crate::output::tell;

/// The options of `find-size`.
#[derive(Clone, Debug, Args)]
pub struct FindSizeArgs {
    #[command(flatten)]
    pub(super) model: ModelArgs,
    #[command(flatten)]
    sizes: SizeArgs,
    #[command(flatten)]
    caches: CacheArgs,
    /// The cache must not miss more than this ratio of the accesses: 5% or 0.05. Without it: nothing but first touches
    #[arg(long, value_name = "RATIO", allow_hyphen_values = true)]
    max_miss_ratio: Option<Ratio>,
    /// How misses are predicted: lru by default, where the model holds reuse distances
    #[arg(long = "model", value_name = "MODEL", value_parser = miss_model::parser(), id = "miss_model")]
    miss_model: Option<MissModel>,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    grid: GridArgs,
}

impl FindSizeArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let model = self.model.load()?;
        let sizes = self.sizes.grid(&model)?;
        let axis = searched(&sizes)?;
        self.grid.check(sizes.count())?;
        let (levels, note) = self.caches.fully_associative(|caches| self.grid.check(caches))?;
        let line = levels.line(self.model.line_bytes)?;
        let miss_model = MissModel::choose(self.miss_model, &model, line)?;
        let goal = self.max_miss_ratio.clone().map_or(MissGoal::ColdOnly, MissGoal::AtMost);
        let evaluator = self.sizes.evaluator(&model, line)?;
        let (mut header, mut caches) = (None, Vec::<FoundSize>::new());
        let mut values = axis.values.iter();
        let predictor = Predictor { evaluator: &evaluator, miss_model };
        let steps = QuerySteps { sizes: &sizes, count: sizes.count(), streams: false };
        predictor.predict_each(&steps, |prediction, progress| {
            let line_bytes = prediction.place().line_bytes;
            let AnswerHeader { line_bytes: first, .. } =
                header.get_or_insert_with(|| AnswerHeader::of_prediction(&model, prediction));
            if *first != line_bytes {
                return Err(CliError::refused(
                    "the size that is looked for is one of lines, so that caches change with it",
                ));
            }
            if caches.is_empty() {
                let search = |cache| {
                    let cache = CacheInLines::new(cache, line_bytes)?;
                    cache.fully_associative().map(|_| untried(cache))
                };
                caches = levels.caches().map(search).collect::<Result<_, _>>()?;
            }
            let size = values.next().unwrap_or_default();
            caches.iter_mut().try_for_each(|found| add(found, size, prediction, &goal))?;
            progress.step();
            Ok(())
        })?;
        let Some(header) = header else { return Ok(ExitStatus::Success) };
        let searched = SearchedSizes {
            names: axis.names.clone(),
            count: axis.values.count(),
            ends: [axis.values.iter().min().unwrap_or_default(), axis.values.iter().max().unwrap_or_default()],
        };
        let missing = caches.iter().find(|found| found.largest.is_none()).map(|found| found.missing(&searched, &goal));
        let mut answers = Answers::new(out, self.format.format(), AnswerCount::One);
        answers.push(FoundSizes { header, miss_model, searched, goal, caches })?;
        answers.finish()?;
        note.iter().for_each(|note| tell("note", note));
        let Some(missing) = missing else { return Ok(ExitStatus::Success) };
        tell("none", &missing);
        Ok(ExitStatus::CheckFailed)
    }
}

/// Returns the one parameter, or several tied ones, whose size is searched.
fn searched(sizes: &Grid) -> Result<&ParameterAxis, CliError> {
    let hint = "write -D n=16..4096:+16, or -D n=m=16..4096:+16 for parameters that go together";
    let mut ranges = sizes.ranges();
    match (ranges.next(), ranges.next()) {
        (Some(axis), None) => Ok(axis),
        (None, _) => Err(CliError::with_hint("no parameter has a range of sizes to search", hint)),
        (Some(a), Some(b)) => {
            let names = [a.names.join(", "), b.names.join(", ")];
            Err(CliError::with_hint(
                format!("ranges of {} and of {}: one size is looked for", names[0], names[1]),
                hint,
            ))
        }
    }
}

/// Returns the result for a cache before any size was tried.
fn untried(cache: CacheInLines) -> FoundSize {
    let CacheInLines { name, capacity, lines, .. } = cache;
    FoundSize { name, capacity, lines, meeting: 0, largest: None, smallest_above: None }
}

/// Adds a size to the result for a cache.
fn add(found: &mut FoundSize, size: i128, prediction: &Prediction, goal: &MissGoal) -> Result<(), EvalError> {
    let misses = prediction.misses(&Int::from(found.lines))?;
    if goal.is_met(&misses, prediction.accesses()) {
        found.meeting += 1;
        found.largest = found.largest.max(Some(size));
    } else {
        found.smallest_above = Some(found.smallest_above.map_or(size, |smallest| smallest.min(size)));
    }
    Ok(())
}
