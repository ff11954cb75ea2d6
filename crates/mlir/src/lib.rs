//! Front end: MLIR's affine dialect (and what can be read as such) to [`symloc_affine::Program`].
//!
//! The only crate that links LLVM. [`read`] goes through these stages; each is a module:
//!
//! 1. `parse`: text to a verified module; `recover` makes text of other MLIR versions (Polygeist's) readable,
//! 2. `passes`: an MLIR pass pipeline that the user asked for,
//! 3. `select`: the one function to analyse,
//! 4. `walk`: its operations, in order, to loops, guards and accesses. `values` follows SSA values to affine
//!    expressions, `maps` evaluates affine maps, `arrays` finds the array behind a memref, `unsupported` says why an
//!    operation is refused,
//! 5. `finish`: parameters that are used, names, renamings.
//!
//! Two things are assumed and not checked: different memref arguments do not overlap, and casts between integer types
//! keep the value.
//!
//! An operation is either understood, known to touch no memory, or an error: no access is ever skipped silently. All
//! errors of an input are reported, not only the first.

mod arrays;
mod diagnostics;
mod ffi;
mod finish;
mod maps;
mod names;
mod parse;
mod passes;
mod places;
mod recover;
mod select;
mod unsupported;
mod values;
mod walk;

pub use diagnostics::{Diagnostic, Errors, Kind, Note};

use places::Places;
use symloc_affine::Program;

/// A text in MLIR and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file as the user named it, or `<stdin>`.
    pub name: String,
    /// The text.
    pub text: String,
}

/// What the user asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The function to analyse (`--function`); none: the only one that has a body.
    pub function: Option<String>,
    /// An MLIR pass pipeline to run first (`--passes`), such as `func.func(canonicalize)`.
    pub passes: Option<String>,
    /// Parameters to rename, old and new name (`--name OLD=NEW`), all at once.
    pub renames: Vec<(String, String)>,
}

/// Reads the affine program of one function.
///
/// # Errors
///
/// All that is wrong with the source or with the options, as far as one can go on after an error; see [`Kind`].
pub fn read(source: &Source, options: &Options) -> Result<Program, Errors> {
    read_program(source, options).map_err(|diagnostics| Errors::new(source, diagnostics))
}

fn read_program(source: &Source, options: &Options) -> Result<Program, Vec<Diagnostic>> {
    let session = parse::Session::new();
    let parsed = parse::parse(&session, source, options.function.as_deref())?;
    let mut module = parsed.module;
    let places = Places::new(source, parsed.inserted);
    if let Some(pipeline) = &options.passes {
        passes::run(&session, &mut module, pipeline, &places)?;
    }
    let module = module.as_operation();
    let function = select::select(module, options.function.as_deref(), &places)?;
    let draft = walk::walk(function, &places)?;
    finish::finish(draft, &options.renames)
}
