//! prev(t), the previous access to the same block, by dataflow analysis (docs/mathematics.md, "The previous
//! access").
//!
//! With every access as sink and as must-source, the last write before a read of array dataflow analysis becomes
//! the last access before an access. What has no source is a first touch; under infinite repeat its previous
//! access is the last access to its block in the run before (paper, section 3.4).

mod candidates;
mod slices;

use std::collections::BTreeMap;

use symloc_affine::AccessId;
use symloc_isl::{DimType, Flow, Map, MultiAff, PwMultiAff, Set, UnionMap, UnionSet, flow};
use symloc_model::IntervalKind;

use crate::Error;
use crate::formulas::coalesce::coalesced;
use crate::previous::candidates::Candidates;
use crate::previous::slices::slices;
use crate::schedule::counters::{Counted, MOVED};
use crate::schedule::timestamps::statement_access;

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
    /// [`Error::Isl`] if isl fails or reaches the limit, [`Error::Internal`] if its dataflow analysis loses accesses.
    pub fn new(accesses: &UnionMap, counted: &Counted) -> Result<Self, Error> {
        let dataflow = Dataflow::new(accesses, counted)?;
        let empty = accesses.subtract(accesses)?;
        let mut all = Self { real: empty.clone(), first_touches: empty.clone(), imaginary: empty };
        for array in &dataflow.arrays {
            for previous in
                array.accesses.iter().map(|sink| array.previous(sink)).collect::<Result<Vec<_>, _>>()?.concat()
            {
                let Self { real, first_touches, imaginary } = dataflow.in_iterators(previous)?;
                all.real = all.real.union(&real)?;
                all.first_touches = all.first_touches.union(&first_touches)?;
                all.imaginary = all.imaginary.union(&imaginary)?;
            }
        }
        Ok(all)
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
/// An access has its previous one among those to the same array, and every composition with all the others takes time
/// that grows with the square of their number. So each array is analysed by itself.
#[derive(Debug)]
pub(crate) struct Dataflow<'a> {
    arrays: Vec<ArrayAccesses<'a>>,
    /// From counters to iterators, where there are counters.
    iterators: Option<&'a UnionMap>,
}

impl<'a> Dataflow<'a> {
    /// Prepares the analysis of accesses in iterators; it uses counters if there are any.
    pub(crate) fn new(accesses: &UnionMap, counted: &'a Counted) -> Result<Self, Error> {
        let iterators = counted.iterators.as_ref();
        let accesses = match iterators {
            Some(iterators) => &iterators.apply_range(accesses)?,
            None => accesses,
        };
        Ok(Self { arrays: arrays(accesses, counted)?, iterators })
    }

    /// Returns the previous accesses of one access, in parts.
    pub(crate) fn previous(&self, sink: AccessId) -> Result<Vec<Prev>, Error> {
        let mut found = Vec::new();
        for array in &self.arrays {
            for access in array.accesses.iter().filter(|(access, _)| *access == sink) {
                for previous in array.previous(access)? {
                    found.push(self.in_iterators(previous)?);
                }
            }
        }
        Ok(found)
    }

    fn in_iterators(&self, prev: Prev) -> Result<Prev, Error> {
        let Some(iterators) = self.iterators else { return Ok(prev) };
        let Prev { real, first_touches, imaginary } = prev;
        Ok(Prev {
            real: real.apply_domain(iterators)?.apply_range(iterators)?,
            first_touches: first_touches.apply_domain(iterators)?,
            imaginary: imaginary.apply_domain(iterators)?.apply_range(iterators)?,
        })
    }
}

/// The accesses to one array.
#[derive(Debug)]
struct ArrayAccesses<'a> {
    /// In the order of the text.
    accesses: Vec<(AccessId, Timed)>,
    /// None of them.
    none: Timed,
    candidates: Candidates<'a>,
    /// Those that may be the last ones to touch a block.
    last: Timed,
    /// The blocks, separated by remainders; empty if they are not separated.
    slices: Vec<Set>,
}

