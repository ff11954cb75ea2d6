//! The previous accesses to the blocks of one array.

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::AccessId;
use symloc_isl::{DimType, Map, Set, UnionMap, UnionSet};

use super::Prev;
use super::candidates::Candidates;
use super::order::{EarlierGroup, TouchTime, before, by_time, latest_first};
use super::slices::slices;
use super::timed::Timed;
use crate::Error;
use crate::schedule::coordinates::Touches;
use crate::schedule::counters::Counted;
use crate::schedule::timestamps::accessed;

/// The accesses to one array.
#[derive(Debug)]
pub(super) struct ArrayAccesses<'a> {
    /// In the order of the text.
    pub(super) accesses: Vec<ArrayAccess>,
    counted: &'a Counted,
    /// From counters and line starts to iterators, where there are any.
    iterators: Option<UnionMap>,
    has_starts: bool,
    /// None of them.
    none: Timed,
    candidates: Candidates<'a>,
    /// Those that may be the last ones to touch a block, in groups; those of a group come after all those of the next.
    last: Vec<Timed>,
    /// The blocks, separated by remainders; empty if they are not separated.
    slices: Vec<Set>,
}

/// An access to the array.
#[derive(Clone, Debug)]
pub(super) struct ArrayAccess {
    pub(super) id: AccessId,
    timed: Timed,
    time: TouchTime,
    /// True if it may be a previous access.
    is_source: bool,
}

/// The accesses that a dataflow analysis is about.
#[derive(Clone, Copy)]
pub(super) struct Analysed<'w> {
    /// An array is analysed if it has one of these.
    pub(super) wanted: &'w dyn Fn(AccessId) -> bool,
    /// The previous access is the last one of these.
    pub(super) sources: &'w dyn Fn(AccessId) -> bool,
    /// True if the last accesses to blocks of first touches are looked for, too.
    pub(super) imaginary: bool,
}

/// Returns the accesses to each array that has `wanted` ones.
pub(super) fn arrays<'a>(
    Touches { accesses, counted, lines }: Touches<'a>,
    analysed: Analysed<'_>,
) -> Result<Vec<ArrayAccesses<'a>>, Error> {
    let schedules = by_access(&counted.schedule)?;
    let mut by_array: BTreeMap<Option<String>, Vec<(AccessId, Map)>> = BTreeMap::new();
    for map in accesses.maps()? {
        let access = accessed(&map, DimType::In)?;
        // That an access never executes may have been seen in its schedule, and not here.
        if schedules.contains_key(&access) || !map.is_empty()? {
            by_array.entry(map.tuple_name(DimType::Out)?).or_default().push((access, map));
        }
    }
    by_array.retain(|_, maps| maps.iter().any(|(access, _)| (analysed.wanted)(*access)));
    let none = Timed::none(&accesses.subtract(accesses)?);
    let order = AccessOrders {
        schedules,
        iterators: counted.iterators.as_ref().map(by_access).transpose()?,
        lines: lines.map(by_access).transpose()?.unwrap_or_default(),
    };
    by_array.into_values().map(|maps| ArrayAccesses::new(maps, &order, counted, none.clone(), analysed)).collect()
}

/// The order of accesses, one by one: a union of all would be searched for each.
struct AccessOrders {
    schedules: BTreeMap<AccessId, Map>,
    /// From counters to iterators, where there are counters.
    iterators: Option<BTreeMap<AccessId, Map>>,
    /// From statements with line starts to those without; only of these.
    lines: BTreeMap<AccessId, Map>,
}

fn by_access(maps: &UnionMap) -> Result<BTreeMap<AccessId, Map>, Error> {
    maps.maps()?.into_iter().map(|map| Ok((accessed(&map, DimType::In)?, map))).collect()
}

/// Returns the relation of an access.
fn of_access(maps: &BTreeMap<AccessId, Map>, id: AccessId) -> Result<&Map, Error> {
    maps.get(&id).ok_or_else(|| Error::Internal(format!("an access without a schedule: {}", id.0)))
}

impl<'a> ArrayAccesses<'a> {
    fn new(
        mut maps: Vec<(AccessId, Map)>,
        order: &AccessOrders,
        counted: &'a Counted,
        none: Timed,
        analysed: Analysed<'_>,
    ) -> Result<Self, Error> {
        let (mut iterators, mut has_starts) = (None, false);
        for (id, map) in &mut maps {
            let mut own = order.lines.get(id).cloned();
            has_starts |= own.is_some();
            if let Some(of) = &order.iterators {
                let of = of_access(of, *id)?;
                *map = of.apply_range(map)?;
                own = Some(own.map_or_else(|| Ok(of.clone()), |lines| of.apply_range(&lines))?);
            }
            if let Some(own) = own {
                let all = iterators.take().unwrap_or_else(|| none.blocks.clone());
                iterators = Some(all.union(&UnionMap::from_map(&own)?)?);
            }
            // As in `without_repetitions`.
            *map = map.detect_equalities()?;
        }
        maps.sort_by_key(|(access, _)| *access);
        let sources: Vec<_> = maps.iter().filter(|(access, _)| (analysed.sources)(*access)).cloned().collect();
        let candidates = Candidates::among(&sources, &counted.times)?;
        let slices = slices(maps.iter().map(|(_, map)| map))?;
        let mut accesses = Vec::new();
        for (id, map) in &maps {
            let schedule = of_access(&order.schedules, *id)?;
            for (map, known) in by_time(map, schedule, &counted.times[id.index()])? {
                let time = TouchTime::new(accesses.len(), known);
                let is_source = (analysed.sources)(*id);
                accesses.push(ArrayAccess { id: *id, timed: Timed::new(&map, schedule)?, time, is_source });
            }
        }
        let mut array = Self { accesses, counted, iterators, has_starts, none, candidates, last: Vec::new(), slices };
        let last = |access| analysed.imaginary && array.candidates.may_be_last(access);
        let last: Vec<_> = array.times(last).collect();
        array.last = latest_first(&last, 0).iter().map(|group| array.union(group)).collect::<Result<_, _>>()?;
        Ok(array)
    }

