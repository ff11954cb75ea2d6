//! Loads, stores and transfers of vectors: the lanes that they touch.

use melior::ir::ValueLike;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::{MemRefType, ShapedTypeLike, TypeLike};
use symloc_affine::{AccessKind, Expr, Node};
use symloc_frontend::cases::Cases;

use crate::expressions::refusal::Refusal;
use crate::ffi::{self, Op, Val};
use crate::memory::Memory;
use crate::walk::walker::Walker;

use super::lanes::Lanes;
use super::{Need, moving};

impl<'a> Walker<'a, '_> {
    pub(crate) fn vector_access(&mut self, op: Op<'a>, kind: AccessKind) -> Vec<Node> {
        let Some((memref, indices)) = self.target(op, usize::from(kind == AccessKind::Write)) else {
            return Vec::new();
        };
        let Some(shape) = self.vector_shape(op, kind, memref) else { return Vec::new() };
        if self.records() {
            return self.moved(op, moving(kind), memref, shape.iter().fold(1, |all, &count| all.saturating_mul(count)));
        }
        let memory = self.memory_of(op, memref);
        let subscripts = self.subscripts(op, &indices);
        let (Some(memory), Some(subscripts)) = (memory, subscripts) else { return Vec::new() };
        // The vector lies along the last dimensions.
        let Some(first) = memory.extents.len().checked_sub(shape.len()) else {
            return self.refused_transfer(op, "the vector has more dimensions than the array");
        };
        let lanes = shape.iter().zip(first..).map(|(&count, along)| Lanes { count, along, extent: None, masked: None });
        self.elements(op, kind, &memory, &subscripts, &lanes.collect::<Vec<_>>())
    }

    /// Returns the accesses of `vector.maskedload` and `vector.maskedstore`: to the first lanes, as many as the mask
    /// lets through.
    pub(crate) fn masked_access(&mut self, op: Op<'a>, kind: AccessKind) -> Vec<Node> {
        let operands: Vec<Val<'a>> = op.operands().collect();
        let [memref, indices @ .., mask, vector] = operands.as_slice() else {
            self.malformed(op, "has no array");
            return Vec::new();
        };
        let Some((shape, _)) = ffi::vector_shape(vector.r#type()) else {
            return self.refused_transfer(op, "the vector's length is not constant");
        };
        let Some(first) = self.mask(op, *mask) else { return Vec::new() };
        let memory = self.memory_of(op, *memref);
        let subscripts = self.subscripts(op, indices);
        let (Some(memory), Some(subscripts)) = (memory, subscripts) else { return Vec::new() };
        let (&[count], Some(along)) = (shape.as_slice(), memory.extents.len().checked_sub(1)) else {
            return self.refused_transfer(op, "the vector has more than one dimension");
        };
        let lanes = [Lanes { count, along, extent: None, masked: first.into_iter().next() }];
        let nodes = self.elements(op, kind, &memory, &subscripts, &lanes);
        if self.records() { self.moved_lanes(op, &[(moving(kind), *memref)], nodes) } else { nodes }
    }

    pub(crate) fn transfer(&mut self, op: Op<'a>, kind: AccessKind) -> Vec<Node> {
        self.transfer_under(op, kind, None)
    }

    /// Returns the accesses of a transfer with its own mask, or under that of a `vector.mask`.
    pub(crate) fn transfer_under(&mut self, op: Op<'a>, kind: AccessKind, outer: Option<Val<'a>>) -> Vec<Node> {
        let groups = ffi::operand_groups(op);
        // read: source, indices, padding, mask; write: vector, destination, indices, mask
        let (memref, indices, mask) = match (kind, groups.as_slice()) {
            (AccessKind::Read, [memref, indices, _, mask]) | (AccessKind::Write, [_, memref, indices, mask]) => {
                (memref, indices, mask)
            }
            _ => return self.refused_transfer(op, "it has no operand segments"),
        };
        let Some(&memref) = memref.first().filter(|memref| memref.r#type().is_mem_ref()) else {
            return self.refused_transfer(op, "it is on a tensor, which has no place in memory yet");
        };
        let Some(shape) = self.vector_shape(op, kind, memref) else { return Vec::new() };
        let memory = self.memory_of(op, memref);
        let subscripts = self.subscripts(op, indices);
        let (Some(memory), Some(subscripts)) = (memory, subscripts) else { return Vec::new() };
        let Some(along) = permutation(op, shape.len()) else {
            return self.refused_transfer(op, "its permutation map is not one of dimensions");
        };
        let masks = match outer.or(mask.first().copied()) {
            Some(mask) => match self.mask(op, mask) {
                Some(masks) => masks,
                None => return Vec::new(),
            },
            None => Vec::new(),
        };
        let lanes = self.transferred(op, &memory, &shape, &along, &masks);
        match self.report(op, "the end of this transfer is not affine", lanes) {
            Some(lanes) if self.records() && lanes.iter().all(Lanes::are_all) => {
                let all = lanes.iter().fold(1, |all: u64, lanes| all.saturating_mul(lanes.count));
                self.moved(op, moving(kind), memref, all)
            }
            Some(lanes) => {
                let nodes = self.elements(op, kind, &memory, &subscripts, &lanes);
                if self.records() { self.moved_lanes(op, &[(moving(kind), memref)], nodes) } else { nodes }
            }
            None => Vec::new(),
        }
    }

    pub(crate) fn refused_transfer(&mut self, op: Op<'a>, why: &str) -> Vec<Node> {
        let error = self.error(op, format!("this `{}` is not supported", ffi::name(op)));
        self.push_error(error.note(why).hint("analyse the loops before they are vectorised"));
        self.values.refuse(op);
        Vec::new()
    }

    /// Returns the loops of a transfer: none along a dimension that broadcasts; they end with the array, unless
    /// `in_bounds` is set.
    fn transferred(
        &mut self,
        op: Op<'a>,
        memory: &Memory<'a>,
        shape: &[u64],
        along: &[Option<usize>],
        masks: &[Cases<Expr>],
    ) -> Result<Vec<Lanes>, Refusal> {
        let in_bounds = ffi::booleans(op, "in_bounds").unwrap_or_default();
        // A mask has the dimensions of the array that the vector lies along, in their order.
        let mask_dimension = |of: usize| along.iter().flatten().filter(|along| **along < of).count();
        let mut lanes = Vec::new();
        for (position, (&count, along)) in shape.iter().zip(along).enumerate() {
            let Some(along) = *along else { continue };
            let checked = !in_bounds.get(position).copied().unwrap_or(false);
            let extent = checked.then(|| self.extent(op, memory, along, &TRANSFER)).transpose()?;
            lanes.push(Lanes { count, along, extent, masked: masks.get(mask_dimension(along)).cloned() });
        }
        Ok(lanes)
    }

    /// Returns the shape of the vector that is loaded or stored; empty if it is one element of an array of vectors.
    fn vector_shape(&mut self, op: Op<'a>, kind: AccessKind, memref: Val<'a>) -> Option<Vec<u64>> {
        let vector = match kind {
            AccessKind::Read => OperationLike::result(&op, 0).map(|result| result.r#type()).ok(),
            AccessKind::Write => op.operand(0).map(|value| value.r#type()).ok(),
        };
        let element = MemRefType::try_from(memref.r#type()).ok().and_then(|kind| ffi::vector_shape(kind.element()));
        match (vector.and_then(ffi::vector_shape), element) {
            (Some((shape, of)), Some((inner, element))) if element != of || !shape.ends_with(&inner) => {
                self.no_shape(op, "the array has vectors of another shape for elements")
            }
            (Some((shape, _)), inner) => {
                let outer = shape.len() - inner.map_or(0, |(inner, _)| inner.len());
                Some(shape[..outer].to_vec())
            }
            (None, _) => self.no_shape(op, "the vector's length is not constant"),
        }
    }

    fn no_shape(&mut self, op: Op<'a>, why: &str) -> Option<Vec<u64>> {
        self.refused_transfer(op, why);
        None
    }
}

const TRANSFER: Need = Need {
    why: "elements beyond it are not touched; `in_bounds` says that there are none",
    unknown: "where the array ends is not known, and the transfer may go beyond it",
    hint: "state `in_bounds` if it does not",
};

/// Returns the dimension of the memref for each dimension of the vector, `None` for one that broadcasts.
fn permutation(op: Op, rank: usize) -> Option<Vec<Option<usize>>> {
    let map = op.attribute("permutation_map").ok().and_then(ffi::affine_map)?;
    let along = |i| {
        let result = map.result(i).ok()?;
        if result.is_constant() { Some(None) } else { result.is_dim().then(|| Some(result.dim_position())) }
    };
    // An array of vectors is transferred element by element: its vector has no dimensions here.
    (0..map.result_count().min(rank)).map(along).collect()
}
