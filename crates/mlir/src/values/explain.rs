//! The reasons why values are not affine, traced to the operations that cause them.

use melior::ir::ValueLike;
use symloc_affine::{Atom, Expr};
use symloc_frontend::cases::Cases;
use symloc_frontend::raising::Reason;

use super::{Known, Values};
use crate::expressions::refusal::{Cause, Refusal, row_hint};
use crate::ffi::{self, Definition, Op, Val, definition, is_flag};

impl<'a> Values<'a, '_> {
    /// Traces a value that is not affine to the operation that is the reason; `user` is the start of the search.
    pub(crate) fn explain(&self, mut cause: Cause<'a>, user: Option<Op<'a>>) -> Refusal {
        let mut value = None;
        loop {
            let operand = match cause {
                Cause::Operand(operand) => self.passed(operand),
                Cause::Here { why, hint } => return self.reason(value, why, hint, user),
                Cause::Trouble(trouble) => return self.reason(value, trouble.why(), trouble.hint(), user),
                Cause::Rows(refusal) => return self.reason(value, refusal.why(), row_hint(&refusal), user),
            };
            let op = match definition(operand) {
                Definition::Argument { .. } => return self.argument(operand),
                Definition::Result { op } => op,
            };
            if self.is_refused(op) {
                return Refusal::Reported;
            }
            let evaluated = match is_flag(operand.r#type()) {
                true => self.evaluate_flag(op).map(drop),
                false => self.evaluate(op).map(drop),
            };
            let unknown = || Cause::here(format!("it is the result of `{}`, which is not followed", ffi::name(op)));
            cause = evaluated.err().unwrap_or_else(unknown);
            value = Some(operand);
        }
    }

    fn reason(&self, value: Option<Val<'a>>, why: String, hint: Option<&str>, user: Option<Op<'a>>) -> Refusal {
        let why = match value {
            Some(value) => format!("{}: {why}", self.places.describe(value)),
            None => why,
        };
        let at = match value.map(definition) {
            Some(Definition::Result { op }) if user != Some(op) => self.places.of(op),
            _ => None,
        };
        Refusal::Because(Reason::new(why, at, hint))
    }

    /// Returns the reason why a block argument that is neither parameter nor iterator is not affine.
    fn argument(&self, value: Val<'a>) -> Refusal {
        let parent = match definition(value) {
            Definition::Argument { parent } => parent.map(ffi::name),
            Definition::Result { .. } => None,
        };
        let (why, hint) = match parent.as_deref() {
            Some("affine.for" | "scf.for") => {
                ("it is carried from one iteration to the next", "express it with iterators and parameters")
            }
            _ => ("it is the argument of a block", "express it with iterators and parameters"),
        };
        let why = format!("{}: {why}", self.places.describe(value));
        Refusal::Because(Reason::new(why, self.places.location(value.location()), Some(hint)))
    }

    /// Returns true if a comparison of sizes in a condition is decided only because sizes are at least 1.
    pub(crate) fn rests_on_sizes(&mut self, condition: Val<'a>, fuel: u32) -> bool {
        use melior::ir::operation::OperationLike;
        let (Some(fuel), Definition::Result { op }) = (fuel.checked_sub(1), definition(self.passed(condition))) else {
            return false;
        };
        if matches!(ffi::name(op).as_str(), "arith.andi" | "arith.ori" | "arith.xori" | "arith.select") {
            let operands: Vec<Val<'a>> = op.operands().collect();
            return operands.into_iter().any(|operand| self.rests_on_sizes(operand, fuel));
        }
        let varies = |expr: &Expr| expr.mentions(&|atom| matches!(atom, Atom::Iter(_)));
        let of_sizes = op.operands().all(|operand| match self.get(operand) {
            Some(Known::Index(Cases::Always(expr))) => !varies(expr),
            _ => false,
        });
        let decided = |values: &Self| matches!(values.evaluate_flag(op), Ok(Cases::Always(_)));
        let with_sizes = of_sizes && decided(self);
        self.ranges.ignore_sizes(true);
        let without = decided(self);
        self.ranges.ignore_sizes(false);
        with_sizes && !without
    }
}
