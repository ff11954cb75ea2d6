//! The extents of the loops over a block of memory whose number of elements is a product of sizes.
//!
//! The product does not tell which of its factors is the length of a row: the other accesses to the block do. The size of
//! an innermost dimension is part of the strides of all others, that of the outermost one of none.

use std::collections::BTreeSet;

use symloc_affine::{Atom, Expr, ParamId};
use symloc_frontend::delinearize::Stride;
use symloc_frontend::poly::{Poly, is_row_mark};

use crate::ir::ffi::Value;
use crate::memory::base_objects::RootId;
use crate::walk::walker::{ProductBlock, Walker};

impl<'m> Walker<'m, '_> {
    /// Returns the extents of the loops over a number of elements, outermost first; `None` if it is neither affine nor a
    /// product of sizes and sums of them.
    pub(crate) fn extents(&mut self, call: Value<'m>, count: &Poly, roots: Vec<RootId>) -> Option<Vec<Expr>> {
        let sums = self.values.factors.iter().cloned();
        let sizes: BTreeSet<ParamId> = count.terms().flat_map(|(sizes, _)| sizes.iter().copied()).collect();
        let candidates: Vec<Expr> = sums.chain(sizes.into_iter().map(Expr::param)).collect();
        let found = factors(count, &candidates)?;
        let known = self.blocks.iter().find(|block| block.call == call && sorted(&block.extents) == sorted(&found));
        let extents = known.map_or(found, |block| block.extents.clone());
        if extents.len() > 1 && known.is_none() {
            self.blocks.push(ProductBlock { call, roots, extents: extents.clone() });
        }
        Some(extents)
    }

    /// Orders the extents of blocks by the accesses of the walk; returns true if the walk used another order.
    pub(crate) fn order_blocks(&mut self) -> bool {
        let mut blocks = std::mem::take(&mut self.blocks);
        let mut is_other = false;
        for block in &mut blocks {
            let is_single = |at: Value<'m>| at.call().is_none();
            let of_block = self.raising.accesses.iter().filter(|a| block.roots.contains(&a.pointer.root));
            let steps = of_block.filter(|access| is_single(access.at)).flat_map(|a| a.pointer.offset.steps.keys());
            let strides: BTreeSet<&Stride> = steps.collect();
            let mut ordered = block.extents.clone();
            ordered.sort_by_key(|extent| occurrences(extent, &strides));
            is_other |= ordered != block.extents;
            block.extents = ordered;
        }
        self.blocks = blocks;
        is_other
    }
}

fn sorted(extents: &[Expr]) -> Vec<Expr> {
    let mut sorted = extents.to_vec();
    sorted.sort();
    sorted
}

/// Returns the number of strides that a size of an extent is part of; a constant is an inner extent.
fn occurrences(extent: &Expr, strides: &BTreeSet<&Stride>) -> usize {
    let sizes = |stride: &&&Stride| {
        stride.sizes.iter().any(|size| !is_row_mark(*size) && extent.mentions(&|atom| *atom == Atom::Param(*size)))
    };
    match extent.as_constant() {
        Some(_) => usize::MAX,
        None => strides.iter().filter(sizes).count(),
    }
}

/// Splits a product into affine factors, by dividing it by candidates.
fn factors(count: &Poly, candidates: &[Expr]) -> Option<Vec<Expr>> {
    if let Some(last) = count.affine() {
        return Some(vec![last]);
    }
    candidates.iter().find_map(|candidate| {
        let rest = factors(&count.quotient(candidate)?, candidates)?;
        Some([vec![candidate.clone()], rest].concat())
    })
}
