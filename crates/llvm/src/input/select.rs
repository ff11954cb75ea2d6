//! The choice of the function to analyse.

use std::collections::BTreeSet;

use symloc_frontend::names::closest;
use symloc_frontend::{Diagnostic, Kind};

use crate::ir::ffi::Value;

/// Returns the function of this name, or else the only candidate: the one with `#pragma scop`, else the only function
/// with a body, else the only one that is not `main` and that no function but `main` calls.
///
/// `text` is the source, for hints.
pub(crate) fn select<'m>(
    functions: &[Value<'m>],
    wanted: Option<&str>,
    is_marked: impl Fn(Value<'m>) -> bool,
    text: &str,
) -> Result<Value<'m>, Diagnostic> {
    let bodies: Vec<_> = functions.iter().copied().filter(|f| f.has_body()).collect();
    if let Some(wanted) = wanted {
        let named = |f: &&Value<'m>| f.name() == wanted || source_name(**f) == wanted;
        return match bodies.iter().filter(named).collect::<Vec<_>>().as_slice() {
            [only] => Ok(**only),
            [] => Err(unknown(functions, &bodies, wanted, text)),
            several => {
                let names: Vec<_> = several.iter().map(|f| f.name()).collect();
                let error = request(format!("there are several functions `{wanted}`"));
                Err(error.hint(format!("choose by the linker's name: {}", names.join(", "))))
            }
        };
    }
    let marked: Vec<_> = bodies.iter().copied().filter(|function| is_marked(*function)).collect();
    match marked.as_slice() {
        [] => {}
        [only] => return Ok(*only),
        several => {
            let error = request("there are several functions with `#pragma scop`".to_owned());
            return Err(error.note(listed(several)).hint("choose one with --function NAME"));
        }
    }
    let called = called(&bodies);
    let is_candidate = |f: &&Value<'m>| f.name() != "main" && !called.contains(*f) && !is_outlined(**f);
    let candidates: Vec<_> = bodies.iter().filter(is_candidate).copied().collect();
    match (bodies.as_slice(), candidates.as_slice()) {
        ([], _) => Err(Diagnostic::new(Kind::Unsupported, None, "there is no function with a body")
            .hint("give the file that defines it")),
        ([only], _) | (_, [only]) => Ok(*only),
        _ => {
            let error = request("there are several functions".to_owned());
            Err(error.note(listed(&bodies)).hint("choose one with --function NAME"))
        }
    }
}

/// Returns the name of a function in the source.
pub(crate) fn source_name(function: Value<'_>) -> String {
    let name = function.subprogram().map(|(name, _)| name).filter(|name| !name.is_empty());
    name.unwrap_or_else(|| function.name().to_owned())
}

/// Returns true for the body of a parallel loop that the compiler has moved to a function.
fn is_outlined(function: Value<'_>) -> bool {
    function.name().contains(".omp_outlined")
}

fn request(message: String) -> Diagnostic {
    Diagnostic::new(Kind::Request, None, message)
}

fn listed(bodies: &[Value<'_>]) -> String {
    let mut names: Vec<_> = bodies.iter().map(|f| source_name(*f)).collect();
    names.dedup();
    format!("the functions are `{}`", names.join("`, `"))
}

fn unknown(functions: &[Value<'_>], bodies: &[Value<'_>], wanted: &str, text: &str) -> Diagnostic {
    if functions.iter().any(|f| f.name() == wanted) {
        let error = request(format!("the function `{wanted}` has no body here"));
        return error.hint("give the file that defines it");
    }
    let error = request(format!("there is no function `{wanted}`"));
    let error = if bodies.is_empty() { error.note("there are no functions") } else { error.note(listed(bodies)) };
    match is_defined(wanted, text) {
        Some(true) => {
            let why = "it is `static` or `inline` and never called: then the compiler leaves it out";
            return error.note(why).hint("derive with -- -Dstatic= -Dinline=");
        }
        Some(false) => return error.note("it is only declared here").hint("give the file that defines it"),
        None => {}
    }
    let names: Vec<_> = bodies.iter().map(|f| source_name(*f)).collect();
    match closest(wanted, names.iter().map(String::as_str)) {
        Some(close) => error.hint(format!("did you mean `{close}`?")),
        None => error,
    }
}

/// Returns true if a function has a body in a text; `None` if the text does not mention it outside of comments.
fn is_defined(name: &str, text: &str) -> Option<bool> {
    let text = &without_comments(text);
    let mention = format!("{name}(");
    let has_body = |(start, _): (usize, &str)| {
        let mut depth = 0_i64;
        let behind = text[start + mention.len() - 1..].trim_start_matches(|c| {
            depth += i64::from(c == '(') - i64::from(c == ')');
            depth > 0 || c == ')' || c == '('
        });
        behind.trim_start().starts_with('{')
    };
    let mut mentions = text.match_indices(&mention).peekable();
    mentions.peek()?;
    Some(mentions.any(has_body))
}

/// Returns a text without its comments; what looks like one in a string is left out, too.
fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        kept.push_str(&rest[..start]);
        let end = if rest[start..].starts_with("/*") { "*/" } else { "\n" };
        let behind = rest[start + 2..].find(end).map(|length| start + 2 + length);
        rest = behind.map_or("", |behind| if end == "*/" { &rest[behind + 2..] } else { &rest[behind..] });
    }
    kept + rest
}

/// Returns the functions that are called by another function than `main` and themselves.
fn called<'m>(bodies: &[Value<'m>]) -> BTreeSet<Value<'m>> {
    let mut called = BTreeSet::new();
    for function in bodies.iter().filter(|f| f.name() != "main") {
        let instructions = function.instructions();
        called.extend(instructions.filter_map(|i| i.call()).map(|(callee, _)| callee).filter(|c| c != function));
    }
    called
}
