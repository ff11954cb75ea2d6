//! Conditions on the sizes that the reading relies on.

use symloc_affine::{AssumptionKind, Atom, Constraint, Expr};
use symloc_frontend::arithmetic::Trouble;
use symloc_frontend::cases::CasePath;
use symloc_frontend::poly::Poly;

use crate::ir::ffi::Value;
use crate::values::environment::{Requirement, UnsignedAtExit, Values};

impl<'m> Values<'m> {
    /// Returns true if an expression is not negative, or if it is one in the sizes alone: then that is required from
    /// now on.
    #[must_use]
    pub(crate) fn require(&mut self, expr: &Expr, at: Value<'m>, why: &'static str) -> bool {
        let holds = Constraint::non_negative(expr.clone());
        match self.ranges.decide(&holds) {
            Some(decided) => return decided,
            None if self.ranges.follows_from_sizes(expr) => return true,
            None if expr.mentions(&|atom| matches!(atom, Atom::Iter(_))) => return false,
            None => {}
        }
        self.required.push(Requirement { expr: expr.clone(), at, why, kind: AssumptionKind::NumberRange });
        self.ranges.add_fact(holds);
        true
    }

    /// Returns true if one of some expressions is not negative. If none is known to be so, that is required of one in the sizes alone.
    #[must_use]
    pub(crate) fn require_one(&mut self, exprs: &[Expr], at: Value<'m>, why: &'static str) -> bool {
        let is_known = |expr: &Expr| {
            let decided = self.ranges.decide(&Constraint::non_negative(expr.clone()));
            decided.unwrap_or_else(|| self.ranges.follows_from_sizes(expr))
        };
        exprs.iter().any(is_known) || exprs.iter().any(|expr| self.require(expr, at, why))
    }

    /// Returns true if the value is known not to be negative.
    pub(crate) fn non_negative(&self, value: &Poly) -> bool {
        match value.affine() {
            Some(expr) => self.ranges.non_negative(&expr),
            // Sizes are positive.
            None => value.terms().all(|(_, coefficient)| self.ranges.non_negative(coefficient)),
        }
    }

    /// Returns true if the value is known not to be negative in a case, or if the case does not arise.
    pub(crate) fn non_negative_in(&mut self, case: &CasePath, value: &Poly) -> bool {
        if self.non_negative(value) {
            return true;
        }
        let facts = self.ranges.facts().to_vec();
        let holds = !self.ranges.add_case(case) || self.non_negative(value);
        self.ranges.replace_facts(facts);
        holds
    }

    /// Returns true if an expression is not negative in a case, or if it is one in the sizes alone: then that is required of all
    /// sizes from now on.
    #[must_use]
    pub(crate) fn require_in(&mut self, case: &CasePath, expr: &Expr, at: Value<'m>, why: &'static str) -> bool {
        self.non_negative_in(case, &expr.clone().into()) || self.require(expr, at, why)
    }

    /// Checks that a value that is read as unsigned is not negative in its case; a condition on the sizes is required if
    /// that makes it so.
    pub(crate) fn unsigned(&mut self, value: &Poly, at: Value<'m>, case: &CasePath) -> Result<(), Trouble> {
        if self.non_negative_in(case, value) {
            return Ok(());
        }
        if self.at_exit {
            self.unsigned_at_exit.push(UnsignedAtExit { value: value.clone(), at, case: case.clone() });
            return Ok(());
        }
        let expr = value.to_affine()?;
        if self.require(&expr, at, "an unsigned number must not wrap around") {
            Ok(())
        } else {
            Err(Trouble::MayBeNegative(expr))
        }
    }
}
