//! Changes of the operations of a module.

use melior::Context;
use melior::dialect::func;
use melior::ir::attribute::{FlatSymbolRefAttribute, StringAttribute, TypeAttribute};
use melior::ir::operation::{OperationBuilder, OperationLike};
use melior::ir::r#type::FunctionType;
use melior::ir::{Attribute, Block, BlockLike, Identifier, Location, RegionLike, Type, ValueLike};
use mlir_sys::{
    MlirStringRef, mlirOpOperandIsNull, mlirOperationDestroy, mlirOperationRemoveAttributeByName,
    mlirOperationSetLocation, mlirOperationSetOperand, mlirValueGetFirstUse, mlirValueReplaceAllUsesOfWith,
};

use super::locations::{Position, position};
use super::marks::has_attribute;
use super::types::memref_element;
use super::{Definition, Op, Val, all_within, definition, name, op_results, operations, regions};

/// Removes the functions with a body from a module, except for `needed`.
pub(crate) fn keep_functions(module: Op, needed: &[Op]) {
    let functions = regions(module).into_iter().flat_map(operations).filter(|op| name(*op) == "func.func");
    let has_body = |op: &Op| op.first_region().is_some_and(|region| region.first_block().is_some());
    let others: Vec<_> = functions.filter(|op| has_body(op) && !needed.contains(op)).collect();
    for function in others {
        // SAFETY: the function is no longer used: symbols are names, and no handle of it is kept.
        unsafe { mlirOperationDestroy(function.to_raw()) };
    }
}

/// Removes everything from a module except for `needed`, declarations, variables and operations of the LLVM dialect.
pub(crate) fn keep_callable(module: Op, needed: &[Op]) {
    keep_functions(module, needed);
    let is_kept =
        |op: &Op| matches!(name(*op).as_str(), "func.func" | "memref.global") || name(*op).starts_with("llvm.");
    let others: Vec<_> = regions(module).into_iter().flat_map(operations).filter(|op| !is_kept(op)).collect();
    for other in others {
        // SAFETY: the functions refer to it by its name only, and no handle of it is kept.
        unsafe { mlirOperationDestroy(other.to_raw()) };
    }
}

/// The attribute of a global whose value never changes.
pub(crate) const CONSTANT: &str = "constant";

/// Turns the constants of a module into variables, so that reads of them are not folded; returns them.
pub(crate) fn vary_constants<'a>(module: Op<'a>) -> Vec<Op<'a>> {
    let is_constant = |op: &Op| name(*op) == "memref.global" && has_attribute(*op, CONSTANT);
    let constants: Vec<_> = regions(module).into_iter().flat_map(operations).filter(is_constant).collect();
    for global in &constants {
        let constant = MlirStringRef { data: CONSTANT.as_ptr().cast(), length: CONSTANT.len() };
        // SAFETY: the operation lives and has the attribute.
        unsafe { mlirOperationRemoveAttributeByName(global.to_raw(), constant) };
    }
    constants
}

/// Replaces the locations in a module by plain positions in files, which MLIR can translate to debug information.
pub(crate) fn place_plainly(context: &Context, module: Op) {
    for op in all_within(module) {
        if op.location().is_file_line_col_range() {
            continue;
        }
        let place = match position(op.location()) {
            Some(Position { file, line, column }) => Location::new(context, &file, line, column),
            None => Location::unknown(context),
        };
        // SAFETY: the operation lives, and the place is one of its context.
        unsafe { mlirOperationSetLocation(op.to_raw(), place.to_raw()) };
    }
}

