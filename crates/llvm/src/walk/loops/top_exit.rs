//! Loops whose only exit is in the header, before any access: the conditions under which they go on are the bounds.

use symloc_affine::{Constraint, Expr, IterId, LoopStep};
use symloc_frontend::cases::{Cases, Extreme, bounds, join};
use symloc_frontend::poly::Poly;
use symloc_frontend::raising::{Cause, Reason};
use symloc_frontend::ranges::Ranges;

use crate::ir::cfg::Node;
use crate::ir::ffi::{Opcode, Predicate, Value};
use crate::ir::library;
use crate::values::refusals::operand;
use crate::walk::loops::counter::{Counter, split};
use crate::walk::loops::first_time::{exact, not_linear};
use crate::walk::loops::induction::Induction;
use crate::walk::loops::trip_count::{Exit, Leaving};
use crate::walk::loops::ways_out::mentions;
use crate::walk::walker::Walker;

/// A hint for loops that only an equality ends.
const UNEQUAL_HINT: &str = "end the loop with `<`, or start it below its end";

/// A condition under which a loop goes on.
#[derive(Clone, Debug)]
enum Stay {
    /// The value is not negative.
    AtLeastZero(Cases<Expr>),
    /// The value is not zero.
    NotZero(Cases<Expr>),
    /// A condition of another form.
    Holds(Cases<bool>),
}

