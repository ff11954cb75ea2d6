//! Counted `scf.while` loops.
//!
//! If the condition compares a counter, to which every iteration adds a constant, with a value from outside the loop,
//! it is a loop with bounds. The first region is executed once more than the second. If it only compares, the loop is
//! `for (i = first; i < bound; i += step)`. Otherwise the loop has one more iteration, and its second region is guarded
//! by the comparison; this form includes loops that test at their end, and those that `lift-cf-to-scf` makes of jumps.

use melior::ir::operation::OperationLike;
use symloc_affine::{Constraint, Expr, Loop, Node, Overflow, Weight};
use symloc_frontend::arithmetic::Comparison;
use symloc_frontend::cases::{Cases, guard, join};
use symloc_frontend::characteristics::EdgeKind;

use super::iter_args::{Passing, Shifted, iteration, yielded};
use super::walker::Walker;
use crate::expressions::refusal::{Cause, Refusal};
use crate::ffi::{self, Definition, Op, Region, Val, definition, op_results};
use crate::ops::comparisons::predicate;
use crate::ops::lifetimes;
use crate::ops::op_mix;
use crate::ops::unsupported;
use crate::values::Known;

/// A `scf.while` in parts.
struct While<'a> {
    op: Op<'a>,
    before: Region<'a>,
    after: Region<'a>,
    /// The values before the first iteration.
    inits: Vec<Val<'a>>,
    passing: Passing<'a>,
    /// The values that an iteration passes on.
    next: Vec<Val<'a>>,
    /// The results, as values of the first region.
    left: Vec<Val<'a>>,
}

/// The comparison that decides; the loop goes on where it holds, or, if `negated`, where it does not.
struct Test<'a> {
    comparison: Op<'a>,
    negated: bool,
}

/// The counter of a loop: `first + step · j` in iteration j.
struct Counter {
    position: usize,
    first: Expr,
    step: i64,
    /// The end, exclusive in the direction of the step: the loop goes on while the counter is before it.
    end: Expr,
}