/// Passes the results of an operation to empty functions, so that no pass drops it. `number` makes their names unique.
pub(crate) fn use_results(context: &Context, module: Op, op: Op, number: usize) -> Option<()> {
    let declarations = module.first_region()?.first_block()?;
    let place = Location::unknown(context);
    for (index, value) in op_results(op).into_iter().enumerate() {
        let (name, kind) = (format!("symloc_use_{number}_{index}"), value.r#type());
        let body = Block::new(&[(kind, place)]);
        body.append_operation(func::r#return(&[], place));
        let region = melior::ir::Region::new();
        region.append_block(body);
        let signature = TypeAttribute::new(FunctionType::new(context, &[kind], &[]).into());
        let symbol = StringAttribute::new(context, &name);
        declarations.append_operation(func::func(context, symbol, signature, region, &[], place));
        let callee = FlatSymbolRefAttribute::new(context, &name);
        op.block()?.insert_operation_after(op, func::call(context, callee, &[value], &[], op.location()));
    }
    Some(())
}

/// Replaces a `memref.copy` by a `linalg.copy`, which becomes loops over the elements; callers keep no handle of the
/// former.
pub(crate) fn copy_by_loops<'a>(context: &'a Context, op: Op<'a>) -> Option<()> {
    context.get_or_load_dialect("linalg");
    let operands: Vec<Val<'a>> = op.operands().collect();
    let element = memref_element(operands.first()?.r#type())?;
    let body = Block::new(&[(element, op.location()), (element, op.location())]);
    let read = Val::from(body.argument(0).ok()?);
    body.append_operation(OperationBuilder::new("linalg.yield", op.location()).add_operands(&[read]).build().ok()?);
    let region = melior::ir::Region::new();
    region.append_block(body);
    let segments = (Identifier::new(context, "operandSegmentSizes"), Attribute::parse(context, "array<i32: 1, 1>")?);
    let copy = OperationBuilder::new("linalg.copy", op.location()).add_operands(&operands);
    let copy = copy.add_attributes(&[segments]).add_regions([region]).build().ok()?;
    op.block()?.insert_operation_before(op, copy);
    remove(op);
    Some(())
}

/// Inserts an operation with one result in front of another, with attributes in MLIR's syntax.
pub(crate) fn insert_before<'a>(
    context: &'a Context,
    at: Op<'a>,
    name: &str,
    operands: &[Val<'a>],
    result: Type<'a>,
    attributes: &[(&str, String)],
) -> Option<Val<'a>> {
    // The operation would be unknown if its dialect were not loaded.
    context.get_or_load_dialect(name.split('.').next().unwrap_or_default());
    let attribute =
        |(name, text): &(&str, String)| Some((Identifier::new(context, name), Attribute::parse(context, text)?));
    let attributes = attributes.iter().map(attribute).collect::<Option<Vec<_>>>()?;
    let operation = OperationBuilder::new(name, at.location()).add_operands(operands).add_results(&[result]);
    let operation = operation.add_attributes(&attributes).build().ok()?;
    Some(at.block()?.insert_operation_before(at, operation).result(0).ok()?.into())
}

/// Replaces an operation with one result by a value.
pub(crate) fn replace<'a>(op: Op<'a>, value: Val<'a>) {
    let Ok(result) = op.result(0) else { return };
    // SAFETY: both values live and have the same type; the operation is then unused, and callers keep no handle of it.
    unsafe {
        mlirValueReplaceAllUsesOfWith(Val::from(result).to_raw(), value.to_raw());
        mlirOperationDestroy(op.to_raw());
    }
}

/// Replaces all uses of a value by another one of the same type.
pub(crate) fn replace_uses<'a>(old: Val<'a>, new: Val<'a>) {
    // SAFETY: both values live.
    unsafe { mlirValueReplaceAllUsesOfWith(old.to_raw(), new.to_raw()) };
}

/// Removes an operation without results; callers keep no handle of it.
pub(crate) fn remove(op: Op) {
    if op.result_count() == 0 {
        // SAFETY: an operation without results is not used, and no handle of it is kept.
        unsafe { mlirOperationDestroy(op.to_raw()) };
    }
}

/// Removes an operation whose results are no longer used; callers keep no handle of it.
pub(crate) fn erase(op: Op) {
    // SAFETY: the caller has removed all uses of the results, and keeps no handle of the operation.
    unsafe { mlirOperationDestroy(op.to_raw()) };
}

/// Removes the operation that defines a value, if its results are not used; callers keep no handle of it.
pub(crate) fn remove_unused(value: Val) {
    let Definition::Result { op } = definition(value) else { return };
    // SAFETY: the values live; an operation whose results are not used can be destroyed.
    unsafe {
        if op.results().all(|result| mlirOpOperandIsNull(mlirValueGetFirstUse(result.to_raw()))) {
            mlirOperationDestroy(op.to_raw());
        }
    }
}

/// Sets an operand of an operation.
pub(crate) fn set_operand<'a>(op: Op<'a>, position: usize, value: Val<'a>) {
    // SAFETY: the operation and the value live, and the position is that of an operand.
    unsafe { mlirOperationSetOperand(op.to_raw(), position as isize, value.to_raw()) };
}
