//! The exits of a loop: the first iteration in which an exit condition holds.
//!
//! Each condition is linear in the iterator i. `i ≥ b` holds from b on, so the loop is left in iteration max(start, b);
//! `i = b` holds in b alone; `i ≤ b` and conditions without i hold at the start or never. Code before an exit in the
//! body is executed in the last iteration too. An exit at the top of a loop has no code before it, so its last
//! iteration is empty.

use symloc_affine::{Constraint, Expr, IterId, Relation};
use symloc_frontend::arithmetic::Trouble;
use symloc_frontend::cases::{Cases, Extreme, bounds, join};
use symloc_frontend::ranges::Ranges;

use crate::ir::cfg::Node;
use crate::ir::ffi::{Opcode, Value};
use crate::ir::library;
use crate::memory::registers::Registers;
use crate::values::lattice::{Cause, Reason};
use crate::values::refusals::operand;
use crate::walk::loops::counter::{Counter, aligned, split};
use crate::walk::loops::induction::Recurrence;
use crate::walk::loops::ways_out::{Ways, mentions, ways_out};
use crate::walk::walker::{Arrival, Walker};
use symloc_frontend::poly::Poly;

/// One exit of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Exit<'m> {
    /// The loop is left in the first iteration that is at least the minimum of these.
    pub(crate) from: Vec<Expr>,
    /// True if nothing is executed in the iteration in which the loop is left.
    pub(crate) at_top: bool,
    pub(crate) arrival: Arrival<'m>,
}

/// All exits of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Leaving<'m> {
    pub(crate) exits: Cases<Vec<Exit<'m>>>,
    /// A necessary condition for the first iteration.
    pub(crate) entered: Cases<bool>,
}

impl<'m> Leaving<'m> {
    /// Returns the upper bounds of the iterator, exclusive, for each iteration up to the first that is not below the
    /// end.
    pub(crate) fn upper(&self, step: i64) -> Result<Cases<Vec<Expr>>, Cause> {
        self.exits.try_map(&mut |exits: &Vec<Exit<'m>>| {
            let mut upper = Vec::new();
            for exit in exits {
                for from in &exit.from {
                    upper.push(if exit.at_top { from.clone() } else { from.plus_constant(step)? });
                }
            }
            match upper.is_empty() {
                true => Err(Cause::hinted("no condition ends it", "give the loop an end that depends on sizes alone")),
                false => smallest(upper),
            }
        })
    }

    /// Returns the exit, if there is only one.
    pub(crate) fn only(&self) -> Option<&Exit<'m>> {
        match &self.exits {
            Cases::Always(exits) => match exits.as_slice() {
                [only] => Some(only),
                _ => None,
            },
            Cases::When(_) => None,
        }
    }

    /// Returns the exit that is taken, and the value of the iterator there.
    pub(crate) fn taken(&self, start: &Expr, step: i64, ranges: &Ranges) -> Result<Cases<(Exit<'m>, Expr)>, Cause> {
        let chosen = self.exits.and_then(&mut |exits: &Vec<Exit<'m>>| {
            let mut last = Vec::new();
            for exit in exits {
                let first = ranges.extreme(Extreme::Smallest, &exit.from)?;
                last.push(first.and_then(&mut |first: &Expr| {
                    Ok::<_, Cause>(ranges.extreme(Extreme::Largest, &[start.clone(), aligned(start, first, step)?])?)
                })?);
            }
            join(&last)?.and_then(&mut |last: &Vec<Expr>| first_of(exits, last, ranges))
        })?;
        let Cases::When(when) = &self.entered else { return Ok(chosen) };
        // If the loop is not entered, the exit at the top is taken at the start.
        let at_once =
            chosen.try_map(&mut |(exit, _): &(Exit<'m>, Expr)| Ok::<_, Cause>((exit.clone(), start.clone())))?;
        Ok(Cases::when(when.condition.clone(), chosen, at_once))
    }
}

/// Removes the bounds that exceed another one by a constant.
fn smallest(bounds: Vec<Expr>) -> Result<Vec<Expr>, Cause> {
    let mut kept: Vec<Expr> = Vec::new();
    'bounds: for bound in bounds {
        for other in &mut kept {
            if let Some(ahead) = bound.minus(other)?.as_constant() {
                if ahead < 0 {
                    *other = bound;
                }
                continue 'bounds;
            }
        }
        kept.push(bound);
    }
    Ok(kept)
}

