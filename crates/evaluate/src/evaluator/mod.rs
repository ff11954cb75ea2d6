//! Evaluation of a model at one size.
//!
//! [`Evaluator`] is a model at one line size with its polynomials prepared. A class without free iterators gives
//! one number and its count. The others are evaluated in one of these ways:
//!
//! - [`Evaluator::predict`] decomposes their points into parts with closed forms, and computes the misses of caches;
//! - [`Evaluator::attribution`] does the same for each access by itself;
//! - [`Evaluator::distribution`] computes the whole histogram. It visits the points within the bounds of the free
//!   iterators, outermost first, and checks each constraint of the domain as soon as its variables have values.

mod size;
#[cfg(test)]
mod tests;
mod threads;
mod writes;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use symloc_model::{IntervalKind, LineChoice, LineModel, Model, NamedSizes, Outline, Owner, Reuse, SampledReuse};
use symloc_quasi::{Int, Piece};

use crate::count::Parts;
use crate::cumulative::Limit;
use crate::distribution::{Bin, Distribution, Histograms};
use crate::error::{EvalError, Stop};
use crate::formulas::{ClassFormula, PieceFormula, PredictionFormulas, PreparedConstraint, sum};
use crate::instance::Totals;
use crate::miss_model::MissModel;
use crate::misses::attribution::{Attribution, Share, check_shares};
use crate::misses::prediction::{Prediction, Windowed};
use crate::misses::reuses::Reuses;
use crate::misses::working_set::WorkingSet;

/// The default limit on the points of free iterators that an evaluation visits: a few seconds, and in the worst case,
/// when all intervals differ, a few gigabytes.
pub const DEFAULT_POINTS: u64 = 20_000_000;

/// The classes that a miss model predicts from, or their parts at a size.
struct PredictionClasses<T> {
    /// The reuses with a known distance.
    places: T,
    /// Those that are judged by their interval, in LRU.
    estimated: Option<T>,
    /// All reuses by their interval, where windows of Denning's model judge some.
    windows: Option<T>,
}

/// A model at one line size with its polynomials prepared, as far as questions needed them.
#[derive(Debug)]
pub struct Evaluator<'m> {
    model: &'m Model,
    line: &'m LineModel,
    choice: LineChoice,
    points: u64,
    context: Vec<PreparedConstraint>,
    accesses: Vec<PieceFormula>,
    blocks: Vec<PieceFormula>,
    /// Prepared on first use, as all that follow.
    denning: OnceLock<PredictionFormulas>,
    /// `None` if the model holds no distances.
    lru: OnceLock<Option<PredictionFormulas>>,
    /// Those of each access by itself.
    denning_by_access: OnceLock<PredictionFormulas>,
    lru_by_access: OnceLock<Option<PredictionFormulas>>,
    /// Those of reuses that other threads invalidate.
    denning_coherence: OnceLock<Option<PredictionFormulas>>,
    lru_coherence: OnceLock<Option<PredictionFormulas>>,
    /// Those of writes.
    denning_write_backs: OnceLock<Option<PredictionFormulas>>,
    lru_write_backs: OnceLock<Option<PredictionFormulas>>,
    /// By array, the lines that threads share falsely.
    falsely_shared: OnceLock<Option<Vec<Vec<PieceFormula>>>>,
}

impl<'m> Evaluator<'m> {
    /// Prepares a model at one of its line sizes.
    ///
    /// # Errors
    ///
    /// [`RequestError::Line`](symloc_model::RequestError::Line) if the model does not hold it.
    pub fn new(model: &'m Model, choice: LineChoice) -> Result<Self, EvalError> {
        let line = model.line(choice)?;
        let parameters = model.variables();
        let pieces = |pieces: &[Piece]| pieces.iter().map(|p| PieceFormula::new(p, parameters)).collect();
        Ok(Self {
            model,
            line,
            choice,
            points: DEFAULT_POINTS,
            context: model.context.iter().map(|c| PreparedConstraint::new(c, parameters)).collect(),
            accesses: pieces(&model.accesses),
            blocks: pieces(&line.blocks),
            denning: OnceLock::new(),
            lru: OnceLock::new(),
            denning_by_access: OnceLock::new(),
            lru_by_access: OnceLock::new(),
            denning_coherence: OnceLock::new(),
            lru_coherence: OnceLock::new(),
            denning_write_backs: OnceLock::new(),
            lru_write_backs: OnceLock::new(),
            falsely_shared: OnceLock::new(),
        })
    }

