//! Functions and instructions that are known by their names.

use symloc_frontend::{Diagnostic, Kind};

use crate::ir::ffi::{Opcode, Value};

/// Intrinsics that do not execute an operation.
pub(crate) const NOTHING: &[&str] = &[
    "assume",
    "dbg",
    "donothing",
    "experimental",
    "fake",
    "invariant",
    "lifetime",
    "prefetch",
    "pseudoprobe",
    "sideeffect",
    "stackrestore",
    "stacksave",
    "var",
];

/// Functions of the C and C++ libraries that allocate memory.
pub(crate) const ALLOCATES: &[&str] =
    &["malloc", "calloc", "aligned_alloc", "memalign", "valloc", "_Znwm", "_Znam", "_Znwj", "_Znaj"];

/// Functions of the C library that copy and fill memory; LLVM's intrinsics for that have the same stems.
pub(crate) const COPIES: &[&str] = &["memcpy", "memmove", "memset"];

/// Returns true for instructions that may touch memory or call a function.
pub(crate) fn may_touch_memory(value: Value) -> bool {
    use Opcode as O;
    let Some(opcode) = value.opcode() else { return false };
    if let Some((callee, _)) = value.call() {
        let stem = callee.name().strip_prefix("llvm.").and_then(|name| name.split('.').next());
        return !stem.is_some_and(|stem| NOTHING.contains(&stem));
    }
    matches!(opcode, O::LLVMLoad | O::LLVMStore | O::LLVMCall | O::LLVMInvoke | O::LLVMAlloca) || is_forbidden(opcode)
}

/// Returns true for instructions that are not supported.
pub(crate) fn is_forbidden(opcode: Opcode) -> bool {
    use Opcode as O;
    matches!(
        opcode,
        O::LLVMAtomicRMW
            | O::LLVMAtomicCmpXchg
            | O::LLVMFence
            | O::LLVMVAArg
            | O::LLVMIndirectBr
            | O::LLVMCallBr
            | O::LLVMLandingPad
            | O::LLVMCatchPad
            | O::LLVMCatchSwitch
            | O::LLVMCleanupPad
    )
}

/// Returns the error for an instruction that is not supported.
pub(crate) fn forbidden(opcode: Opcode) -> Diagnostic {
    use Opcode as O;
    let (message, why) = match opcode {
        O::LLVMAtomicRMW | O::LLVMAtomicCmpXchg | O::LLVMFence => {
            let error = Diagnostic::new(Kind::Unsupported, None, "atomic operations are not supported");
            let error = error.note("other threads may change the memory in between");
            return error.hint("analyse a version without atomics");
        }
        O::LLVMVAArg => ("variable arguments are not supported", "their addresses are not known"),
        O::LLVMIndirectBr | O::LLVMCallBr => ("a computed jump is not supported", "its target depends on data"),
        _ => ("exceptions are not supported", "the place where they are caught depends on data"),
    };
    Diagnostic::new(Kind::Unsupported, None, message).note(why)
}
