//! Functions of the C API that melior does not wrap, or wraps with a panic on texts of users (empty strings, split
//! characters).
//!
//! The only folder with `unsafe`. Its head has operations, regions and values; `attributes` and `types` read their
//! properties, `locations` their places, `edits` changes them, `nests` inserts loops, `marks` sets attributes, `cells` keeps values in memory, `modules` parses, transforms and translates whole modules,
//! and `messages` collects MLIR's diagnostics.

#![allow(unsafe_code)]

mod attributes;
mod cells;
mod edits;
mod locations;
mod marks;
mod messages;
mod modules;
mod nests;
mod types;

use melior::ir::attribute::DenseI32ArrayAttribute;
use melior::ir::operation::{OperationLike, OperationRef, OperationResult};
use melior::ir::{BlockLike, BlockRef, Identifier, RegionLike, RegionRef, Value, ValueLike};
use mlir_sys::{
    MlirStringRef, mlirBlockArgumentGetOwner, mlirContextIsRegisteredOperation, mlirIdentifierStr,
    mlirOperationGetContext, mlirRegionGetNextInOperation,
};

pub(crate) use attributes::{
    SetConstraint, affine_map, argument_text, argument_texts, boolean, booleans, integer, integer_set, integers,
    nested_integers, text_attribute,
};
pub(crate) use cells::{insert_cell, insert_load, insert_store, positions_of, without_results};
pub(crate) use edits::{
    CONSTANT, copy_by_loops, erase, insert_before, keep_callable, keep_functions, place_plainly, remove, remove_unused,
    replace, replace_uses, set_operand, use_results, vary_constants,
};
pub(crate) use locations::{Position, location_name, position};
pub(crate) use marks::{ParallelAccesses, has_attribute, set_attribute};
pub(crate) use messages::{Message, Messages, collect_messages};
pub(crate) use modules::{parse_module, run_on, translated};
pub(crate) use nests::{
    AffineOperands, insert_condition, insert_copy, insert_loop, move_after, move_before, printed, set_name, verifies,
};
pub(crate) use types::{
    DYNAMIC, complex_element, encoding, has_identity_layout, integer_width, is_flag, is_integer, layout_map,
    memref_element, partial_strides, tensor_shape, vector_shape,
};

/// An operation, borrowed from the module that owns it.
pub(crate) type Op<'a> = OperationRef<'a, 'a>;
/// An SSA value, borrowed from the module that owns it.
pub(crate) type Val<'a> = Value<'a, 'a>;
/// A region, borrowed from the module that owns it.
pub(crate) type Region<'a> = RegionRef<'a, 'a>;

/// Returns the bytes of MLIR's text; an empty one may have a null pointer.
fn bytes(raw: &MlirStringRef) -> &[u8] {
    if raw.length == 0 || raw.data.is_null() {
        return &[];
    }
    // SAFETY: MLIR's string references are valid for `length` bytes while their owner lives; every caller copies at
    // once.
    unsafe { std::slice::from_raw_parts(raw.data.cast::<u8>(), raw.length) }
}

fn string(raw: MlirStringRef) -> String {
    String::from_utf8_lossy(bytes(&raw)).into_owned()
}

fn identifier(identifier: Identifier) -> String {
    // SAFETY: the identifier is owned by its context, which outlives the borrow.
    string(unsafe { mlirIdentifierStr(identifier.to_raw()) })
}

/// Returns the full name of an operation, such as `affine.for`.
pub(crate) fn name(op: Op) -> String {
    identifier(op.name())
}

/// Returns an operation and those around it, the innermost first.
pub(crate) fn with_parents(op: Op<'_>) -> impl Iterator<Item = Op<'_>> {
    std::iter::successors(Some(op), |op| op.parent_operation())
}

/// The definition of an SSA value.
#[derive(Clone, Copy)]
pub(crate) enum Definition<'a> {
    /// An argument of a block in a region of `parent`.
    Argument { parent: Option<Op<'a>> },
    /// A result of an operation.
    Result { op: Op<'a> },
}

pub(crate) fn definition<'a>(value: Val<'a>) -> Definition<'a> {
    if let Ok(result) = OperationResult::try_from(value) {
        return Definition::Result { op: result.owner() };
    }
    // SAFETY: a value that is not a result is a block argument; its block lives as long as the value.
    let block: BlockRef<'a, 'a> = unsafe { BlockRef::from_raw(mlirBlockArgumentGetOwner(value.to_raw())) };
    Definition::Argument { parent: block.parent_operation() }
}

