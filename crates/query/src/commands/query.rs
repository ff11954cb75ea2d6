//! `query`: the misses in some caches, at one size or at many.

use std::io::Write;

use clap::Args;
use symloc_model::{Evaluator, Int, Locality, Model, Sizes};

use super::attribution::AttributionArgs;
use super::fail_above::Failures;
use super::{localities, tell};
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
    /// How misses are predicted
    #[arg(long = "model", value_name = "MODEL", value_enum, default_value_t, id = "miss_model")]
    miss_model: MissModel,
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
        self.miss_model.require()?;
        let model = self.model.load()?;
        let sizes = self.sizes.grid(&model)?;
        let levels = self.caches.modelled(|caches| self.grid.check(caches))?;
        self.grid.check(sizes.count().saturating_mul(levels.count()))?;
        let line = levels.line(self.model.line_bytes)?;
        let line_bytes = model.line(line)?.line_bytes;
        let shapes =
            |hierarchy: Vec<&NamedCache>| hierarchy.into_iter().map(|cache| Shape::new(cache, line_bytes)).collect();
        let hierarchies = levels.hierarchies().map(shapes).collect::<Result<Vec<Vec<_>>, CliError>>()?;
        let evaluator = self.sizes.evaluator(&model, line)?;
        let question = Question { model: &model, evaluator: &evaluator, sizes: &sizes, hierarchies: &hierarchies };
        let (format, grid) = (self.format.format(), !sizes.is_single() || levels.is_grid);
        let mut failures = Failures::new(self.fail_above.as_ref());
        match self.attribution.asked() {
            true => question.ask(Answers::new(out, format, grid), |locality| {
                let reports = self.attribution.reports(&question, locality)?;
                reports
                    .iter()
                    .for_each(|report| failures.check(&report.header, report.levels.iter().map(|l| l.summary())));
                Ok(reports)
            }),
            false => question.ask(Answers::new(out, format, grid), |locality| {
                let answers = question.misses(locality);
                answers
                    .iter()
                    .for_each(|answer| failures.check(&answer.header, answer.levels.iter().map(|l| l.summary())));
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
    sizes: &'q Grid,
    pub(super) hierarchies: &'q [Vec<Shape>],
}

impl Question<'_> {
    /// Writes the answers of each size, of which there is one for each hierarchy.
    fn ask<A: Answer>(
        &self,
        mut answers: Answers<'_, A>,
        mut at: impl FnMut(&Locality) -> Result<Vec<A>, CliError>,
    ) -> Result<(), CliError> {
        let points = self.sizes.count().saturating_mul(self.hierarchies.len() as u128);
        localities(self.evaluator, self.sizes, points, answers.streams(), |locality, progress| {
            for answer in at(locality)? {
                answers.push(answer)?;
                progress.step();
            }
            Ok(())
        })?;
        Ok(answers.finish()?)
    }

    /// The size of which a result is, to ask more about it.
    pub(super) fn sizes_of(&self, locality: &Locality) -> Sizes {
        let values = locality.place().parameters.iter();
        // Sizes were 64 bits before they were evaluated.
        values.filter_map(|(name, value)| Some((name.clone(), i64::try_from(*value).ok()?))).collect()
    }

    /// The misses of all hierarchies at one size.
    fn misses(&self, locality: &Locality) -> Vec<LevelMisses> {
        let answer = |shapes: &Vec<Shape>| LevelMisses {
            header: Header::of_locality(self.model, locality),
            model: "denning",
            levels: shapes.iter().map(|shape| shape.ask(locality)).collect(),
        };
        self.hierarchies.iter().map(answer).collect()
    }
}

/// A cache in lines.
pub(super) struct Shape {
    pub(super) name: Option<String>,
    pub(super) capacity: Capacity,
    pub(super) lines: u64,
}

impl Shape {
    pub(super) fn new(NamedCache { name, cache }: &NamedCache, line_bytes: Option<u64>) -> Result<Self, CliError> {
        Ok(Self { name: name.clone(), capacity: cache.capacity, lines: cache.lines(line_bytes)? })
    }

    fn ask(&self, locality: &Locality) -> Level {
        let Self { name, capacity, lines } = self;
        let misses = locality.misses(&Int::from(*lines));
        Level { name: name.clone(), capacity: *capacity, lines: *lines, ways: *lines, misses }
    }
}
