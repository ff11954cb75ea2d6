//! Masks of vectors: the number of lanes that they let through, and `vector.mask`, which applies one to an operation.

use melior::ir::operation::OperationLike;
use symloc_affine::{AccessKind, Expr, Node};
use symloc_frontend::cases::Cases;

use crate::ffi::{self, Definition, Op, Val, definition};
use crate::ops::op_mix;
use crate::ops::unsupported;
use crate::walk::walker::Walker;

impl<'a> Walker<'a, '_> {
    /// Returns the number of lanes that a mask lets through along each of its dimensions; they are the first ones.
    pub(crate) fn mask(&mut self, op: Op<'a>, mask: Val<'a>) -> Option<Vec<Cases<Expr>>> {
        let Definition::Result { op: maker } = definition(self.values.passed(mask)) else { return self.unknown(op) };
        match ffi::name(maker).as_str() {
            "vector.create_mask" => {
                let sizes = maker.operands().map(|size| {
                    let size = self.values.index(size);
                    self.report(op, "the number of elements that the mask selects is not affine", size)
                });
                sizes.collect()
            }
            "vector.constant_mask" => {
                let sizes = ffi::integers(maker, "mask_dim_sizes")?;
                Some(sizes.into_iter().map(|size| Cases::Always(Expr::constant(size))).collect())
            }
            _ => self.unknown(op),
        }
    }

    fn unknown<T>(&mut self, op: Op<'a>) -> Option<T> {
        self.refused_transfer(op, "its mask depends on data");
        None
    }

    /// Walks the operation in a `vector.mask`, under the mask, as `lower-vector-mask` lowers it.
    pub(crate) fn under_mask(&mut self, op: Op<'a>) -> Vec<Node> {
        let mask = op.operand(0).ok();
        let inner = ffi::regions(op).into_iter().flat_map(ffi::operations);
        let inner: Vec<_> = inner.filter(|op| ffi::name(*op) != "vector.yield").collect();
        let nodes = match inner.as_slice() {
            [] => Vec::new(),
            &[inner] => match ffi::name(inner).as_str() {
                "vector.transfer_read" => self.transfer_under(inner, AccessKind::Read, mask),
                "vector.transfer_write" => self.transfer_under(inner, AccessKind::Write, mask),
                _ if unsupported::touches_no_memory(inner) => self.computed_under_mask(inner),
                name => {
                    self.refuse(inner, name);
                    Vec::new()
                }
            },
            _ => {
                self.malformed(op, "has several operations under its mask");
                Vec::new()
            }
        };
        self.values.define(op);
        nodes
    }

    /// Walks a computation under a mask. The number of active lanes is not used: floating-point operations are unknown,
    /// and basic blocks count all lanes.
    fn computed_under_mask(&mut self, op: Op<'a>) -> Vec<Node> {
        if self.records() {
            self.note(op, format!("`{}` under a mask counts for all lanes", ffi::name(op)));
            return self.registers(op);
        }
        self.counted(op, op_mix::flops(op).filter(|flops| *flops == 0))
    }
}