impl<'a> Walker<'a, '_> {
    pub(crate) fn scf_while(&mut self, op: Op<'a>) -> Vec<Node> {
        let read = self.counted_while(op);
        let what = "the number of iterations of this `scf.while` is not known";
        let nodes = self.report(op, what, read);
        if nodes.is_none() {
            self.values.refuse(op);
        }
        nodes.unwrap_or_default()
    }

    fn counted_while(&mut self, op: Op<'a>) -> Result<Vec<Node>, Refusal> {
        let explain = |walker: &Self, cause| walker.values.explain(cause, Some(op));
        let (mut parts, condition) = parts(op).ok_or_else(|| explain(self, Cause::here("it has no condition")))?;
        self.forget_arguments(parts.before);
        self.forget_arguments(parts.after);
        self.define_outside(parts.before);
        self.define_outside(parts.after);
        let test = self.test(condition, &mut parts.passing).ok_or_else(|| {
            let hint = "write the loop as `affine.for`, or leave it where one counter reaches a size";
            explain(self, Cause::hinted("its condition is not a single comparison of a counter with a size", hint))
        })?;
        let counters = self.counters(&parts, &test)?;
        let mut cases = self.cases_begin();
        let nodes = counters.into_nodes(&mut |counter| {
            cases.case(self);
            let nodes = self.iterations(&parts, &counter);
            cases.case_ends(self);
            nodes
        });
        Ok(nodes)
    }

    /// Returns the comparison of a condition; records the branch that leads to the next iteration.
    fn test(&self, mut condition: Val<'a>, passing: &mut Passing<'a>) -> Option<Test<'a>> {
        let mut negated = false;
        loop {
            let Definition::Result { op } = definition(condition) else { return None };
            match ffi::name(op).as_str() {
                "arith.cmpi" | "index.cmp" => return Some(Test { comparison: op, negated }),
                "arith.trunci" | "arith.extui" => condition = op.operand(0).ok()?,
                "arith.xori" if self.values.constant(op.operand(1).ok()?) == Some(1) => {
                    negated = !negated;
                    condition = op.operand(0).ok()?;
                }
                "scf.if" if passing.continues.is_none() => {
                    let position =
                        op_results(op).iter().position(|r| ffi::value_key(*r) == ffi::value_key(condition))?;
                    let flag = |region| self.values.constant(yielded(op, region, position)?);
                    let holds = |value: i64| (value & 1 == 1) != negated;
                    let region = match (holds(flag(0)?), holds(flag(1)?)) {
                        (true, false) => 0,
                        (false, true) => 1,
                        _ => return None,
                    };
                    passing.continues = Some((ffi::key(op), region));
                    negated = region == 1;
                    condition = op.operand(0).ok()?;
                }
                _ => return None,
            }
        }
    }

    /// Returns the counter, for each case of its first value and its bound.
    fn counters(&self, parts: &While<'a>, test: &Test<'a>) -> Result<Cases<Counter>, Refusal> {
        let op = parts.op;
        let explain = |cause| self.values.explain(cause, Some(op));
        let (comparison, swapped) =
            predicate(test.comparison).ok_or_else(|| explain(Cause::here("its predicate is not known")))?;
        let side = |index| test.comparison.operand(index).map_err(|error| explain(Cause::here(error.to_string())));
        let (mut left, mut right) = if swapped { (side(1)?, side(0)?) } else { (side(0)?, side(1)?) };
        let trace = |value| parts.passing.trace(value, &self.values);
        // `left < right` goes on; the counter may be either.
        let (is_left, shifted, bound) = match (trace(left), trace(right)) {
            (Some(shifted), None) => (true, shifted, right),
            (None, Some(shifted)) => (false, shifted, left),
            _ => {
                std::mem::swap(&mut left, &mut right);
                let known = self.values.index(right).err().or_else(|| self.values.index(left).err());
                let why = "neither side of its comparison is a counter";
                return Err(known.unwrap_or_else(|| explain(Cause::here(why))));
            }
        };
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
            let end = self.end(comparison, test.negated, is_left, step, &values[0], &values[1])?;
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
    fn end(
        &self,
        comparison: Comparison,
        negated: bool,
        is_left: bool,
        step: i64,
        first: &Expr,
        bound: &Expr,
    ) -> Result<Expr, Cause<'a>> {
        use Comparison::{Equal, Less, LessOrEqual, Unequal};
        let (comparison, is_left) = match (comparison, negated) {
            (Less { unsigned }, true) => (LessOrEqual { unsigned }, !is_left),
            (LessOrEqual { unsigned }, true) => (Less { unsigned }, !is_left),
            (Equal, true) => (Unequal, is_left),
            (Unequal, true) => (Equal, is_left),
            (comparison, false) => (comparison, is_left),
        };
        let unsigned = matches!(comparison, Less { unsigned: true } | LessOrEqual { unsigned: true });
        if unsigned {
            self.values.ranges.unsigned(first)?;
            self.values.ranges.unsigned(bound)?;
        }
        let never = || Cause::hinted("the counter moves away from its bound", "count towards the bound");
        match comparison {
            Less { .. } if is_left == (step > 0) => Ok(bound.clone()),
            LessOrEqual { .. } if is_left == (step > 0) => Ok(bound.plus_constant(step.signum())?),
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

    /// Returns the loop of a counter.
    fn iterations(&mut self, parts: &While<'a>, counter: &Counter) -> Vec<Node> {
        let op = parts.op;
        let in_loop = self.while_loop(parts, counter);
        let in_loop = in_loop.map_err(|cause| self.values.explain(cause, Some(op)));
        self.report(op, "the number of iterations of this `scf.while` is not known", in_loop).unwrap_or_default()
    }

    fn while_loop(&mut self, parts: &While<'a>, counter: &Counter) -> Result<Vec<Node>, Cause<'a>> {
        let op = parts.op;
        let distance = match counter.step > 0 {
            true => counter.end.minus(&counter.first)?,
            false => counter.first.minus(&counter.end)?,
        };
        let stride = counter.step.checked_abs().ok_or(Overflow)?;
        let tests_first = self.does_nothing_but_test(parts);
        // A falling counter is `first` minus an iterator that rises from 0.
        let start = if counter.step > 0 { counter.first.clone() } else { Expr::default() };
        let lower = vec![start.clone()];
        let length = match tests_first {
            true => Cases::Always(distance.clone()),
            false => {
                // At least one iteration is executed, so the length is at least 1.
                let more = distance.plus_constant(stride)?;
                let is_length = Constraint::non_negative(more.plus_constant(-1)?);
                Cases::when(vec![is_length], Cases::Always(more), Cases::Always(Expr::constant(1)))
                    .decided(&|constraint| self.values.ranges.decide(constraint))
            }
        };
        let uppers = length.try_map(&mut |length: &Expr| start.plus(length))?;
        let bits = parts.inits.get(counter.position).and_then(|v| op_mix::width(melior::ir::ValueLike::r#type(v)));
        let bits = bits.unwrap_or(op_mix::INDEX_BITS);
        self.loop_depth += 1;
        let mut trouble = None;
        let mut cases = self.cases_begin();
        let nodes = uppers.into_nodes(&mut |upper| {
            cases.case(self);
            let upper = vec![upper];
            let name = parts.passing.arguments.get(counter.position).copied();
            let iter = self.new_iterator(name);
            self.values.ranges.set(iter, &lower, &upper);
            let (before, begin) = self.loop_begins(op, 0, iter, bits);
            let around = self.enter_loop(iter, stride);
            let body = self.while_body(parts, counter, &Expr::iter(iter), &start, tests_first);
            self.iteration = around;
            let (end, after) = self.loop_ends(op, 0, bits);
            cases.case_ends(self);
            let body = body.unwrap_or_else(|cause| {
                trouble = Some(cause);
                Vec::new()
            });
            let body = [begin, body, end].concat();
            [before, vec![Node::Loop(Loop { iter, lower: lower.clone(), upper, step: stride, body })], after].concat()
        });
        self.loop_depth -= 1;
        self.leave(parts, counter, &distance);
        trouble.map_or(Ok(nodes), Err)
    }

    fn while_body(
        &mut self,
        parts: &While<'a>,
        counter: &Counter,
        iterator: &Expr,
        start: &Expr,
        tests_first: bool,
    ) -> Result<Vec<Node>, Cause<'a>> {
        let iteration = iteration(iterator, start, counter.step.checked_abs().ok_or(Overflow)?)?;
        let value = match counter.step > 0 {
            true => iterator.clone(),
            false => counter.first.minus(iterator)?,
        };
        for (position, &argument) in parts.passing.arguments.iter().enumerate() {
            let known = match (position == counter.position, parts.inits.get(position), parts.next.get(position)) {
                (true, ..) => Some(Known::Index(Cases::Always(value.clone()))),
                (false, Some(&first), Some(&next)) => {
                    let shifted = parts.passing.trace(next, &self.values);
                    self.values.carried(first, shifted, position, &iteration)
                }
                _ => None,
            };
            self.values.set(argument, known);
        }
        let mut nodes = self.region(parts.before);
        for (&argument, &value) in ffi::region_arguments(parts.after).iter().zip(&parts.left) {
            let known = self.values.get(value).cloned();
            self.values.set(argument, known);
        }
        if tests_first {
            nodes.extend(self.region(parts.after));
            return Ok(nodes);
        }
        let left = match counter.step > 0 {
            true => counter.end.minus(&value)?,
            false => value.minus(&counter.end)?,
        };
        nodes.extend(self.branch_begins(parts.op, 0, 1));
        let mut goes_on = self.side_begins("do", EdgeKind::Taken, &Weight::Once);
        goes_on.extend(self.region(parts.after));
        goes_on.extend(self.side_ends());
        let mut leaves = self.side_begins("leave", EdgeKind::NotTaken, &Weight::Once);
        leaves.extend(self.side_ends());
        nodes.extend(guard(vec![Constraint::non_negative(left.plus_constant(-1)?)], goes_on, leaves));
        self.branch_ends();
        Ok(nodes)
    }

    /// Sets the results: after the loop the counter has the first value that ends it.
    fn leave(&mut self, parts: &While<'a>, counter: &Counter, distance: &Expr) {
        let leaving = parts.passing.leaving();
        for (result, &value) in op_results(parts.op).into_iter().zip(&parts.left) {
            let value = leaving.chosen(value).unwrap_or(value);
            let known = match leaving.trace(value, &self.values) {
                Some(shifted) => self.last(parts, counter, distance, shifted),
                None if !lifetimes::is_within(value, parts.op) => self.values.get(value).cloned(),
                None => None,
            };
            self.values.set(result, known);
        }
    }

    /// Returns a carried value plus a constant at the end of the loop.
    fn last(&self, parts: &While<'a>, counter: &Counter, distance: &Expr, shifted: Shifted) -> Option<Known<'a>> {
        let Shifted { position, plus } = shifted;
        let iterations = distance.ceil_div(counter.step.checked_abs()?).ok()?;
        let (&first, &next) = (parts.inits.get(position)?, parts.next.get(position)?);
        let step = match position == counter.position {
            true => Some(Shifted { position, plus: counter.step }),
            false => parts.passing.trace(next, &self.values),
        };
        let after = |iterations: &Expr| match self.values.carried(first, step, position, iterations)? {
            Known::Index(value) => value.try_map(&mut |value: &Expr| value.plus_constant(plus)).ok(),
            _ => None,
        };
        let goes = Constraint::non_negative(iterations.clone());
        let cases = Cases::when(vec![goes], after(&iterations)?, after(&Expr::default())?);
        Some(Known::Index(cases.decided(&|constraint| self.values.ranges.decide(constraint))))
    }

    /// Returns true if the first region only computes registers, except in the branch that leads to the next iteration.
    fn does_nothing_but_test(&self, parts: &While<'a>) -> bool {
        let only_registers = |region: Region<'a>| ffi::operations(region).all(|op| is_passive(op));
        ffi::operations(parts.before).all(|op| match parts.passing.continues {
            Some((key, region)) if key == ffi::key(op) => {
                ffi::regions(op).into_iter().enumerate().all(|(index, other)| index == region || only_registers(other))
            }
            _ => is_passive(op),
        })
    }

    fn forget_arguments(&mut self, region: Region<'a>) {
        ffi::region_arguments(region).into_iter().for_each(|argument| self.values.set(argument, None));
    }

    /// Evaluates the operations on registers, so that values from outside the loop are known.
    fn define_outside(&mut self, region: Region<'a>) {
        for op in ffi::operations(region) {
            if unsupported::touches_no_memory(op) {
                self.values.define(op);
            } else {
                op_results(op).into_iter().for_each(|result| self.values.set(result, None));
                ffi::regions(op).into_iter().for_each(|inner| self.define_outside(inner));
            }
        }
    }
}

/// Returns true if the operation touches no memory, or is a terminator of the loop.
fn is_passive(op: Op) -> bool {
    unsupported::touches_no_memory(op) || ["scf.condition", "scf.yield"].contains(&ffi::name(op).as_str())
}

/// Returns the parts of an `scf.while`, and its condition.
fn parts(op: Op<'_>) -> Option<(While<'_>, Val<'_>)> {
    let &[before, after] = ffi::regions(op).as_slice() else { return None };
    let mut left: Vec<Val> = ffi::operations(before).last()?.operands().collect();
    let condition = (!left.is_empty()).then(|| left.remove(0))?;
    let next = ffi::operations(after).last()?.operands().collect();
    let aliases = ffi::region_arguments(after).into_iter().zip(left.iter().copied()).collect();
    let passing = Passing { arguments: ffi::region_arguments(before), aliases, continues: None };
    Some((While { op, before, after, inits: op.operands().collect(), passing, next, left }, condition))
}
