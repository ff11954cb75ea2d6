//! `compare`: two models side by side, such as those of a program before and after a transformation.

use std::io::Write;

use clap::Args;
use symloc_evaluate::{Detail, EvalError, Instance, MissCurve, Prediction, leads};
use symloc_machine::Cache;
use symloc_model::LineChoice;
use symloc_report::comparison::{self, ComparedCache, ModelComparison, SizeRange};

use super::curve::PictureArgs;
use super::fail_above::Failures;
use crate::error::{CliError, ExitStatus};
use crate::options::ModelSource;
use crate::ratio::MissGrowth;
use crate::series::{LoadedModel, SeriesArgs, SeriesCase, parameters_of};

/// The options of `compare`.
#[derive(Clone, Debug, Args)]
pub struct CompareArgs {
    /// The first model; - reads standard input
    #[arg(value_name = "MODEL", value_parser = ModelSource::parser())]
    first: ModelSource,
    /// The second model
    #[arg(value_name = "MODEL", value_parser = ModelSource::parser())]
    second: ModelSource,
    /// The line size, where the models hold several
    #[arg(long, value_name = "BYTES")]
    line_bytes: Option<u64>,
    #[command(flatten)]
    comparison: ComparisonArgs,
}

impl CompareArgs {
    /// Runs the command and writes the answer to `out`.
    ///
    /// # Errors
    ///
    /// A refusal of the models, of the sizes or of the caches, or that the result cannot be written.
    pub fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let line = self.line_bytes.map_or(LineChoice::Only, LineChoice::Bytes);
        match <[LoadedModel; 2]>::try_from(LoadedModel::load(&[self.first.clone(), self.second.clone()])?) {
            Ok(members) => self.comparison.run(out, &members, line),
            Err(members) => Err(CliError::refused(format!("{} models instead of two", members.len()))),
        }
    }
}

/// The options of a comparison of two models.
#[derive(Clone, Debug, Args)]
pub struct ComparisonArgs {
    #[command(flatten)]
    series: SeriesArgs,
    /// A cache in which the misses are compared, such as 48KiB; one for each
    #[arg(long = "cache", value_name = "SIZE")]
    caches: Vec<Cache>,
    #[command(flatten)]
    pictures: PictureArgs,
    /// Exit with 1 if the second misses more than the first in a --cache, by more than this share of the first's
    /// misses, such as 5%
    #[arg(long, value_name = "SHARE", requires = "caches")]
    fail_above: Option<MissGrowth>,
    /// Print the ranges of cache sizes as comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The largest number of points of free iterators for which every cache size is compared.
const EXACT_POINTS: u64 = 4_000_000;

/// The resolution of the comparison otherwise.
const PARTS: u32 = 1024;

impl ComparisonArgs {
    /// Compares two models.
    ///
    /// # Errors
    ///
    /// A refusal of the sizes or of the caches, errors of the evaluation, or that the result cannot be written.
    pub fn run(
        &self,
        out: &mut dyn Write,
        members: &[LoadedModel; 2],
        line: LineChoice,
    ) -> Result<ExitStatus, CliError> {
        self.require_values(members)?;
        let pairs = self.series.pairs(members, line)?;
        let mut failures = Failures::default();
        let written = !self.pictures.wanted() || self.csv || self.json;
        if written || self.fail_above.is_some() {
            let comparisons = pairs.iter().map(|pair| self.comparison(pair)).collect::<Result<Vec<_>, _>>()?;
            let labels = members.each_ref().map(|member| member.label.as_str());
            if let Some(bound) = &self.fail_above {
                comparisons.iter().for_each(|comparison| failures.check_growth(bound, labels, comparison));
            }
            match (self.json, self.csv) {
                _ if !written => {}
                (true, _) => comparison::write_json(out, labels, &comparisons)?,
                (_, true) => comparison::write_csv(out, &comparisons)?,
                _ => comparison::write_text(out, labels, &comparisons)?,
            }
        }
        if self.pictures.wanted() {
            let cases = self.series.cases(members, line)?;
            self.pictures.write(out, &self.pictures.picture(members, &cases)?, members, &cases)?;
        }
        Ok(failures.finish())
    }

