//! Reuse distances: the number of distinct blocks touched strictly between prev(t) and t (docs/mathematics.md, "Reuse
//! distances").
//!
//! ```text
//! prev ─▶ in line coordinates ─▶ windows ─▶ blocks of each array ─▶ disjoint ─▶ counted ─▶ classes
//! ```
//!
//! - `reuses`: the previous accesses in line coordinates;
//! - `tree`: where accesses stand, and what lies between them;
//! - `aliases`: lines with two names;
//! - `footprint`: which blocks a part of the tree touches;
//! - `window`: of which parts the accesses between prev(t) and t consist;
//! - `union`: disjoint sets of blocks;
//! - `count`: how many blocks these are together.
//!
//! Arrays are disjoint, so a distance is a sum over arrays. An access whose window takes too many steps, or has
//! formulas that are too long, is *estimated*: its reuse interval stands in for the distance, and the model says so.

pub(crate) mod aliases;
pub(crate) mod count;
pub(crate) mod footprint;
mod reuses;
pub(crate) mod tree;
pub(crate) mod union;
pub(crate) mod window;

use std::cell::{OnceCell, RefCell};

use symloc_affine::{AccessId, ArrayId, LineCoordinates, Program};
use symloc_isl::{Context, DimType, Set, UnionMap};
use symloc_model::{Distances, IntervalKind};
use symloc_quasi::Poly;

use crate::Error;
use crate::formulas::merge::merged;
use crate::frame::{Frame, dims_to_params};
use crate::intervals::classes::{Groups, MemberCounter};
use crate::intervals::strides::{self, Strided};
use crate::intervals::{IntervalPiece, intervals};
use crate::phase::Phase;
use crate::previous::PrevPiece;
use crate::schedule::coordinates::Coordinates;
use crate::schedule::rank::Ranks;
use crate::schedule::timestamps::{Statement, Timestamps};
use crate::steps::limited;
use aliases::{DividedDomain, aliases, without};
use count::Adder;
use footprint::{ArraySets, BlockNames, Footprints};
use reuses::Translation;
use tree::BodyTree;
use union::disjoint;
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

/// Distances by formula, and intervals of what is estimated.
#[derive(Default)]
struct DistanceGroups {
    exact: Groups,
    estimated: Groups,
}

/// Hears of the distances in a window, in line coordinates; `None` if they are not known.
pub(crate) type HearValues<'h> = dyn FnMut(Option<Vec<(Set, Poly)>>) + 'h;

/// Derives the reuse distances of a program, access by access.
pub(crate) struct DistanceDerivation<'a> {
    isl: &'a Context,
    /// The program and its timestamps, in iterators.
    program: &'a Program,
    original: &'a Timestamps,
    /// The program and its timestamps, in line coordinates.
    lines: &'a LineCoordinates,
    timestamps: Timestamps,
    tree: &'a BodyTree,
    footprints: RefCell<Footprints<'a>>,
    counter: MemberCounter<'a>,
    limits: Limits,
    /// With ranks, once something has to be estimated.
    ranked: OnceCell<Coordinates>,
}

impl<'a> DistanceDerivation<'a> {
    /// Prepares the derivation for a program; `tree` is that of the program in line coordinates.
    pub(crate) fn new(
        isl: &'a Context,
        program: &'a Program,
        original: &'a Timestamps,
        lines: &'a LineCoordinates,
        tree: &'a BodyTree,
        limits: Limits,
    ) -> Result<Self, Error> {
        let timestamps = Timestamps::new(isl, &lines.program)?;
        let aliases = aliases(isl, lines)?;
        let map = |s: &Statement| {
            let lines_of = timestamps.line_map(isl, lines, s)?.reset_tuple_name(DimType::In)?;
            let names = match aliases.contains_key(&lines.program.access(s.access).array) {
                true => timestamps.name_map(isl, lines, s)?.reset_tuple_name(DimType::In)?,
                false => lines_of.clone(),
            };
            Ok((names, lines_of))
        };
        let touched = timestamps.statements.iter().map(map).collect::<Result<Vec<_>, Error>>()?;
        let (names, touched) = touched.into_iter().unzip();
        let footprints = Footprints::new(&lines.program, tree, touched).with_names(names, aliases);
        let footprints = RefCell::new(footprints);
        let params = lines.program.params.iter().map(|p| p.name.clone()).collect();
        let counter = MemberCounter::new(isl, params, &timestamps.context)?;
        let ranked = OnceCell::new();
        Ok(Self { isl, program, original, lines, timestamps, tree, footprints, counter, limits, ranked })
    }

