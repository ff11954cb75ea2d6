//! The parts of its source that a text with new loops would lack.

use symloc_affine::AssumptionKind;
use symloc_frontend::{Diagnostic, Kind, Note};

use crate::walk::walker::Task;

/// Checks that the new text has every function of the source, and that its functions have the arguments that they had.
pub(super) fn check(task: &Task<'_, '_>) -> Result<(), Vec<Diagnostic>> {
    let error = |location, message: String| Diagnostic::new(Kind::Unsupported, location, message);
    let left_out = task.notes.iter().filter(|note| note.assumes == Some(AssumptionKind::LeftOutText));
    let left_out = left_out.map(|note| {
        let message = "the text with new loops would lack a part of the function that MLIR cannot parse";
        let error = error(note.location.clone(), message.to_owned()).note(note.text.clone());
        error.hint("lower it with the tool that it comes from")
    });
    let lost = task.changes.lost.iter().map(|(name, location)| {
        let error = error(location.clone(), format!("the text with new loops would lack `{name}`"));
        let error = error.note("MLIR cannot parse this file: of one in the syntax of another MLIR, only the function and what it needs is read");
        error.hint("give a file with the function alone, or bring this one to the present syntax")
    });
    let tensors = task.changes.had_tensors.then(|| {
        let message = "this function has tensors: new loops are written for memrefs only";
        let error = error(task.places.of(task.function), message.to_owned());
        error.hint("bufferize it first: --passes 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}'")
    });
    let errors: Vec<_> = left_out.chain(lost).chain(tensors).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Returns a note about what a source in the syntax of another MLIR loses.
pub(super) fn note(task: &Task<'_, '_>) -> Option<Note> {
    let text = "this file is in the syntax of another MLIR: the text with new loops is in the present one, without the \
                attributes of modules, functions and arguments";
    task.changes.is_upgraded.then(|| Note::new(task.places.of(task.function), text))
}
