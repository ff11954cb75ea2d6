//! Dynamic extents of arrays with a name in the source: operands of an allocation, results of `memref.dim`, attributes.
//!
//! They are the lengths of rows, so they are looked up once the whole source has been read. Other extents stay unknown:
//! they do not become parameters.

use melior::ir::r#type::{MemRefType, ShapedTypeLike};
use melior::ir::{AffineMap, Type, ValueLike};
use symloc_affine::{self as affine, ArrayId, Atom};
use symloc_frontend::cases::Cases;

use crate::ffi;
use crate::memory::Memory;
use crate::memory::order::Order;
use crate::walk::walker::Walker;

impl Walker<'_, '_> {
    /// Sets the dynamic extents of the arrays, in the order of memory.
    pub(crate) fn size_arrays(&mut self) {
        let known: Vec<_> = self.arrays.memories().map(|(id, memory)| (id, self.extents_of(id, memory))).collect();
        for (id, extents) in known {
            for (extent, known) in self.arrays.get_mut(id).shape.iter_mut().zip(extents.into_iter().flatten()) {
                if *extent == affine::Extent::Dynamic {
                    *extent = known.unwrap_or(affine::Extent::Dynamic);
                }
            }
        }
    }

    /// Returns the extents of an array without gaps between rows; `None` for another one.
    fn extents_of(&self, id: ArrayId, memory: &Memory) -> Option<Vec<Option<affine::Extent>>> {
        let dimensions = without_gaps(memory.declared.r#type())?;
        match self.arrays.order(id) {
            Order::Written if dimensions.is_sorted() => {}
            Order::Permuted { dimensions: ordered, apart: 1 } if *ordered == dimensions => {}
            _ => return None,
        }
        let extent = |dimension: &usize| {
            let extent = self.values.extent_value(&memory.root, memory.whole.get(*dimension)?);
            let Ok(Cases::Always(extent)) = extent else { return None };
            match extent.as_constant() {
                Some(constant) => Some(affine::Extent::Known(constant)),
                None if extent.mentions(&|atom| matches!(atom, Atom::Iter(_))) => None,
                None => Some(affine::Extent::Size(vec![extent])),
            }
        };
        Some(dimensions.iter().map(extent).collect())
    }
}

/// Returns the dimensions of a memref from the outermost in memory to the innermost, if its layout only permutes them.
fn without_gaps(kind: Type) -> Option<Vec<usize>> {
    let rank = MemRefType::try_from(kind).ok()?.rank();
    let map: AffineMap = ffi::layout_map(kind)?;
    let dimension = |index: usize| map.result(index).ok().filter(|result| result.is_dim()).map(|r| r.dim_position());
    let dimensions: Vec<usize> = (0..map.result_count()).map(dimension).collect::<Option<_>>()?;
    let all = (0..rank).all(|dimension| dimensions.contains(&dimension));
    (all && dimensions.len() == rank && map.symbol_count() == 0).then_some(dimensions)
}
