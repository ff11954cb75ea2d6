//! `find-cache`: the smallest cache that keeps misses within a bound.
//!
//! Misses never increase with the size of a fully associative cache, so a binary search finds the answer, exactly, between
//! no lines and as many as there are blocks.

use std::io::Write;

use clap::{ArgGroup, Args};
use symloc_evaluate::{EvalError, Int, Misses};
use symloc_report::answers::found_caches::{FoundCache, FoundCaches, MeetingCache};
use symloc_report::answers::{AnswerCount, Answers};
use symloc_report::ratio::{MissGoal, Ratio};
use symloc_report::{AnswerHeader, MissModel, miss_model};

use crate::answers::predictor::{Predictor, QuerySteps};
use crate::answers::search::first;
use crate::error::{CliError, ExitStatus};
use crate::options::{FormatArgs, GridArgs, ModelArgs, SizeArgs};
use crate::output::tell;

/// The options of `find-cache`.
#[derive(Clone, Debug, Args)]
#[command(group = ArgGroup::new("goal").args(["max_miss_ratio", "cold_only"]).required(true).multiple(true))]
pub struct FindCacheArgs {
    #[command(flatten)]
    pub(super) model: ModelArgs,
    #[command(flatten)]
    sizes: SizeArgs,
    /// The cache must not miss more than this ratio of the accesses: 5% or 0.05; may be repeated
    #[arg(long, value_name = "RATIO", allow_hyphen_values = true)]
    max_miss_ratio: Vec<Ratio>,
    /// The cache must miss nothing but first touches
    #[arg(long)]
    cold_only: bool,
    /// How misses are predicted: lru by default, where the model holds reuse distances
    #[arg(long = "model", value_name = "MODEL", value_parser = miss_model::parser(), id = "miss_model")]
    miss_model: Option<MissModel>,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    grid: GridArgs,
}

impl FindCacheArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let model = self.model.load()?;
        let sizes = self.sizes.grid(&model)?;
        self.grid.check(sizes.count())?;
        let miss_model = MissModel::choose(self.miss_model, &model, self.model.line())?;
        let evaluator = self.sizes.evaluator(&model, self.model.line())?;
        let count = if sizes.is_single() { AnswerCount::One } else { AnswerCount::Grid };
        let mut answers = Answers::new(out, self.format.format(), count);
        let mut missing = None;
        let predictor = Predictor { evaluator: &evaluator, miss_model };
        let steps = QuerySteps { sizes: &sizes, count: sizes.count(), streams: answers.streams() };
        predictor.predict_each(&steps, |prediction, progress| {
            let header = AnswerHeader::of_prediction(&model, prediction);
            let found = |goal: MissGoal| {
                let cache =
                    smallest(prediction.blocks(), prediction.accesses(), &goal, |lines| prediction.misses(lines))?;
                Ok(FoundCache { goal, cache })
            };
            let found = self.goals().map(found).collect::<Result<_, EvalError>>()?;
            let answer = FoundCaches { found, miss_model, header };
            missing = missing.take().or_else(|| answer.missing());
            answers.push(answer)?;
            progress.step();
            Ok(())
        })?;
        answers.finish()?;
        let Some(missing) = missing else { return Ok(ExitStatus::Success) };
        tell("none", &missing);
        Ok(ExitStatus::CheckFailed)
    }

    fn goals(&self) -> impl Iterator<Item = MissGoal> {
        let bounds = self.max_miss_ratio.iter().cloned().map(MissGoal::AtMost);
        bounds.chain(self.cold_only.then_some(MissGoal::ColdOnly))
    }
}

/// Returns the smallest number of lines that meets a goal, if one does; `misses` must not increase. No cache needs more lines
/// than there are blocks.
fn smallest(
    blocks: &Int,
    accesses: &Int,
    goal: &MissGoal,
    misses: impl Fn(&Int) -> Result<Misses, EvalError>,
) -> Result<Option<MeetingCache>, EvalError> {
    let lines = first(&Int::from(-1), blocks, |lines| Ok::<_, EvalError>(goal.is_met(&misses(lines)?, accesses)))?;
    lines.map(|lines| Ok(MeetingCache { misses: misses(&lines)?, lines })).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use symloc_evaluate::{Evaluator, WholeCurve};
    use symloc_model::{LineChoice, Model, NamedSizes};

    /// For every bound that the curve of the histogram reaches, and one just below it, the search finds the same cache as a walk
    /// over all caches.
    #[test]
    fn no_smaller_cache_meets_the_goal() {
        for (json, sizes) in [
            (include_str!("../../../../tests/models/matmul.loc.json"), [("n", 24)].as_slice()),
            (include_str!("../../../../tests/models/lu-element.loc.json"), &[("n", 9)]),
            (include_str!("../../../../tests/models/gemm.loc.json"), &[("ni", 11), ("nj", 13), ("nk", 9)]),
        ] {
            let model = Model::parse(json).unwrap();
            let sizes: NamedSizes = sizes.iter().copied().collect();
            let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
            let prediction = evaluator.predict(MissModel::Denning, &sizes).unwrap();
            let distribution = evaluator.distribution(MissModel::Denning, &sizes).unwrap();
            let curve = WholeCurve::new(&distribution, &distribution);
            let blocks = i64::try_from(distribution.blocks.to_i128().unwrap()).unwrap();
            let all: Vec<_> = (0..=blocks).map(|lines| curve.misses(&lines.into()).clone()).collect();
            let accesses = &distribution.accesses;
            let mut goals = vec![MissGoal::ColdOnly];
            for misses in &all {
                for misses in [misses.total(), &misses.total() - &Int::from(1)] {
                    let digits = (&misses * &Int::from(10_i64.pow(12))).div_floor(accesses).unwrap();
                    goals.push(MissGoal::AtMost(format!("{digits}e-12").parse().unwrap()));
                }
            }
            for goal in goals {
                let walked = all.iter().position(|misses| goal.is_met(misses, accesses));
                let found = smallest(prediction.blocks(), accesses, &goal, |lines| prediction.misses(lines)).unwrap();
                assert_eq!(found.map(|cache| cache.lines), walked.map(|lines| Int::from(lines as i64)), "{goal}");
            }
        }
    }
}
