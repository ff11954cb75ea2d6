//! Operations that touch no memory, and the reasons why others are refused.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::TypeLike;
use melior::ir::{Type, ValueLike};

use crate::ffi::{self, Op};

/// Dialects whose operations without regions and memrefs compute registers from registers. The C API does not have the
/// memory effects of operations, so this is a list.
const REGISTER_DIALECTS: &[&str] = &["arith", "complex", "index", "math", "ub"];

/// Operations that wait for others, without accesses.
const BARRIERS: &[&str] =
    &["amdgpu.lds_barrier", "gpu.barrier", "nvvm.barrier", "nvvm.barrier0", "omp.barrier", "rocdl.s.barrier"];

/// Further operations that touch no element of an array.
const REGISTER_OPERATIONS: &[&str] = &[
    "affine.apply",
    "affine.delinearize_index",
    "affine.linearize_index",
    "affine.max",
    "affine.min",
    "builtin.unrealized_conversion_cast",
    "cf.assert",
    "func.constant",
    "llvm.mlir.constant",
    "llvm.mlir.poison",
    "llvm.mlir.undef",
    "llvm.mlir.zero",
    "vector.bitcast",
    "vector.broadcast",
    "vector.constant_mask",
    "vector.contract",
    "vector.create_mask",
    "vector.extract",
    "vector.extract_strided_slice",
    "vector.fma",
    "vector.from_elements",
    "vector.insert",
    "vector.insert_strided_slice",
    "vector.multi_reduction",
    "vector.outerproduct",
    "vector.print",
    "vector.reduction",
    "vector.shape_cast",
    "vector.shuffle",
    "vector.step",
    "vector.to_elements",
    "vector.transpose",
];

/// Operations that compute addresses in memory outside memrefs; accesses through them are refused.
const ADDRESSES: &[&str] =
    &["llvm.bitcast", "llvm.getelementptr", "llvm.mlir.addressof", "llvm.mlir.zero", "symloc.address"];

/// Returns true for the addresses of globals of the LLVM dialect, and the null pointer.
pub(crate) fn is_address(name: &str) -> bool {
    ["llvm.mlir.addressof", "llvm.mlir.zero", "symloc.address"].contains(&name)
}

/// Operations on memrefs that touch no element.
const MEMREF_OPERATIONS: &[&str] = &[
    "krnl.global",
    "memref.dealloc",
    "memref.dim",
    "memref.extract_aligned_pointer_as_index",
    "memref.get_global",
    "memref.rank",
];

/// Operations whose result is a view of an array. They touch no memory themselves. Accesses through views that `views`
/// does not support are refused.
const VIEWS: &[&str] = &[
    "memref.assume_alignment",
    "memref.cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.extract_strided_metadata",
    "memref.memory_space_cast",
    "memref.reinterpret_cast",
    "memref.reshape",
    "memref.subview",
    "memref.transpose",
    "memref.view",
    "polygeist.subindex",
];

/// Returns true for operations whose result is a view of their first operand.
pub(crate) fn is_view(name: &str) -> bool {
    VIEWS.contains(&name)
}

/// Returns true if the operation touches no element of an array and contains no operation that could.
pub(crate) fn touches_no_memory(op: Op) -> bool {
    let name = ffi::name(op);
    if [ADDRESSES, BARRIERS, MEMREF_OPERATIONS, VIEWS].iter().any(|list| list.contains(&name.as_str())) {
        return true;
    }
    let dialect = name.split('.').next().unwrap_or_default();
    let listed = REGISTER_DIALECTS.contains(&dialect) || REGISTER_OPERATIONS.contains(&name.as_str());
    let points_to_memory = |kind: Type| kind.is_mem_ref() || kind.is_unranked_mem_ref() || kind.is_llvm_pointer_type();
    listed
        && op.region_count() == 0
        && !op.operands().any(|value| points_to_memory(value.r#type()))
        && !op.results().any(|value| points_to_memory(value.r#type()))
}

/// Returns reason and hint for a memref of unknown memory.
pub(crate) fn memory_reason(name: &str) -> (&'static str, &'static str) {
    if VIEWS.contains(&name) {
        let hint = "subscript the array itself";
        return ("part of another array under other subscripts", hint);
    }
    ("not known before the program runs", "access an argument, an allocation or a global directly")
}

/// Operations of `linalg` that stand for several others, with hints.
const AGGREGATES: &[(&str, &str)] = &[
    (
        "linalg.pack",
        "write it on tensors with simpler operations, as `transform.structured.lower_pack` does (--passes transform-interpreter)",
    ),
    (
        "linalg.softmax",
        "write it on tensors with simpler operations, as `transform.structured.decompose_interface` does (--passes transform-interpreter)",
    ),
    (
        "linalg.unpack",
        "write it on tensors with simpler operations, as `transform.structured.lower_unpack` does (--passes transform-interpreter)",
    ),
    ("linalg.winograd_filter_transform", WINOGRAD),
    ("linalg.winograd_input_transform", WINOGRAD),
    ("linalg.winograd_output_transform", WINOGRAD),
];
const WINOGRAD: &str = "write it on tensors with simpler operations, as `transform.structured.decompose_winograd_op` does (--passes transform-interpreter)";

/// Returns true for an operation on registers only of a dialect that is not MLIR's own. One that names a symbol may
/// call it.
pub(crate) fn is_foreign_on_registers(op: Op) -> bool {
    let is_scalar = |kind: Type| kind.is_index() || kind.is_integer() || kind.is_float();
    !ffi::is_registered(op)
        && op.region_count() == 0
        && !op.attributes().any(|(_, attribute)| attribute.to_string().contains('@'))
        && op.operands().all(|value| is_scalar(value.r#type()))
        && op.results().all(|value| is_scalar(value.r#type()))
}

/// Returns reason and hint for an operation that is not supported.
pub(crate) fn reason(name: &str) -> (&'static str, &'static str) {
    const SCALAR: &str = "analyse the loops before they are vectorised";
    match name {
        "arith.select" => ("it chooses an array at run time", "use `affine.if` round the accesses"),
        _ => match name.split('.').next().unwrap_or_default() {
            "scf" => (
                "only loops and branches with affine bounds and conditions are read",
                "use `affine.for` and `affine.if`",
            ),
            "linalg" => {
                let aggregate = AGGREGATES.iter().find(|(of, _)| *of == name);
                ("MLIR has no pass that writes it as loops", aggregate.map_or("write it as loops", |(_, hint)| hint))
            }
            "vector" => ("it may access several elements at once", SCALAR),
            "cf" => ("jumps between blocks are not read", "write loops as `affine.for` and branches as `affine.if`"),
            "bufferization" if name.ends_with("clone") => (
                "it is left to a later pass where it copies to",
                "run that pass first: --passes convert-bufferization-to-memref",
            ),
            "tensor" | "bufferization" => {
                ("MLIR's bufferization gives it no place in memory", "write it on memrefs, as loops, loads and stores")
            }
            "gpu" | "async" | "omp" => {
                ("its body runs in parallel, in an order that is not known", "analyse the loops that it was made from")
            }
            "llvm" | "memref" => {
                ("it may access memory in a way that is not known here", "use `affine.load` and `affine.store`")
            }
            _ => ("its effect on memory is not known", "remove it or lower it to loops, loads and stores"),
        },
    }
}
