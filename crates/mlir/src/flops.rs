//! How many floating-point operations an operation on registers is.
//!
//! Counted is what the performance counters of processors count: for each element an addition, subtraction,
//! multiplication, division, remainder, minimum, maximum or elementary function is one operation, a fused multiply-add two.
//! Negation, absolute value, rounding, comparison, selection and conversion are none; nor is anything on integers. Every
//! operation counts where it stands: the front end moves nothing out of loops.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::TypeLike;
use melior::ir::{Type, ValueLike};

use crate::ffi::{self, Op};

/// One operation for each element.
const ONE: &[&str] = &[
    "arith.addf",
    "arith.divf",
    "arith.maximumf",
    "arith.maxnumf",
    "arith.minimumf",
    "arith.minnumf",
    "arith.mulf",
    "arith.remf",
    "arith.subf",
    "math.acos",
    "math.acosh",
    "math.asin",
    "math.asinh",
    "math.atan",
    "math.atan2",
    "math.atanh",
    "math.cbrt",
    "math.cos",
    "math.cosh",
    "math.erf",
    "math.erfc",
    "math.exp",
    "math.exp2",
    "math.expm1",
    "math.fpowi",
    "math.log",
    "math.log10",
    "math.log1p",
    "math.log2",
    "math.powf",
    "math.rsqrt",
    "math.sin",
    "math.sinh",
    "math.sqrt",
    "math.tan",
    "math.tanh",
];

/// Two operations for each element.
const TWO: &[&str] = &["math.fma", "math.sincos", "vector.fma"];

/// Operations of `math` and `complex` that are none.
const NONE: &[&str] = &[
    "complex.bitcast",
    "complex.conj",
    "complex.constant",
    "complex.create",
    "complex.eq",
    "complex.im",
    "complex.neg",
    "complex.neq",
    "complex.re",
    "math.absf",
    "math.absi",
    "math.ceil",
    "math.copysign",
    "math.ctlz",
    "math.ctpop",
    "math.cttz",
    "math.floor",
    "math.ipowi",
    "math.isfinite",
    "math.isinf",
    "math.isnan",
    "math.isnormal",
    "math.round",
    "math.roundeven",
    "math.trunc",
];

/// The floating-point operations of an operation that touches no memory; nothing if their number is not defined.
pub(crate) fn of_registers(op: Op) -> Option<u64> {
    let name = ffi::name(op);
    let listed = |list: &[&str]| list.contains(&name.as_str());
    match name.split('.').next().unwrap_or_default() {
        _ if listed(ONE) => result_elements(op),
        _ if listed(TWO) => result_elements(op)?.checked_mul(2),
        _ if name == "vector.reduction" => reduction(op),
        "math" | "complex" if !listed(NONE) => None,
        _ => Some(0),
    }
}

/// Those of `memref.atomic_rmw`, which has the value first.
pub(crate) fn of_update(op: Op) -> Option<u64> {
    /// The kind that only stores.
    const ASSIGN: i64 = 2;
    let float = op.operand(0).is_ok_and(|value| is_float(value.r#type()));
    Some(u64::from(float && ffi::integer(op, "kind")? != ASSIGN))
}

/// Those that a loop makes itself in each iteration: `affine.parallel` combines what is yielded with its results.
pub(crate) fn of_loop(op: Op) -> Option<u64> {
    if ffi::name(op) != "affine.parallel" {
        return Some(0);
    }
    let kinds = OperationLike::results(&op).map(|result| result.r#type());
    kinds
        .filter(|kind| !kind.is_integer() && !kind.is_index())
        .map(elements)
        .try_fold(0_u64, |sum, count| sum.checked_add(count?))
}

/// A vector of n elements is reduced by n − 1 operations, and one more if there is a value to start from.
fn reduction(op: Op) -> Option<u64> {
    let (shape, element) = ffi::vector_shape(op.operand(0).ok()?.r#type())?;
    if !is_float(element) {
        return Some(0);
    }
    (product(&shape)? + u64::from(op.operand_count() > 1)).checked_sub(1)
}

/// How many floats the first result has.
fn result_elements(op: Op) -> Option<u64> {
    elements(OperationLike::result(&op, 0).ok()?.r#type())
}

/// One float, or a vector of floats of constant size.
fn elements(kind: Type) -> Option<u64> {
    match ffi::vector_shape(kind) {
        Some((shape, _)) => product(&shape),
        None => is_float(kind).then_some(1),
    }
}

fn product(shape: &[u64]) -> Option<u64> {
    shape.iter().try_fold(1_u64, |product, extent| product.checked_mul(*extent)).filter(|n| *n < 1 << 32)
}

/// The C API knows one float type at a time; all of them are called so.
fn is_float(kind: Type) -> bool {
    let name = kind.to_string();
    ["f", "bf", "tf"]
        .iter()
        .any(|prefix| name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())))
}
