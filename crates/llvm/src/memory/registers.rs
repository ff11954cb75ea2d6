//! The choice of values that are in registers, and accesses to variables that are not.
//!
//! Without registers (`--registers none`) every variable has a slot on the stack, and every use of it is an access.
//! Loops need counters in registers, so the variables are promoted all the same; but before that, a call of [`TOUCHED`]
//! is inserted in front of each load and store of a slot. Passes leave calls in place, and the walk reads them as
//! accesses. Slots are the variables that `mem2reg` promotes: local ones that are only loaded and stored as a whole.
//! A variable whose address is in another one can be promoted after that, so there are rounds: what a round has not marked
//! is volatile meanwhile, so that it stays. Other variables stay in memory.
//!
//! Global integers that a function writes have slots for each choice of registers: so they can be counters of loops,
//! and every use of them is still an access.

use inkwell::module::Module;
use symloc_affine::{AccessKind, Location};
use symloc_frontend::{Diagnostic, library};

use crate::ir::ffi::{self, DataLayout, Opcode, Value};
use crate::ir::library::ALLOCATES;
use crate::ir::places::Places;

/// The values that are in registers, so that their uses are not accesses to memory (`--registers`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Registers {
    /// Scalars; every access to an array in the source is an access to memory.
    #[default]
    Source,
    /// None: every use of a variable reads or writes its slot on the stack, as at `-O0`.
    None,
    /// The values that an optimising compiler keeps there.
    Optimized,
}

/// The function that is called at an access to a slot, with the slot's number, its bytes, and 1 for a write.
const TOUCHED: &str = "symloc.slot";

/// A variable on the stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) name: String,
    pub(crate) location: Location,
    /// True for a global variable.
    pub(crate) is_global: bool,
}

/// An access to a slot.
pub(crate) struct Touch {
    pub(crate) slot: usize,
    pub(crate) bytes: u64,
    pub(crate) kind: AccessKind,
}

/// The function that is called, with the address of a global, for its value at the start of the function.
const INITIAL: &str = "symloc.initial";

/// Inserts a call of [`TOUCHED`] in front of each access to a local variable, and puts these variables into registers; returns their
/// slots.
///
/// # Errors
///
/// Those of `promote`, which puts the variables of the function into registers.
pub(crate) fn mark_locals<'m>(
    module: &'m Module<'_>,
    function: Value<'m>,
    places: &Places<'m>,
    promote: impl Fn() -> Result<(), Diagnostic>,
) -> Result<Vec<Slot>, Diagnostic> {
    let (mut slots, mut before) = (Vec::new(), Vec::new());
    loop {
        let locals = variables(function);
        if locals == before {
            return Ok(slots);
        }
        mark(module, function, &locals, slots.len());
        slots.extend(locals.iter().map(|variable| described(*variable, places)));
        let is_other = |access: &Value<'m>| slot_of(*access).is_none_or(|variable| !locals.contains(&variable));
        let others: Vec<_> = function.instructions().filter(is_other).collect();
        others.iter().for_each(|access| access.set_volatile(true));
        promote()?;
        function.instructions().for_each(|access| access.set_volatile(false));
        before = locals;
    }
}

/// Inserts a call of [`TOUCHED`] in front of each access to a global variable that counts, makes a local variable of it,
/// and adds its slot. Pointers are to be in registers: the address of a counter may be an argument of an inlined call.
pub(crate) fn mark_globals<'m>(
    module: &'m Module<'_>,
    function: Value<'m>,
    places: &Places<'m>,
    ignored_calls: &[String],
    slots: &mut Vec<Slot>,
) {
    let globals = counters(module, function, ignored_calls);
    mark(module, function, &globals, slots.len());
    slots.extend(globals.iter().map(|global| described(*global, places)));
    for global in globals {
        let name = places.name_or_value(global).unwrap_or_default();
        ffi::localize(module, function, (global, &name), &format!("{INITIAL}.{}", global.name()));
    }
}

