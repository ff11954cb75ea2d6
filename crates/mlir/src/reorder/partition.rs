//! The statements of a function: its loads and stores, with the operations that connect them.
//!
//! A *free* value is computed from induction variables, sizes and constants alone; the operation is copied to wherever
//! its value is used. Every other value depends on memory. The operations that such values connect stay together: they
//! are one statement. Statements whose accesses alternate are one as well. A branch on data is one operation here.

use std::collections::{BTreeMap, BTreeSet};

use melior::ir::operation::OperationLike;
use symloc_frontend::{Diagnostic, Kind};

use super::copied;
use super::region::{self, LoopRegion};
use crate::ffi::{self, Op, OpKey, Val, ValueKey, op_results, value_key};
use crate::input::places::Places;
use crate::ops::unsupported;

/// The operations that access one element.
pub(super) const ACCESSES: [&str; 5] =
    ["affine.load", "affine.store", "memref.load", "memref.store", "memref.atomic_rmw"];
/// Operations without an effect on memory that have another one.
const EFFECTS: [&str; 4] = ["cf.assert", "func.constant", "vector.print", "builtin.unrealized_conversion_cast"];

/// Returns true for an operation that accesses one element.
pub(super) fn is_access(op: Op) -> bool {
    ACCESSES.contains(&ffi::name(op).as_str())
}

/// Returns true for an operation that only computes its results, which may be views of arrays.
pub(super) fn is_computation(op: Op) -> bool {
    let name = ffi::name(op);
    op.result_count() > 0
        && op.region_count() == 0
        && unsupported::touches_no_memory(op)
        && !EFFECTS.contains(&name.as_str())
        && !name.starts_with("llvm.")
        && !name.starts_with("krnl.")
        && name != "memref.reshape"
}

/// Where a value of the region comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueOrigin {
    /// Computed from induction variables, sizes and constants.
    Free,
    /// Computed from memory, by a node of a block.
    Held { block: usize, node: usize },
}

/// An operation of a block that stays with those that it is connected with.
struct HeldNode<'a> {
    op: Op<'a>,
    position: usize,
    /// The node that stands for all that are connected.
    root: usize,
}

/// The statements of a function.
#[derive(Default)]
pub(crate) struct Partition<'a> {
    /// By statement, its operations, in their order.
    pub(crate) bodies: Vec<Vec<Op<'a>>>,
    /// The statement of each operation that is in one.
    pub(crate) of: BTreeMap<OpKey, usize>,
    /// Operations at the top level that go in front of the loops, in their order.
    pub(crate) ahead: Vec<Op<'a>>,
    /// Operations at the top level that go behind the loops: they free arrays.
    pub(crate) behind: Vec<Op<'a>>,
    /// All other operations at the top level.
    pub(crate) replaced: Vec<Op<'a>>,
    /// The values that are defined in the region, except for those of `ahead`.
    pub(crate) inside: BTreeSet<ValueKey>,
}

impl<'a> Partition<'a> {
    /// Finds the statements of a region; `branches` are those on data.
    pub(super) fn of(region: &LoopRegion<'a>, branches: &[Op<'a>], places: &Places) -> Result<Self, Vec<Diagnostic>> {
        let Partitioner { values, mut found, errors, .. } = Partitioner::of(region, branches, places);
        let ahead: BTreeSet<_> = found.ahead.iter().flat_map(|op| op_results(*op)).map(value_key).collect();
        found.inside = values.keys().filter(|key| !ahead.contains(key)).copied().collect();
        if errors.is_empty() { Ok(found) } else { Err(errors) }
    }
}

impl<'a> Partition<'a> {
    /// Returns the first value for which something holds that is computed from memory in one block of a region and used
    /// in another one, or behind a loop.
    pub(super) fn crossing(
        region: &LoopRegion<'a>,
        branches: &[Op<'a>],
        places: &Places,
        holds: impl Fn(Val<'a>) -> bool,
    ) -> Option<Val<'a>> {
        Partitioner::of(region, branches, places).crossings.into_iter().find(|value| holds(*value))
    }
}

struct Partitioner<'a, 'p> {
    places: &'p Places<'p>,
    /// The branches on data.
    branches: &'p [Op<'a>],
    /// The values that are defined in the region so far; all others are defined in front of it.
    values: BTreeMap<ValueKey, ValueOrigin>,
    blocks: usize,
    found: Partition<'a>,
    /// The values that are used in another block than they are computed in, or behind a loop.
    crossings: Vec<Val<'a>>,
    errors: Vec<Diagnostic>,
}

