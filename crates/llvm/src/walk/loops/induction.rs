//! Recurrences: the phis of a loop's header as functions of the iteration.
//!
//! Most grow by a loop invariant, which the instructions between the phi and its next value show. A growth in an inner
//! loop is found by a dry run of the body with the phi as an unknown x: if the next value is x + d, it grows by d. If
//! the next value does not depend on x, the phi is the value of the previous iteration (a wraparound variable). A phi
//! that returns to its start after a few iterations has a period (`periodic_phis`): two buffers that are swapped, a flag that
//! is toggled.

use symloc_affine::{Constraint, Expr, IterId};
use symloc_frontend::arithmetic::sum_of_sizes;
use symloc_frontend::cases::Cases;
use symloc_frontend::delinearize::{Offset, Steps, Stride};

use crate::ir::cfg::Node;
use crate::ir::ffi::{Opcode, Type, Value};
use crate::memory::base_objects::RootId;
use crate::values::environment::Values;
use crate::values::lattice::{Known, Pointer, Reason, choose, same};
use crate::walk::loops::counter::Counter;
use crate::walk::walker::{Arrival, Arrivals, Walker};
use symloc_frontend::poly::Poly;

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
    doubt: Option<Reason>,
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
    /// Returns the recurrences of a loop's header, by its instructions alone.
    pub(crate) fn recurrences(&mut self, inner: usize, arrivals: &Arrivals<'m>) -> Vec<Recurrence<'m>> {
        let header = self.cfg.loops[inner].header;
        let mut found = Vec::new();
        for phi in self.phis(header) {
            let start = self.received(arrivals, phi);
            let growth = self.growth(inner, phi, &start);
            found.push(Recurrence { phi, start, growth, stops: false, doubt: None });
        }
        found
    }

    fn growth(&mut self, inner: usize, phi: Value<'m>, start: &Known) -> Growth {
        match start {
            // It is not written before the loop, so its value is that of the previous iteration.
            Known::Unknown(reason) if reason.is_undefined() && phi.r#type().integer_width().is_some() => {
                return Growth::Open;
            }
            Known::Unknown(reason) if !phi.r#type().is_float() && !reason.is_undefined() => {
                return Growth::Data(reason.clone());
            }
            Known::Flag(Cases::Always(_)) if self.recorder.is_none() => return Growth::Open,
            Known::Unknown(_) | Known::Flag(_) => return Growth::Data(self.computed(phi)),
            Known::Integer(_) | Known::Pointer(_) => {}
        }
        let back: Vec<_> = phi
            .incoming()
            .into_iter()
            .filter(|(block, _)| self.cfg.loops[inner].blocks.contains(&self.cfg.number(*block)))
            .map(|(_, value)| value)
            .collect();
        let mut steps = back.iter().map(|value| self.progress(inner, phi, *value, 32));
        let Some(Some(first)) = steps.next() else { return Growth::Open };
        if steps.all(|step| step.as_ref() == Some(&first)) {
            let growth = match start {
                Known::Integer(_) => Growth::Integer(first.number),
                _ => Growth::Address(first.steps),
            };
            self.note_lengths(&growth);
            return growth;
        }
        Growth::Open
    }

    /// Records sums of sizes that an index or pointer grows by as possible lengths of rows.
    fn note_lengths(&mut self, growth: &Growth) {
        let counts: Vec<Expr> = match growth {
            Growth::Integer(step) => step.affine().into_iter().collect(),
            Growth::Address(steps) => steps.values().cloned().collect(),
            Growth::Is(_) | Growth::Open | Growth::Data(_) => Vec::new(),
        };
        self.values.factors.extend(counts.iter().filter_map(sum_of_sizes));
    }

    pub(crate) fn computed(&self, phi: Value<'m>) -> Reason {
        let name = self.values.places.name(phi).map(|name| format!("`{name}`: ")).unwrap_or_default();
        Reason::new(
            format!("{name}it does not change by the same amount in every iteration of its loop"),
            self.values.places.of(phi),
            Some("only parameters and loop counters can be followed"),
        )
    }

    /// Returns the difference of a value and the phi, if it is loop invariant.
    fn progress(&mut self, inner: usize, phi: Value<'m>, value: Value<'m>, fuel: u32) -> Option<Progress> {
        use Opcode as O;
        let fuel = fuel.checked_sub(1)?;
        if value == phi {
            return Some(Progress::default());
        }
        let (first, second) = (value.operand(0), value.operand(1));
        match value.opcode()? {
            O::LLVMAdd => {
                let (on, by) = match self.fixed(inner, second?) {
                    Some(by) => (first?, by),
                    None => (second?, self.fixed(inner, first?)?),
                };
                let mut progress = self.progress(inner, phi, on, fuel)?;
                progress.number = progress.number.plus(&by).ok()?;
                Some(progress)
            }
            O::LLVMSub => {
                let by = self.fixed(inner, second?)?;
                let mut progress = self.progress(inner, phi, first?, fuel)?;
                progress.number = progress.number.minus(&by).ok()?;
                Some(progress)
            }
            O::LLVMSelect => {
                let side = self.stays_in(inner, first?)?;
                self.progress(inner, phi, value.operand(if side { 1 } else { 2 })?, fuel)
            }
            // x − 1, or 0 where x is 0; but there the loop has ended.
            O::LLVMCall if second.and_then(Value::constant) == Some(1) && is_saturated(value) => {
                let mut progress = self.progress(inner, phi, first?, fuel)?;
                let at_phi = progress == Progress::default() && self.ends_at_zero(inner, phi);
                progress.number = progress.number.minus(&Poly::constant(1)).ok()?;
                at_phi.then_some(progress)
            }
            O::LLVMGetElementPtr => {
                let progress = self.progress(inner, phi, first?, fuel)?;
                let indices: Option<Vec<_>> =
                    value.operands().into_iter().skip(1).map(|index| self.fixed(inner, index)).collect();
                let base =
                    Pointer { root: RootId(usize::MAX), offset: Offset { steps: progress.steps, ..Offset::default() } };
                let pointer = self.values.stepped(&base, value.pointee()?, &indices?).ok()?;
                Some(Progress { steps: pointer.offset.steps, ..progress })
            }
            O::LLVMSExt | O::LLVMZExt | O::LLVMTrunc | O::LLVMFreeze | O::LLVMBitCast => {
                self.progress(inner, phi, first?, fuel)
            }
            O::LLVMPHI if !self.is_header_inside(inner, value) => {
                let mut all = value.incoming().into_iter().map(|(_, v)| self.progress(inner, phi, v, fuel));
                let first = all.next()??;
                all.all(|other| other.as_ref() == Some(&first)).then_some(first)
            }
            _ => None,
        }
    }

    /// Returns the truth value of a condition in the iterations that go on from the header, if the header tests it.
    fn stays_in(&self, inner: usize, condition: Value<'m>) -> Option<bool> {
        let header = self.cfg.loops[inner].header;
        let terminator = self.cfg.blocks[header].terminator().filter(|terminator| terminator.is_conditional())?;
        terminator.operand(0).filter(|test| *test == condition)?;
        let leaves = |side: usize| {
            let to = self.cfg.targets(header).get(side).copied();
            to.is_some_and(|to| self.cfg.exits(inner).contains(&(header, to)))
        };
        match (leaves(0), leaves(1)) {
            (true, false) => Some(false),
            (false, true) => Some(true),
            _ => None,
        }
    }

    /// Returns true if a loop is left from its header where a phi is zero.
    fn ends_at_zero(&self, inner: usize, phi: Value<'m>) -> bool {
        use crate::ir::ffi::Predicate as P;
        let terminator = self.cfg.blocks[self.cfg.loops[inner].header].terminator();
        let Some(test) = terminator.and_then(|terminator| terminator.operand(0)) else { return false };
        if test.operand(0) != Some(phi) || test.operand(1).and_then(Value::constant) != Some(0) {
            return false;
        }
        match test.predicate() {
            Some(P::LLVMIntEQ) => self.stays_in(inner, test) == Some(false),
            Some(P::LLVMIntNE | P::LLVMIntUGT) => self.stays_in(inner, test) == Some(true),
            _ => false,
        }
    }

    fn is_header_inside(&self, inner: usize, phi: Value<'m>) -> bool {
        let in_loop = |l: &crate::ir::cfg::NaturalLoop| self.cfg.loops[inner].blocks.contains(&l.header);
        self.cfg.loops.iter().filter(|l| in_loop(l)).any(|l| self.phis(l.header).contains(&phi))
    }

    /// Returns a number that is loop invariant.
    fn fixed(&mut self, inner: usize, value: Value<'m>) -> Option<Poly> {
        let inside = value.is_instruction() && self.cfg.instructions(inner).any(|other| other == value);
        if inside {
            return match value.opcode()? {
                Opcode::LLVMSExt | Opcode::LLVMZExt | Opcode::LLVMTrunc => self.fixed(inner, value.operand(0)?),
                Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul => {
                    let (a, b) = (self.fixed(inner, value.operand(0)?)?, self.fixed(inner, value.operand(1)?)?);
                    match value.opcode()? {
                        Opcode::LLVMAdd => a.plus(&b).ok(),
                        Opcode::LLVMSub => a.minus(&b).ok(),
                        _ => a.product(&b).ok(),
                    }
                }
                _ => None,
            };
        }
        match self.values.integer(value).ok()? {
            Cases::Always(number) => Some(number),
            Cases::When(_) => None,
        }
    }

    /// Determines the growth of the open phis by dry runs.
    pub(crate) fn close(
        &mut self,
        inner: usize,
        recurrences: &mut [Recurrence<'m>],
        counter: &mut Counter<'m>,
        iter: IterId,
    ) {
        self.keep_stops(inner, recurrences);
        self.close_periods(inner, recurrences, counter, iter);
        // A phi that depends on another open one is found once that one is known.
        while recurrences.iter().any(Recurrence::is_open) {
            let before = recurrences.iter().filter(|r| r.is_open()).count();
            self.probe(inner, recurrences, counter, iter);
            if recurrences.iter().filter(|r| r.is_open()).count() == before {
                break;
            }
        }
        for recurrence in recurrences.iter_mut().filter(|r| r.is_open()) {
            let doubt = recurrence.doubt.take();
            recurrence.growth = Growth::Data(doubt.unwrap_or_else(|| self.computed(recurrence.phi)));
        }
        let closed = self.counter(inner, recurrences);
        if counter.phi.is_none() && recurrences.iter().all(|r| !matches!(r.growth, Growth::Is(_))) {
            *counter = closed;
        }
    }

    fn probe(&mut self, inner: usize, recurrences: &mut [Recurrence<'m>], counter: &Counter<'m>, iter: IterId) {
        let mut probes = Vec::new();
        for recurrence in recurrences.iter_mut().filter(|r| r.is_open()) {
            let probe = self.new_iterator(None);
            let bytes = self.element_of(inner, recurrence.phi);
            let known = match &recurrence.start {
                Known::Pointer(Cases::Always(start)) => {
                    start.advanced(&Values::iterator(probe), bytes).ok().map(|p| Known::Pointer(Cases::Always(p)))
                }
                Known::Integer(_) => Some(Known::integer(Values::iterator(probe))),
                Known::Unknown(reason) if reason.is_undefined() => Some(Known::integer(Values::iterator(probe))),
                _ => None,
            };
            let Some(known) = known else {
                recurrence.growth = Growth::Data(self.computed(recurrence.phi));
                continue;
            };
            recurrence.growth = Growth::Is(known.clone());
            probes.push((recurrence.phi, probe, known, bytes));
        }
        let back = self.dry_run(inner, counter, recurrences, iter);
        let unknowns: Vec<_> = probes.iter().map(|(_, probe, ..)| *probe).collect();
        for (phi, _, before, bytes) in &probes {
            let after = self.received_back(&back, inner, *phi);
            let doubt = match &after {
                Some(Known::Unknown(reason)) if !reason.is_undefined() => Some(reason.clone()),
                _ => None,
            };
            let growth = after.and_then(|after| self.grown(before, &after, *bytes, &unknowns, iter));
            growth.iter().for_each(|growth| self.note_lengths(growth));
            let Some(recurrence) = recurrences.iter_mut().find(|r| r.phi == *phi) else { continue };
            recurrence.doubt = doubt;
            recurrence.growth = match growth {
                Some(Growth::Is(known)) => match self.delayed(&recurrence.start, &known, counter, iter) {
                    Some(known) => Growth::Is(known),
                    None => Growth::Data(self.computed(*phi)),
                },
                Some(growth) => growth,
                None => Growth::Open,
            };
        }
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
        let before = Values::iterator(iter).plus(&Poly::constant(-counter.step)).ok()?;
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
    pub(crate) fn dry_run(
        &mut self,
        inner: usize,
        counter: &Counter<'m>,
        recurrences: &[Recurrence<'m>],
        iter: IterId,
    ) -> Arrivals<'m> {
        let mark = self.mark();
        self.values.ranges.set(iter, &Self::known_lower(counter), &[]);
        let values = self.bind(counter, recurrences, iter);
        let header = self.cfg.loops[inner].header;
        let at_exit = std::mem::replace(&mut self.values.at_exit, true);
        let start = Cases::Always(Arrival { from: None, to: Some(header), values });
        let (_, arrivals) = self.block_of_loop(inner, header, start, (iter, counter.step));
        let arrivals = self.stopped(inner, recurrences, arrivals);
        self.values.at_exit = at_exit;
        self.back_to(&mark);
        arrivals
    }

    /// Returns the next value of a phi of the header, if all back edges agree.
    pub(crate) fn received_back(&self, arrivals: &Arrivals<'m>, inner: usize, phi: Value<'m>) -> Option<Known> {
        let header = self.cfg.loops[inner].header;
        let mut back = Vec::new();
        collect(arrivals, header, &mut back);
        let mut values =
            back.iter().map(|arrival| arrival.values.iter().find(|(value, _)| *value == phi).map(|(_, known)| known));
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

/// Returns true for a saturated unsigned subtraction.
fn is_saturated(value: Value<'_>) -> bool {
    value.call().is_some_and(|(callee, _)| callee.name().starts_with("llvm.usub.sat."))
}

/// The difference of a value and a phi.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Progress {
    number: Poly,
    steps: Steps,
}
