//! A query about caches at one size or at many, and the iteration over its points.

use symloc_evaluate::{Evaluator, Prediction};
use symloc_machine::NamedCache;
use symloc_model::{Model, NamedSizes};
use symloc_report::MissModel;
use symloc_report::answers::{Answer, Answers};

use super::cache_in_lines::CacheInLines;
use super::predictor::{Predictor, QuerySteps};
use crate::error::CliError;
use crate::options::grid::Grid;

/// A model, with the sizes and caches of a query.
pub(crate) struct Question<'q> {
    pub(crate) model: &'q Model,
    pub(crate) evaluator: &'q Evaluator<'q>,
    pub(crate) miss_model: MissModel,
    pub(crate) sizes: &'q Grid,
    pub(crate) hierarchies: Vec<Vec<&'q NamedCache>>,
}

impl Question<'_> {
    /// Writes the answers of each size. `at` returns one for each hierarchy, so that it can share work among them.
    pub(crate) fn ask<A: Answer>(
        &self,
        answers: Answers<'_, A>,
        mut at: impl FnMut(&Prediction, &[Vec<CacheInLines>]) -> Result<Vec<A>, CliError>,
    ) -> Result<(), CliError> {
        self.ask_one_by_one(answers, |prediction, give| {
            at(prediction, &self.in_lines(prediction)?)?.into_iter().try_for_each(give)
        })
    }

    /// Returns the hierarchies in lines, whose size may be one of the sizes.
    pub(crate) fn in_lines(&self, prediction: &Prediction) -> Result<Vec<Vec<CacheInLines>>, CliError> {
        let line_bytes = prediction.place().line_bytes;
        let in_lines = |hierarchy: &Vec<&NamedCache>| {
            hierarchy.iter().map(|cache| CacheInLines::new(cache, line_bytes)).collect::<Result<Vec<_>, _>>()
        };
        Ok(self.hierarchies.iter().map(in_lines).collect::<Result<Vec<_>, _>>()?)
    }

    /// Like [`ask`](Self::ask), but `at` passes each answer on as soon as it is computed.
    pub(crate) fn ask_one_by_one<A: Answer>(
        &self,
        answers: Answers<'_, A>,
        mut at: impl FnMut(&Prediction, &mut dyn FnMut(A) -> Result<(), CliError>) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let predictor = Predictor { evaluator: self.evaluator, miss_model: self.miss_model };
        self.ask_sizes(answers, |sizes, give| at(&predictor.predict(sizes)?, give))
    }

    /// Like [`ask_one_by_one`](Self::ask_one_by_one), but predicts nothing.
    pub(crate) fn ask_sizes<A: Answer>(
        &self,
        mut answers: Answers<'_, A>,
        mut at: impl FnMut(&NamedSizes, &mut dyn FnMut(A) -> Result<(), CliError>) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let points = self.sizes.count().saturating_mul(self.hierarchies.len() as u128);
        let steps = QuerySteps { sizes: self.sizes, count: points, streams: answers.streams() };
        steps.each(|sizes, progress| {
            at(sizes, &mut |answer| {
                answers.push(answer)?;
                progress.step();
                Ok(())
            })
        })?;
        Ok(answers.finish()?)
    }
}