impl<'a, 'p> Partitioner<'a, 'p> {
    fn of(region: &LoopRegion<'a>, branches: &'p [Op<'a>], places: &'p Places<'p>) -> Self {
        let (values, found) = (BTreeMap::new(), Partition::default());
        let mut partitioner =
            Partitioner { places, branches, values, blocks: 0, found, crossings: Vec::new(), errors: Vec::new() };
        partitioner.block(&region.ops, true);
        partitioner.behind(&region.behind);
        partitioner
    }

    fn block(&mut self, ops: &[Op<'a>], is_top: bool) {
        let block = self.blocks;
        self.blocks += 1;
        let mut nodes: Vec<HeldNode<'a>> = Vec::new();
        let mut barriers = Vec::new();
        for (position, op) in ops.iter().enumerate() {
            let op = *op;
            if self.branches.contains(&op) {
                self.data_branch(op);
                self.held(op, position, block, &mut nodes, is_top);
            } else if region::is_structure(op) {
                self.structure(op);
                barriers.push(position);
            } else if is_access(op) || is_computation(op) {
                self.held(op, position, block, &mut nodes, is_top);
            } else if is_top && self.moves_out(op) {
                continue;
            } else {
                self.refuse(op);
            }
            if is_top && !self.found.ahead.contains(&op) {
                self.found.replaced.push(op);
            }
        }
        self.gather(&mut nodes, &barriers);
    }

    /// Visits the regions of a loop or a condition.
    fn structure(&mut self, op: Op<'a>) {
        if let Some(result) = op_results(op).first() {
            let name = self.places.describe(*result);
            let why = format!(
                "{name}: a value that a loop or a branch passes on is in no memory, so orders of loops would lose it"
            );
            let error = self.error(op, format!("`{}` has a result", ffi::name(op))).note(why);
            self.errors.push(error.hint("compute it from the induction variables, or keep it in an array"));
        }
        for operand in op.operands() {
            if matches!(self.origin(operand), ValueOrigin::Held { .. }) {
                let message = format!(
                    "{}: whether or how often the body of this `{}` runs depends on a value that is read between the loops",
                    self.places.describe(operand),
                    ffi::name(op)
                );
                let error = self.error(op, message);
                self.errors.push(error.hint("read it in front of all loops"));
            }
        }
        for region in ffi::regions(op) {
            for argument in ffi::region_arguments(region) {
                self.values.insert(value_key(argument), ValueOrigin::Free);
            }
            self.block(&region::body(region), false);
        }
    }

    /// Returns true for an operation that accesses memory.
    fn touches(&self, op: Op<'a>) -> bool {
        is_access(op) || self.branches.contains(&op)
    }

    /// Checks that a branch on data has loads, stores and computations only.
    fn data_branch(&mut self, op: Op<'a>) {
        for inner in ffi::all_within(op) {
            let is_branch = region::is_structure(inner) && !region::is_loop(inner);
            let is_end = ffi::name(inner).ends_with(".yield");
            if region::is_loop(inner) {
                let error = self.error(inner, "whether this loop runs depends on data");
                self.errors.push(error.hint("put the condition into the loop"));
            } else if !is_access(inner) && !is_computation(inner) && !is_branch && !is_end {
                self.refuse(inner);
            }
        }
    }

    /// Adds an access or a computation to its block.
    fn held(&mut self, op: Op<'a>, position: usize, block: usize, nodes: &mut Vec<HeldNode<'a>>, is_top: bool) {
        let mut connected = Vec::new();
        for operand in copied::captured(op) {
            match self.origin(operand) {
                ValueOrigin::Free => {}
                ValueOrigin::Held { block: other, node } if other == block => connected.push(node),
                ValueOrigin::Held { .. } => {
                    self.crossing(op, operand);
                    // The error is reported once.
                    self.values.insert(value_key(operand), ValueOrigin::Free);
                }
            }
        }
        if connected.is_empty() && !self.touches(op) {
            op_results(op).into_iter().for_each(|result| {
                self.values.insert(value_key(result), ValueOrigin::Free);
            });
            if is_top {
                self.found.ahead.push(op);
            }
            return;
        }
        let node = nodes.len();
        nodes.push(HeldNode { op, position, root: node });
        for other in connected {
            let (old, new) = (nodes[other].root, nodes[node].root);
            nodes.iter_mut().filter(|node| node.root == old).for_each(|node| node.root = new);
        }
        for result in op_results(op) {
            self.values.insert(value_key(result), ValueOrigin::Held { block, node });
        }
    }

    /// Returns true for an operation at the top level that goes in front of all loops or behind them.
    fn moves_out(&mut self, op: Op<'a>) -> bool {
        let is_free = op.operands().all(|operand| self.origin(operand) == ValueOrigin::Free);
        match ffi::name(op).as_str() {
            "memref.alloc" | "memref.alloca" if is_free => {
                op_results(op).into_iter().for_each(|result| {
                    self.values.insert(value_key(result), ValueOrigin::Free);
                });
                self.found.ahead.push(op);
                true
            }
            "memref.dealloc" if is_free => {
                self.found.behind.push(op);
                true
            }
            _ => false,
        }
    }

    fn origin(&self, value: Val<'a>) -> ValueOrigin {
        self.values.get(&value_key(value)).copied().unwrap_or(ValueOrigin::Free)
    }

    /// Makes statements of the nodes of a block: those that are connected, and those whose accesses alternate.
    fn gather(&mut self, nodes: &mut [HeldNode<'a>], barriers: &[usize]) {
        let mut spans: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for node in nodes.iter().filter(|node| self.touches(node.op)) {
            let span = spans.entry(node.root).or_insert((node.position, node.position));
            span.1 = node.position;
        }
        let mut spans: Vec<(usize, (usize, usize))> = spans.into_iter().collect();
        spans.sort_by_key(|(_, span)| *span);
        let mut groups: Vec<(Vec<usize>, (usize, usize))> = Vec::new();
        for (root, span) in spans {
            match groups.last_mut() {
                Some((roots, before)) if span.0 < before.1 => {
                    roots.push(root);
                    before.1 = before.1.max(span.1);
                }
                _ => groups.push((vec![root], span)),
            }
        }
        for (roots, (first, last)) in groups {
            let ops: Vec<Op<'a>> = nodes.iter().filter(|node| roots.contains(&node.root)).map(|node| node.op).collect();
            if barriers.iter().any(|barrier| (first..last).contains(barrier))
                && let Some(op) = ops.iter().find(|op| self.touches(**op))
            {
                let message = "a value is read here in front of a loop, and used behind it";
                let error = self.error(*op, message).note("orders of loops would lose it, because it is in no memory");
                self.crossings.extend(across(&ops, nodes, barriers));
                self.errors.push(error.hint("read the value behind the loop, or keep it in an array of one element"));
            }
            let statement = self.found.bodies.len();
            self.found.of.extend(copied::with_inner(&ops).into_iter().map(|op| (ffi::key(op), statement)));
            self.found.bodies.push(ops);
        }
    }

    /// Checks that no value of the region is used behind it.
    fn behind(&mut self, ops: &[Op<'a>]) {
        for op in ops.iter().flat_map(|op| std::iter::once(*op).chain(ffi::all_within(*op))) {
            for operand in op.operands() {
                if matches!(self.origin(operand), ValueOrigin::Held { .. }) {
                    self.crossing(op, operand);
                }
            }
        }
    }

    fn crossing(&mut self, op: Op<'a>, operand: Val<'a>) {
        self.crossings.push(operand);
        let name = self.places.describe(operand);
        let message =
            format!("{name} is read or computed outside of the loop or branch that this `{}` is in", ffi::name(op));
        let error = self.error(op, message).note("orders of loops would lose it, because it is in no memory");
        self.errors.push(error.hint("read it again where it is used"));
    }

    fn refuse(&mut self, op: Op<'a>) {
        let name = ffi::name(op);
        let (why, hint) = match name.as_str() {
            "func.call" => ("a call between the loops: its effects are not known", "inline it: --passes inline"),
            "memref.alloc" | "memref.alloca" => {
                ("an array is allocated in a loop", "allocate it in front of the loops")
            }
            "memref.dealloc" => ("an array is freed in a loop", "free it behind the loops"),
            "memref.copy" => ("a copy of a whole array between the loops", "write it as loops"),
            _ if region::is_other_loop(op) => {
                ("only `affine.for` and `scf.for` are reordered", "write it as `affine.for`")
            }
            _ if name.starts_with("vector.") || name.starts_with("affine.vector") => {
                ("it accesses several elements at once", "reorder the loops before they are vectorised")
            }
            _ => ("its place in a new order is not known", "take it out of the loops"),
        };
        let error = self.error(op, format!("this `{name}` cannot be moved: {why}"));
        self.errors.push(error.hint(hint));
        op_results(op).into_iter().for_each(|result| {
            self.values.insert(value_key(result), ValueOrigin::Free);
        });
    }

    fn error(&self, op: Op<'a>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Kind::Unsupported, self.places.of(op), message)
    }
}

/// Returns the values of operations that are used behind a loop in their block.
fn across<'a>(ops: &[Op<'a>], nodes: &[HeldNode<'a>], barriers: &[usize]) -> Vec<Val<'a>> {
    let position = |op: Op<'a>| nodes.iter().find(|node| node.op == op).map(|node| node.position);
    let defined = |value: Val<'a>| match ffi::definition(value) {
        ffi::Definition::Result { op } => position(op),
        ffi::Definition::Argument { .. } => None,
    };
    let is_across = |first: usize, last: usize| barriers.iter().any(|barrier| (first..last).contains(barrier));
    let of = |op: &Op<'a>| {
        let used = position(*op);
        let across = copied::captured(*op)
            .into_iter()
            .filter(move |value| defined(*value).zip(used).is_some_and(|(d, u)| is_across(d, u)));
        across.collect::<Vec<_>>()
    };
    ops.iter().flat_map(of).collect()
}
