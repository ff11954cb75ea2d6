//! Functions of the C API that melior does not wrap, or wraps with a panic on texts of users (empty strings, split
//! characters).
//!
//! The only module with `unsafe`.

#![allow(unsafe_code)]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::rc::Rc;

use melior::Context;
use melior::dialect::func;
use melior::ir::attribute::{
    ArrayAttribute, AttributeLike, DenseElementsAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute,
    DictionaryAttribute, FlatSymbolRefAttribute, IntegerAttribute, StringAttribute, TypeAttribute,
};
use melior::ir::operation::{OperationBuilder, OperationLike, OperationRef, OperationResult};
use melior::ir::r#type::{FunctionType, IntegerType, MemRefType, RankedTensorType, ShapedTypeLike, TypeLike};
use melior::ir::{
    AffineExpr, AffineMap, Attribute, Block, BlockLike, BlockRef, Identifier, Location, Module, RegionLike, RegionRef,
    Type, Value, ValueLike,
};
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use mlir_sys::{
    LLVMContextCreate, LLVMContextDispose, LLVMCountParams, LLVMDisposeMessage, LLVMDisposeModule,
    LLVMGetNamedFunction, LLVMGetParam, LLVMPrintModuleToString, LLVMSetValueName2, MlirDiagnostic,
    MlirDiagnosticSeverity_MlirDiagnosticError, MlirLogicalResult, MlirStringRef, mlirAffineMapAttrGetValue,
    mlirAttributeIsAAffineMap, mlirAttributeIsABool, mlirAttributeIsAFlatSymbolRef, mlirAttributeIsAIntegerSet,
    mlirAttributeIsAString, mlirBlockArgumentGetOwner, mlirBoolAttrGetValue, mlirComplexTypeGetElementType,
    mlirContextAttachDiagnosticHandler, mlirContextIsRegisteredOperation, mlirDiagnosticGetLocation,
    mlirDiagnosticGetNote, mlirDiagnosticGetNumNotes, mlirDiagnosticGetSeverity, mlirDiagnosticPrint,
    mlirFlatSymbolRefAttrGetValue, mlirIdentifierStr, mlirIntegerSetAttrGetValue, mlirIntegerSetGetConstraint,
    mlirIntegerSetGetNumConstraints, mlirIntegerSetGetNumDims, mlirIntegerSetIsConstraintEq,
    mlirMemRefTypeGetAffineMap, mlirMemRefTypeGetStridesAndOffset, mlirModuleCreateParse, mlirOpOperandIsNull,
    mlirOperationDestroy, mlirOperationGetContext, mlirOperationRemoveAttributeByName, mlirOperationSetLocation,
    mlirOperationSetOperand, mlirPassManagerCreateOnOperation, mlirPassManagerRunOnOp, mlirRankedTensorTypeGetEncoding,
    mlirRegionGetNextInOperation, mlirShapedTypeGetDimSize, mlirShapedTypeGetElementType, mlirShapedTypeGetRank,
    mlirShapedTypeIsDynamicDim, mlirStringAttrGetValue, mlirTranslateModuleToLLVMIR, mlirValueGetFirstUse,
    mlirValueReplaceAllUsesOfWith,
};

/// An operation, borrowed from the module that owns it.
pub(crate) type Op<'a> = OperationRef<'a, 'a>;
/// An SSA value, borrowed from the module that owns it.
pub(crate) type Val<'a> = Value<'a, 'a>;
/// A region, borrowed from the module that owns it.
pub(crate) type Region<'a> = RegionRef<'a, 'a>;

/// A position in MLIR's form: file as parsed, line and column from 1 (0 if unknown).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// One of MLIR's own diagnostics.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) is_error: bool,
    pub(crate) position: Option<Position>,
    pub(crate) text: String,
    pub(crate) notes: Vec<Message>,
}

/// The diagnostics that a context has emitted so far.
pub(crate) type Messages = Rc<RefCell<Vec<Message>>>;

