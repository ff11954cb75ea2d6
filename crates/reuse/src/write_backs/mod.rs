//! Write-backs: the writes by the longest reuse up to the next write to their block (docs/mathematics.md, "Write-backs").
//!
//! A cache writes a block back after a write if it does not hold the block until the next write to it, or until the end of
//! the program. So each access belongs to the write before it, and its value, an interval or a distance, to this write; the
//! last access to a block has another value, that of the window from it to the end. The largest one decides.
//!
//! ```text
//! values of accesses, previous writes ─▶ values of writes ─▶ the largest ─▶ classes
//! ```
//!
//! - `fibre`: the longest of the reuses that belong to a write by one function;
//! - `largest`: the largest of several values.

mod fibre;
mod largest;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use symloc_affine::{AccessId, AccessKind, ArrayId, Line, Program};
use symloc_isl::{Context, Map, MultiAff, Set};
use symloc_model::{Distances, IntervalKind, ReuseClass, WriteBacks};
use symloc_quasi::Poly;

use crate::Error;
use crate::distance::DistanceDerivation;
use crate::distance::window::Window;
use crate::formulas::merge::merged;
use crate::found::{FoundReuses, PrevText, ValuePart};
use crate::frame::Frame;
use crate::intervals::classes::{Groups, MemberCounter, Union};
use crate::intervals::strides::{self, Strided};
use crate::intervals::{IntervalPiece, values_at_end};
use crate::previous::{PrevPiece, Reuse};
use crate::schedule::timestamps::statement_name;
use crate::sink::Sinks;
use fibre::{Link, of_writes};
use largest::{LargestPart, largest};

/// The classes of the writes to one array, or the write at which it was seen that they have no formulas.
#[derive(Serialize, Deserialize)]
pub(crate) struct ArrayWriteBacks {
    intervals: Result<Vec<ReuseClass>, u32>,
    /// `None` if distances are not wanted.
    distances: Option<Result<Vec<ReuseClass>, u32>>,
}

/// An access whose write-backs have no formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownWriteBacks {
    /// The write.
    pub access: AccessId,
    /// The line size.
    pub line: Line,
    /// True if it is about distances, false if it is about intervals.
    pub distances: bool,
}

/// The write-backs at one line size, and those without formulas.
pub(crate) type LineWriteBacks = (WriteBacks, Vec<UnknownWriteBacks>);

/// Returns the arrays that are written.
pub(crate) fn written(program: &Program) -> Vec<ArrayId> {
    let writes = program.accesses.iter().filter(|access| access.kind == AccessKind::Write);
    let mut arrays: Vec<_> = writes.map(|access| access.array).collect();
    arrays.sort_unstable();
    arrays.dedup();
    arrays
}

/// Unites the classes of all arrays.
pub(crate) fn united(arrays: Vec<ArrayWriteBacks>, line: Line, with_distances: bool) -> LineWriteBacks {
    let (mut intervals, mut distances, mut unknown) = (Union::default(), Union::default(), Vec::new());
    for array in arrays {
        for (classes, union, of_distances) in
            [(Some(array.intervals), &mut intervals, false), (array.distances, &mut distances, true)]
        {
            match classes {
                Some(Ok(classes)) => union.add(classes),
                Some(Err(access)) => {
                    unknown.push(UnknownWriteBacks { access: AccessId(access), line, distances: of_distances });
                }
                None => {}
            }
        }
    }
    let known = |of_distances: bool| unknown.iter().all(|unknown| unknown.distances != of_distances);
    let write_backs = WriteBacks {
        classes: known(false).then(|| intervals.classes()),
        distances: (with_distances && known(true))
            .then(|| Distances { classes: distances.classes(), estimated: Vec::new() }),
    };
    (write_backs, unknown)
}

/// Returns true if an error means that there are no short formulas, or that finding them exceeds the limit.
fn is_beyond(error: &Error) -> bool {
    error.is_limit() || matches!(error, Error::Intricate)
}

