//! Updates of one variable or element, `x += e` and `x = x + e`, from a statement's syntax tree.
//!
//! In exact arithmetic the order of such updates of x does not matter. So the sum and x have to be numbers of one kind: in
//! `int x; x += 0.5;` each update also cuts off a fraction.

use serde_json::Value;

use super::numbers::NumberKind;
use super::syntax::{begin, children, end, find, operands, peeled, type_of};

/// An update of one variable or element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceUpdate {
    /// The type of x, without names for types.
    pub kind: String,
    /// The bytes of each x in the text; none if one is in a macro, or if a condition decides whether x is touched.
    pub places: Vec<(usize, usize)>,
}

/// The operations of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UpdateKind {
    Sum,
    Product,
}

impl UpdateKind {
    fn of(opcode: &str) -> Option<Self> {
        match opcode {
            "+" | "-" | "+=" | "-=" => Some(Self::Sum),
            "*" | "*=" => Some(Self::Product),
            _ => None,
        }
    }
}

/// Returns the update that a statement is; of `if (c) x += e;` the update. `None` if it is none, or reads x in e or c.
pub(super) fn update_of(statement: &Value) -> Option<SourceUpdate> {
    let parts: Vec<&Value> = children(statement).collect();
    match (statement["kind"].as_str()?, parts.as_slice()) {
        ("CompoundStmt" | "ParenExpr" | "ExprWithCleanups", [only]) => update_of(only),
        ("IfStmt", [condition, then]) => {
            let update = update_of(then)?;
            let target = target_of(then)?;
            let is_apart = !assigns(condition) && !mentions(condition, target);
            is_apart.then(|| SourceUpdate { places: Vec::new(), ..update })
        }
        ("CompoundAssignOperator", [target, value]) => {
            UpdateKind::of(statement["opcode"].as_str()?)?;
            let kind = type_of(target);
            let result = &statement["computeResultType"];
            let result = result["desugaredQualType"].as_str().or_else(|| result["qualType"].as_str())?;
            let is_one_kind = NumberKind::of(kind)? == NumberKind::of(result)?;
            (is_one_kind && is_plain(target, value)).then(|| SourceUpdate::of(kind, &[*target]))
        }
        ("BinaryOperator", [target, value]) if statement["opcode"] == "=" => {
            let kind = type_of(target);
            NumberKind::of(kind)?;
            let (read, others) = summand(value, target)?;
            others.iter().all(|other| is_plain(target, other)).then(|| SourceUpdate::of(kind, &[*target, read]))
        }
        _ => None,
    }
}

/// Returns what the assignment in a statement assigns to.
fn target_of(statement: &Value) -> Option<&Value> {
    let is_assignment = |node: &Value| node["kind"] == "CompoundAssignOperator" || node["opcode"] == "=";
    find(statement, &is_assignment).and_then(|assignment| children(assignment).next())
}

/// Returns true if x and e have no other effects, and e does not read x.
fn is_plain(target: &Value, value: &Value) -> bool {
    !assigns(target) && !assigns(value) && !mentions(value, target)
}

/// Returns true if an expression assigns to something.
fn assigns(node: &Value) -> bool {
    let changes = |node: &Value| {
        let opcode = node["opcode"].as_str().unwrap_or_default();
        node["kind"] == "CompoundAssignOperator" || ["=", "++", "--"].contains(&opcode)
    };
    find(node, &changes).is_some()
}

fn mentions(node: &Value, target: &Value) -> bool {
    find(node, &|part| is_same(part, target)).is_some()
}

/// Returns true if two expressions have the same tree, apart from casts and brackets.
fn is_same(a: &Value, b: &Value) -> bool {
    let (a, b) = (peeled(a), peeled(b));
    let is_equal = |name: &str| a[name] == b[name];
    let (left, right) = (operands(a), operands(b));
    ["kind", "opcode", "value", "name", "isArrow", "referencedMemberDecl"].into_iter().all(is_equal)
        && a["referencedDecl"]["id"] == b["referencedDecl"]["id"]
        && left.len() == right.len()
        && left.iter().zip(&right).all(|(a, b)| is_same(a, b))
}

