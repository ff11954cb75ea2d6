//! Flags that end a loop: Rust's `1..=n` sets a flag when it is exhausted, and tests it at the top of the next
//! iteration.
//!
//! Such a flag is a phi of the header with a constant start. If the test at the top leaves the loop whenever the flag
//! has the other value, and nothing is accessed before that test, the loop ends with the iteration that changes the
//! flag, and in all iterations that execute the body the flag has its start value.

use symloc_frontend::cases::Cases;
use symloc_frontend::raising::{Cause, Reason};

use crate::ir::cfg::Node;
use crate::ir::ffi::{Opcode, Value};
use crate::ir::library;
use crate::values::lattice::Known;
use crate::walk::arrivals::{Arrival, Arrivals, specialised};
use crate::walk::loops::induction::{Growth, Induction, Recurrence};
use crate::walk::walker::Walker;

impl<'m> Walker<'m, '_> {
    /// Finds the flags that end a loop; other flags depend on data.
    pub(crate) fn keep_stops(&mut self, induction: &mut Induction<'m>) {
        let inner = induction.inner;
        for recurrence in induction.recurrences.iter_mut().filter(|recurrence| recurrence.is_open()) {
            let (phi, Known::Flag(Cases::Always(start))) = (recurrence.phi, &recurrence.start) else { continue };
            let start = *start;
            recurrence.stops = self.stops(inner, phi, !start);
            recurrence.growth = match recurrence.stops {
                true => Growth::Is(Known::Flag(Cases::Always(start))),
                false => Growth::Data(self.computed(phi)),
            };
        }
    }

    /// Returns true if the loop is left from its top, before any access, whenever a flag has this value.
    fn stops(&mut self, inner: usize, phi: Value<'m>, value: bool) -> bool {
        let header = self.cfg.loops[inner].header;
        let instructions = self.cfg.blocks[header].instructions();
        if instructions.iter().any(|instruction| library::may_touch_memory(*instruction)) {
            return false;
        }
        let unknown = Known::Unknown(Reason::new("it is not looked at", None, None));
        for instruction in instructions {
            match instruction.opcode() {
                Some(Opcode::LLVMPHI) if instruction == phi => {
                    self.values.set(phi, Known::Flag(Cases::Always(value)));
                }
                Some(Opcode::LLVMPHI) => self.values.set(instruction, unknown.clone()),
                _ => self.values.define(instruction),
            }
        }
        let Some((to, test)) = self.exit_at_top(inner) else { return false };
        let side = match self.values.flag(test) {
            Ok(Cases::Always(holds)) => usize::from(!holds),
            _ => return false,
        };
        self.cfg.targets(header).get(side) == Some(&to)
    }

    /// Returns the block to which the header leaves a loop, and the test of the header.
    fn exit_at_top(&self, inner: usize) -> Option<(Node, Value<'m>)> {
        let header = self.cfg.loops[inner].header;
        let terminator = self.cfg.blocks[header].terminator().filter(|terminator| terminator.is_conditional())?;
        let (_, to) = self.cfg.exits(inner).into_iter().find(|(from, _)| *from == header)?;
        Some((to, terminator.operand(0)?))
    }

    /// Redirects the edges that change a flag: they leave the loop.
    pub(crate) fn stopped(&mut self, induction: &Induction<'m>, arrivals: Arrivals<'m>) -> Arrivals<'m> {
        let Some((to, _)) = self.exit_at_top(induction.inner) else { return arrivals };
        let mut arrivals = arrivals;
        for recurrence in induction.recurrences.iter().filter(|recurrence| recurrence.stops) {
            let mut split =
                |arrival: &Arrival<'m>| Ok::<_, Cause>(self.split(induction.inner, arrival, recurrence, to));
            arrivals = arrivals.and_then(&mut split).map_or(arrivals, specialised);
        }
        arrivals
    }

    fn split(&mut self, inner: usize, arrival: &Arrival<'m>, flag: &Recurrence<'m>, to: Node) -> Arrivals<'m> {
        let again = Cases::Always(arrival.clone());
        let value = arrival.value(flag.phi).cloned();
        let (Some(Known::Flag(value)), Known::Flag(Cases::Always(start))) = (value, &flag.start) else { return again };
        if arrival.to != Some(self.cfg.loops[inner].header) {
            return again;
        }
        let out = self.out_of_next(inner, arrival, to);
        let choice =
            value.try_map(&mut |holds| Ok::<_, ()>(if holds == start { arrival.clone() } else { out.clone() }));
        choice.unwrap_or(again)
    }

    /// Returns the edge out of the loop from the top of the next iteration.
    fn out_of_next(&mut self, inner: usize, back: &Arrival<'m>, to: Node) -> Arrival<'m> {
        let header = self.cfg.loops[inner].header;
        let block = self.cfg.blocks[header];
        let mut values = Vec::new();
        for phi in self.phis(to) {
            let incoming = phi.incoming().into_iter().find(|(from, _)| *from == block).map(|(_, value)| value);
            let carried = incoming.and_then(|incoming| back.value(incoming).cloned());
            let known = match (carried, incoming) {
                (Some(known), _) => known,
                (None, Some(value)) if !self.cfg.instructions(inner).any(|inside| inside == value) => {
                    self.values.get(value)
                }
                _ => Known::Unknown(self.computed(phi)),
            };
            values.push((phi, known));
        }
        Arrival { from: back.from, to: Some(to), values }
    }
}
