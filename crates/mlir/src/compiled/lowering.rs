//! The passes from loops and memrefs to the LLVM dialect.
//!
//! A loop with the attribute [`INDEPENDENT`] becomes one whose accesses LLVM may take to be parallel
//! (`llvm.loop.parallel_accesses`), so that it runs in vectors without checks. `lower-affine` drops attributes; so the loops are
//! found again by their place among all loops, and memory is lowered while there are still loops.

use melior::Context;

use crate::ffi::{self, Op, ParallelAccesses, run_on};

/// The attribute of a loop whose iterations do not depend on each other.
pub(crate) const INDEPENDENT: &str = "symloc.independent";

/// From operations on arrays to loops.
const TO_LOOPS: &str = "func.func(convert-linalg-to-loops),func.func(scf-forall-to-for)";
/// From affine loops to others.
const AFFINE: &str = "lower-affine";
/// The rest of affine maps and vectors in loops.
const IN_LOOPS: &str = "expand-strided-metadata,lower-affine,func.func(lower-vector-mask),convert-vector-to-scf{full-unroll=1},lower-affine";
/// From loops to branches.
const BRANCHES: &str = "convert-scf-to-cf";
/// From memrefs to pointers.
const MEMORY: &str = "finalize-memref-to-llvm";
/// All others, to the LLVM dialect.
const OTHERS: &str = "convert-complex-to-standard,convert-vector-to-llvm,convert-math-to-llvm,convert-math-to-libm,\
                      convert-complex-to-llvm,convert-ub-to-llvm,convert-func-to-llvm,convert-index-to-llvm,\
                      convert-arith-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts";

/// The attribute of an `scf.for` that its branch back to the head gets.
const LOOP_ANNOTATION: &str = "loop_annotation";
/// The attribute of loads and stores.
const ACCESS_GROUPS: &str = "access_groups";

/// Lowers a module to the LLVM dialect.
pub(super) fn lower(context: &Context, module: Op<'_>) -> Result<(), melior::Error> {
    run_on(context, module, TO_LOOPS)?;
    let are_independent: Vec<bool> = loops(module).into_iter().map(|l| ffi::has_attribute(l, INDEPENDENT)).collect();
    run_on(context, module, AFFINE)?;
    let lowered = loops(module);
    let is_known = are_independent.contains(&true) && lowered.len() == are_independent.len();
    if !is_known {
        return run_on(context, module, &[IN_LOOPS, BRANCHES, MEMORY, OTHERS].join(","));
    }
    for (l, _) in lowered.into_iter().zip(are_independent).filter(|(_, is_independent)| *is_independent) {
        ffi::set_attribute(l, INDEPENDENT, melior::ir::Attribute::unit(context));
    }
    run_on(context, module, &[IN_LOOPS, MEMORY].join(","))?;
    loops(module).into_iter().filter(|l| ffi::has_attribute(*l, INDEPENDENT)).for_each(|l| mark(context, l));
    run_on(context, module, &[BRANCHES, OTHERS].join(","))
}

/// Returns the loops of a module, in an order that depends on nothing but how they are nested.
fn loops<'a>(module: Op<'a>) -> Vec<Op<'a>> {
    let is_loop = |op: &Op<'a>| {
        ["affine.for", "scf.for", "affine.parallel", "scf.parallel", "scf.while"].contains(&ffi::name(*op).as_str())
    };
    ffi::all_within(module).into_iter().filter(is_loop).collect()
}

/// Marks the accesses of a loop as parallel.
fn mark<'a>(context: &'a Context, l: Op<'a>) {
    let Some(ParallelAccesses { loop_annotation, access_groups }) = ParallelAccesses::new(context) else { return };
    ffi::set_attribute(l, LOOP_ANNOTATION, loop_annotation);
    let is_access = |op: &Op<'a>| ["llvm.load", "llvm.store"].contains(&ffi::name(*op).as_str());
    for access in ffi::all_within(l).into_iter().filter(is_access) {
        ffi::set_attribute(access, ACCESS_GROUPS, access_groups);
    }
}