    /// Returns the windows of an access, from its previous ones. Here and below, `enter` is called at the start of each
    /// phase.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if isl fails or reaches the limit on the whole derivation.
    pub(crate) fn windows(&self, prev: &[PrevPiece], enter: &dyn Fn(Phase)) -> Result<Vec<Window>, Error> {
        enter(Phase::PrevLines);
        let reuses = self.in_lines(prev)?;
        enter(Phase::Distances);
        let windows = reuses.iter().map(|piece| windows(self.tree, piece, 0));
        Ok(windows.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    /// Returns the reuse distances of the accesses of some windows; `tell` hears of each window.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if isl fails or reaches the limit on the whole derivation.
    pub(crate) fn of(
        &self,
        windows: &[Window],
        enter: &dyn Fn(Phase),
        tell: &mut HearValues<'_>,
    ) -> Result<Distances, Error> {
        if windows.is_empty() {
            return Ok(Distances::default());
        }
        enter(Phase::Distances);
        let DistanceGroups { exact, estimated } = self.groups(windows, tell)?;
        enter(Phase::CountDistances);
        Ok(Distances { classes: exact.count(&self.counter)?, estimated: estimated.count(&self.counter)? })
    }

    /// Returns the distances in a window to the end of the program, in line coordinates; `None` if they exceed the limit.
    pub(crate) fn value_at_end(&self, window: Window) -> Result<Option<Vec<(Set, Poly)>>, Error> {
        limited(self.isl, self.limits.window, || self.values(&window, &self.frame(window.piece.sink)))
    }

    /// Returns the counter of distances.
    pub(crate) fn counter(&self) -> &MemberCounter<'a> {
        &self.counter
    }

    /// Returns the real previous accesses, in line coordinates.
    pub(crate) fn in_lines(&self, prev: &[PrevPiece]) -> Result<Vec<PrevPiece>, Error> {
        let Self { isl, program, original: timestamps, lines, timestamps: in_lines, .. } = self;
        Translation { isl, program, timestamps, lines, in_lines }.translated(prev)
    }

    /// Returns the variables at an access in line coordinates.
    pub(crate) fn frame(&self, access: AccessId) -> Frame {
        self.timestamps.frame(&self.lines.program, access)
    }

    fn groups(&self, windows: &[Window], tell: &mut HearValues<'_>) -> Result<DistanceGroups, Error> {
        let mut found = DistanceGroups::default();
        for window in windows {
            let frame = self.frame(window.piece.sink);
            let reuse = window.piece.reuse();
            let distance = |(domain, value)| {
                let Strided { domain, value, in_steps } = strides::taken(self.isl, &frame, domain, value)?;
                Ok(IntervalPiece { kind: IntervalKind::Real, reuse, domain, value, in_steps })
            };
            let distances = || {
                let values = self.values(window, &frame)?;
                let pieces = values.iter().cloned().map(distance).collect::<Result<Vec<_>, Error>>()?;
                Ok((values, pieces))
            };
            match limited(self.isl, self.limits.window, distances)? {
                Some((values, pieces)) => {
                    tell(Some(values));
                    pieces.into_iter().for_each(|distance| found.exact.add(distance, &frame));
                }
                None => {
                    tell(None);
                    self.intervals(window)?.into_iter().for_each(|i| found.estimated.add(i, &frame));
                }
            }
        }
        Ok(found)
    }

    /// Returns the distances of the accesses of one window, in line coordinates.
    pub(crate) fn values(&self, window: &Window, frame: &Frame) -> Result<Vec<(Set, Poly)>, Error> {
        let short = self.blocks(window, frame, BlockNames::Short)?;
        let ambiguous = self.footprints.borrow().ambiguous(&short)?;
        let (arrays, values): (Vec<ArrayId>, Vec<Set>) = ambiguous.into_iter().unzip();
        if arrays.is_empty() {
            return self.counted(window, frame, &short);
        }
        let Some(DividedDomain { without, rest }) = without(self.isl, frame, &window.domain, &values)? else {
            return self.counted(window, frame, &self.unique_blocks(window, frame, &arrays)?);
        };
        let (without, rest) = (window.on(without), window.on(rest));
        let mut distances = self.counted(&without, frame, &self.blocks(&without, frame, BlockNames::Short)?)?;
        distances.extend(self.counted(&rest, frame, &self.unique_blocks(&rest, frame, &arrays)?)?);
        Ok(distances)
    }

    fn blocks(&self, window: &Window, frame: &Frame, naming: BlockNames) -> Result<ArraySets, Error> {
        window.blocks(&mut self.footprints.borrow_mut(), &frame.iterator_names(), naming)
    }

    /// Returns the blocks in a window; those of some arrays have one name each.
    fn unique_blocks(&self, window: &Window, frame: &Frame, arrays: &[ArrayId]) -> Result<ArraySets, Error> {
        let mut blocks = self.blocks(window, frame, BlockNames::Unique)?;
        if blocks.keys().any(|array| !arrays.contains(array)) {
            blocks.retain(|array, _| arrays.contains(array));
            for (array, short) in self.blocks(window, frame, BlockNames::Short)? {
                blocks.entry(array).or_insert(short);
            }
        }
        Ok(blocks)
    }

    /// Returns the number of blocks in a window.
    fn counted(&self, window: &Window, frame: &Frame, blocks: &ArraySets) -> Result<Vec<(Set, Poly)>, Error> {
        let domain = dims_to_params(&window.domain, 0, &frame.iterator_names())?.params()?;
        let mut adder = Adder::new(self.isl, frame, domain)?;
        for sets in blocks.values() {
            disjoint(sets)?.iter().try_for_each(|blocks| adder.add(blocks, &Poly::one()))?;
        }
        merged(self.isl, frame, adder.finished(&Poly::zero())?, Poly::clone)
    }

    /// Returns the reuse intervals of the accesses of one window.
    fn intervals(&self, window: &Window) -> Result<Vec<IntervalPiece>, Error> {
        let ranked = match self.ranked.get() {
            Some(ranked) => ranked,
            None => {
                let ranked = self.ranked()?;
                self.ranked.get_or_init(|| ranked)
            }
        };
        intervals(self.isl, ranked, &window.accesses()?)
    }

    fn ranked(&self) -> Result<Coordinates, Error> {
        let (isl, program, timestamps) = (self.isl, &self.lines.program, &self.timestamps);
        let ranks = Ranks::new(isl, program, timestamps)?;
        // Of the blocks that are accessed intervals know nothing.
        Coordinates::of_program(isl, program, timestamps, &ranks, UnionMap::empty(isl)?)
    }
}
