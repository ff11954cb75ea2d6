//! The operations of a statement in MLIR, by kind, width and number.
//!
//! Every operation counts where it is in the source: the front end moves no operation out of loops. One on vectors
//! counts once for each lane, and a reduction of n lanes is n − 1 operations. Constants, metadata of arrays and views
//! do not count. The width is that of the operands; indices have 64 bits. `affine.apply`, `affine.min` and `affine.max`
//! count the operations of their maps.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::{MemRefType, ShapedTypeLike, TypeLike};
use melior::ir::{AffineExpr, Type, ValueLike};
use symloc_frontend::characteristics::{Kind, Mix, Operation};
use symloc_frontend::library;

use super::widths::{self, DataLayout, INDEX_BITS};
use crate::ffi::{self, Op, Val};

/// Operations on each element of the operands.
const KINDS: &[(Kind, &[&str])] = &[
    (Kind::Add, &["arith.addf", "arith.addi", "arith.addui_extended", "index.add"]),
    (Kind::Sub, &["arith.subf", "arith.subi", "index.sub"]),
    (Kind::Mul, &["arith.mulf", "arith.muli", "arith.mulsi_extended", "arith.mului_extended", "index.mul"]),
    (
        Kind::Div,
        &["arith.ceildivsi", "arith.ceildivui", "arith.divf", "arith.divsi", "arith.divui", "arith.floordivsi"],
    ),
    (Kind::Div, &["index.ceildivs", "index.ceildivu", "index.divs", "index.divu", "index.floordivs"]),
    (Kind::Rem, &["arith.remf", "arith.remsi", "arith.remui", "index.rems", "index.remu"]),
    (Kind::Compare, &["arith.cmpf", "arith.cmpi", "complex.eq", "complex.neq", "index.cmp"]),
    (Kind::Compare, &["math.isfinite", "math.isinf", "math.isnan", "math.isnormal"]),
    (Kind::Logic, &["arith.andi", "arith.ori", "arith.shli", "arith.shrsi", "arith.shrui", "arith.xori"]),
    (Kind::Logic, &["index.and", "index.or", "index.shl", "index.shrs", "index.shru", "index.xor"]),
    (Kind::Logic, &["math.ctlz", "math.ctpop", "math.cttz"]),
    (Kind::Convert, &["arith.bitcast", "arith.extf", "arith.extsi", "arith.extui", "arith.fptosi", "arith.fptoui"]),
    (Kind::Convert, &["arith.index_cast", "arith.index_castui", "arith.sitofp", "arith.trunci", "arith.truncf"]),
    (Kind::Convert, &["arith.uitofp", "index.castu", "index.casts"]),
    (Kind::MinMax, &["arith.maximumf", "arith.maxnumf", "arith.minimumf", "arith.minnumf"]),
    (Kind::MinMax, &["arith.maxsi", "arith.maxui", "arith.minsi", "arith.minui"]),
    (Kind::MinMax, &["index.maxs", "index.maxu", "index.mins", "index.minu"]),
    (Kind::Fma, &["math.fma", "vector.fma"]),
    (
        Kind::Elementary,
        &["math.acos", "math.acosh", "math.asin", "math.asinh", "math.atan", "math.atan2", "math.atanh"],
    ),
    (Kind::Elementary, &["math.cbrt", "math.cos", "math.cosh", "math.erf", "math.erfc", "math.exp", "math.exp2"]),
    (
        Kind::Elementary,
        &["math.expm1", "math.fpowi", "math.ipowi", "math.log", "math.log10", "math.log1p", "math.log2"],
    ),
    (Kind::Elementary, &["math.powf", "math.rsqrt", "math.sin", "math.sinh", "math.sqrt", "math.tan", "math.tanh"]),
    (Kind::Other, &["arith.negf", "math.absf", "math.absi", "math.ceil", "math.copysign", "math.floor", "math.round"]),
    (Kind::Other, &["math.roundeven", "math.trunc", "complex.conj", "complex.neg"]),
];

/// Operations on each element of the result: selection, and moves between lanes.
const BY_RESULT: &[&str] = &["arith.select", "vector.broadcast", "vector.extract", "vector.insert", "vector.shuffle"];

/// Operations that do not count: constants, and those that only regroup registers.
const NOTHING: &[&str] = &[
    "arith.constant",
    "complex.bitcast",
    "complex.constant",
    "complex.create",
    "complex.im",
    "complex.re",
    "index.bool.constant",
    "index.constant",
    "index.sizeof",
];

