//! The function to analyse.

use melior::ir::operation::OperationLike;
use symloc_affine::Location;
use symloc_frontend::names::closest;
use symloc_frontend::{Diagnostic, Kind};

use crate::ffi::{self, Op};
use crate::places::Places;

struct Candidate<'a> {
    op: Op<'a>,
    name: String,
    location: Option<Location>,
}

/// The function called `wanted` or, if none was asked for, the only one with a body.
pub(crate) fn select<'a>(module: Op<'a>, wanted: Option<&str>, places: &Places) -> Result<Op<'a>, Vec<Diagnostic>> {
    let (defined, declared) = functions(module, places);
    let chosen = match wanted {
        Some(name) => defined.iter().find(|c| c.name == name).ok_or_else(|| unknown(name, &defined, &declared)),
        None => match defined.as_slice() {
            [only] => Ok(only),
            [] => Err(nothing(&declared)),
            _ => Err(several(&defined)),
        },
    };
    chosen.map(|candidate| candidate.op).map_err(|error| vec![error])
}

/// The function of this name and with a body in a module.
pub(crate) fn defined<'a>(module: Op<'a>, name: &str) -> Option<Op<'a>> {
    let mut functions = ffi::regions(module).into_iter().flat_map(ffi::operations);
    let is_wanted =
        |op: &Op| ffi::name(*op) == "func.func" && ffi::text_attribute(*op, "sym_name").as_deref() == Some(name);
    functions.find(|op| is_wanted(op) && has_body(*op))
}

fn has_body(function: Op) -> bool {
    function.first_region().is_some_and(|region| ffi::operations(region).next().is_some())
}

/// The functions with a body, and those without.
fn functions<'a>(module: Op<'a>, places: &Places) -> (Vec<Candidate<'a>>, Vec<Candidate<'a>>) {
    let candidate = |op: Op<'a>| Candidate {
        op,
        name: ffi::text_attribute(op, "sym_name").unwrap_or_default(),
        location: places.of(op),
    };
    let mut ops = Vec::new();
    collect(module, &mut ops);
    ops.into_iter().map(candidate).partition(|c| has_body(c.op))
}

/// The functions of a module and of the modules in it.
fn collect<'a>(module: Op<'a>, functions: &mut Vec<Op<'a>>) {
    for op in ffi::regions(module).into_iter().flat_map(ffi::operations) {
        match ffi::name(op).as_str() {
            "func.func" => functions.push(op),
            "builtin.module" => collect(op, functions),
            _ => {}
        }
    }
}

fn list(mut error: Diagnostic, candidates: &[Candidate]) -> Diagnostic {
    for candidate in candidates {
        error = error.note_at(candidate.location.clone(), format!("function `{}`", candidate.name));
    }
    error
}

fn nothing(declared: &[Candidate]) -> Diagnostic {
    let error = Diagnostic::new(Kind::Request, None, "there is no function with a body to analyse");
    list(error, declared).hint("put the loops into a `func.func`")
}

fn several(defined: &[Candidate]) -> Diagnostic {
    let error = Diagnostic::new(Kind::Request, None, "there are several functions to choose from");
    list(error, defined).hint(format!("choose one, for example `--function {}`", defined[0].name))
}

fn unknown(name: &str, defined: &[Candidate], declared: &[Candidate]) -> Diagnostic {
    if let Some(found) = declared.iter().find(|c| c.name == name) {
        let message = format!("function `{name}` has no body");
        return list(Diagnostic::new(Kind::Request, found.location.clone(), message), defined);
    }
    let error = list(Diagnostic::new(Kind::Request, None, format!("there is no function `{name}`")), defined);
    match closest(name, defined.iter().map(|c| c.name.as_str())) {
        Some(close) => error.hint(format!("did you mean `--function {close}`?")),
        None => error,
    }
}
