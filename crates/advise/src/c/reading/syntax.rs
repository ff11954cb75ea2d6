//! Clang's syntax tree (`-ast-dump=json`): places, types, and what is looked for in it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::text::after_macro;

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

/// Returns the byte after the last token of a node; of a macro, after its name.
pub(crate) fn end(node: &Value) -> Option<usize> {
    let place = &node["range"]["end"];
    let token = if place["expansionLoc"].is_object() { &place["expansionLoc"]["tokLen"] } else { &place["tokLen"] };
    Some(offset(place)? + usize::try_from(token.as_u64()?).ok()?)
}

/// Returns the byte after a node in its text; a macro at its end is included with its arguments.
pub(crate) fn end_in(text: &str, node: &Value) -> Option<usize> {
    let is_macro = node["range"]["end"]["expansionLoc"].is_object();
    end(node).map(|end| if is_macro { after_macro(text, end) } else { end })
}

/// Returns the place of a node's name in the file, also in the arguments of a macro; `None` if a macro's own text has it.
pub(crate) fn spelled(place: &Value) -> Option<usize> {
    let is_argument = place["expansionLoc"]["isMacroArgExpansion"] == true;
    let place = match place["spellingLoc"].is_object() {
        true if is_argument => &place["spellingLoc"],
        true => return None,
        false => place,
    };
    place["offset"].as_u64().and_then(|offset| usize::try_from(offset).ok())
}

/// Returns the type of a node, without names for types.
pub(crate) fn type_of(node: &Value) -> &str {
    let kind = &node["type"];
    kind["desugaredQualType"].as_str().or_else(|| kind["qualType"].as_str()).unwrap_or_default()
}

/// Returns true for a function or a method.
pub(crate) fn is_function(node: &Value) -> bool {
    matches!(node["kind"].as_str(), Some("FunctionDecl" | "CXXMethodDecl"))
}

pub(crate) fn body_of(function: &Value) -> Option<&Value> {
    children(function).find(|child| child["kind"] == "CompoundStmt")
}

/// Returns true if a statement ends with a block in brackets.
pub(crate) fn last_is_block(node: &Value) -> bool {
    match node["kind"].as_str().unwrap_or_default() {
        "CompoundStmt" => true,
        "ForStmt" | "IfStmt" | "LabelStmt" => children(node).last().is_some_and(last_is_block),
        _ => false,
    }
}

pub(crate) fn collect_declared(node: &Value, declared: &mut BTreeSet<String>) {
    if node["kind"] == "VarDecl" {
        declared.extend(node["name"].as_str().map(str::to_owned));
    }
    children(node).for_each(|child| collect_declared(child, declared));
}

/// Collects the ids of the variables that are assigned to, or whose addresses are taken. The heads of `for` loops count
/// if `heads` is true.
pub(crate) fn collect_assigned(node: &Value, heads: bool, assigned: &mut BTreeSet<String>) {
    let kind = node["kind"].as_str().unwrap_or_default();
    if kind == "ForStmt" && !heads {
        return children(node).last().into_iter().for_each(|body| collect_assigned(body, heads, assigned));
    }
    let opcode = node["opcode"].as_str().unwrap_or_default();
    let assigns = match kind {
        "BinaryOperator" => opcode == "=",
        "UnaryOperator" => ["++", "--", "&"].contains(&opcode),
        "CompoundAssignOperator" => true,
        // A reference is another name of what it is made from.
        "VarDecl" => type_of(node).ends_with('&') && !type_of(node).starts_with("const "),
        _ => false,
    };
    if assigns && let Some(id) = children(node).next().map(peeled).and_then(|n| n["referencedDecl"]["id"].as_str()) {
        assigned.insert(id.to_owned());
    }
    children(node).for_each(|child| collect_assigned(child, heads, assigned));
}

pub(crate) fn collect_uses(node: &Value, uses: &mut BTreeSet<String>) {
    uses.extend(node["referencedDecl"]["name"].as_str().map(str::to_owned));
    children(node).for_each(|child| collect_uses(child, uses));
}

/// Calls a function with all nodes of a tree of a kind.
pub(crate) fn each_of<'v>(node: &'v Value, kind: &str, visit: &mut impl FnMut(&'v Value)) {
    if node["kind"] == kind {
        visit(node);
    }
    children(node).for_each(|child| each_of(child, kind, visit));
}

pub(crate) fn has_loop(node: &Value) -> bool {
    let is_loop = |node: &Value| matches!(node["kind"].as_str(), Some("ForStmt" | "WhileStmt" | "DoStmt"));
    find(node, &is_loop).is_some()
}

pub(crate) fn has_nest(node: &Value) -> bool {
    find(node, &|node| matches!(node["kind"].as_str(), Some("ForStmt" | "CXXForRangeStmt"))).is_some()
}

/// Returns the first node in a tree of which something holds.
pub(crate) fn find<'v>(node: &'v Value, holds: &impl Fn(&Value) -> bool) -> Option<&'v Value> {
    if holds(node) { Some(node) } else { children(node).find_map(|child| find(child, holds)) }
}

pub(crate) fn called(node: &Value) -> Option<String> {
    let name = node["referencedDecl"]["name"].as_str().map(str::to_owned);
    name.or_else(|| children(node).next().and_then(called))
}

/// Returns an expression without casts and brackets around it.
pub(crate) fn peeled(node: &Value) -> &Value {
    match node["kind"].as_str().unwrap_or_default() {
        "ImplicitCastExpr"
        | "ParenExpr"
        | "CStyleCastExpr"
        | "ConstantExpr"
        | "CXXStaticCastExpr"
        | "CXXFunctionalCastExpr"
        | "ExprWithCleanups"
        | "MaterializeTemporaryExpr" => children(node).next().map_or(node, peeled),
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

/// Puts statements in the places of nodes that only advise the compiler on them: `#pragma unroll`, `[[likely]]`.
pub(crate) fn remove_hints(node: &mut Value) {
    const HINTS: [&str; 3] = ["LoopHintAttr", "LikelyAttr", "UnlikelyAttr"];
    while node["kind"] == "AttributedStmt" {
        let parts = node["inner"].as_array_mut().map(std::mem::take).unwrap_or_default();
        let is_hint = |part: &Value| HINTS.iter().any(|hint| part["kind"] == *hint);
        let is_advice = parts.len() > 1 && parts[..parts.len() - 1].iter().all(is_hint);
        if !is_advice {
            node["inner"] = parts.into();
            break;
        }
        *node = parts.into_iter().next_back().unwrap_or_default();
    }
    node["inner"].as_array_mut().into_iter().flatten().for_each(remove_hints);
}
