//! Errors of evaluation.

use symloc_model::RequestError;

/// The reason why a model has no value at a size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvalError {
    /// The request does not fit the model.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The model was derived under conditions that the size violates.
    #[error("{sizes} is outside the model's context: {conditions} is required")]
    OutsideContext {
        /// The sizes that the conditions mention.
        sizes: String,
        /// The violated conditions.
        conditions: String,
        /// Bytes per line, if the line size is a parameter and all violated conditions are about it alone.
        line_bytes: Option<u64>,
    },
    /// The model does not hold previous accesses: an earlier version of symloc made it.
    #[error("the model does not tell previous accesses: it was made by an earlier symloc ({generator})")]
    NoPrevious {
        /// The program that made it.
        generator: String,
    },
    /// The model holds no classes: misses are estimated from samples of a run.
    #[error("the model holds no formulas of reuse, of which the program has too many")]
    Sampled,
    /// The model was derived without reuse distances.
    #[error("the model holds no reuse distances")]
    NoDistances,
    /// The line size in bytes does not hold a whole number of elements.
    #[error("a line of {bytes} bytes does not hold a whole number of {element_bytes}-byte elements")]
    LineBytes {
        /// The line size in bytes.
        bytes: u64,
        /// The size of an element in bytes.
        element_bytes: u64,
    },
    /// Two different line sizes were given.
    #[error("a line of {bytes} bytes holds {elements} elements, but {defined}")]
    TwoLines {
        /// The line size in bytes.
        bytes: u64,
        /// The number of elements in it.
        elements: i64,
        /// The number of elements that was given.
        defined: String,
    },
    /// More points would be visited than the limit allows.
    #[error("limit: the evaluation visits more than {points} points of free iterators at {sizes}")]
    Limit {
        /// The limit.
        points: u64,
        /// The sizes.
        sizes: String,
    },
    /// The model contradicts itself: the file was changed, or the derivation was wrong.
    #[error("the model is wrong at {sizes}: {reason}")]
    Inconsistent {
        /// The sizes.
        sizes: String,
        /// The contradiction.
        reason: String,
    },
}

/// The reason why an evaluation stops early.
pub(crate) enum Stop {
    Limit,
    Contradiction(String),
    Refused(EvalError),
}

impl From<String> for Stop {
    fn from(contradiction: String) -> Self {
        Stop::Contradiction(contradiction)
    }
}
