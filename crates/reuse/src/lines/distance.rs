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

use std::collections::BTreeSet;

use symloc_isl::Set;
use symloc_model::{Distances, Kind};
use symloc_quasi::{Poly, Var};

use super::part::{Counted, Parts, Subject};
use super::terms::Terms;
use super::{Lines, Translated};
use crate::Error;
use crate::classes::Groups;
use crate::convert::dims_to_params;
use crate::distance::count::{Adder, Value};
use crate::distance::footprint::Footprints;
use crate::distance::merge;
use crate::distance::tree::Tree;
use crate::distance::window::{Window, windows};
use crate::distance::{Limits, limited};
use crate::interval::{IntervalPiece, intervals};
use crate::prev::PrevPiece;
use crate::timestamps::statement_name;

impl Parts<'_> {
    /// Adds the parts of all distances. Windows of these numbers are estimated.
    fn distances(&mut self, pieces: &[PrevPiece], limits: Limits, estimated: &BTreeSet<usize>) -> Result<(), Error> {
        let tree = Tree::new(self.program);
        let mut footprints = Footprints::new(self.isl, self.program, &tree, self.starts.touched.clone());
        let mut number = 0;
        for piece in pieces.iter().filter(|piece| piece.kind == Kind::Real) {
            let before = usize::from(self.starts.ratios[piece.sink.index()].is_some());
            for window in windows(self.isl, &tree, piece, before)? {
                let so_far = self.parts.len();
                let isl = self.isl;
                let known = match estimated.contains(&number) {
                    false => limited(isl, limits.window, || self.window(&window, number, &mut footprints))?,
                    true => None,
                };
                if known.is_none() {
                    self.parts.truncate(so_far);
                    self.estimate(&window)?;
                }
                number += 1;
            }
        }
        Ok(())
    }

    /// Adds the distances of the accesses of one window.
    fn window(&mut self, window: &Window<'_>, number: usize, footprints: &mut Footprints<'_>) -> Result<(), Error> {
        let access = window.piece.sink;
        let frame = &self.starts.coordinates.place(access).frame;
        let names: Vec<&str> = frame.iterators().map(|v| frame.name(v)).collect();
        let mut terms = Terms::new(self.isl, frame, &window.domain, Var(self.starts.line.0))?;
        for (array, blocks) in window.blocks(self.isl, footprints, &names)? {
            let ratio = self.starts.ratio_of(self.program, array);
            blocks.iter().try_for_each(|blocks| terms.add(blocks, ratio))?;
        }
        let (value, terms) = terms.finished();
        self.accesses(&window.domain, Subject { counted: Counted::Distances(number), access, value, terms }, &[])
    }

    /// Adds the intervals of the accesses of one window, in place of their distances.
    fn estimate(&mut self, window: &Window<'_>) -> Result<(), Error> {
        let domain = window.domain.set_tuple_name(&statement_name(window.piece.sink))?;
        let piece = PrevPiece { domain, iterators: window.piece.iterators.clone(), ..*window.piece };
        for interval in intervals(self.isl, &self.starts.coordinates, &piece)? {
            self.interval_of(&interval, Counted::Estimated)?;
        }
        Ok(())
    }
}

/// Distances by formula, or the windows that take too many steps.
enum Found {
    /// All of them.
    All(FoundDistances),
    /// The numbers of the windows that have to be estimated.
    TooLong(BTreeSet<usize>),
}

/// Distances by formula, and intervals of what is estimated, not yet counted.
pub struct FoundDistances {
    exact: Groups,
    estimated: Groups,
}

impl Lines<'_> {
    /// The distances of all accesses, by formula.
    fn distances(&self, limits: Limits) -> Result<Found, Error> {
        let mut found = FoundDistances { exact: Groups::default(), estimated: Groups::default() };
        let mut long = BTreeSet::new();
        for part in &self.parts {
            match part.counted {
                Counted::Distances(window) if !long.contains(&window) => {
                    match limited(self.isl, limits.window, || self.totals(part))? {
                        Some(pieces) => {
                            let weight = || part.weight.clone();
                            pieces.into_iter().for_each(|p| found.exact.add_weighted(p, &part.frame, weight()));
                        }
                        None => _ = long.insert(window),
                    }
                }
                Counted::Estimated => self.file(part, Kind::Real, &mut found.estimated)?,
                _ => {}
            }
        }
        Ok(if long.is_empty() { Found::All(found) } else { Found::TooLong(long) })
    }

    /// The classes of distances, counted.
    pub fn count_distances(&self, found: FoundDistances) -> Result<Distances, Error> {
        Ok(Distances { classes: self.count(found.exact)?, estimated: self.count(found.estimated)? })
    }

    /// The distances of a part: its value and its terms, added up.
    fn totals(&self, part: &Translated) -> Result<Vec<IntervalPiece>, Error> {
        let frame = &part.frame;
        let domain = part.domain.intersect_params(&self.context.params()?)?;
        if domain.is_empty()? {
            return Ok(Vec::new());
        }
        let names: Vec<&str> = frame.iterators().map(|v| frame.name(v)).collect();
        let adder = Adder::new(self.isl, frame);
        let mut values: Vec<Value> = vec![(dims_to_params(&domain, 0, &names)?.params()?, part.value.clone())];
        for (points, factor) in &part.terms {
            for points in points.make_disjoint()?.basic_sets()? {
                values = adder.add(values, &points.to_set()?, factor)?;
            }
        }
        let over_iters = |(domain, value): Value| Ok((frame.over_iters(self.isl, &domain)?, value));
        let values = values.into_iter().map(over_iters).collect::<Result<_, Error>>()?;
        let divided = self.sizes.divided();
        let in_lines = |poly: &Poly| replaced(poly, &divided);
        let piece = |(domain, value): (Set, Poly)| IntervalPiece {
            kind: Kind::Real,
            sink: part.access,
            domain,
            value: self.normal(&value),
            in_steps: Vec::new(),
        };
        Ok(merge::merged(self.isl, frame, values, in_lines)?.into_iter().map(piece).collect())
    }
}

/// A polynomial with values for some variables.
fn replaced(poly: &Poly, values: &[(Var, Poly)]) -> Poly {
    poly.substitute(&|var| values.iter().find(|(v, _)| *v == var).map(|(_, value)| value.clone()))
}

/// Lines with all distances; the parts hold everything else. What takes too many steps only once the lines are known is
/// estimated in another turn.
pub fn with_distances<'a>(
    mut parts: Parts<'a>,
    pieces: &[PrevPiece],
    limits: Limits,
) -> Result<(Lines<'a>, FoundDistances), Error> {
    let others = parts.parts.len();
    let mut estimated = BTreeSet::new();
    loop {
        parts.distances(pieces, limits, &estimated)?;
        let lines = Lines::new(&parts)?;
        match lines.distances(limits)? {
            Found::All(found) => return Ok((lines, found)),
            Found::TooLong(windows) => estimated.extend(windows),
        }
        parts.parts.truncate(others);
    }
}