/// Returns the x in a sum or a product, and the other summands or factors: x is not in what a sum subtracts. `None` if
/// a conversion to another kind of number, or one that the text asks for, is between.
fn summand<'v>(value: &'v Value, target: &Value) -> Option<(&'v Value, Vec<&'v Value>)> {
    let (mut node, mut others, mut kind) = (value, Vec::new(), None);
    loop {
        let parts: Vec<&Value> = children(node).collect();
        let opcode = node["opcode"].as_str().unwrap_or_default();
        match (node["kind"].as_str()?, parts.as_slice()) {
            ("ParenExpr", [inner]) => node = *inner,
            ("ImplicitCastExpr", [inner]) if node["castKind"] == "LValueToRValue" => {
                return (kind.is_some() && is_same(inner, target)).then_some((*inner, others));
            }
            ("ImplicitCastExpr", [inner]) if node["castKind"] == "FloatingCast" => node = *inner,
            ("ImplicitCastExpr", [inner]) if node["castKind"] == "IntegralCast" => node = *inner,
            ("BinaryOperator", [left, right]) => {
                let found = UpdateKind::of(opcode)?;
                if kind.is_some_and(|kind| kind != found) {
                    return None;
                }
                kind = Some(found);
                let (inside, other) = match (mentions(left, target), mentions(right, target)) {
                    (true, false) => (left, right),
                    (false, true) if opcode != "-" => (right, left),
                    _ => return None,
                };
                others.push(*other);
                node = *inside;
            }
            _ => return None,
        }
    }
}

impl SourceUpdate {
    fn of(kind: &str, elements: &[&Value]) -> Self {
        let in_macro = |place: &Value| place["expansionLoc"].is_object() || place["spellingLoc"].is_object();
        let place = |element: &&Value| {
            let range = &element["range"];
            if in_macro(&range["begin"]) || in_macro(&range["end"]) { None } else { begin(element).zip(end(element)) }
        };
        let places: Option<Vec<_>> = elements.iter().map(place).collect();
        let mut places = places.unwrap_or_default();
        places.sort_unstable();
        Self { kind: kind.to_owned(), places }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(name: &str) -> Value {
        let read =
            serde_json::json!({"kind": "DeclRefExpr", "type": {"qualType": "double"}, "referencedDecl": {"id": name}});
        serde_json::json!({"kind": "ImplicitCastExpr", "castKind": "LValueToRValue", "inner": [read]})
    }

    fn operation(opcode: &str, left: &Value, right: &Value) -> Value {
        serde_json::json!({"kind": "BinaryOperator", "opcode": opcode, "inner": [left, right]})
    }

    fn is_update(value: &Value) -> bool {
        let x = &variable("x")["inner"][0];
        update_of(&operation("=", x, value)).is_some()
    }

    #[test]
    fn sums_and_products_with_the_variable_once_are_updates() {
        let (x, a, b) = (&variable("x"), &variable("a"), &variable("b"));
        assert!(is_update(&operation("+", x, a)) && is_update(&operation("*", a, x)));
        assert!(is_update(&operation("-", &operation("+", a, x), b)));
        assert!(!is_update(x) && !is_update(&operation("-", a, x)) && !is_update(&operation("/", x, a)));
        assert!(!is_update(&operation("+", x, &operation("*", x, a))));
        assert!(!is_update(&operation("*", &operation("+", x, a), b)));
    }

    #[test]
    fn conversions_that_cut_off_digits_are_no_part_of_an_update() {
        let (x, a) = (&variable("x"), &variable("a"));
        let sum = operation("+", x, a);
        let cast =
            |kind: &str, conversion: &str| serde_json::json!({"kind": kind, "castKind": conversion, "inner": [sum]});
        assert!(is_update(&cast("ImplicitCastExpr", "FloatingCast")));
        assert!(!is_update(&cast("CStyleCastExpr", "FloatingCast")));
        assert!(!is_update(&cast("ImplicitCastExpr", "FloatingToIntegral")));
    }
}
