//! Operations that are copied with all that is in them.

use melior::ir::operation::OperationLike;

use crate::ffi::{self, Op, Val};
use crate::ops::lifetimes;

/// Returns the values that an operation and those in it use, and that are defined outside of it.
pub(super) fn captured<'a>(op: Op<'a>) -> Vec<Val<'a>> {
    let inner = inner(op).into_iter().flat_map(|inner| inner.operands().collect::<Vec<_>>());
    op.operands().chain(inner.filter(|value| !lifetimes::is_within(*value, op))).collect()
}

/// Returns operations and those in them, in the order of the text.
pub(super) fn with_inner<'a>(ops: &[Op<'a>]) -> Vec<Op<'a>> {
    ops.iter().flat_map(|op| std::iter::once(*op).chain(inner(*op))).collect()
}

/// Returns the operations in an operation, in the order of the text.
pub(super) fn inner<'a>(op: Op<'a>) -> Vec<Op<'a>> {
    let direct: Vec<Op<'a>> = ffi::regions(op).into_iter().flat_map(ffi::operations).collect();
    with_inner(&direct)
}