/// Returns true for an operation of MLIR's own dialects.
pub(crate) fn is_registered(op: Op) -> bool {
    let name = name(op);
    // SAFETY: the context lives as long as the operation, and the name for the call.
    unsafe {
        let name = MlirStringRef { data: name.as_ptr().cast(), length: name.len() };
        mlirContextIsRegisteredOperation(mlirOperationGetContext(op.to_raw()), name)
    }
}

/// Returns the results of an operation.
pub(crate) fn op_results<'a>(op: Op<'a>) -> Vec<Val<'a>> {
    op.results().map(Val::from).collect()
}

/// The identity of an operation, for sets and maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OpKey(usize);

impl OpKey {
    /// Returns a number that no other operation has.
    pub(crate) fn number(self) -> usize {
        self.0
    }
}

pub(crate) fn key(op: Op) -> OpKey {
    OpKey(op.to_raw().ptr as usize)
}

/// Returns the regions of an operation, in order.
pub(crate) fn regions<'a>(op: Op<'a>) -> Vec<Region<'a>> {
    let next = |region: &Region<'a>| {
        // SAFETY: the region is valid; the result is null or another region of the same operation.
        unsafe { RegionRef::from_option_raw(mlirRegionGetNextInOperation(region.to_raw())) }
    };
    std::iter::successors(op.first_region(), next).collect()
}

/// Returns the operations of the first block of a region, terminator included.
pub(crate) fn operations<'a>(region: Region<'a>) -> impl Iterator<Item = Op<'a>> {
    let first = region.first_block().and_then(|block| block.first_operation());
    std::iter::successors(first, |op| op.next_in_block())
}

/// The identity of a value, for sets and maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ValueKey(usize);

pub(crate) fn value_key(value: Val) -> ValueKey {
    ValueKey(value.to_raw().ptr as usize)
}

/// Returns the arguments of the first block of an operation's first region.
pub(crate) fn arguments<'a>(op: Op<'a>) -> Vec<Val<'a>> {
    op.first_region().map(region_arguments).unwrap_or_default()
}

/// Returns the arguments of the first block of a region.
pub(crate) fn region_arguments<'a>(region: Region<'a>) -> Vec<Val<'a>> {
    let Some(block) = region.first_block() else { return Vec::new() };
    (0..block.argument_count()).filter_map(|i| block.argument(i).ok()).map(Val::from).collect()
}

fn blocks<'a>(region: Region<'a>) -> impl Iterator<Item = BlockRef<'a, 'a>> {
    std::iter::successors(region.first_block(), |block| block.next_in_region())
}

/// Returns the operations in an operation, in all blocks and nested regions.
pub(crate) fn all_within<'a>(op: Op<'a>) -> Vec<Op<'a>> {
    let mut found = Vec::new();
    let mut open = vec![op];
    while let Some(op) = open.pop() {
        for block in regions(op).into_iter().flat_map(blocks) {
            open.extend(std::iter::successors(block.first_operation(), |op| op.next_in_block()));
        }
        found.push(op);
    }
    found.split_off(1.min(found.len()))
}

/// Returns true if a region in the operation has more than one block.
pub(crate) fn has_jumps(op: Op) -> bool {
    let jumps = |op: Op| regions(op).into_iter().any(|region| blocks(region).nth(1).is_some());
    jumps(op) || all_within(op).into_iter().any(jumps)
}

/// Returns the number of operands in each operand group of an operation.
pub(crate) fn segments(op: Op) -> Vec<usize> {
    let attribute = op.attribute("operandSegmentSizes").ok().and_then(|a| DenseI32ArrayAttribute::try_from(a).ok());
    let Some(sizes) = attribute else { return Vec::new() };
    (0..sizes.len()).filter_map(|i| usize::try_from(sizes.element(i).ok()?).ok()).collect()
}

/// Returns the operands of an operation by group.
pub(crate) fn operand_groups<'a>(op: Op<'a>) -> Vec<Vec<Val<'a>>> {
    let mut operands = op.operands();
    segments(op).into_iter().map(|count| operands.by_ref().take(count).collect()).collect()
}
