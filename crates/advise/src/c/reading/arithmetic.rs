//! The arithmetic of a statement, from its syntax tree.

use serde_json::Value;

use super::numbers::NumberKind;
use super::syntax::{called, children, peeled, type_of};
use crate::arithmetic::Arithmetic;
use crate::cost::cycles::latencies;

/// Looks at a statement.
pub(super) fn arithmetic_of(statement: &Value) -> Arithmetic {
    let mut arithmetic = Arithmetic { latency: latencies::ADDITION, divisions: divisions(statement) };
    each_assignment(statement, &mut |assignment| {
        let sides: Vec<&Value> = children(assignment).collect();
        let [target, value] = sides.as_slice() else { return };
        let Some(name) = called(target) else { return };
        // Of `a += b`, the next iteration waits for a.
        let found = match assignment["kind"] == "CompoundAssignOperator" {
            true => Some(latency_of(assignment)),
            false => latency(value, &name),
        };
        arithmetic.latency = found.map_or(arithmetic.latency, |latency| arithmetic.latency.max(latency));
    });
    arithmetic
}

fn each_assignment(node: &Value, visit: &mut impl FnMut(&Value)) {
    if node["kind"] == "CompoundAssignOperator" || node["kind"] == "BinaryOperator" && node["opcode"] == "=" {
        visit(node);
    }
    children(node).for_each(|child| each_assignment(child, visit));
}

/// Returns the cycles from a read of a variable to the value of an expression; `None` if it does not read it.
fn latency(node: &Value, name: &str) -> Option<f64> {
    let node = peeled(node);
    match node["kind"].as_str().unwrap_or_default() {
        "ArraySubscriptExpr" | "DeclRefExpr" => (called(node).as_deref() == Some(name)).then_some(0.0),
        _ => {
            let longest = children(node).filter_map(|child| latency(child, name)).reduce(f64::max)?;
            Some(longest + latency_of(node))
        }
    }
}

/// Returns the cycles of one operation.
fn latency_of(node: &Value) -> f64 {
    match (node["kind"].as_str().unwrap_or_default(), node["opcode"].as_str().unwrap_or_default()) {
        (_, "/" | "/=") => latencies::DIVISION,
        (_, "+" | "-" | "+=" | "-=") if NumberKind::of(type_of(node)) == Some(NumberKind::Integer) => {
            latencies::INTEGER_ADDITION
        }
        (_, "+" | "-" | "*" | "+=" | "-=" | "*=") => latencies::ADDITION,
        ("CallExpr", _) => latencies::CALL,
        ("ConditionalOperator", _) => latencies::CHOICE,
        _ => 0.0,
    }
}

fn divisions(node: &Value) -> f64 {
    let is_floating = node["type"]["qualType"].as_str().is_some_and(|kind| ["double", "float"].contains(&kind));
    let divides = is_floating && (matches!(node["opcode"].as_str(), Some("/" | "/=")) || node["kind"] == "CallExpr");
    f64::from(u8::from(divides)) + children(node).map(divisions).sum::<f64>()
}