/// Collects the diagnostics of a context instead of printing them.
///
/// The context must be single-threaded, because the collection is not synchronised.
pub(crate) fn collect_messages(context: &Context) -> Messages {
    unsafe extern "C" fn handle(raw: MlirDiagnostic, data: *mut c_void) -> MlirLogicalResult {
        // SAFETY: `data` is the `Messages` boxed below; MLIR frees it only after the last diagnostic.
        let messages = unsafe { &*data.cast::<Messages>() };
        messages.borrow_mut().push(message(raw));
        MlirLogicalResult { value: 1 }
    }
    unsafe extern "C" fn free(data: *mut c_void) {
        // SAFETY: `data` is the `Messages` boxed below, freed exactly once, by the context.
        drop(unsafe { Box::from_raw(data.cast::<Messages>()) });
    }
    let messages = Messages::default();
    let data = Box::into_raw(Box::new(Rc::clone(&messages))).cast::<c_void>();
    // SAFETY: both callbacks take the boxed `Messages` that `data` points to.
    unsafe { mlirContextAttachDiagnosticHandler(context.to_raw(), Some(handle), data, Some(free)) };
    messages
}

fn message(raw: MlirDiagnostic) -> Message {
    unsafe extern "C" fn append(piece: MlirStringRef, data: *mut c_void) {
        // SAFETY: `data` is the `Vec` that lives in the frame of `message`, and nothing else uses it meanwhile.
        unsafe { &mut *data.cast::<Vec<u8>>() }.extend_from_slice(bytes(&piece));
    }
    let mut text = Vec::<u8>::new();
    // SAFETY: a diagnostic is valid while its handler runs, and so are its notes; positions are copied.
    unsafe {
        mlirDiagnosticPrint(raw, Some(append), (&raw mut text).cast::<c_void>());
        Message {
            is_error: mlirDiagnosticGetSeverity(raw) == MlirDiagnosticSeverity_MlirDiagnosticError,
            position: position(Location::from_raw(mlirDiagnosticGetLocation(raw))),
            text: String::from_utf8_lossy(&text).into_owned(),
            notes: (0..mlirDiagnosticGetNumNotes(raw)).map(|i| message(mlirDiagnosticGetNote(raw, i))).collect(),
        }
    }
}

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

/// Parses and verifies a module. Several operations at top level form one module, as in `mlir-opt`. Errors go to the
/// context's diagnostic handler.
pub(crate) fn parse_module<'c>(context: &'c Context, source: &[u8]) -> Option<Module<'c>> {
    // MLIR's lexer looks for a NUL after the end, and its bytecode reader needs aligned input.
    let mut words = vec![[0_u64; 8]; source.len() / 64 + 1].into_boxed_slice();
    let start = words.as_mut_ptr().cast::<u8>();
    // SAFETY: the words are longer than the source, and nothing else refers to them.
    unsafe { start.copy_from_nonoverlapping(source.as_ptr(), source.len()) };
    let text = MlirStringRef { data: start.cast::<c_char>(), length: source.len() };
    // SAFETY: `words` outlives the call; the result is null or owned by us.
    unsafe { Module::from_option_raw(mlirModuleCreateParse(context.to_raw(), text)) }
}

/// Returns the first file position in a location; for inlined code, that in the callee.
pub(crate) fn position(location: Location) -> Option<Position> {
    if location.is_file_line_col_range() {
        return Some(Position {
            file: identifier(location.file_line_col_range_filename()),
            line: location.file_line_col_range_start_line(),
            column: location.file_line_col_range_start_column(),
        });
    }
    if location.is_name() {
        return position(location.name_child_location());
    }
    if location.is_call_site() {
        return position(location.call_site_callee());
    }
    if location.is_fused() {
        return (0..location.fused_num_locations()).find_map(|i| position(location.fused_location(i)));
    }
    None
}

/// Returns the first name in a location; `None` if it is empty.
pub(crate) fn location_name(location: Location) -> Option<String> {
    if location.is_name() {
        return Some(identifier(location.name_value())).filter(|name| !name.is_empty());
    }
    if location.is_call_site() {
        return location_name(location.call_site_callee());
    }
    if location.is_fused() {
        return (0..location.fused_num_locations()).find_map(|i| location_name(location.fused_location(i)));
    }
    None
}

fn identifier(identifier: Identifier) -> String {
    // SAFETY: the identifier is owned by its context, which outlives the borrow.
    string(unsafe { mlirIdentifierStr(identifier.to_raw()) })
}

/// Returns the full name of an operation, such as `affine.for`.
pub(crate) fn name(op: Op) -> String {
    identifier(op.name())
}

/// Returns the text of a string or symbol reference attribute.
pub(crate) fn text_attribute(op: Op, name: &str) -> Option<String> {
    text(op.attribute(name).ok()?)
}

