//! The heads of `for` loops.

use serde_json::Value;

use super::source::SourceLoop;
use super::syntax::{begin, called, children, number, peeled, type_of};

/// The integer types that loops may count with.
const COUNTING: [&str; 10] = [
    "int",
    "long",
    "long long",
    "unsigned int",
    "unsigned long",
    "unsigned long long",
    "short",
    "unsigned short",
    "signed char",
    "unsigned char",
];

/// Reads the head of a loop.
///
/// # Errors
///
/// The reason if it is not understood.
pub(crate) fn loop_head(node: &Value) -> Result<SourceLoop, String> {
    let parts: Vec<&Value> = children(node).collect();
    let [start, declared, condition, step, _] = parts.as_slice() else {
        return Err("this `for` lacks a part".to_owned());
    };
    if declared["kind"].is_string() {
        return Err("a variable is declared in the condition of this loop".to_owned());
    }
    let head = variable(start).ok_or("the loop does not start with one variable's value")?;
    let (step, before) = match increment(step, &head.variable) {
        Some(step) => (step, 0),
        None if step["kind"].is_null() => {
            let step = counted_in_condition(condition, &head.variable);
            let step = step.ok_or("the loop does not change its variable by a constant")?;
            (step, step)
        }
        None => return Err("the loop does not change its variable by a constant".to_owned()),
    };
    if step == 0 {
        return Err("the loop does not change its variable".to_owned());
    }
    if !COUNTING.contains(&head.kind.as_str()) {
        return Err(format!(
            "the loop counts with `{}` of type {}: declare it as an integer, such as int or size_t",
            head.variable, head.kind
        ));
    }
    Ok(SourceLoop { step, before, begin: begin(node).ok_or("its place is not known")?, ..head })
}

/// Returns the variable of a loop with its first value.
fn variable(node: &Value) -> Option<SourceLoop> {
    let text = |node: &Value, key: &str| node[key].as_str().map(str::to_owned);
    let (variable, start, declares) = match node["kind"].as_str()? {
        "DeclStmt" => {
            let mut variables = children(node);
            let variable = variables.next()?;
            if variables.next().is_some() {
                return None;
            }
            (variable, children(variable).next()?, true)
        }
        "BinaryOperator" if node["opcode"] == "=" => {
            let mut sides = children(node);
            (&sides.next()?["referencedDecl"], sides.next()?, false)
        }
        _ => return None,
    };
    Some(SourceLoop {
        variable: text(variable, "name")?,
        id: text(variable, "id")?,
        kind: type_of(variable).trim_start_matches("const ").to_owned(),
        written: text(&variable["type"], "qualType")?.trim_start_matches("const ").to_owned(),
        declares,
        step: 0,
        before: 0,
        start: start.clone(),
        begin: 0,
    })
}

/// Returns the constant by which an expression changes a variable.
fn increment(node: &Value, variable: &str) -> Option<i64> {
    let mut operands = children(node);
    let (target, value) = (operands.next()?, operands.next());
    if called(target).as_deref() != Some(variable) {
        return None;
    }
    let constant = || value.and_then(number);
    match (node["kind"].as_str()?, node["opcode"].as_str()?) {
        ("UnaryOperator", "++") => Some(1),
        ("UnaryOperator", "--") => Some(-1),
        ("CompoundAssignOperator", "+=") => constant(),
        ("CompoundAssignOperator", "-=") => constant()?.checked_neg(),
        ("BinaryOperator", "=") => {
            let sum = peeled(value?);
            let mut sides = children(sum);
            let (left, right) = (peeled(sides.next()?), peeled(sides.next()?));
            let is_variable = |side: &Value| side["referencedDecl"]["name"] == variable;
            match sum["opcode"].as_str()? {
                "+" if is_variable(left) => number(right),
                "+" if is_variable(right) => number(left),
                "-" if is_variable(left) => number(right)?.checked_neg(),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the step of `i-- > 0`: the condition changes the variable before the body runs.
fn counted_in_condition(condition: &Value, variable: &str) -> Option<i64> {
    let condition = peeled(condition);
    let changed = match condition["kind"].as_str()? {
        "BinaryOperator" => {
            let mut sides = children(condition);
            let (left, right) = (peeled(sides.next()?), sides.next()?);
            let is_zero = number(right) == Some(0) && matches!(condition["opcode"].as_str(), Some(">" | "!="));
            is_zero.then_some(left)?
        }
        _ => condition,
    };
    let is_postfix = changed["kind"] == "UnaryOperator" && changed["isPostfix"] == true;
    let is_variable = called(changed).as_deref() == Some(variable);
    (is_postfix && is_variable && changed["opcode"] == "--").then_some(-1)
}
