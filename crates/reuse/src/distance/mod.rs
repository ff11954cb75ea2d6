//! Reuse distances: the number of distinct blocks touched strictly between prev(t) and t (docs/mathematics.md, "Reuse
//! distances").
//!
//! ```text
//! prev ─▶ in line coordinates ─▶ windows ─▶ blocks of each array ─▶ disjoint ─▶ counted ─▶ classes
//! ```
//!
//! - `reuses`: the previous accesses in line coordinates;
//! - `tree`: where accesses stand, and what lies between them;
//! - `footprint`: which blocks a part of the tree touches;
//! - `window`: of which parts the accesses between prev(t) and t consist;
//! - `union`: disjoint sets of blocks;
//! - `count`: how many blocks these are together;
//! - `merge`: one formula where several agree.
//!
//! Arrays are disjoint, so a distance is a sum over arrays. An access whose window takes too many steps is *estimated*: its
//! reuse interval stands in for the distance, and the model says so.

pub(crate) mod count;
pub(crate) mod footprint;
pub(crate) mod merge;
mod reuses;
pub(crate) mod tree;
mod union;
pub(crate) mod window;

use std::cell::OnceCell;

use symloc_affine::{AccessId, LineCoordinates, Program};
use symloc_isl::{Context, DimType, Map};
use symloc_model::{Distances, Kind};
use symloc_quasi::Poly;

use crate::Error;
use crate::classes::Groups;
use crate::coordinates::Coordinates;
use crate::frame::{Frame, dims_to_params};
use crate::interval::{IntervalPiece, intervals};
use crate::phase::Phase;
use crate::prev::PrevPiece;
use crate::rank::Ranks;
use crate::steps::limited;
use crate::strides::{self, Strided};
use crate::timestamps::Timestamps;
use count::{Adder, Value};
use footprint::Footprints;
use reuses::Translation;
use tree::Tree;
use window::{Window, windows};

/// Limits in elementary steps of isl; a million is of the order of a second. What exceeds them is estimated.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// For the blocks in the window of one piece of the accesses.
    pub window: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { window: 10_000_000 }
    }
}

/// Derives the reuse distances of a program in line coordinates, from its timestamps and previous accesses; `enter` hears of
/// every phase as it starts.
///
/// # Errors
///
/// [`Error::Isl`] if isl fails or reaches the limit on the whole derivation.
pub fn distances(
    isl: &Context,
    program: &Program,
    lines: &LineCoordinates,
    timestamps: &Timestamps,
    prev: &[PrevPiece],
    limits: Limits,
    enter: &dyn Fn(Phase),
) -> Result<Distances, Error> {
    enter(Phase::PrevLines);
    let derivation = Derivation::new(isl, program, timestamps, prev, lines)?;
    enter(Phase::Distances);
    let groups = derivation.groups(limits)?;
    enter(Phase::CountDistances);
    derivation.count(groups)
}

/// Distances by formula, and intervals of what is estimated.
#[derive(Default)]
struct Found {
    exact: Groups,
    estimated: Groups,
}

struct Derivation<'a> {
    isl: &'a Context,
    lines: &'a LineCoordinates,
    timestamps: Timestamps,
    reuses: Vec<PrevPiece>,
    /// With ranks, once something has to be estimated.
    ranked: OnceCell<Coordinates>,
}

impl<'a> Derivation<'a> {
    /// Brings the previous accesses into line coordinates.
    fn new(
        isl: &'a Context,
        program: &Program,
        original: &Timestamps,
        prev: &[PrevPiece],
        lines: &'a LineCoordinates,
    ) -> Result<Self, Error> {
        let timestamps = Timestamps::new(isl, &lines.program)?;
        let translation = Translation { isl, program, timestamps: original, lines, in_lines: &timestamps };
        let real = prev.iter().filter(|piece| piece.kind == Kind::Real);
        let pieces = real.map(|piece| translation.pieces(piece)).collect::<Result<Vec<_>, _>>()?;
        let reuses = pieces.into_iter().flatten().collect();
        Ok(Self { isl, lines, timestamps, reuses, ranked: OnceCell::new() })
    }

