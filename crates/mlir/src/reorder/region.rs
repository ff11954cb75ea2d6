//! The part of a function that is reordered: its body from the first loop to the last.

use melior::ir::operation::OperationLike;
use symloc_frontend::{Diagnostic, Kind};

use crate::ffi::{self, Op};
use crate::input::places::Places;

/// Loops that are reordered.
const LOOPS: [&str; 2] = ["affine.for", "scf.for"];
/// Conditions whose sides are reordered with the loops around them.
const CONDITIONS: [&str; 2] = ["affine.if", "scf.if"];
/// Loops that are not reordered.
const OTHER_LOOPS: [&str; 4] = ["affine.parallel", "scf.parallel", "scf.forall", "scf.while"];

/// Returns true for a loop that is reordered.
pub(super) fn is_loop(op: Op) -> bool {
    LOOPS.contains(&ffi::name(op).as_str())
}

/// Returns true for a loop or a condition, whose regions have statements.
pub(super) fn is_structure(op: Op) -> bool {
    is_loop(op) || CONDITIONS.contains(&ffi::name(op).as_str())
}

/// Returns true for a loop of another kind.
pub(super) fn is_other_loop(op: Op) -> bool {
    OTHER_LOOPS.contains(&ffi::name(op).as_str())
}

/// The operations at the top level of a function from its first loop to its last, and those behind them.
pub(super) struct LoopRegion<'a> {
    /// From the first to the last.
    pub(super) ops: Vec<Op<'a>>,
    /// Those behind.
    pub(super) behind: Vec<Op<'a>>,
}

impl<'a> LoopRegion<'a> {
    /// Finds the loops of a function.
    pub(super) fn of(function: Op<'a>, places: &Places) -> Result<Self, Vec<Diagnostic>> {
        let body = ffi::regions(function).into_iter().next();
        let mut ops: Vec<_> = body.into_iter().flat_map(ffi::operations).collect();
        let has_loop = |op: &Op<'a>| {
            std::iter::once(*op).chain(ffi::all_within(*op)).any(|inner| is_loop(inner) || is_other_loop(inner))
        };
        let (Some(first), Some(last)) = (ops.iter().position(has_loop), ops.iter().rposition(has_loop)) else {
            let error = Diagnostic::new(Kind::Unsupported, places.of(function), "the function has no loop");
            return Err(vec![error.hint("choose another one with --function")]);
        };
        let behind = ops.split_off(last + 1);
        Ok(Self { ops: ops.split_off(first), behind })
    }

    /// Returns the first operation, which is or has a loop.
    pub(super) fn first(&self) -> Option<Op<'a>> {
        self.ops.first().copied()
    }
}

/// Returns the body operations of a region without its terminator.
pub(super) fn body<'a>(region: ffi::Region<'a>) -> Vec<Op<'a>> {
    let mut ops: Vec<_> = ffi::operations(region).collect();
    if ops.last().is_some_and(|op| ffi::name(*op).ends_with(".yield") && op.result_count() == 0) {
        ops.pop();
    }
    ops
}
