//! Finds the largest and the smallest value of an expression over the executions of an access.
//!
//! This is branch and bound. An iterator is at most any of its upper bounds and at least any of its lower bounds, and conditions
//! in its loop bound it further. Substituting these, from the innermost loop outwards, turns an expression into an upper bound in
//! the outer iterators. Values of an iterator
//! are tried from the end at which this bound is largest, and only as long as the bound exceeds the best value found. Loops like
//! those of matrix factorisations need as many steps as they are deep.

use symloc_affine::Relation;

use crate::affine::Affine;
use crate::code::{For, holds};
use crate::error::{ReplayError, overflow};
use crate::path::{Path, PathStep};

impl<S> Path<'_, S> {
    /// Returns the largest value; `None` if the access is never executed.
    pub(crate) fn largest(&self, expr: &Affine, iters: &mut [i64]) -> Result<Option<i64>, ReplayError> {
        let mut search = Search { steps: self.steps(), bounds: vec![None; self.steps().len() + 1], best: None };
        let mut bound = Some(expr.clone());
        let mut inside = Inside::default();
        for (depth, step) in self.steps().iter().enumerate().rev() {
            search.bounds[depth + 1] = bound.clone();
            match step {
                PathStep::Loop(head) => {
                    bound = bound.and_then(|bound| inside.at_most(head, &bound).or_else(|| head.at_most(&bound)));
                    inside.slots.push(head.slot);
                }
                PathStep::Branch(conditions, true) => inside.conditions.extend(*conditions),
                PathStep::Branch(_, false) => {}
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

/// What is inside of a loop.
#[derive(Default)]
struct Inside<'c> {
    /// Conditions that hold.
    conditions: Vec<&'c (Affine, Relation)>,
    /// The iterators of loops.
    slots: Vec<usize>,
}

impl Inside<'_> {
    /// Returns an upper bound of an expression in a loop, in the iterators outside, by a condition in the loop; `None` if
    /// none bounds the iterator from this side.
    fn at_most(&self, head: &For, expr: &Affine) -> Option<Affine> {
        let slope = expr.slope(head.slot)?;
        let bounds = |(condition, _): &&&(Affine, Relation)| {
            condition.slope(head.slot) == Some(-slope.signum())
                && !self.slots.iter().any(|slot| condition.mentions(*slot))
        };
        let (condition, _) = self.conditions.iter().find(bounds)?;
        // With a slope of -1, `rest - iterator >= 0`; with 1, `rest + iterator >= 0`.
        let mut bound = expr.without(head.slot);
        bound.add(&condition.without(head.slot), slope.checked_abs().filter(|slope| *slope != 0)?)?;
        Some(bound)
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
