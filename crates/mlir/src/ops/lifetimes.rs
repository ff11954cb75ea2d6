//! Lifetimes of values: allocations that an iteration frees or passes on, and values defined in a loop.

use std::collections::BTreeSet;

use melior::ir::operation::OperationLike;

use super::unsupported;
use crate::ffi::{self, Definition, Op, Val, ValueKey, definition, op_results, value_key};

/// Returns true if an allocation is freed later in the same block.
pub(crate) fn is_freed_in_block(op: Op) -> bool {
    let Ok(memory) = op.result(0).map(Val::from) else { return false };
    let mut later = std::iter::successors(op.next_in_block(), |op| op.next_in_block());
    later.any(|op| {
        ffi::name(op) == "memref.dealloc" && op.operand(0).is_ok_and(|freed| value_key(freed) == value_key(memory))
    })
}

/// Returns true if an allocation, or a view of it, is passed to the next iteration, out of the region, or to memory.
pub(crate) fn is_passed_on(op: Op) -> bool {
    const PASS_ON: &[&str] =
        &["affine.yield", "func.return", "scf.yield", "scf.condition", "memref.store", "affine.store"];
    let within = op.parent_operation().map(ffi::all_within).unwrap_or_default();
    let mut same: BTreeSet<ValueKey> = op_results(op).into_iter().map(value_key).collect();
    // Each round finds views of the views found before.
    loop {
        let before = same.len();
        for view in within.iter().filter(|view| unsupported::is_view(&ffi::name(**view))) {
            if view.operand(0).is_ok_and(|source| same.contains(&value_key(source))) {
                same.extend(op_results(*view).into_iter().map(value_key));
            }
        }
        if same.len() == before {
            break;
        }
    }
    let passes = |op: &Op| {
        let operands = if ffi::name(*op).ends_with(".store") { 1 } else { usize::MAX };
        PASS_ON.contains(&ffi::name(*op).as_str())
            && op.operands().take(operands).any(|value| same.contains(&value_key(value)))
    };
    within.iter().any(passes)
}

/// Returns true if a value is defined in a region of an operation.
pub(crate) fn is_within(value: Val, op: Op) -> bool {
    let first = match definition(value) {
        Definition::Argument { parent } => parent,
        Definition::Result { op } => op.parent_operation(),
    };
    first.into_iter().flat_map(ffi::with_parents).any(|outer| ffi::key(outer) == ffi::key(op))
}
