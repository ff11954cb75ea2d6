//! `find-cache`: the smallest cache that keeps misses within a bound.
//!
//! Misses never increase with the size of a fully associative cache, so a binary search finds the answer, exactly, between
//! no lines and as many as there are blocks.

use std::io::{self, Write};

use clap::{ArgGroup, Args};
use serde::Serialize;
use symloc_evaluate::{EvalError, Int, Misses};
use symloc_machine::Capacity;
use symloc_report::answers::{Answer, Answers};
use symloc_report::text::{Columns, ratio};
use symloc_report::{AnswerHeader, Fields, MissModel, csv, json, miss_model};

use super::predictions;
use crate::error::{CliError, ExitStatus};
use crate::options::{FormatArgs, GridArgs, ModelArgs, SizeArgs};
use crate::output::tell;
use crate::ratio::{MissGoal, Ratio};
use crate::search::first;

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
        let mut answers = Answers::new(out, self.format.format(), !sizes.is_single());
        let mut missing = None;
        let how = (&evaluator, miss_model);
        predictions(how, &sizes, sizes.count(), answers.streams(), |prediction, progress| {
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

/// A cache and its misses.
struct MeetingCache {
    lines: Int,
    misses: Misses,
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

/// A goal and the cache that meets it.
struct FoundCache {
    goal: MissGoal,
    cache: Option<MeetingCache>,
}

/// The caches at one size: `symloc.find-cache/1`.
struct FoundCaches {
    header: AnswerHeader,
    miss_model: MissModel,
    found: Vec<FoundCache>,
}

impl FoundCaches {
    /// Returns a message about a goal that no cache meets.
    fn missing(&self) -> Option<String> {
        let goal = &self.found.iter().find(|found| found.cache.is_none())?.goal;
        let AnswerHeader { accesses, blocks, .. } = &self.header;
        let at = self.header.at();
        Some(format!(
            "no cache has {goal}{at}: first touches alone are {} of the accesses",
            ratio(blocks.ratio(accesses))
        ))
    }

    fn bytes(&self, cache: &MeetingCache) -> Option<Int> {
        self.header.line_bytes.map(|line| &cache.lines * &Int::from(line))
    }
}

impl Answer for FoundCaches {
    fn json(&self) -> impl Serialize {
        let accesses = &self.header.accesses;
        let cache = |FoundCache { goal, cache }: &FoundCache| FoundCacheAnswer {
            max_miss_ratio: goal.bound().map(Ratio::value),
            lines: cache.as_ref().map(|cache| json::Owned(cache.lines.clone())),
            bytes: cache.as_ref().and_then(|cache| self.bytes(cache)).map(json::Owned),
            misses: cache.as_ref().map(|cache| json::Owned(cache.misses.total())),
            miss_ratio: cache.as_ref().map(|cache| cache.misses.total().ratio(accesses)),
        };
        CachesAnswer {
            schema: "symloc.find-cache/1",
            header: self.header.fields(self.miss_model.name()),
            caches: self.found.iter().map(cache).collect(),
        }
    }

    fn head(&self) -> Vec<String> {
        let columns =
            ["max_miss_ratio", "lines", "bytes", "line_bytes", "accesses", "misses", "cold", "reuse", "miss_ratio"];
        let parameters = self.header.parameters.iter().map(|(name, _)| name.clone());
        parameters.chain(columns.map(str::to_owned)).collect()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let AnswerHeader { parameters, line_bytes, accesses, .. } = &self.header;
        let row = |FoundCache { goal, cache }: &FoundCache| {
            let of = |value: fn(&MeetingCache) -> Int| csv::optional(cache.as_ref().map(value));
            let cells = [
                csv::optional(goal.bound().map(Ratio::value)),
                of(|cache| cache.lines.clone()),
                csv::optional(cache.as_ref().and_then(|cache| self.bytes(cache))),
                csv::optional(*line_bytes),
                accesses.to_string(),
                of(|cache| cache.misses.total()),
                of(|cache| cache.misses.cold.clone()),
                of(|cache| cache.misses.reuse.clone()),
                cache.as_ref().map(|cache| csv::ratio(cache.misses.total().ratio(accesses))).unwrap_or_default(),
            ];
            parameters.iter().map(|(_, value)| value.to_string()).chain(cells).collect()
        };
        self.found.iter().map(row).collect()
    }

    fn write_text(answers: &[Self], out: &mut dyn Write) -> io::Result<()> {
        let varying = AnswerHeader::write_common(answers.iter().map(|answer| &answer.header), out)?;
        writeln!(out)?;
        let mut head: Vec<&str> = varying.iter().map(String::as_str).collect();
        head.extend(["goal", "smallest cache", "lines", "misses", "cold", "reuse", "miss ratio"]);
        let mut table = Columns::new(&head, 0);
        for answer in answers {
            for FoundCache { goal, cache } in &answer.found {
                let mut row = answer.header.values(&varying);
                row.push(goal.to_string());
                match cache {
                    None => row.extend(["none", "-", "-", "-", "-", "-"].map(str::to_owned)),
                    Some(cache) => row.extend([
                        size(&answer.bytes(cache), &cache.lines),
                        cache.lines.to_string(),
                        cache.misses.total().to_string(),
                        cache.misses.cold.to_string(),
                        cache.misses.reuse.to_string(),
                        ratio(cache.misses.total().ratio(&answer.header.accesses)),
                    ]),
                }
                table.push(row);
            }
        }
        table.write(out)
    }
}

/// Returns the size in bytes with a unit, or in lines if these have no bytes.
fn size(bytes: &Option<Int>, lines: &Int) -> String {
    let Some(bytes) = bytes else { return format!("{lines} lines") };
    let short = bytes.to_i128().and_then(|bytes| u64::try_from(bytes).ok()).map(Capacity::Bytes);
    short.map_or_else(|| format!("{bytes} B"), |capacity| capacity.to_string())
}

#[derive(Serialize)]
struct CachesAnswer<'a> {
    schema: &'static str,
    #[serde(flatten)]
    header: Fields<'a>,
    caches: Vec<FoundCacheAnswer>,
}

#[derive(Serialize)]
struct FoundCacheAnswer {
    max_miss_ratio: Option<f64>,
    lines: Option<json::Owned>,
    bytes: Option<json::Owned>,
    misses: Option<json::Owned>,
    miss_ratio: Option<f64>,
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