/// Derives the write-backs of an array from the reuses of its accesses.
pub(crate) fn of_array(
    sinks: &Sinks<'_>,
    program: &Program,
    array: ArrayId,
    found: &BTreeMap<AccessId, FoundReuses>,
) -> Result<ArrayWriteBacks, Error> {
    sinks.isl.reset_operations();
    let writes = (0..).zip(&program.accesses).filter(|(_, access)| access.kind == AccessKind::Write);
    let first = writes.filter(|(_, access)| access.array == array).map(|(id, _)| id).next().unwrap_or(0);
    match known_of_array(sinks, program, array, found) {
        Err(error) if is_beyond(&error) => {
            Ok(ArrayWriteBacks { intervals: Err(first), distances: sinks.distances.is_some().then_some(Err(first)) })
        }
        known => known,
    }
}

fn known_of_array(
    sinks: &Sinks<'_>,
    program: &Program,
    array: ArrayId,
    found: &BTreeMap<AccessId, FoundReuses>,
) -> Result<ArrayWriteBacks, Error> {
    let accesses = || (0..).map(AccessId).zip(&program.accesses).filter(|(_, access)| access.array == array);
    let writes: Vec<_> = accesses().filter(|(_, access)| access.kind == AccessKind::Write).map(|(id, _)| id).collect();
    let accesses: Vec<_> = accesses().map(|(id, _)| id).collect();
    let none = FoundReuses::default();
    let reuses = |access| found.get(&access).unwrap_or(&none);
    let mut read = ArrayReuses::read(sinks, &accesses, &reuses)?;
    let by_interval = Largest {
        isl: sinks.isl,
        counter: &sinks.counter,
        writes: &writes,
        frame: &|access| sinks.coordinates.ranked(access).frame.clone(),
    };
    read.intervals(sinks, &reuses)?;
    let intervals = by_interval.classes(&read, Poly::clone)?;
    let distances = match &sinks.distances {
        None => None,
        Some(derivation) => Some(match read.distances(sinks.isl, derivation, &reuses)? {
            Some(read) => {
                let frame = |access| derivation.frame(access);
                Largest { counter: derivation.counter(), frame: &frame, ..by_interval }.classes(&read, Poly::clone)?
            }
            None => Err(writes.first().map_or(0, |write| write.0)),
        }),
    };
    Ok(ArrayWriteBacks { intervals, distances })
}

/// The accesses to an array, in iterators or in line coordinates.
#[derive(Default)]
struct ArrayReuses {
    accesses: Vec<AccessReuses>,
}

/// The values of an access, with the writes to which they belong.
struct AccessReuses {
    access: AccessId,
    values: Vec<ValuePart>,
    /// To the previous writes.
    writes: Vec<PrevPiece>,
    /// The last accesses to their blocks, each with itself as the previous one.
    last: Vec<PrevPiece>,
    /// The values from them to the end.
    values_at_end: Vec<ValuePart>,
}

