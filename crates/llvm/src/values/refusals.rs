//! Reasons why instructions have no value.

use symloc_frontend::raising::{Cause, Reason};

use crate::ir::ffi::{Opcode, Value};

/// The end of the reasons about data, by which hints know them.
pub(crate) const ON_DATA: &str = "so it depends on data";

pub(crate) fn operand<'m>(value: Value<'m>, index: u32) -> Result<Value<'m>, Cause> {
    value.operand(index).ok_or_else(|| Cause::here("it has no such operand"))
}

/// Returns the reason why the result of an instruction is not known.
pub(crate) fn not_followed(value: Value, opcode: Opcode) -> Cause {
    use Opcode as O;
    match opcode {
        O::LLVMFCmp => Cause::hinted(
            format!("it compares floating-point numbers, {ON_DATA}"),
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
        format!("it is loaded from memory, {ON_DATA}"),
        "only parameters and loop counters can be followed; pass a size as an argument",
    )
}

/// Returns the reason why the subscript of an access is not known. An argument in its place, as for a size, would be another
/// program.
pub(crate) fn in_subscript(reason: &Reason, is_in_loop: bool) -> Reason {
    if !reason.why().contains(ON_DATA) || reason.hint().is_some_and(|hint| hint.contains("--branch")) {
        return reason.clone();
    }
    let skip = if is_in_loop { ", or analyse the other nests with --skip-refused" } else { "" };
    let hint = format!("only parameters and loop counters can be followed in subscripts: subscript by these{skip}");
    reason.with_hint(Some(&hint))
}
