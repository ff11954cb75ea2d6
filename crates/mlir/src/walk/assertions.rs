//! `cf.assert`: past an assertion its condition may be assumed.
//!
//! An assertion on sizes alone becomes a condition of the model. An example is a network that clamps a sequence to the
//! length of its mask and then asserts that nothing was cut off.

use melior::ir::operation::OperationLike;
use symloc_affine::{AssumptionKind, Atom, Constraint, Relation};
use symloc_frontend::cases::{Cases, negation};
use symloc_frontend::ranges::Ranges;

use super::walker::Walker;
use crate::ffi::Op;

impl<'a> Walker<'a, '_> {
    /// Adds the condition of an assertion outside of loops and branches to the context.
    pub(crate) fn assertion(&mut self, op: Op<'a>) {
        let is_function = op.parent_operation().is_some_and(|parent| crate::ffi::name(parent) == "func.func");
        let Some(Ok(holds)) = op.operand(0).ok().filter(|_| is_function).map(|flag| self.values.known_flag(flag))
        else {
            return;
        };
        let mut paths = Vec::new();
        if !collect(&holds, &mut Vec::new(), &mut paths) {
            return;
        }
        paths.retain(|path| is_possible(path, &self.values.ranges));
        let [path] = paths.as_slice() else { return };
        let is_size = |constraint: &Constraint| {
            let has_iterators = constraint.expr.mentions(&|atom| !matches!(atom, Atom::Param(_)));
            constraint.relation == Relation::NonNegative && !has_iterators
        };
        let open: Vec<_> =
            path.iter().filter(|constraint| self.values.ranges.decide(constraint) != Some(true)).cloned().collect();
        if open.is_empty() || !open.iter().all(is_size) {
            return;
        }
        let text = "the model is for sizes for which this assertion of the program holds; its context says so";
        self.assuming(op, AssumptionKind::Assertion, text);
        for constraint in open {
            self.values.ranges.add_fact(constraint.clone());
            self.context.push(constraint);
        }
    }
}

/// Collects the conjunction of each case that is true; returns false if a case is not a conjunction.
fn collect(holds: &Cases<bool>, path: &mut Vec<Constraint>, paths: &mut Vec<Vec<Constraint>>) -> bool {
    let when = match holds {
        Cases::Always(true) => {
            paths.push(path.clone());
            return true;
        }
        Cases::Always(false) => return true,
        Cases::When(when) => when,
    };
    let length = path.len();
    path.extend(when.condition.iter().cloned());
    let mut is_whole = collect(&when.then, path, paths);
    path.truncate(length);
    // The negation of an equality is not a conjunction.
    match negation(&when.condition) {
        Ok(Some(not)) => path.push(not),
        _ => return is_whole && matches!(when.otherwise, Cases::Always(false)),
    }
    is_whole &= collect(&when.otherwise, path, paths);
    path.truncate(length);
    is_whole
}

/// Returns true if no condition is known to contradict the others.
fn is_possible(path: &[Constraint], ranges: &Ranges) -> bool {
    let contradicts = |(position, constraint): (usize, &Constraint)| {
        let mut others = ranges.clone();
        for (_, other) in path.iter().enumerate().filter(|(other, _)| *other != position) {
            others.add_fact(other.clone());
        }
        others.decide(constraint) == Some(false)
    };
    !path.iter().enumerate().any(contradicts)
}