/// Returns the texts in the list attribute with this name, for each argument of a function; empty for those without
/// one.
pub(crate) fn argument_texts(function: Op, name: &str) -> Vec<Vec<String>> {
    let Ok(all) = function.attribute("arg_attrs").and_then(ArrayAttribute::try_from) else { return Vec::new() };
    let texts = |list: Attribute| {
        let list = ArrayAttribute::try_from(list).ok()?;
        (0..list.len()).map(|i| text(list.element(i).ok()?)).collect::<Option<Vec<_>>>()
    };
    let of = |i| DictionaryAttribute::try_from(all.element(i).ok()?).ok()?.element_by_name(name).and_then(texts);
    (0..all.len()).map(|i| of(i).unwrap_or_default()).collect()
}

/// Returns the text attribute with this name, for each argument of a function.
pub(crate) fn argument_text(function: Op, name: &str) -> Vec<Option<String>> {
    let Ok(all) = function.attribute("arg_attrs").and_then(ArrayAttribute::try_from) else { return Vec::new() };
    let of = |i| DictionaryAttribute::try_from(all.element(i).ok()?).ok()?.element_by_name(name).and_then(text);
    (0..all.len()).map(of).collect()
}

fn text(attribute: Attribute) -> Option<String> {
    let raw = attribute.to_raw();
    // SAFETY: the kind of the attribute is checked first; its text is owned by the context.
    unsafe {
        if mlirAttributeIsAFlatSymbolRef(raw) {
            Some(string(mlirFlatSymbolRefAttrGetValue(raw)))
        } else if mlirAttributeIsAString(raw) {
            Some(string(mlirStringAttrGetValue(raw)))
        } else {
            None
        }
    }
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

/// Returns true for `index` and the integer types of 2 to 64 bits.
pub(crate) fn is_integer(kind: Type) -> bool {
    kind.is_index() || IntegerType::try_from(kind).is_ok_and(|integer| (2..=64).contains(&integer.width()))
}

/// Returns the number of bits of an integer type.
pub(crate) fn integer_width(kind: Type) -> Option<u32> {
    IntegerType::try_from(kind).ok().map(|integer| integer.width())
}

/// Returns true for `i1`.
pub(crate) fn is_flag(kind: Type) -> bool {
    IntegerType::try_from(kind).is_ok_and(|integer| integer.width() == 1)
}

/// The identity of an operation, for sets and maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OpKey(usize);

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

/// Returns the value of an affine map attribute.
pub(crate) fn affine_map<'a>(attribute: Attribute<'a>) -> Option<AffineMap<'a>> {
    let raw = attribute.to_raw();
    // SAFETY: the kind of the attribute is checked first; the map is owned by the context.
    unsafe { mlirAttributeIsAAffineMap(raw).then(|| AffineMap::from_raw(mlirAffineMapAttrGetValue(raw))) }
}

/// An integer set: a conjunction of `expression = 0` (true) and `expression ≥ 0` (false).
pub(crate) struct IntegerSet<'a> {
    pub(crate) dims: usize,
    pub(crate) constraints: Vec<(AffineExpr<'a>, bool)>,
}

/// Returns the value of an integer set attribute.
pub(crate) fn integer_set<'a>(attribute: Attribute<'a>) -> Option<IntegerSet<'a>> {
    let raw = attribute.to_raw();
    // SAFETY: the kind of the attribute is checked first, positions are below the count, and the context owns all
    // parts.
    unsafe {
        if !mlirAttributeIsAIntegerSet(raw) {
            return None;
        }
        let set = mlirIntegerSetAttrGetValue(raw);
        let constraint =
            |i| (AffineExpr::from_raw(mlirIntegerSetGetConstraint(set, i)), mlirIntegerSetIsConstraintEq(set, i));
        let constraints = (0..mlirIntegerSetGetNumConstraints(set)).map(constraint).collect();
        Some(IntegerSet { dims: mlirIntegerSetGetNumDims(set).unsigned_abs(), constraints })
    }
}

/// Returns the element type of a complex number.
pub(crate) fn complex_element<'a>(complex: Type<'a>) -> Option<Type<'a>> {
    // SAFETY: the kind of the type is checked first; the context owns the element type.
    complex.is_complex().then(|| unsafe { Type::from_raw(mlirComplexTypeGetElementType(complex.to_raw())) })
}

