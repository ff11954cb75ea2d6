//! Recurrences: the phis of a loop's header as functions of the iteration.
//!
//! Most grow by a loop invariant, which the instructions between the phi and its next value show. A growth in an inner
//! loop is found by a dry run of the body with the phi as an unknown x: if the next value is x + d, it grows by d. If
//! the next value does not depend on x, the phi is the value of the previous iteration (a wraparound variable). A phi
//! that returns to its start after a few iterations has a period (`periodic_phis`): two buffers that are swapped, a
//! flag that is toggled.

use std::collections::BTreeSet;

use symloc_affine::{Atom, Expr, IterId, LoopStep};
use symloc_frontend::cases::Cases;
use symloc_frontend::delinearize::{Steps, Stride};
use symloc_frontend::poly::Poly;
use symloc_frontend::raising::{Cause, Reason};

use crate::ir::ffi::{Opcode, Value};
use crate::values::environment::Values;
use crate::values::lattice::{Known, Pointer};
use crate::walk::loops::counter::Counter;
use crate::walk::walker::Walker;

/// A phi of a loop's header.
#[derive(Clone, Debug)]
pub(crate) struct Recurrence<'m> {
    pub(crate) phi: Value<'m>,
    /// Its value in the first iteration.
    pub(crate) start: Known,
    pub(crate) growth: Growth,
    /// True for a flag whose change ends the loop before the next iteration executes anything.
    pub(crate) stops: bool,
    /// The reason why a dry run did not determine its growth.
    pub(crate) doubt: Option<Reason>,
}

/// The induction variable of a loop, and the other phis of its header.
#[derive(Clone, Debug)]
pub(crate) struct Induction<'m> {
    /// The number of the loop.
    pub(crate) inner: usize,
    pub(crate) iter: IterId,
    pub(crate) counter: Counter<'m>,
    pub(crate) recurrences: Vec<Recurrence<'m>>,
}

impl Induction<'_> {
    /// Returns true if the growth of a phi is not known from the instructions.
    pub(crate) fn is_open(&self) -> bool {
        self.open() > 0
    }

    /// Returns the number of phis whose growth is not known from the instructions.
    pub(crate) fn open(&self) -> usize {
        self.recurrences.iter().filter(|recurrence| recurrence.is_open()).count()
    }
}

/// The change of a phi in each iteration.
#[derive(Clone, Debug)]
pub(crate) enum Growth {
    /// A number is added.
    Integer(Poly),
    /// The address moves on.
    Address(Steps),
    /// It is this function of the iterator.
    Is(Known),
    /// Not known from the instructions.
    Open,
    /// It depends on data.
    Data(Reason),
}

impl Growth {
    pub(crate) fn is_zero(&self) -> bool {
        match self {
            Growth::Integer(step) => step.is_zero(),
            Growth::Address(steps) => steps.is_empty(),
            _ => false,
        }
    }

    /// Returns the growth divided by a number; other kinds of growth are returned unchanged.
    pub(crate) fn divided(&self, by: i64) -> Option<Self> {
        match self {
            _ if by == 1 => Some(self.clone()),
            Growth::Integer(step) => step.divided(by).map(Growth::Integer),
            Growth::Address(steps) => {
                let divide = |(stride, count): (&Stride, &Expr)| {
                    Some((stride.clone(), Poly::from(count.clone()).divided(by)?.affine()?))
                };
                steps.iter().map(divide).collect::<Option<_>>().map(Growth::Address)
            }
            Growth::Is(_) | Growth::Open | Growth::Data(_) => Some(self.clone()),
        }
    }
}

impl<'m> Recurrence<'m> {
    /// Returns true if its growth is not known from the instructions.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.growth, Growth::Open)
    }
}

