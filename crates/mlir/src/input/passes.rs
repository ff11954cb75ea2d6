//! Passes that run before the analysis: those of `--passes`, and the lifting of jumps to loops.

use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use symloc_affine::AssumptionKind;
use symloc_frontend::{Diagnostic, Kind, Note};

use super::parse::Session;
use super::places::Places;
use super::select;
use crate::ffi::{self, Op};

/// Runs a pipeline on the module. `func.func(canonicalize)` means `builtin.module(func.func(canonicalize))`.
pub(crate) fn run(
    session: &Session,
    module: &mut Module,
    pipeline: &str,
    places: &Places,
) -> Result<(), Vec<Diagnostic>> {
    let pipeline = pipeline.trim();
    let anchored = ["builtin.module(", "any("].iter().any(|anchor| pipeline.starts_with(anchor));
    let anchored = if anchored { pipeline.to_owned() } else { format!("builtin.module({pipeline})") };
    let manager = PassManager::new(&session.context);
    if let Err(error) = parse_pass_pipeline(manager.as_operation_pass_manager(), &anchored) {
        let message = format!("`--passes` is not a pass pipeline: {pipeline}");
        return Err(vec![
            Diagnostic::new(Kind::Request, None, message)
                .note(reason(&error.to_string()))
                .hint("`mlir-opt --help` lists the passes; nest those of functions: `func.func(canonicalize)`"),
        ]);
    }
    if manager.run(module).is_ok() {
        session.take_messages();
        return Ok(());
    }
    let mut errors = session.take_errors(Kind::Request, places);
    if errors.is_empty() {
        errors.push(Diagnostic::new(Kind::Request, None, format!("the pass pipeline failed: {pipeline}")));
    }
    Err(errors)
}

/// Lifts the jumps between blocks of a function and its callees to loops and branches; returns a note for each function
/// with jumps.
pub(crate) fn lift_jumps(session: &Session, function: Op, places: &Places) -> Result<Vec<Note>, Vec<Diagnostic>> {
    let mut notes = Vec::new();
    for function in select::with_callees(function) {
        if !ffi::has_jumps(function) {
            continue;
        }
        if ffi::run_on(&session.context, function, "lift-cf-to-scf").is_err() {
            let mut errors = session.take_errors(Kind::Unsupported, places);
            let message = "the jumps between blocks of this function are not supported";
            let error = Diagnostic::new(Kind::Unsupported, places.of(function), message);
            errors.insert(0, error.hint("write loops as `affine.for` and branches as `affine.if`"));
            return Err(errors);
        }
        session.take_messages();
        let text = "jumps between blocks are read as the loops and branches that `lift-cf-to-scf` makes of them";
        notes.push(Note::assuming(AssumptionKind::LiftedJumps, places.of(function), text));
    }
    Ok(notes)
}

/// Returns MLIR's message on one line, without its excerpt of the pipeline.
fn reason(error: &str) -> String {
    if let Some((_, message)) = error.split_once("error: ") {
        return message.lines().next().unwrap_or_default().trim().to_owned();
    }
    let lines = error.lines().map(|line| line.trim().trim_end_matches(':')).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(": ")
}
