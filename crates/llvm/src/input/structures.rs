//! Copies of local structures, member by member.
//!
//! Clang copies a structure by `memcpy`. The members of a local one are scalars and belong in registers, but `sroa` leaves a
//! variable in memory where two copies of several members meet: `t = p[i]; p[i] = p[j]; p[j] = t`. So each copy to or
//! from a local structure becomes a load and a store of each of its members in ascending order, as if they were assigned one
//! by one. Bytes between the members are not copied. Large structures, and those with arrays of bytes, stay as they are.

use inkwell::module::Module;

use crate::ir::ffi::{self, DataLayout, Opcode, StructMember, Type, Value};

/// The most members of a structure that is copied member by member.
const MOST_MEMBERS: usize = 32;

/// Replaces the copies to and from local structures.
pub(crate) fn copy_members(module: &Module<'_>, function: Value<'_>) {
    let layout = DataLayout::of(module);
    let calls: Vec<_> = function.instructions().filter(|instruction| instruction.call().is_some()).collect();
    for call in calls {
        if let Some((to, from, members)) = copied(&layout, call) {
            ffi::copy_members(module, call, [to, from].map(|side| (side, is_local(side))), &members);
        }
    }
}

/// Removes copies from local memory that nothing writes: what `sroa` leaves of structures whose members are in registers, the bytes
/// between these. What such a copy alone has written is as undefined.
pub(crate) fn remove_copies_of_nothing(function: Value<'_>) {
    let is_copy = |instruction: &Value<'_>| callee_begins(*instruction, "llvm.memcpy.");
    loop {
        let copies = || function.instructions().filter(is_copy);
        let nothing: Vec<_> = copies().filter(|copy| copy.operand(1).is_some_and(is_never_written)).collect();
        if nothing.is_empty() {
            return;
        }
        nothing.into_iter().for_each(ffi::erase_call);
    }
}

/// Returns true if a pointer is a local variable that is only copied from.
fn is_never_written(pointer: Value<'_>) -> bool {
    let only_reads = |user: &Value<'_>| {
        callee_begins(*user, "llvm.lifetime.")
            || callee_begins(*user, "llvm.memcpy.") && user.operand(0) != Some(pointer)
    };
    pointer.opcode() == Some(Opcode::LLVMAlloca) && pointer.users().iter().all(only_reads)
}

fn callee_begins(instruction: Value<'_>, name: &str) -> bool {
    instruction.call().is_some_and(|(callee, _)| callee.name().starts_with(name))
}

/// Returns the pointers and the members of a copy of a whole local structure.
fn copied<'m>(layout: &DataLayout<'m>, call: Value<'m>) -> Option<(Value<'m>, Value<'m>, Vec<StructMember<'m>>)> {
    let (callee, arguments) = call.call()?;
    let &[to, from, length, ..] = arguments.as_slice() else { return None };
    if !callee.name().starts_with("llvm.memcpy.") {
        return None;
    }
    let constant = from.initializer().filter(|_| from.name().starts_with(INITIAL_VALUE));
    let kind = local_type(to).or_else(|| local_type(from)).filter(|kind| kind.is_struct())?;
    if layout.size(kind)? != u64::try_from(length.constant()?).ok()? {
        return None;
    }
    let kind = constant.map_or(kind, Value::r#type);
    let mut members = Vec::new();
    add_members(layout, StructMember { kind, offset: 0, constant }, &mut members)?;
    Some((to, from, members))
}

/// The names of the globals in which Clang keeps the initial values of local variables, which are part of the program and not
/// of its data.
const INITIAL_VALUE: &str = "__const.";

/// Adds the scalars of a part of a structure; `None` if it is not to be taken apart.
fn add_members<'m>(
    layout: &DataLayout<'m>,
    whole: StructMember<'m>,
    members: &mut Vec<StructMember<'m>>,
) -> Option<()> {
    let StructMember { kind, offset, constant } = whole;
    let (fields, element_bytes): (Vec<Type<'m>>, _) = match kind.array() {
        Some((element, count)) => {
            let bytes = layout.size(element).filter(|bytes| *bytes > 1)?;
            let count = usize::try_from(count).ok().filter(|count| *count <= MOST_MEMBERS)?;
            (vec![element; count], Some(bytes))
        }
        None if kind.is_struct() => ((0..).map_while(|index| kind.field(index)).collect(), None),
        None => {
            members.push(whole);
            return (members.len() <= MOST_MEMBERS).then_some(());
        }
    };
    (0..).zip(fields).try_for_each(|(index, field)| {
        let start = element_bytes.map_or_else(|| layout.field_offset(kind, index), |bytes| u64::from(index) * bytes);
        let constant = match constant {
            Some(aggregate) => Some(aggregate.part(index)?),
            None => None,
        };
        add_members(layout, StructMember { kind: field, offset: offset + start, constant }, members)
    })
}

/// Returns the type of the local variable, or of the part of one, that a pointer points at.
fn local_type<'m>(pointer: Value<'m>) -> Option<Type<'m>> {
    match pointer.opcode()? {
        Opcode::LLVMAlloca => return pointer.pointee(),
        Opcode::LLVMGetElementPtr => {}
        _ => return None,
    }
    let operands = pointer.operands();
    let [base, first, inner @ ..] = operands.as_slice() else { return None };
    let whole = pointer.pointee()?;
    // The first index would select another object than the one that the base points at.
    (local_type(*base)? == whole && first.constant()? == 0).then_some(())?;
    inner.iter().try_fold(whole, |kind, index| {
        let index = u32::try_from(index.constant()?).ok()?;
        kind.field(index).or_else(|| kind.array().map(|(element, _)| element))
    })
}

fn is_local(pointer: Value<'_>) -> bool {
    match pointer.opcode() {
        Some(Opcode::LLVMAlloca) => true,
        Some(Opcode::LLVMGetElementPtr) => pointer.operand(0).is_some_and(is_local),
        _ => false,
    }
}
