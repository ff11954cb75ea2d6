//! The parts of an `scf.while`: the comparison that decides, and the counter that it compares; and the steps of other loops, which are
//! constants, or multiples of the parameters of `--tile`.

use melior::ir::operation::OperationLike;
use symloc_affine::{Atom, Expr, LoopStep, Overflow};
use symloc_frontend::arithmetic::Comparison;
use symloc_frontend::cases::{Cases, join};

use super::iter_args::{Passing, yielded};
use super::walker::Walker;
use crate::expressions::refusal::{Cause, Refusal};
use crate::ffi::{self, Definition, Op, Region, Val, definition, op_results};
use crate::ops::comparisons::Predicate;
use crate::ops::unsupported;

/// A `scf.while` in parts.
pub(super) struct While<'a> {
    pub(super) op: Op<'a>,
    pub(super) before: Region<'a>,
    pub(super) after: Region<'a>,
    /// The values before the first iteration.
    pub(super) inits: Vec<Val<'a>>,
    pub(super) passing: Passing<'a>,
    /// The values that an iteration passes on.
    pub(super) next: Vec<Val<'a>>,
    /// The results, as values of the first region.
    pub(super) left: Vec<Val<'a>>,
}

/// The comparison that decides about the next iteration.
pub(super) struct Test<'a> {
    comparison: Op<'a>,
    goes_on: GoesOn,
}

/// The outcome of a comparison with which a loop goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GoesOn {
    IfTrue,
    IfFalse,
}

impl GoesOn {
    fn negated(self) -> Self {
        match self {
            GoesOn::IfTrue => GoesOn::IfFalse,
            GoesOn::IfFalse => GoesOn::IfTrue,
        }
    }
}

/// A comparison that holds as long as the loop goes on, between a counter and its bound.
#[derive(Clone, Copy, Debug)]
struct CounterTest {
    comparison: Comparison,
    /// True if the counter is the left side.
    counter_is_left: bool,
}

impl CounterTest {
    fn negated(self) -> Self {
        use Comparison::{Equal, Less, LessOrEqual, Unequal};
        // `a < b` is false where `b ≤ a`.
        let (comparison, swaps) = match self.comparison {
            Less { unsigned } => (LessOrEqual { unsigned }, true),
            LessOrEqual { unsigned } => (Less { unsigned }, true),
            Equal => (Unequal, false),
            Unequal => (Equal, false),
        };
        Self { comparison, counter_is_left: self.counter_is_left != swaps }
    }
}

/// The form of a loop, by the place of its test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WhileForm {
    /// The first region only tests.
    TestFirst,
    /// The first region is executed once more than the second, which the test guards.
    TestBetween,
}

/// The counter of a loop: `first + step · j` in iteration j.
pub(super) struct Counter {
    pub(super) position: usize,
    pub(super) first: Expr,
    pub(super) step: i64,
    /// The end, exclusive in the direction of the step: the loop goes on while the counter is before it.
    pub(super) end: Expr,
}

impl<'a> While<'a> {
    /// Returns the form of the loop: it tests first if its first region only computes registers, except in the branch
    /// that leads to the next iteration.
    pub(super) fn form(&self) -> WhileForm {
        let only_registers = |region: Region<'a>| ffi::operations(region).all(|op| is_passive(op));
        let only_tests = ffi::operations(self.before).all(|op| match self.passing.continues {
            Some((key, region)) if key == ffi::key(op) => {
                ffi::regions(op).into_iter().enumerate().all(|(index, other)| index == region || only_registers(other))
            }
            _ => is_passive(op),
        });
        if only_tests { WhileForm::TestFirst } else { WhileForm::TestBetween }
    }
}