/// Inserts a call of [`TOUCHED`] in front of each access to `variables`, whose slots have the numbers from `first` on.
fn mark<'m>(module: &'m Module<'_>, function: Value<'m>, variables: &[Value<'m>], first: usize) {
    let layout = DataLayout::of(module);
    let slot = |variable| Some(first + variables.iter().position(|other| *other == variable)?);
    let accesses: Vec<_> = function.instructions().filter_map(|i| Some((i, slot_of(i)?))).collect();
    for (access, variable) in accesses {
        let bytes = variable.pointee().and_then(|kind| layout.size(kind));
        if let Some((slot, bytes)) = slot(variable).zip(bytes) {
            let write = access.opcode() == Some(Opcode::LLVMStore);
            ffi::insert_call(module, TOUCHED, access, [slot as u64, bytes, write.into()]);
        }
    }
}

/// Returns the global of a call for its value at the start of the function.
pub(crate) fn initial(call: Value<'_>) -> Option<Value<'_>> {
    let (_, arguments) = call.call().filter(|(callee, _)| callee.name().starts_with(INITIAL))?;
    arguments.first().copied()
}

/// Returns the global integers that a function writes, and only loads and stores as a whole; none if it calls a
/// function that may write them.
fn counters<'m>(module: &'m Module<'_>, function: Value<'m>, ignored_calls: &[String]) -> Vec<Value<'m>> {
    let is_integer = |global: &Value<'m>| {
        global.pointee().and_then(|kind| kind.integer_width()).is_some_and(|width| (8..=64).contains(&width))
    };
    let mut found: Vec<_> = ffi::globals(module).into_iter().filter(is_integer).collect();
    if found.is_empty() || function.instructions().any(|i| may_write_globals(i, ignored_calls)) {
        return Vec::new();
    }
    let is_stored = |global: &Value<'m>| {
        function.instructions().any(|i| i.opcode() == Some(Opcode::LLVMStore) && i.operand(1) == Some(*global))
    };
    found.retain(is_stored);
    for instruction in function.instructions() {
        let whole = slot_of(instruction);
        let behind =
            |operand: &Value<'m>, global: &Value<'m>| !operand.is_instruction() && operand.operand(0) == Some(*global);
        let operands = instruction.operands();
        found.retain(|global| {
            let uses = operands.iter().filter(|operand| *operand == global || behind(operand, global)).count();
            uses == 0 || uses == 1 && whole == Some(*global)
        });
    }
    found
}

/// Returns true for a call of a function that may write global variables.
fn may_write_globals(instruction: Value<'_>, ignored_calls: &[String]) -> bool {
    let Some((callee, _)) = instruction.call() else { return false };
    let name = callee.name();
    let known =
        name.starts_with("llvm.") || ALLOCATES.contains(&name) || library::is_pure(name) || library::prints(name);
    !known && !library::is_ignored(ignored_calls, name) && !instruction.touches_no_memory()
}

/// Returns the access to a slot that a call stands for.
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
    // The pointer `A` is in a slot, and the array that it points at is called A.
    let pointer = variable.pointee().is_some_and(|kind| kind.is_pointer());
    let name = if pointer { format!("{name}_ptr") } else { name };
    Slot { name, location: places.or_start(variable), is_global: variable.is_global() }
}

/// Returns the variables that `mem2reg` promotes, in the order of the text.
fn variables(function: Value<'_>) -> Vec<Value<'_>> {
    let entry = function.blocks().into_iter().take(1).flat_map(|block| block.instructions());
    let mut found: Vec<_> = entry.filter(|i| i.opcode() == Some(Opcode::LLVMAlloca)).collect();
    for instruction in function.instructions() {
        let whole = slot_of(instruction);
        let lifetime = instruction.calls("llvm.lifetime");
        let operands = instruction.operands();
        found.retain(|variable| {
            let uses = operands.iter().filter(|operand| *operand == variable).count();
            uses == 0 || lifetime || uses == 1 && whole == Some(*variable)
        });
    }
    found
}

/// Returns the local or global variable that a load or store touches as a whole.
fn slot_of(access: Value<'_>) -> Option<Value<'_>> {
    let (address, kind) = match access.opcode()? {
        Opcode::LLVMLoad => (access.operand(0)?, access.r#type()),
        Opcode::LLVMStore => (access.operand(1)?, access.operand(0)?.r#type()),
        _ => return None,
    };
    let is_variable = address.opcode() == Some(Opcode::LLVMAlloca) || address.is_global();
    let whole = is_variable && address.pointee() == Some(kind);
    (whole && !access.is_volatile() && !access.is_atomic()).then_some(address)
}
