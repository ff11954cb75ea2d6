//! Shares the parts of a piece among sizes at which it is the same.
//!
//! The threads of a program have sizes of their own, the first and the end of their shares. But many pieces depend on the length of a share
//! alone, or on the number of its lines, and so are the same on most threads. Others are so once their points are moved, and their values are
//! all longer by one number (docs/counting.md, Threads).

use std::sync::{Mutex, OnceLock, PoisonError};

use symloc_quasi::{Int, SectionKey};

use super::lattice::{AffineFunction, Lattice};
use super::{Decomposed, Decomposition, Trouble};
use crate::count::limits::THREAD_SAMPLES;
use crate::count::parts::Parts;
use crate::error::Stop;

/// The last pieces that were cut.
#[derive(Debug, Default)]
pub(super) struct RecentCuts {
    known: Mutex<KnownCuts>,
    /// The points at which pieces are compared; `None` if that takes as long as to cut them.
    samples: OnceLock<Option<Vec<Vec<i128>>>>,
}

#[derive(Debug, Default)]
struct KnownCuts {
    cuts: Vec<RecentCut>,
    /// True if one of them was found again.
    found: bool,
}

/// A piece at a size, with its parts.
#[derive(Clone, Debug)]
struct RecentCut {
    piece: SizedPiece,
    parts: Parts,
    /// The number of points and rows that were enumerated.
    visited: u64,
}

/// Everything that the parts of a piece depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SizedPiece {
    conditions: Vec<AffineFunction>,
    /// The value, the count and the conditions with floors.
    sections: Vec<SectionKey>,
}

/// The number of pieces that are kept: shares have two lengths, and begin at 8 places of a line.
const KEPT: usize = 16;

impl RecentCuts {
    /// Returns the parts of a piece by those of one that was cut, with the number of points and rows that were enumerated; `None` if no such
    /// piece is known any more.
    fn find(&self, piece: &SizedPiece) -> Option<(Parts, u64)> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let same = known.cuts.iter().find(|cut| cut.piece == *piece).map(|cut| (cut.parts.clone(), cut.visited));
        let samples = self.samples.get().and_then(Option::as_deref);
        let alike = |cut: &RecentCut| {
            let more = piece.increase(&cut.piece, samples?)?;
            Some((cut.parts.clone().raised(&more)?, cut.visited))
        };
        let found = same.or_else(|| known.cuts.iter().find_map(alike))?;
        known.found = true;
        Some(found)
    }

    /// Keeps a piece, unless so many before it were of no use.
    fn keep(&self, cut: RecentCut) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.cuts.len() == KEPT {
            if !known.found {
                return;
            }
            known.cuts.remove(0);
        }
        known.cuts.push(cut);
    }
}

impl SizedPiece {
    /// Returns by how much the values of the piece are larger than those of another one that has the same points, once these are moved, and
    /// the same counts; `None` if that is not one number, or not known.
    fn increase(&self, other: &Self, samples: &[Vec<i128>]) -> Option<Int> {
        let way = self.way_from(other)?;
        let mut increase = None;
        for point in samples {
            let moved = point.iter().zip(&way).map(|(x, step)| x.checked_add(*step)).collect::<Option<Vec<_>>>()?;
            let sections = self.sections.iter().zip(&other.sections);
            let mut values = sections.map(|(own, others)| Some((own.value(&moved)?, others.value(point)?)));
            let (own, others) = values.next()??;
            let more = &own - &others;
            if *increase.get_or_insert_with(|| more.clone()) != more
                || !values.all(|pair| pair.is_some_and(|(own, others)| own == others))
            {
                return None;
            }
        }
        increase
    }

    /// Returns the way from the points that satisfy the other's conditions to those that satisfy these; `None` if the former are not the latter
    /// moved, or if that is not known.
    fn way_from(&self, other: &Self) -> Option<Vec<i128>> {
        let iterators = self.conditions.first()?.slopes.len();
        let pairs = || self.conditions.iter().zip(&other.conditions);
        let is_parallel = |(own, others): (&AffineFunction, &AffineFunction)| own.slopes == others.slopes;
        if self.conditions.len() != other.conditions.len() || !pairs().all(is_parallel) {
            return None;
        }
        // A condition s·q + constant ≥ 0 with s = ±1 says how far along q. Other conditions may not, and then hold if q stays.
        let along = |iterator: usize| {
            let about = |(own, _): &(&AffineFunction, &AffineFunction)| {
                own.is_about(iterator) && own.slopes[iterator].abs() == 1
            };
            pairs().find(about).map_or(Some(0), |(own, others)| {
                others.constant.checked_sub(own.constant)?.checked_mul(own.slopes[iterator])
            })
        };
        let way = (0..iterators).map(along).collect::<Option<Vec<_>>>()?;
        pairs().all(|(own, others)| own.at(&way) == Some(others.constant)).then_some(way)
    }
}

impl Decomposition<'_> {
    /// Adds the parts of the piece, by those at another size if there was one at which it is the same, or alike.
    pub(super) fn share(
        &mut self,
        recent: &RecentCuts,
        lattice: Lattice,
        conditions: Vec<AffineFunction>,
    ) -> Decomposed {
        let Some(piece) = self.sized(&conditions) else { return self.part(lattice, conditions) };
        recent.samples.get_or_init(|| self.samples(&lattice, THREAD_SAMPLES));
        if let Some((parts, visited)) = recent.find(&piece) {
            *self.left = self.left.checked_sub(visited).ok_or(Trouble::Stop(Stop::Limit))?;
            self.parts.append(parts);
            return Ok(());
        }
        let (left, others) = (*self.left, std::mem::take(self.parts));
        let outcome = self.part(lattice, conditions);
        let parts = std::mem::replace(self.parts, others);
        outcome?;
        self.parts.append(parts.clone());
        recent.keep(RecentCut { piece, parts, visited: left - *self.left });
        Ok(())
    }

    /// Returns everything that the parts depend on; `None` if it cannot be compared.
    fn sized(&self, conditions: &[AffineFunction]) -> Option<SizedPiece> {
        let floored = self.floored.iter().map(|(section, _)| section);
        let sections = [&self.value, &self.count].into_iter().chain(floored).map(|section| section.key());
        Some(SizedPiece { conditions: conditions.to_vec(), sections: sections.collect::<Option<_>>()? })
    }
}
