//! Choices of addresses, made choices of values.
//!
//! `std::min(a, b)` returns a reference: the address of one of two variables. `sroa` leaves such variables in memory where choices are
//! nested, as in `std::clamp`, or kept, although no compiler does. A choice among variables alone becomes the number of the
//! chosen one: a read takes the value that this variable has at the time, a write changes this variable and no other ([`number`]).
//!
//! Elements of arrays cannot be read for nothing. But of `std::max(a[i], b[i])` the comparison has read both: the read through the choice
//! moves into the branches, where it repeats one of these, as `a[i] < b[i] ? b[i] : a[i]` does ([`repeat`]).

mod number;
mod repeat;

use inkwell::module::Module;

use crate::ir::ffi::{self, Block, Opcode, Value};

/// Resolves the choices of a function; returns true if there were any.
pub(crate) fn resolve(module: &Module<'_>, function: Value<'_>) -> bool {
    let mut any = remove_unused(function);
    any |= number::number_variables(module, function);
    any |= repeat::repeat_reads(module, function);
    any
}

/// Removes choices that nothing uses, and then those that only these used.
fn remove_unused(function: Value<'_>) -> bool {
    let mut any = false;
    loop {
        let unused = choices(function).into_iter().find(|choice| choice.users().is_empty());
        let Some(unused) = unused else { return any };
        ffi::erase_unused(unused);
        any = true;
    }
}

/// Returns the choices of addresses: phis and `select`s.
fn choices(function: Value<'_>) -> Vec<Value<'_>> {
    let is_choice = |value: &Value<'_>| {
        matches!(value.opcode(), Some(Opcode::LLVMPHI | Opcode::LLVMSelect)) && value.r#type().is_pointer()
    };
    function.instructions().filter(is_choice).collect()
}

/// Returns the addresses that it chooses among.
fn chosen<'m>(choice: Value<'m>) -> Vec<Value<'m>> {
    match choice.opcode() {
        Some(Opcode::LLVMSelect) => choice.operands().into_iter().skip(1).collect(),
        _ => choice.incoming().into_iter().map(|(_, value)| value).collect(),
    }
}

/// Returns true for reads that may be replaced by others.
fn is_plain_read(user: Value<'_>) -> bool {
    user.opcode() == Some(Opcode::LLVMLoad) && !user.is_volatile() && !user.is_atomic()
}

/// Returns the only block that leads to a block, if there is one.
fn only_before<'m>(block: Block<'m>, blocks: &[Block<'m>]) -> Option<Block<'m>> {
    let mut before = blocks.iter().filter(|other| other.successors().contains(&block));
    before.next().copied().filter(|_| before.next().is_none())
}
