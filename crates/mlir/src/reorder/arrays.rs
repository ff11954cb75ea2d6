//! Arrays and copies of arrays in the way of new loops, rewritten before the function is read.
//!
//! An array that every iteration allocates anew, and that is as large in all, becomes one in front of the loops; its
//! elements have no values when it is allocated, so no iteration reads what another one left. A copy of an array becomes
//! loops over its elements.

use melior::ir::operation::OperationLike;
use symloc_frontend::Diagnostic;

use super::region::{self, LoopRegion};
use crate::ffi::{self, Op, Val};
use crate::input::parse::Session;
use crate::input::places::Places;
use crate::ops::lifetimes;

/// Makes loops of the copies between the loops of a function.
const COPIES: &str = "convert-linalg-to-affine-loops";

/// Rewrites allocations in loops, and copies between them.
pub(super) fn prepare<'a>(session: &'a Session, function: Op<'a>, places: &Places) -> Result<(), Vec<Diagnostic>> {
    let region = LoopRegion::of(function, places)?;
    hoist(&region);
    let is_copy = |op: &&Op<'a>| ffi::name(**op) == "memref.copy";
    let copies: Vec<_> = region.ops.iter().filter(is_copy).copied().collect();
    let made = copies.iter().filter_map(|op| ffi::copy_by_loops(&session.context, *op)).count();
    if made > 0 && ffi::run_on(&session.context, function, COPIES).is_err() {
        // What is left is refused with its place, as any other operation that cannot be moved.
        session.take_messages();
    }
    Ok(())
}

/// Moves the allocations in loops in front of all loops, if they do not depend on these, and what frees them behind.
fn hoist(region: &LoopRegion<'_>) {
    let (Some(first), Some(last)) = (region.first(), region.ops.last()) else { return };
    for op in region.ops.iter().filter(|op| region::is_structure(**op)).flat_map(|op| ffi::all_within(*op)) {
        let is_allocation = ["memref.alloc", "memref.alloca"].contains(&ffi::name(op).as_str());
        let is_outside = |value: Val<'_>| !region.ops.iter().any(|outer| is_from(value, *outer));
        if !is_allocation || !op.operands().all(is_outside) || lifetimes::is_passed_on(op) {
            continue;
        }
        let Ok(array) = op.result(0).map(Val::from) else { continue };
        let frees = std::iter::successors(op.next_in_block(), |op| op.next_in_block());
        let frees = frees.filter(|op| ffi::name(*op) == "memref.dealloc" && !ffi::positions_of(*op, array).is_empty());
        let frees: Vec<_> = frees.collect();
        ffi::move_before(op, first);
        frees.into_iter().for_each(|free| ffi::move_after(free, *last));
    }
}

/// Returns true if an operation defines a value, itself or in a region.
fn is_from(value: Val<'_>, op: Op<'_>) -> bool {
    let is_result =
        matches!(ffi::definition(value), ffi::Definition::Result { op: maker } if ffi::key(maker) == ffi::key(op));
    is_result || lifetimes::is_within(value, op)
}
