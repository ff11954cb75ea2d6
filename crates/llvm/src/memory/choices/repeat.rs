//! Reads through choices of elements that the condition of the choice has read.

use std::collections::BTreeSet;

use inkwell::module::Module;

use super::{chosen, is_plain_read, only_before};
use crate::ir::ffi::{self, Block, Opcode, Value};

/// The most values that a condition is computed from.
const MOST_VALUES: usize = 64;

/// Moves reads through choices into the branches that choose; returns true if there were any.
pub(super) fn repeat_reads(module: &Module<'_>, function: Value<'_>) -> bool {
    let blocks = function.blocks();
    let mut any = false;
    // Blocks stay the same. Those of later choices come first: an inner one is read where an outer one was.
    for block in blocks.iter().rev() {
        let is_choice = |value: &Value<'_>| value.opcode() == Some(Opcode::LLVMPHI) && value.r#type().is_pointer();
        for phi in block.instructions().into_iter().filter(is_choice) {
            let choice = ElementChoice { phi, block: *block };
            any |= choice.moves(module, &blocks);
        }
    }
    any
}

/// A phi of addresses, in its block.
#[derive(Clone, Copy)]
struct ElementChoice<'m> {
    phi: Value<'m>,
    block: Block<'m>,
}

impl<'m> ElementChoice<'m> {
    /// Moves the reads of a choice if it is used for nothing else, and if all of them repeat what was read before.
    fn moves(self, module: &Module<'_>, blocks: &[Block<'m>]) -> bool {
        let users = self.phi.users();
        let here = self.block.instructions();
        if users.is_empty() || !users.iter().all(|user| is_plain_read(*user)) || !self.is_on_data(blocks) {
            return false;
        }
        let (own, later): (Vec<_>, Vec<_>) = users.into_iter().partition(|user| here.contains(user));
        let Some(last) = here.iter().rposition(|instruction| own.contains(instruction)) else { return false };
        let kind = own[0].r#type();
        let is_same = own.iter().chain(&later).all(|read| read.r#type() == kind);
        let objects = objects(self.phi);
        let may_write = |instruction: &Value<'m>| may_write(*instruction, &objects);
        if !is_same || here[..last].iter().any(may_write) {
            return false;
        }
        // A read in a later block takes the value of one here if the branch to it depends on that.
        let repeats = |read: &Value<'m>| {
            let block = blocks.iter().find(|block| block.instructions().contains(read));
            block.is_some_and(|block| {
                only_before(*block, blocks) == Some(self.block)
                    && self.decides_by(&own)
                    && !here[last..].iter().any(may_write)
                    && !block.instructions().iter().take_while(|instruction| *instruction != read).any(may_write)
            })
        };
        if !later.iter().all(repeats) {
            return false;
        }
        let moved = |read: Value<'m>| {
            let read_at = |(from, address): (Block<'m>, Value<'m>)| {
                Some((from, ffi::insert_read(module, read, address, from.terminator()?)))
            };
            let values = self.phi.incoming().into_iter().map(read_at).collect::<Option<Vec<_>>>()?;
            Some(ffi::insert_phi(module, self.phi, kind, &values))
        };
        let Some(values) = own.iter().map(|read| moved(*read)).collect::<Option<Vec<_>>>() else { return false };
        let first = values[0];
        for (read, value) in own.into_iter().zip(values).chain(later.into_iter().map(|read| (read, first))) {
            read.replace_by(value);
            ffi::erase_unused(read);
        }
        ffi::erase_unused(self.phi);
        true
    }

    /// Returns true if each branch that chooses leads here alone, behind a condition that has read what it chooses.
    fn is_on_data(self, blocks: &[Block<'m>]) -> bool {
        self.phi.incoming().into_iter().all(|(from, address)| {
            let has_read = || {
                let condition = only_before(from, blocks).and_then(|before| before.terminator()?.operand(0));
                condition.is_some_and(|condition| reads_of(condition).contains(&address))
            };
            from.successors() == [self.block] && (address.opcode() == Some(Opcode::LLVMAlloca) || has_read())
        })
    }

    /// Returns true if the branch behind the choice depends on one of some reads.
    fn decides_by(self, reads: &[Value<'m>]) -> bool {
        let condition = self.block.terminator().filter(|end| end.is_conditional()).and_then(|end| end.operand(0));
        condition.is_some_and(|condition| values_of(condition).iter().any(|value| reads.contains(value)))
    }
}

/// Returns what a condition is computed from, up to reads and phis.
fn values_of(condition: Value<'_>) -> BTreeSet<Value<'_>> {
    let (mut found, mut open) = (BTreeSet::new(), vec![condition]);
    while let Some(value) = open.pop() {
        if found.len() < MOST_VALUES && value.is_instruction() && found.insert(value) {
            let ends = matches!(value.opcode(), Some(Opcode::LLVMLoad | Opcode::LLVMPHI | Opcode::LLVMCall));
            open.extend(value.operands().into_iter().filter(|_| !ends));
        }
    }
    found
}

/// Returns the addresses that a condition reads.
fn reads_of(condition: Value<'_>) -> BTreeSet<Value<'_>> {
    let values = values_of(condition);
    values.into_iter().filter(|value| is_plain_read(*value)).filter_map(|read| read.operand(0)).collect()
}

/// Returns the objects that an address may be in, also by other choices: what offsets are added to.
fn objects(address: Value<'_>) -> BTreeSet<Value<'_>> {
    let (mut found, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![address]);
    while let Some(address) = open.pop() {
        if seen.insert(address) {
            match address.opcode() {
                Some(Opcode::LLVMPHI | Opcode::LLVMSelect) => open.extend(chosen(address)),
                Some(Opcode::LLVMGetElementPtr) => open.extend(address.operand(0)),
                _ => _ = found.insert(address),
            }
        }
    }
    found
}

/// Returns true if an instruction may write to one of some objects: a variable is written by its own name alone, or by an address.
fn may_write<'m>(instruction: Value<'m>, objects: &BTreeSet<Value<'m>>) -> bool {
    match instruction.opcode() {
        Some(Opcode::LLVMStore) => {
            let variable = instruction.operand(1).filter(|to| to.opcode() == Some(Opcode::LLVMAlloca));
            variable.is_none_or(|variable| objects.contains(&variable))
        }
        Some(Opcode::LLVMCall) => {
            !instruction.touches_no_memory() && !instruction.is_remark() && !instruction.calls("llvm.assume")
        }
        Some(
            Opcode::LLVMInvoke
            | Opcode::LLVMAtomicRMW
            | Opcode::LLVMAtomicCmpXchg
            | Opcode::LLVMFence
            | Opcode::LLVMVAArg
            | Opcode::LLVMCallBr,
        )
        | None => true,
        Some(_) => false,
    }
}
