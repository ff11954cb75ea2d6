//! An evaluator that keeps its model alive, so that C may free the two in any order.

use std::sync::Arc;

use ::symloc_model::{LineChoice, Model};
use symloc_evaluate::{EvalError, Evaluator};

/// An evaluator and its model.
pub(crate) struct Prepared {
    /// Borrows from `model`. The first field is dropped first.
    evaluator: Evaluator<'static>,
    model: Arc<Model>,
}

impl Prepared {
    /// Prepares a model; `points` limits the points that an evaluation visits.
    pub(crate) fn new(model: &Arc<Model>, line: LineChoice, points: Option<u64>) -> Result<Self, EvalError> {
        let model = Arc::clone(model);
        // SAFETY: the model lies behind an `Arc` and does not move, nobody changes it, and `self` keeps it for longer
        // than `evaluator`, which does not leave with this lifetime: `evaluator()` shortens it.
        let borrowed: &'static Model = unsafe { &*Arc::as_ptr(&model) };
        let evaluator = Evaluator::new(borrowed, line)?;
        let evaluator = match points {
            Some(points) => evaluator.with_limit(points),
            None => evaluator,
        };
        Ok(Self { evaluator, model })
    }

    pub(crate) fn evaluator(&self) -> &Evaluator<'_> {
        &self.evaluator
    }

    pub(crate) fn model(&self) -> &Model {
        &self.model
    }
}
