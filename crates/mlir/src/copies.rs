//! `memref.copy`: a nest over the elements in row-major order, each read from the source and then written to the target.

use melior::ir::operation::OperationLike;
use symloc_affine::{AccessKind, Expr, IterId, Loop, Node};
use symloc_frontend::cases::Cases;
use symloc_frontend::characteristics::Operation;

use crate::access::Need;
use crate::ffi::{Op, Val};
use crate::memory::{Extent, Memory};
use crate::refusal::Refusal;
use crate::walk::Walker;

impl<'a> Walker<'a, '_> {
    pub(crate) fn copy(&mut self, op: Op<'a>) -> Vec<Node> {
        let operands: Vec<Val<'a>> = op.operands().collect();
        let [source, target] = operands.as_slice() else {
            self.malformed(op, "has no source and target");
            return Vec::new();
        };
        let (from, to) = (self.memory_of(op, *source), self.memory_of(op, *target));
        let (Some(from), Some(to)) = (from, to) else { return Vec::new() };
        if from.extents.len() != to.extents.len() {
            self.malformed(op, "has a source and a target of different ranks");
            return Vec::new();
        }
        self.note(op, "`memref.copy` is read as loops over the elements in row-major order");
        let mut extents = Vec::new();
        for dimension in 0..from.extents.len() {
            let extent = self.copied_extent(op, &from, &to, dimension);
            extents.extend(self.report(op, "the extents of this `memref.copy` are not affine", extent));
        }
        if extents.len() < from.extents.len() {
            return Vec::new();
        }
        let nodes = self.copy_loops(&Copy { op, from, to }, &extents, &mut Vec::new());
        match self.records() {
            true => self.moved_lanes(op, &[(Operation::Load, *source), (Operation::Store, *target)], nodes),
            false => nodes,
        }
    }

    /// Both sides have the same extents; that of one side may be better known.
    fn copied_extent(
        &mut self,
        op: Op<'a>,
        from: &Memory<'a>,
        to: &Memory<'a>,
        dimension: usize,
    ) -> Result<Cases<Expr>, Refusal> {
        let known = |memory: &Memory<'a>| match memory.extents.get(dimension) {
            Some(Extent::Is(extent)) => Some(extent.clone()),
            _ => None,
        };
        if let Some(extent) = known(from).or_else(|| known(to)) {
            return Ok(extent);
        }
        let is_array = |memory: &Memory<'a>| matches!(memory.extents.get(dimension), Some(Extent::Array(_)));
        let side = if is_array(from) || !is_array(to) { from } else { to };
        self.extent(op, side, dimension, &COPY)
    }

    fn copy_loops(&mut self, copy: &Copy<'a>, extents: &[Cases<Expr>], iters: &mut Vec<IterId>) -> Vec<Node> {
        let Some((extent, inner)) = extents.split_first() else { return self.copy_element(copy, iters) };
        extent.clone().into_nodes(&mut |extent| {
            let iter = self.new_iterator(None);
            let (lower, upper) = (vec![Expr::constant(0)], vec![extent]);
            self.values.ranges.set(iter, &lower, &upper);
            iters.push(iter);
            let body = self.copy_loops(copy, inner, iters);
            iters.pop();
            vec![Node::Loop(Loop { iter, lower, upper, step: 1, body })]
        })
    }

    fn copy_element(&mut self, copy: &Copy<'a>, iters: &[IterId]) -> Vec<Node> {
        let subscripts = Cases::Always(iters.iter().map(|iter| Expr::iter(*iter)).collect::<Vec<_>>());
        let mut nodes = self.elements(copy.op, AccessKind::Read, &copy.from, &subscripts, &[]);
        // What is recorded is how often an element is copied.
        if !self.records() {
            nodes.extend(self.elements(copy.op, AccessKind::Write, &copy.to, &subscripts, &[]));
        }
        nodes
    }
}

/// A copy and the memory on its sides.
struct Copy<'a> {
    op: Op<'a>,
    from: Memory<'a>,
    to: Memory<'a>,
}

const COPY: Need = Need {
    why: "all of its elements are copied",
    unknown: "how many elements are copied is not known",
    hint: "copy memrefs whose extents are constants, arguments or results of `memref.dim`",
};
