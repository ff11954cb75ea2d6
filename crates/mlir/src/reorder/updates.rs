//! Statements that update one element, `x = x op e`: in exact arithmetic their order does not matter.

use melior::ir::operation::OperationLike;

use super::copied;
use crate::ffi::{self, Definition, Op, Val, definition, op_results, value_key};

/// An operation by which an element is updated: in a chain of one of them the order does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UpdateKind {
    Sum,
    Product,
    /// A maximum or minimum: each has operations that treat NaN differently.
    Extreme(&'static str),
}

const EXTREMES: [&str; 8] = [
    "arith.maximumf",
    "arith.minimumf",
    "arith.maxnumf",
    "arith.minnumf",
    "arith.maxsi",
    "arith.minsi",
    "arith.maxui",
    "arith.minui",
];

impl UpdateKind {
    /// Returns the kind of an operation, and the places of the operands that may be the element.
    fn of(name: &str) -> Option<(Self, &'static [usize])> {
        match name {
            "arith.addf" | "arith.addi" => Some((Self::Sum, &[0, 1])),
            "arith.subf" | "arith.subi" => Some((Self::Sum, &[0])),
            "math.fma" => Some((Self::Sum, &[2])),
            "arith.mulf" | "arith.muli" => Some((Self::Product, &[0, 1])),
            _ => EXTREMES.iter().find(|known| **known == name).map(|known| (Self::Extreme(known), &[0, 1][..])),
        }
    }
}

/// Returns true if a statement loads an element, combines it with other values by one kind of operation, and stores the
/// result to the same element, and if it uses the element for nothing else.
pub(super) fn is_update<'a>(body: &[Op<'a>]) -> bool {
    let body = copied::with_inner(body);
    let mut stores = body.iter().copied().filter(|op| ffi::name(*op).ends_with(".store"));
    let (Some(store), None) = (stores.next(), stores.next()) else { return false };
    let Ok(mut value) = store.operand(0) else { return false };
    let mut kind = None;
    loop {
        let Definition::Result { op } = definition(value) else { return false };
        // What is used twice is read in e as well.
        if op_results(op).len() != 1 || uses(&body, value) != 1 {
            return false;
        }
        let name = ffi::name(op);
        if name.ends_with(".load") {
            return kind.is_some() && is_same_element(op, store);
        }
        let Some((found, places)) = UpdateKind::of(&name) else { return false };
        let operands = places.iter().filter_map(|place| op.operand(*place).ok());
        let held: Vec<Val<'a>> = operands.filter(|operand| reaches(&body, *operand, store)).collect();
        match held.as_slice() {
            [only] if kind.is_none_or(|kind| kind == found) => value = *only,
            _ => return false,
        }
        kind = Some(found);
    }
}

/// Returns the number of operands of operations that are a value.
fn uses<'a>(body: &[Op<'a>], value: Val<'a>) -> usize {
    let key = value_key(value);
    body.iter().flat_map(|op| op.operands()).filter(|operand| value_key(*operand) == key).count()
}

/// Returns true if a value is computed from the element of a store.
fn reaches<'a>(body: &[Op<'a>], value: Val<'a>, store: Op<'a>) -> bool {
    let Definition::Result { op } = definition(value) else { return false };
    if !body.contains(&op) {
        return false;
    }
    match ffi::name(op).ends_with(".load") {
        true => is_same_element(op, store),
        false => op.operands().any(|operand| reaches(body, operand, store)),
    }
}

/// Returns true if a load reads the element that a store writes: they have the same array, subscripts and map.
fn is_same_element<'a>(load: Op<'a>, store: Op<'a>) -> bool {
    let dialect = |op| ffi::name(op).split('.').next().map(str::to_owned);
    let read = load.operands().map(value_key);
    let written = store.operands().skip(1).map(value_key);
    dialect(load) == dialect(store) && read.eq(written) && load.attribute("map").ok() == store.attribute("map").ok()
}
