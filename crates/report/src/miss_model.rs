//! The two ways to predict misses, by the names that questions and answers have for them.

use clap::ValueEnum;
use symloc_evaluate::{EvalError, Evaluator, Prediction};
use symloc_model::{LineChoice, Model, Sizes};

/// How misses are predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MissModel {
    /// Denning's working set, from reuse intervals
    Denning,
    /// Fully associative LRU, from reuse distances: exact
    Lru,
}

impl MissModel {
    /// What was asked for, if the model can answer it; else LRU where there are distances.
    ///
    /// # Errors
    ///
    /// [`EvalError::Request`] if the model has no lines of this size, [`EvalError::NoDistances`] if LRU was asked for and
    /// there are none.
    pub fn choose(asked: Option<Self>, model: &Model, line: LineChoice) -> Result<Self, EvalError> {
        let held = model.line(line)?.distances.is_some();
        match asked {
            Some(MissModel::Lru) if !held => Err(EvalError::NoDistances),
            Some(asked) => Ok(asked),
            None if held => Ok(MissModel::Lru),
            None => Ok(MissModel::Denning),
        }
    }

    /// Prepares all caches at a size.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::locality`] or [`Evaluator::lru`], or [`EvalError::NoDistances`].
    pub fn predict(self, evaluator: &Evaluator<'_>, sizes: &Sizes) -> Result<Prediction, EvalError> {
        match self {
            MissModel::Denning => Ok(Prediction::Denning(Box::new(evaluator.locality(sizes)?))),
            MissModel::Lru => evaluator.lru(sizes)?.map(Box::new).map(Prediction::Lru).ok_or(EvalError::NoDistances),
        }
    }

    /// What its misses are called.
    pub fn title(self) -> &'static str {
        match self {
            MissModel::Denning => "Denning's working sets",
            MissModel::Lru => "exact LRU",
        }
    }

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            MissModel::Denning => "denning",
            MissModel::Lru => "lru",
        }
    }
}
