//! Changes of an order: permutation, tiling and distribution of bands.
//!
//! A change may break a dependence where a band is not permutable, and distribution always may: the result is to be
//! checked ([`legality`](crate::legality)).

use std::collections::BTreeMap;

use symloc_affine::Overflow;

use crate::order::{Band, BandMember, OrderTree};

impl Band {
    /// Returns the band with its members in another order: `permutation[k]` is the old place of the new member `k`.
    #[must_use]
    pub fn permuted(&self, permutation: &[usize]) -> Self {
        let members = permutation.iter().map(|place| self.members[*place].clone()).collect();
        Self { members, permutable: self.permutable, child: self.child.clone() }
    }

    /// Returns the band with the loops directly below it as part of it: it is not permutable if there are any, and only its
    /// own loops may be tiled.
    #[must_use]
    pub fn with_loops_below(&self) -> Self {
        let Some(below) = self.below() else { return self.clone() };
        let below = below.with_loops_below();
        let members = [self.members.clone(), below.members].concat();
        Self { members, permutable: false, child: below.child }
    }

    /// Returns the band of each loop of [`with_loops_below`](Self::with_loops_below): 0 for this one, 1 for the one below.
    pub fn bands_of_loops(&self) -> Vec<usize> {
        let below = self.below().map_or_else(Vec::new, Self::bands_of_loops);
        vec![0; self.members.len()].into_iter().chain(below.into_iter().map(|band| band + 1)).collect()
    }

    /// Returns the band directly below, with the same statements.
    fn below(&self) -> Option<&Self> {
        match &*self.child {
            OrderTree::Band(below) => Some(below),
            OrderTree::Sequence(_) | OrderTree::Leaf => None,
        }
    }

    /// Returns the band under a band of tiles, with `sizes[k]` values of member `k` in a tile; 0 leaves a member as it
    /// is.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number leaves 64 bits.
    pub fn tiled(&self, sizes: &[i64]) -> Result<Self, Overflow> {
        self.tiled_in_levels(&[sizes.to_vec()])
    }

    /// Returns the band under bands of tiles: `levels` has the sizes of the outermost tiles first, then those of the tiles
    /// in them, each as for [`tiled`](Self::tiled).
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number leaves 64 bits.
    pub fn tiled_in_levels(&self, levels: &[Vec<i64>]) -> Result<Self, Overflow> {
        let mut band = self.clone();
        for sizes in levels.iter().rev() {
            let members = self.members_of_tiles(sizes)?;
            if !members.is_empty() {
                band = Self { members, permutable: self.permutable, child: Box::new(OrderTree::Band(band)) };
            }
        }
        Ok(band)
    }

    /// Returns the loops over tiles.
    fn members_of_tiles(&self, sizes: &[i64]) -> Result<Vec<BandMember>, Overflow> {
        let mut members = Vec::new();
        for (member, size) in self.members.iter().zip(sizes).filter(|(_, size)| **size > 0) {
            let tile = |(statement, value): (&usize, &symloc_affine::Expr)| Ok((*statement, value.floor_div(*size)?));
            let values = member.values.iter().map(tile).collect::<Result<BTreeMap<_, _>, Overflow>>()?;
            members.push(BandMember { values, coincident: member.coincident });
        }
        Ok(members)
    }
}

impl OrderTree {
    /// Returns the nests of the tree, from the left: the outermost permutable bands of at least two members, and those
    /// of one without such a band below.
    pub fn nests(&self) -> Vec<&Band> {
        match self {
            OrderTree::Leaf => Vec::new(),
            OrderTree::Band(band) if band.is_nest() => vec![band],
            OrderTree::Band(band) => band.child.nests(),
            OrderTree::Sequence(parts) => parts.iter().flat_map(|(_, order)| order.nests()).collect(),
        }
    }

    /// Returns the tree with its nests replaced, from the left.
    ///
    /// # Errors
    ///
    /// The error of `change`.
    pub fn with_nests<E>(&self, change: &mut impl FnMut(&Band) -> Result<Self, E>) -> Result<Self, E> {
        Ok(match self {
            OrderTree::Leaf => OrderTree::Leaf,
            OrderTree::Band(band) if band.is_nest() => change(band)?,
            OrderTree::Band(band) => {
                let child = Box::new(band.child.with_nests(change)?);
                OrderTree::Band(Band { members: band.members.clone(), permutable: band.permutable, child })
            }
            OrderTree::Sequence(parts) => {
                let part = |(part, order): &(_, OrderTree)| Ok((Clone::clone(part), order.with_nests(change)?));
                OrderTree::Sequence(parts.iter().map(part).collect::<Result<Vec<_>, E>>()?)
            }
        })
    }

    /// Returns true if there is a permutable band of at least two members here or below.
    fn has_deep_band(&self) -> bool {
        match self {
            OrderTree::Leaf => false,
            OrderTree::Band(band) => band.permutable && band.members.len() > 1 || band.child.has_deep_band(),
            OrderTree::Sequence(parts) => parts.iter().any(|(_, order)| order.has_deep_band()),
        }
    }

    /// Returns the tree with each innermost loop split by statement, in the order of the text: loops over one statement
    /// can be run in vectors where loops over several cannot.
    #[must_use]
    pub fn distributed(&self) -> Self {
        match self {
            OrderTree::Leaf => OrderTree::Leaf,
            OrderTree::Sequence(parts) => {
                OrderTree::Sequence(parts.iter().map(|(part, order)| (part.clone(), order.distributed())).collect())
            }
            OrderTree::Band(band) if band.child.has_band() => {
                let child = Box::new(band.child.distributed());
                OrderTree::Band(Band { members: band.members.clone(), permutable: band.permutable, child })
            }
            OrderTree::Band(band) => band.distributed(),
        }
    }
}

impl Band {
    fn is_nest(&self) -> bool {
        self.permutable && (self.members.len() > 1 || !self.child.has_deep_band())
    }

    fn distributed(&self) -> OrderTree {
        let Some((innermost, outer)) = self.members.split_last() else { return OrderTree::Band(self.clone()) };
        if innermost.values.len() < 2 {
            return OrderTree::Band(self.clone());
        }
        let part = |(statement, value): (&usize, &symloc_affine::Expr)| {
            let values = BTreeMap::from([(*statement, value.clone())]);
            let member = BandMember { values, coincident: innermost.coincident };
            let band = Band { members: vec![member], permutable: self.permutable, child: Box::new(OrderTree::Leaf) };
            ([*statement].into(), OrderTree::Band(band))
        };
        let parts = OrderTree::Sequence(innermost.values.iter().map(part).collect());
        if outer.is_empty() {
            return parts;
        }
        OrderTree::Band(Band { members: outer.to_vec(), permutable: self.permutable, child: Box::new(parts) })
    }

    /// Returns the number of members.
    pub fn depth(&self) -> usize {
        self.members.len()
    }
}
