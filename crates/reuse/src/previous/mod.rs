//! prev(t), the previous access to the same block (docs/mathematics.md, "The previous access").
//!
//! It is a dataflow analysis: for an access as *sink* the last one before it is found among the *sources*, the accesses
//! to its array. A sink without a source is a first touch; under infinite repeat its previous access is the last access
//! to its block in the run before (paper, section 3.4).
//!
//! - `order`: sources in groups of which each is later than the next;
//! - `timed`: the last access of a group to a block;
//! - `candidates`: accesses that others always follow are no sources;
//! - `slices`: blocks apart by the value of a remainder;
//! - `array`: all of them together, for one array.

mod array;
mod candidates;
mod order;
mod slices;
mod timed;

use symloc_affine::AccessId;
use symloc_isl::{Dim, DimType, Div, Map, MultiAff, PwMultiAff, Set, UnionMap, UnionSet};
use symloc_model::IntervalKind;

use crate::Error;
use crate::formulas::coalesce::coalesced;
use crate::previous::array::{Analysed, ArrayAccesses, arrays};
use crate::schedule::coordinates::Touches;
use crate::schedule::counters::Counted;
use crate::schedule::timestamps::accessed;

/// The previous accesses of all accesses: real ones in this run, imaginary ones in the run before.
#[derive(Clone, Debug)]
pub struct Prev {
    /// `S<k>[iters] -> S<l>[iters]`, the previous access in this run.
    pub real: UnionMap,
    /// The accesses without one, and the blocks that they touch.
    pub first_touches: UnionMap,
    /// The last access to the block of each first touch.
    pub imaginary: UnionMap,
}

/// Whose reuse it is: an access, and the one that touched the block before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reuse {
    /// The access.
    pub sink: AccessId,
    /// The previous access; `None` for first touches, whose previous access is in the previous run.
    pub source: Option<AccessId>,
}

impl Reuse {
    /// Returns an access without a previous one in this run.
    pub fn first_touch(sink: AccessId) -> Self {
        Self { sink, source: None }
    }
}

impl Prev {
    /// Returns the previous accesses of all accesses.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if isl fails or reaches the limit, [`Error::Internal`] if an access has no schedule.
    pub fn new(accesses: &UnionMap, counted: &Counted) -> Result<Self, Error> {
        let dataflow = Dataflow::new(Touches { accesses, counted, lines: None }, &|_| true)?;
        let empty = accesses.subtract(accesses)?;
        let mut all = Self { real: empty.clone(), first_touches: empty.clone(), imaginary: empty };
        for array in &dataflow.arrays {
            for sink in array.sinks() {
                all = array.previous(sink, None)?.iter().try_fold(all, |all, part| all.union(part))?;
            }
        }
        Ok(all)
    }

    fn union(&self, other: &Self) -> Result<Self, Error> {
        Ok(Self {
            real: self.real.union(&other.real)?,
            first_touches: self.first_touches.union(&other.first_touches)?,
            imaginary: self.imaginary.union(&other.imaginary)?,
        })
    }

    fn coalesced(&self) -> Result<Self, Error> {
        Ok(Self {
            real: self.real.coalesce()?,
            first_touches: self.first_touches.coalesce()?,
            imaginary: self.imaginary.coalesce()?,
        })
    }

    /// Returns the pieces of previous accesses in the same run, in the order of the statements.
    pub(crate) fn real_pieces(real: &UnionMap) -> Result<Vec<PrevPiece>, Error> {
        pieces(real, IntervalKind::Real)
    }

    /// Returns all pieces: real ones first, in the order of the statements.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if isl fails or reaches the limit on its operations.
    pub fn pieces(&self) -> Result<Vec<PrevPiece>, Error> {
        let mut pieces = pieces(&self.real, IntervalKind::Real)?;
        pieces.extend(self::pieces(&self.imaginary, IntervalKind::Imaginary)?);
        Ok(pieces)
    }
}

/// Dataflow analysis, access by access.
///
/// An access has its previous one among those to the same array, so each array is analysed by itself.
#[derive(Debug)]
pub(crate) struct Dataflow<'a> {
    arrays: Vec<ArrayAccesses<'a>>,
}

impl<'a> Dataflow<'a> {
    /// Prepares the analysis of accesses in iterators, for sinks in arrays with `wanted` accesses; it uses counters if
    /// there are any.
    pub(crate) fn new(touches: Touches<'a>, wanted: &dyn Fn(AccessId) -> bool) -> Result<Self, Error> {
        let analysed = Analysed { wanted, sources: &|_| true, imaginary: true };
        Ok(Self { arrays: arrays(touches, analysed)? })
    }

    /// Prepares the analysis in which only some accesses, `sources`, are previous ones, for sinks in their arrays; those
    /// without a previous one have none in the run before either.
    pub(crate) fn among(touches: Touches<'a>, sources: &dyn Fn(AccessId) -> bool) -> Result<Self, Error> {
        let analysed = Analysed { wanted: sources, sources, imaginary: false };
        Ok(Self { arrays: arrays(touches, analysed)? })
    }

    /// Returns the previous accesses of one access, in parts.
    pub(crate) fn previous(&self, sink: AccessId) -> Result<Vec<Prev>, Error> {
        self.with(sink).map_or_else(|| Ok(Vec::new()), |array| array.previous(sink, None))
    }

