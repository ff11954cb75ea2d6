//! Checks that a model lists its assumptions, and that each note about an assumption has one in the list.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use symloc_affine::AssumptionKind;

use crate::common::{model, nothing_from, root, symloc};

/// Returns a program with an assumption of this kind, and its options.
fn program(kind: AssumptionKind) -> &'static [&'static str] {
    use AssumptionKind as K;
    match kind {
        K::NoOverlap => &["tests/c/noted/pointers_not_overlapping.c"],
        K::NotNull => &["tests/c/noted/pointer_that_may_be_null.c"],
        K::DecidedBranch => &["tests/c/noted/decided_by_sizes.c"],
        K::BranchTold => &["tests/c/noted/branch_share.c", "--branch", "6=0.4"],
        K::BothSides => &["tests/c/noted/both_sides.c", "--both-sides"],
        K::NeverReturns => &["tests/c/noted/checked_argument.c"],
        K::MergedReads => &["tests/c/pass/select_smaller.c"],
        K::RowLength => &["tests/c/noted/row_overrun.c"],
        K::NumberRange => &["tests/c/noted/narrow_counter_wraps.c"],
        K::Assertion => &["tests/pass/assertions.mlir"],
        K::Product => &["tests/pass/products.mlir"],
        K::OutsideArray => &["tests/pass/outside.mlir"],
        K::Gather => &["tests/fail/data_dependent_subscript.mlir", "--gather", "same"],
        K::IgnoredCall => &["tests/c/noted/ignored_call.c", "--ignore-calls", "report"],
        K::UnknownOperation => &["tests/pass/foreign_scalars.mlir"],
        K::LeftOutText => &["tests/pass/llvm12_hcl_directives.mlir"],
        K::LeftOutNest => &["tests/c/noted/left_out.c", "--skip-refused"],
        K::Region => &["tests/c/noted/scop.c"],
        K::Prefetch => &["tests/pass/masked_vectors.mlir"],
        K::Operations => &["tests/pass/flops_unknown.mlir"],
        K::SequentialOrder => &["tests/c/pass/openmp_pragmas.c"],
        K::OneThread => &["tests/c/pass/openmp_flag.c", "--", "-fopenmp"],
        K::ThreadCopies => &["tests/c/noted/sum_of_all_threads.c", "--parallel", "i"],
        K::ThreadArrays => &["tests/threads/own_buffer.mlir", "--parallel", "marked"],
        K::LoopBounds => &["tests/c/noted/parallel_bound_in_memory.c", "--parallel", "marked"],
        K::Registers => &["tests/c/noted/array_in_registers.c"],
        K::Contiguous => &["tests/c/noted/flang_assumed_shape.ll"],
        K::LowerBound => &["tests/c/noted/flang_sections.ll"],
        K::CopyOrder => &["tests/pass/copies.mlir"],
        K::FilledMemory => &["tests/c/pass/memory_filled_and_copied.c"],
        K::ReusedMemory => &["tests/pass/loop_buffers.mlir", "--function", "kernel"],
        K::SeparateBuffers => &["tests/c/noted/local_arrays_apart.c"],
        K::HoistedBuffer => &["tests/pass/hoisted_buffers.mlir"],
        K::Lowering => &["tests/pass/linalg.mlir", "--function", "net"],
        K::CarriedCopy => &["tests/pass/states.mlir"],
        K::LiftedJumps => &["tests/pass/flag_jumps.mlir"],
        K::MemorySpace => &["tests/pass/llvm11_atax.mlir"],
        K::Padding => &["tests/c/pass/leading_dimension.c", "--layout", "memory"],
    }
}

/// Returns the assumptions of a model.
fn assumptions(arguments: &[&str]) -> Result<Vec<Value>, String> {
    let text = fs::read_to_string(model(arguments)?).unwrap();
    let model: Value = serde_json::from_str(&text).unwrap();
    Ok(model["assumptions"].as_array().cloned().unwrap_or_default())
}

#[test]
fn each_kind_of_assumption_is_in_the_model_of_a_program() {
    nothing_from(AssumptionKind::ALL.into_iter(), |kind| {
        let arguments = program(kind);
        if arguments.is_empty() {
            return None;
        }
        match assumptions(arguments) {
            Ok(found) if found.iter().any(|assumption| assumption["kind"] == kind.name()) => None,
            Ok(found) => Some(format!("{arguments:?} assumes nothing of the kind {}: {found:?}", kind.name())),
            Err(error) => Some(error),
        }
    });
}

/// The beginnings of notes that are not about an assumption.
const EXPLANATIONS: [&str; 4] = ["the extent ", "the subscripts of this array are shown", "`p0` is `", "size_"];

/// Returns the notes of `derive`, with their places: `file:line:column: note: text`.
fn notes(errors: &str) -> Vec<(String, String)> {
    let note = |line: &str| {
        let (place, text) = line.split_once("note: ")?;
        Some((place.trim_end_matches(": ").to_owned(), text.to_owned()))
    };
    let is_note = |place: &str| place.is_empty() || place.split(':').count() == 3;
    errors.lines().filter_map(note).filter(|(place, _)| is_note(place)).collect()
}

#[test]
fn notes_that_assume_something_are_in_the_model() {
    let programs = AssumptionKind::ALL.into_iter().map(program).filter(|arguments| !arguments.is_empty());
    nothing_from(programs, |arguments| {
        let (_, errors, status) = symloc(&[&["derive", "--emit", "affine"], arguments].concat());
        let found = match assumptions(arguments) {
            Ok(found) if status == Some(0) => found,
            Ok(_) => return Some(errors),
            Err(error) => return Some(error),
        };
        let is_in = |(place, text): &(String, String)| {
            found.iter().any(|assumption| {
                let at = ["line", "column"].map(|part| assumption[part].as_u64());
                let file = assumption["file"].as_str().unwrap_or(arguments[0]);
                let here = match at {
                    [Some(line), Some(column)] => format!("{file}:{line}:{column}"),
                    _ => String::new(),
                };
                assumption["text"] == **text && here == *place
            })
        };
        let explains = |text: &str| EXPLANATIONS.iter().any(|start| text.starts_with(start));
        let missing: Vec<_> = notes(&errors).into_iter().filter(|note| !explains(&note.1) && !is_in(note)).collect();
        (!missing.is_empty()).then(|| format!("{arguments:?}: not in the model: {missing:?}"))
    });
}

/// The names of the kinds are part of the model format.
#[test]
fn the_page_of_the_format_names_all_kinds() {
    let page: PathBuf = root().join("docs/model-format.md");
    let page = fs::read_to_string(page).unwrap();
    let missing: Vec<_> = AssumptionKind::ALL
        .iter()
        .map(|kind| kind.name())
        .filter(|name| !page.contains(&format!("`{name}`")))
        .collect();
    assert!(missing.is_empty(), "docs/model-format.md does not name {missing:?}");
}
