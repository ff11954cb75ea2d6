//! Values that an iteration leaves in a register for the next one: sums, the element that was read before, a second counter. Threads
//! cannot share such a loop, unless each has its own sum.

use std::collections::BTreeSet;

use symloc_affine::CarriedValue;

use crate::ir::cfg::Node;
use crate::ir::ffi::{Opcode, Value};
use crate::walk::loops::induction::{Growth, Induction, Recurrence};
use crate::walk::walker::Walker;

impl<'m> Walker<'m, '_> {
    /// Records what the iterations of a loop hand on.
    pub(crate) fn carry(&mut self, induction: &Induction<'m>) {
        let Induction { inner, iter, .. } = *induction;
        let changed = induction.recurrences.iter().filter(|r| !r.stops && !self.is_kept(inner, r.phi));
        let carried: Vec<_> = changed.filter_map(|r| self.handed_on(induction, r)).collect();
        carried.into_iter().for_each(|value| self.raising.carry(iter, value));
    }

    /// Returns what a phi of a loop's header hands on; `None` if nothing in the loop reads it, or if it is the loop's counter, or one that
    /// the compiler has added.
    fn handed_on(&self, induction: &Induction<'m>, recurrence: &Recurrence<'m>) -> Option<CarriedValue> {
        let carried = self.carried(induction.inner, recurrence.phi)?;
        if matches!(recurrence.growth, Growth::Data(_)) {
            return Some(carried);
        }
        let counter = &induction.counter;
        let is_counter =
            recurrence.growth.is_zero() || counter.phi == Some(recurrence.phi) || carried.name == counter.name;
        (!is_counter && carried.name.is_some()).then_some(CarriedValue { is_used: true, is_counted: true, ..carried })
    }

    /// Returns true if a phi of a loop's header has in each iteration the value that it had before the loop. LCSSA leaves such behind where
    /// a loop begins in the block in which another one has ended.
    fn is_kept(&self, inner: usize, phi: Value<'m>) -> bool {
        let blocks = &self.cfg.loops[inner].blocks;
        let back = phi.incoming().into_iter().filter(|(block, _)| blocks.contains(&self.cfg.number(*block)));
        let mut open: Vec<_> = back.map(|(_, value)| value).collect();
        let mut reached = BTreeSet::from([phi]);
        // Phis that only receive each other and this one all have its value.
        while let Some(value) = open.pop() {
            if !reached.insert(value) {
                continue;
            }
            let is_inside = || self.cfg.instructions(inner).any(|other| other == value);
            if value.opcode() != Some(Opcode::LLVMPHI) || !is_inside() {
                return false;
            }
            open.extend(value.incoming().into_iter().map(|(_, received)| received));
        }
        true
    }

    /// Returns the value that a phi of a loop's header hands on; `None` if nothing in the loop reads it.
    fn carried(&self, inner: usize, phi: Value<'m>) -> Option<CarriedValue> {
        let inside: BTreeSet<_> = self.cfg.instructions(inner).collect();
        let users = |value: Value<'m>| value.users().into_iter().filter(|user| inside.contains(user));
        users(phi).next()?;
        let mut reached = BTreeSet::from([phi]);
        let mut open = vec![phi];
        let mut is_used = false;
        while let (Some(value), false) = (open.pop(), is_used) {
            let next: Option<Vec<_>> = users(value).map(|user| self.depending_on(inner, user)).collect();
            is_used = next.is_none();
            open.extend(next.into_iter().flatten().flatten().filter(|value| reached.insert(*value)));
        }
        let (name, location) = (self.values.places.name(phi), self.values.places.of(phi));
        Some(CarriedValue { name, location, is_used, is_counted: false })
    }

    /// Returns the values that an instruction in a loop computes from its operands, or chooses by them; `None` if it touches memory,
    /// calls a function, or decides whether something else does.
    fn depending_on(&self, inner: usize, instruction: Value<'m>) -> Option<Vec<Value<'m>>> {
        use Opcode as O;
        match instruction.opcode()? {
            O::LLVMBr => self.chosen(inner, instruction),
            O::LLVMSwitch | O::LLVMGetElementPtr | O::LLVMIntToPtr => None,
            _ if has_effects(instruction) => None,
            _ => Some(vec![instruction]),
        }
    }

    /// Returns the phis at the join of a branch in a loop between whose sides nothing has effects.
    fn chosen(&self, inner: usize, branch: Value<'m>) -> Option<Vec<Value<'m>>> {
        let is_here = |node: &&Node| self.cfg.blocks[**node].terminator() == Some(branch);
        let from = *self.cfg.loops[inner].blocks.iter().find(is_here)?;
        let join = self.cfg.join(self.cfg.loop_of(from), from)?;
        let mut between = BTreeSet::new();
        let mut open = self.cfg.targets(from).clone();
        while let Some(node) = open.pop() {
            if node == join || !between.insert(node) {
                continue;
            }
            if self.cfg.blocks[node].instructions().into_iter().any(has_effects) {
                return None;
            }
            open.extend(self.cfg.targets(node));
        }
        Some(self.phis(join))
    }
}

/// Returns true for an instruction that writes memory, calls a function that may, or leaves the function. A read may be one that
/// the condition before it has made already; if it is not, the program is refused for the branch.
fn has_effects(instruction: Value) -> bool {
    use Opcode as O;
    let Some(opcode) = instruction.opcode() else { return false };
    let writes =
        matches!(opcode, O::LLVMStore | O::LLVMRet | O::LLVMInvoke) || crate::ir::library::is_forbidden(opcode);
    writes || instruction.call().is_some() && !instruction.touches_no_memory()
}