    /// Returns the pieces of an access whose previous accesses are among these: those that are known, and all others but on the
    /// `needless` ones.
    pub(crate) fn pieces_among(
        &self,
        sink: AccessId,
        known: Vec<PrevPiece>,
        needless: &[PrevPiece],
    ) -> Result<Vec<PrevPiece>, Error> {
        let Some(array) = self.with(sink) else { return Ok(known) };
        let mut found = if array.in_iterators() { known } else { Vec::new() };
        let settled = found.iter().chain(needless.iter().filter(|_| array.in_iterators()));
        let settled = settled.map(|piece| UnionSet::from_set(&piece.domain));
        let settled = settled.reduce(|all, one| all?.union(&one?)).transpose()?;
        for part in array.previous(sink, settled.as_ref())? {
            found.extend(part.pieces()?);
        }
        Ok(found)
    }

    /// Returns all accesses to the array of an access, if this is one of those that are analysed.
    fn with(&self, sink: AccessId) -> Option<&ArrayAccesses<'a>> {
        self.arrays.iter().find(|array| array.sinks().contains(&sink))
    }
}

/// On a part of a statement's domain, the previous access is an instance of one statement, given by affine
/// functions of the iterators.
#[derive(Clone, Debug)]
pub struct PrevPiece {
    /// Real or imaginary.
    pub kind: IntervalKind,
    /// The access.
    pub sink: AccessId,
    /// The statement of the previous access.
    pub source: AccessId,
    /// The part of the domain.
    pub domain: Set,
    /// The iterators of the previous access.
    pub iterators: MultiAff,
}

impl PrevPiece {
    /// Returns the reuse of the piece.
    pub fn reuse(&self) -> Reuse {
        Reuse { sink: self.sink, source: (self.kind == IntervalKind::Real).then_some(self.source) }
    }
}

/// Unions of more parts are not simplified: it takes long, and isl has met a NULL in one of 29.
const COALESCED: usize = 24;

fn pieces(prev: &UnionMap, kind: IntervalKind) -> Result<Vec<PrevPiece>, Error> {
    let mut maps: Vec<((AccessId, AccessId), Map)> = Vec::new();
    for map in prev.maps()? {
        maps.push(((accessed(&map, DimType::In)?, accessed(&map, DimType::Out)?), map));
    }
    maps.sort_by_key(|(statements, _)| *statements);
    let mut pieces = Vec::new();
    for ((sink, source), map) in maps {
        // Part by part: of a union isl would first prove that it is single-valued, which takes long and is known.
        let mut pairs = map.wrap()?;
        if pairs.basic_sets()?.len() <= COALESCED {
            pairs = coalesced(pairs)?;
        }
        for part in pairs.make_disjoint()?.basic_sets()? {
            for (domain, iterators) in functions(&part.to_set()?.unwrap()?)? {
                // Of some parts isl finds only now that they are empty.
                if !domain.is_empty()? {
                    pieces.push(PrevPiece { kind, sink, source, domain, iterators });
                }
            }
        }
    }
    Ok(pieces)
}

/// Returns a relation as functions. An iterator that is a floor of a floor, and never more than one iteration from that of
/// the access, is this distance, case by case: isl says no more of it than that it is the last one in a line.
fn functions(relation: &Map) -> Result<Vec<(Set, MultiAff)>, Error> {
    let mut functions = Vec::new();
    for (domain, iterators) in PwMultiAff::from_map(relation)?.pieces()? {
        let nested = nested_floors(&iterators, relation.dim(DimType::In)?)?;
        if nested.is_empty() {
            functions.push((domain, iterators));
            continue;
        }
        let mut parts = vec![Map::from_multi_aff(&iterators)?.intersect_domain(&domain)?];
        for place in nested {
            parts = parts.iter().map(|part| near(part, place)).collect::<Result<Vec<_>, _>>()?.concat();
        }
        match parts.as_slice() {
            [_] => functions.push((domain, iterators)),
            parts => {
                for part in parts {
                    functions.extend(PwMultiAff::from_map(part)?.pieces()?);
                }
            }
        }
    }
    Ok(functions)
}

/// Returns the places before `end` at which a function has a floor of a floor.
fn nested_floors(function: &MultiAff, end: usize) -> Result<Vec<usize>, Error> {
    let is_nested = |div: &Div| div.numerator.coefficients.iter().any(|(dim, _)| matches!(dim, Dim::Div(_)));
    let mut places = Vec::new();
    for (place, aff) in function.affs()?.iter().enumerate().take(end) {
        if aff.form()?.divs.iter().any(is_nested) {
            places.push(place);
        }
    }
    Ok(places)
}

/// Divides a function by the distance of an iterator from that of the access, if this is at most one.
fn near(function: &Map, place: usize) -> Result<Vec<Map>, Error> {
    let (mut parts, mut rest) = (Vec::new(), function.clone());
    for distance in [-1, 0, 1] {
        let part = function.apart_by(place, distance)?;
        if !part.is_empty()? {
            rest = rest.subtract(&part)?;
            parts.push(part);
        }
    }
    Ok(if rest.is_empty()? { parts } else { vec![function.clone()] })
}
