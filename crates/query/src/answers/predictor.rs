//! The prediction of misses at one size after the other.

use std::io::{self, IsTerminal};

use symloc_evaluate::{EvalError, Evaluator, Prediction};
use symloc_model::NamedSizes;
use symloc_report::MissModel;

use crate::error::CliError;
use crate::options::grid::Grid;
use crate::progress::{Progress, ProgressBarUse};

/// A model that is prepared for any size, with the way in which its misses are predicted.
#[derive(Clone, Copy, Debug)]
pub struct Predictor<'e> {
    /// The model.
    pub evaluator: &'e Evaluator<'e>,
    /// The way in which misses are predicted.
    pub miss_model: MissModel,
}

/// The points of a query, as steps of a progress bar.
pub(crate) struct QuerySteps<'q> {
    pub(crate) sizes: &'q Grid,
    /// The number of steps.
    pub(crate) count: u128,
    /// True if results appear while the query runs.
    pub(crate) streams: bool,
}

impl Predictor<'_> {
    /// Prepares all caches at a size.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::predict`].
    pub fn predict(&self, sizes: &NamedSizes) -> Result<Prediction, EvalError> {
        self.evaluator.predict(self.miss_model, sizes)
    }

    /// Predicts the misses at each size of a query.
    pub(crate) fn predict_each(
        &self,
        steps: &QuerySteps<'_>,
        mut each: impl FnMut(&Prediction, &mut Progress) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        steps.each(|sizes, progress| each(&self.predict(sizes)?, progress))
    }
}

impl QuerySteps<'_> {
    /// Visits each size of a query.
    pub(crate) fn each(
        &self,
        mut each: impl FnMut(&NamedSizes, &mut Progress) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        // A bar would stand between results that appear line by line on the same terminal.
        let hidden = self.streams && io::stdout().is_terminal();
        let bar = if hidden { ProgressBarUse::Hidden } else { ProgressBarUse::Shown };
        let mut progress = Progress::start(self.count, bar);
        for point in self.sizes.points() {
            each(&point.into_iter().collect(), &mut progress)?;
        }
        Ok(())
    }
}
