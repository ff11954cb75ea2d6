//! The point at which a model is evaluated, and errors that name it.

use std::collections::BTreeSet;
use std::sync::Arc;

use symloc_model::{LineChoice, NamedSizes, SymbolicLine};
use symloc_quasi::{Constraint, Notation, Style, Var};

use super::Evaluator;
use crate::cumulative::Limit;
use crate::error::{EvalError, Stop};
use crate::instance::Instance;

impl Evaluator<'_> {
    /// Returns a result at a size: the work is given the values of all variables, which are in the model's context.
    pub(super) fn answer<T>(
        &self,
        sizes: &NamedSizes,
        work: impl FnOnce(&[i128]) -> Result<T, Stop>,
    ) -> Result<T, EvalError> {
        let point = self.point(sizes)?;
        self.check_context(&point)?;
        work(&point).map_err(|stop| self.error(stop, &point))
    }

    /// Returns the values of all variables. Where the line size is a parameter, a line size in bytes is one of the
    /// sizes.
    fn point(&self, sizes: &NamedSizes) -> Result<Vec<i128>, EvalError> {
        let (Some(symbolic), LineChoice::Bytes(bytes)) = (self.line.symbolic, self.choice) else {
            return Ok(sizes.point(self.model)?);
        };
        let SymbolicLine { parameter, element_bytes } = symbolic;
        let elements = i64::try_from(bytes / element_bytes).ok().filter(|_| bytes.is_multiple_of(element_bytes));
        let elements = elements.ok_or(EvalError::LineBytes { bytes, element_bytes })?;
        let name = &self.model.parameters[parameter];
        let mut sizes = sizes.clone();
        match sizes.insert(name, elements) {
            Some(defined) if defined != elements => {
                Err(EvalError::TwoLines { bytes, elements, defined: format!("{name} = {defined}") })
            }
            _ => Ok(sizes.point(self.model)?),
        }
    }

    /// Returns the bytes per line at a point.
    fn line_bytes(&self, point: &[i128]) -> Option<u64> {
        let Some(SymbolicLine { parameter, element_bytes }) = self.line.symbolic else {
            return self.line.line_bytes;
        };
        u64::try_from(point[parameter]).ok()?.checked_mul(element_bytes)
    }

    /// Returns the limit of queries at a point.
    pub(super) fn limit(&self, point: &[i128]) -> Arc<Limit> {
        Arc::new(Limit { points: self.points, sizes: self.sizes_text(point, &|_| true) })
    }

    /// Returns the size and the line size at a point.
    pub(super) fn place(&self, point: &[i128]) -> Instance {
        Instance {
            parameters: self.model.parameters.iter().cloned().zip(point.iter().copied()).collect(),
            line_bytes: self.line_bytes(point),
            element: self.line.element,
        }
    }

    /// Reports all conditions that the point violates in one error.
    fn check_context(&self, point: &[i128]) -> Result<(), EvalError> {
        let all = self.model.context.iter().zip(&self.context);
        let violated: Vec<_> = all.filter(|(_, condition)| !condition.holds(point)).map(|(c, _)| c.clone()).collect();
        if violated.is_empty() {
            return Ok(());
        }
        // The share of a thread follows from the sizes, which are to blame if they can be.
        let of_sizes = |c: &&Constraint| {
            let of_thread = |var: &Var| self.model.threads.as_ref().is_some_and(|t| t.contains(var.0 as usize));
            !c.poly.vars().iter().any(of_thread)
        };
        let blamed: Vec<_> = violated.iter().filter(of_sizes).cloned().collect();
        let violated = if blamed.is_empty() { violated } else { blamed };
        let vars: BTreeSet<usize> = violated.iter().flat_map(|c| c.poly.vars()).map(|v| v.0 as usize).collect();
        let counts = self.model.line_counts.iter().zip(self.model.first_line_count()..);
        let counted = |index: usize| counts.clone().any(|(c, at)| vars.contains(&at) && [c.of, c.by].contains(&index));
        let mentioned = |index: usize| vars.contains(&index) || counted(index);
        let only_line = self.line.symbolic.is_some_and(|line| vars.iter().eq([&line.parameter]));
        Err(EvalError::OutsideContext {
            sizes: self.sizes_text(point, &mentioned),
            conditions: Notation::new(Style::Plain, &self.model.names()).conjunction(&violated),
            line_bytes: self.line_bytes(point).filter(|bytes| *bytes > 0 && only_line),
        })
    }

    fn sizes_text(&self, point: &[i128], shown: &dyn Fn(usize) -> bool) -> String {
        let named = self.model.parameters.iter().zip(point).enumerate().filter(|(index, _)| shown(*index));
        let text: Vec<_> = named.map(|(_, (name, value))| format!("{name} = {value}")).collect();
        if text.is_empty() { "every size".to_owned() } else { text.join(", ") }
    }

    pub(super) fn error(&self, stop: Stop, point: &[i128]) -> EvalError {
        match stop {
            Stop::Limit => self.limit(point).exceeded(),
            Stop::Contradiction(reason) => EvalError::Inconsistent { sizes: self.sizes_text(point, &|_| true), reason },
            Stop::Refused(error) => error,
        }
    }
}
