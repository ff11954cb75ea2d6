//! Finds the largest and the smallest value of an expression over the executions of an access.
//!
//! This is branch and bound. An iterator is at most any of its upper bounds and at least any of its lower bounds. Substituting
//! these, from the innermost loop outwards, turns an expression into an upper bound in the outer iterators. Values of an iterator
//! are tried from the end at which this bound is largest, and only as long as the bound exceeds the best value found. Loops like
//! those of matrix factorisations need as many steps as they are deep.

use crate::affine::Affine;
use crate::code::holds;
use crate::error::{ReplayError, overflow};
use crate::path::{Path, PathStep};

impl<S> Path<'_, S> {
    /// Returns the largest value; `None` if the access is never executed.
    pub(crate) fn largest(&self, expr: &Affine, iters: &mut [i64]) -> Result<Option<i64>, ReplayError> {
        let mut search = Search { steps: self.steps(), bounds: vec![None; self.steps().len() + 1], best: None };
        let mut bound = Some(expr.clone());
        for (depth, step) in self.steps().iter().enumerate().rev() {
            search.bounds[depth + 1] = bound.clone();
            if let PathStep::Loop(head) = step {
                bound = bound.and_then(|bound| head.at_most(&bound));
            }
        }
        search.bounds[0] = bound;
        search.from(0, expr, iters)?;
        Ok(search.best)
    }

    /// Returns the smallest value; `None` if the access is never executed.
    pub(crate) fn smallest(&self, expr: &Affine, iters: &mut [i64]) -> Result<Option<i64>, ReplayError> {
        let mut negated = Affine::constant(0);
        negated.add(expr, -1).ok_or_else(|| overflow("a subscript"))?;
        Ok(self.largest(&negated, iters)?.map(|value| -value))
    }
}

struct Search<'p, 'c> {
    steps: &'p [PathStep<'c>],
    /// By depth, an upper bound of the expression in the iterators outside; `None` if it is unknown.
    bounds: Vec<Option<Affine>>,
    best: Option<i64>,
}

impl Search<'_, '_> {
    fn from(&mut self, depth: usize, expr: &Affine, iters: &mut [i64]) -> Result<(), ReplayError> {
        let Some(step) = self.steps.get(depth) else {
            let value = expr.at(iters).ok_or_else(|| overflow("a subscript"))?;
            self.best = self.best.max(Some(value));
            return Ok(());
        };
        let head = match step {
            PathStep::Branch(condition, wanted) => {
                return if holds(condition, iters)? == *wanted { self.from(depth + 1, expr, iters) } else { Ok(()) };
            }
            PathStep::Loop(head) => head,
        };
        let (first, count) = head.iterations(iters)?;
        let slope = self.bounds[depth + 1].as_ref().and_then(|bound| bound.slope(head.slot));
        for done in 0..count {
            let index = if slope.is_some_and(|slope| slope > 0) { count - 1 - done } else { done };
            iters[head.slot] = first + head.step * index as i64;
            let promise = self.bounds[depth + 1].as_ref().and_then(|bound| bound.at(iters));
            if slope.is_some() && self.best.is_some() && promise.is_some_and(|promise| Some(promise) <= self.best) {
                break;
            }
            self.from(depth + 1, expr, iters)?;
        }
        Ok(())
    }
}
