//! `memref.reshape`: the extents of a view are read from its shape, which is in memory.

use melior::ir::ValueLike;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::{MemRefType, ShapedTypeLike};
use symloc_affine::{AccessKind, Expr, Node};
use symloc_frontend::cases::Cases;
use symloc_frontend::characteristics::Operation;

use crate::ffi::{Op, Val};
use crate::memory;
use crate::walk::walker::Walker;

impl<'a> Walker<'a, '_> {
    /// Reads the extents of a view from its shape, the last one first, as MLIR's lowering of `memref.reshape` does. Constant
    /// extents are not read.
    pub(crate) fn reshape(&mut self, op: Op<'a>) -> Vec<Node> {
        self.values.define(op);
        let (Some(result), Ok(shape)) = (op.results().next().map(Val::from), op.operand(1)) else { return Vec::new() };
        let Ok(kind) = MemRefType::try_from(result.r#type()) else { return Vec::new() };
        let dynamic = (0..kind.rank()).rev().filter(|dimension| memory::constant_extent(kind, *dimension).is_none());
        let dynamic: Vec<_> = dynamic.collect();
        if self.records() {
            return dynamic.iter().flat_map(|_| self.moved(op, Operation::Load, shape, 1)).collect();
        }
        let read = |dimension: usize| Cases::Always(vec![Expr::constant(i64::try_from(dimension).unwrap_or(i64::MAX))]);
        let memory = if dynamic.is_empty() { None } else { self.memory_of(op, shape) };
        let Some(memory) = memory else { return Vec::new() };
        let reads = dynamic
            .into_iter()
            .flat_map(|dimension| self.elements(op, AccessKind::Read, &memory, &read(dimension), &[]));
        reads.collect()
    }
}
