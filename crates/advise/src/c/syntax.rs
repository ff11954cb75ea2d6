//! Clang's syntax tree (`-ast-dump=json`): places, and what is looked for in it.

use std::collections::BTreeSet;

use serde_json::Value;

/// The functions of the C library that only compute.
const COMPUTING: [&str; 30] = [
    "sqrt", "sqrtf", "exp", "expf", "log", "logf", "pow", "powf", "sin", "sinf", "cos", "cosf", "tan", "tanf", "atan",
    "atan2", "tanh", "tanhf", "fabs", "fabsf", "abs", "fmin", "fminf", "fmax", "fmaxf", "floor", "ceil", "floorf",
    "ceilf", "fma",
];

pub(crate) fn children(node: &Value) -> impl Iterator<Item = &Value> {
    node["inner"].as_array().into_iter().flatten()
}

/// Returns a place of the file: where a macro is used, if it is in one.
pub(crate) fn offset(place: &Value) -> Option<usize> {
    let place = if place["expansionLoc"].is_object() { &place["expansionLoc"] } else { place };
    place["offset"].as_u64().and_then(|offset| usize::try_from(offset).ok())
}

pub(crate) fn begin(node: &Value) -> Option<usize> {
    offset(&node["range"]["begin"])
}

/// Returns the byte after the last token of a node.
pub(crate) fn end(node: &Value) -> Option<usize> {
    let place = &node["range"]["end"];
    let token = if place["expansionLoc"].is_object() { &place["expansionLoc"]["tokLen"] } else { &place["tokLen"] };
    Some(offset(place)? + usize::try_from(token.as_u64()?).ok()?)
}

/// Returns the line and column of a byte.
pub(crate) fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..offset.min(text.len())];
    let line = before.matches('\n').count() + 1;
    (line, before.len() - before.rfind('\n').map_or(0, |newline| newline + 1) + 1)
}

/// Returns true if a statement ends with a block in brackets.
pub(crate) fn last_is_block(node: &Value) -> bool {
    match node["kind"].as_str().unwrap_or_default() {
        "CompoundStmt" => true,
        "ForStmt" | "IfStmt" => children(node).last().is_some_and(last_is_block),
        _ => false,
    }
}

pub(crate) fn collect_declared(node: &Value, declared: &mut BTreeSet<String>) {
    if node["kind"] == "VarDecl" {
        declared.extend(node["name"].as_str().map(str::to_owned));
    }
    children(node).for_each(|child| collect_declared(child, declared));
}

/// Collects the variables that statements assign to; the heads of loops do not count.
pub(crate) fn collect_assigned(node: &Value, assigned: &mut BTreeSet<String>) {
    let kind = node["kind"].as_str().unwrap_or_default();
    if kind == "ForStmt" {
        return children(node).last().into_iter().for_each(|body| collect_assigned(body, assigned));
    }
    let opcode = node["opcode"].as_str().unwrap_or_default();
    let assigns = match kind {
        "BinaryOperator" => opcode == "=",
        "UnaryOperator" => ["++", "--", "&"].contains(&opcode),
        "CompoundAssignOperator" => true,
        _ => false,
    };
    if assigns && let Some(name) = children(node).next().and_then(called) {
        assigned.insert(name);
    }
    children(node).for_each(|child| collect_assigned(child, assigned));
}

pub(crate) fn collect_uses(node: &Value, uses: &mut BTreeSet<String>) {
    uses.extend(node["referencedDecl"]["name"].as_str().map(str::to_owned));
    children(node).for_each(|child| collect_uses(child, uses));
}

pub(crate) fn has_loop(node: &Value) -> bool {
    let is_loop = |node: &Value| matches!(node["kind"].as_str(), Some("ForStmt" | "WhileStmt" | "DoStmt"));
    find(node, &is_loop).is_some()
}

pub(crate) fn has_nest(node: &Value) -> bool {
    find(node, &|node| node["kind"] == "ForStmt").is_some()
}

/// Returns the first node in a tree of which something holds.
pub(crate) fn find<'v>(node: &'v Value, holds: &impl Fn(&Value) -> bool) -> Option<&'v Value> {
    if holds(node) { Some(node) } else { children(node).find_map(|child| find(child, holds)) }
}

/// Returns a call of a function that may do more than compute, and the function's name.
pub(crate) fn unknown_call(node: &Value) -> Option<(&Value, String)> {
    if node["kind"] == "CallExpr" {
        let name = children(node).next().and_then(called).unwrap_or_default();
        if !COMPUTING.contains(&name.trim_start_matches("__builtin_")) {
            return Some((node, name));
        }
    }
    children(node).find_map(unknown_call)
}

pub(crate) fn called(node: &Value) -> Option<String> {
    let name = node["referencedDecl"]["name"].as_str().map(str::to_owned);
    name.or_else(|| children(node).next().and_then(called))
}

/// Returns an expression without casts and brackets around it.
pub(crate) fn peeled(node: &Value) -> &Value {
    match node["kind"].as_str().unwrap_or_default() {
        "ImplicitCastExpr" | "ParenExpr" | "CStyleCastExpr" | "ConstantExpr" => {
            children(node).next().map_or(node, peeled)
        }
        _ => node,
    }
}

/// Returns the operands of an expression without casts and brackets around them.
pub(crate) fn operands(node: &Value) -> Vec<&Value> {
    children(node).map(peeled).collect()
}

/// Returns the value of an integer literal.
pub(crate) fn number(node: &Value) -> Option<i64> {
    let node = peeled(node);
    match node["kind"].as_str()? {
        "IntegerLiteral" => node["value"].as_str()?.parse().ok(),
        "UnaryOperator" if node["opcode"] == "-" => number(children(node).next()?)?.checked_neg(),
        _ => None,
    }
}
