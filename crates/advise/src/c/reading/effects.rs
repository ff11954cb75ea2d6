//! Effects of expressions besides their values: calls whose effects are not known, and helper functions without any.

use std::collections::BTreeSet;

use serde_json::Value;

use super::declarations::own_variables;
use super::syntax::{begin, body_of, called, children, end, is_function, type_of};

/// The functions of the C library that only compute.
const COMPUTING: [&str; 42] = [
    "sqrt",
    "exp",
    "exp2",
    "log",
    "log2",
    "log10",
    "pow",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "fabs",
    "abs",
    "labs",
    "fmin",
    "fmax",
    "floor",
    "ceil",
    "fma",
    "fmod",
    "cbrt",
    "hypot",
    "round",
    "trunc",
    "rint",
    "nearbyint",
    "erf",
    "erfc",
    "copysign",
    "expm1",
    "log1p",
    "llabs",
    "fdim",
    "asinh",
    "acosh",
    "atanh",
];

/// The functions of the C++ library that take references and only compute.
const COMPUTING_IN_CPP: [&str; 2] = ["max", "min"];

/// The classes of the C++ library whose `[]` has no effects.
const CONTAINERS: [&str; 6] =
    ["std::vector<", "const std::vector<", "std::array<", "const std::array<", "std::span<", "const std::span<"];

/// The nodes of the syntax tree that only compute, or do what this crate reads.
const KNOWN: [&str; 33] = [
    "ArraySubscriptExpr",
    "MemberExpr",
    "DeclRefExpr",
    "IntegerLiteral",
    "FloatingLiteral",
    "CharacterLiteral",
    "CXXBoolLiteralExpr",
    "ImplicitCastExpr",
    "CStyleCastExpr",
    "CXXStaticCastExpr",
    "CXXFunctionalCastExpr",
    "ParenExpr",
    "UnaryOperator",
    "BinaryOperator",
    "CompoundAssignOperator",
    "ConditionalOperator",
    "CallExpr",
    "CXXOperatorCallExpr",
    "ConstantExpr",
    "UnaryExprOrTypeTraitExpr",
    "ExprWithCleanups",
    "MaterializeTemporaryExpr",
    "SubstNonTypeTemplateParmExpr",
    "InitListExpr",
    "ImplicitValueInitExpr",
    "IfStmt",
    "CompoundStmt",
    "ForStmt",
    "DeclStmt",
    "VarDecl",
    "NullStmt",
    "ContinueStmt",
    "CompoundLiteralExpr",
];

/// The nodes that have a reason of their own elsewhere.
const REFUSED_ELSEWHERE: [&str; 7] =
    ["WhileStmt", "DoStmt", "ReturnStmt", "BreakStmt", "GotoStmt", "SwitchStmt", "LabelStmt"];

/// Functions that are called, with the syntax trees of those that have a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Helpers {
    /// The names of the functions without effects, with the bytes of their text.
    pub(crate) pure: Vec<(String, (usize, usize))>,
    /// True for C++.
    pub(crate) is_cpp: bool,
}

/// Returns the names of the functions that a tree calls, apart from those of the libraries that only compute.
pub(crate) fn called_functions(node: &Value, names: &mut BTreeSet<String>) {
    if node["kind"] == "CallExpr" {
        names.extend(children(node).next().and_then(called).filter(|name| !computes(name)));
    }
    children(node).for_each(|child| called_functions(child, names));
}

fn computes(name: &str) -> bool {
    let name = name.trim_start_matches("__builtin_");
    COMPUTING.contains(&name) || COMPUTING.contains(&name.trim_end_matches(['f', 'l']))
}