/// Returns shape and element type of a vector of constant size.
pub(crate) fn vector_shape<'a>(vector: Type<'a>) -> Option<(Vec<u64>, Type<'a>)> {
    if !vector.is_vector() || vector.is_scalable_vector() {
        return None;
    }
    let raw = vector.to_raw();
    // SAFETY: a vector is a ranked shaped type; positions are below the rank.
    unsafe {
        let rank = mlirShapedTypeGetRank(raw);
        let shape = (0..rank).map(|i| mlirShapedTypeGetDimSize(raw, i as isize).unsigned_abs()).collect();
        Some((shape, Type::from_raw(mlirShapedTypeGetElementType(raw))))
    }
}

/// Returns the element type of a memref, with or without a rank.
pub(crate) fn memref_element<'a>(kind: Type<'a>) -> Option<Type<'a>> {
    let is_memref = kind.is_mem_ref() || kind.is_unranked_mem_ref();
    // SAFETY: a memref is a shaped type, also one without a rank.
    is_memref.then(|| unsafe { Type::from_raw(mlirShapedTypeGetElementType(kind.to_raw())) })
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

/// Runs a pass pipeline on an operation: a function or a module.
pub(crate) fn run_on(context: &Context, op: Op, pipeline: &str) -> Result<(), melior::Error> {
    let anchor = name(op);
    // SAFETY: the text is copied, and the manager is owned by us.
    let manager = unsafe {
        let text = MlirStringRef { data: anchor.as_ptr().cast::<c_char>(), length: anchor.len() };
        PassManager::from_raw(mlirPassManagerCreateOnOperation(context.to_raw(), text))
    };
    parse_pass_pipeline(manager.as_operation_pass_manager(), &format!("{anchor}({pipeline})"))?;
    // SAFETY: the manager is for operations of this name, and the operation lives; callers keep no handles of
    // operations in it.
    let result = unsafe { mlirPassManagerRunOnOp(manager.to_raw(), op.to_raw()) };
    if result.value == 0 { Err(melior::Error::RunPass) } else { Ok(()) }
}

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

/// Turns the constants of a module into variables, so that reads of them are not folded.
pub(crate) fn vary_constants(module: Op) {
    let constant = MlirStringRef { data: c"constant".as_ptr(), length: 8 };
    for global in regions(module).into_iter().flat_map(operations).filter(|op| name(*op) == "memref.global") {
        // SAFETY: the operation lives; an attribute that it does not have is not removed.
        unsafe { mlirOperationRemoveAttributeByName(global.to_raw(), constant) };
    }
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

/// Returns the LLVM IR of a module in the LLVM dialect, in which the arguments of one function have these names.
pub(crate) fn translated(module: Op, function: &str, names: &[String]) -> Option<String> {
    let function = CString::new(function).ok()?;
    // SAFETY: the module lives while it is translated; what is made here is disposed of here, the text after it was
    // copied.
    unsafe {
        let context = LLVMContextCreate();
        let translated = mlirTranslateModuleToLLVMIR(module.to_raw(), context);
        let text = (!translated.is_null()).then(|| {
            let function = LLVMGetNamedFunction(translated, function.as_ptr());
            let count = if function.is_null() { 0 } else { LLVMCountParams(function) };
            for (position, name) in (0..count).zip(names) {
                LLVMSetValueName2(LLVMGetParam(function, position), name.as_ptr().cast::<c_char>(), name.len());
            }
            let printed = LLVMPrintModuleToString(translated);
            let text = CStr::from_ptr(printed).to_string_lossy().into_owned();
            LLVMDisposeMessage(printed);
            LLVMDisposeModule(translated);
            text
        });
        LLVMContextDispose(context);
        text
    }
}

/// Returns an integer attribute of at most 64 bits.
pub(crate) fn integer(op: Op, name: &str) -> Option<i64> {
    let attribute = op.attribute(name).ok()?;
    let kind = attribute.r#type();
    let fits = kind.is_index() || IntegerType::try_from(kind).is_ok_and(|integer| integer.width() <= 64);
    IntegerAttribute::try_from(attribute).ok().filter(|_| fits).map(|integer| integer.value())
}

/// Returns the offset and the strides of a memref in elements, `None` for those that are not constant; `None` if its
/// layout is not strided.
pub(crate) fn partial_strides(kind: MemRefType) -> Option<(Option<i64>, Vec<Option<i64>>)> {
    let mut strides = vec![0_i64; kind.rank()];
    let mut offset = 0_i64;
    // SAFETY: the type is a memref, and there is room for one stride per dimension.
    let result = unsafe { mlirMemRefTypeGetStridesAndOffset(kind.to_raw(), strides.as_mut_ptr(), &raw mut offset) };
    let constant = |stride: i64| MemRefType::is_static_stride_or_offset(stride).then_some(stride);
    (result.value != 0).then(|| (constant(offset), strides.into_iter().map(constant).collect()))
}

/// Returns true if a memref has the identity layout: rows without gaps, in the order of its dimensions.
pub(crate) fn has_identity_layout(kind: MemRefType) -> bool {
    let kind = Type::from(kind);
    let map = layout_map(kind);
    map.is_some_and(|map| {
        let is_dimension = |index| map.result(index).is_ok_and(|r| r.is_dim() && r.dim_position() == index);
        map.result_count() == map.dim_count() && (0..map.result_count()).all(is_dimension)
    })
}

/// Returns the affine map of a memref's layout.
pub(crate) fn layout_map<'a>(kind: Type<'a>) -> Option<AffineMap<'a>> {
    // SAFETY: the kind of the type is checked first; the context owns the map.
    kind.is_mem_ref().then(|| unsafe { AffineMap::from_raw(mlirMemRefTypeGetAffineMap(kind.to_raw())) })
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

