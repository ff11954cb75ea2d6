//! The arithmetic of a statement: how long the next iteration waits for its result, and its divisions.

use std::collections::BTreeMap;

use melior::ir::operation::OperationLike;
use symloc_affine::ArrayId;
use symloc_frontend::characteristics::{Kind, Operation};

use super::{copied, updates};
use crate::ffi::{self, Op, OpKey, ValueKey, op_results, value_key};
use crate::ops::op_mix;

/// The cycles until the result of an operation is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Latencies {
    /// An addition, subtraction or multiplication.
    pub addition: f64,
    /// An addition or subtraction of integers.
    pub integer_addition: f64,
    /// A division.
    pub division: f64,
    /// A root, an exponential and other functions.
    pub function: f64,
    /// A minimum, a maximum or a choice between two values.
    pub choice: f64,
}

/// The arithmetic of a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StatementWork {
    /// The cycles from a value of the array that it writes to the value that is written; `None` if it reads none.
    pub latency: Option<f64>,
    /// The divisions and functions on floating-point numbers.
    pub divisions: u64,
    /// True if it is `x = x op e` for one element x, which e does not read: in exact arithmetic the order of such updates
    /// does not matter.
    pub is_update: bool,
}

/// Returns what the operations of a statement compute; `arrays` has the arrays of its accesses.
pub(super) fn work<'a>(body: &[Op<'a>], arrays: &BTreeMap<OpKey, ArrayId>, latencies: &Latencies) -> StatementWork {
    let mut found = StatementWork { is_update: updates::is_update(body), ..StatementWork::default() };
    let body = &copied::with_inner(body);
    let is_store = |op: &&Op| ffi::name(**op).ends_with(".store");
    for op in body {
        found.divisions = found.divisions.saturating_add(divisions(*op));
        // An update in place waits for its own result.
        if ffi::name(*op) == "memref.atomic_rmw" {
            found.latency = Some(found.latency.map_or(latencies.addition, |known| known.max(latencies.addition)));
        }
    }
    for store in body.iter().filter(is_store) {
        let Some(array) = arrays.get(&ffi::key(*store)) else { continue };
        let (paths, value) = (longest_paths(body, *array, arrays, latencies), store.operand(0));
        let path = value.ok().and_then(|value| paths.get(&value_key(value)).copied());
        found.latency = match (found.latency, path) {
            (Some(known), Some(path)) => Some(known.max(path)),
            (known, path) => known.or(path),
        };
    }
    found
}

/// Returns the cycles from a read of an array to each value that depends on one.
fn longest_paths(
    body: &[Op],
    array: ArrayId,
    arrays: &BTreeMap<OpKey, ArrayId>,
    latencies: &Latencies,
) -> BTreeMap<ValueKey, f64> {
    let mut paths: BTreeMap<ValueKey, f64> = BTreeMap::new();
    for op in body {
        let path = match ffi::name(*op).ends_with(".load") {
            true => (arrays.get(&ffi::key(*op)) == Some(&array)).then_some(0.0),
            false => {
                let longest = op.operands().filter_map(|operand| paths.get(&value_key(operand)).copied());
                longest.reduce(f64::max).map(|longest| longest + latency(*op, latencies))
            }
        };
        let Some(path) = path else { continue };
        paths.extend(op_results(*op).into_iter().map(|result| (value_key(result), path)));
    }
    paths
}

/// Returns the kinds of an operation with their numbers.
fn kinds(op: Op) -> Vec<(Operation, u64)> {
    let computed = op_mix::of_registers(op);
    computed.map_or_else(Vec::new, |c| c.mix.counts().map(|(typed, count)| (typed.operation, count)).collect())
}

fn latency(op: Op, latencies: &Latencies) -> f64 {
    let of = |operation: Operation| match operation {
        Operation::Integer(Kind::Add | Kind::Sub) => latencies.integer_addition,
        Operation::Float(kind) | Operation::Integer(kind) => match kind {
            Kind::Add | Kind::Sub | Kind::Mul | Kind::Fma => latencies.addition,
            Kind::Div | Kind::Rem => latencies.division,
            Kind::Elementary => latencies.function,
            Kind::MinMax => latencies.choice,
            _ if ffi::name(op) == "arith.select" => latencies.choice,
            _ => 0.0,
        },
        _ => 0.0,
    };
    kinds(op).into_iter().map(|(operation, _)| of(operation)).fold(0.0, f64::max)
}

fn divisions(op: Op) -> u64 {
    let is_division = |operation: &Operation| matches!(operation, Operation::Float(Kind::Div | Kind::Elementary));
    kinds(op).into_iter().filter(|(operation, _)| is_division(operation)).map(|(_, count)| count).sum()
}
