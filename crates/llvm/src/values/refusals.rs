//! Reasons why instructions have no value.

use symloc_frontend::raising::Cause;

use crate::ir::ffi::{Opcode, Value};

pub(crate) fn operand<'m>(value: Value<'m>, index: u32) -> Result<Value<'m>, Cause> {
    value.operand(index).ok_or_else(|| Cause::here("it has no such operand"))
}

/// Returns the reason why the result of an instruction is not known.
pub(crate) fn not_followed(value: Value, opcode: Opcode) -> Cause {
    use Opcode as O;
    match opcode {
        O::LLVMFCmp => Cause::hinted(
            "it compares floating-point numbers, so it depends on data",
            "only conditions on parameters and loop counters can be followed",
        ),
        O::LLVMFPToSI | O::LLVMFPToUI => {
            Cause::hinted("it is converted from a floating-point number", "compute it with integers")
        }
        O::LLVMLoad => loaded(),
        O::LLVMPtrToInt | O::LLVMIntToPtr => {
            Cause::hinted("it turns an address into a number or a number into an address", "subscript the array")
        }
        _ if value.r#type().is_float() => Cause::here("it is a floating-point number"),
        O::LLVMExtractValue | O::LLVMInsertValue => Cause::here("it is a part of a structure, which is not followed"),
        _ => Cause::here("it is computed by an operation that is not followed"),
    }
}

/// Returns the reason why a loaded value is not known.
pub(crate) fn loaded() -> Cause {
    Cause::hinted(
        "it is loaded from memory, so it depends on data",
        "only parameters and loop counters can be followed; pass a size as an argument",
    )
}
