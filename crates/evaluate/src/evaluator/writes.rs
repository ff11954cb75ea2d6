//! The writes of a program, for the lines that caches write back.

use symloc_model::NamedSizes;
use symloc_quasi::Int;

use super::Evaluator;
use crate::distribution::{Bin, Histograms};
use crate::error::EvalError;
use crate::formulas::PredictionFormulas;
use crate::miss_model::MissModel;
use crate::misses::write_backs::WriteReuses;

impl Evaluator<'_> {
    /// Returns the writes at a size by their longest reuse up to the next write to their block; `None` if the model does
    /// not hold them.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::predict`].
    pub fn writes(&self, miss_model: MissModel, sizes: &NamedSizes) -> Result<Option<WriteReuses>, EvalError> {
        let Some(formulas) = self.write_formulas(miss_model) else { return Ok(None) };
        let [places, intervals] = self.values(formulas, sizes)?;
        Ok(Some(WriteReuses { places, intervals }))
    }

    /// Returns the histogram of the longest reuses of writes, visiting all points: of distances for LRU, of intervals for
    /// Denning's model; `None` if the model does not hold them.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::distribution`].
    pub fn write_distribution(&self, miss_model: MissModel, sizes: &NamedSizes) -> Result<Option<Vec<Bin>>, EvalError> {
        let Some(formulas) = self.write_formulas(miss_model) else { return Ok(None) };
        let (classes, above) = match miss_model {
            MissModel::Denning => (&formulas.intervals, 0),
            MissModel::Lru => (&formulas.places, 1),
        };
        self.answer(sizes, |point| {
            let (mut left, mut found) = (self.points, Histograms::default());
            classes.iter().try_for_each(|class| class.evaluate(point, &mut left, &mut found))?;
            let value = |bin: Bin| Bin { interval: &bin.interval - &Int::from(above), ..bin };
            Ok(Some(found.real.finish().into_iter().map(value).collect()))
        })
    }

    fn write_formulas(&self, miss_model: MissModel) -> Option<&PredictionFormulas> {
        let formulas = match miss_model {
            MissModel::Denning => &self.denning_write_backs,
            MissModel::Lru => &self.lru_write_backs,
        };
        let prepare = || PredictionFormulas::write_backs(self.line, miss_model, self.model.variables());
        formulas.get_or_init(prepare).as_ref()
    }
}
