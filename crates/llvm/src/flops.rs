//! How many floating-point operations an instruction is, by the rules of the MLIR front end: what the performance counters of
//! processors count. A fused multiply-add is two, an elementary function one; comparison, negation and conversion are none.

use crate::ffi::{Opcode, Value};

/// The floating-point operations of an instruction that touches no memory.
pub(crate) fn of(value: Value) -> Option<u64> {
    use Opcode as O;
    let lanes = value.r#type().vector().map_or(1, |(_, lanes)| u64::from(lanes));
    match value.opcode() {
        Some(O::LLVMFAdd | O::LLVMFSub | O::LLVMFMul | O::LLVMFDiv | O::LLVMFRem) => Some(lanes),
        _ => Some(0),
    }
}

/// Those of a call of an intrinsic or of a function of the mathematical library.
pub(crate) fn of_call(call: Value, name: &str) -> Option<u64> {
    let kind = call.r#type();
    let (element, lanes) = kind.vector().map_or((kind, 1), |(element, lanes)| (element, u64::from(lanes)));
    if !element.is_float() {
        return Some(0);
    }
    let stem = name.strip_prefix("llvm.").map_or(name, |name| name.split('.').next().unwrap_or(name));
    let none = ["fabs", "ceil", "floor", "trunc", "rint", "nearbyint", "round", "roundeven", "copysign"];
    let plain = stem.trim_end_matches(['f', 'l']);
    match stem {
        "fmuladd" | "fma" | "fmaf" => Some(2 * lanes),
        _ if none.contains(&stem) || none.contains(&plain) => Some(0),
        _ => Some(lanes),
    }
}