    /// Returns true if accesses are timed by their iterators, not by counters or line starts.
    pub(super) fn in_iterators(&self) -> bool {
        self.iterators.is_none()
    }

    /// Returns the accesses, in the order of the text.
    pub(super) fn sinks(&self) -> BTreeSet<AccessId> {
        self.accesses.iter().map(|access| access.id).collect()
    }

    /// Returns the previous accesses of one of the accesses, in parts: but for some instances in iterators, if any are known.
    pub(super) fn previous(&self, sink: AccessId, known: Option<&UnionSet>) -> Result<Vec<Prev>, Error> {
        let mut found = Vec::new();
        for part in self.accesses.iter().filter(|access| access.id == sink) {
            let timed = known.map_or_else(|| Ok(part.timed.clone()), |known| part.timed.without(known))?;
            if known.is_none() || !timed.blocks.is_empty()? {
                found.extend(self.previous_of(&ArrayAccess { timed, ..part.clone() })?);
            }
        }
        self.with_iterators(found)
    }

    /// Returns the previous accesses of a part of an access, slice by slice of the blocks that it touches.
    fn previous_of(&self, sink: &ArrayAccess) -> Result<Vec<Prev>, Error> {
        let times: Vec<_> = self.times(|access| self.candidates.may_precede(access, sink.id)).collect();
        let groups = before(&sink.time, &times, 0);
        let groups = groups.iter().map(|EarlierGroup { accesses, level }| Ok((self.union(accesses)?, *level)));
        let groups = groups.collect::<Result<Vec<_>, Error>>()?;
        if self.slices.is_empty() {
            return Ok(vec![self.among(&sink.timed, &groups, &self.last)?]);
        }
        let mut found = Vec::new();
        for blocks in &self.slices {
            let sink = sink.timed.within(blocks)?;
            if !sink.blocks.is_empty()? {
                let groups = groups.iter().map(|(group, level)| Ok((group.within(blocks)?, *level)));
                let last = self.last.iter().map(|group| group.within(blocks));
                let (groups, last) = (groups.collect::<Result<Vec<_>, Error>>()?, last.collect::<Result<Vec<_>, _>>()?);
                found.push(self.among(&sink, &groups, &last)?);
            }
        }
        Ok(found)
    }

    /// Returns the previous accesses of a sink. In each list of groups, each is later than the next: those before the sink,
    /// with the component of the time at which they are, and the last ones to their blocks.
    fn among(&self, sink: &Timed, groups: &[(Timed, usize)], last: &[Timed]) -> Result<Prev, Error> {
        let (mut real, mut rest) = (self.none.blocks.clone(), sink.clone());
        for (group, level) in groups {
            if rest.blocks.is_empty()? {
                break;
            }
            let found = group.last_before(&rest, &self.counted.earlier[*level])?;
            rest = rest.without(&found.domain()?)?;
            real = real.union(&found)?;
        }
        let first_touches = rest.blocks;
        let (mut before, mut blocks) = (self.none.blocks.clone(), first_touches.range()?);
        for group in last {
            if blocks.is_empty()? {
                break;
            }
            let found = group.last(&blocks)?;
            blocks = blocks.subtract(&found.domain()?)?;
            before = before.union(&found)?;
        }
        let imaginary = first_touches.apply_range(&before)?;
        Ok(Prev { real, first_touches, imaginary })
    }

    /// Returns parts in iterators. With line starts parts are united first: without these they are not seen to be one.
    fn with_iterators(&self, mut parts: Vec<Prev>) -> Result<Vec<Prev>, Error> {
        let Some(iterators) = &self.iterators else { return Ok(parts) };
        if self.has_starts
            && let Some(first) = parts.pop()
        {
            parts = vec![parts.iter().try_fold(first, |all, part| all.union(part))?.coalesced()?];
        }
        let in_iterators = |Prev { real, first_touches, imaginary }: &Prev| {
            Ok(Prev {
                real: real.apply_domain(iterators)?.apply_range(iterators)?,
                first_touches: first_touches.apply_domain(iterators)?,
                imaginary: imaginary.apply_domain(iterators)?.apply_range(iterators)?,
            })
        };
        parts.iter().map(in_iterators).collect()
    }

    fn times(&self, chosen: impl Fn(AccessId) -> bool) -> impl Iterator<Item = &TouchTime> {
        let chosen = move |access: &&ArrayAccess| access.is_source && chosen(access.id);
        self.accesses.iter().filter(chosen).map(|access| &access.time)
    }

    /// Returns the union of some of the accesses.
    fn union(&self, chosen: &[usize]) -> Result<Timed, Error> {
        chosen.iter().try_fold(self.none.clone(), |all, access| all.union(&self.accesses[*access].timed))
    }
}