/// The blocks that accesses touch, and when.
#[derive(Clone, Debug)]
struct Timed {
    blocks: UnionMap,
    schedule: UnionMap,
    /// The schedule for dataflow analysis, see [`Counted::moved`].
    moved: UnionMap,
}

impl Timed {
    fn new(blocks: &Map, schedule: &Map, moved: &Map) -> Result<Self, Error> {
        Self::simplified(&UnionMap::from_map(blocks)?, &UnionMap::from_map(schedule)?, &UnionMap::from_map(moved)?)
    }

    /// Parts of domains that overlap, as those of loops with steps and several lower bounds do, become one where they
    /// can: dataflow analysis multiplies them by each other.
    fn simplified(blocks: &UnionMap, schedule: &UnionMap, moved: &UnionMap) -> Result<Self, Error> {
        let blocks = blocks.coalesce()?;
        let domain = blocks.domain()?;
        let simplified = |schedule: &UnionMap| -> Result<UnionMap, Error> {
            Ok(without_repetitions(&schedule.intersect_domain(&domain)?)?.coalesce()?)
        };
        let (schedule, moved) = (simplified(schedule)?, simplified(moved)?);
        Ok(Self { blocks, schedule, moved })
    }

    /// Returns the accesses that touch some of the blocks.
    fn within(&self, blocks: &Set) -> Result<Self, Error> {
        let touched = self.blocks.intersect_range(&UnionSet::from_set(blocks)?)?;
        Self::simplified(&without_repetitions(&touched)?, &self.schedule, &self.moved)
    }

    /// Returns the last of these accesses to each of some blocks.
    fn last(&self, blocks: &UnionSet) -> Result<UnionMap, Error> {
        let touches = self.blocks.intersect_range(&blocks.coalesce()?)?;
        let time = touches.reverse()?.apply_range(&self.schedule)?.lexmax()?;
        Ok(time.apply_range(&self.schedule.reverse()?)?)
    }

    fn union(&self, other: &Self) -> Result<Self, Error> {
        Ok(Self {
            blocks: self.blocks.union(&other.blocks)?,
            schedule: self.schedule.union(&other.schedule)?,
            moved: self.moved.union(&other.moved)?,
        })
    }
}

impl ArrayAccesses<'_> {
    /// Returns the previous accesses of one of the accesses, slice by slice of the blocks that it touches.
    fn previous(&self, (id, sink): &(AccessId, Timed)) -> Result<Vec<Prev>, Error> {
        let sources = self.union(|access| self.candidates.may_precede(access, *id))?;
        if self.slices.is_empty() {
            return Ok(vec![previous(sink, &sources, &self.last, &self.none.blocks)?]);
        }
        let mut found = Vec::new();
        for blocks in &self.slices {
            let sink = sink.within(blocks)?;
            if !sink.blocks.is_empty()? {
                found.push(previous(&sink, &sources.within(blocks)?, &self.last.within(blocks)?, &self.none.blocks)?);
            }
        }
        Ok(found)
    }

    /// Returns the union of some of the accesses.
    fn union(&self, chosen: impl Fn(AccessId) -> bool) -> Result<Timed, Error> {
        union(&self.none, &self.accesses, chosen)
    }
}

fn union(none: &Timed, accesses: &[(AccessId, Timed)], chosen: impl Fn(AccessId) -> bool) -> Result<Timed, Error> {
    let mut chosen = accesses.iter().filter(|(access, _)| chosen(*access));
    chosen.try_fold(none.clone(), |all, (_, access)| all.union(access))
}

/// Returns the previous accesses of a sink among the sources, or in the run before; `none` is an empty relation.
fn previous(sink: &Timed, sources: &Timed, last: &Timed, none: &UnionMap) -> Result<Prev, Error> {
    let Flow { must_dependence, must_no_source } =
        flow(&sink.blocks, &sources.blocks, &sources.moved.union(&sink.moved)?)?;
    let (must_dependence, must_no_source) =
        (without_move(&must_dependence, none)?, without_move(&must_no_source, none)?);
    let imaginary = must_no_source.apply_range(&last.last(&must_no_source.range()?)?)?;
    Ok(Prev { real: must_dependence.reverse()?, first_touches: must_no_source, imaginary })
}