impl<'m> Walker<'m, '_> {
    /// Returns the exit of a loop whose only exit is in its header, before any access or call; `None` for other loops.
    pub(crate) fn simple_exit(&mut self, induction: &Induction<'m>) -> Option<Result<Leaving<'m>, Reason>> {
        let (inner, iter) = (induction.inner, induction.iter);
        let header = self.cfg.loops[inner].header;
        let exits = self.cfg.exits(inner);
        let &[(from, to)] = exits.as_slice() else { return None };
        let plain = |value: &Value<'m>| !library::may_touch_memory(*value);
        let instructions = self.cfg.blocks[header].instructions();
        // The dry run compares with huge numbers.
        if from != header || !instructions.iter().all(plain) || instructions.iter().any(is_beside_huge) {
            return None;
        }
        let mark = self.mark();
        self.values.ranges.set(iter, &induction.counter.known_lower(), &[]);
        self.bind(induction);
        let at_exit = std::mem::replace(&mut self.values.at_exit, true);
        let leaving = self.left_at_top(header, to, &induction.counter, iter);
        self.values.at_exit = at_exit;
        let required = self.values.required.clone();
        self.back_to(&mark);
        for requirement in required.into_iter().skip(self.values.required.len()) {
            self.values.ranges.add_fact(Constraint::non_negative(requirement.expr.clone()));
            self.values.required.push(requirement);
        }
        Some(leaving.map_err(|cause| self.loop_reason(inner, cause)))
    }

    fn left_at_top(
        &mut self,
        header: Node,
        to: Node,
        counter: &Counter<'m>,
        iter: IterId,
    ) -> Result<Leaving<'m>, Cause> {
        for instruction in self.cfg.blocks[header].instructions() {
            if instruction.opcode() != Some(Opcode::LLVMPHI) {
                self.values.define(instruction);
            }
        }
        let block = self.cfg.blocks[header];
        let terminator = block.terminator().ok_or_else(|| Cause::here("it has no end"))?;
        if !terminator.is_conditional() {
            return Err(Cause::here("it is not left by a condition"));
        }
        let goes_on = block.successors().first().map(|first| self.cfg.number(*first)) != Some(to);
        let mut stays = Vec::new();
        self.stays(operand(terminator, 0)?, goes_on, &mut stays)?;
        let arrival = self.arrive(header, to);
        let mut ends = Cases::Always(Vec::new());
        let mut entered = Cases::Always(true);
        for stay in stays {
            match stay {
                Stay::AtLeastZero(value) => {
                    let (upper, enter) = ends_of(&value, iter, counter, &self.values.ranges)?;
                    ends = both(&ends, &upper)?;
                    entered = all(&entered, &enter)?;
                }
                Stay::NotZero(value) => {
                    let upper = value.try_map(&mut |value: &Expr| self.until(value, iter, counter, terminator))?;
                    ends = both(&ends, &upper)?;
                }
                Stay::Holds(flag) => entered = all(&entered, &flag_without(&flag, iter)?)?,
            }
        }
        let exits = ends.try_map(&mut |from: &Vec<Expr>| {
            Ok::<_, Cause>(vec![Exit { from: from.clone(), at_top: true, arrival: arrival.clone() }])
        })?;
        Ok(Leaving { exits, entered: entered.merged()? })
    }

    /// Splits the condition that goes on with the loop if it has the truth value `sense` into a conjunction.
    fn stays(&mut self, condition: Value<'m>, sense: bool, found: &mut Vec<Stay>) -> Result<(), Cause> {
        use Opcode as O;
        let operands = condition.operands();
        let constant = |index: usize| operands.get(index).and_then(|v| v.constant()).map(|value| value != 0);
        if let Some((chosen, sense)) = self.chosen_condition(condition, sense) {
            return self.stays(chosen, sense, found);
        }
        match (condition.opcode(), sense) {
            (Some(O::LLVMAnd), true) | (Some(O::LLVMOr), false) => {
                operands.iter().try_for_each(|operand| self.stays(*operand, sense, found))
            }
            (Some(O::LLVMSelect), true) if constant(2) == Some(false) => {
                operands.iter().take(2).try_for_each(|operand| self.stays(*operand, sense, found))
            }
            (Some(O::LLVMSelect), false) if constant(1) == Some(true) => {
                [0, 2].iter().try_for_each(|index: &usize| self.stays(operands[*index], sense, found))
            }
            (Some(O::LLVMXor), _) if constant(1) == Some(true) => self.stays(operands[0], !sense, found),
            (Some(O::LLVMICmp), _) => {
                let stay = self.compared_to_stay(condition, sense)?;
                found.push(stay);
                Ok(())
            }
            _ => {
                let flag = self.values.flag(condition)?;
                found.push(Stay::Holds(flag.try_map(&mut |holds| Ok::<_, Cause>(*holds == sense))?));
                Ok(())
            }
        }
    }

    /// Returns the comparison that decides `step < 0 ? i >= end : i <= end`, with its truth value, if the first
    /// condition is known.
    fn chosen_condition(&mut self, condition: Value<'m>, sense: bool) -> Option<(Value<'m>, bool)> {
        use Predicate as P;
        let is_zero = condition.operand(1).and_then(Value::constant) == Some(0);
        let sense = match condition.predicate().filter(|_| is_zero)? {
            P::LLVMIntNE => sense,
            P::LLVMIntEQ => !sense,
            _ => return None,
        };
        let mut number = condition.operand(0)?;
        while number.opcode() == Some(Opcode::LLVMSelect) {
            let Ok(Cases::Always(holds)) = self.values.flag(number.operand(0)?) else { return None };
            number = number.operand(if holds { 1 } else { 2 })?;
        }
        let flag = number.operand(0).filter(|_| number.opcode() == Some(Opcode::LLVMZExt))?;
        flag.r#type().is_flag().then_some((flag, sense))
    }

    /// Returns a comparison as a condition on the difference of its operands.
    fn compared_to_stay(&mut self, comparison: Value<'m>, sense: bool) -> Result<Stay, Cause> {
        use Predicate as P;
        let difference = self.values.difference(comparison)?;
        let predicate = comparison.predicate().ok_or_else(|| Cause::here("it is not known"))?;
        // The condition on ±(a − b) under which the loop goes on.
        let times = |factor: i64, plus: i64| {
            difference.try_map(&mut |d: &Expr| Ok::<_, Cause>(d.times(factor)?.plus_constant(plus)?))
        };
        Ok(match (predicate, sense) {
            (P::LLVMIntNE, true) | (P::LLVMIntEQ, false) => Stay::NotZero(difference.clone()),
            (P::LLVMIntEQ, true) | (P::LLVMIntNE, false) => {
                Stay::Holds(self.values.flag(comparison)?.try_map(&mut |holds| Ok::<_, Cause>(*holds == sense))?)
            }
            (P::LLVMIntSLT | P::LLVMIntULT, true) | (P::LLVMIntSGE | P::LLVMIntUGE, false) => {
                Stay::AtLeastZero(times(-1, -1)?)
            }
            (P::LLVMIntSLE | P::LLVMIntULE, true) | (P::LLVMIntSGT | P::LLVMIntUGT, false) => {
                Stay::AtLeastZero(times(-1, 0)?)
            }
            (P::LLVMIntSGT | P::LLVMIntUGT, true) | (P::LLVMIntSLE | P::LLVMIntULE, false) => {
                Stay::AtLeastZero(times(1, -1)?)
            }
            (P::LLVMIntSGE | P::LLVMIntUGE, true) | (P::LLVMIntSLT | P::LLVMIntULT, false) => {
                Stay::AtLeastZero(times(1, 0)?)
            }
        })
    }

    /// Returns the iteration in which a value becomes zero; the iterator must reach it.
    fn until(&mut self, value: &Expr, iter: IterId, counter: &Counter<'m>, at: Value<'m>) -> Result<Vec<Expr>, Cause> {
        let (coefficient, rest) = split(value, iter).ok_or_else(not_linear)?;
        let bound = match coefficient {
            0 => return Err(Cause::here("its end does not depend on a counter")),
            _ => exact(&rest, coefficient).ok_or_else(not_linear)?,
        };
        let Cases::Always(start) = &counter.start else {
            return Err(Cause::hinted("its counter starts in several ways and ends with `!=`", UNEQUAL_HINT));
        };
        self.require_meeting(start, &bound, counter.step, at)?;
        Ok(vec![bound])
    }

    /// Requires that a counter meets the end of a loop that only an equality ends: it must start at or before it, and its steps must not
    /// miss it.
    pub(super) fn require_meeting(
        &mut self,
        start: &Poly,
        end: &Expr,
        step: LoopStep,
        at: Value<'m>,
    ) -> Result<(), Cause> {
        let distance = Poly::from(end.clone()).minus(start)?.to_affine()?;
        if !self.values.require(&distance, at, "a loop that ends with `!=` must start at or below its end") {
            return Err(Cause::hinted("it ends with `!=`, and it may start beyond its end", UNEQUAL_HINT));
        }
        let missed = step.constant().map(|step| distance.modulo(step)).transpose()?.map(Constraint::zero);
        match missed.and_then(|missed| self.values.ranges.decide(&missed)) {
            Some(true) => Ok(()),
            _ => Err(Cause::hinted("it ends with `!=`, and its steps may miss the end", UNEQUAL_HINT)),
        }
    }
}

