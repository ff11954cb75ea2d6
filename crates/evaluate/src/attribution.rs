//! To whom accesses and misses belong.
//!
//! Every piece of a count belongs to one access of the program and, unless it counts first touches, to one previous access.
//! The window x* of a cache is that of all accesses together; what each of them misses in it are its own first touches and its
//! own reuses with RI > x*, so the misses of all of them add up to those of the program.

use symloc_model::{Kind, Outline};
use symloc_quasi::Int;

use crate::count::Parts;
use crate::denning::Misses;

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