impl<'a> Walker<'a, '_> {
    /// Returns the comparison of a condition; records the branch that leads to the next iteration.
    pub(super) fn test(&self, mut condition: Val<'a>, passing: &mut Passing<'a>) -> Option<Test<'a>> {
        let mut goes_on = GoesOn::IfTrue;
        loop {
            let Definition::Result { op } = definition(condition) else { return None };
            match ffi::name(op).as_str() {
                "arith.cmpi" | "index.cmp" => return Some(Test { comparison: op, goes_on }),
                "arith.trunci" | "arith.extui" => condition = op.operand(0).ok()?,
                "arith.xori" if self.values.constant(op.operand(1).ok()?) == Some(1) => {
                    goes_on = goes_on.negated();
                    condition = op.operand(0).ok()?;
                }
                "scf.if" if passing.continues.is_none() => {
                    let position =
                        op_results(op).iter().position(|r| ffi::value_key(*r) == ffi::value_key(condition))?;
                    let flag = |region| self.values.constant(yielded(op, region, position)?);
                    let holds = |value: i64| (value & 1 == 1) == (goes_on == GoesOn::IfTrue);
                    let region = match (holds(flag(0)?), holds(flag(1)?)) {
                        (true, false) => 0,
                        (false, true) => 1,
                        _ => return None,
                    };
                    passing.continues = Some((ffi::key(op), region));
                    goes_on = if region == 1 { GoesOn::IfFalse } else { GoesOn::IfTrue };
                    condition = op.operand(0).ok()?;
                }
                _ => return None,
            }
        }
    }

    /// Returns the counter, for each case of its first value and its bound.
    pub(super) fn counters(&self, parts: &While<'a>, test: &Test<'a>) -> Result<Cases<Counter>, Refusal> {
        let op = parts.op;
        let explain = |cause| self.values.explain(cause, Some(op));
        let predicate = Predicate::of_integers(test.comparison);
        let predicate = predicate.ok_or_else(|| explain(Cause::here("its predicate is not known")))?;
        let side = |index| test.comparison.operand(index).map_err(|error| explain(Cause::here(error.to_string())));
        let [left, right] = predicate.ordered([0, 1]);
        let (mut left, mut right) = (side(left)?, side(right)?);
        let trace = |value| parts.passing.trace(value, &self.values);
        // `left < right` goes on; the counter may be either.
        let (counter_is_left, shifted, bound) = match (trace(left), trace(right)) {
            (Some(shifted), None) => (true, shifted, right),
            (None, Some(shifted)) => (false, shifted, left),
            _ => {
                std::mem::swap(&mut left, &mut right);
                let known = self.values.index(right).err().or_else(|| self.values.index(left).err());
                let why = "neither side of its comparison is a counter";
                return Err(known.unwrap_or_else(|| explain(Cause::here(why))));
            }
        };
        let condition = CounterTest { comparison: predicate.comparison, counter_is_left };
        let condition = if test.goes_on == GoesOn::IfTrue { condition } else { condition.negated() };
        let step = parts.next.get(shifted.position).and_then(|next| trace(*next));
        let step = step.filter(|step| step.position == shifted.position && step.plus != 0).map(|step| step.plus);
        let step = step.ok_or_else(|| {
            let hint = "add a constant in every iteration";
            explain(Cause::hinted("the value that it compares does not change by a constant", hint))
        })?;
        let first = parts.inits.get(shifted.position).copied();
        let first = first.ok_or_else(|| explain(Cause::here("its counter has no first value")))?;
        let both = join(&[self.values.index(first)?, self.values.index(bound)?]).map_err(|e| explain(e.into()))?;
        let counter = both.try_map(&mut |values: &Vec<Expr>| {
            let end = self.end(condition, step, &values[0], &values[1])?;
            Ok::<_, Cause>(Counter {
                position: shifted.position,
                first: values[0].clone(),
                step,
                end: end.plus_constant(shifted.plus.checked_neg().ok_or(Overflow)?)?,
            })
        });
        counter.map_err(explain)
    }

    /// Returns the exclusive end of the counter, if the counter moves towards it.
    fn end(&self, condition: CounterTest, step: i64, first: &Expr, bound: &Expr) -> Result<Expr, Cause<'a>> {
        use Comparison::{Less, LessOrEqual, Unequal};
        let is_towards_bound = condition.counter_is_left == (step > 0);
        if condition.comparison.is_unsigned() {
            self.values.ranges.unsigned(first)?;
            self.values.ranges.unsigned(bound)?;
        }
        let never = || Cause::hinted("the counter moves away from its bound", "count towards the bound");
        match condition.comparison {
            Less { .. } if is_towards_bound => Ok(bound.clone()),
            LessOrEqual { .. } if is_towards_bound => Ok(bound.plus_constant(step.signum())?),
            Unequal if step.abs() == 1 => {
                let ahead = if step > 0 { bound.minus(first)? } else { first.minus(bound)? };
                match self.values.ranges.non_negative(&ahead) {
                    true => Ok(bound.clone()),
                    false => Err(Cause::hinted("the counter may miss its bound", "compare with `slt`")),
                }
            }
            _ => Err(never()),
        }
    }
}

