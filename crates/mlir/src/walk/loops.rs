//! Loops: `affine.for`, `scf.for` and, in sequential order, the parallel ones.

use melior::ir::ValueLike;
use melior::ir::operation::OperationLike;
use symloc_affine::{
    AssumptionKind, CarriedValue, Constraint, Expr, IterId, Loop, LoopStep, Node, ParallelLoops, Schedule,
};
use symloc_frontend::cases::{Cases, Extreme, bounds, join};

use super::iter_args::{Carried, Passing, carried_by, is_read, is_used, iteration};
use super::walker::Walker;
use crate::expressions::refusal::{Cause, Refusal};
use crate::ffi::{self, Op, Val, op_results};
use crate::ops::comparisons::Signedness;
use crate::ops::op_mix;
use crate::ops::widths::INDEX_BITS;
use crate::values::Known;

/// One loop of a nest.
#[derive(Clone)]
pub(super) struct NestLoop<'a> {
    /// The induction variable; the generic form may lack it.
    pub(super) induction: Option<Val<'a>>,
    /// The lower bounds; the loop starts at their maximum.
    pub(super) lower: Cases<Vec<Expr>>,
    /// The upper bounds, exclusive; the loop ends at their minimum.
    pub(super) upper: Cases<Vec<Expr>>,
    pub(super) step: LoopStep,
    /// The loops whose iterations threads share, if this is the outermost one of such.
    pub(super) parallel: Option<ParallelLoops>,
}

