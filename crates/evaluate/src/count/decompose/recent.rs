//! Shares the parts of a piece among sizes at which it is the same.
//!
//! The threads of a program have sizes of their own, the first and the end of their shares. But many pieces depend on the length of a share
//! alone, or on the number of its lines, and so are the same on most threads. Others are so once their points are moved, and their values are
//! all longer by one number (docs/counting.md, Threads).

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use symloc_quasi::Int;

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
#[derive(Debug)]
struct RecentCut {
    conditions: Vec<AffineFunction>,
    samples: Samples,
    parts: Parts,
    /// The number of points and rows that were enumerated.
    visited: u64,
}

/// A piece whose points were moved to a place that is the same for all pieces that are alike.
struct MovedPiece {
    /// The way back.
    way: Vec<i128>,
    conditions: Vec<AffineFunction>,
}

/// The numbers in which pieces differ that have the same conditions once they are moved.
#[derive(Debug, Default)]
struct Samples {
    /// The value at the first point, once it is known.
    base: Option<Int>,
    /// Point by point: by how much the value is larger than that, the left sides of the conditions with floors, and the count.
    numbers: Vec<Int>,
    /// The number of points.
    points: usize,
}

/// The number of pieces that are kept: shares have two lengths, and begin at 8 places of a line.
const KEPT: usize = 16;

impl RecentCuts {
    fn known(&self) -> MutexGuard<'_, KnownCuts> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the points at which pieces are compared; `None` if there are too many, or if as many pieces as are kept were all different.
    fn samples(&self, all: impl FnOnce() -> Option<Vec<Vec<i128>>>) -> Option<&[Vec<i128>]> {
        let known = self.known();
        let are_alike = known.found || known.cuts.len() < KEPT;
        self.samples.get_or_init(all).as_deref().filter(|_| are_alike)
    }

    fn keep(&self, cut: RecentCut) {
        let cuts = &mut self.known().cuts;
        if cuts.len() == KEPT {
            cuts.remove(0);
        }
        cuts.push(cut);
    }
}

impl MovedPiece {
    /// Moves a piece; `None` if a number leaves 128 bits.
    fn new(conditions: &[AffineFunction], iterators: usize) -> Option<Self> {
        // A condition s·q + constant ≥ 0 with s = ±1 says how far along q: to its end. An iterator without such a condition stays.
        let along = |iterator: usize| {
            let about = |c: &&AffineFunction| c.is_about(iterator) && c.slopes[iterator].abs() == 1;
            conditions.iter().find(about).map_or(0, |c| -c.slopes[iterator] * c.constant)
        };
        let way: Vec<_> = (0..iterators).map(along).collect();
        let moved = |c: &AffineFunction| Some(AffineFunction { constant: c.at(&way)?, slopes: c.slopes.clone() });
        Some(Self { conditions: conditions.iter().map(moved).collect::<Option<_>>()?, way })
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
        let points = recent.samples(|| self.samples(&lattice, THREAD_SAMPLES));
        let moved = points.and_then(|_| MovedPiece::new(&conditions, lattice.dimensions()));
        let Some((points, moved)) = points.zip(moved) else { return self.part(lattice, conditions) };
        let mut samples = Samples::default();
        if let Some((parts, visited)) = self.known(recent, points, &moved, &mut samples) {
            *self.left = self.left.checked_sub(visited).ok_or(Trouble::Stop(Stop::Limit))?;
            self.parts.append(parts);
            return Ok(());
        }
        let (left, others) = (*self.left, std::mem::take(self.parts));
        let outcome = self.part(lattice, conditions);
        let parts = std::mem::replace(self.parts, others);
        outcome?;
        self.parts.append(parts.clone());
        let mut rest = points[samples.points..].iter();
        if rest.all(|point| self.sample(point, &moved, &mut samples).is_some()) {
            let conditions = moved.conditions;
            recent.keep(RecentCut { conditions, samples, parts, visited: left - *self.left });
        }
        Ok(())
    }

    /// Returns the parts of the piece by those of one that was cut, with the number of points and rows that were enumerated; `None` if no piece
    /// that is alike is known any more. Samples are added as long as they are compared.
    fn known(
        &self,
        recent: &RecentCuts,
        points: &[Vec<i128>],
        moved: &MovedPiece,
        samples: &mut Samples,
    ) -> Option<(Parts, u64)> {
        let mut known = recent.known();
        let mut alike: Vec<_> = known.cuts.iter().filter(|cut| cut.conditions == moved.conditions).collect();
        for point in points {
            if alike.is_empty() {
                return None;
            }
            let start = samples.numbers.len();
            self.sample(point, moved, samples)?;
            let own = &samples.numbers[start..];
            alike.retain(|cut| cut.samples.numbers[start..start + own.len()] == *own);
        }
        let base = samples.base.as_ref()?;
        let raised = |cut: &RecentCut| cut.parts.clone().raised(&(base - cut.samples.base.as_ref()?));
        let found = alike.into_iter().find_map(|cut| Some((raised(cut)?, cut.visited)))?;
        known.found = true;
        Some(found)
    }

    /// Adds a sample; `None` if it is no integer, or leaves 128 bits.
    fn sample(&self, point: &[i128], piece: &MovedPiece, samples: &mut Samples) -> Option<()> {
        let point = point.iter().zip(&piece.way).map(|(x, way)| x.checked_add(*way)).collect::<Option<Vec<_>>>()?;
        let value = self.value.value(&point)?;
        samples.numbers.push(&value - samples.base.get_or_insert_with(|| value.clone()));
        for section in self.floored.iter().map(|(section, _)| section).chain([&self.count]) {
            samples.numbers.push(section.value(&point)?);
        }
        samples.points += 1;
        Some(())
    }
}
