//! MLIR's own lowering of the function to LLVM IR that can be compiled and called.
//!
//! It starts where the walk does: after `--passes`, with loops instead of operations on whole arrays. From there MLIR
//! alone decides about accesses, the addresses of views and layouts, and branches.

use melior::ir::ValueLike;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use symloc_affine::Location;
use symloc_frontend::signature::{Argument, WITHOUT_COMPILED, uncallable};
use symloc_frontend::{Diagnostic, Errors, Kind, Source, finished, on_large_stack};

use super::signature::signature;
use super::{lowering, translate};
use crate::ffi::{self, Op};
use crate::input::parse::Session;
use crate::input::select;
use crate::memory::constant_extent;
use crate::walk::accesses::copies::ONTO_ITSELF;
use crate::walk::walker::Task;
use crate::{Options, text_of, walk, with_function};

/// Makes an allocation in loops one buffer for all iterations, as in the model; what frees it stays in the loop, which is
/// harmless only if no memory is freed in fact, as where accesses are recorded.
const ONE_BUFFER: &str = "func.func(convert-linalg-to-loops),func.func(buffer-loop-hoisting)";

/// A function that can be called.
#[derive(Clone, Debug)]
pub struct Callable {
    /// The LLVM IR of its module.
    pub ir: Vec<u8>,
    /// Its name there.
    pub function: String,
    /// Its arguments. A memref is passed in MLIR's convention: allocated pointer, aligned pointer, offset, extents,
    /// strides.
    pub arguments: Vec<Argument>,
    /// By argument, its type in MLIR's syntax; that of an element for an array.
    pub types: Vec<String>,
    /// True if vectors are elements of arrays, each accessed as a whole.
    pub whole_vectors: bool,
}

/// The purpose of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CallPurpose {
    /// Every access of the source is to be recorded.
    Recorded,
    /// The results and the time are looked at, so that accesses may be left out.
    Timed,
    /// It is written to a file, for other programs to call.
    Kept,
}

/// Lowers the function that [`read`](crate::read) reads, with all its accesses.
///
/// # Errors
///
/// As for [`read`](crate::read); and if the function cannot be lowered or called.
pub fn callable(source: &Source, options: &Options) -> Result<Callable, Errors> {
    called(source, options, CallPurpose::Recorded)
}

/// Lowers the function that [`read`](crate::read) reads, to be optimised and run.
///
/// # Errors
///
/// As for [`read`](crate::read); and if the function cannot be lowered or called, or has results.
pub fn timed(source: &Source, options: &Options) -> Result<Callable, Errors> {
    called(source, options, CallPurpose::Timed)
}

/// Lowers the function that [`read`](crate::read) reads, to be linked with other programs.
///
/// # Errors
///
/// As for [`read`](crate::read); and if the function cannot be lowered.
pub fn linkable(source: &Source, options: &Options) -> Result<Callable, Errors> {
    called(source, options, CallPurpose::Kept)
}

fn called(source: &Source, options: &Options, purpose: CallPurpose) -> Result<Callable, Errors> {
    let lower = || with_function(source, options, |session, task| lowered(session, task, source, options, purpose));
    on_large_stack(lower).map_err(|errors| Errors::new(vec![text_of(source)], errors))
}

fn lowered(
    session: &Session,
    task: Task,
    source: &Source,
    options: &Options,
    purpose: CallPurpose,
) -> Result<Callable, Vec<Diagnostic>> {
    let (function, places) = (task.function, task.places);
    let name = ffi::text_attribute(function, "sym_name").unwrap_or_default();
    let at = places.of(function);
    let hint = match purpose {
        CallPurpose::Recorded => WITHOUT_COMPILED,
        CallPurpose::Timed => "leave out --run: then the orders are not compared by running them",
        CallPurpose::Kept => "give the file another ending than .ll: then MLIR is written",
    };
    let refused = |at: Option<Location>, why: &str| uncallable(at, why, hint);
    let refuse = |why: &str| refused(at.clone(), why);
    if purpose == CallPurpose::Timed && returns(function) {
        return Err(vec![refuse("it returns values, which are not compared")]);
    }
    let (draft, bound) = walk::walk_bound(Task { both_sides: purpose != CallPurpose::Recorded, ..task })?;
    if let Some(note) = draft.notes.iter().find(|note| note.text == ONTO_ITSELF) {
        return Err(vec![refused(
            note.location.clone(),
            "this copy of each element onto itself is left out, and MLIR makes it",
        )]);
    }
    let read = finished(draft, &options.renames)?;
    let arguments = signature(function, &bound, &read).map_err(|why| vec![refuse(&why)])?;
    let functions = select::with_callees(function);
    let all: Vec<_> = functions.iter().flat_map(|function| ffi::all_within(*function)).collect();
    let whole_vectors = all.iter().any(has_vector_elements);
    if whole_vectors && all.iter().any(accesses_lanes) {
        return Err(vec![refuse("some of its vectors are elements of arrays, and others are several elements")]);
    }
    if let Some(op) = all.iter().find(|op| is_fatal(**op)) {
        let why = "MLIR does not lower this `memref.expand_shape`, several of whose extents are not constant";
        return Err(vec![refused(places.of(*op), why)]);
    }
    let copy = all.iter().find(|op| copies_parts(**op)).and_then(|op| places.of(*op));
    let module = function.parent_operation().ok_or_else(|| vec![refuse("it is in no module")])?;
    let types = ffi::arguments(function).into_iter().map(|value| {
        let kind = value.r#type();
        ffi::memref_element(kind).unwrap_or(kind).to_string()
    });
    let types = types.collect();
    prepare(session, module, &functions, &all);
    if purpose == CallPurpose::Recorded {
        use_reads(session, module, &functions);
    }
    let buffers = match purpose {
        CallPurpose::Recorded => ffi::run_on(&session.context, module, ONE_BUFFER),
        CallPurpose::Timed | CallPurpose::Kept => Ok(()),
    };
    let ir = buffers.and_then(|()| lowering::lower(&session.context, module)).ok();
    let ir = ir.and_then(|()| translate::text(session, module, &name, &[], &source.name));
    let Some(ir) = ir else {
        let why = refuse("MLIR does not lower it to LLVM IR");
        return Err(std::iter::once(why).chain(session.take_errors(Kind::Unsupported, places)).collect());
    };
    if mentions(&ir, b"@memrefCopy(") {
        let why =
            "for this copy of parts of arrays MLIR calls a function of its library, whose accesses cannot be recorded";
        return Err(vec![refused(copy.or_else(|| at.clone()), why)]);
    }
    session.take_messages();
    Ok(Callable { ir, function: name, arguments, types, whole_vectors })
}

