//! Counted `scf.while` loops.
//!
//! If the condition compares a counter, to which every iteration adds a constant, with a value from outside the loop,
//! it is a loop with bounds. The first region is executed once more than the second. If it only compares, the loop is
//! `for (i = first; i < bound; i += step)`. Otherwise the loop has one more iteration, and its second region is guarded
//! by the comparison; this form includes loops that test at their end, and those that `lift-cf-to-scf` makes of jumps.

use symloc_affine::{Constraint, Expr, Loop, Node, Overflow, Weight};
use symloc_frontend::cases::{Cases, guard};
use symloc_frontend::characteristics::EdgeKind;

use super::counters::{Counter, While, WhileForm, parts};
use super::iter_args::{Shifted, iteration};
use super::walker::Walker;
use crate::expressions::refusal::{Cause, Refusal};
use crate::ffi::{self, Op, Region, op_results};
use crate::ops::lifetimes;
use crate::ops::op_mix;
use crate::ops::unsupported;
use crate::ops::widths::INDEX_BITS;
use crate::values::Known;

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
        // A falling counter is `first` minus an iterator that rises from 0.
        let start = if counter.step > 0 { counter.first.clone() } else { Expr::default() };
        let lower = vec![start.clone()];
        let length = match parts.form() {
            WhileForm::TestFirst => Cases::Always(distance.clone()),
            WhileForm::TestBetween => {
                // At least one iteration is executed, so the length is at least 1.
                let more = distance.plus_constant(stride)?;
                let is_length = Constraint::non_negative(more.plus_constant(-1)?);
                Cases::when(vec![is_length], Cases::Always(more), Cases::Always(Expr::constant(1)))
                    .decided(&|constraint| self.values.ranges.decide(constraint))
            }
        };
        let uppers = length.try_map(&mut |length: &Expr| start.plus(length))?;
        let bits = parts.inits.get(counter.position).and_then(|v| op_mix::width(melior::ir::ValueLike::r#type(v)));
        let bits = bits.unwrap_or(INDEX_BITS);
        self.loop_depth += 1;
        let mut trouble = None;
        let mut cases = self.cases_begin();
        let nodes = uppers.into_nodes(&mut |upper| {
            cases.case(self);
            let upper = vec![upper];
            let name = parts.passing.arguments.get(counter.position).copied();
            let iter = self.new_iterator(op, name);
            self.values.ranges.set(iter, &lower, &upper);
            let (before, begin) = self.loop_begins(op, 0, iter, bits);
            let around = self.enter_loop(iter, Some(stride));
            let body = self.while_body(parts, counter, &Expr::iter(iter), &start);
            self.iteration = around;
            let (end, after) = self.loop_ends(op, 0, bits);
            cases.case_ends(self);
            let body = body.unwrap_or_else(|cause| {
                trouble = Some(cause);
                Vec::new()
            });
            let body = [begin, body, end].concat();
            [before, vec![Node::Loop(Loop { iter, lower: lower.clone(), upper, step: stride.into(), body })], after]
                .concat()
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
        if parts.form() == WhileForm::TestFirst {
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