    /// Refuses a parameter of one model only that has no value: it is likely the other's under another name.
    fn require_values(&self, members: &[LoadedModel; 2]) -> Result<(), CliError> {
        for [one, other] in [[&members[0], &members[1]], [&members[1], &members[0]]] {
            if let Some(name) = self.series.without_value(one, other)? {
                return Err(CliError::with_hint(
                    format!("no value for {name}, which is a parameter of {} only", one.source),
                    parameters_of(members),
                ));
            }
        }
        Ok(())
    }

    fn comparison(&self, cases: &[SeriesCase<'_>; 2]) -> Result<ModelComparison, CliError> {
        let [first, second] = cases;
        let predictions = [first.prediction()?, second.prediction()?];
        let places = predictions.each_ref().map(Prediction::place);
        let ([a, b], line) = (places, places[0].line_bytes);
        if (a.line_bytes, a.element) != (b.line_bytes, b.element) {
            return Err(CliError::with_hint(
                "the models have different line sizes",
                "derive both with the same `--line-bytes`, or choose one that both hold with `--line-bytes`",
            ));
        }
        let level = |cache: &Cache| {
            if cache.line_bytes.is_some_and(|bytes| line != Some(bytes)) {
                return Err(CliError::with_hint(
                    format!("{} in other lines than the models have", cache.capacity),
                    "leave the line size out, or choose one that both models hold with `--line-bytes`",
                ));
            }
            let lines = cache.lines(line)?;
            let sets = cache.sets(lines)?;
            let misses = |prediction: &Prediction| match &sets {
                None => prediction.misses(&lines.into()),
                Some(sets) => prediction.misses_in_sets(sets),
            };
            let ways = sets.map(|sets| sets.ways());
            let misses = [misses(&predictions[0])?.total(), misses(&predictions[1])?.total()];
            Ok(ComparedCache { cache: cache.capacity, lines, ways, misses })
        };
        let (exact, ranges) = match (first.exact(EXACT_POINTS)?, second.exact(EXACT_POINTS)?) {
            (Some(a), Some(b)) => (true, ranges(&[a.curve, b.curve], Detail::Every)?),
            _ => (false, ranges(&predictions, Detail::Part(PARTS))?),
        };
        Ok(ModelComparison {
            parameters: union(places),
            line_bytes: line,
            element: a.element,
            accesses: predictions.each_ref().map(|l| l.accesses().clone()),
            first_touches: predictions.each_ref().map(|l| l.blocks().clone()),
            levels: self.caches.iter().map(level).collect::<Result<_, CliError>>()?,
            parts: (!exact).then_some(PARTS),
            miss_model: first.miss_model,
            estimated: predictions.each_ref().map(Prediction::estimated),
            ranges,
        })
    }
}

/// Returns the ranges of cache sizes, with the misses in the smallest cache of each.
fn ranges<C: MissCurve>([first, second]: &[C; 2], detail: Detail) -> Result<Vec<SizeRange>, EvalError> {
    let range = |symloc_evaluate::Lead { blocks, misses }| {
        let totals = [first.misses(&blocks)?.total(), second.misses(&blocks)?.total()];
        Ok(SizeRange { misses: totals, lines: blocks, order: misses })
    };
    leads(first, second, detail)?.into_iter().map(range).collect()
}

/// Returns the sizes of both models; parameters of both have equal values.
fn union([first, second]: [&Instance; 2]) -> Vec<(String, i128)> {
    let new = |(name, _): &&(String, i128)| first.parameters.iter().all(|(known, _)| known != name);
    first.parameters.iter().chain(second.parameters.iter().filter(new)).cloned().collect()
}
