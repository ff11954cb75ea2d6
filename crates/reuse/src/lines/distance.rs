//! Reuse distances with a symbolic line size.
//!
//! Windows and the blocks in them are those of [`distance`](crate::distance), with line starts as last coordinates of blocks:
//!
//! ```text
//! prev, for every line start ─▶ windows ─▶ blocks A[…, y′], for every start y′, disjoint ─▶ terms ─▶ line coordinates
//! ```
//!
//! A line touched is a start y′ with y′ ≤ x < y′ + b for an x that is accessed. So footprints, their unions and what they have in
//! common are affine, and true of the multiples of b. Only these are counted, in line coordinates, with what t depends on as
//! parameters.

use std::collections::{BTreeMap, BTreeSet};

use symloc_isl::Set;
use symloc_model::{Distances, IntervalKind};
use symloc_quasi::{Atom, Poly, Var};

use super::part::{PartKind, Parts, Subject};
use super::terms::Terms;
use super::{Lines, Translated};
use crate::Error;
use crate::distance::Limits;
use crate::distance::count::Adder;
use crate::distance::footprint::{BlockNames, Footprints};
use crate::distance::tree::BodyTree;
use crate::distance::union::disjoint;
use crate::distance::window::{Window, windows};
use crate::formulas::merge::merged;
use crate::frame::dims_to_params;
use crate::intervals::classes::Groups;
use crate::intervals::{IntervalPiece, intervals};
use crate::previous::PrevPiece;
use crate::steps::limited;

/// Lines with all distances; the parts hold everything else.
///
/// # Errors
///
/// [`Error::Line`] if an interval in place of a distance does not fit into lines, [`Error::Isl`] if isl fails or
/// reaches the limit.
pub fn with_distances<'a>(
    mut parts: Parts<'a>,
    pieces: &[PrevPiece],
    limits: Limits,
) -> Result<(Lines<'a>, FoundDistances), Error> {
    let tree = BodyTree::new(parts.program);
    let windows = parts.windows(&tree, pieces)?;
    parts.distances(&tree, &windows, limits)?;
    let mut lines = Lines::new(&parts)?;
    let WindowDistances { distances, unknown } = lines.distances(limits)?;
    let so_far = parts.parts.len();
    unknown.into_iter().try_for_each(|number| parts.estimate(&windows[number]))?;
    lines.add(&parts.parts[so_far..])?;
    Ok((lines, distances))
}

impl Parts<'_> {
    /// Returns the windows of all reuses.
    fn windows(&self, tree: &BodyTree, pieces: &[PrevPiece]) -> Result<Vec<Window>, Error> {
        let mut all = Vec::new();
        for piece in pieces.iter().filter(|piece| piece.kind == IntervalKind::Real) {
            let before = usize::from(self.starts.ratios[piece.sink.index()].is_some());
            all.extend(windows(tree, piece, before)?);
        }
        Ok(all)
    }

    /// Adds the parts of all distances, or of intervals in place of those that take too many steps.
    fn distances(&mut self, tree: &BodyTree, windows: &[Window], limits: Limits) -> Result<(), Error> {
        let isl = self.isl;
        let mut footprints = Footprints::new(self.program, tree, self.starts.touched.clone());
        for (number, window) in windows.iter().enumerate() {
            let so_far = self.parts.len();
            if limited(isl, limits.window, || self.window(window, number, &mut footprints))?.is_none() {
                self.parts.truncate(so_far);
                self.estimate(window)?;
            }
        }
        Ok(())
    }

    /// Adds the distances of the accesses of one window.
    fn window(&mut self, window: &Window, number: usize, footprints: &mut Footprints<'_>) -> Result<(), Error> {
        let reuse = window.piece.reuse();
        let frame = &self.starts.coordinates.ranked(reuse.sink).frame;
        let names = frame.iterator_names();
        let mut terms = Terms::new(self.isl, frame, &window.domain, Var(self.starts.line.0))?;
        for (array, blocks) in window.blocks(footprints, &names, BlockNames::Unique)? {
            let ratio = self.starts.ratio_of(self.program, array);
            disjoint(&blocks)?.iter().try_for_each(|blocks| terms.add(blocks, ratio))?;
        }
        let (value, terms) = terms.finished();
        self.accesses(&window.domain, Subject { counted: PartKind::Distances(number), reuse, value, terms }, &[])
    }

    /// Adds the intervals of the accesses of one window, in place of their distances.
    fn estimate(&mut self, window: &Window) -> Result<(), Error> {
        for interval in intervals(self.isl, &self.starts.coordinates, &window.accesses()?)? {
            self.interval_of(&interval, PartKind::Estimated)?;
        }
        Ok(())
    }
}