impl<'m> Walker<'m, '_> {
    /// Chooses the induction variable: a linear phi that goes up and that an exit condition depends on (if one depends
    /// on a phi), else the number of the iteration.
    pub(crate) fn counter(&self, inner: usize, recurrences: &[Recurrence<'m>]) -> Counter<'m> {
        let tested = self.tested(inner);
        let upward = |r: &Recurrence<'m>| match (&r.growth, &r.start) {
            (Growth::Integer(step), Known::Integer(start)) => {
                let step = match step.as_constant() {
                    Some(step) => LoopStep::Known(Some(step).filter(|step| *step > 0)?),
                    None => self.tile_step(step)?,
                };
                let plain = start.try_map(&mut |start: &Poly| start.to_affine()).is_ok();
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
            let divisible = |r: &Recurrence<'m>| match counter.has_tiles() {
                true => r.growth.is_zero() || !matches!(r.growth, Growth::Integer(_) | Growth::Address(_)),
                false => r.growth.divided(counter.divisor()).is_some(),
            };
            recurrences.iter().all(|r| r.phi == counter.phi.unwrap_or(r.phi) || divisible(r))
        };
        let is_counter = |counter: &Counter<'m>| {
            fits(counter) && !(counter.step != LoopStep::Known(1) && self.counts_bytes(inner, counter))
        };
        chosen.filter(is_counter).unwrap_or_else(|| {
            let named = recurrences.iter().find(|r| tested.contains(&r.phi));
            Counter {
                phi: None,
                start: Cases::Always(Poly::default()),
                step: LoopStep::Known(1),
                name: named.and_then(|r| self.values.places.name_or_value(r.phi)),
            }
        })
    }

    /// Returns a step that is a multiple of a parameter of `--tile`.
    fn tile_step(&self, step: &Poly) -> Option<LoopStep> {
        let (step, name) = self.parameter_step(step)?;
        self.rules.tiles.iter().any(|tile| tile == name).then_some(step)
    }

    /// Returns a step that is a multiple of a parameter, and its name.
    fn parameter_step(&self, step: &Poly) -> Option<(LoopStep, &str)> {
        let step = step.affine().filter(|step| step.constant_term() == 0)?;
        let mut terms = step.terms();
        let (Some((Atom::Param(size), times @ 1..)), None) = (terms.next(), terms.next()) else { return None };
        let name = self.values.candidates().get(size.index())?.name.as_deref()?;
        Some((LoopStep::Tiles { times, size: *size }, name))
    }

    /// Returns the reason why a loop in steps of a parameter is refused, if that is no parameter of `--tile`.
    pub(crate) fn undeclared_tile(&self, induction: &Induction<'m>) -> Option<Reason> {
        let tested = self.tested(induction.inner);
        let name = induction.recurrences.iter().filter(|r| tested.contains(&r.phi)).find_map(|r| match &r.growth {
            Growth::Integer(step) => self.parameter_step(step).map(|(_, name)| name),
            _ => None,
        })?;
        let hint = format!(
            "say with --tile {name} that it is the size of tiles, or give its value, as in --assume '{name} = 8'"
        );
        let is_new = !self.rules.tiles.iter().any(|tile| tile == name);
        is_new.then(|| Reason::new(format!("it goes in steps of `{name}`, a parameter"), None, Some(&hint)))
    }

    /// Returns true if a loop counts bytes or fractions of elements: `off += 4`. That these are multiples of a step only the number of
    /// the iteration shows.
    fn counts_bytes(&self, inner: usize, counter: &Counter<'m>) -> bool {
        let inside: BTreeSet<_> = self.cfg.instructions(inner).collect();
        let divides = |user: &Value<'m>| match user.opcode() {
            Some(Opcode::LLVMGetElementPtr) => user.pointee().is_some_and(|kind| kind.bits() == 8),
            Some(Opcode::LLVMLShr | Opcode::LLVMAShr | Opcode::LLVMUDiv | Opcode::LLVMSDiv) => true,
            _ => false,
        };
        counter.phi.is_some_and(|phi| phi.users().into_iter().any(|user| inside.contains(&user) && divides(&user)))
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
    pub(crate) fn bind(&mut self, induction: &Induction<'m>) -> Vec<(Value<'m>, Known)> {
        let phis = induction.recurrences.iter();
        let bound: Vec<_> = phis.map(|r| (r.phi, self.at_iteration(&induction.counter, r, induction.iter))).collect();
        bound.iter().for_each(|(phi, known)| self.values.set(*phi, known.clone()));
        bound
    }

    fn at_iteration(&self, counter: &Counter<'m>, recurrence: &Recurrence<'m>, iter: IterId) -> Known {
        let iterator = Values::iterator(iter);
        if counter.phi == Some(recurrence.phi) {
            return Known::integer(iterator);
        }
        let known = linear(counter, recurrence, &iterator);
        known.unwrap_or_else(|cause| Known::Unknown(self.values.explain(cause, recurrence.phi)))
    }
}

/// Returns the value of a phi where the iterator has this value.
pub(crate) fn linear<'m>(counter: &Counter<'m>, recurrence: &Recurrence<'m>, iterator: &Poly) -> Result<Known, Cause> {
    let growth = recurrence.growth.divided(counter.divisor());
    let moves = |growth: &Growth| matches!(growth, Growth::Integer(_) | Growth::Address(_)) && !growth.is_zero();
    let Some(growth) = growth.filter(|growth| !(counter.has_tiles() && moves(growth))) else {
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
