//! The columns of a row: sums over the intervals up to x, and from x on.

use std::cmp::Ordering;

use symloc_quasi::Poly;

use crate::regime::Regime;
use crate::table::draft::{KindTotals, RowDraft};

/// The sums on either side of an interval x that lies inside no range.
pub(super) struct Divide {
    /// RI ≤ x.
    below: Sides,
    /// RI > x.
    above: Sides,
}

struct Sides {
    real: KindTotals,
    imaginary: KindTotals,
}

impl Sides {
    fn of<'e>(entries: impl Iterator<Item = &'e RowDraft> + Clone) -> Self {
        let sum = |part: fn(&RowDraft) -> &Option<KindTotals>| {
            entries.clone().filter_map(|e| part(e).as_ref()).fold(KindTotals::nothing(), |sum, part| sum.add(part))
        };
        Self { real: sum(|e| &e.real), imaginary: sum(|e| &e.imaginary) }
    }

    fn total(&self) -> KindTotals {
        self.real.add(&self.imaginary)
    }
}

impl Divide {
    pub(super) fn of(entries: &[RowDraft], index: usize, regime: &Regime) -> Option<Self> {
        let entry = entries.get(index).filter(|entry| entry.iterators.is_empty())?;
        let sides: Vec<_> = entries.iter().map(|other| other.side(&entry.value, regime)).collect::<Option<_>>()?;
        let on = |wanted: Ordering| {
            let pairs = entries.iter().zip(&sides);
            pairs.filter(move |(_, side)| **side == wanted).map(|(other, _)| other)
        };
        Some(Self { below: Sides::of(on(Ordering::Less)), above: Sides::of(on(Ordering::Greater)) })
    }
}

/// The columns of a row, times N.
pub(super) struct Measures {
    pub(super) misses: Option<Poly>,
    pub(super) cold: Option<Poly>,
    pub(super) working_set: Option<Poly>,
}

impl Measures {
    pub(super) fn new(divide: &Divide, x: &Poly, regime: &Regime) -> Self {
        let (accesses, blocks) = (&regime.accesses, &regime.blocks);
        let (below, above) = (divide.below.total(), divide.above.total());
        let rest = |whole: &Poly, part: &Option<Poly>| part.as_ref().map(|part| whole - part);
        let reuses = accesses - blocks;
        let real_above = divide.above.real.count.clone().or_else(|| rest(&reuses, &divide.below.real.count));
        let cold = divide.below.imaginary.count.clone().or_else(|| rest(blocks, &divide.above.imaginary.count));
        let longer = above.count.clone().or_else(|| rest(accesses, &below.count));
        let shorter = below.sum.clone().or_else(|| rest(&(accesses * blocks), &above.sum));
        let working_set = shorter.zip(longer).map(|(sum, longer)| &sum + &(x * &longer));
        // Every first touch misses, and so does every longer reuse.
        Self { misses: real_above.map(|reuses| &reuses + blocks), cold, working_set }
    }

    /// Returns the columns for a cache of x blocks: every reuse from further down the stack misses, and every first
    /// touch.
    pub(super) fn in_stack(divide: &Divide, x: &Poly, regime: &Regime) -> Self {
        let (accesses, blocks) = (&regime.accesses, &regime.blocks);
        let from_below = || divide.below.real.count.as_ref().map(|below| &(accesses - blocks) - below);
        let above = divide.above.real.count.clone().or_else(from_below);
        Self {
            misses: above.map(|reuses| &reuses + blocks),
            cold: Some(blocks.clone()),
            working_set: Some(x * accesses),
        }
    }
}