/// The operations of a statement that touches no memory; one of an unknown kind is [`Kind::Other`].
pub(crate) struct Computed {
    pub(crate) mix: Mix,
    /// The number of floating-point operations; `None` if it is not defined.
    pub(crate) flops: Option<u64>,
}

impl Computed {
    fn known(mix: Mix) -> Option<Self> {
        let flops = mix
            .counts()
            .try_fold(0_u64, |sum, (typed, count)| sum.checked_add(typed.operation.flops().checked_mul(count)?));
        Some(Self { mix, flops })
    }

    fn undefined(mix: Mix) -> Option<Self> {
        Some(Self { mix, flops: None })
    }
}

/// Returns the number of floating-point operations of a statement that touches no memory; `None` if it is not defined.
pub(crate) fn flops(op: Op) -> Option<u64> {
    let mentions_floats = |kind: Type| kind.to_string().split(['x', '<', '>', ']']).any(is_float_name);
    match of_registers(op) {
        Some(computed) => computed.flops,
        None => {
            let operands = op.operands().map(|value| value.r#type());
            (!operands.chain(op.results().map(|result| result.r#type())).any(mentions_floats)).then_some(0)
        }
    }
}

/// Returns the operations of a statement that touches no memory; `None` if the number of its lanes is not constant.
pub(crate) fn of_registers(op: Op) -> Option<Computed> {
    let name = ffi::name(op);
    let operand = || op.operand(0).ok().map(|value| value.r#type());
    let result = || OperationLike::result(&op, 0).ok().map(|result| result.r#type());
    if let Some((kind, _)) = KINDS.iter().find(|(_, names)| names.contains(&name.as_str())) {
        return Computed::known(elementwise(*kind, operand()?)?);
    }
    let dialect = name.split('.').next().unwrap_or_default();
    match name.as_str() {
        "func.call" | "llvm.call" | "symloc.llvm_call" => Computed::known(called(op, result())?),
        "math.sincos" => {
            let mut mix = elementwise(Kind::Elementary, operand()?)?;
            mix.add_all(&mix.clone());
            Computed::known(mix)
        }
        "vector.reduction" => Computed::known(reduction(op)?),
        "vector.contract" | "vector.multi_reduction" | "vector.outerproduct" => {
            Computed::undefined(elementwise(Kind::Other, operand()?)?)
        }
        "affine.apply" | "affine.min" | "affine.max" => Computed::known(of_map(op)),
        name if BY_RESULT.contains(&name) => Computed::known(elementwise(Kind::Other, result()?)?),
        name if NOTHING.contains(&name) => Computed::known(Mix::default()),
        _ if matches!(dialect, "math" | "complex") => Computed::undefined(elementwise(Kind::Other, operand()?)?),
        _ if matches!(dialect, "arith" | "index") || name.starts_with("affine.") => {
            Computed::known(elementwise(Kind::Other, operand().or_else(result)?)?)
        }
        _ => Computed::known(Mix::default()),
    }
}

/// Returns the combination of `memref.atomic_rmw` and of reductions of `affine.parallel`, by its number
/// (`mlir::arith::AtomicRMWKind`); `None` for the one that only stores.
fn combination(number: i64) -> Option<Operation> {
    Some(match number {
        0 => Operation::Float(Kind::Add),
        1 => Operation::Integer(Kind::Add),
        3 => return None,
        4 | 5 | 8 | 9 => Operation::Float(Kind::MinMax),
        6 | 7 | 10 | 11 => Operation::Integer(Kind::MinMax),
        12 => Operation::Float(Kind::Mul),
        13 => Operation::Integer(Kind::Mul),
        _ => Operation::Integer(Kind::Logic),
    })
}

/// Returns the operation of a `memref.atomic_rmw`, whose first operand is the value.
pub(crate) fn of_update(op: Op) -> Option<Computed> {
    let kind = op.operand(0).ok()?.r#type();
    let mut mix = Mix::default();
    if let Some(operation) = combination(ffi::integer(op, "kind")?) {
        mix.add(operation, width(kind)?, 1);
    }
    Computed::known(mix)
}

/// Returns the operations of a loop itself in each iteration: `affine.parallel` combines yielded values with its
/// results.
pub(crate) fn of_loop(op: Op) -> Option<Computed> {
    let mut mix = Mix::default();
    if ffi::name(op) == "affine.parallel" {
        let numbers = ffi::integers(op, "reductions").unwrap_or_default();
        for (result, number) in OperationLike::results(&op).zip(numbers) {
            let (lanes, element) = lanes(result.r#type())?;
            if let Some(operation) = combination(number) {
                mix.add(operation, width(element)?, lanes);
            }
        }
    }
    Computed::known(mix)
}

/// Returns the number of lanes that one access to a memref moves, and the width of a lane in memory in bits.
pub(crate) fn element(memref: Val<'_>) -> Option<(u64, u32)> {
    let kind = MemRefType::try_from(memref.r#type()).ok()?;
    let (lanes, element) = lanes(kind.element())?;
    let bytes = DataLayout::of(memref).element_bytes(element)?;
    Some((lanes, u32::try_from(bytes.checked_mul(8)?).ok()?))
}

/// Returns the operations of a function that is known by its name; only those that return a float count.
fn called(op: Op, result: Option<Type>) -> Option<Mix> {
    let name = ffi::text_attribute(op, "callee").unwrap_or_default();
    match result {
        Some(result) if is_float(result) && library::computes(&name) => elementwise(library::kind(&name), result),
        _ => Some(Mix::default()),
    }
}

/// Returns an operation of this kind for each element of a value.
fn elementwise(kind: Kind, of: Type) -> Option<Mix> {
    let mut mix = Mix::default();
    let (lanes, element) = lanes(of)?;
    let element = ffi::complex_element(element).unwrap_or(element);
    let operation = if is_float(element) { Operation::Float(kind) } else { Operation::Integer(kind) };
    mix.add(operation, width(element)?, lanes);
    Some(mix)
}

/// Returns the operations of a reduction: n − 1 for a vector of n elements, and one more if there is an initial value.
fn reduction(op: Op) -> Option<Mix> {
    let (lanes, element) = lanes(op.operand(0).ok()?.r#type())?;
    let name = op.attribute("kind").map(|kind| kind.to_string()).unwrap_or_default();
    let name = name.rsplit_once('<').map_or(name.as_str(), |(_, rest)| rest.trim_end_matches('>'));
    let kind = match name {
        "add" => Kind::Add,
        "mul" => Kind::Mul,
        "and" | "or" | "xor" => Kind::Logic,
        _ => Kind::MinMax,
    };
    let mut mix = Mix::default();
    let operation = if is_float(element) { Operation::Float(kind) } else { Operation::Integer(kind) };
    mix.add(operation, width(element)?, (lanes + u64::from(op.operand_count() > 1)).checked_sub(1)?);
    Some(mix)
}

/// Returns the operations of an affine map on indices, and n − 1 for a minimum of n results.
fn of_map(op: Op) -> Mix {
    let mut mix = Mix::default();
    let Some(map) = op.attribute("map").ok().and_then(ffi::affine_map) else { return mix };
    (0..map.result_count()).filter_map(|i| map.result(i).ok()).for_each(|result| of_expression(result, &mut mix));
    mix.add(Operation::Integer(Kind::MinMax), INDEX_BITS, map.result_count().saturating_sub(1) as u64);
    mix
}

fn of_expression(expr: AffineExpr, mix: &mut Mix) {
    if expr.is_dim() || expr.is_symbol() || expr.is_constant() {
        return;
    }
    let (left, mut right) = (expr.lhs(), expr.rhs());
    let mut kind = match () {
        () if expr.is_add() => Kind::Add,
        () if expr.is_mul() => Kind::Mul,
        () if expr.is_mod() => Kind::Rem,
        () => Kind::Div,
    };
    // MLIR writes `a - b` as `a + b * -1`.
    if kind == Kind::Add && right.is_mul() && right.rhs().is_constant() && right.rhs().constant_value() == -1 {
        (kind, right) = (Kind::Sub, right.lhs());
    }
    mix.add(Operation::Integer(kind), INDEX_BITS, 1);
    of_expression(left, mix);
    of_expression(right, mix);
}

/// Returns the width of an integer, an index or a float.
pub(crate) fn width(kind: Type) -> Option<u32> {
    widths::bits(kind).and_then(|bits| u32::try_from(bits).ok())
}

/// Returns the number and the type of the elements of a value; `None` if the number is not constant or too large.
fn lanes(kind: Type) -> Option<(u64, Type)> {
    match ffi::vector_shape(kind) {
        Some((shape, element)) => Some((product(&shape)?, element)),
        None => (!kind.is_vector()).then_some((1, kind)),
    }
}

fn product(shape: &[u64]) -> Option<u64> {
    shape.iter().try_fold(1_u64, |product, extent| product.checked_mul(*extent)).filter(|n| *n < 1 << 32)
}

/// Returns true for a float type, by its name: the C API can only test for one float type at a time.
fn is_float(kind: Type) -> bool {
    is_float_name(&kind.to_string())
}

fn is_float_name(name: &str) -> bool {
    ["f", "bf", "tf"]
        .iter()
        .any(|prefix| name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())))
}
