//! Loops, conditions and copies of operations that are inserted into a function, and the text of a module.

use std::ffi::c_void;

use melior::Context;
use melior::ir::operation::{OperationBuilder, OperationLike};
use melior::ir::{Attribute, Block, BlockLike, Identifier, Location, Region, RegionLike, Type, ValueLike};
use mlir_sys::{
    MlirStringRef, mlirBlockArgumentSetLocation, mlirBlockInsertOwnedOperationBefore, mlirOpPrintingFlagsCreate,
    mlirOpPrintingFlagsDestroy, mlirOpPrintingFlagsPrintNameLocAsPrefix, mlirOperationClone, mlirOperationMoveAfter,
    mlirOperationMoveBefore, mlirOperationPrintWithFlags, mlirOperationSetLocation, mlirOperationVerify,
};

use super::{Definition, Op, Val, arguments, bytes, definition, operations, regions};

/// Results of an affine map or constraints of an integer set, in MLIR's syntax, and the operands.
pub(crate) struct AffineOperands<'a> {
    /// The attribute: `affine_map<…>` or `affine_set<…>`.
    pub(crate) text: String,
    /// The values of its dimensions and then of its symbols.
    pub(crate) operands: Vec<Val<'a>>,
}

/// Inserts an empty `affine.for` in front of an operation; returns its induction variable and the terminator of its
/// body.
pub(crate) fn insert_loop<'a>(
    context: &'a Context,
    at: Op<'a>,
    place: Location<'a>,
    (lower, upper): (&AffineOperands<'a>, &AffineOperands<'a>),
    step: i64,
) -> Option<(Val<'a>, Op<'a>)> {
    context.get_or_load_dialect("affine");
    let attribute = |name: &str, text: &str| Some((Identifier::new(context, name), Attribute::parse(context, text)?));
    let segments = format!("array<i32: {}, {}, 0>", lower.operands.len(), upper.operands.len());
    let attributes = [
        attribute("lowerBoundMap", &lower.text)?,
        attribute("upperBoundMap", &upper.text)?,
        attribute("step", &format!("{step} : index"))?,
        attribute("operandSegmentSizes", &segments)?,
    ];
    let region = body(place, &[Type::index(context)])?;
    let built = OperationBuilder::new("affine.for", place)
        .add_operands(&lower.operands)
        .add_operands(&upper.operands)
        .add_attributes(&attributes)
        .add_regions([region])
        .build()
        .ok()?;
    let inserted: Op<'a> = at.block()?.insert_operation_before(at, built);
    let induction = arguments(inserted).first().copied()?;
    Some((induction, regions(inserted).first().and_then(|region| operations(*region).last())?))
}

/// Inserts an empty `affine.if` in front of an operation; returns the terminators of its two sides, the second if it
/// has one.
pub(crate) fn insert_condition<'a>(
    context: &'a Context,
    at: Op<'a>,
    place: Location<'a>,
    set: &AffineOperands<'a>,
    has_otherwise: bool,
) -> Option<(Op<'a>, Option<Op<'a>>)> {
    context.get_or_load_dialect("affine");
    let condition = (Identifier::new(context, "condition"), Attribute::parse(context, &set.text)?);
    let otherwise = if has_otherwise { body(place, &[])? } else { Region::new() };
    let built = OperationBuilder::new("affine.if", place)
        .add_operands(&set.operands)
        .add_attributes(&[condition])
        .add_regions([body(place, &[])?, otherwise])
        .build()
        .ok()?;
    let inserted: Op<'a> = at.block()?.insert_operation_before(at, built);
    let ends: Vec<_> = regions(inserted).into_iter().map(|region| operations(region).last()).collect();
    Some((ends.first().copied().flatten()?, ends.get(1).copied().flatten()))
}

/// Returns a region with one block, which has arguments of these types and ends at once.
fn body<'a>(place: Location<'a>, kinds: &[Type<'a>]) -> Option<Region<'a>> {
    let kinds: Vec<_> = kinds.iter().map(|kind| (*kind, place)).collect();
    let block = Block::new(&kinds);
    block.append_operation(OperationBuilder::new("affine.yield", place).build().ok()?);
    let region = Region::new();
    region.append_block(block);
    Some(region)
}

/// Inserts a copy of an operation in front of another; it has the same operands.
pub(crate) fn insert_copy<'a>(op: Op<'a>, at: Op<'a>) -> Option<Op<'a>> {
    let block = at.block()?;
    // SAFETY: the operations live; the copy is owned by the block from then on, which lives as long as the module.
    unsafe {
        let copy = mlirOperationClone(op.to_raw());
        mlirBlockInsertOwnedOperationBefore(block.to_raw(), at.to_raw(), copy);
        Some(Op::from_raw(copy))
    }
}

/// Moves an operation in front of another one of the same block; its operands must be defined there.
pub(crate) fn move_before(op: Op, at: Op) {
    // SAFETY: both operations live and are different.
    unsafe { mlirOperationMoveBefore(op.to_raw(), at.to_raw()) };
}

/// Moves an operation behind another one of the same block.
pub(crate) fn move_after(op: Op, at: Op) {
    // SAFETY: both operations live and are different.
    unsafe { mlirOperationMoveAfter(op.to_raw(), at.to_raw()) };
}

/// Names a value by its location, for [`printed`].
pub(crate) fn set_name<'a>(context: &'a Context, value: Val<'a>, name: &str) {
    match definition(value) {
        Definition::Argument { .. } => {
            let named = Location::name(context, name, value.location());
            // SAFETY: the value is the argument of a block that lives, and the location is one of its context.
            unsafe { mlirBlockArgumentSetLocation(value.to_raw(), named.to_raw()) };
        }
        Definition::Result { op } => {
            let named = Location::name(context, name, op.location());
            // SAFETY: the operation lives, and the location is one of its context.
            unsafe { mlirOperationSetLocation(op.to_raw(), named.to_raw()) };
        }
    }
}

/// Returns true if MLIR's verifier accepts an operation; errors go to the context's diagnostic handler.
pub(crate) fn verifies(op: Op) -> bool {
    // SAFETY: the operation lives.
    unsafe { mlirOperationVerify(op.to_raw()) }
}

/// Returns the text of an operation; values have the names of their locations.
pub(crate) fn printed(op: Op) -> String {
    unsafe extern "C" fn append(piece: MlirStringRef, data: *mut c_void) {
        // SAFETY: `data` is the `Vec` that lives in the frame of `printed`, and nothing else uses it meanwhile.
        unsafe { &mut *data.cast::<Vec<u8>>() }.extend_from_slice(bytes(&piece));
    }
    let mut text = Vec::<u8>::new();
    // SAFETY: the operation lives; the flags are made and destroyed here.
    unsafe {
        let flags = mlirOpPrintingFlagsCreate();
        mlirOpPrintingFlagsPrintNameLocAsPrefix(flags);
        mlirOperationPrintWithFlags(op.to_raw(), flags, Some(append), (&raw mut text).cast::<c_void>());
        mlirOpPrintingFlagsDestroy(flags);
    }
    String::from_utf8_lossy(&text).into_owned()
}
