//! Tensors with an encoding, such as sparse ones, which are not stored as dense rows. Bufferization ignores encodings,
//! so its result would be another program.

use melior::ir::operation::OperationLike;
use melior::ir::{Module, ValueLike};
use symloc_frontend::{Diagnostic, Kind};

use crate::ffi::{self, Op, Val};
use crate::input::places::Places;
use crate::input::select::{self, Wanted};

/// The prefix of the names of MLIR's passes for sparse tensors, which replace these by arrays of their stored elements.
const SPARSE_PASSES: &str = "spars";

/// Refuses the encodings of the chosen function before passes run, unless these handle them.
pub(crate) fn refuse_before(
    module: &Module,
    pipeline: &str,
    wanted: Option<&Wanted>,
    places: &Places,
) -> Result<(), Vec<Diagnostic>> {
    let mut names = pipeline.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    if names.any(|name| name.starts_with(SPARSE_PASSES)) {
        return Ok(());
    }
    // An unknown function is an error only after the passes, which may make it.
    select::select(module.as_operation(), wanted, places).map_or(Ok(()), |function| refuse(function, places))
}

/// Refuses the encodings of a function and its callees, each at its first use.
pub(crate) fn refuse(function: Op, places: &Places) -> Result<(), Vec<Diagnostic>> {
    let mut seen = Vec::new();
    let mut errors = Vec::new();
    for value in select::with_callees(function).into_iter().flat_map(values) {
        let Some(encoding) = ffi::encoding(value.r#type()) else { continue };
        let text = encoding.to_string();
        if !seen.contains(&text) {
            errors.push(error(value, &text, places));
            seen.push(text);
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Returns the arguments of a function, and the results of all operations in it.
fn values(function: Op<'_>) -> impl Iterator<Item = Val<'_>> {
    let results = ffi::all_within(function).into_iter().flat_map(|op| op.results().map(Val::from).collect::<Vec<_>>());
    ffi::arguments(function).into_iter().chain(results)
}

fn error(value: Val, encoding: &str, places: &Places) -> Diagnostic {
    let name = encoding.split('<').next().unwrap_or_default();
    let message =
        format!("{}: the encoding of this tensor decides how its elements are stored", places.describe(value));
    let error = Diagnostic::new(Kind::Unsupported, places.location(value.location()), message);
    let (why, hint) = match name == "#sparse_tensor.encoding" {
        true => (
            "the elements that are stored, and so those that are accessed, depend on data",
            "give the loops over the stored elements, in C or on memrefs; without its encoding the tensor is read as a dense one",
        ),
        false => (
            "the positions of its elements are not known",
            "without its encoding the tensor is read as rows of elements",
        ),
    };
    error.note(format!("it is `{name}`: {why}")).hint(hint)
}