impl Helpers {
    /// Returns the first node in a tree that may do more than compute, with the reason.
    pub(crate) fn effect<'v>(&self, node: &'v Value) -> Option<(&'v Value, String)> {
        let kind = node["kind"].as_str().unwrap_or_default();
        if type_of(node).split_whitespace().any(|word| word == "volatile") {
            return Some((node, "a volatile variable: its accesses must keep their order".to_owned()));
        }
        match kind {
            "" => {}
            "CallExpr" => {
                let name = children(node).next().and_then(called).unwrap_or_default();
                if !self.is_pure(&name) {
                    return Some((node, format!("a call of `{name}` in the loops: its effects are not known")));
                }
            }
            "CXXOperatorCallExpr" if !is_subscript_of_container(node) => {
                return Some((node, "an operator of a class in the loops: its effects are not known".to_owned()));
            }
            "CXXMemberCallExpr" | "CXXConstructExpr" | "CXXTemporaryObjectExpr" => {
                return Some((node, "a method or constructor in the loops: its effects are not known".to_owned()));
            }
            _ if KNOWN.contains(&kind) || REFUSED_ELSEWHERE.contains(&kind) || kind.ends_with("Attr") => {}
            _ => return Some((node, format!("a part of the loops is not understood here ({kind})"))),
        }
        children(node).find_map(|child| self.effect(child))
    }

    fn is_pure(&self, name: &str) -> bool {
        computes(name)
            || self.pure.iter().any(|(pure, _)| pure == name)
            || self.is_cpp && COMPUTING_IN_CPP.contains(&name)
    }

    /// Adds the functions among some that have no effects: functions of scalars that compute with their own variables.
    /// What each calls has to be among them.
    pub(crate) fn add(&mut self, functions: &[Value]) {
        loop {
            let known = self.pure.len();
            for function in functions {
                let name = function["name"].as_str().unwrap_or_default();
                if !self.pure.iter().any(|(pure, _)| pure == name) && self.is_helper(function, functions) {
                    let range = begin(function).zip(end(function)).unwrap_or_default();
                    self.pure.push((name.to_owned(), range));
                }
            }
            if self.pure.len() == known {
                return;
            }
        }
    }

    /// Returns true if a function, and each other one with its name, only computes.
    fn is_helper(&self, function: &Value, functions: &[Value]) -> bool {
        let mut same = functions.iter().filter(|other| other["name"] == function["name"]);
        same.all(|function| {
            let arguments = children(function).filter(|child| child["kind"] == "ParmVarDecl");
            let by_value = arguments.map(type_of).all(|kind| !kind.contains(['*', '[', '&', '(']));
            let Some(body) = body_of(function) else { return false };
            let own: BTreeSet<&str> = own_variables(function);
            by_value && is_value_type(type_of(function)) && self.only_computes(body, &own)
        })
    }

    /// Returns true if a body computes with its own variables and with constants.
    fn only_computes(&self, node: &Value, own: &BTreeSet<&str>) -> bool {
        let kind = node["kind"].as_str().unwrap_or_default();
        let is_fine = match kind {
            "ReturnStmt" | "" => true,
            "ForStmt" | "CXXOperatorCallExpr" | "ArraySubscriptExpr" | "MemberExpr" => false,
            "UnaryOperator" => !matches!(node["opcode"].as_str(), Some("*" | "&")),
            "VarDecl" => node["storageClass"].is_null() && !type_of(node).contains(['*', '[', '&', '(']),
            "DeclRefExpr" => {
                let declaration = &node["referencedDecl"];
                let is_own = declaration["id"].as_str().is_some_and(|id| own.contains(id));
                let is_constant = type_of(declaration).starts_with("const ");
                is_own || is_constant || ["FunctionDecl", "EnumConstantDecl"].iter().any(|k| declaration["kind"] == *k)
            }
            "CallExpr" => children(node).next().and_then(called).is_some_and(|name| self.is_pure(&name)),
            _ => KNOWN.contains(&kind),
        };
        let is_volatile = type_of(node).contains("volatile");
        is_fine && !is_volatile && children(node).all(|child| self.only_computes(child, own))
    }
}

/// Returns true if a function's type gives a number.
fn is_value_type(kind: &str) -> bool {
    let result = kind.split('(').next().unwrap_or_default();
    !result.contains(['*', '&']) && result.trim() != "void"
}

/// Returns true for `v[i]`, where v is a container of the C++ library.
fn is_subscript_of_container(node: &Value) -> bool {
    let mut parts = children(node);
    let operator = parts.next().and_then(called);
    let object = parts.next().map(type_of).unwrap_or_default();
    operator.as_deref() == Some("operator[]") && CONTAINERS.iter().any(|name| object.starts_with(name))
}

/// Returns the functions with a body and this name in a list of trees.
pub(crate) fn functions_named(documents: &[Value], name: &str) -> Vec<Value> {
    let mut found = Vec::new();
    for document in documents {
        collect_functions(document, name, &mut found);
    }
    found
}

fn collect_functions(node: &Value, name: &str, found: &mut Vec<Value>) {
    if is_function(node) && node["name"] == name && body_of(node).is_some() {
        found.push(node.clone());
    }
    let is_container = |kind: &str| ["FunctionTemplateDecl", "LinkageSpecDecl", "NamespaceDecl"].contains(&kind);
    if node["kind"].as_str().is_some_and(is_container) {
        children(node).for_each(|child| collect_functions(child, name, found));
    }
}
