//! `bound`: the misses that no order of a program's operations goes below.

use std::io::Write;

use clap::Args;
use symloc_report::answers::lower_bounds::LowerBounds;
use symloc_report::answers::{AnswerCount, Answers};
use symloc_report::{AnswerHeader, MissModel};

use crate::answers::lower_bound::BoundedSize;
use crate::answers::question::Question;
use crate::error::{CliError, ExitStatus};
use crate::options::caches::CacheArgs;
use crate::options::{FormatArgs, GridArgs, ModelArgs, SizeArgs};
use crate::output::tell;

/// The options of `bound`.
#[derive(Clone, Debug, Args)]
pub struct BoundArgs {
    #[command(flatten)]
    pub(super) model: ModelArgs,
    #[command(flatten)]
    sizes: SizeArgs,
    #[command(flatten)]
    caches: CacheArgs,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    grid: GridArgs,
}

impl BoundArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let model = self.model.load()?;
        let sizes = self.sizes.grid(&model)?;
        let (levels, note) = self.caches.fully_associative(|caches| self.grid.check(caches))?;
        self.grid.check(sizes.count().saturating_mul(levels.count()))?;
        let line = levels.line(self.model.line_bytes)?;
        let evaluator = self.sizes.evaluator(&model, line)?;
        // Both models of misses count executions and lines alike; every model file has this one.
        let miss_model = MissModel::Denning;
        let hierarchies = levels.hierarchies().collect();
        let question = Question { model: &model, evaluator: &evaluator, miss_model, sizes: &sizes, hierarchies };
        let count = if sizes.is_single() && !levels.is_grid { AnswerCount::One } else { AnswerCount::Grid };
        question.ask(Answers::new(out, self.format.format(), count), |prediction, hierarchies| {
            let at = BoundedSize::new(&model, &evaluator, prediction)?;
            let answer = |caches: &Vec<_>| LowerBounds {
                header: AnswerHeader::of_prediction(&model, prediction),
                reason: at.reason(),
                levels: caches.iter().map(|cache| at.bounded(cache)).collect(),
            };
            Ok(hierarchies.iter().map(answer).collect())
        })?;
        note.iter().for_each(|note| tell("note", note));
        Ok(ExitStatus::Success)
    }
}
