//! What is known of functions and instructions by their names alone.

use crate::ffi::{Opcode, Value};

/// Intrinsics that are no operation at all.
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

/// Functions of the C library that return memory of their own.
pub(crate) const ALLOCATES: &[&str] =
    &["malloc", "calloc", "aligned_alloc", "memalign", "valloc", "_Znwm", "_Znam", "_Znwj", "_Znaj"];

/// Functions of the C library that read what they print.
pub(crate) const PRINTS: &[&str] = &["printf", "puts"];

/// Functions of the C library that touch none of the program's arrays.
pub(crate) const PURE: &[&str] = &[
    "__divdc3",
    "__divsc3",
    "__muldc3",
    "__mulsc3",
    "abs",
    "labs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cabs",
    "carg",
    "cbrt",
    "ceil",
    "cexp",
    "clock",
    "clog",
    "copysign",
    "cos",
    "cosh",
    "cpow",
    "csqrt",
    "erf",
    "erfc",
    "exit",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "free",
    "hypot",
    "ilogb",
    "ldexp",
    "lgamma",
    "llabs",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "nearbyint",
    "nextafter",
    "omp_get_max_threads",
    "omp_get_num_threads",
    "omp_get_thread_num",
    "omp_get_wtime",
    "pow",
    "putchar",
    "rand",
    "remainder",
    "rint",
    "round",
    "scalbn",
    "sin",
    "sinh",
    "sqrt",
    "srand",
    "tan",
    "tanh",
    "tgamma",
    "time",
    "trunc",
    "_ZdlPv",
    "_ZdaPv",
    "_ZdlPvm",
    "_ZdaPvm",
];

/// True for functions of the C library that touch none of the program's arrays.
pub(crate) fn is_pure(name: &str) -> bool {
    PURE.contains(&name)
}

/// True for instructions that may touch memory or call something.
pub(crate) fn may_touch_memory(value: Value) -> bool {
    use Opcode as O;
    let Some(opcode) = value.opcode() else { return false };
    if let Some((callee, _)) = value.call() {
        let stem = callee.name().strip_prefix("llvm.").and_then(|name| name.split('.').next());
        return !stem.is_some_and(|stem| NOTHING.contains(&stem));
    }
    matches!(opcode, O::LLVMLoad | O::LLVMStore | O::LLVMCall | O::LLVMInvoke | O::LLVMAlloca) || is_forbidden(opcode)
}

/// True for instructions that no function may contain.
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

/// What to say about such an instruction: message, reason and what to do.
pub(crate) fn forbidden(opcode: Opcode) -> (&'static str, &'static str, Option<&'static str>) {
    use Opcode as O;
    match opcode {
        O::LLVMAtomicRMW | O::LLVMAtomicCmpXchg | O::LLVMFence => (
            "atomic operations are not supported",
            "what other threads do in between is not known",
            Some("analyse a version without atomics"),
        ),
        O::LLVMVAArg => ("variable arguments are not supported", "where they lie is not known", None),
        O::LLVMIndirectBr | O::LLVMCallBr => {
            ("a computed jump is not supported", "where it leads depends on data", None)
        }
        _ => ("exceptions are not supported", "where they are caught depends on data", None),
    }
}