    /// Returns the model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Returns true if the model holds reuse distances.
    pub fn has_distances(&self) -> bool {
        self.line.distances.is_some()
    }

    /// Limits the points of free iterators that one evaluation visits; see [`DEFAULT_POINTS`].
    #[must_use]
    pub fn with_limit(self, points: u64) -> Self {
        Self { points, ..self }
    }

    /// Returns the numbers of accesses and of distinct blocks at a size, which every model holds.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::predict`] that are about the size.
    pub fn totals(&self, sizes: &NamedSizes) -> Result<Totals, EvalError> {
        self.answer(sizes, |point| self.totals_at(point))
    }

    fn totals_at(&self, point: &[i128]) -> Result<Totals, Stop> {
        let (accesses, blocks) = (sum(&self.accesses, point)?, sum(&self.blocks, point)?);
        Ok(Totals { place: self.place(point), accesses, blocks })
    }

    /// Returns the number of executions of each access at a size.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::attribution`].
    pub fn executions(&self, sizes: &NamedSizes) -> Result<Vec<Int>, EvalError> {
        let program = self.model.outline()?;
        self.answer(sizes, |point| match &self.model.sampled {
            Some(SampledReuse { executions, of_accesses }) => {
                let counts = executions.iter().map(|pieces| self.sum_of(pieces, point));
                let counts = counts.collect::<Result<Vec<_>, _>>()?;
                Ok(of_accesses.iter().map(|of| counts[*of].clone()).collect())
            }
            None => {
                let shares = self.shares(program, point, &self.limit(point))?;
                Ok(shares.iter().map(|share| share.accesses().clone()).collect())
            }
        })
    }

    /// Returns the histogram from which a miss model predicts at a size, and checks that it adds up.
    ///
    /// # Errors
    ///
    /// [`EvalError::Request`] and [`EvalError::OutsideContext`] if the size does not fit the model,
    /// [`EvalError::LineBytes`] and [`EvalError::TwoLines`] if the line size does not, [`EvalError::Sampled`] if the model
    /// holds no classes, [`EvalError::NoDistances`] if it holds no distances for LRU, [`EvalError::Limit`] if too many points would be visited, [`EvalError::Inconsistent`]
    /// if the classes do not add up.
    pub fn distribution(&self, miss_model: MissModel, sizes: &NamedSizes) -> Result<Distribution, EvalError> {
        self.answer(sizes, |point| {
            let formulas = self.formulas(miss_model)?;
            let mut left = self.points;
            let mut histograms = |classes: &[ClassFormula]| {
                let mut found = Histograms::default();
                classes.iter().try_for_each(|class| class.evaluate(point, &mut left, &mut found)).map(|()| found)
            };
            let (places, intervals) = (histograms(&formulas.places)?, histograms(&formulas.intervals)?);
            let distance = |bin: Bin| Bin { interval: &bin.interval - &Int::from(1), ..bin };
            let distribution = Distribution {
                miss_model,
                place: self.place(point),
                accesses: sum(&self.accesses, point)?,
                blocks: sum(&self.blocks, point)?,
                distances: places.real.finish().into_iter().map(distance).collect(),
                real: intervals.real.finish(),
                imaginary: intervals.imaginary.finish(),
            };
            distribution.check()?;
            Ok(distribution)
        })
    }

    /// Returns the misses of all caches at a size. Checks that the classes add up, like [`Evaluator::distribution`], but
    /// without visiting each of their points.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::distribution`].
    pub fn predict(&self, miss_model: MissModel, sizes: &NamedSizes) -> Result<Prediction, EvalError> {
        self.answer(sizes, |point| {
            let PredictionClasses { places, estimated, windows } = self.classes(miss_model)?;
            let mut left = self.points;
            let places = parts(places, point, &mut left)?;
            let estimated = estimated.map(|classes| parts(classes, point, &mut left)).transpose()?;
            let windows = windows.map(|classes| parts(classes, point, &mut self.points.clone())).transpose()?;
            self.prediction(miss_model, point, PredictionClasses { places, estimated, windows })
        })
    }

