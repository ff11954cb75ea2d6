//! The owners of counts.
//!
//! Every piece of a count belongs to one access of the program and, unless it counts first touches, to one previous access. Questions that
//! need less detail [pool](ReuseClass::pooled) the pieces that differ in an access only.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::types::{CountPiece, ReuseClass};

/// The owners by which counts are distinguished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Owner {
    /// The program.
    #[default]
    Program,
    /// Each access.
    Access,
    /// Each access together with the one that touched the block before it.
    Reuse,
}

/// The accesses of a reuse, by their positions in [`Outline::accesses`](crate::Outline::accesses).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reuse {
    /// The access.
    pub access: usize,
    /// The previous one; `None` for first touches and in models without previous accesses.
    pub previous: Option<usize>,
}

impl CountPiece {
    /// Returns the reuse that the piece counts; `None` without an outline.
    pub fn reuse(&self) -> Option<Reuse> {
        Some(Reuse { access: self.access?, previous: self.previous })
    }
}

impl ReuseClass {
    /// Returns the class with the counts of equal domains and owners added up.
    pub fn pooled(&self, owner: Owner) -> Cow<'_, ReuseClass> {
        if self.counts.len() < 2 || owner == Owner::Reuse {
            return Cow::Borrowed(self);
        }
        let mut positions = BTreeMap::new();
        let mut counts: Vec<CountPiece> = Vec::new();
        for piece in &self.counts {
            let access = piece.access.filter(|_| owner == Owner::Access);
            let position = *positions.entry((access, &piece.domain)).or_insert(counts.len());
            match counts.get_mut(position) {
                Some(sum) => sum.count = &sum.count + &piece.count,
                None => counts.push(CountPiece { access, previous: None, ..piece.clone() }),
            }
        }
        Cow::Owned(ReuseClass { kind: self.kind, iterators: self.iterators.clone(), value: self.value.clone(), counts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sizes::tests::triangle;

    #[test]
    fn pieces_with_one_domain_are_one() {
        let model = triangle();
        let class = &model.lines[0].classes[0];
        let of = |access, previous| CountPiece { access, previous, ..class.counts[0].clone() };
        let elsewhere = |access, previous| CountPiece { domain: Vec::new(), ..of(access, previous) };
        let counts = vec![of(Some(0), Some(1)), elsewhere(Some(1), None), of(Some(1), Some(1)), of(Some(0), Some(2))];
        let divided = ReuseClass { counts, ..class.clone() };
        let count = &class.counts[0].count;
        let twice = |piece: CountPiece| CountPiece { count: count + count, ..piece };
        let thrice = CountPiece { count: &(count + count) + count, ..of(None, None) };
        assert_eq!(divided.pooled(Owner::Program).counts, [thrice, elsewhere(None, None)]);
        let by_access = [twice(of(Some(0), None)), elsewhere(Some(1), None), of(Some(1), None)];
        assert_eq!(divided.pooled(Owner::Access).counts, by_access);
        assert_eq!(divided.pooled(Owner::Reuse).counts, divided.counts);
    }
}