    fn frame(&self, access: AccessId) -> Frame {
        self.timestamps.frame(&self.lines.program, access)
    }

    /// By access: `[iterators] -> Array[block]`.
    fn touched(&self) -> Result<Vec<Map>, Error> {
        let map = |s| Ok(self.timestamps.line_map(self.isl, self.lines, s)?.reset_tuple_name(DimType::In)?);
        self.timestamps.statements.iter().map(map).collect()
    }

    fn groups(&self, limits: Limits) -> Result<Found, Error> {
        let tree = Tree::new(&self.lines.program);
        let mut footprints = Footprints::new(self.isl, &self.lines.program, &tree, self.touched()?);
        let mut found = Found::default();
        for piece in &self.reuses {
            let frame = self.frame(piece.sink);
            for window in windows(self.isl, &tree, piece, 0)? {
                match limited(self.isl, limits.window, || self.distances(&window, &frame, &mut footprints))? {
                    Some(distances) => distances.into_iter().for_each(|d| found.exact.add(d, &frame)),
                    None => self.intervals(&window)?.into_iter().for_each(|i| found.estimated.add(i, &frame)),
                }
            }
        }
        Ok(found)
    }

    fn count(&self, found: Found) -> Result<Distances, Error> {
        let params: Vec<String> = self.lines.program.params.iter().map(|p| p.name.clone()).collect();
        let count = |groups: Groups| groups.count(self.isl, &params, &self.timestamps.context);
        Ok(Distances { classes: count(found.exact)?, estimated: count(found.estimated)? })
    }

    /// The distances of the accesses of one window.
    fn distances(
        &self,
        window: &Window<'_>,
        frame: &Frame,
        footprints: &mut Footprints<'_>,
    ) -> Result<Vec<IntervalPiece>, Error> {
        let iterators = frame.iterator_names();
        let mut adder = Adder::new(self.isl, frame, dims_to_params(&window.domain, 0, &iterators)?.params()?);
        for blocks in window.blocks(self.isl, footprints, &iterators)?.iter().flat_map(|(_, blocks)| blocks) {
            adder.add(blocks, &Poly::one())?;
        }
        let over_iters = |(domain, value): Value| Ok((frame.over_iters(self.isl, &domain)?, value));
        let parts = adder.finished(&Poly::zero())?.into_iter().map(over_iters).collect::<Result<_, Error>>()?;
        let piece = |(domain, value)| {
            let Strided { domain, value, in_steps } = strides::taken(self.isl, frame, domain, value)?;
            Ok(IntervalPiece { kind: Kind::Real, reuse: window.piece.reuse(), domain, value, in_steps })
        };
        merge::merged(self.isl, frame, parts, Poly::clone)?.into_iter().map(piece).collect()
    }

    /// The reuse intervals of the accesses of one window.
    fn intervals(&self, window: &Window<'_>) -> Result<Vec<IntervalPiece>, Error> {
        let ranked = match self.ranked.get() {
            Some(ranked) => ranked,
            None => {
                let ranked = self.ranked()?;
                self.ranked.get_or_init(|| ranked)
            }
        };
        let domain = window.domain.set_tuple_name(&crate::timestamps::statement_name(window.piece.sink))?;
        let piece = PrevPiece { domain, iterators: window.piece.iterators.clone(), ..*window.piece };
        intervals(self.isl, ranked, &piece)
    }

    fn ranked(&self) -> Result<Coordinates, Error> {
        let (isl, program, timestamps) = (self.isl, &self.lines.program, &self.timestamps);
        let ranks = Ranks::new(isl, program, timestamps)?;
        Coordinates::of_program(isl, program, timestamps, &ranks, timestamps.line_accesses(isl, self.lines)?)
    }
}
