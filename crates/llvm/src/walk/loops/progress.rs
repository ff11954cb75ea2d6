//! The growth of phis by the instructions between the phi and its next value.

use symloc_affine::Expr;
use symloc_frontend::arithmetic::sum_of_sizes;
use symloc_frontend::cases::Cases;
use symloc_frontend::delinearize::{Offset, Steps};
use symloc_frontend::poly::Poly;
use symloc_frontend::raising::Reason;

use crate::ir::cfg::NaturalLoop;
use crate::ir::ffi::{Opcode, Predicate, Value};
use crate::memory::base_objects::RootId;
use crate::values::lattice::{Known, Pointer, is_undefined};
use crate::walk::arrivals::Arrivals;
use crate::walk::loops::induction::{Growth, Recurrence};
use crate::walk::walker::Walker;

/// The difference of a value and a phi.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Progress {
    number: Poly,
    steps: Steps,
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
            Known::Unknown(reason) if is_undefined(reason) && phi.r#type().integer_width().is_some() => {
                return Growth::Open;
            }
            Known::Unknown(reason) if !phi.r#type().is_float() && !is_undefined(reason) => {
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
    pub(super) fn note_lengths(&mut self, growth: &Growth) {
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
        use Predicate as P;
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
        let in_loop = |l: &NaturalLoop| self.cfg.loops[inner].blocks.contains(&l.header);
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
}

/// Returns true for a saturated unsigned subtraction.
fn is_saturated(value: Value<'_>) -> bool {
    value.calls("llvm.usub.sat.")
}