    /// Returns the classes from which a miss model predicts.
    fn classes(&self, miss_model: MissModel) -> Result<PredictionClasses<&[ClassFormula]>, Stop> {
        let PredictionFormulas { places, intervals } = self.formulas(miss_model)?;
        Ok(match miss_model {
            MissModel::Denning => PredictionClasses { places, estimated: None, windows: Some(intervals) },
            MissModel::Lru if intervals.is_empty() => PredictionClasses { places, estimated: None, windows: None },
            MissModel::Lru => {
                PredictionClasses { places, estimated: Some(intervals), windows: Some(&self.denning().intervals) }
            }
        })
    }

    /// Returns the misses of all caches at a size from the parts of the classes.
    fn prediction(
        &self,
        miss_model: MissModel,
        point: &[i128],
        parts: PredictionClasses<Parts>,
    ) -> Result<Prediction, Stop> {
        let PredictionClasses { places, estimated, windows } = parts;
        let (totals, limit) = (self.totals_at(point)?, self.limit(point));
        let (places, estimated) =
            (Reuses::new(places, &limit), estimated.map(|estimated| Reuses::new(estimated, &limit)));
        let working_set = |windows| WorkingSet::new(totals.accesses.clone(), totals.blocks.clone(), windows, &limit);
        let windowed = match windows {
            Some(windows) => Some(Windowed { working_set: working_set(windows)?, estimated }),
            None => None,
        };
        Ok(Prediction::new(miss_model, totals, places, windowed)?)
    }

    /// Returns the places and the intervals of classes at a size.
    fn values(&self, formulas: &PredictionFormulas, sizes: &NamedSizes) -> Result<[Reuses; 2], EvalError> {
        self.answer(sizes, |point| {
            let (limit, mut left) = (self.limit(point), self.points);
            let mut reuses =
                |classes: &[ClassFormula]| Ok::<_, Stop>(Reuses::new(parts(classes, point, &mut left)?, &limit));
            Ok([reuses(&formulas.places)?, reuses(&formulas.intervals)?])
        })
    }

    fn formulas(&self, miss_model: MissModel) -> Result<&PredictionFormulas, Stop> {
        match miss_model {
            _ if self.model.sampled.is_some() => Err(Stop::Refused(EvalError::Sampled)),
            MissModel::Denning => Ok(self.denning()),
            MissModel::Lru => {
                let lru = || PredictionFormulas::lru(self.line, Owner::Program, self.model.variables());
                self.lru.get_or_init(lru).as_ref().ok_or(Stop::Refused(EvalError::NoDistances))
            }
        }
    }

    fn denning(&self) -> &PredictionFormulas {
        let denning = || PredictionFormulas::denning(self.line, Owner::Program, self.model.variables());
        self.denning.get_or_init(denning)
    }

