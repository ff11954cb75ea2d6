//! Counted loops from natural loops.
//!
//! The phis of a loop's header change from iteration to iteration. One that grows by a constant amount is *linear*: its
//! start plus the number of iterations so far times the step (`induction`). The loop's induction variable is such a
//! phi if it goes up from an affine start, else the number of the iteration, from 0. With all linear phis as functions
//! of the induction variable, the exit conditions of the loop are conditions on it, and the first iteration in which
//! one holds is the last one (`trip_count`).

use symloc_affine::{Expr, IterId, Loop, Node as Tree};
use symloc_frontend::cases::{Cases, Extreme, bounds, join};

use crate::ir::cfg::Node;
use crate::ir::ffi::{Opcode, Value};
use crate::values::environment::Values;
use crate::values::lattice::{Cause, Known, Pointer, Reason, affine};
use crate::walk::loops::counter::Counter;
use crate::walk::loops::induction::{Growth, Recurrence};
use crate::walk::loops::trip_count::{Exit, Leaving};
use crate::walk::walker::{Arrival, Arrivals, Walker};
use symloc_frontend::poly::Poly;

impl<'m> Walker<'m, '_> {
    /// Walks a loop that is entered by these edges; returns the edges by which it is left.
    pub(crate) fn natural_loop(&mut self, inner: usize, arrivals: &Arrivals<'m>) -> (Vec<Tree>, Arrivals<'m>) {
        let mut recurrences = self.recurrences(inner, arrivals);
        let doubtful = self.values.unsigned_at_exit.len();
        let mut counter = self.counter(inner, &recurrences);
        let iter = self.new_iterator(counter.name.clone());
        let exits = match self.simple_exit(inner, &counter, &recurrences, iter) {
            Some(exits) if !recurrences.iter().any(Recurrence::is_open) => exits,
            _ => {
                self.close(inner, &mut recurrences, &mut counter, iter);
                self.all_exits(inner, &counter, &recurrences, iter)
            }
        };
        let exits = match exits {
            Ok(exits) => exits,
            Err(reason) => return self.refused_loop(inner, &recurrences, &reason),
        };
        let at_exit = std::mem::replace(&mut self.values.at_exit, false);
        let checked = self.stays_unsigned(inner, doubtful, &counter, &exits, iter);
        self.values.at_exit = at_exit;
        if let Err(cause) = checked.and_then(|()| self.fits_its_type(inner, &counter, &recurrences, &exits)) {
            let reason = self.loop_reason(inner, cause);
            return self.refused_loop(inner, &recurrences, &reason);
        }
        if let (Some(recorder), Some(name)) = (&mut self.recorder, &counter.name) {
            recorder.counters.insert(inner, name.clone());
        }
        let nodes = self.counted_loop(inner, &counter, &recurrences, &exits, iter);
        let leaving = self.left(&counter, &exits, iter);
        match (nodes, leaving) {
            (Ok(nodes), Ok((last, leaving))) => ([nodes, last].concat(), leaving),
            (Err(cause), _) | (_, Err(cause)) => {
                let reason = self.loop_reason(inner, cause);
                self.refused_loop(inner, &recurrences, &reason)
            }
        }
    }

    fn header(&self, inner: usize) -> Node {
        self.cfg.loops[inner].header
    }

    /// Returns the instruction that stands for a loop in messages: the test of its header.
    fn at(&self, inner: usize) -> Option<Value<'m>> {
        let terminator = self.cfg.blocks[self.header(inner)].terminator()?;
        let test = terminator.operand(0).filter(|test| terminator.is_conditional() && test.is_instruction());
        Some(test.filter(|test| self.values.places.of(*test).is_some()).unwrap_or(terminator))
    }

    pub(crate) fn loop_reason(&self, inner: usize, cause: Cause) -> Reason {
        match self.at(inner) {
            Some(at) => self.values.explain(cause, at),
            None => Reason::new("it has no end", None, None),
        }
    }

    /// Reports a loop whose trip count is not affine, and goes on with unknown values.
    fn refused_loop(
        &mut self,
        inner: usize,
        recurrences: &[Recurrence<'m>],
        reason: &Reason,
    ) -> (Vec<Tree>, Arrivals<'m>) {
        if let Some(at) = self.at(inner) {
            self.refuse(at, "the number of iterations of this loop is not affine", reason);
        }
        let unknown = Known::Unknown(reason.clone());
        let values = recurrences.iter().map(|r| (r.phi, unknown.clone())).collect();
        let header = self.header(inner);
        // The errors inside may follow from that of the loop.
        let before = self.errors.len();
        self.block(Some(inner), header, Cases::Always(Arrival { from: None, to: Some(header), values }), None);
        self.errors.truncate(before);
        let exits = self.cfg.exits(inner);
        let Some((from, to)) = exits.first().copied() else {
            return (Vec::new(), Cases::Always(Arrival { from: None, to: None, values: Vec::new() }));
        };
        let mut arrival = self.arrive(from, to);
        arrival.values.iter_mut().for_each(|(_, known)| *known = unknown.clone());
        (Vec::new(), Cases::Always(arrival))
    }

    /// Checks that values which the exit conditions read as unsigned are not negative up to the last iteration: an
    /// unsigned `i >= 0` always holds. They are linear in the iterator, so it is enough to check both ends.
    fn stays_unsigned(
        &mut self,
        inner: usize,
        mark: usize,
        counter: &Counter<'m>,
        exits: &Leaving<'m>,
        iter: IterId,
    ) -> Result<(), Cause> {
        let doubtful = self.values.unsigned_at_exit.split_off(mark);
        let test = self.test_at_top(inner);
        for (value, at) in doubtful {
            // Other values that the body reads as unsigned are checked when the body is walked.
            if !test.contains(&at) || value.mentions(&|i| i != iter && i.0 >= iter.0) {
                continue;
            }
            let ends = exits.exits.try_map(&mut |exits: &Vec<Exit<'m>>| {
                Ok::<_, Cause>(exits.iter().flat_map(|exit| exit.from.clone()).collect::<Vec<_>>())
            })?;
            counter.start.try_map(&mut |start: &Poly| {
                let first = value.substitute(iter, start)?;
                self.values.unsigned(&first, at)?;
                ends.try_map(&mut |ends: &Vec<Expr>| {
                    let mut last = ends.iter().map(|end| value.substitute(iter, &end.clone().into()));
                    let fine = last.any(|last| last.is_ok_and(|last| self.values.unsigned(&last, at).is_ok()));
                    if fine { Ok::<_, Cause>(()) } else { Err(unsigned_end()) }
                })
            })?;
        }
        Ok(())
    }

    /// Returns the instructions of the header that its test depends on.
    fn test_at_top(&self, inner: usize) -> Vec<Value<'m>> {
        let header = self.cfg.blocks[self.header(inner)];
        let own = header.instructions();
        let mut open: Vec<_> = header.terminator().and_then(|t| t.operand(0)).into_iter().collect();
        let mut found = Vec::new();
        while let Some(value) = open.pop() {
            if own.contains(&value) && value.opcode() != Some(Opcode::LLVMPHI) && !found.contains(&value) {
                found.push(value);
                open.extend(value.operands());
            }
        }
        found
    }

    /// Checks that a counter does not wrap around before its end. It may if it is narrower than the value that it is
    /// compared with, unless wrapping is undefined.
    fn fits_its_type(
        &mut self,
        inner: usize,
        counter: &Counter<'m>,
        recurrences: &[Recurrence<'m>],
        exits: &Leaving<'m>,
    ) -> Result<(), Cause> {
        use Opcode::{LLVMAdd, LLVMSExt, LLVMZExt};
        self.narrow_values(inner, counter, recurrences, exits)?;
        let Some(phi) = counter.phi else { return Ok(()) };
        let instructions: Vec<_> = self.cfg.instructions(inner).collect();
        let extension = instructions.iter().find(|i| {
            matches!(i.opcode(), Some(LLVMSExt | LLVMZExt)) && i.operand(0) == Some(phi) && self.is_compared(**i)
        });
        let Some(extension) = extension else { return Ok(()) };
        let signed = extension.opcode() == Some(LLVMSExt);
        let promised = |i: &&Value<'m>| if signed { i.no_signed_wrap() } else { i.no_unsigned_wrap() };
        let adds = instructions.iter().filter(|i| i.opcode() == Some(LLVMAdd) && i.operand(0) == Some(phi));
        let width = phi.r#type().integer_width().filter(|width| *width < 63);
        let (Some(width), None) = (width, adds.clone().find(promised).filter(|add| add.r#type() == phi.r#type()))
        else {
            return Ok(());
        };
        let largest = (1_i64 << (width - u32::from(signed))) - counter.step;
        let Cases::Always(ends) = exits.upper(counter.step)? else { return Ok(()) };
        let fits = ends.iter().any(|end| {
            let room = Expr::constant(largest).minus(end);
            room.is_ok_and(|room| self.values.require(&room, *extension, "the counter of a loop must not wrap around"))
        });
        if fits { Ok(()) } else { Err(narrow(width)) }
    }

    /// Checks that growing numbers of fewer than 32 bits fit in their types up to the last iteration.
    fn narrow_values(
        &mut self,
        inner: usize,
        counter: &Counter<'m>,
        recurrences: &[Recurrence<'m>],
        exits: &Leaving<'m>,
    ) -> Result<(), Cause> {
        let extended = |phi: Value<'m>, walker: &Self| {
            let mut all = walker.cfg.instructions(inner);
            all.any(|i| i.opcode() == Some(Opcode::LLVMZExt) && i.operand(0) == Some(phi))
        };
        let grows = |r: &&Recurrence<'m>| !r.growth.is_zero() && !matches!(r.growth, Growth::Data(_));
        for recurrence in recurrences.iter().filter(grows) {
            let Some(width @ 2..32) = recurrence.phi.r#type().integer_width() else { continue };
            let largest = (1_i64 << (width - u32::from(!extended(recurrence.phi, self)))) - 1;
            let Cases::Always(ends) = exits.upper(counter.step)? else { return Err(narrow(width)) };
            let fits = ends.iter().any(|end| {
                let last = match counter.phi == Some(recurrence.phi) {
                    true => Ok(Known::integer(end.clone().into())),
                    false => self.linear(counter, recurrence, &end.clone().into()),
                };
                let Ok(Known::Integer(Cases::Always(last))) = last else { return false };
                let room = last.affine().and_then(|last| Expr::constant(largest).minus(&last).ok());
                let why = "the counter of a loop must not wrap around";
                room.is_some_and(|room| self.values.require(&room, recurrence.phi, why))
            });
            if !fits {
                return Err(narrow(width));
            }
        }
        Ok(())
    }

    fn is_compared(&self, value: Value<'m>) -> bool {
        let blocks = self.cfg.blocks.iter();
        let mut all = blocks.flat_map(|block| block.instructions());
        all.any(|i| i.opcode() == Some(Opcode::LLVMICmp) && i.operands().contains(&value))
    }

    /// Chooses the induction variable: a linear phi that goes up and that an exit condition depends on (if one depends
    /// on a phi), else the number of the iteration.
    pub(crate) fn counter(&self, inner: usize, recurrences: &[Recurrence<'m>]) -> Counter<'m> {
        let tested = self.tested(inner);
        let upward = |r: &Recurrence<'m>| match (&r.growth, &r.start) {
            (Growth::Integer(step), Known::Integer(start)) => {
                let step = step.as_constant().filter(|step| *step > 0)?;
                let plain = start.try_map(&mut |start: &Poly| affine(start)).is_ok();
                plain.then(|| Counter {
                    phi: Some(r.phi),
                    start: start.clone(),
                    step,
                    name: self.values.places.name_or_value(r.phi),
                })
            }
            _ => None,
        };
        let candidates: Vec<_> =
            recurrences.iter().filter_map(|r| Some((tested.contains(&r.phi), upward(r)?))).collect();
        let is_tested = recurrences.iter().any(|r| tested.contains(&r.phi));
        let chosen = candidates.iter().find(|(tested, _)| *tested || !is_tested).map(|(_, counter)| counter.clone());
        let fits = |counter: &Counter<'m>| {
            let divisible = |r: &Recurrence<'m>| r.growth.divided(counter.step).is_some();
            recurrences.iter().all(|r| r.phi == counter.phi.unwrap_or(r.phi) || divisible(r))
        };
        chosen.filter(fits).unwrap_or_else(|| {
            let named = recurrences.iter().find(|r| tested.contains(&r.phi));
            Counter {
                phi: None,
                start: Cases::Always(Poly::default()),
                step: 1,
                name: named.and_then(|r| self.values.places.name_or_value(r.phi)),
            }
        })
    }

    /// Returns the header's phis that exit conditions depend on.
    fn tested(&self, inner: usize) -> Vec<Value<'m>> {
        let exits = self.cfg.exits(inner);
        let tests = exits.iter().filter_map(|(from, _)| self.cfg.blocks[*from].terminator()?.operand(0));
        let mut open: Vec<_> = tests.collect();
        let mut found = Vec::new();
        let phis = self.phis(self.header(inner));
        let mut fuel = 64;
        while let Some(value) = open.pop() {
            fuel -= 1;
            if phis.contains(&value) {
                found.push(value);
            } else if value.is_instruction() && value.opcode() != Some(Opcode::LLVMLoad) && fuel > 0 {
                open.extend(value.operands());
            }
        }
        found
    }

    /// Sets the phis to functions of the iterator, and returns these.
    pub(crate) fn bind(
        &mut self,
        counter: &Counter<'m>,
        recurrences: &[Recurrence<'m>],
        iter: IterId,
    ) -> Vec<(Value<'m>, Known)> {
        let bound: Vec<_> = recurrences.iter().map(|r| (r.phi, self.at_iteration(counter, r, iter))).collect();
        bound.iter().for_each(|(phi, known)| self.values.set(*phi, known.clone()));
        bound
    }

    fn at_iteration(&self, counter: &Counter<'m>, recurrence: &Recurrence<'m>, iter: IterId) -> Known {
        let iterator = Values::iterator(iter);
        if counter.phi == Some(recurrence.phi) {
            return Known::integer(iterator);
        }
        let known = self.linear(counter, recurrence, &iterator);
        known.unwrap_or_else(|cause| Known::Unknown(self.values.explain(cause, recurrence.phi)))
    }

    fn linear(&self, counter: &Counter<'m>, recurrence: &Recurrence<'m>, iterator: &Poly) -> Result<Known, Cause> {
        let Some(growth) = recurrence.growth.divided(counter.step) else {
            return Err(Cause::here("it does not go in steps of the loop's counter"));
        };
        let gone = counter.start.try_map(&mut |start: &Poly| iterator.minus(start))?;
        match (&recurrence.start, &growth) {
            (_, Growth::Data(reason)) => Ok(Known::Unknown(reason.clone())),
            (_, Growth::Is(known)) => Ok(known.clone()),
            (start, growth) if growth.is_zero() => Ok(start.clone()),
            (Known::Integer(start), Growth::Integer(step)) => {
                let value = start.and_then(&mut |start: &Poly| {
                    gone.try_map(&mut |gone: &Poly| Ok::<_, Cause>(start.plus(&gone.product(step)?)?))
                })?;
                Ok(Known::Integer(value))
            }
            (Known::Pointer(start), Growth::Address(steps)) => {
                let value = start.and_then(&mut |start: &Pointer| {
                    gone.try_map(&mut |gone: &Poly| Ok::<_, Cause>(start.moved_by(steps, gone)?))
                })?;
                Ok(Known::Pointer(value))
            }
            (Known::Unknown(reason), _) => Err(Cause::Operand(reason.clone())),
            _ => Err(Cause::here("it is computed by a loop")),
        }
    }

    /// Returns the lower bounds of the iterator; the loop starts at their maximum.
    pub(crate) fn lower(counter: &Counter<'m>) -> Result<Cases<Vec<Expr>>, Cause> {
        let start = counter.start.try_map(&mut |start: &Poly| affine(start))?;
        match bounds(&start, Extreme::Largest) {
            Some(bounds) => Ok(Cases::Always(bounds)),
            None => Ok(start.try_map(&mut |start: &Expr| Ok::<_, Cause>(vec![start.clone()]))?),
        }
    }

    /// Returns the lower bounds of the iterator, if they are the same in all cases.
    pub(crate) fn known_lower(counter: &Counter<'m>) -> Vec<Expr> {
        match Self::lower(counter) {
            Ok(Cases::Always(lower)) => lower,
            _ => Vec::new(),
        }
    }

    /// Returns the loop, once for each case of its bounds.
    fn counted_loop(
        &mut self,
        inner: usize,
        counter: &Counter<'m>,
        recurrences: &[Recurrence<'m>],
        exits: &Leaving<'m>,
        first: IterId,
    ) -> Result<Vec<Tree>, Cause> {
        let both = join(&[Self::lower(counter)?, exits.upper(counter.step)?])?;
        let mut fresh = Some(first);
        let entered = exits.entered.clone();
        let nodes = self.in_each_case(both, &mut |walker: &mut Self, mut bounds: Vec<Vec<Expr>>| {
            let upper = bounds.pop().unwrap_or_default();
            let lower = bounds.pop().unwrap_or_default();
            if never_entered(&lower, &upper) {
                return Vec::new();
            }
            let iter = fresh.take().unwrap_or_else(|| walker.new_iterator(counter.name.clone()));
            let last = walker.values.ranges.tightened(&lower, &upper, counter.step);
            walker.values.ranges.set(iter, &lower, &last);
            let facts = walker.values.ranges.facts().to_vec();
            if let Cases::When(when) = &entered {
                when.condition.iter().for_each(|c| walker.values.ranges.add_fact(c.clone()));
            }
            let values = walker.bind(counter, recurrences, iter);
            let header = walker.header(inner);
            let start = Cases::Always(Arrival { from: None, to: Some(header), values });
            let (body, _) = walker.block_of_loop(inner, header, start, (iter, counter.step));
            walker.values.ranges.replace_facts(facts);
            vec![Tree::Loop(Loop { iter, lower, upper, step: counter.step, body: Tree::merged(body) })]
        });
        Ok(match entered {
            Cases::Always(_) => nodes,
            Cases::When(when) => symloc_frontend::cases::guard(when.condition, nodes, Vec::new()),
        })
    }

    /// Walks one iteration.
    pub(crate) fn block_of_loop(
        &mut self,
        inner: usize,
        header: Node,
        start: Arrivals<'m>,
        iterator: (IterId, i64),
    ) -> (Vec<Tree>, Arrivals<'m>) {
        let recent = std::mem::take(&mut self.recent);
        let around = self.around.replace(iterator);
        let result = self.block(Some(inner), header, start, None);
        self.around = around;
        self.recent = recent;
        result
    }

    /// Returns the edges by which the loop is left, with the values of the phis there, and the marks of the header's
    /// last execution, if the loop is left from its top.
    fn left(
        &mut self,
        counter: &Counter<'m>,
        exits: &Leaving<'m>,
        iter: IterId,
    ) -> Result<(Vec<Tree>, Arrivals<'m>), Cause> {
        let start = counter.start.try_map(&mut |start: &Poly| affine(start))?;
        let lone = exits.only();
        let needs_values = |exit: &Exit<'m>| exit.arrival.values.iter().any(|(_, k)| !matches!(k, Known::Unknown(_)));
        if let Some(exit) = lone.filter(|exit| !needs_values(exit)) {
            return Ok((self.at_the_top(exit), Cases::Always(exit.arrival.clone())));
        }
        let taken = start.and_then(&mut |start: &Expr| exits.taken(start, counter.step, &self.values.ranges))?;
        let tops = taken.try_map(&mut |(exit, _): &(Exit<'m>, Expr)| Ok::<_, Cause>(exit.clone()))?;
        let last = match self.recorder {
            Some(_) => tops.into_nodes(&mut |exit| self.at_the_top(&exit)),
            None => Vec::new(),
        };
        let leaving = taken.and_then(&mut |(exit, last): &(Exit<'m>, Expr)| {
            let last = Cases::Always(Poly::from(last.clone()));
            let mut arrival = exit.arrival.clone();
            for (phi, known) in &mut arrival.values {
                let replaced = known.substitute(iter, &last);
                *known = replaced.unwrap_or_else(|cause| Known::Unknown(self.values.explain(cause, *phi)));
            }
            Ok::<_, Cause>(Cases::Always(arrival))
        })?;
        Ok((last, leaving))
    }

    /// Returns the marks of the header's last execution, if the loop is left from its top.
    fn at_the_top(&mut self, exit: &Exit<'m>) -> Vec<Tree> {
        let (Some(recorder), Some((from, to))) = (&mut self.recorder, exit.arrival.from.zip(exit.arrival.to)) else {
            return Vec::new();
        };
        if exit.at_top { vec![recorder.block(from), recorder.edge(from, to)] } else { Vec::new() }
    }
}

/// Returns true if there is no iteration between these bounds for any sizes.
fn never_entered(lower: &[Expr], upper: &[Expr]) -> bool {
    let constants = |bounds: &[Expr]| bounds.iter().filter_map(Expr::as_constant).collect::<Vec<_>>();
    let largest = constants(lower).into_iter().max();
    largest.zip(constants(upper).into_iter().min()).is_some_and(|(lower, upper)| upper <= lower)
}

fn narrow(width: u32) -> Cause {
    Cause::hinted(
        format!("a counter of {width} bits may wrap around before the end"),
        "use a wider type, or state with --assume how large the sizes are",
    )
}

fn unsigned_end() -> Cause {
    Cause::hinted(
        "it ends when an unsigned number would be negative, which it never is",
        "use a signed counter, or `while (i-- > 0)`",
    )
}
