//! `annotate --mlir`: the module that a model was derived from, with misses and first touches as attributes.

use std::io::Write;
use std::path::Path;

use symloc_affine::{AccessId, AccessKind, Program};
use symloc_llvm::Language;
use symloc_machine::CacheRange;
use symloc_mlir::{AnnotatedOperation, NamedAttribute, Options, Source, annotated, target_caches};
use symloc_model::{AccessKind as StoredKind, Outline};
use symloc_query::answers::module_attributes::ModuleFacts;
use symloc_query::commands::AnnotateArgs;
use symloc_query::output::tell;
use symloc_query::{CliError, ExitStatus};

use crate::input::{is_einsum, read};

/// Prints the module.
pub(crate) fn annotate_module(args: &AnnotateArgs, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
    let (model, path) = args.model_and_source()?;
    require_mlir(&path)?;
    let source = read(&path)?;
    let options = Options { function: Some(model.function.clone()), ..Options::default() };
    let target = if args.lacks_caches(&model) { target(&source, &options)? } else { Vec::new() };
    let facts = args.facts(model, target)?;
    let outline = facts.model().outline()?;
    let attributes = |program: &Program, operation: &AnnotatedOperation| {
        if is_same(outline, program) { Ok(attributes(&facts, operation)) } else { Err(OTHER.to_owned()) }
    };
    let text = annotated(&source, &options, &attributes);
    let text = text.map_err(|errors| CliError::Diagnostics(errors.to_string()))?;
    writeln!(out, "{}", text.trim_end())?;
    Ok(ExitStatus::Success)
}

/// Returns the caches of the machine that the module is for, and says so.
fn target(source: &Source, options: &Options) -> Result<Vec<CacheRange>, CliError> {
    let sizes = target_caches(source, options).map_err(|errors| CliError::Diagnostics(errors.to_string()))?;
    let caches = sizes.iter().map(|bytes| format!("{bytes}B").parse()).collect::<Result<Vec<_>, _>>();
    if !sizes.is_empty() {
        let sizes: Vec<String> = sizes.iter().map(|bytes| format!("{bytes} bytes")).collect();
        tell(
            "note",
            &format!("caches of the module's target (`dlti`), taken as fully associative: {}", sizes.join(", ")),
        );
    }
    caches.map_err(CliError::refused)
}

/// The refusal of a model whose accesses are not those of its source.
const OTHER: &str = "the accesses of the model are not those of this function: derive the model without options that change the program";

/// Refuses a source in another language.
fn require_mlir(path: &Path) -> Result<(), CliError> {
    match Language::of(path).is_some() || is_einsum(path) {
        false => Ok(()),
        true => Err(CliError::with_hint(
            format!("{}: --mlir: the model was not derived from MLIR", path.display()),
            "without --mlir the source is printed with its misses beside it",
        )),
    }
}

/// Returns true if the accesses of a model are those of a program.
fn is_same(outline: &Outline, program: &Program) -> bool {
    let is_pair = |(stored, id): (&symloc_model::Access, AccessId)| {
        let access = program.access(id);
        let kind = match access.kind {
            AccessKind::Read => StoredKind::Read,
            AccessKind::Write => StoredKind::Write,
        };
        let place = (access.location.line, access.location.column);
        (stored.line, stored.column) == place
            && stored.kind == kind
            && outline.arrays[stored.array].name == program.array(access.array).name
    };
    outline.accesses.len() == program.accesses.len() && outline.accesses.iter().zip((0..).map(AccessId)).all(is_pair)
}

fn attributes(facts: &ModuleFacts, operation: &AnnotatedOperation) -> Vec<NamedAttribute> {
    match operation {
        AnnotatedOperation::Function => facts.of_function(),
        AnnotatedOperation::Loop(accesses) | AnnotatedOperation::Access(accesses) => {
            facts.of_accesses(&accesses.iter().map(|access| access.index()).collect::<Vec<_>>())
        }
    }
}
