//! Lowering of tensors and `linalg` to memrefs and loops before the walk, by MLIR's own passes.
//!
//! Operations on tensors have no accesses until they are bufferized, and those of `linalg` none until they are loops.
//! MLIR's usual passes do both after the user's pipeline; a note names the passes that were run. Before bufferization
//! `encodings` refuses tensors with another storage, `reshapes` (with `sizes`) writes reshapes in a form that keeps the
//! extents, and `loop_tensors` gives tensors that a loop carries one buffer. `structured` lists the operations of `linalg`.

pub(crate) mod encodings;
mod loop_tensors;
mod reshapes;
mod sizes;
pub(crate) mod structured;

use melior::ir::operation::OperationLike;
use melior::ir::r#type::{MemRefType, ShapedTypeLike, TypeLike};
use melior::ir::{Attribute, Type, ValueLike};
use symloc_affine::AssumptionKind;
use symloc_frontend::{Diagnostic, Kind, Note};

use crate::ffi::{self, Op};
use crate::input::parse::Session;
use crate::input::places::Places;
use crate::input::select;

/// Turns tensors into memrefs, those at function boundaries too.
const BUFFERIZE: &str = "one-shot-bufferize{bufferize-function-boundaries \
                         function-boundary-type-conversion=identity-layout-map}";

/// Moves allocations by bufferization out of loops where possible.
const HOIST: &str = "buffer-loop-hoisting";

/// Lowers `tosa` to `linalg`; the last pass removes constants that are no longer needed.
const TOSA: &str = "tosa-make-broadcastable,tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor,cse";

/// Lowers loops and branches of `affine` that carry tensors to `scf`, because bufferization supports no others.
const CARRYING: &str = "lower-affine";

/// The note about [`loop_tensors`].
const COPIED: &str = "the values that a loop carries have one buffer, to which each iteration copies its results";

/// Turns operations on whole arrays into loops over their elements.
const LOOPS: &str = "convert-linalg-to-affine-loops";

/// Turns operations on whole arrays into loops of `scf`, where affine loops are not valid: extents that are computed in
/// loops of `scf`.
const OTHER_LOOPS: &str = "convert-linalg-to-loops";

/// Returns the function with loops instead of whole-array operations, after the user's passes, with notes about the
/// passes.
pub(crate) fn lower<'a>(
    session: &Session,
    function: Op<'a>,
    passes: Option<&str>,
    places: &Places,
) -> Result<(Op<'a>, Vec<Note>), Vec<Diagnostic>> {
    let mut functions = select::with_callees(function);
    let (mut ran, mut notes) = (Vec::new(), Vec::new());
    let mut root = function;
    let foreign = functions.iter().flat_map(|function| foreign_on_tensors(*function, places)).collect::<Vec<_>>();
    if !foreign.is_empty() {
        return Err(foreign);
    }
    if functions.iter().any(|function| has_tosa(*function)) {
        run_on_all(session, &functions, TOSA, places)?;
        ran.push(format!("func.func({TOSA})"));
    }
    if functions.iter().any(|function| carries_tensors(*function)) {
        run_on_all(session, &functions, CARRYING, places)?;
        ran.push(format!("func.func({CARRYING})"));
    }
    if functions.iter().any(|function| has_tensors(*function)) {
        functions.iter().for_each(|function| reshapes::rewrite(&session.context, *function));
        for function in &functions {
            if loop_tensors::copy_back(&session.context, *function) {
                notes.push(Note::assuming(AssumptionKind::CarriedCopy, places.of(*function), COPIED));
            }
        }
        root = bufferize(session, function, &functions, places)?;
        functions = select::with_callees(root);
        ran.extend([BUFFERIZE.to_owned(), format!("func.func({HOIST})")]);
    }
    if functions.iter().any(|function| has_linalg(*function)) {
        let loops = if functions.iter().any(|function| has_computed_extents(*function)) { OTHER_LOOPS } else { LOOPS };
        // The passes would fold reads of constants whose elements are equal.
        let constants = root.parent_operation().map(ffi::vary_constants).unwrap_or_default();
        run_on_all(session, &functions, loops, places)?;
        for constant in constants {
            ffi::set_attribute(constant, ffi::CONSTANT, Attribute::unit(&session.context));
        }
        ran.push(format!("func.func({loops})"));
    }
    session.take_messages();
    if !ran.is_empty() {
        ran.splice(0..0, passes.map(|passes| within_module(passes).to_owned()));
        let text = format!("operations on whole arrays are read as the loops that --passes '{}' makes", ran.join(","));
        notes.push(Note::assuming(AssumptionKind::Lowering, places.of(root), text));
    }
    Ok((root, notes))
}

