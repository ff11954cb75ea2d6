//! What arguments are used for: sizes, or nothing but branches.
//!
//! A size is a bound, a subscript, an extent, or what a loop carries; a bound or a subscript that is multiplied by nothing may be
//! assumed to be 0 or negative. An argument that is compared and nothing else is none: a flag, a mode. It may be 0 or negative, and a branch on it is a guard. What is not known here makes a size.

use std::collections::BTreeMap;

use melior::ir::ValueLike;
use melior::ir::operation::OperationLike;
use symloc_frontend::Domain;
use symloc_frontend::uses::{self, Factor, Use};

use crate::ffi::{self, Op, Val, ValueKey, is_integer, op_results};
use crate::select;

/// Which operations use which values, in a function and in those that it calls.
pub(crate) struct Uses<'a> {
    users: BTreeMap<ValueKey, Vec<(Op<'a>, usize)>>,
}

impl<'a> Uses<'a> {
    /// Looks through a function.
    pub(crate) fn new(function: Op<'a>) -> Self {
        let mut users: BTreeMap<ValueKey, Vec<(Op<'a>, usize)>> = BTreeMap::new();
        for op in select::with_callees(function).into_iter().flat_map(ffi::all_within) {
            for (position, operand) in op.operands().enumerate() {
                users.entry(ffi::value_key(operand)).or_default().push((op, position));
            }
        }
        Self { users }
    }

    /// Returns which values an argument may have.
    pub(crate) fn domain(&self, argument: Val<'a>) -> Domain {
        if let Some(size) = self.size(argument) {
            size
        } else if self.of(argument).any(|(op, _)| is_unsigned(op)) {
            Domain::Natural
        } else {
            Domain::Any
        }
    }

    fn of(&self, value: Val<'a>) -> impl Iterator<Item = (Op<'a>, usize)> {
        self.users.get(&ffi::value_key(value)).into_iter().flatten().copied()
    }

    /// Returns whether a value is a size or a bound, if it is one of them.
    fn size(&self, value: Val<'a>) -> Option<Domain> {
        let uses = |value| self.of(value).map(|(op, position)| self.used(op, position)).collect();
        uses::size(value, |value| ffi::value_key(*value), uses)
    }

    fn used(&self, op: Op<'a>, position: usize) -> Use<Val<'a>> {
        const BRANCHES: [&str; 5] = ["affine.if", "scf.if", "scf.index_switch", "cf.assert", "func.return"];
        const STORES: [&str; 2] = ["memref.store", "affine.store"];
        let name = ffi::name(op);
        match name.as_str() {
            _ if BRANCHES.contains(&name.as_str()) => passed_on(Vec::new()),
            _ if STORES.contains(&name.as_str()) && position == 0 => self.stored(op),
            "arith.cmpi" | "index.cmp" if may_end_a_loop(op) => Use::Bound,
            "affine.for" | "affine.load" | "memref.load" => Use::Bound,
            "scf.for" if position < 2 => Use::Bound,
            _ if STORES.contains(&name.as_str()) && position > 1 => Use::Bound,
            "arith.cmpi" | "index.cmp" => passed_on(Vec::new()),
            "arith.select" if position == 0 => passed_on(Vec::new()),
            "scf.yield" | "affine.yield" => yielded(op, position),
            "func.call" => passed(op, position),
            "affine.apply" | "affine.min" | "affine.max" => passed_on(op_results(op)),
            _ if name.starts_with("arith.") || name.starts_with("index.") => {
                // What is no integer is data.
                let results = op_results(op).into_iter();
                Use::PassedOn(results.filter(|result| is_integer(result.r#type())).collect(), factor(op))
            }
            _ => Use::Size,
        }
    }

    /// Returns what becomes of a value that is stored: it may be loaded again, or be part of a shape.
    fn stored(&self, store: Op<'a>) -> Use<Val<'a>> {
        let Ok(array) = store.operand(1) else { return Use::Size };
        let mut loaded = Vec::new();
        for (op, _) in self.of(array) {
            match ffi::name(op).as_str() {
                "memref.reshape" => return Use::Size,
                "memref.load" | "affine.load" => loaded.extend(op_results(op)),
                _ => {}
            }
        }
        passed_on(loaded)
    }
}

/// Returns the use by values that are computed from one, or are it.
fn passed_on(values: Vec<Val<'_>>) -> Use<Val<'_>> {
    Use::PassedOn(values, Factor::No)
}

/// Returns whether an operation multiplies or divides what are no constants.
fn factor(op: Op<'_>) -> Factor {
    const PRODUCTS: [&str; 4] = ["mul", "div", "rem", "shl"];
    let name = ffi::name(op);
    let is_product = name.split_once('.').is_some_and(|(_, name)| PRODUCTS.iter().any(|stem| name.contains(stem)));
    if is_product && !op.operands().any(is_constant) { Factor::Yes } else { Factor::No }
}

/// May a comparison say whether an `scf.while` goes on? In which way conditions of one get to its end is up to passes.
fn may_end_a_loop(comparison: Op<'_>) -> bool {
    let mut around = std::iter::successors(comparison.parent_operation(), |op| op.parent_operation());
    around.any(|op| ffi::name(op) == "scf.while") && !comparison.operands().any(is_constant)
}

fn is_constant(operand: Val<'_>) -> bool {
    match ffi::definition(operand) {
        ffi::Definition::Result { op } => ffi::name(op).ends_with(".constant"),
        ffi::Definition::Argument { .. } => false,
    }
}

/// What a branch yields is its result; what a loop yields differs from iteration to iteration.
fn yielded<'a>(op: Op<'a>, position: usize) -> Use<Val<'a>> {
    let parent = op.parent_operation();
    let branch =
        parent.filter(|parent| matches!(ffi::name(*parent).as_str(), "affine.if" | "scf.if" | "scf.index_switch"));
    branch.map_or(Use::Size, |branch| passed_on(op_results(branch).into_iter().skip(position).take(1).collect()))
}

/// The argument of the function that is called.
fn passed<'a>(call: Op<'a>, position: usize) -> Use<Val<'a>> {
    match ffi::text_attribute(call, "callee").and_then(|name| select::callee(call, &name)) {
        Some(callee) => passed_on(ffi::arguments(callee).into_iter().skip(position).take(1).collect()),
        None => passed_on(Vec::new()),
    }
}

/// Are the operands read as unsigned numbers?
fn is_unsigned(op: Op<'_>) -> bool {
    const UNSIGNED: [&str; 13] = [
        "arith.ceildivui",
        "arith.divui",
        "arith.extui",
        "arith.index_castui",
        "arith.maxui",
        "arith.minui",
        "arith.remui",
        "arith.shrui",
        "index.castu",
        "index.ceildivu",
        "index.divu",
        "index.remu",
        "index.shru",
    ];
    let unsigned = crate::comparisons::predicate(op).is_some_and(|(comparison, _)| comparison.is_unsigned());
    unsigned || UNSIGNED.contains(&ffi::name(op).as_str())
}
