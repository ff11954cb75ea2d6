//! `query`: the misses in some caches, at one size or at many.

use std::io::Write;

use clap::Args;
use symloc_evaluate::{Evaluator, Int, Prediction, Sets};
use symloc_model::Model;

use super::attribution::AttributionArgs;
use super::fail_above::Failures;
use super::{predictions, tell};
use crate::cache::Capacity;
use crate::error::{CliError, ExitStatus};
use crate::export::Header;
use crate::export::answers::{Answer, Answers};
use crate::export::misses::{Level, LevelMisses};
use crate::grid::Grid;
use crate::levels::{CacheArgs, NamedCache};
use crate::options::{FormatArgs, GridArgs, MissModel, ModelArgs, SizeArgs};
use crate::ratio::Ratio;

/// The options of `query`.
#[derive(Clone, Debug, Args)]
pub struct QueryArgs {
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    sizes: SizeArgs,
    #[command(flatten)]
    caches: CacheArgs,
    /// How misses are predicted: lru by default, where the model holds reuse distances
    #[arg(long = "model", value_name = "MODEL", value_enum, id = "miss_model")]
    miss_model: Option<MissModel>,
    #[command(flatten)]
    attribution: AttributionArgs,
    /// Exit with 1 if the miss ratio of any level, at any point, is above this: 5% or 0.05
    #[arg(long, value_name = "RATIO", allow_hyphen_values = true)]
    fail_above: Option<Ratio>,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    grid: GridArgs,
}

impl QueryArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let model = self.model.load()?;
        let sizes = self.sizes.grid(&model)?;
        let check = |caches| self.grid.check(caches);
        let levels = match self.attribution.asked() {
            true => self.caches.fully_associative(check)?,
            false => self.caches.levels(check)?,
        };
        self.grid.check(sizes.count().saturating_mul(levels.count()))?;
        let line = levels.line(self.model.line_bytes)?;
        let miss_model = MissModel::choose(self.miss_model, &model, line)?;
        let evaluator = self.sizes.evaluator(&model, line)?;
        let hierarchies: Vec<_> = levels.hierarchies().collect();
        let question = Question { model: &model, evaluator: &evaluator, miss_model, sizes: &sizes, hierarchies };
        let (format, grid) = (self.format.format(), !sizes.is_single() || levels.is_grid);
        let mut failures = Failures::new(self.fail_above.as_ref());
        match self.attribution.asked() {
            true => question.ask(Answers::new(out, format, grid), |prediction, hierarchies| {
                let reports = self.attribution.reports(&question, prediction, hierarchies)?;
                for report in &reports {
                    failures.check(&report.header, report.levels.iter().map(|level| level.summary()));
                }
                Ok(reports)
            }),
            false => question.ask(Answers::new(out, format, grid), |prediction, hierarchies| {
                let answers = question.misses(prediction, hierarchies);
                for answer in &answers {
                    failures.check(&answer.header, answer.levels.iter().map(|level| level.summary()));
                }
                Ok(answers)
            }),
        }?;
        levels.notes.iter().for_each(|note| tell("note", note));
        Ok(failures.finish())
    }
}

/// A model, and the sizes and caches that it is asked about.
pub(super) struct Question<'q> {
    pub(super) model: &'q Model,
    pub(super) evaluator: &'q Evaluator<'q>,
    pub(super) miss_model: MissModel,
    sizes: &'q Grid,
    hierarchies: Vec<Vec<&'q NamedCache>>,
}

impl Question<'_> {
    /// Writes the answers of each size. `at` gives one for each hierarchy; what they have in common it computes once.
    fn ask<A: Answer>(
        &self,
        mut answers: Answers<'_, A>,
        mut at: impl FnMut(&Prediction, &[Vec<Shape>]) -> Result<Vec<A>, CliError>,
    ) -> Result<(), CliError> {
        let points = self.sizes.count().saturating_mul(self.hierarchies.len() as u128);
        let how = (self.evaluator, self.miss_model);
        predictions(how, self.sizes, points, answers.streams(), |prediction, progress| {
            // The size of a line may be one of the sizes.
            let line_bytes = prediction.place().line_bytes;
            let shapes = |hierarchy: &Vec<&NamedCache>| {
                hierarchy.iter().map(|cache| Shape::new(cache, line_bytes)).collect::<Result<Vec<_>, _>>()
            };
            let hierarchies = self.hierarchies.iter().map(shapes).collect::<Result<Vec<_>, _>>()?;
            for answer in at(prediction, &hierarchies)? {
                answers.push(answer)?;
                progress.step();
            }
            Ok(())
        })?;
        Ok(answers.finish()?)
    }

    /// The misses of each hierarchy at one size.
    fn misses(&self, prediction: &Prediction, hierarchies: &[Vec<Shape>]) -> Vec<LevelMisses> {
        let misses = |shapes: &Vec<Shape>| LevelMisses {
            header: Header::of_prediction(self.model, prediction),
            source: self.miss_model.into(),
            estimated: prediction.estimated(),
            levels: shapes.iter().map(|shape| shape.ask(prediction)).collect(),
        };
        hierarchies.iter().map(misses).collect()
    }
}

/// A cache in lines.
pub(super) struct Shape {
    pub(super) name: Option<String>,
    pub(super) capacity: Capacity,
    pub(super) lines: u64,
    /// Of a set-associative cache.
    sets: Option<Sets>,
}

impl Shape {
    pub(super) fn new(NamedCache { name, cache }: &NamedCache, line_bytes: Option<u64>) -> Result<Self, CliError> {
        let lines = cache.lines(line_bytes)?;
        Ok(Self { name: name.clone(), capacity: cache.capacity, lines, sets: cache.sets(lines)? })
    }

    fn ask(&self, prediction: &Prediction) -> Level {
        let Self { name, capacity, lines, sets } = self;
        let (ways, misses) = match sets {
            None => (*lines, prediction.misses(&Int::from(*lines))),
            Some(sets) => (sets.ways(), prediction.misses_in_sets(sets)),
        };
        Level { name: name.clone(), capacity: *capacity, lines: *lines, ways, misses }
    }

    /// The number of lines of a fully associative cache; others have no window.
    pub(super) fn fully_associative(&self) -> Result<u64, CliError> {
        match self.sets {
            None => Ok(self.lines),
            Some(_) => Err(CliError::with_hint(
                format!("{} in sets: this question is about fully associative caches only", self.capacity),
                "leave the ways out",
            )),
        }
    }
}
