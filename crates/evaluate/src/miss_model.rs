//! The two ways to predict misses, with their names in questions and answers.

use symloc_model::{LineChoice, Model};

use crate::error::EvalError;

/// The model that predicts misses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissModel {
    /// Denning's working set, from reuse intervals.
    Denning,
    /// Fully associative LRU, from reuse distances: exact.
    Lru,
}

impl MissModel {
    /// Both models.
    pub const ALL: [Self; 2] = [MissModel::Denning, MissModel::Lru];

    /// Returns the model that was asked for, if it can be used; by default LRU where there are distances.
    ///
    /// # Errors
    ///
    /// [`EvalError::Request`] if the model has no lines of this size, [`EvalError::NoDistances`] if LRU was asked for
    /// and there are none.
    pub fn choose(asked: Option<Self>, model: &Model, line: LineChoice) -> Result<Self, EvalError> {
        let held = model.line(line)?.distances.is_some();
        match asked {
            Some(MissModel::Lru) if !held => Err(EvalError::NoDistances),
            Some(asked) => Ok(asked),
            None if held => Ok(MissModel::Lru),
            None => Ok(MissModel::Denning),
        }
    }

    /// Returns the title of its misses.
    pub fn title(self) -> &'static str {
        match self {
            MissModel::Denning => "Denning's working sets",
            MissModel::Lru => "exact LRU",
        }
    }

    /// Returns the name in JSON and on command lines.
    pub fn name(self) -> &'static str {
        match self {
            MissModel::Denning => "denning",
            MissModel::Lru => "lru",
        }
    }
}
