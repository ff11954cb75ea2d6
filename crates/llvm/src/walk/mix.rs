//! The operations of an instruction, by kind and width; the floating-point operations follow from them.
//!
//! Kinds are those of [`symloc_frontend::characteristics`]. The computation of an address is one operation on integers;
//! phis, debug records and hints to the compiler are not operations. Vector instructions count for each lane.

use symloc_affine::AccessKind;
use symloc_frontend::characteristics::{Kind, Mix, Operation};
use symloc_frontend::library;

use crate::ir::ffi::{Opcode, Type, Value};
use crate::memory::registers;

/// Returns the floating-point operations of an instruction.
pub(crate) fn flops(value: Value) -> u64 {
    let mut mix = Mix::default();
    add(value, &mut mix);
    mix.counts().map(|(typed, count)| typed.operation.flops() * count).sum()
}

/// Adds the operations of an instruction.
pub(crate) fn add(value: Value, mix: &mut Mix) {
    use Kind as K;
    use Opcode as O;
    let operand = || value.operand(0).map_or(value.r#type(), Value::r#type);
    let Some(opcode) = value.opcode() else { return };
    match opcode {
        O::LLVMLoad => count(mix, Operation::Load, value.r#type()),
        O::LLVMStore => count(mix, Operation::Store, operand()),
        O::LLVMAdd => integer(mix, K::Add, value.r#type()),
        O::LLVMSub => integer(mix, K::Sub, value.r#type()),
        O::LLVMMul => integer(mix, K::Mul, value.r#type()),
        O::LLVMSDiv | O::LLVMUDiv => integer(mix, K::Div, value.r#type()),
        O::LLVMSRem | O::LLVMURem => integer(mix, K::Rem, value.r#type()),
        O::LLVMAnd | O::LLVMOr | O::LLVMXor | O::LLVMShl | O::LLVMLShr | O::LLVMAShr => {
            integer(mix, K::Logic, value.r#type());
        }
        O::LLVMICmp => integer(mix, K::Compare, operand()),
        O::LLVMTrunc | O::LLVMZExt | O::LLVMSExt | O::LLVMPtrToInt | O::LLVMIntToPtr => {
            integer(mix, K::Convert, operand());
        }
        O::LLVMGetElementPtr => integer(mix, K::Other, value.r#type()),
        O::LLVMFAdd => float(mix, K::Add, value.r#type()),
        O::LLVMFSub => float(mix, K::Sub, value.r#type()),
        O::LLVMFMul => float(mix, K::Mul, value.r#type()),
        O::LLVMFDiv => float(mix, K::Div, value.r#type()),
        O::LLVMFRem => float(mix, K::Rem, value.r#type()),
        O::LLVMFNeg => float(mix, K::Other, value.r#type()),
        O::LLVMFCmp => float(mix, K::Compare, operand()),
        O::LLVMFPTrunc | O::LLVMFPExt | O::LLVMFPToSI | O::LLVMFPToUI | O::LLVMSIToFP | O::LLVMUIToFP => {
            float(mix, K::Convert, operand());
        }
        O::LLVMSelect => either(mix, K::Other, value.r#type()),
        O::LLVMBr if value.is_conditional() => mix.add(Operation::ConditionalBranch, 0, 1),
        O::LLVMSwitch => mix.add(Operation::ConditionalBranch, 0, 1),
        O::LLVMBr | O::LLVMRet => mix.add(Operation::UnconditionalBranch, 0, 1),
        O::LLVMCall | O::LLVMInvoke => called(value, mix),
        _ => {}
    }
}

/// Adds the operations of a call of an intrinsic, of the mathematical library, or of a slot access.
fn called(call: Value, mix: &mut Mix) {
    if let Some(touch) = registers::touch(call) {
        let operation = if touch.kind == AccessKind::Read { Operation::Load } else { Operation::Store };
        let bits = u32::try_from(8 * touch.bytes).unwrap_or(u32::MAX);
        return mix.add(operation, bits, 1);
    }
    let Some((callee, _)) = call.call() else { return };
    let name = callee.name();
    let stem = name.strip_prefix("llvm.").map_or(name, |name| name.split('.').next().unwrap_or(name));
    let kind = library::kind(stem);
    let result = call.r#type();
    let is_float = result.vector().map_or(result, |(element, _)| element).is_float();
    if is_float || matches!(kind, Kind::MinMax | Kind::Other) {
        either(mix, kind, result);
    }
}

fn either(mix: &mut Mix, kind: Kind, of: Type) {
    let element = of.vector().map_or(of, |(element, _)| element);
    if element.is_float() { float(mix, kind, of) } else { integer(mix, kind, of) }
}

fn integer(mix: &mut Mix, kind: Kind, of: Type) {
    count(mix, Operation::Integer(kind), of);
}

fn float(mix: &mut Mix, kind: Kind, of: Type) {
    count(mix, Operation::Float(kind), of);
}

/// Adds one operation for each lane.
fn count(mix: &mut Mix, operation: Operation, of: Type) {
    let (element, lanes) = of.vector().unwrap_or((of, 1));
    mix.add(operation, element.bits(), lanes.into());
}
