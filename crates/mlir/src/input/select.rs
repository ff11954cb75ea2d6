//! The choice of the function to analyse.

use melior::ir::operation::OperationLike;
use symloc_affine::Location;
use symloc_frontend::names::closest;
use symloc_frontend::{Diagnostic, Kind};

use super::places::Places;
use crate::ffi::{self, Op};

/// A function of a module or of its text.
pub(crate) struct Candidate<T> {
    pub(crate) name: String,
    pub(crate) location: Option<Location>,
    pub(crate) is: T,
}

/// The function that the user has named: by its name or, if several have it, as `name:line`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) name: String,
    pub(crate) line: Option<u32>,
}

impl Wanted {
    pub(crate) fn of(text: &str) -> Self {
        let with_line = text.rsplit_once(':').and_then(|(name, line)| Some((name, Some(line.parse().ok()?))));
        let (name, line) = with_line.unwrap_or((text, None));
        Self { name: name.to_owned(), line }
    }

    fn is<T>(&self, candidate: &Candidate<T>) -> bool {
        let line = candidate.location.as_ref().map(|location| location.line);
        candidate.name == self.name && (self.line.is_none() || self.line == line)
    }
}

/// Returns the function that the user has named or, without a name, the only one with a body.
pub(crate) fn select<'a>(module: Op<'a>, wanted: Option<&Wanted>, places: &Places) -> Result<Op<'a>, Vec<Diagnostic>> {
    let (defined, declared) = functions_of(module, "func.func", places);
    choose(&defined, &declared, wanted).map(|candidate| candidate.is).map_err(|error| vec![error])
}

/// Chooses one of the functions with a body.
pub(crate) fn choose<'c, T>(
    defined: &'c [Candidate<T>],
    declared: &[Candidate<T>],
    wanted: Option<&Wanted>,
) -> Result<&'c Candidate<T>, Diagnostic> {
    let meant: Vec<_> = defined.iter().filter(|c| wanted.is_none_or(|wanted| wanted.is(c))).collect();
    match (meant.as_slice(), wanted) {
        ([only], _) => Ok(only),
        ([], None) => Err(nothing(declared)),
        ([], Some(wanted)) => Err(unknown(wanted, defined, declared)),
        (several, _) => Err(ambiguous(several)),
    }
}

/// Returns the callee of a call: the function of this name in the nearest module that has one with a body.
pub(crate) fn callee<'a>(call: Op<'a>, name: &str) -> Option<Op<'a>> {
    let parents = ffi::with_parents(call).skip(1);
    parents.filter(|op| ffi::name(*op) == "builtin.module").find_map(|module| defined(module, name))
}

/// Returns a function and all that it calls, directly or indirectly.
pub(crate) fn with_callees(function: Op<'_>) -> Vec<Op<'_>> {
    let mut found = vec![function];
    let mut next = 0;
    while let Some(&function) = found.get(next) {
        next += 1;
        for call in ffi::all_within(function) {
            let called = ffi::text_attribute(call, "callee").and_then(|name| callee(call, &name));
            found.extend(called.filter(|called| !found.contains(called)));
        }
    }
    found
}

/// Returns the function of this name and with a body in a module.
pub(crate) fn defined<'a>(module: Op<'a>, name: &str) -> Option<Op<'a>> {
    let mut functions = ffi::regions(module).into_iter().flat_map(ffi::operations);
    let is_wanted =
        |op: &Op| ffi::name(*op) == "func.func" && ffi::text_attribute(*op, "sym_name").as_deref() == Some(name);
    functions.find(|op| is_wanted(op) && has_body(*op))
}

fn has_body(function: Op) -> bool {
    function.first_region().is_some_and(|region| ffi::operations(region).next().is_some())
}

/// Returns the functions of a kind with a body, and those without.
pub(crate) fn functions_of<'a>(
    module: Op<'a>,
    kind: &str,
    places: &Places,
) -> (Vec<Candidate<Op<'a>>>, Vec<Candidate<Op<'a>>>) {
    let candidate = |op: Op<'a>| Candidate {
        name: ffi::text_attribute(op, "sym_name").unwrap_or_default(),
        location: places.of(op),
        is: op,
    };
    let mut ops = Vec::new();
    collect(module, kind, &mut ops);
    ops.into_iter().map(candidate).partition(|c| has_body(c.is))
}

/// Collects the functions of a module and of the modules in it.
fn collect<'a>(module: Op<'a>, kind: &str, functions: &mut Vec<Op<'a>>) {
    for op in ffi::regions(module).into_iter().flat_map(ffi::operations) {
        match ffi::name(op).as_str() {
            name if name == kind => functions.push(op),
            "builtin.module" => collect(op, kind, functions),
            _ => {}
        }
    }
}

fn list<'c, T: 'c>(mut error: Diagnostic, candidates: impl IntoIterator<Item = &'c Candidate<T>>) -> Diagnostic {
    for candidate in candidates {
        error = error.note_at(candidate.location.clone(), format!("function `{}`", candidate.name));
    }
    error
}

fn nothing<T>(declared: &[Candidate<T>]) -> Diagnostic {
    let error = Diagnostic::new(Kind::Request, None, "there is no function with a body to analyse");
    list(error, declared).hint("put the loops into a `func.func`")
}

fn ambiguous<T>(defined: &[&Candidate<T>]) -> Diagnostic {
    let error = Diagnostic::new(Kind::Request, None, "there are several functions to choose from");
    let first = defined[0];
    let is_unique = defined.iter().filter(|c| c.name == first.name).count() == 1;
    let line = first.location.as_ref().filter(|_| !is_unique).map(|location| format!(":{}", location.line));
    let hint = format!("choose one, for example `--function {}{}`", first.name, line.unwrap_or_default());
    list(error, defined.iter().copied()).hint(hint)
}

fn unknown<T>(wanted: &Wanted, defined: &[Candidate<T>], declared: &[Candidate<T>]) -> Diagnostic {
    let name = &wanted.name;
    if let Some(found) = declared.iter().find(|c| c.name == *name) {
        let message = format!("function `{name}` has no body");
        return list(Diagnostic::new(Kind::Request, found.location.clone(), message), defined);
    }
    let line = wanted.line.map(|line| format!(" on line {line}")).unwrap_or_default();
    let error = list(Diagnostic::new(Kind::Request, None, format!("there is no function `{name}`{line}")), defined);
    match closest(name, defined.iter().map(|c| c.name.as_str())) {
        Some(close) => error.hint(format!("did you mean `--function {close}`?")),
        None => error,
    }
}
