//! Shares the parts of a piece among sizes at which it is the same.
//!
//! The threads of a program have sizes of their own, the first and the end of their shares. But many pieces depend on the length of a share
//! alone, or on the number of its lines, and so are the same on most threads (docs/counting.md, Threads).

use std::sync::{Mutex, PoisonError};

use symloc_quasi::SectionKey;

use super::lattice::{AffineFunction, Lattice};
use super::{Decomposed, Decomposition, Trouble};
use crate::count::parts::Parts;
use crate::error::Stop;

/// The last pieces that were cut.
#[derive(Debug, Default)]
pub(super) struct RecentCuts(Mutex<KnownCuts>);

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
    sections: Vec<SectionKey>,
}

/// The number of pieces that are kept: shares have two lengths, and begin at 8 places of a line.
const KEPT: usize = 16;

impl RecentCuts {
    /// Returns a piece that was cut; `None` if it is not known any more.
    fn find(&self, piece: &SizedPiece) -> Option<RecentCut> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let cut = known.cuts.iter().find(|cut| cut.piece == *piece)?.clone();
        known.found = true;
        Some(cut)
    }

    /// Keeps a piece, unless so many before it were of no use.
    fn keep(&self, cut: RecentCut) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.cuts.len() == KEPT {
            if !known.found {
                return;
            }
            known.cuts.remove(0);
        }
        known.cuts.push(cut);
    }
}

impl Decomposition<'_> {
    /// Adds the parts of the piece, from a size at which it is the same if there was one.
    pub(super) fn share(
        &mut self,
        recent: &RecentCuts,
        lattice: Lattice,
        conditions: Vec<AffineFunction>,
    ) -> Decomposed {
        let Some(piece) = self.sized(&conditions) else { return self.part(lattice, conditions) };
        if let Some(cut) = recent.find(&piece) {
            *self.left = self.left.checked_sub(cut.visited).ok_or(Trouble::Stop(Stop::Limit))?;
            self.parts.append(cut.parts);
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