/// Reduces a module to the functions that are needed.
fn prepare<'a>(session: &'a Session, module: Op<'a>, functions: &[Op<'a>], all: &[Op<'a>]) {
    for op in all {
        if is_empty_call(*op) {
            ffi::remove(*op);
        } else if copies_parts(*op) {
            ffi::copy_by_loops(&session.context, *op);
        }
    }
    ffi::keep_callable(module, functions);
}

/// Adds a use of every read, so that no pass drops it.
fn use_reads<'a>(session: &'a Session, module: Op<'a>, functions: &[Op<'a>]) {
    ffi::vary_constants(module);
    let reads: Vec<_> = functions.iter().flat_map(|function| ffi::all_within(*function)).filter(is_read).collect();
    for (number, op) in reads.into_iter().enumerate() {
        ffi::use_results(&session.context, module, op, number);
    }
}

/// Returns true for a function with results.
fn returns(function: Op<'_>) -> bool {
    let body = function.first_region().into_iter().flat_map(ffi::operations);
    body.into_iter().any(|op| ffi::name(op) == "func.return" && op.operand_count() > 0)
}

/// Returns true for a view on which `expand-strided-metadata` aborts: it divides one extent by the others, which it
/// expects to be constants.
fn is_fatal(op: Op<'_>) -> bool {
    let Some(result) = op.results().next().filter(|_| ffi::name(op) == "memref.expand_shape") else { return false };
    let Ok(kind) = MemRefType::try_from(result.r#type()) else { return true };
    let is_dynamic = |dimension: &&usize| constant_extent(kind, **dimension).is_none();
    let groups = ffi::nested_integers(op, "reassociation").unwrap_or_default();
    groups.iter().any(|group| group.iter().filter(is_dynamic).count() > 1)
}

fn mentions(ir: &[u8], name: &[u8]) -> bool {
    ir.windows(name.len()).any(|window| window == name)
}

/// Returns true for a copy between arrays that are not contiguous. For these MLIR would call a function of its library,
/// in an unspecified order; they are copied in the model's order instead.
fn copies_parts(op: Op<'_>) -> bool {
    let is_block = |value: ffi::Val<'_>| MemRefType::try_from(value.r#type()).is_ok_and(ffi::has_identity_layout);
    ffi::name(op) == "memref.copy" && !op.operands().all(is_block)
}

/// Returns true for a call without results and body, or a barrier, which the walk assumes to touch no array.
fn is_empty_call(op: Op<'_>) -> bool {
    let name = ffi::name(op);
    let is_declared = || ffi::text_attribute(op, "callee").is_some_and(|name| select::callee(op, &name).is_none());
    op.result_count() == 0 && (name == "gpu.barrier" || (name == "func.call" && is_declared()))
}

/// Returns true for a read, which passes drop if its result is not used.
fn is_read(op: &Op<'_>) -> bool {
    let reads = [
        "affine.load",
        "memref.load",
        // Of the shape: the extents of its result are what was read.
        "memref.reshape",
        "affine.vector_load",
        "vector.load",
        "vector.maskedload",
        "vector.transfer_read",
    ];
    reads.contains(&ffi::name(*op).as_str())
}

/// Returns true if an operand or a result is a memref whose elements are vectors.
fn has_vector_elements(op: &Op<'_>) -> bool {
    let element =
        |value: ffi::Val<'_>| ffi::memref_element(value.r#type()).is_some_and(|kind| ffi::vector_shape(kind).is_some());
    op.operands().any(element) || op.results().any(|result| element(result.into()))
}

/// Returns true if several elements of a memref are accessed as a vector.
fn accesses_lanes(op: &Op<'_>) -> bool {
    let name = ffi::name(*op);
    name.starts_with("affine.vector_")
        || (name.starts_with("vector.") && op.operands().any(|v| ffi::memref_element(v.r#type()).is_some()))
}