/// Returns the passes of a pipeline without its anchor, so that others can be added.
fn within_module(pipeline: &str) -> &str {
    let pipeline = pipeline.trim();
    let anchored = ["builtin.module(", "any("].iter().find_map(|anchor| pipeline.strip_prefix(anchor));
    anchored.and_then(|passes| passes.strip_suffix(')')).unwrap_or(pipeline)
}

fn run_on_all(session: &Session, functions: &[Op], pipeline: &str, places: &Places) -> Result<(), Vec<Diagnostic>> {
    let run = |function: &Op| ffi::run_on(&session.context, *function, pipeline);
    functions.iter().try_for_each(|function| run(function).map_err(|_| failed(session, *function, pipeline, places)))
}

fn bufferize<'a>(
    session: &Session,
    function: Op<'a>,
    needed: &[Op<'a>],
    places: &Places,
) -> Result<Op<'a>, Vec<Diagnostic>> {
    let name = ffi::text_attribute(function, "sym_name").unwrap_or_default();
    let module = function.parent_operation().filter(|parent| ffi::name(*parent) == "builtin.module");
    let Some(module) = module else { return Err(failed(session, function, BUFFERIZE, places)) };
    // Bufferization runs on all functions of a module; those that are not needed must not make it fail.
    ffi::keep_functions(module, needed);
    ffi::run_on(&session.context, module, BUFFERIZE).map_err(|_| failed(session, function, BUFFERIZE, places))?;
    let function = select::defined(module, &name).ok_or_else(|| failed(session, module, BUFFERIZE, places))?;
    for function in select::with_callees(function) {
        ffi::run_on(&session.context, function, HOIST).map_err(|_| failed(session, function, HOIST, places))?;
    }
    Ok(function)
}

/// Returns the errors of a failed pipeline.
fn failed(session: &Session, at: Op, pipeline: &str, places: &Places) -> Vec<Diagnostic> {
    let message = "the operations on whole arrays of this function cannot be written as loops";
    let error = Diagnostic::new(Kind::Unsupported, places.of(at), message).note(format!("`{pipeline}` failed"));
    let error = error.hint("lower them with a pipeline of your own: `--passes PIPELINE`");
    std::iter::once(error).chain(session.take_errors(Kind::Unsupported, places)).collect()
}

/// Returns an error for each operation of another tool on tensors, which cannot be lowered here.
fn foreign_on_tensors(function: Op, places: &Places) -> Vec<Diagnostic> {
    let is_foreign = |op: &Op| !ffi::is_registered(*op) && mentions_tensors(*op);
    let error = |op: Op| {
        let name = ffi::name(op);
        let error = Diagnostic::new(Kind::Unsupported, places.of(op), format!("`{name}` is not supported"));
        let hint = match name.starts_with("onnx.") {
            true => "give the .onnx file itself, or lower it with onnx-mlir",
            false => "lower it with the tool that it comes from",
        };
        error.note("it is an operation of another tool on tensors, which have no place in memory yet").hint(hint)
    };
    ffi::all_within(function).into_iter().filter(is_foreign).map(error).collect()
}

/// Returns true if there are operations of `linalg` in loops of `scf` or `affine` on memrefs whose extents are not constant.
fn has_computed_extents(function: Op) -> bool {
    let is_loop = |op: Op| ["scf.", "affine."].iter().any(|dialect| ffi::name(op).starts_with(dialect));
    let in_loops = |op: Op| ffi::with_parents(op).skip(1).any(is_loop);
    let is_dynamic = |kind: Type| MemRefType::try_from(kind).is_ok_and(|kind| !kind.has_static_shape());
    ffi::all_within(function).into_iter().any(|op| {
        ffi::name(op).starts_with("linalg.") && in_loops(op) && op.operands().any(|value| is_dynamic(value.r#type()))
    })
}

fn carries_tensors(function: Op) -> bool {
    let is_affine = |op: &Op| ["affine.for", "affine.if"].contains(&ffi::name(*op).as_str());
    ffi::all_within(function)
        .into_iter()
        .filter(is_affine)
        .any(|op| op.results().any(|value| is_tensor(value.r#type())))
}

fn has_tosa(function: Op) -> bool {
    ffi::all_within(function).into_iter().any(|op| ffi::name(op).starts_with("tosa."))
}

fn has_linalg(function: Op) -> bool {
    ffi::all_within(function).into_iter().any(|op| ffi::name(op).starts_with("linalg."))
}

/// Returns true if arguments or operations of a function have tensors.
pub(crate) fn has_tensors(function: Op) -> bool {
    ffi::arguments(function).into_iter().any(|value| is_tensor(value.r#type()))
        || ffi::all_within(function).into_iter().any(mentions_tensors)
}

fn mentions_tensors(op: Op) -> bool {
    op.operands().any(|value| is_tensor(value.r#type())) || op.results().any(|value| is_tensor(value.r#type()))
}

fn is_tensor(kind: Type) -> bool {
    kind.is_tensor() || kind.is_unranked_tensor()
}
