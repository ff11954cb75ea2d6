//! Which values are in registers, and what it takes to read a program with none of them there.
//!
//! Without registers (`--registers none`) every variable has a slot on the stack, and every use of it is an access. Loops can only be followed once counters are registers, so the variables are promoted as always; but before that, a call
//! of [`TOUCHED`] is put in front of each load and store of a slot. Passes leave calls where they are, and the walk reads
//! them as accesses. Slots are those that `mem2reg` promotes: local variables that are only loaded and stored as a whole.
//! Everything else stays in memory anyway.

use inkwell::module::Module;
use symloc_affine::{AccessKind, Location};

use crate::ffi::{self, DataLayout, Opcode, Value};
use crate::places::Places;

/// Which values are in registers, so that using them is no access to memory (`--registers`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Registers {
    /// Scalars: every access to an array is one as the source makes it.
    #[default]
    Source,
    /// None: every use of a variable reads or writes its slot on the stack, as at `-O0`.
    None,
    /// What an optimising compiler keeps there.
    Optimized,
}

/// The function that is called where a slot is touched: with the slot's number, its bytes, and 1 for a write.
const TOUCHED: &str = "symloc.slot";

/// A variable on the stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) name: String,
    pub(crate) location: Location,
}

/// An access to a slot.
pub(crate) struct Touch {
    pub(crate) slot: usize,
    pub(crate) bytes: u64,
    pub(crate) kind: AccessKind,
}

/// Calls [`TOUCHED`] in front of each access to a variable that can be a register.
pub(crate) fn mark<'m>(module: &'m Module<'_>, function: Value<'m>, places: &Places<'m>) -> Vec<Slot> {
    let layout = DataLayout::of(module);
    let variables = variables(function);
    let slot = |variable| variables.iter().position(|other| *other == variable);
    let accesses: Vec<_> = instructions(function).filter_map(|i| Some((i, slot_of(i)?))).collect();
    for (access, variable) in accesses {
        let bytes = variable.pointee().and_then(|kind| layout.size(kind));
        if let Some((slot, bytes)) = slot(variable).zip(bytes) {
            let write = access.opcode() == Some(Opcode::LLVMStore);
            ffi::insert_call(module, TOUCHED, access, [slot as u64, bytes, write.into()]);
        }
    }
    variables.into_iter().map(|variable| described(variable, places)).collect()
}

/// The access to a slot that an instruction stands for.
pub(crate) fn touch(call: Value<'_>) -> Option<Touch> {
    let (_, arguments) = call.call().filter(|(callee, _)| callee.name() == TOUCHED)?;
    let [slot, bytes, write] = arguments.as_slice() else { return None };
    let number = |value: &Value<'_>| value.constant().and_then(|value| u64::try_from(value).ok());
    Some(Touch {
        slot: usize::try_from(number(slot)?).ok()?,
        bytes: number(bytes)?,
        kind: if number(write)? == 0 { AccessKind::Read } else { AccessKind::Write },
    })
}

fn described(variable: Value<'_>, places: &Places<'_>) -> Slot {
    let name = places.name_or_value(variable).unwrap_or_default();
    // The pointer `A` lies in a slot, and what it points at is called A.
    let pointer = variable.pointee().is_some_and(|kind| kind.is_pointer());
    let name = if pointer { format!("{name}_ptr") } else { name };
    Slot { name, location: places.or_start(variable) }
}

/// The variables that `mem2reg` promotes, in the order of the text.
fn variables(function: Value<'_>) -> Vec<Value<'_>> {
    let entry = function.blocks().into_iter().take(1).flat_map(|block| block.instructions());
    let mut found: Vec<_> = entry.filter(|i| i.opcode() == Some(Opcode::LLVMAlloca)).collect();
    for instruction in instructions(function) {
        let whole = slot_of(instruction);
        let lifetime = instruction.call().is_some_and(|(callee, _)| callee.name().starts_with("llvm.lifetime"));
        let operands = instruction.operands();
        found.retain(|variable| {
            let uses = operands.iter().filter(|operand| *operand == variable).count();
            uses == 0 || lifetime || uses == 1 && whole == Some(*variable)
        });
    }
    found
}

/// The local variable that a load or store touches as a whole.
fn slot_of(access: Value<'_>) -> Option<Value<'_>> {
    let (address, kind) = match access.opcode()? {
        Opcode::LLVMLoad => (access.operand(0)?, access.r#type()),
        Opcode::LLVMStore => (access.operand(1)?, access.operand(0)?.r#type()),
        _ => return None,
    };
    let whole = address.opcode() == Some(Opcode::LLVMAlloca) && address.pointee() == Some(kind);
    (whole && !access.is_volatile() && !access.is_atomic()).then_some(address)
}

fn instructions(function: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    function.blocks().into_iter().flat_map(|block| block.instructions())
}
