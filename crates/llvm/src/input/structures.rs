//! Local structures, taken apart into their members.
//!
//! Clang copies a structure by `memcpy`. The members of a local one are scalars and belong in registers, but `sroa` leaves a
//! variable in memory where two copies of several members meet: `t = p[i]; p[i] = p[j]; p[j] = t`. So each copy to or
//! from a local structure becomes a load and a store of each of its members in ascending order, as if they were assigned one
//! by one. Bytes between the members are not copied. Large structures, and those with arrays of bytes, stay as they are.
//!
//! A small structure is passed by value as one integer, which holds several members: `y << 32 | x`. What a callee extracts of it by
//! shifts and truncations is, bit by bit, the value that was put there.

use std::ops::Range;

use inkwell::module::Module;

use crate::ir::ffi::{self, DataLayout, Opcode, StructMember, Type, Value};

/// The most instructions between the value that is put into a register and the one that extracts it.
const MOST_STEPS: u32 = 12;

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
    let is_copy = |instruction: &Value<'_>| instruction.calls("llvm.memcpy.");
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
        user.calls("llvm.lifetime.") || user.calls("llvm.memcpy.") && user.operand(0) != Some(pointer)
    };
    pointer.opcode() == Some(Opcode::LLVMAlloca) && pointer.users().iter().all(only_reads)
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

/// Makes each member that is extracted of a structure in a register the value that was put there.
pub(crate) fn separate_members(function: Value<'_>) {
    let truncations = |instruction: &Value<'_>| instruction.opcode() == Some(Opcode::LLVMTrunc);
    let mut replaced = Vec::new();
    for member in function.instructions().filter(truncations).collect::<Vec<_>>() {
        let (Some(register), Some(width)) = (member.operand(0), member.r#type().integer_width()) else { continue };
        match Bits::of(register, 0..width, MOST_STEPS) {
            Some(Bits::Value(value)) => member.replace_by(value),
            Some(Bits::Constant(value)) => member.replace_by_constant(value),
            None => continue,
        }
        replaced.push(member);
    }
    remove_unused(replaced);
}

/// Removes computations whose results nothing uses, and then those of their operands that nothing else used.
fn remove_unused(mut values: Vec<Value<'_>>) {
    use Opcode as O;
    let computes = |value: Value<'_>| {
        matches!(value.opcode(), Some(O::LLVMTrunc | O::LLVMZExt | O::LLVMShl | O::LLVMLShr | O::LLVMAnd | O::LLVMOr))
    };
    while let Some(value) = values.pop() {
        if value.is_instruction() && computes(value) && value.users().is_empty() {
            values.retain(|other| *other != value);
            values.extend(value.operands());
            ffi::erase_unused(value);
        }
    }
}

/// Some bits of a register, where they are those of one value.
enum Bits<'m> {
    Value(Value<'m>),
    /// A constant, as signed.
    Constant(i64),
}

impl<'m> Bits<'m> {
    /// Returns what some bits of a register hold; `None` if it is a part of a value, or is put together in another way.
    fn of(register: Value<'m>, bits: Range<u32>, steps: u32) -> Option<Self> {
        use Opcode as O;
        let width = register.r#type().integer_width().filter(|width| *width <= 64)?;
        if let Some(constant) = register.constant() {
            let above = 64 - bits.end;
            return Some(Self::Constant((constant << above) >> (above + bits.start)));
        }
        let opcode = register.opcode().filter(|_| register.is_instruction());
        let value = || (bits == (0..width)).then_some(Self::Value(register));
        let (Some(opcode), Some(steps)) = (opcode, steps.checked_sub(1)) else { return value() };
        let operand = |index| register.operand(index);
        let shift = || operand(1)?.constant().and_then(|by| u32::try_from(by).ok()).filter(|by| *by < width);
        let is_zero = |bits: &Option<Self>| matches!(bits, Some(Self::Constant(0)));
        match opcode {
            O::LLVMOr => {
                let sides = [0, 1].map(|side| Self::of(operand(side)?, bits.clone(), steps));
                match sides {
                    [zero, other] | [other, zero] if is_zero(&zero) => other,
                    _ => value(),
                }
            }
            O::LLVMAnd => match Self::of(operand(1)?, bits.clone(), steps) {
                Some(Self::Constant(-1)) => Self::of(operand(0)?, bits, steps),
                Some(Self::Constant(0)) => Some(Self::Constant(0)),
                _ => value(),
            },
            O::LLVMShl => match shift() {
                Some(by) if by <= bits.start => Self::of(operand(0)?, bits.start - by..bits.end - by, steps),
                Some(by) if by >= bits.end => Some(Self::Constant(0)),
                _ => value(),
            },
            O::LLVMLShr => match shift() {
                Some(by) if bits.end + by <= width => Self::of(operand(0)?, bits.start + by..bits.end + by, steps),
                Some(by) if bits.start + by >= width => Some(Self::Constant(0)),
                _ => value(),
            },
            O::LLVMZExt => {
                let from = operand(0)?.r#type().integer_width()?;
                match () {
                    () if bits.end <= from => Self::of(operand(0)?, bits, steps),
                    () if bits.start >= from => Some(Self::Constant(0)),
                    () => value(),
                }
            }
            O::LLVMTrunc => Self::of(operand(0)?, bits.clone(), steps).or_else(value),
            _ => value(),
        }
    }
}