/// MLIR's value for a stride, an offset or a size that is not constant.
pub(crate) const DYNAMIC: i64 = i64::MIN;

/// Returns the integers of a list attribute of any kind.
pub(crate) fn integers(op: Op, name: &str) -> Option<Vec<i64>> {
    integer_list(op.attribute(name).ok()?)
}

fn integer_list(attribute: Attribute) -> Option<Vec<i64>> {
    if let Ok(list) = DenseI64ArrayAttribute::try_from(attribute) {
        return (0..list.len()).map(|i| list.element(i).ok()).collect();
    }
    if let Ok(list) = DenseElementsAttribute::try_from(attribute) {
        return (0..list.len()).map(|i| list.i32_element(i).ok().map(i64::from)).collect();
    }
    let list = ArrayAttribute::try_from(attribute).ok()?;
    (0..list.len()).map(|i| IntegerAttribute::try_from(list.element(i).ok()?).ok().map(|i| i.value())).collect()
}

/// Returns an attribute that is a list of lists of positions.
pub(crate) fn nested_integers(op: Op, name: &str) -> Option<Vec<Vec<usize>>> {
    let list = ArrayAttribute::try_from(op.attribute(name).ok()?).ok()?;
    let group = |i| {
        let positions = integer_list(list.element(i).ok()?)?;
        positions.into_iter().map(|p| usize::try_from(p).ok()).collect()
    };
    (0..list.len()).map(group).collect()
}

/// Returns an attribute that is a truth value.
pub(crate) fn boolean(op: Op, name: &str) -> Option<bool> {
    truth(op.attribute(name).ok()?)
}

/// Returns an attribute that is a list of truth values.
pub(crate) fn booleans(op: Op, name: &str) -> Option<Vec<bool>> {
    let list = ArrayAttribute::try_from(op.attribute(name).ok()?).ok()?;
    (0..list.len()).map(|i| truth(list.element(i).ok()?)).collect()
}

fn truth(attribute: Attribute) -> Option<bool> {
    let raw = attribute.to_raw();
    // SAFETY: the kind of the attribute is checked first.
    unsafe { mlirAttributeIsABool(raw).then(|| mlirBoolAttrGetValue(raw)) }
}

/// Returns the encoding of a ranked tensor, if it has one.
pub(crate) fn encoding<'a>(tensor: Type<'a>) -> Option<Attribute<'a>> {
    let tensor = RankedTensorType::try_from(tensor).ok()?;
    // SAFETY: the kind of the type is checked; the context owns the attribute, and a missing one is null.
    unsafe { Attribute::from_option_raw(mlirRankedTensorTypeGetEncoding(tensor.to_raw())) }
}

/// Returns shape and element type of a ranked tensor; an extent that is not constant is `None`.
pub(crate) fn tensor_shape<'a>(tensor: Type<'a>) -> Option<(Vec<Option<i64>>, Type<'a>)> {
    let tensor = RankedTensorType::try_from(tensor).ok()?;
    let raw = tensor.to_raw();
    // SAFETY: a ranked tensor is a shaped type; positions are below the rank.
    let extent = |i| unsafe { (!mlirShapedTypeIsDynamicDim(raw, i)).then(|| mlirShapedTypeGetDimSize(raw, i)) };
    // SAFETY: as above.
    let element = unsafe { Type::from_raw(mlirShapedTypeGetElementType(raw)) };
    Some(((0..tensor.rank() as isize).map(extent).collect(), element))
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