impl ArrayReuses {
    fn read<'f>(
        sinks: &Sinks<'_>,
        accesses: &[AccessId],
        found: &dyn Fn(AccessId) -> &'f FoundReuses,
    ) -> Result<Self, Error> {
        let isl = sinks.isl;
        // The last accesses are those before the first touches of the next run.
        let mut last: BTreeMap<AccessId, Set> = BTreeMap::new();
        for access in accesses {
            for piece in &found(*access).imaginary {
                let PrevPiece { source, domain, iterators, .. } = piece.read(isl, *access)?;
                let more = Map::from_multi_aff(&iterators)?.intersect_domain(&domain)?.range()?;
                let all = last.get(&source).map(|other| other.union(&more)).transpose()?;
                last.insert(source, all.unwrap_or(more));
            }
        }
        let read = |access: &AccessId, pieces: &[PrevText]| {
            pieces.iter().map(|piece| piece.read(isl, *access)).collect::<Result<Vec<_>, Error>>()
        };
        let mut writes = BTreeMap::new();
        for access in accesses {
            let FoundReuses { writes: known, repeated, .. } = found(*access);
            writes.insert(*access, PreviousWrites { known: read(access, known)?, repeated: read(access, repeated)? });
        }
        let of = |access: &AccessId| {
            let frame = &sinks.coordinates.ranked(*access).frame;
            let mut writes_before = writes[access].known.clone();
            if let Some(last) = last.get(access) {
                writes_before.extend(of_repeated(&writes, *access, last)?);
            }
            Ok(AccessReuses {
                access: *access,
                values: Vec::new(),
                writes: writes_before,
                last: last.get(access).map(|last| itself(isl, frame, *access, last)).transpose()?.unwrap_or_default(),
                values_at_end: Vec::new(),
            })
        };
        Ok(Self { accesses: accesses.iter().map(of).collect::<Result<_, Error>>()? })
    }

    /// Adds the reuse intervals.
    fn intervals<'f>(&mut self, sinks: &Sinks<'_>, found: &dyn Fn(AccessId) -> &'f FoundReuses) -> Result<(), Error> {
        for reuses in &mut self.accesses {
            let values = found(reuses.access).intervals.iter().map(|value| value.read(sinks.isl));
            reuses.values = values.collect::<Result<_, _>>()?;
            for piece in &reuses.last {
                let values = values_at_end(sinks.isl, sinks.coordinates, reuses.access, &piece.domain)?;
                reuses.values_at_end.extend(values.into_iter().map(|(domain, value)| ValuePart { domain, value }));
            }
        }
        Ok(())
    }

    /// Returns the accesses in line coordinates, with reuse distances; `None` if some of these are not known.
    fn distances<'f>(
        &self,
        isl: &Context,
        derivation: &DistanceDerivation<'_>,
        found: &dyn Fn(AccessId) -> &'f FoundReuses,
    ) -> Result<Option<Self>, Error> {
        let mut accesses = Vec::new();
        for AccessReuses { access, writes, last, .. } in &self.accesses {
            let reuses = found(*access);
            if reuses.estimated {
                return Ok(None);
            }
            let mut values_at_end = Vec::new();
            let last = derivation.in_lines(last)?;
            for piece in &last {
                let Some(values) = derivation.value_at_end(Window::to_end(piece.clone())?)? else { return Ok(None) };
                values_at_end.extend(values.into_iter().map(|(domain, value)| ValuePart { domain, value }));
            }
            let values = reuses.distances.iter().map(|value| value.read(isl)).collect::<Result<_, _>>()?;
            let writes = derivation.in_lines(writes)?;
            accesses.push(AccessReuses { access: *access, values, writes, last, values_at_end });
        }
        Ok(Some(Self { accesses }))
    }
}

/// The previous writes of an access, as far as they were looked for.
struct PreviousWrites {
    known: Vec<PrevPiece>,
    /// The previous accesses of the others: reads of the same block in the same iteration.
    repeated: Vec<PrevPiece>,
}

/// Returns the previous writes of those of some instances of an access that repeat reads: they are those of these reads.
fn of_repeated(
    writes: &BTreeMap<AccessId, PreviousWrites>,
    access: AccessId,
    instances: &Set,
) -> Result<Vec<PrevPiece>, Error> {
    let repeated = |access| writes.get(&access).map_or(&[][..], |writes| &writes.repeated);
    let (mut left, mut found) = (Vec::new(), Vec::new());
    for piece in repeated(access) {
        left.push(PrevPiece { domain: piece.domain.intersect(instances)?, ..piece.clone() });
    }
    while let Some(PrevPiece { domain, source, iterators, .. }) = left.pop() {
        if domain.is_empty()? {
            continue;
        }
        let before = |piece: &PrevPiece| {
            let domain = piece.domain.preimage_multi_aff(&iterators)?.intersect(&domain)?;
            Ok::<_, Error>(PrevPiece {
                sink: access,
                domain,
                iterators: piece.iterators.pullback(&iterators)?,
                ..piece.clone()
            })
        };
        for piece in writes.get(&source).map_or(&[][..], |writes| &writes.known) {
            found.push(before(piece)?);
        }
        for piece in repeated(source) {
            left.push(before(piece)?);
        }
    }
    Ok(found)
}

