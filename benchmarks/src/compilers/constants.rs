//! Sources whose sizes are constants of the compiler, with one nest each.
//!
//! Compilers decide best where they know most: extents and bounds are numbers. So sizes are no arguments but constants of
//! the same names, in C of an `enum`, in MLIR of `arith.constant`.

use serde_json::{Deserializer, Value};

/// Returns a source in C in which these arguments of a function are constants; `None` if one of them is no argument of it.
pub(super) fn with_constants(text: &str, function: &str, sizes: &[(String, i64)]) -> Option<String> {
    let (start, end) = arguments(text, function)?;
    let all: Vec<&str> = text[start..end].split(',').collect();
    let is_size = |argument: &str| sizes.iter().any(|(name, _)| is_named(argument, name));
    let kept: Vec<&str> = all.iter().copied().filter(|argument| !is_size(argument)).collect();
    if all.len() - kept.len() != sizes.len() {
        return None;
    }
    let constants: Vec<String> = sizes.iter().map(|(name, size)| format!("{name} = {size}")).collect();
    let constants = if sizes.is_empty() { String::new() } else { format!("enum {{ {} }};\n", constants.join(", ")) };
    let kept = if kept.is_empty() { "void".to_owned() } else { kept.join(",") };
    Some(format!("{constants}{}{kept}{}", &text[..start], &text[end..]))
}

/// Returns the bytes of the arguments in a function's definition.
fn arguments(text: &str, function: &str) -> Option<(usize, usize)> {
    let called = format!("{function}(");
    let is_definition = |start: &usize| {
        let close = text[*start..].find(')').map(|length| start + length);
        let is_word = text[..start - called.len()].ends_with([' ', '*']);
        is_word && close.is_some_and(|close| text[close + 1..].trim_start().starts_with('{'))
    };
    let start = text.match_indices(&called).map(|(place, _)| place + called.len()).find(is_definition)?;
    Some((start, start + text[start..].find(')')?))
}

/// Returns true for an argument with this name that is no array and no pointer.
fn is_named(argument: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    !argument.contains(['[', '*']) && argument.trim_end().rsplit(|c| !is_word(c)).next() == Some(name)
}

/// Returns a source in MLIR in which these arguments are constants.
pub(super) fn with_mlir_constants(text: &str, sizes: &[(String, i64)]) -> Option<String> {
    let start = text.find("func.func")?;
    let body = start + text[start..].find("{\n")? + 2;
    let (mut head, mut constants) = (text[..body].to_owned(), String::new());
    for (name, size) in sizes {
        let argument = format!("%{name}: index");
        let place = head.find(&argument)?;
        let rest = head[place + argument.len()..].trim_start_matches([',', ' ']).to_owned();
        head = format!("{}{rest}", &head[..place]);
        constants += &format!("  %{name} = arith.constant {size} : index\n");
    }
    Some(format!("{head}{constants}{}", &text[body..]))
}

/// A loop directly in a function's body: its line, and its bytes.
#[derive(Debug, PartialEq, Eq)]
struct OutermostLoop {
    line: usize,
    start: usize,
    end: usize,
}

/// Returns copies of a source, each with the line of a loop directly in a function's body and without the other such
/// loops; `tree` is Clang's syntax tree in JSON.
pub(super) fn single_nests(text: &str, function: &str, tree: &str) -> Vec<(usize, String)> {
    let loops = outermost_loops(text, function, tree);
    let without_others = |kept: &OutermostLoop| {
        let mut bytes = text.as_bytes().to_vec();
        for other in loops.iter().filter(|other| *other != kept) {
            let blank = |byte: &mut u8| {
                if *byte != b'\n' {
                    *byte = b' '
                }
            };
            bytes[other.start..other.end].iter_mut().for_each(blank);
            bytes[other.end - 1] = b';';
        }
        Some((kept.line, String::from_utf8(bytes).ok()?))
    };
    loops.iter().filter_map(without_others).collect()
}

fn outermost_loops(text: &str, function: &str, tree: &str) -> Vec<OutermostLoop> {
    let trees = Deserializer::from_str(tree).into_iter::<Value>().filter_map(Result::ok);
    let is_definition = |tree: &Value| tree["kind"] == "FunctionDecl" && tree["name"] == function;
    let inner = |node: &Value| node["inner"].as_array().cloned().unwrap_or_default();
    let bodies =
        trees.filter(is_definition).flat_map(|tree| inner(&tree)).filter(|node| node["kind"] == "CompoundStmt");
    let nodes: Vec<Value> = bodies.flat_map(|body| inner(&body)).collect();
    nodes.iter().filter(|node| is_loop(node)).filter_map(|node| outermost_loop(text, node)).collect()
}

fn is_loop(node: &Value) -> bool {
    ["ForStmt", "WhileStmt", "DoStmt"].iter().any(|kind| node["kind"] == *kind)
}

fn outermost_loop(text: &str, node: &Value) -> Option<OutermostLoop> {
    let offset = |end: &str, key: &str| {
        let place = &node["range"][end];
        let place = if place["offset"].is_null() { &place["expansionLoc"] } else { place };
        usize::try_from(place[key].as_u64()?).ok()
    };
    let (start, end) = (offset("begin", "offset")?, offset("end", "offset")? + offset("end", "tokLen")?);
    let before = text.get(..start)?;
    (start < end && end <= text.len()).then(|| OutermostLoop { line: before.matches('\n').count() + 1, start, end })
}