/// Distances by formula, not yet counted.
pub struct FoundDistances(Groups);

/// The distances that were found.
struct WindowDistances {
    distances: FoundDistances,
    /// The numbers of the windows that take too many steps, or do not fit.
    unknown: BTreeSet<usize>,
}

impl Lines<'_> {
    /// Returns the distances of all accesses, by formula.
    fn distances(&self, limits: Limits) -> Result<WindowDistances, Error> {
        let mut by_window = BTreeMap::<usize, Vec<(&Translated, Vec<IntervalPiece>)>>::new();
        let mut unknown = self.unfit.clone();
        for part in &self.parts {
            let PartKind::Distances(window) = part.counted else { continue };
            if unknown.contains(&window) {
                continue;
            }
            match limited(self.isl, limits.window, || self.totals(part))? {
                Some(totals) => by_window.entry(window).or_default().push((part, totals)),
                None => _ = unknown.insert(window),
            }
        }
        by_window.retain(|window, _| !unknown.contains(window));
        let mut groups = Groups::default();
        for (part, totals) in by_window.into_values().flatten() {
            totals.into_iter().for_each(|total| groups.add_weighted(total, &part.frame, part.weight.clone()));
        }
        Ok(WindowDistances { distances: FoundDistances(groups), unknown })
    }

    /// Returns the classes of distances, and of the intervals that stand in for some, counted.
    ///
    /// # Errors
    ///
    /// [`Error::Unbounded`] if a free iterator has no range, [`Error::Isl`] if counting fails or reaches the limit.
    pub fn count_distances(&self, FoundDistances(exact): FoundDistances) -> Result<Distances, Error> {
        let mut estimated = Groups::default();
        let parts = self.parts.iter().filter(|part| part.counted == PartKind::Estimated);
        parts.into_iter().try_for_each(|part| self.file(part, IntervalKind::Real, &mut estimated))?;
        Ok(Distances { classes: self.count(exact)?, estimated: self.count(estimated)? })
    }

    /// Returns the distances of a part: its value and its terms, added up.
    fn totals(&self, part: &Translated) -> Result<Vec<IntervalPiece>, Error> {
        let frame = &part.frame;
        let domain = part.domain.intersect_params(&self.context.params()?)?;
        if domain.is_empty()? {
            return Ok(Vec::new());
        }
        let names = frame.iterator_names();
        let mut adder = Adder::new(self.isl, frame, dims_to_params(&domain, 0, &names)?.params()?)?;
        for (points, factor) in &part.terms {
            for points in points.make_disjoint()?.basic_sets()? {
                adder.add(&points.to_set()?, factor)?;
            }
        }
        let values = adder.finished(&part.value)?;
        let divided = self.sizes.divided();
        let in_lines = |poly: &Poly| replaced(poly, &divided);
        let piece = |(domain, value): (Set, Poly)| IntervalPiece {
            kind: IntervalKind::Real,
            reuse: part.reuse,
            domain,
            value: self.normal(&value),
            in_steps: Vec::new(),
        };
        Ok(merged(self.isl, frame, values, in_lines)?.into_iter().map(piece).collect())
    }
}

/// Returns a polynomial with values for some variables. Floors stay as they are, because isl must read them: the values have products.
fn replaced(poly: &Poly, values: &[(Var, Poly)]) -> Poly {
    poly.map_atoms(&|atom| match atom {
        Atom::Var(var) => values.iter().find(|(v, _)| v == var).map(|(_, value)| value.clone()),
        Atom::Floor(_) => None,
    })
}
