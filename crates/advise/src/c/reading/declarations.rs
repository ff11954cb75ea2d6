//! Declarations of variables between loops.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::source::{LocalVariables, VariableUse};
use super::syntax::{begin, children, each_of, end_in, spelled, type_of};

/// One variable of a declaration.
pub(crate) struct DeclaredVariable<'d> {
    /// Its node.
    pub(crate) node: &'d Value,
    /// Its identity in the syntax tree.
    pub(crate) id: &'d str,
    /// Its name.
    pub(crate) name: &'d str,
    /// The type as written, without `const`.
    pub(crate) kind: String,
    /// The bytes from its beginning, or from the name if others stand in front of it, to the end of its value.
    pub(crate) range: (usize, usize),
    /// The bytes of its first value.
    pub(crate) value: Option<(usize, usize)>,
    value_text: &'d str,
}

impl DeclaredVariable<'_> {
    /// Returns the declaration of this variable alone.
    pub(crate) fn alone(&self) -> String {
        let kind = self.node["type"]["qualType"].as_str().unwrap_or_default();
        let declared = match kind.split_once("(*") {
            // The name stands in the middle: double (*row)[n].
            Some((before, after)) => format!("{before}(*{}{after}", self.name),
            None => format!("{kind} {}", self.name),
        };
        format!("{declared} = {};", self.value_text)
    }
}

/// Returns the variables of a declaration that ends at a byte; `None` if it declares something else.
pub(crate) fn declared_variables<'d>(
    text: &'d str,
    node: &'d Value,
    after: usize,
) -> Option<Vec<DeclaredVariable<'d>>> {
    let nodes: Vec<&Value> = children(node).collect();
    let mut start = begin(node)?;
    let mut found = Vec::new();
    for (place, variable) in nodes.iter().enumerate() {
        if variable["kind"] != "VarDecl" {
            return None;
        }
        let name_at = spelled(&variable["loc"])?;
        let value = children(variable).find(|child| child["kind"].as_str().is_some_and(|k| !k.ends_with("Attr")));
        let value = match value {
            Some(value) => Some((begin(value)?, end_in(text, value)?)),
            None => None,
        };
        let range = (start, if place + 1 == nodes.len() { after } else { value.map_or(name_at + 1, |(_, end)| end) });
        // A template's own name for a type, where Clang has that of the instance.
        let written = text.get(begin(node)?..spelled(&nodes[0]["loc"])?)?;
        let is_plain = nodes.len() == 1 && !written.contains("auto") && !written.contains(['*', '&', '(']);
        let kind = if is_plain { written } else { variable["type"]["qualType"].as_str()? };
        found.push(DeclaredVariable {
            node: variable,
            id: variable["id"].as_str()?,
            name: variable["name"].as_str()?,
            kind: without_const(kind),
            range,
            value,
            value_text: value.and_then(|(begin, end)| text.get(begin..end)).unwrap_or_default(),
        });
        start = range.1;
    }
    Some(found)
}

fn without_const(kind: &str) -> String {
    let words = kind.split_whitespace().filter(|word| !["const", "constexpr", "register"].contains(word));
    words.collect::<Vec<_>>().join(" ")
}

/// Returns true for the type of a pointer, a reference or a struct.
pub(crate) fn is_bound(kind: &str) -> bool {
    let kind = kind.trim_start_matches("const ");
    let words = ["char", "short", "int", "long", "float", "double", "signed", "unsigned", "bool", "_Bool", "_Float16"];
    !kind.split_whitespace().all(|word| words.contains(&word) || word == "const")
}

/// Returns all uses of variables in a tree.
pub(crate) fn variable_uses(node: &Value) -> Vec<VariableUse> {
    let mut uses = Vec::new();
    each_of(node, "DeclRefExpr", &mut |node| {
        let declaration = &node["referencedDecl"];
        if matches!(declaration["kind"].as_str(), Some("VarDecl" | "ParmVarDecl"))
            && let (Some(id), Some(name)) = (declaration["id"].as_str(), declaration["name"].as_str())
        {
            let place = spelled(&node["range"]["begin"]);
            uses.push(VariableUse { id: id.to_owned(), name: name.to_owned(), place });
        }
    });
    uses
}

/// Returns the name of a node's type, without `const`.
pub(crate) fn plain_type(node: &Value) -> &str {
    type_of(node).trim_start_matches("const ")
}

/// Returns the ids of the variables that a tree declares.
pub(crate) fn own_variables(node: &Value) -> BTreeSet<&str> {
    let mut own: BTreeSet<&str> = children(node).flat_map(own_variables).collect();
    if matches!(node["kind"].as_str(), Some("VarDecl" | "ParmVarDecl")) {
        own.extend(node["id"].as_str());
    }
    own
}

/// Collects the variables that a tree declares, by their names.
pub(crate) fn collect_locals(node: &Value, locals: &mut BTreeMap<String, LocalVariables>) {
    each_of(node, "VarDecl", &mut |variable| {
        let name = variable["name"].as_str().unwrap_or_default();
        let known: &mut LocalVariables = locals.entry(name.to_owned()).or_default();
        known.number += 1;
        known.are_arrays = type_of(variable).contains('[') && !type_of(variable).contains('*');
    });
}
