//! The threads of a program, each with its share of the iterations.

use symloc_model::NamedSizes;
use symloc_quasi::{Int, Piece};

use super::{Evaluator, PredictionClasses};
use crate::error::{EvalError, Stop};
use crate::formulas::{PieceFormula, PredictionFormulas, cut_together, sum};
use crate::miss_model::MissModel;
use crate::misses::coherence::InvalidatedReuses;
use crate::misses::prediction::Prediction;
use crate::misses::reuses::Reuses;
use crate::misses::threads::OneThread;

impl Evaluator<'_> {
    /// Prepares some threads of `count` by their `numbers`, which are below `count`, at sizes without parameters of threads.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::predict`].
    pub fn threads(
        &self,
        miss_model: MissModel,
        sizes: &NamedSizes,
        numbers: impl IntoIterator<Item = u64>,
        count: u64,
    ) -> Result<Vec<OneThread>, EvalError> {
        let at = |number| Ok(self.model.on_thread(sizes, number, count)?);
        let shares = numbers.into_iter().map(at).collect::<Result<Vec<_>, EvalError>>()?;
        let points = shares.iter().map(|at| self.answer(at, |point| Ok(point.to_vec())));
        let points = points.collect::<Result<Vec<_>, EvalError>>()?;
        let stopped = |point: &Vec<i128>, stop| self.error(stop, point);
        let Some(first) = points.first() else { return Ok(Vec::new()) };
        let predictions = self.predict_all(miss_model, &points).map_err(|stop| stopped(first, stop))?;
        let coherence = self.coherence(miss_model);
        let coherence = coherence.map(|formulas| {
            cut_together([formulas.places.as_slice(), formulas.intervals.as_slice()], &points, self.points)
        });
        let mut coherence = coherence.into_iter().flatten();
        let mut threads = Vec::with_capacity(points.len());
        for ((at, point), prediction) in shares.iter().zip(&points).zip(predictions) {
            let prediction = prediction.map_err(|stop| stopped(point, stop))?;
            let parts = coherence.next().transpose().map_err(|stop| stopped(point, stop))?;
            let reuses = |parts| Reuses::new(parts, &self.limit(point));
            let invalidated = parts.map(|parts| parts.map(reuses));
            let invalidated = invalidated.map(|[places, intervals]| InvalidatedReuses { places, intervals });
            threads.push(OneThread { prediction, invalidated, falsely_shared: self.falsely_shared(at)? });
        }
        Ok(threads)
    }

    /// Returns the prediction at each point, or why there is none.
    fn predict_all(&self, miss_model: MissModel, points: &[Vec<i128>]) -> Result<Vec<Result<Prediction, Stop>>, Stop> {
        let PredictionClasses { places, estimated, windows } = self.classes(miss_model)?;
        let parts = cut_together([places, estimated.unwrap_or_default()], points, self.points);
        let windowed = cut_together([windows.unwrap_or_default()], points, self.points);
        let sizes = points.iter().zip(parts).zip(windowed);
        let predictions = sizes.map(|((point, parts), windowed)| {
            let ([places, intervals], [windowed]) = (parts?, windowed?);
            let (estimated, windows) = (estimated.map(|_| intervals), windows.map(|_| windowed));
            self.prediction(miss_model, point, PredictionClasses { places, estimated, windows })
        });
        Ok(predictions.collect())
    }

    /// Returns the reuses at the size of one thread before which another thread wrote the line; `None` if the model does
    /// not hold them.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::predict`].
    pub fn invalidated(
        &self,
        miss_model: MissModel,
        sizes: &NamedSizes,
    ) -> Result<Option<InvalidatedReuses>, EvalError> {
        let Some(formulas) = self.coherence(miss_model) else { return Ok(None) };
        let [places, intervals] = self.values(formulas, sizes)?;
        Ok(Some(InvalidatedReuses { places, intervals }))
    }

    /// Returns, by array, the number of lines that the thread at a size is the first of several to touch in a phase and
    /// that one of them writes, over all phases; `None` if the model does not hold it. The sum over threads counts each
    /// falsely shared line once in each phase.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::predict`], apart from limits.
    pub fn falsely_shared(&self, sizes: &NamedSizes) -> Result<Option<Vec<Int>>, EvalError> {
        let prepare = || {
            let formula = |piece: &Piece| PieceFormula::new(piece, self.model.variables());
            let of_array = |lines: &Vec<Piece>| lines.iter().map(formula).collect();
            Some(self.line.coherence.as_ref()?.falsely_shared.iter().map(of_array).collect())
        };
        let Some(arrays) = self.falsely_shared.get_or_init(prepare) else { return Ok(None) };
        let lines = |point: &[i128]| arrays.iter().map(|lines| sum(lines, point)).collect::<Result<Vec<_>, Stop>>();
        self.answer(sizes, |point| lines(point).map(Some))
    }

    /// Returns the number of distinct blocks that `count` threads touch at sizes without parameters of threads: those of arrays that
    /// they share once, and of the others the copies of all threads. In models without names of arrays they share all.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::predict`], apart from limits.
    pub fn blocks_of_threads(&self, sizes: &NamedSizes, count: u64) -> Result<Int, EvalError> {
        let Some(outline) = self.model.program.as_ref().filter(|_| self.model.has_arrays_per_thread()) else {
            return Ok(self.totals(sizes)?.blocks);
        };
        let blocks = |sizes: &NamedSizes, per_thread: bool| {
            let arrays = self.line.array_blocks.iter().zip(&outline.arrays);
            let wanted: Vec<_> = arrays.filter(|(_, array)| array.per_thread == per_thread).collect();
            self.answer(sizes, |point| {
                wanted.iter().try_fold(Int::ZERO, |sum, (pieces, _)| Ok(&sum + &self.sum_of(pieces, point)?))
            })
        };
        let copies = (0..count).map(|number| blocks(&self.model.on_thread(sizes, number, count)?, true));
        copies.chain([blocks(sizes, false)]).try_fold(Int::ZERO, |sum, more| Ok(&sum + &more?))
    }

    fn coherence(&self, miss_model: MissModel) -> Option<&PredictionFormulas> {
        let formulas = match miss_model {
            MissModel::Denning => &self.denning_coherence,
            MissModel::Lru => &self.lru_coherence,
        };
        let prepare = || PredictionFormulas::coherence(self.line, miss_model, self.model.variables());
        formulas.get_or_init(prepare).as_ref()
    }
}