/// Returns true if the operation touches no memory, or is a terminator of the loop.
fn is_passive(op: Op) -> bool {
    unsupported::touches_no_memory(op) || ["scf.condition", "scf.yield"].contains(&ffi::name(op).as_str())
}

/// Returns the parts of an `scf.while`, and its condition.
pub(super) fn parts(op: Op<'_>) -> Option<(While<'_>, Val<'_>)> {
    let &[before, after] = ffi::regions(op).as_slice() else { return None };
    let mut left: Vec<Val> = ffi::operations(before).last()?.operands().collect();
    let condition = (!left.is_empty()).then(|| left.remove(0))?;
    let next = ffi::operations(after).last()?.operands().collect();
    let aliases = ffi::region_arguments(after).into_iter().zip(left.iter().copied()).collect();
    let passing = Passing { arguments: ffi::region_arguments(before), aliases, continues: None };
    Some((While { op, before, after, inits: op.operands().collect(), passing, next, left }, condition))
}

impl<'a> Walker<'a, '_> {
    /// Returns the step of an `scf` loop; 1 after an error.
    pub(super) fn step(&mut self, op: Op<'a>, value: Val<'a>) -> LoopStep {
        let step = self.values.index(value);
        let step = self.report(op, "the step of this loop is not affine", step);
        step.map_or(LoopStep::Known(1), |step| self.known_step(op, &step))
    }

    /// Returns a step that is a constant or a multiple of a parameter of `--tile`.
    pub(super) fn known_step(&mut self, op: Op<'a>, step: &Cases<Expr>) -> LoopStep {
        let known = match step {
            Cases::Always(step) => match step.as_constant() {
                Some(step) => Some(step).filter(|step| *step > 0).map(LoopStep::Known),
                None => self.tile_step(step),
            },
            Cases::When(_) => None,
        };
        known.unwrap_or_else(|| {
            let error = self.error(op, "the step of this loop is not affine");
            let why = "it is not a positive constant, so the iterations are multiples of a symbol";
            let hint = match self.values.argument_name(step) {
                Some(name) => format!(
                    "make the step a constant, give its value with --assume '{name} = 4', or say with --tile {name} that it is the size of tiles"
                ),
                None => "make the step a constant".to_owned(),
            };
            self.push_error(error.note(why).hint(hint));
            LoopStep::Known(1)
        })
    }

    fn tile_step(&self, step: &Expr) -> Option<LoopStep> {
        let mut terms = step.terms();
        let (Some((Atom::Param(size), times @ 1..)), None, 0) = (terms.next(), terms.next(), step.constant_term())
        else {
            return None;
        };
        let name = self.values.argument_name(&Cases::Always(Expr::param(*size)))?;
        self.tiles.contains(&name).then_some(LoopStep::Tiles { times, size: *size })
    }
}