/// Lets threads share the iterations of the outermost loop of a nest, or of several as one sequence.
pub(super) fn shared(mut levels: Vec<NestLoop<'_>>, parallel: impl Into<ParallelLoops>) -> Vec<NestLoop<'_>> {
    if let Some(outermost) = levels.first_mut() {
        outermost.parallel = Some(parallel.into());
    }
    levels
}

impl<'a> Walker<'a, '_> {
    pub(crate) fn affine_for(&mut self, op: Op<'a>) -> Vec<Node> {
        let groups = ffi::operand_groups(op);
        let [lower, upper, ..] = groups.as_slice() else {
            self.malformed(op, "has no operand segments");
            return self.body(op, &[]);
        };
        let lower = self.map_bounds(op, "lowerBoundMap", Extreme::Largest, lower);
        let upper = self.map_bounds(op, "upperBoundMap", Extreme::Smallest, upper);
        let step = ffi::integer(op, "step").filter(|&step| step > 0).unwrap_or_else(|| {
            self.malformed(op, "has no positive step");
            1
        });
        let (induction, step) = (ffi::arguments(op).first().copied(), step.into());
        self.body(op, &[NestLoop { induction, lower, upper, step, parallel: None }])
    }

    pub(crate) fn scf_for(&mut self, op: Op<'a>) -> Vec<Node> {
        let operands: Vec<_> = op.operands().take(3).collect();
        let &[lower, upper, step] = operands.as_slice() else {
            self.malformed(op, "has no bounds");
            return self.body(op, &[]);
        };
        let compared = if op.has_attribute("unsignedCmp") { Signedness::Unsigned } else { Signedness::Signed };
        let lower = self.value_bound(op, Extreme::Largest, lower, compared);
        let upper = self.value_bound(op, Extreme::Smallest, upper, compared);
        let step = self.step(op, step);
        let level = NestLoop { induction: ffi::arguments(op).first().copied(), lower, upper, step, parallel: None };
        self.body(op, &[level])
    }

    pub(crate) fn affine_parallel(&mut self, op: Op<'a>) -> Vec<Node> {
        self.in_sequence(op);
        let operands: Vec<_> = op.operands().collect();
        let lower = self.grouped_bounds(op, "lowerBounds", Extreme::Largest, &operands, 0);
        let lower_inputs = op.attribute("lowerBoundsMap").ok().and_then(ffi::affine_map).map_or(0, |m| m.input_count());
        let upper = self.grouped_bounds(op, "upperBounds", Extreme::Smallest, &operands, lower_inputs);
        let steps = ffi::integers(op, "steps").unwrap_or_default();
        let arguments = ffi::arguments(op);
        if lower.len() != arguments.len() || upper.len() != arguments.len() || steps.len() != arguments.len() {
            self.malformed(op, "has bounds and steps that do not fit its iterators");
        }
        let levels =
            lower.into_iter().zip(upper).zip(steps).zip(arguments).map(|(((lower, upper), step), argument)| NestLoop {
                induction: Some(argument),
                lower,
                upper,
                step: step.max(1).into(),
                parallel: None,
            });
        let levels = shared(levels.collect(), Schedule::Blocks);
        self.body(op, &levels)
    }

    pub(crate) fn scf_parallel(&mut self, op: Op<'a>) -> Vec<Node> {
        self.in_sequence(op);
        let groups = ffi::operand_groups(op);
        let [lower, upper, steps, ..] = groups.as_slice() else {
            self.malformed(op, "has no operand segments");
            return self.body(op, &[]);
        };
        let mut levels = Vec::new();
        for (((&lower, &upper), &step), argument) in lower.iter().zip(upper).zip(steps).zip(ffi::arguments(op)) {
            levels.push(NestLoop {
                induction: Some(argument),
                lower: self.value_bound(op, Extreme::Largest, lower, Signedness::Signed),
                upper: self.value_bound(op, Extreme::Smallest, upper, Signedness::Signed),
                step: self.step(op, step),
                parallel: None,
            });
        }
        self.body(op, &shared(levels, Schedule::Blocks))
    }

    pub(crate) fn scf_forall(&mut self, op: Op<'a>) -> Vec<Node> {
        self.in_sequence(op);
        let groups = ffi::operand_groups(op);
        let [lower, upper, steps, outputs] = groups.as_slice() else {
            self.malformed(op, "has no operand segments");
            return self.body(op, &[]);
        };
        if !outputs.is_empty() {
            self.malformed(op, "has outputs, and tensors have no place in memory yet");
        }
        let sides = [("staticLowerBound", lower), ("staticUpperBound", upper), ("staticStep", steps)];
        let sides = sides.map(|(name, operands)| self.values.mixed(op, name, operands));
        let [lower, upper, steps] = sides.map(|side| {
            let side = side.map_err(|cause| self.values.explain(cause, Some(op)));
            self.report(op, "the bounds and steps of this loop are not affine", side).unwrap_or_default()
        });
        let mut levels = Vec::new();
        for (((lower, upper), step), argument) in lower.into_iter().zip(upper).zip(steps).zip(ffi::arguments(op)) {
            levels.push(NestLoop {
                induction: Some(argument),
                lower: self.bounds(op, Extreme::Largest, Ok(vec![lower])),
                upper: self.bounds(op, Extreme::Smallest, Ok(vec![upper])),
                step: self.known_step(op, &step),
                parallel: None,
            });
        }
        self.body(op, &shared(levels, Schedule::Blocks))
    }

    pub(super) fn in_sequence(&mut self, op: Op<'a>) {
        let name = ffi::name(op);
        let text = format!(
            "`{name}` is analysed in sequential order, its last iterator varying fastest; --parallel marked gives it threads"
        );
        self.assuming(op, AssumptionKind::SequentialOrder, text);
    }

    /// Returns the nest of these loops around the region of `op`, and sets the results of `op`.
    pub(super) fn body(&mut self, op: Op<'a>, levels: &[NestLoop<'a>]) -> Vec<Node> {
        let carried = carried_by(op);
        self.loop_depth += 1;
        let nodes = self.nest(op, levels, &carried);
        self.loop_depth -= 1;
        for (position, result) in op_results(op).into_iter().enumerate() {
            let left = levels.first().and_then(|level| self.left(&carried, position, level));
            self.values.set(result, left);
        }
        nodes
    }

    /// Sets the carried values of a loop to functions of the iterator.
    fn set_carried(
        &mut self,
        (op, carried): (Op<'a>, &Carried<'a>),
        iter: IterId,
        lower: &[Expr],
        level: &NestLoop<'a>,
    ) {
        let iterator = &Expr::iter(iter);
        for (position, &argument) in carried.passing.arguments.iter().enumerate() {
            let known = match (lower, carried.inits.get(position), carried.next.get(position)) {
                ([lower], Some(&first), Some(&next)) => match self.beyond_iterator(level, next) {
                    Some(plus) => {
                        let step = level.step.constant();
                        step.and_then(|step| self.lagging(first, iterator, lower, step, plus))
                    }
                    None => {
                        let shifted = carried.passing.trace(next, &self.values);
                        let step = level.step.constant();
                        let iteration = step.and_then(|step| iteration(iterator, lower, step).ok());
                        iteration.and_then(|iteration| self.values.carried(first, shifted, position, &iteration))
                    }
                },
                _ => None,
            };
            if known.is_none() && is_read(op, argument) {
                let name = self.places.ssa_name(argument).map(str::to_owned);
                let (location, is_used) = (self.places.of(op), is_used(op, argument));
                self.raising.carry(iter, CarriedValue { name, location, is_used, is_counted: false });
            }
            self.values.set(argument, known);
        }
    }

    /// Returns the constant that is added to the loop's iterator, if the carried value is such a sum.
    fn beyond_iterator(&self, level: &NestLoop<'a>, next: Val<'a>) -> Option<i64> {
        let passing = Passing { arguments: vec![level.induction?], ..Passing::default() };
        passing.trace(next, &self.values).map(|shifted| shifted.plus)
    }

    /// Returns a carried value that is the iterator of the previous iteration plus a constant.
    fn lagging(&self, first: Val<'a>, iterator: &Expr, lower: &Expr, step: i64, plus: i64) -> Option<Known<'a>> {
        let Ok(first) = self.values.index(first) else { return None };
        let before = iterator.plus_constant(plus.checked_sub(step)?).ok()?;
        let second = Constraint::non_negative(iterator.minus(lower).and_then(|i| i.plus_constant(-step)).ok()?);
        // If it starts one step behind the iterator, it always is.
        let always = lower.plus_constant(plus.checked_sub(step)?).ok()?;
        match &first {
            Cases::Always(first) if *first == always => Some(Known::Index(Cases::Always(before))),
            _ => {
                let cases = Cases::when(vec![second], Cases::Always(before), first);
                Some(Known::Index(cases.decided(&|c| self.values.ranges.decide(c))))
            }
        }
    }

    /// Returns a carried value after the loop; if iterations change it, only for a loop with one lower and one upper
    /// bound.
    fn left(&self, carried: &Carried<'a>, position: usize, level: &NestLoop<'a>) -> Option<Known<'a>> {
        if let Some(passed_on) = carried.unchanged(position, &self.values) {
            return self.values.get(passed_on).cloned();
        }
        let (Cases::Always(lower), Cases::Always(upper)) = (&level.lower, &level.upper) else { return None };
        let ([lower], [upper]) = (lower.as_slice(), upper.as_slice()) else { return None };
        let (&first, &next) = (carried.inits.get(position)?, carried.next.get(position)?);
        let step = level.step.constant()?;
        let iterations = upper.minus(lower).and_then(|length| length.ceil_div(step)).ok()?;
        if let Some(plus) = self.beyond_iterator(level, next) {
            let last = lower.add_scaled(&iterations, step).ok()?;
            let runs = Constraint::non_negative(iterations.plus_constant(-1).ok()?);
            let last = last.plus_constant(plus.checked_sub(step)?).ok()?;
            let first = self.values.index(first).ok()?;
            let cases = Cases::when(vec![runs], Cases::Always(last), first);
            return Some(Known::Index(cases.decided(&|c| self.values.ranges.decide(c))));
        }
        let shifted = carried.passing.trace(next, &self.values);
        let runs = vec![Constraint::non_negative(iterations.clone())];
        let [after_all, after_none] =
            [iterations, Expr::default()].map(|iterations| self.values.carried(first, shifted, position, &iterations));
        match (after_all?, after_none?) {
            (Known::Index(all), Known::Index(none)) => {
                Some(Known::Index(Cases::when(runs, all, none).decided(&|c| self.values.ranges.decide(c))))
            }
            // A memref or truth value that every iteration passes on unchanged.
            (known, _) => Some(known),
        }
    }

    fn nest(&mut self, op: Op<'a>, levels: &[NestLoop<'a>], carried: &Carried<'a>) -> Vec<Node> {
        let Some((level, inner)) = levels.split_first() else {
            let mut body = op.first_region().map(|region| self.region(region)).unwrap_or_default();
            body.extend(self.combined(op));
            return Node::merged(body);
        };
        let both = join(&[level.lower.clone(), level.upper.clone()])
            .map_err(|error| self.values.explain(Cause::from(error), Some(op)));
        let Some(both) = self.report(op, "the bounds of this loop are not affine", both) else {
            return self.nest(op, inner, carried);
        };
        let bits = level.induction.and_then(|value| op_mix::width(value.r#type())).unwrap_or(INDEX_BITS);
        let mut cases = self.cases_begin();
        both.into_nodes(&mut |mut bounds| {
            cases.case(self);
            let upper = bounds.pop().unwrap_or_default();
            let lower = bounds.pop().unwrap_or_default();
            let iter = self.new_iterator(op, level.induction);
            if let Some(parallel) = level.parallel {
                self.raising.share(iter, parallel);
            }
            self.values.ranges.set(iter, &lower, &upper);
            let (before, start) = self.loop_begins(op, inner.len(), iter, bits);
            self.set_carried((op, carried), iter, &lower, level);
            let around = self.enter_loop(iter, level.step.constant());
            let body = self.nest(op, inner, carried);
            self.iteration = around;
            let (end, after) = self.loop_ends(op, inner.len(), bits);
            cases.case_ends(self);
            let body = [start, body, end].concat();
            [before, vec![Node::Loop(Loop { iter, lower, upper, step: level.step, body })], after].concat()
        })
    }

    /// Makes the loop of an iterator the innermost; returns the number of the iteration of the former one.
    #[must_use]
    pub(crate) fn enter_loop(&mut self, iter: IterId, step: Option<i64>) -> Option<Expr> {
        let iteration = step.and_then(|step| Expr::iter(iter).floor_div(step).ok());
        std::mem::replace(&mut self.iteration, iteration)
    }

    /// Adds the iterator of a loop of an operation.
    pub(crate) fn new_iterator(&mut self, op: Op<'a>, induction: Option<Val<'a>>) -> IterId {
        let name = induction.and_then(|value| self.places.ssa_name(value)).map(str::to_owned);
        let iter = self.raising.new_iterator(name, self.places.of(op));
        self.raising.set_number(iter, ffi::key(op).number());
        self.origins.iterator(iter, induction);
        if let Some(value) = induction {
            self.values.set_iterator(value, iter);
        }
        iter
    }

    /// Returns the results of a bound map; empty after an error.
    fn map_bounds(&mut self, op: Op<'a>, map: &str, extreme: Extreme, operands: &[Val<'a>]) -> Cases<Vec<Expr>> {
        let Some(map) = op.attribute(map).ok().and_then(ffi::affine_map) else {
            self.malformed(op, "has no bound map");
            return Cases::Always(Vec::new());
        };
        let results = self.values.map(op, map, operands).into_iter().collect();
        self.bounds(op, extreme, results)
    }

    /// Returns the bounds of each iterator of a parallel loop: groups of the results of one map.
    fn grouped_bounds(
        &mut self,
        op: Op<'a>,
        side: &str,
        extreme: Extreme,
        operands: &[Val<'a>],
        first: usize,
    ) -> Vec<Cases<Vec<Expr>>> {
        let map = op.attribute(&format!("{side}Map")).ok().and_then(ffi::affine_map);
        let (Some(map), Some(groups)) = (map, ffi::integers(op, &format!("{side}Groups"))) else {
            self.malformed(op, "has no bound maps");
            return Vec::new();
        };
        let operands = operands.get(first..).unwrap_or_default();
        let operands = operands.get(..map.input_count()).unwrap_or_default();
        let mut results = self.values.map(op, map, operands).into_iter();
        let mut grouped = Vec::new();
        for count in groups {
            let group = results.by_ref().take(usize::try_from(count).unwrap_or(0)).collect();
            grouped.push(self.bounds(op, extreme, group));
        }
        grouped
    }

    /// Returns a bound of an `scf` loop.
    pub(super) fn value_bound(
        &mut self,
        op: Op<'a>,
        extreme: Extreme,
        value: Val<'a>,
        compared: Signedness,
    ) -> Cases<Vec<Expr>> {
        let bound = self.values.index(value);
        if let (Signedness::Unsigned, Ok(bound)) = (compared, &bound) {
            self.signed_enough(op, bound);
        }
        self.bounds(op, extreme, bound.map(|bound| vec![bound]))
    }

    fn signed_enough(&mut self, op: Op<'a>, bound: &Cases<Expr>) {
        let negative = |expr: &Expr| if self.values.ranges.non_negative(expr) { Ok(()) } else { Err(()) };
        if bound.try_map(&mut { negative }).is_err() {
            let error = self.error(op, "the bounds of this loop are not affine");
            let why = "they are compared as unsigned numbers and may be negative";
            self.push_error(error.note(why).hint("use a signed loop"));
        }
    }

    /// Returns bounds that all apply. A minimum or maximum among them is replaced by several bounds if it is one of
    /// that side.
    fn bounds(&mut self, op: Op<'a>, extreme: Extreme, results: Result<Vec<Cases<Expr>>, Refusal>) -> Cases<Vec<Expr>> {
        let results = results.and_then(|results| {
            let simple: Option<Vec<_>> = results.iter().map(|result| bounds(result, extreme)).collect();
            match simple {
                Some(simple) => Ok(Cases::Always(simple.concat())),
                None => join(&results).map_err(|error| self.values.explain(Cause::from(error), Some(op))),
            }
        });
        let side = if extreme == Extreme::Largest { "lower" } else { "upper" };
        let what = format!("the {side} bound of this loop is not affine");
        self.report(op, &what, results).unwrap_or(Cases::Always(Vec::new()))
    }
}