    /// Attributes the misses of a prediction of this evaluator to accesses. Checks that their reuses add up.
    ///
    /// # Errors
    ///
    /// [`RequestError::Unattributed`](symloc_model::RequestError::Unattributed) for models of
    /// [`SCHEMA_1`](symloc_model::SCHEMA_1), else those of [`Evaluator::predict`].
    pub fn attribution<'p>(&self, prediction: &'p Prediction) -> Result<Attribution<'p>, EvalError> {
        let program = self.model.outline()?;
        self.answer(&prediction.place().sizes(), |point| {
            let limit = self.limit(point);
            let mut shares = self.shares(program, point, &limit)?;
            let blocks = self.line.array_blocks.iter().map(|pieces| self.sum_of(pieces, point));
            let blocks = blocks.collect::<Result<Vec<_>, _>>()?;
            check_shares(&shares, program, &sum(&self.accesses, point)?, &blocks)?;
            if prediction.miss_model() == MissModel::Lru {
                shares = self.shares_by_distance(shares, program, point, &limit)?;
            }
            Ok(Attribution::new(prediction, shares, blocks))
        })
    }

    fn shares(&self, program: &Outline, point: &[i128], limit: &Arc<Limit>) -> Result<Vec<Share>, Stop> {
        let prepare = || PredictionFormulas::denning(self.line, Owner::Access, self.model.variables());
        let formulas = self.denning_by_access.get_or_init(prepare);
        let parts = by_access(&formulas.intervals, program, point, &mut self.points.clone())?;
        Ok(parts.into_iter().map(|parts| Share::new(parts, limit)).collect())
    }

    fn shares_by_distance(
        &self,
        shares: Vec<Share>,
        program: &Outline,
        point: &[i128],
        limit: &Arc<Limit>,
    ) -> Result<Vec<Share>, Stop> {
        let prepare = || PredictionFormulas::lru(self.line, Owner::Access, self.model.variables());
        let formulas = self.lru_by_access.get_or_init(prepare).as_ref().ok_or(Stop::Refused(EvalError::NoDistances))?;
        let mut left = self.points;
        let places = by_access(&formulas.places, program, point, &mut left)?;
        let intervals = by_access(&formulas.intervals, program, point, &mut left)?;
        let reuses = shares.into_iter().zip(places).zip(intervals);
        let shares = reuses.map(|((share, places), intervals)| share.by_distance(places, intervals, limit));
        Ok(shares.collect::<Result<_, String>>()?)
    }

    /// Returns the number of floating-point operations at a size; `None` if the model does not hold it.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::predict`], apart from limits.
    pub fn operations(&self, sizes: &NamedSizes) -> Result<Option<Int>, EvalError> {
        let count =
            |point: &[i128]| self.model.operations.as_ref().map(|pieces| self.sum_of(pieces, point)).transpose();
        self.answer(sizes, count)
    }

    /// Returns the value of pieces that are not prepared.
    fn sum_of(&self, pieces: &[Piece], point: &[i128]) -> Result<Int, Stop> {
        let pieces: Vec<_> = pieces.iter().map(|piece| PieceFormula::new(piece, point.len())).collect();
        sum(&pieces, point)
    }

    /// Returns the reuses from each access to each other at a size: by interval, or for LRU those with a known distance,
    /// by their position in the stack, which is the distance plus one.
    ///
    /// # Errors
    ///
    /// [`EvalError::NoPrevious`] for models without previous accesses, else those of [`Evaluator::predict`].
    pub fn reuses(&self, miss_model: MissModel, sizes: &NamedSizes) -> Result<BTreeMap<Reuse, Reuses>, EvalError> {
        let (owner, parameters) = (Owner::Reuse, self.model.variables());
        let classes = match miss_model {
            MissModel::Denning => Some(PredictionFormulas::denning(self.line, owner, parameters).intervals),
            MissModel::Lru => PredictionFormulas::lru(self.line, owner, parameters).map(|formulas| formulas.places),
        };
        self.answer(sizes, |point| {
            self.formulas(miss_model)?;
            let classes = classes.ok_or(Stop::Refused(EvalError::NoDistances))?;
            let mut parts: BTreeMap<Reuse, Parts> = BTreeMap::new();
            let mut left = self.points;
            for class in classes.iter().filter(|class| class.kind == IntervalKind::Real) {
                for piece in &class.counts {
                    let unknown = || Stop::Refused(EvalError::NoPrevious { generator: self.model.generator.clone() });
                    let reuse = piece.reuse.filter(|reuse| reuse.previous.is_some()).ok_or_else(unknown)?;
                    class.cut_piece(piece, point, &mut left, parts.entry(reuse).or_default())?;
                }
            }
            let limit = self.limit(point);
            Ok(parts.into_iter().map(|(reuse, parts)| (reuse, Reuses::new(parts, &limit))).collect())
        })
    }
}

/// Returns the parts of classes at a size.
fn parts(classes: &[ClassFormula], point: &[i128], left: &mut u64) -> Result<Parts, Stop> {
    let mut parts = Parts::default();
    classes.iter().try_for_each(|class| class.cut(point, left, &mut parts))?;
    Ok(parts)
}

/// Returns the parts of classes at a size, for each access of the program by itself.
fn by_access(classes: &[ClassFormula], program: &Outline, point: &[i128], left: &mut u64) -> Result<Vec<Parts>, Stop> {
    let mut parts = vec![Parts::default(); program.accesses.len()];
    for class in classes {
        for piece in &class.counts {
            let own = piece.reuse.and_then(|reuse| parts.get_mut(reuse.access));
            let own = own.ok_or_else(|| Stop::Contradiction("a count of no access".to_owned()))?;
            class.cut_piece(piece, point, left, own)?;
        }
    }
    Ok(parts)
}
