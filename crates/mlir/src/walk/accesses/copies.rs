//! `memref.copy`: a nest over the elements in row-major order, each read from the source and then written to the
//! target; and `krnl.memcpy` of onnx-mlir, if it copies whole arrays whose shapes are equal up to extents of 1.

use melior::ir::ValueLike;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::{MemRefType, ShapedTypeLike};
use symloc_affine::{AccessKind, AssumptionKind, Expr, IterId, Loop, Node};
use symloc_frontend::cases::Cases;
use symloc_frontend::characteristics::Operation;
use symloc_frontend::poly::Poly;

use super::Need;
use crate::expressions::refusal::Refusal;
use crate::ffi::{self, Op, Val};
use crate::memory::{Extent, Memory};
use crate::ops::widths::DataLayout;
use crate::walk::walker::Walker;

/// The note about a copy that is left out.
pub(crate) const ONTO_ITSELF: &str = "this `memref.copy` copies each element onto itself, so it is no access";

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
        let dimensions =
            (0..from.extents.len()).map(|dimension| Dimensions { from: dimension, to: dimension }).collect();
        let copy = Copy { op, from, to, dimensions };
        if self.is_onto_itself(&copy) {
            self.assuming(op, AssumptionKind::Lowering, ONTO_ITSELF);
            return Vec::new();
        }
        self.assuming(
            op,
            AssumptionKind::CopyOrder,
            "`memref.copy` is read as loops over the elements in row-major order",
        );
        self.copied(&copy, *source, *target)
    }

    /// Returns true if source and target are the same elements, at the same subscripts. MLIR removes such copies.
    fn is_onto_itself(&mut self, copy: &Copy<'a>) -> bool {
        if copy.from.root != copy.to.root {
            return false;
        }
        let iters: Vec<_> = copy.dimensions.iter().map(|_| self.new_iterator(copy.op, None)).collect();
        let element = Cases::Always(iters.iter().map(|iter| Expr::iter(*iter)).collect());
        let [from, to] = [&copy.from, &copy.to].map(|memory| memory.resolve(&element, &self.values.ranges));
        matches!((from, to), (Ok(from), Ok(to)) if from == to)
    }

    /// Walks a `krnl.memcpy(target, source, count, offset in the target, offset in the source)`; in older text there
    /// are no offsets, and the count is in bytes.
    pub(crate) fn memcpy(&mut self, op: Op<'a>) -> Vec<Node> {
        let operands: Vec<Val<'a>> = op.operands().collect();
        let (&[target, source, count], offsets) = operands.split_at(operands.len().min(3)) else {
            self.malformed(op, "has no target, source and count");
            return Vec::new();
        };
        let (from, to) = (self.memory_of(op, source), self.memory_of(op, target));
        let (Some(from), Some(to)) = (from, to) else { return Vec::new() };
        let is_zero = |offset: &Val<'a>| matches!(self.values.known_index(*offset), Ok(Cases::Always(offset)) if offset.as_constant() == Some(0));
        let sides = [&from, &to].map(|memory| memory.extents.iter().map(is_one).collect::<Vec<_>>());
        let [left, right] = sides.map(|ones| (0..ones.len()).filter(|d| !ones[*d]).collect::<Vec<_>>());
        if !offsets.iter().all(is_zero) || left.len() != right.len() {
            let error = self.error(op, "this `krnl.memcpy` copies parts of arrays");
            self.push_error(error.note("only whole arrays of the same shape are followed").hint("write it as loops"));
            return Vec::new();
        }
        let dimensions = left.into_iter().zip(right).map(|(from, to)| Dimensions { from, to }).collect();
        let copy = Copy { op, from, to, dimensions };
        let unit = if offsets.is_empty() { bytes_of_element(source) } else { Some(1) };
        if !unit.is_some_and(|unit| self.copies_all(&copy, count, unit)) {
            let error = self.error(op, "the number of elements that this `krnl.memcpy` copies is not known");
            self.push_error(error.note("its count is not known to be that of all elements").hint("write it as loops"));
            return Vec::new();
        }
        self.assuming(
            op,
            AssumptionKind::CopyOrder,
            "`krnl.memcpy` is read as loops over the elements in row-major order",
        );
        self.copied(&copy, source, target)
    }

    /// Returns true if the count is known to be that of all elements.
    fn copies_all(&self, copy: &Copy<'a>, count: Val<'a>, unit: i64) -> bool {
        let Ok(Cases::Always(count)) = self.values.known_index(count) else { return false };
        let side = |memory: &Memory<'a>, kept: &dyn Fn(&Dimensions) -> usize| {
            let product = copy.dimensions.iter().try_fold(Poly::constant(unit), |product, pair| {
                let Ok(Cases::Always(extent)) = self.values.extent_value(&memory.root, memory.extents.get(kept(pair))?)
                else {
                    return None;
                };
                product.product(&self.values.products.expanded(&extent).ok()?).ok()
            });
            product.is_some() && product == self.values.products.expanded(&count).ok()
        };
        side(&copy.from, &|pair| pair.from) && side(&copy.to, &|pair| pair.to)
    }

    /// Returns the loops of a copy.
    fn copied(&mut self, copy: &Copy<'a>, source: Val<'a>, target: Val<'a>) -> Vec<Node> {
        let what = format!("the extents of this `{}` are not affine", ffi::name(copy.op));
        let mut extents = Vec::new();
        for pair in &copy.dimensions {
            let extent = self.copied_extent(copy, pair);
            extents.extend(self.report(copy.op, &what, extent));
        }
        if extents.len() < copy.dimensions.len() {
            return Vec::new();
        }
        let nodes = self.copy_loops(copy, &extents, &mut Vec::new());
        match self.records() {
            true => self.moved_lanes(copy.op, &[(Operation::Load, source), (Operation::Store, target)], nodes),
            false => nodes,
        }
    }

    /// Returns an extent of a copy; both sides have the same, but it may be known of one only.
    fn copied_extent(&mut self, copy: &Copy<'a>, pair: &Dimensions) -> Result<Cases<Expr>, Refusal> {
        let (from, to) = (&copy.from, &copy.to);
        let (left, right) = (pair.from, pair.to);
        let known = |memory: &Memory<'a>, dimension: usize| match memory.extents.get(dimension) {
            Some(Extent::Is(extent)) => Some(extent.clone()),
            _ => None,
        };
        if let Some(extent) = known(from, left).or_else(|| known(to, right)) {
            return Ok(extent);
        }
        let is_array =
            |memory: &Memory<'a>, dimension: usize| matches!(memory.extents.get(dimension), Some(Extent::Array(_)));
        match is_array(from, left) || !is_array(to, right) {
            true => self.extent(copy.op, from, left, &COPY),
            false => self.extent(copy.op, to, right, &COPY),
        }
    }

    fn copy_loops(&mut self, copy: &Copy<'a>, extents: &[Cases<Expr>], iters: &mut Vec<IterId>) -> Vec<Node> {
        let Some((extent, inner)) = extents.split_first() else { return self.copy_element(copy, iters) };
        extent.clone().into_nodes(&mut |extent| {
            let iter = self.new_iterator(copy.op, None);
            let (lower, upper) = (vec![Expr::constant(0)], vec![extent]);
            self.values.ranges.set(iter, &lower, &upper);
            iters.push(iter);
            let body = self.copy_loops(copy, inner, iters);
            iters.pop();
            vec![Node::Loop(Loop { iter, lower, upper, step: 1.into(), body })]
        })
    }

    fn copy_element(&mut self, copy: &Copy<'a>, iters: &[IterId]) -> Vec<Node> {
        let subscripts = |memory: &Memory<'a>, place: &dyn Fn(&Dimensions) -> usize| {
            // Dimensions without a loop have an extent of 1.
            let mut subscripts = vec![Expr::constant(0); memory.extents.len()];
            for (pair, iter) in copy.dimensions.iter().zip(iters) {
                subscripts[place(pair)] = Expr::iter(*iter);
            }
            Cases::Always(subscripts)
        };
        let (from, to) = (subscripts(&copy.from, &|pair| pair.from), subscripts(&copy.to, &|pair| pair.to));
        let mut nodes = self.elements(copy.op, AccessKind::Read, &copy.from, &from, &[]);
        // A recorder needs one mark for each element that is copied.
        if !self.records() {
            nodes.extend(self.elements(copy.op, AccessKind::Write, &copy.to, &to, &[]));
        }
        nodes
    }
}

/// A copy and the memory on its sides.
struct Copy<'a> {
    op: Op<'a>,
    from: Memory<'a>,
    to: Memory<'a>,
    dimensions: Vec<Dimensions>,
}

/// Corresponding dimensions of source and target.
struct Dimensions {
    from: usize,
    to: usize,
}

fn bytes_of_element(memref: Val) -> Option<i64> {
    let kind = MemRefType::try_from(memref.r#type()).ok()?;
    i64::try_from(DataLayout::of(memref).element_bytes(kind.element())?).ok()
}

fn is_one(extent: &Extent) -> bool {
    matches!(extent, Extent::Is(Cases::Always(extent)) if extent.as_constant() == Some(1))
}

const COPY: Need = Need {
    why: "all of its elements are copied",
    unknown: "how many elements are copied is not known",
    hint: "copy memrefs whose extents are constants, arguments or results of `memref.dim`",
};
