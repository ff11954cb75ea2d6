//! Calls that are left after inlining, and instructions that are never followed.

use symloc_affine::Node as Tree;
use symloc_frontend::cases::Cases;

use crate::ffi::{Opcode, Value};
use crate::known::{Known, Pointer};
use crate::mix;
use crate::walk::{Walker, counted};

/// Intrinsics that are no operation at all.
const NOTHING: &[&str] = &[
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
const ALLOCATES: &[&str] =
    &["malloc", "calloc", "aligned_alloc", "memalign", "valloc", "_Znwm", "_Znam", "_Znwj", "_Znaj"];

/// Functions of the C library that read what they print.
const PRINTS: &[&str] = &["printf", "puts"];

/// Functions of the C library that touch none of the program's arrays.
const PURE: &[&str] = &[
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

impl<'m> Walker<'m, '_> {
    /// A call that was not inlined.
    pub(crate) fn call(&mut self, call: Value<'m>) -> Vec<Tree> {
        let Some((callee, arguments)) = call.call() else { return Vec::new() };
        if callee.is_inline_assembly() {
            let why = "what it reads and writes is not known";
            self.refuse_with(call, "inline assembly is not supported", why, Some("write it in C for the analysis"));
            return Vec::new();
        }
        if !callee.is_function() {
            let why = "which function it is depends on data";
            let hint = "call the function directly, or leave it out with --ignore-calls all";
            return self.unknown_call(call, "", "a call through a pointer is not supported", why, hint);
        }
        let name = callee.name();
        if let Some(intrinsic) = name.strip_prefix("llvm.") {
            return self.intrinsic_call(call, name, intrinsic.split('.').next().unwrap_or(intrinsic));
        }
        let plain = name.strip_suffix(['f', 'l']).filter(|plain| PURE.contains(plain)).unwrap_or(name);
        if ALLOCATES.contains(&name) {
            return self.allocation(call, name);
        }
        let scalars = arguments.iter().all(|argument| !argument.r#type().is_pointer());
        // What is printed may be an array, unless it is a constant of the program.
        let constant = |argument: &Value<'m>| !argument.r#type().is_pointer() || argument.is_constant_global();
        let printed = PRINTS.contains(&plain) && arguments.iter().all(constant);
        let harmless = PURE.contains(&plain) || printed || scalars && call.touches_no_memory();
        if harmless {
            self.values.define(call);
            return counted(Some(if self.counts(call) { mix::flops(call) } else { 0 }));
        }
        if callee.has_body() {
            let why = format!("`{name}` calls itself, or could not be inlined");
            self.refuse_with(call, "a recursive call is not supported", why, Some("write it as a loop"));
            return Vec::new();
        }
        let why = "its body is not here, so what it reads and writes is not known";
        let hint = format!(
            "give its source in the same file, or leave it out with --ignore-calls {name} if it touches none of the arrays"
        );
        self.unknown_call(call, name, &format!("a call of `{name}` is not supported"), why, &hint)
    }

    fn unknown_call(&mut self, call: Value<'m>, name: &str, message: &str, why: &str, hint: &str) -> Vec<Tree> {
        let ignored = self.rules.ignored_calls.iter().any(|ignored| ignored == "all" || ignored == name);
        if ignored && self.counts(call) {
            let shown = if name.is_empty() { "a function pointer" } else { name };
            self.remark(call, format!("a call of `{shown}` is taken to touch none of the arrays (--ignore-calls)"));
        } else {
            self.refuse_with(call, message, why, Some(hint));
        }
        self.values.define(call);
        Vec::new()
    }

    fn intrinsic_call(&mut self, call: Value<'m>, name: &str, stem: &str) -> Vec<Tree> {
        match stem {
            "memcpy" | "memmove" | "memset" => {
                let library = format!("a copy or initialisation of memory (`{stem}`) is not supported");
                let why = "in which order and in what pieces it touches memory is up to the library";
                self.refuse_with(
                    call,
                    library,
                    why,
                    Some("write the loop, or analyse the other nests with --skip-refused"),
                );
                Vec::new()
            }
            "va_start" | "va_end" | "va_copy" => {
                let (message, why, hint) = forbidden(Opcode::LLVMVAArg);
                self.refuse_with(call, message, why, hint);
                Vec::new()
            }
            "masked" | "vp" | "gather" | "scatter" => {
                let why = "which lanes it touches depends on its mask";
                self.refuse_with(
                    call,
                    format!("`{name}` is not supported"),
                    why,
                    Some("analyse the loops before they are vectorised"),
                );
                Vec::new()
            }
            _ if NOTHING.contains(&stem) => {
                self.values.define(call);
                Vec::new()
            }
            _ => {
                self.values.define(call);
                counted(Some(if self.counts(call) { mix::flops(call) } else { 0 }))
            }
        }
    }

    fn allocation(&mut self, call: Value<'m>, name: &str) -> Vec<Tree> {
        let inside = self.cfg.is_in_loop(call);
        if inside {
            let why = "every iteration allocates memory, and whether it is the same as before is not known";
            self.refuse_with(
                call,
                format!("`{name}` inside a loop is not supported"),
                why,
                Some("allocate before the loops"),
            );
        }
        let root = self.values.object(call, true);
        self.values.set(call, Known::Pointer(Cases::Always(Pointer::to(root))));
        Vec::new()
    }
}
