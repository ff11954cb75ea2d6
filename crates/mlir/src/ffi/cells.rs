//! Arrays of one element that take the place of values which loops and branches pass on.

use melior::Context;
use melior::ir::operation::{OperationBuilder, OperationLike};
use melior::ir::{Attribute, BlockLike, Identifier, Region, RegionLike, Value, ValueLike};
use mlir_sys::{mlirBlockEraseArgument, mlirRegionTakeBody};

use super::{Op, Val, insert_before, name, op_results, operand_groups, operations, regions};

/// Inserts an array of one element, which holds values like `value`, in front of an operation.
pub(crate) fn insert_cell<'a>(context: &'a Context, at: Op<'a>, value: Val<'a>) -> Option<Val<'a>> {
    let kind = melior::ir::Type::parse(context, &format!("memref<{}>", value.r#type()))?;
    insert_before(context, at, "memref.alloca", &[], kind, &[("operandSegmentSizes", "array<i32: 0, 0>".to_owned())])
}

/// Inserts a store of a value to such an array in front of an operation.
pub(crate) fn insert_store<'a>(context: &'a Context, at: Op<'a>, value: Val<'a>, cell: Val<'a>) -> Option<()> {
    context.get_or_load_dialect("memref");
    let store = OperationBuilder::new("memref.store", at.location()).add_operands(&[value, cell]).build().ok()?;
    at.block()?.insert_operation_before(at, store);
    Some(())
}

/// Inserts a load from such an array of values like `value` in front of an operation.
pub(crate) fn insert_load<'a>(context: &'a Context, at: Op<'a>, cell: Val<'a>, value: Val<'a>) -> Option<Val<'a>> {
    insert_before(context, at, "memref.load", &[cell], value.r#type(), &[])
}

/// Inserts a loop or branch without results in front of one that has some, and moves its body there, in which
/// terminators have no operands any more. The old one is left without a body; its results are no longer valid, so the
/// caller has replaced their uses, and those of the arguments for carried values.
pub(crate) fn without_results<'a>(context: &'a Context, op: Op<'a>) -> Option<Op<'a>> {
    let carried = op_results(op).len();
    let operands: Vec<Val<'a>> = op.operands().collect();
    let (is_loop, segments) = (name(op).ends_with(".for"), operand_groups(op));
    let kept = operands.len().checked_sub(if is_loop { carried } else { 0 })?;
    let mut attributes: Vec<(Identifier<'a>, Attribute<'a>)> = Vec::new();
    for (key, value) in op.attributes() {
        if super::identifier(key) == "operandSegmentSizes" {
            let (lower, upper) = (segments.first()?.len(), segments.get(1)?.len());
            attributes.push((key, Attribute::parse(context, &format!("array<i32: {lower}, {upper}, 0>"))?));
        } else {
            attributes.push((key, value));
        }
    }
    let built = OperationBuilder::new(&name(op), op.location())
        .add_operands(&operands[..kept])
        .add_attributes(&attributes)
        .add_regions_vec(regions(op).iter().map(|_| Region::new()).collect())
        .build()
        .ok()?;
    let new: Op<'a> = op.block()?.insert_operation_before(op, built);
    for (from, to) in regions(op).into_iter().zip(regions(new)) {
        // SAFETY: both regions live; the blocks are then owned by the new operation.
        unsafe { mlirRegionTakeBody(to.to_raw(), from.to_raw()) };
        let block = to.first_block()?;
        let end = operations(to).last()?;
        let ended = OperationBuilder::new(&name(end), end.location()).build().ok()?;
        block.append_operation(ended);
        super::erase(end);
        let count = if is_loop { carried } else { 0 };
        for _ in 0..count {
            let last = block.argument_count().checked_sub(1)?;
            // SAFETY: the block lives, the argument exists, and its uses have been replaced.
            unsafe { mlirBlockEraseArgument(block.to_raw(), u32::try_from(last).ok()?) };
        }
    }
    Some(new)
}

/// Returns the operands of an operation with their positions.
pub(crate) fn positions_of<'a>(op: Op<'a>, value: Val<'a>) -> Vec<usize> {
    let is_it = |other: &Value<'a, 'a>| super::value_key(*other) == super::value_key(value);
    op.operands().enumerate().filter(|(_, other)| is_it(other)).map(|(position, _)| position).collect()
}