/// Returns the exit with the earliest iteration; of several in one iteration, the first in the body.
fn first_of<'m>(exits: &[Exit<'m>], last: &[Expr], ranges: &Ranges) -> Result<Cases<(Exit<'m>, Expr)>, Cause> {
    let mut pairs = exits.iter().zip(last);
    let (exit, at) = pairs.next().ok_or_else(|| Cause::here("no condition ends it"))?;
    let mut chosen = Cases::Always((exit.clone(), at.clone()));
    for (exit, at) in pairs {
        chosen = chosen.and_then(&mut |(best, first): &(Exit<'m>, Expr)| {
            let earlier = ranges.holds(Constraint::non_negative(first.minus(at)?.plus_constant(-1)?));
            let pick = |&sooner: &bool| {
                Ok::<_, Cause>(match sooner {
                    true => (exit.clone(), at.clone()),
                    false => (best.clone(), first.clone()),
                })
            };
            earlier.try_map(&mut { pick })
        })?;
    }
    Ok(chosen)
}

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
    pub(crate) fn simple_exit(
        &mut self,
        inner: usize,
        counter: &Counter<'m>,
        recurrences: &[Recurrence<'m>],
        iter: IterId,
    ) -> Option<Result<Leaving<'m>, Reason>> {
        let header = self.cfg.loops[inner].header;
        let exits = self.cfg.exits(inner);
        let &[(from, to)] = exits.as_slice() else { return None };
        let plain = |value: &Value<'m>| !library::may_touch_memory(*value);
        if from != header || !self.cfg.blocks[header].instructions().iter().all(plain) {
            return None;
        }
        let mark = self.mark();
        self.values.ranges.set(iter, &Self::known_lower(counter), &[]);
        self.bind(counter, recurrences, iter);
        let at_exit = std::mem::replace(&mut self.values.at_exit, true);
        let leaving = self.left_at_top(header, to, counter, iter);
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

    /// Returns the condition that `step < 0 ? i >= end : i <= end` is, and as what, if only one of the two is ever looked at.
    fn chosen_condition(&mut self, condition: Value<'m>, sense: bool) -> Option<(Value<'m>, bool)> {
        use crate::ir::ffi::Predicate as P;
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
        use crate::ir::ffi::Predicate as P;
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
        const HINT: &str = "end the loop with `<`, or start it below its end";
        let (coefficient, rest) = split(value, iter).ok_or_else(not_linear)?;
        let bound = match coefficient {
            0 => return Err(Cause::here("its end does not depend on a counter")),
            _ => exact(&rest, coefficient).ok_or_else(not_linear)?,
        };
        let Cases::Always(start) = &counter.start else {
            return Err(Cause::hinted("its counter starts in several ways and ends with `!=`", HINT));
        };
        let distance = Poly::from(bound.clone()).minus(start)?.affine().ok_or(Trouble::Product)?;
        if !self.values.require(&distance, at, "a loop that ends with `!=` must start at or below its end") {
            return Err(Cause::hinted("it ends with `!=`, and it may start beyond its end", HINT));
        }
        if Poly::from(distance).divided(counter.step).is_none() {
            return Err(Cause::hinted("it ends with `!=`, and its steps may miss the end", HINT));
        }
        Ok(vec![bound])
    }

    /// Returns all exits of a loop, by a dry run of one iteration.
    pub(crate) fn all_exits(
        &mut self,
        inner: usize,
        counter: &Counter<'m>,
        recurrences: &[Recurrence<'m>],
        iter: IterId,
    ) -> Result<Leaving<'m>, Reason> {
        let arrivals = self.dry_run(inner, counter, recurrences, iter);
        let header = self.cfg.loops[inner].header;
        if let Some(reason) = self.left_on_data(inner, counter, recurrences, iter) {
            return Err(reason);
        }
        let ways = ways_out(&arrivals, &|to| to == Some(header), iter, &[], Vec::new()).ok_or_else(|| {
            Cause::hinted("the conditions that end it are not a list of comparisons", "end it by one comparison")
        });
        let exits =
            ways.and_then(|ways| ways.and_then(&mut |found: &Ways<'m>| self.first_exits(found, counter, iter, header)));
        let leaving = exits.map(|exits| Leaving { exits, entered: Cases::Always(true) });
        leaving.map_err(|cause| self.loop_reason(inner, cause))
    }

    /// Returns the reason if an exit condition of a loop is not known, for the values of a dry run. A condition that
    /// always or never holds by `--branch` is known.
    fn left_on_data(
        &mut self,
        inner: usize,
        counter: &Counter<'m>,
        recurrences: &[Recurrence<'m>],
        iter: IterId,
    ) -> Option<Reason> {
        for (from, to) in self.cfg.exits(inner) {
            let terminator = self.cfg.blocks[from].terminator()?;
            if self.cfg.loop_of(from) != Some(inner) || !terminator.is_conditional() {
                continue;
            }
            self.bind(counter, recurrences, iter);
            let condition = terminator.operand(0)?;
            let Err(cause) = self.values.flag(condition) else { continue };
            let reason = self.values.explain(cause, terminator);
            let line = self.values.places.of(terminator).map(|place| place.line);
            let told = line.and_then(|line| self.rules.branches.get(&line));
            if told.is_some_and(|share| share.is_integer()) {
                continue;
            }
            let goes_on = usize::from(self.cfg.targets(from).first() != Some(&to));
            let hint = line.filter(|line| self.ends_otherwise(inner, from, condition, *line, goes_on == 1)).map(|line| {
                format!("say with --branch {line}={goes_on} that this exit is never taken, or end the loop by parameters and counters alone")
            });
            return Some(Reason::new(reason.why(), reason.at().cloned(), hint.as_deref().or(reason.hint())));
        }
        None
    }

    /// Does a loop end although the user says that it is not left by the conditions on a line? By a part of the condition, or elsewhere.
    fn ends_otherwise(&mut self, inner: usize, from: Node, condition: Value<'m>, line: u32, goes_on: bool) -> bool {
        let parts = self.values.told(condition, &Cases::Always(goes_on), 16);
        if !matches!(parts, Some(Cases::Always(_))) {
            return true;
        }
        let others: Vec<_> = self.cfg.exits(inner).into_iter().filter(|(other, _)| *other != from).collect();
        others.into_iter().filter_map(|(other, _)| self.cfg.blocks[other].terminator()).any(|end| {
            let is_elsewhere = self.values.places.of(end).is_none_or(|place| place.line != line);
            is_elsewhere || end.operand(0).is_some_and(|condition| self.values.flag(condition).is_ok())
        })
    }

    fn first_exits(
        &mut self,
        found: &[(Vec<Constraint>, Arrival<'m>)],
        counter: &Counter<'m>,
        iter: IterId,
        header: Node,
    ) -> Result<Cases<Vec<Exit<'m>>>, Cause> {
        let start = counter.start.try_map(&mut |start: &Poly| start.affine().ok_or(Trouble::Product))?;
        let plain = |value: &Value<'m>| !library::may_touch_memory(*value);
        let header_exit = self.cfg.exits(self.cfg.loop_of(header).unwrap_or(0)).iter().any(|(from, _)| *from == header);
        let bare_top = header_exit && self.cfg.blocks[header].instructions().iter().all(plain);
        // An optimiser makes an equality the only exit condition of a loop only if it holds in some iteration.
        let optimized = self.rules.registers == Registers::Optimized;
        let equality = |(condition, _): &(Vec<Constraint>, _)| {
            condition.len() == 1 && condition[0].relation == Relation::Zero && mentions(&condition[0], iter)
        };
        let is_met = optimized && found.len() == 1 && found.iter().all(equality);
        let mut exits: Cases<Vec<Exit<'m>>> = Cases::Always(Vec::new());
        for (condition, arrival) in found {
            let at_top = bare_top && arrival.from == Some(header);
            let first = match condition.as_slice() {
                [only] if is_met => Cases::Always(Some(meeting(only, iter)?)),
                _ => start.and_then(&mut |start: &Expr| {
                    first_time(condition, start, iter, counter.step, &self.values.ranges)
                })?,
            };
            exits = exits.and_then(&mut |exits: &Vec<Exit<'m>>| {
                first.try_map(&mut |first: &Option<Expr>| {
                    let exit = first.clone().map(|from| Exit { from: vec![from], at_top, arrival: arrival.clone() });
                    Ok::<_, Cause>(exits.iter().cloned().chain(exit).collect())
                })
            })?;
        }
        Ok(exits)
    }
}

/// Returns the first iteration from `start` on in which a conjunction holds; `None` where it never holds.
fn first_time(
    condition: &[Constraint],
    start: &Expr,
    iter: IterId,
    step: i64,
    ranges: &Ranges,
) -> Result<Cases<Option<Expr>>, Cause> {
    let (on_iterator, free): (Vec<&Constraint>, Vec<&Constraint>) = condition.iter().partition(|c| mentions(c, iter));
    let first = match on_iterator.as_slice() {
        [] => Cases::Always(Some(start.clone())),
        [only] => first_time_of_one(only, start, iter, step, ranges)?,
        several if several.iter().all(|c| c.relation == Relation::NonNegative) => {
            first_time_of_all(several, start, iter, step, ranges)?
        }
        _ => {
            return Err(Cause::hinted(
                "it is left under several conditions on its counter",
                "leave it by one comparison",
            ));
        }
    };
    match free.is_empty() {
        true => Ok(first),
        false => Ok(Cases::when(free.into_iter().cloned().collect(), first, Cases::Always(None))),
    }
}

/// Returns the first iteration in which several values are not negative: the first one in which those that grow are not
/// negative, if those that shrink are not negative there either.
fn first_time_of_all(
    conditions: &[&Constraint],
    start: &Expr,
    iter: IterId,
    step: i64,
    ranges: &Ranges,
) -> Result<Cases<Option<Expr>>, Cause> {
    let (mut from, mut shrinking) = (vec![start.clone()], Vec::new());
    for condition in conditions {
        match split(&condition.expr, iter).ok_or_else(not_linear)? {
            (coefficient @ 1.., rest) => from.push(aligned(start, &rest.times(-1)?.ceil_div(coefficient)?, step)?),
            shrinks => shrinking.push(shrinks),
        }
    }
    ranges.extreme(Extreme::Largest, &from)?.and_then(&mut |first: &Expr| {
        let mut found = Cases::Always(Some(first.clone()));
        for (coefficient, rest) in &shrinking {
            let still = ranges.holds(Constraint::non_negative(rest.add_scaled(first, *coefficient)?));
            found = still
                .and_then(&mut |&still| Ok::<_, Cause>(if still { found.clone() } else { Cases::Always(None) }))?;
        }
        Ok(found)
    })
}

/// Returns the iteration in which an equality holds.
fn meeting(equality: &Constraint, iter: IterId) -> Result<Expr, Cause> {
    let (coefficient, rest) = split(&equality.expr, iter).ok_or_else(not_linear)?;
    exact(&rest, coefficient).ok_or_else(not_linear)
}

fn first_time_of_one(
    constraint: &Constraint,
    start: &Expr,
    iter: IterId,
    step: i64,
    ranges: &Ranges,
) -> Result<Cases<Option<Expr>>, Cause> {
    let (coefficient, rest) = split(&constraint.expr, iter).ok_or_else(not_linear)?;
    let at_start = rest.add_scaled(start, coefficient)?;
    let when = |condition: Constraint, then: Expr, otherwise: Option<Expr>| {
        ranges
            .holds(condition)
            .try_map(&mut |&holds| Ok::<_, Cause>(if holds { Some(then.clone()) } else { otherwise.clone() }))
    };
    match (constraint.relation, coefficient) {
        (Relation::NonNegative, 1..) => {
            let bound = rest.times(-1)?.ceil_div(coefficient)?;
            let late = Constraint::non_negative(bound.minus(start)?);
            when(late, bound, Some(start.clone()))
        }
        (Relation::NonNegative, _) => when(Constraint::non_negative(at_start), start.clone(), None),
        (Relation::Zero, _) => {
            let bound = meeting(constraint, iter)?;
            let distance = bound.minus(start)?;
            let meets = ranges.holds(Constraint::zero(distance.modulo(step)?));
            let reached = when(Constraint::non_negative(distance), bound, None)?;
            meets.and_then(&mut |&meets| Ok::<_, Cause>(if meets { reached.clone() } else { Cases::Always(None) }))
        }
    }
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
    let start = counter.start.try_map(&mut |start: &Poly| start.affine().ok_or(Trouble::Product))?;
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

/// Returns the x at which `coefficient·x + rest` is zero, if its coefficients are integers.
fn exact(rest: &Expr, coefficient: i64) -> Option<Expr> {
    let negated = rest.times(if coefficient > 0 { -1 } else { 1 }).ok()?;
    Poly::from(negated).divided(coefficient.abs())?.affine()
}

fn not_linear() -> Cause {
    Cause::hinted(
        "the condition that ends it is not linear in its counter",
        "compare the counter with its end directly",
    )
}
