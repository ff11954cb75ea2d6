//! The growth of phis by dry runs of one iteration.

use symloc_affine::{Atom, Constraint, Expr, IterId};
use symloc_frontend::cases::{Cases, negation};
use symloc_frontend::conditions::shown;
use symloc_frontend::raising::Reason;

use crate::ir::cfg::Node;
use crate::ir::ffi::{Opcode, Type, Value};
use crate::values::environment::Values;
use crate::values::lattice::{Known, Pointer, choose, is_undefined, same};
use crate::walk::arrivals::{Arrival, Arrivals};
use crate::walk::loops::counter::Counter;
use crate::walk::loops::induction::{Growth, Induction, Recurrence};
use crate::walk::walker::{InnermostLoop, Walker};
use symloc_frontend::poly::Poly;

impl<'m> Walker<'m, '_> {
    /// Determines the growth of the open phis by dry runs.
    pub(crate) fn close(&mut self, induction: &mut Induction<'m>) {
        self.keep_stops(induction);
        self.close_periods(induction);
        // A phi that depends on another open one is found once that one is known.
        while induction.is_open() {
            let before = induction.open();
            self.probe(induction);
            if induction.open() == before {
                break;
            }
        }
        for recurrence in induction.recurrences.iter_mut().filter(|r| r.is_open()) {
            let doubt = recurrence.doubt.take();
            recurrence.growth = Growth::Data(doubt.unwrap_or_else(|| self.computed(recurrence.phi)));
        }
        let closed = self.counter(induction.inner, &induction.recurrences);
        let is_computed = |r: &Recurrence<'m>| matches!(r.growth, Growth::Is(_));
        if induction.counter.phi.is_none() && !induction.recurrences.iter().any(is_computed) {
            induction.counter = closed;
        }
    }

    fn probe(&mut self, induction: &mut Induction<'m>) {
        let (inner, iter) = (induction.inner, induction.iter);
        let mut probes = Vec::new();
        for recurrence in induction.recurrences.iter_mut().filter(|r| r.is_open()) {
            let probe = self.raising.new_iterator(None, None);
            let bytes = self.element_of(inner, recurrence.phi);
            let known = match &recurrence.start {
                Known::Pointer(Cases::Always(start)) => {
                    start.advanced(&Values::iterator(probe), bytes).ok().map(|p| Known::Pointer(Cases::Always(p)))
                }
                Known::Integer(_) => Some(Known::integer(Values::iterator(probe))),
                Known::Unknown(reason) if is_undefined(reason) => Some(Known::integer(Values::iterator(probe))),
                _ => None,
            };
            let Some(known) = known else {
                recurrence.growth = Growth::Data(self.computed(recurrence.phi));
                continue;
            };
            recurrence.growth = Growth::Is(known.clone());
            probes.push((recurrence.phi, probe, known, bytes));
        }
        let back = self.dry_run(induction);
        let unknowns: Vec<_> = probes.iter().map(|(_, probe, ..)| *probe).collect();
        for (phi, _, before, bytes) in &probes {
            let after = self.received_back(&back, inner, *phi);
            let doubt = match &after {
                Some(Known::Unknown(reason)) if !is_undefined(reason) => Some(reason.clone()),
                Some(after) => self.chosen_by_size(*phi, after),
                None => None,
            };
            let growth = after.and_then(|after| self.grown(before, &after, *bytes, &unknowns, iter));
            growth.iter().for_each(|growth| self.note_lengths(growth));
            let Some(recurrence) = induction.recurrences.iter_mut().find(|r| r.phi == *phi) else { continue };
            recurrence.doubt = doubt;
            recurrence.growth = match growth {
                Some(Growth::Is(known)) => match self.delayed(&recurrence.start, &known, &induction.counter, iter) {
                    Some(known) => Growth::Is(known),
                    None => Growth::Data(self.computed(*phi)),
                },
                Some(growth) => growth,
                None => Growth::Open,
            };
        }
    }

    /// Returns the reason why a phi has no growth, if a comparison of sizes chooses its next value.
    fn chosen_by_size(&self, phi: Value<'m>, after: &Known) -> Option<Reason> {
        let condition = match after {
            Known::Integer(Cases::When(when)) => &when.condition,
            Known::Pointer(Cases::When(when)) => &when.condition,
            _ => return None,
        };
        let otherwise = negation(condition).ok()??;
        if otherwise.expr.mentions(&|atom| !matches!(atom, Atom::Param(_))) {
            return None;
        }
        let [holds, fails] = [&condition[0], &otherwise].map(|side| shown(&side.expr, self.values.candidates()));
        let name = self.values.places.name(phi).map(|name| format!("`{name}`: ")).unwrap_or_default();
        Some(Reason::new(
            format!("{name}the amount by which it changes in each iteration depends on whether {holds}"),
            self.values.places.of(phi),
            Some(&format!("say which with --assume '{holds}' or --assume '{fails}', or write a loop for each")),
        ))
    }

    /// Returns the size of the elements that a pointer steps over, in the loop or in an inner one that it is passed on
    /// to.
    fn element_of(&self, inner: usize, phi: Value<'m>) -> i64 {
        let inside = self.cfg.loops.iter().filter(|l| self.cfg.loops[inner].blocks.contains(&l.header));
        let phis: Vec<_> = inside.flat_map(|l| self.phis(l.header)).collect();
        let mut passed = vec![phi];
        let mut next = Some(phi);
        while let Some(phi) = next {
            if let Some(kind) = self.stepped_by(inner, phi) {
                return self.values.layout.size(kind).and_then(|size| i64::try_from(size).ok()).unwrap_or(1);
            }
            let receives = |other: &Value<'m>| other.incoming().iter().any(|(_, value)| *value == phi);
            next = phis.iter().copied().find(|other| !passed.contains(other) && receives(other));
            passed.extend(next);
        }
        1
    }

    /// Returns the type that a pointer steps over or reads in a loop.
    fn stepped_by(&self, inner: usize, phi: Value<'m>) -> Option<Type<'m>> {
        let on_phi =
            |opcode| self.cfg.instructions(inner).find(|i| i.opcode() == Some(opcode) && i.operand(0) == Some(phi));
        on_phi(Opcode::LLVMGetElementPtr)
            .and_then(Value::pointee)
            .or_else(|| on_phi(Opcode::LLVMLoad).map(Value::r#type))
    }

    /// Returns the growth of a value from `before` to `after`.
    fn grown(&self, before: &Known, after: &Known, bytes: i64, probes: &[IterId], iter: IterId) -> Option<Growth> {
        let free = |poly: &Poly| !poly.mentions(&|i| i == iter || probes.contains(&i));
        match (before, after) {
            (Known::Integer(Cases::Always(before)), Known::Integer(Cases::Always(after))) => {
                let step = after.minus(before).ok()?;
                if free(&step) {
                    return Some(Growth::Integer(step));
                }
            }
            (Known::Pointer(Cases::Always(before)), Known::Pointer(Cases::Always(after)))
                if before.root == after.root =>
            {
                let step = after.bytes().ok()?.minus(&before.bytes().ok()?).ok()?;
                if free(&step) {
                    let moved = Pointer::to(before.root);
                    let elements = step.divided(bytes)?;
                    return Some(Growth::Address(moved.advanced(&elements, bytes).ok()?.offset.steps));
                }
            }
            _ => {}
        }
        let mentions = |known: &Known| match known {
            Known::Integer(cases) => cases
                .try_map(&mut |p: &Poly| if p.mentions(&|i| probes.contains(&i)) { Err(()) } else { Ok(()) })
                .is_err(),
            _ => true,
        };
        (!mentions(after)).then(|| Growth::Is(after.clone()))
    }

    /// Returns the value of the previous iteration; in the first iteration, the start.
    fn delayed(&self, start: &Known, known: &Known, counter: &Counter<'m>, iter: IterId) -> Option<Known> {
        let before = Values::iterator(iter).plus(&Poly::constant(-counter.step.constant()?)).ok()?;
        let earlier = known.substitute(iter, &Cases::Always(before)).ok()?;
        let Cases::Always(first) = &counter.start else { return None };
        let first = first.affine()?;
        let at_first = earlier.substitute(iter, &Cases::Always(first.clone().into())).ok()?;
        if same(start, &at_first) {
            // The start is a value of the same function.
            return Some(earlier);
        }
        let at_start = Constraint::zero(Expr::iter(iter).minus(&first).ok()?);
        let is_start = Cases::when(vec![at_start], Cases::Always(true), Cases::Always(false));
        choose(&is_start, start, &earlier).ok()
    }

    /// Returns the edges by which one iteration ends; its accesses and errors are dropped.
    pub(crate) fn dry_run(&mut self, induction: &Induction<'m>) -> Arrivals<'m> {
        let (inner, iter) = (induction.inner, induction.iter);
        let mark = self.mark();
        self.values.ranges.set(iter, &induction.counter.known_lower(), &[]);
        let values = self.bind(induction);
        let header = self.cfg.loops[inner].header;
        let at_exit = std::mem::replace(&mut self.values.at_exit, true);
        let start = Cases::Always(Arrival::start(header, values));
        let (_, arrivals) =
            self.block_of_loop(inner, header, start, InnermostLoop { iter, step: induction.counter.step.constant() });
        let arrivals = self.stopped(induction, arrivals);
        self.values.at_exit = at_exit;
        self.back_to(&mark);
        arrivals
    }

    /// Returns the next value of a phi of the header, if all back edges agree.
    pub(crate) fn received_back(&self, arrivals: &Arrivals<'m>, inner: usize, phi: Value<'m>) -> Option<Known> {
        let header = self.cfg.loops[inner].header;
        let mut back = Vec::new();
        collect(arrivals, header, &mut back);
        let mut values = back.iter().map(|arrival| arrival.value(phi));
        let first = values.next()??;
        values.all(|other| other.is_some_and(|other| same(other, first))).then(|| first.clone())
    }
}

fn collect<'a, 'm>(arrivals: &'a Arrivals<'m>, header: Node, found: &mut Vec<&'a Arrival<'m>>) {
    match arrivals {
        Cases::Always(arrival) if arrival.to == Some(header) => found.push(arrival),
        Cases::Always(_) => {}
        Cases::When(when) => {
            collect(&when.then, header, found);
            collect(&when.otherwise, header, found);
        }
    }
}