/// Returns an access on a part of its domain, with itself as the previous one.
fn itself(isl: &Context, frame: &Frame, access: AccessId, domain: &Set) -> Result<Vec<PrevPiece>, Error> {
    let domain = domain.coalesce()?;
    if domain.is_empty()? {
        return Ok(Vec::new());
    }
    let name = statement_name(access);
    let same = format!("{name}[{}]", frame.iterator_names().join(", "));
    let iterators = MultiAff::read(isl, &frame.function(&name, &same))?;
    Ok(vec![PrevPiece { kind: IntervalKind::Real, sink: access, source: access, domain, iterators }])
}

/// Finds the largest value of each write.
struct Largest<'a> {
    isl: &'a Context,
    counter: &'a MemberCounter<'a>,
    writes: &'a [AccessId],
    frame: &'a dyn Fn(AccessId) -> Frame,
}

impl Largest<'_> {
    /// Returns the classes of all writes, or the first write that has none.
    fn classes(
        &self,
        reuses: &ArrayReuses,
        normal: impl Fn(&Poly) -> Poly,
    ) -> Result<Result<Vec<ReuseClass>, u32>, Error> {
        let mut all = Vec::new();
        for write in self.writes {
            self.isl.reset_operations();
            match self.of_write(*write, reuses, &normal) {
                Ok(classes) => all.extend(classes),
                Err(error) if is_beyond(&error) => return Ok(Err(write.0)),
                Err(error) => return Err(error),
            }
        }
        Ok(Ok(all))
    }

    fn of_write(
        &self,
        write: AccessId,
        reuses: &ArrayReuses,
        normal: impl Fn(&Poly) -> Poly,
    ) -> Result<Vec<ReuseClass>, Error> {
        let (frame, mut values) = ((self.frame)(write), Vec::new());
        for AccessReuses { access, values: of_access, writes, last, values_at_end } in &reuses.accesses {
            let sink = (self.frame)(*access);
            let links = |pieces: &[PrevPiece]| {
                pieces.iter().filter(|piece| piece.source == write).map(Link::new).collect::<Result<Vec<_>, Error>>()
            };
            let to_writes = links(writes)?;
            // A write that comes last belongs to itself.
            let itself = self.writes.contains(access).then(|| links(last)).transpose()?;
            let at_end = itself.as_ref().unwrap_or(&to_writes);
            for (of_access, links) in [(of_access, &to_writes), (values_at_end, at_end)] {
                for (value, link) in of_access.iter().flat_map(|value| links.iter().map(move |link| (value, link))) {
                    values.extend(of_writes(self.isl, value, link, [&sink, &frame])?);
                }
            }
        }
        let parts = values.into_iter().map(|ValuePart { domain, value }| (domain, value)).collect();
        let values = merged(self.isl, &frame, parts, normal)?;
        let values = values.into_iter().map(|(domain, value)| ValuePart { domain, value }).collect();
        let mut groups = Groups::default();
        for part in largest(self.isl, &frame, values)? {
            self.add(&mut groups, write, part)?;
        }
        groups.count(self.counter)
    }

    fn add(&self, groups: &mut Groups, write: AccessId, part: LargestPart) -> Result<(), Error> {
        let LargestPart { domain, value, conditions } = part;
        let frame = (self.frame)(write);
        let (Strided { domain, value, in_steps }, conditions) =
            strides::taken_where(self.isl, &frame, domain, (value, conditions))?;
        let reuse = Reuse { sink: write, source: None };
        let piece = IntervalPiece { kind: IntervalKind::Real, reuse, domain, value, in_steps };
        groups.add_where(piece, &frame, &conditions);
        Ok(())
    }
}
