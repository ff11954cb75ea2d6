//! The forms of a nest whose loops are permuted: as written, and with its statements in loops of their own.
//!
//! Loops are permuted within a *chain*: loops directly in each other, around the same statements.

use std::collections::BTreeSet;

use symloc_affine::IterId;
use symloc_schedule::{Band, OrderTree, Scop};

/// Returns a tree with the loops of each chain in one band.
pub(super) fn with_chains(tree: &OrderTree) -> OrderTree {
    match tree {
        OrderTree::Leaf => OrderTree::Leaf,
        OrderTree::Sequence(parts) => {
            OrderTree::Sequence(parts.iter().map(|(part, order)| (part.clone(), with_chains(order))).collect())
        }
        OrderTree::Band(band) => {
            let band = band.with_loops_below();
            OrderTree::Band(Band { child: Box::new(with_chains(&band.child)), ..band })
        }
    }
}

/// Returns the chains of a tree, outer ones before those in them.
pub(super) fn chains(tree: &OrderTree) -> Vec<&Band> {
    match tree {
        OrderTree::Leaf => Vec::new(),
        OrderTree::Sequence(parts) => parts.iter().flat_map(|(_, order)| chains(order)).collect(),
        OrderTree::Band(band) => std::iter::once(band).chain(chains(&band.child)).collect(),
    }
}

/// Returns a tree with its chains permuted: `permutations` has those of [`chains`], in the same sequence.
pub(super) fn permuted<'p>(tree: &OrderTree, permutations: &mut impl Iterator<Item = &'p [usize]>) -> OrderTree {
    match tree {
        OrderTree::Leaf => OrderTree::Leaf,
        OrderTree::Sequence(parts) => {
            let part = |(part, order): &(BTreeSet<usize>, OrderTree)| (part.clone(), permuted(order, permutations));
            OrderTree::Sequence(parts.iter().map(part).collect())
        }
        OrderTree::Band(band) => {
            let band = permutations.next().map_or_else(|| band.clone(), |permutation| band.permuted(permutation));
            OrderTree::Band(Band { child: Box::new(permuted(&band.child, permutations)), ..band })
        }
    }
}

/// Returns the statements of a nest in loops of their own, as far as `is_legal` permits it: those that are next to each
/// other in the same loops stay together. `None` if no loop has statements to be taken apart.
///
/// # Errors
///
/// That of `is_legal`.
pub(super) fn taken_apart<E>(
    scop: &Scop,
    tree: &OrderTree,
    is_legal: &mut dyn FnMut(&OrderTree) -> Result<bool, E>,
) -> Result<Option<OrderTree>, E> {
    Apart { scop, is_legal }.tree(tree, &|tree| tree)
}

/// Takes statements apart, from the outermost loop inwards.
struct Apart<'a, E> {
    scop: &'a Scop,
    is_legal: &'a mut dyn FnMut(&OrderTree) -> Result<bool, E>,
}

impl<E> Apart<'_, E> {
    /// Returns a tree with its statements taken apart; `whole` puts it into the tree of the whole nest.
    fn tree(&mut self, tree: &OrderTree, whole: &dyn Fn(OrderTree) -> OrderTree) -> Result<Option<OrderTree>, E> {
        match tree {
            OrderTree::Leaf => Ok(None),
            OrderTree::Sequence(parts) => {
                let mut parts = parts.clone();
                let mut is_changed = false;
                for place in 0..parts.len() {
                    let (before, order) = (parts.clone(), parts[place].1.clone());
                    let whole = |tree| {
                        let mut parts = before.clone();
                        parts[place].1 = tree;
                        whole(OrderTree::Sequence(parts))
                    };
                    if let Some(order) = self.tree(&order, &whole)? {
                        parts[place].1 = order;
                        is_changed = true;
                    }
                }
                Ok(is_changed.then_some(OrderTree::Sequence(parts)))
            }
            OrderTree::Band(band) => self.band(tree, band, whole),
        }
    }

    fn band(
        &mut self,
        tree: &OrderTree,
        band: &Band,
        whole: &dyn Fn(OrderTree) -> OrderTree,
    ) -> Result<Option<OrderTree>, E> {
        let parts = self.parts(tree);
        if parts.len() < 2 {
            return Ok(None);
        }
        let apart = OrderTree::Sequence(parts);
        if (self.is_legal)(&whole(apart.clone()))? {
            return Ok(Some(apart));
        }
        let around = |tree| OrderTree::Band(Band { child: Box::new(tree), ..band.clone() });
        let child = self.tree(&band.child, &|tree| whole(around(tree)))?;
        Ok(child.map(around))
    }

    /// Returns the statements of a tree, those next to each other in the same loops together, each part in its loops alone.
    fn parts(&self, tree: &OrderTree) -> Vec<(BTreeSet<usize>, OrderTree)> {
        let statements: Vec<usize> = tree.statements(self.scop).into_iter().collect();
        let loops = |statement: &usize| -> &[IterId] { &self.scop.statements[*statement].iters };
        let runs = statements.chunk_by(|a, b| loops(a) == loops(b));
        let part = |run: &[usize]| {
            let part: BTreeSet<usize> = run.iter().copied().collect();
            (part.clone(), tree.restricted(&part))
        };
        runs.map(part).collect()
    }
}
