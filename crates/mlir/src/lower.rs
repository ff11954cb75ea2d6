//! Tensors and `linalg`: given places in memory and written as loops before the walk, by MLIR's own passes.
//!
//! Whole-tensor operations have no accesses until they are bufferized, and those of `linalg` none until they are loops. Both
//! steps have one usual way, which is taken unless the user gives a pipeline; what was run is said in a note.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::TypeLike;
use melior::ir::{Type, ValueLike};
use symloc_frontend::{Diagnostic, Kind, Note};

use crate::ffi::{self, Op};
use crate::parse::Session;
use crate::places::Places;
use crate::select;

/// Tensors become memrefs, those of function boundaries too.
const BUFFERIZE: &str = "one-shot-bufferize{bufferize-function-boundaries \
                         function-boundary-type-conversion=identity-layout-map}";

/// What bufferization allocates in loops is allocated before them where it can be.
const HOIST: &str = "buffer-loop-hoisting";

/// Operations on whole arrays become loops over their elements.
const LOOPS: &str = "convert-linalg-to-affine-loops";

/// The function with loops in the place of whole-array operations, and what was run for it.
pub(crate) fn lower<'a>(
    session: &Session,
    function: Op<'a>,
    places: &Places,
) -> Result<(Op<'a>, Vec<Note>), Vec<Diagnostic>> {
    let mut functions = select::with_callees(function);
    let mut ran = Vec::new();
    let mut root = function;
    if functions.iter().any(|function| has_tensors(*function)) {
        root = bufferize(session, function, &functions, places)?;
        functions = select::with_callees(root);
        ran.extend([BUFFERIZE.to_owned(), format!("func.func({HOIST})")]);
    }
    if functions.iter().any(|function| has_linalg(*function)) {
        for function in functions {
            ffi::run_on(&session.context, function, LOOPS).map_err(|_| failed(session, function, LOOPS, places))?;
        }
        ran.push(format!("func.func({LOOPS})"));
    }
    session.take_messages();
    let note = (!ran.is_empty()).then(|| {
        let text = format!("operations on whole arrays are read as the loops that --passes '{}' makes", ran.join(","));
        Note { location: places.of(root), text, is_remark: false }
    });
    Ok((root, note.into_iter().collect()))
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
    // Bufferization looks at all functions of a module; those that are not needed must not stop it.
    ffi::keep_functions(module, needed);
    ffi::run_on(&session.context, module, BUFFERIZE).map_err(|_| failed(session, function, BUFFERIZE, places))?;
    let function = select::defined(module, &name).ok_or_else(|| failed(session, module, BUFFERIZE, places))?;
    for function in select::with_callees(function) {
        ffi::run_on(&session.context, function, HOIST).map_err(|_| failed(session, function, HOIST, places))?;
    }
    Ok(function)
}

/// Why MLIR could not do it.
fn failed(session: &Session, at: Op, pipeline: &str, places: &Places) -> Vec<Diagnostic> {
    let message = "the operations on whole arrays of this function cannot be written as loops";
    let error = Diagnostic::new(Kind::Unsupported, places.of(at), message).note(format!("`{pipeline}` failed"));
    let error = error.hint("lower them with a pipeline of your own: `--passes PIPELINE`");
    std::iter::once(error).chain(session.take_errors(Kind::Unsupported, places)).collect()
}

fn has_linalg(function: Op) -> bool {
    ffi::all_within(function).into_iter().any(|op| ffi::name(op).starts_with("linalg."))
}

fn has_tensors(function: Op) -> bool {
    let is_tensor = |kind: Type| kind.is_tensor() || kind.is_unranked_tensor();
    let mentions = |op: Op| {
        op.operands().any(|value| is_tensor(value.r#type())) || op.results().any(|value| is_tensor(value.r#type()))
    };
    ffi::arguments(function).into_iter().any(|value| is_tensor(value.r#type()))
        || ffi::all_within(function).into_iter().any(mentions)
}