/// Returns true if a value compares an unsigned number with a constant that would be negative if it were signed.
fn is_beside_huge(value: &Value<'_>) -> bool {
    use Predicate as P;
    let is_unsigned = matches!(value.predicate(), Some(P::LLVMIntULT | P::LLVMIntULE | P::LLVMIntUGT | P::LLVMIntUGE));
    is_unsigned && value.operands().iter().any(|operand| operand.constant().is_some_and(|constant| constant < 0))
}

/// Returns upper bounds of the iterator while a value is not negative, and the condition for entering the loop.
fn ends_of(
    value: &Cases<Expr>,
    iter: IterId,
    counter: &Counter<'_>,
    ranges: &Ranges,
) -> Result<(Cases<Vec<Expr>>, Cases<bool>), Cause> {
    if let Some(all) = bounds(value, Extreme::Smallest).filter(|all| all.len() > 1) {
        let mut ends = (Cases::Always(Vec::new()), Cases::Always(true));
        for one in all {
            let (upper, entered) = ends_of(&Cases::Always(one), iter, counter, ranges)?;
            ends = (both(&ends.0, &upper)?, self::all(&ends.1, &entered)?);
        }
        return Ok(ends);
    }
    let start = counter.first()?;
    let upper = value.try_map(&mut |value: &Expr| {
        let (coefficient, rest) = split(value, iter).ok_or_else(not_linear)?;
        Ok::<_, Cause>(match coefficient {
            ..0 => vec![rest.floor_div(-coefficient)?.plus_constant(1)?],
            _ => Vec::new(),
        })
    })?;
    let entered = value.and_then(&mut |value: &Expr| {
        let (coefficient, rest) = split(value, iter).ok_or_else(not_linear)?;
        if coefficient < 0 {
            return Ok::<_, Cause>(Cases::Always(true));
        }
        start.and_then(&mut |start: &Expr| {
            Ok(ranges.holds(Constraint::non_negative(rest.add_scaled(start, coefficient)?)))
        })
    })?;
    Ok((upper, entered))
}

fn both(a: &Cases<Vec<Expr>>, b: &Cases<Vec<Expr>>) -> Result<Cases<Vec<Expr>>, Cause> {
    let joined = join(&[a.clone(), b.clone()])?;
    joined.try_map(&mut |lists: &Vec<Vec<Expr>>| Ok(lists.concat()))
}

fn all(a: &Cases<bool>, b: &Cases<bool>) -> Result<Cases<bool>, Cause> {
    let joined = join(&[a.clone(), b.clone()])?;
    let value = joined.try_map(&mut |flags: &Vec<bool>| Ok::<_, Cause>(flags.iter().all(|flag| *flag)))?;
    Ok(value.merged()?)
}

/// Returns a condition, which must not mention the iterator.
fn flag_without(flag: &Cases<bool>, iter: IterId) -> Result<Cases<bool>, Cause> {
    fn depends(flag: &Cases<bool>, iter: IterId) -> bool {
        match flag {
            Cases::Always(_) => false,
            Cases::When(when) => {
                let here = |c: &Constraint| mentions(c, iter);
                when.condition.iter().any(here) || depends(&when.then, iter) || depends(&when.otherwise, iter)
            }
        }
    }
    if depends(flag, iter) { Err(not_linear()) } else { Ok(flag.clone()) }
}
