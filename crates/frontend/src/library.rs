//! Functions without a body: those that are known by their names, and the messages about others.

use crate::characteristics::Kind;
use crate::diagnostics::{self, Diagnostic};

/// Functions that read the values that they print, and no other memory of the program.
const PRINTS: &[&str] = &["printf", "puts"];

/// Functions of the C library, of OpenMP, of MLIR's runtime and of PolyBench that touch none of the program's arrays.
const PURE: &[&str] = &[
    "abs",
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
    "__divdc3",
    "__divsc3",
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
    "labs",
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
    "__muldc3",
    "__mulsc3",
    "nanoTime",
    "nearbyint",
    "nextafter",
    "omp_get_max_threads",
    "omp_get_num_threads",
    "omp_get_thread_num",
    "omp_get_wtime",
    "polybench_prepare_instruments",
    "polybench_timer_print",
    "polybench_timer_start",
    "polybench_timer_stop",
    "pow",
    "printBF16",
    "printClose",
    "printComma",
    "printF16",
    "printF32",
    "printF64",
    "printFlops",
    "printI64",
    "printNewline",
    "printOpen",
    "printU64",
    "putchar",
    "rand",
    "remainder",
    "rint",
    "round",
    "rtclock",
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
    "_ZdaPv",
    "_ZdaPvm",
    "_ZdlPv",
    "_ZdlPvm",
];

/// Functions of BLAS and LAPACK that report a wrong argument and end the program.
const ENDS: &[&str] = &["cblas_xerbla", "xerbla", "xerbla_"];

/// Returns true for functions that never return, although they are not declared so.
pub fn ends_program(name: &str) -> bool {
    ENDS.contains(&name)
}

/// Removes the suffix for a type of float from the name of a known function: `sqrt` for `sqrtf` and `sqrtl`.
pub fn plain(name: &str) -> &str {
    let name = name.strip_prefix("_mlir_ciface_").unwrap_or(name);
    name.strip_suffix(['f', 'l']).filter(|plain| PURE.contains(plain)).unwrap_or(name)
}

/// Returns true for functions that touch none of the program's arrays.
pub fn is_pure(name: &str) -> bool {
    PURE.contains(&plain(name))
}

/// Returns true for functions that read only the values that they print.
pub fn prints(name: &str) -> bool {
    PRINTS.contains(&plain(name))
}

/// Pure functions whose floating-point result does not depend on arguments.
const CLOCKS: &[&str] = &["nanoTime", "omp_get_wtime", "rtclock"];

/// Returns true for pure functions other than clocks, such as those of the mathematical library.
pub fn computes(name: &str) -> bool {
    is_pure(name) && !CLOCKS.contains(&plain(name))
}

/// Returns the kind of operation that a function of the mathematical library is.
pub fn kind(name: &str) -> Kind {
    match plain(name) {
        "fmuladd" | "fma" => Kind::Fma,
        "smin" | "smax" | "umin" | "umax" | "fmin" | "fmax" | "minnum" | "maxnum" | "minimum" | "maximum" => {
            Kind::MinMax
        }
        "fabs" | "abs" | "labs" | "ceil" | "floor" | "trunc" | "rint" | "nearbyint" | "round" | "roundeven"
        | "copysign" => Kind::Other,
        _ => Kind::Elementary,
    }
}

/// Returns true if `--ignore-calls` names the function; the name of a function pointer is empty.
pub fn is_ignored(ignored: &[String], name: &str) -> bool {
    ignored.iter().any(|ignored| ignored == "all" || ignored == name)
}

/// Returns the note about a call that `--ignore-calls` leaves out.
pub fn ignored(name: &str) -> String {
    let shown = if name.is_empty() { "a function pointer" } else { name };
    format!("a call of `{shown}` is assumed to touch none of the arrays (--ignore-calls)")
}

/// Returns the error for a call of an unknown function.
pub fn unknown(name: &str) -> Diagnostic {
    let error = Diagnostic::new(diagnostics::Kind::Unsupported, None, format!("a call of `{name}` is not supported"));
    error.note("its body is not in this file, so its reads and writes are not known").hint(format!(
        "give its source in the same file, or leave it out with --ignore-calls {name} if it touches none of the arrays"
    ))
}

/// Returns the error for a call through a pointer.
pub fn indirect() -> Diagnostic {
    let message = "a call through a pointer is not supported";
    Diagnostic::new(diagnostics::Kind::Unsupported, None, message)
        .note("the called function depends on data")
        .hint("call the function directly, or leave it out with --ignore-calls all")
}
