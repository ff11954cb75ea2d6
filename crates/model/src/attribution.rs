//! To whom accesses and misses belong.
//!
//! Every piece of a count belongs to one access of the program and, unless it counts first touches, to one previous access.
//! The window x* of a cache is that of all accesses together; what each of them misses in it are its own first touches and its
//! own reuses with RI > x*, so the misses of all of them add up to those of the program. Questions that need less
//! [pool](ReuseClass::pooled) the pieces that differ in an access only.

use std::borrow::Cow;
use std::collections::BTreeMap;

use symloc_quasi::Int;

use crate::closed::Parts;
use crate::data::{CountPiece, Kind, Outline, ReuseClass};
use crate::denning::Misses;

/// To whom counts belong.
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

/// Whose reuse it is, in terms of [`Outline::accesses`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reuse {
    /// The access.
    pub access: usize,
    /// The previous one; nothing for first touches and in models that do not tell.
    pub previous: Option<usize>,
}

impl CountPiece {
    /// Whose reuse it counts; nothing without an outline.
    pub fn reuse(&self) -> Option<Reuse> {
        Some(Reuse { access: self.access?, previous: self.previous })
    }
}

/// The reuse intervals of each access at one size. Exact.
#[derive(Clone, Debug)]
pub struct Attribution {
    shares: Vec<Share>,
    blocks: Vec<Int>,
}

/// What belongs to one access.
#[derive(Clone, Debug)]
pub struct Share {
    accesses: Int,
    real: Int,
    parts: Parts,
}

impl Attribution {
    /// Checks that the accesses are all accesses, and that the first touches of each array are its blocks.
    pub(crate) fn new(program: &Outline, parts: Vec<Parts>, accesses: &Int, blocks: Vec<Int>) -> Result<Self, String> {
        let shares: Vec<Share> = parts.into_iter().map(Share::new).collect();
        let all = shares.iter().fold(Int::ZERO, |sum, share| &sum + &share.accesses);
        if all != *accesses {
            return Err(format!("its accesses execute {all} times, the program makes {accesses} accesses"));
        }
        let mut touches = vec![Int::ZERO; blocks.len()];
        for (access, share) in program.accesses.iter().zip(&shares) {
            touches[access.array] += &share.first_touches();
        }
        match program.arrays.iter().zip(touches.iter().zip(&blocks)).find(|(_, (touches, blocks))| touches != blocks) {
            Some((array, (touches, blocks))) => {
                Err(format!("{touches} first touches of {blocks} blocks of {}", array.name))
            }
            None => Ok(Self { shares, blocks }),
        }
    }

    /// The accesses, in the order of [`Outline::accesses`].
    pub fn shares(&self) -> &[Share] {
        &self.shares
    }

    /// m of each array, the number of its distinct blocks, in the order of [`Outline::arrays`].
    pub fn blocks(&self) -> &[Int] {
        &self.blocks
    }
}

impl Share {
    pub(crate) fn new(parts: Parts) -> Self {
        let (mut accesses, mut real) = (Int::ZERO, Int::ZERO);
        let atoms = parts.atoms.iter().map(|atom| (atom.kind, &atom.count));
        for (kind, count) in atoms.chain(parts.parts.iter().map(|part| (part.kind, &part.total.count))) {
            accesses += count;
            if kind == Kind::Real {
                real += count;
            }
        }
        Self { accesses, real, parts }
    }

    /// How often the access executes.
    pub fn accesses(&self) -> &Int {
        &self.accesses
    }

    /// How many of these are the first to touch their block.
    pub fn first_touches(&self) -> Int {
        &self.accesses - &self.real
    }

    /// The misses in a cache with the window x* of [`Locality::window`](crate::Locality::window).
    pub fn misses(&self, window: Option<&Int>) -> Misses {
        let reuse = window.map_or(Int::ZERO, |window| &self.real - &self.real_up_to(window));
        Misses { cold: self.first_touches(), reuse }
    }

    /// How many real reuses have an interval up to `x`.
    fn real_up_to(&self, x: &Int) -> Int {
        let atoms = self.parts.atoms.iter().filter(|atom| atom.kind == Kind::Real && atom.interval <= *x);
        let mut sum = atoms.fold(Int::ZERO, |sum, atom| &sum + &atom.count);
        for part in self.parts.parts.iter().filter(|part| part.kind == Kind::Real && part.low <= *x) {
            sum += &if part.high <= *x { part.total.count.clone() } else { part.up_to(x).count };
        }
        sum
    }
}

impl ReuseClass {
    /// The class with its counts added up where their domains and their owners are the same.
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