/// Returns a relation without the parameter by which iterators were moved, of which it says nothing; `none` is an empty
/// relation without it.
fn without_move(relation: &UnionMap, none: &UnionMap) -> Result<UnionMap, Error> {
    let mut all = none.clone();
    for map in relation.maps()? {
        let params = (0..map.dim(DimType::Param)?).map(|at| map.dim_name(DimType::Param, at));
        let names = params.collect::<Result<Vec<_>, _>>()?;
        let map = match names.iter().position(|name| name.as_deref() == Some(MOVED)) {
            Some(at) => map.project_out(DimType::Param, at, 1)?,
            None => map,
        };
        all = all.union(&UnionMap::from_map(&map)?)?;
    }
    Ok(all)
}

fn arrays<'a>(accesses: &UnionMap, counted: &'a Counted) -> Result<Vec<ArrayAccesses<'a>>, Error> {
    let of_statement = |map: Map| Ok((statement(map.tuple_name(DimType::In)?)?, map));
    let by_statement =
        |schedule: &UnionMap| schedule.maps()?.into_iter().map(of_statement).collect::<Result<BTreeMap<_, _>, Error>>();
    let (schedules, moved) = (by_statement(&counted.schedule)?, by_statement(&counted.moved)?);
    let none = accesses.subtract(accesses)?;
    let none = Timed { blocks: none.clone(), schedule: none.clone(), moved: none };
    let mut by_array: BTreeMap<Option<String>, Vec<(AccessId, Map)>> = BTreeMap::new();
    for map in without_repetitions(accesses)?.maps()? {
        by_array.entry(map.tuple_name(DimType::Out)?).or_default().push(of_statement(map)?);
    }
    let array = |mut maps: Vec<(AccessId, Map)>| {
        maps.sort_by_key(|(access, _)| *access);
        let candidates = Candidates::among(&maps, &counted.times)?;
        let slices = slices(maps.iter().map(|(_, map)| map))?;
        let timed = |(access, map): &(AccessId, Map)| {
            let unknown = || Error::Internal(format!("an access without a schedule: {}", access.0));
            let times = schedules.get(access).zip(moved.get(access));
            let (schedule, moved) = times.ok_or_else(unknown)?;
            Ok((*access, Timed::new(map, schedule, moved)?))
        };
        let accesses = maps.iter().map(timed).collect::<Result<Vec<_>, Error>>()?;
        let last = union(&none, &accesses, |access| candidates.may_be_last(access))?;
        Ok(ArrayAccesses { accesses, none: none.clone(), candidates, last, slices })
    };
    by_array.into_values().map(array).collect()
}

/// Returns a relation without inequalities that only repeat a congruence, such as `3*floor(t/3) < t` beside `t mod 3 =
/// 1`: with them, isl's parametric lexmax takes an earlier instance for the last.
fn without_repetitions(relation: &UnionMap) -> Result<UnionMap, Error> {
    Ok(relation.detect_equalities()?)
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
        maps.push(((statement(map.tuple_name(DimType::In)?)?, statement(map.tuple_name(DimType::Out)?)?), map));
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
            for (domain, iterators) in PwMultiAff::from_map(&part.to_set()?.unwrap()?)?.pieces()? {
                // Of some parts isl finds only now that they are empty.
                if !domain.is_empty()? {
                    pieces.push(PrevPiece { kind, sink, source, domain, iterators });
                }
            }
        }
    }
    Ok(pieces)
}

fn statement(name: Option<String>) -> Result<AccessId, Error> {
    let access = name.as_deref().and_then(statement_access);
    access.ok_or_else(|| Error::Internal(format!("a dependence of an unknown statement {name:?}")))
}
