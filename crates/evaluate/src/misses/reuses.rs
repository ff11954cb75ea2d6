//! The number of reuses beyond a value.

use std::sync::Arc;

use symloc_quasi::Int;

use crate::count::Parts;
use crate::cumulative::{Below, Cumulative, Limit};
use crate::error::EvalError;

/// Some reuses of a program at one size, by value: a reuse interval, or a position in the LRU stack.
#[derive(Debug)]
pub struct Reuses {
    pub(crate) values: Cumulative,
    count: Int,
}

impl Reuses {
    /// Prepares the real ones of some accesses.
    pub(crate) fn new(parts: Parts, limit: &Arc<Limit>) -> Self {
        let values = Cumulative::new(parts, limit);
        Self { count: values.all().real, values }
    }

    /// Returns the number of reuses.
    pub fn count(&self) -> &Int {
        &self.count
    }

    /// Returns the number of reuses with a value above `x`.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn above(&self, x: &Int) -> Result<Int, EvalError> {
        Ok(self.rest(&self.values.below(x)?))
    }

    /// Returns the number of reuses that are not in `below`.
    pub(crate) fn rest(&self, below: &Below) -> Int {
        &self.count - &below.real
    }
}
