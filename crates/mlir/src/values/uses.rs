//! The classification of arguments as sizes, by their uses.
//!
//! A size is a bound, a subscript, an extent, or carried by a loop; a bound or a subscript that is not a factor may be
//! assumed to be 0 or negative. An argument that is only compared is not a size but a flag or a mode: it may be 0 or
//! negative, and a branch on it is a guard. Unknown uses make a size.

use std::collections::BTreeMap;

use melior::ir::ValueLike;
use melior::ir::operation::OperationLike;
use symloc_frontend::Domain;
use symloc_frontend::uses::{self, Factor, Use};

use crate::ffi::{self, Op, Val, ValueKey, is_integer, op_results};
use crate::input::select;
use crate::ops::comparisons::Predicate;

/// The users of the values of a function and its callees.
pub(crate) struct Uses<'a> {
    users: BTreeMap<ValueKey, Vec<(Op<'a>, usize)>>,
}

impl<'a> Uses<'a> {
    /// Collects the uses in a function and its callees.
    pub(crate) fn new(function: Op<'a>) -> Self {
        let mut users: BTreeMap<ValueKey, Vec<(Op<'a>, usize)>> = BTreeMap::new();
        for op in select::with_callees(function).into_iter().flat_map(ffi::all_within) {
            for (position, operand) in op.operands().enumerate() {
                users.entry(ffi::value_key(operand)).or_default().push((op, position));
            }
        }
        Self { users }
    }

    /// Returns the domain of an argument.
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

    /// Returns the domain of a value that is a size or a bound; `None` if it is neither.
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
                // Results that are not integers are data.
                let results = op_results(op).into_iter();
                Use::PassedOn(results.filter(|result| is_integer(result.r#type())).collect(), factor(op))
            }
            _ => Use::Size,
        }
    }

    /// Returns the use of a value by a store: it may be loaded again, or be part of a shape.
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

/// Returns the use by values that are equal to it or computed from it.
fn passed_on(values: Vec<Val<'_>>) -> Use<Val<'_>> {
    Use::PassedOn(values, Factor::No)
}

/// Returns [`Factor::Yes`] for a product or quotient of values that are not constant.
fn factor(op: Op<'_>) -> Factor {
    const PRODUCTS: [&str; 4] = ["mul", "div", "rem", "shl"];
    let name = ffi::name(op);
    let is_product = name.split_once('.').is_some_and(|(_, name)| PRODUCTS.iter().any(|stem| name.contains(stem)));
    if is_product && !op.operands().any(is_constant) { Factor::Yes } else { Factor::No }
}

/// Returns true if a comparison may end an `scf.while`: passes differ in how a condition reaches the end of one.
fn may_end_a_loop(comparison: Op<'_>) -> bool {
    ffi::with_parents(comparison).skip(1).any(|op| ffi::name(op) == "scf.while")
        && !comparison.operands().any(is_constant)
}

fn is_constant(operand: Val<'_>) -> bool {
    match ffi::definition(operand) {
        ffi::Definition::Result { op } => ffi::name(op).ends_with(".constant"),
        ffi::Definition::Argument { .. } => false,
    }
}

/// Returns the use by a yield: that of a branch passes it on to the result, that of a loop makes it a size.
fn yielded<'a>(op: Op<'a>, position: usize) -> Use<Val<'a>> {
    let parent = op.parent_operation();
    let branch =
        parent.filter(|parent| matches!(ffi::name(*parent).as_str(), "affine.if" | "scf.if" | "scf.index_switch"));
    branch.map_or(Use::Size, |branch| passed_on(op_results(branch).into_iter().skip(position).take(1).collect()))
}

/// Returns the use by a call: it is passed on to the argument of the callee.
fn passed<'a>(call: Op<'a>, position: usize) -> Use<Val<'a>> {
    match ffi::text_attribute(call, "callee").and_then(|name| select::callee(call, &name)) {
        Some(callee) => passed_on(ffi::arguments(callee).into_iter().skip(position).take(1).collect()),
        None => passed_on(Vec::new()),
    }
}

/// Returns true if the operation reads its operands as unsigned.
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
    let unsigned = Predicate::of_integers(op).is_some_and(|predicate| predicate.comparison.is_unsigned());
    unsigned || UNSIGNED.contains(&ffi::name(op).as_str())
}
