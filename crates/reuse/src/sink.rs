//! The reuse of one access at a time, with lines of one size.
//!
//! All that an access needs of the others is when they execute and which blocks they touch. So accesses are derived one
//! by one, in any order and by any process. One of them may take longer than all others, mostly because of its reuse
//! distances. So these are derived in *parts*, a share of the windows each, by any process too; each process finds the
//! previous accesses once. Classes are united in the order of the text, so that nothing depends on who has derived
//! what.

use std::cell::Cell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use symloc_affine::{AccessId, AccessKind, Layout, Line, LineCoordinates, Program};
use symloc_isl::Context;
use symloc_model::{Distances, IntervalKind, ReuseClass};

use crate::Error;
use crate::coherence::OtherThreads;
use crate::distance::tree::BodyTree;
use crate::distance::window::Window;
use crate::distance::{self, Limits};
use crate::found::{FoundReuses, PrevText, ValueText};
use crate::frame::Frame;
use crate::intervals::classes::{Groups, MemberCounter, Union, steps_of};
use crate::intervals::{interval, interval_values, is_right_after};
use crate::phase::Phase;
use crate::previous::{Dataflow, PrevPiece};
use crate::schedule::alike::Alike;
use crate::schedule::coordinates::Coordinates;
use crate::schedule::timestamps::Timestamps;

/// The most parts of an access with reuse distances.
const PARTS: usize = 32;

/// The data that all accesses share.
pub(crate) struct Ground {
    pub coordinates: Coordinates,
    /// For reuse distances.
    in_lines: Option<InLines>,
    /// The other threads, if the program is that of one.
    pub others: Option<OtherThreads>,
    /// True if write-backs are wanted.
    pub write_backs: bool,
}

struct InLines {
    lines: LineCoordinates,
    tree: BodyTree,
    limits: Limits,
}

impl Ground {
    /// Prepares the derivation for accesses to lines of one size; with limits of distances if these are wanted.
    pub(crate) fn new(
        program: &Program,
        coordinates: Coordinates,
        layout: Layout,
        line: Line,
        distances: Option<Limits>,
    ) -> Result<Self, Error> {
        let in_lines = |limits| {
            let lines = LineCoordinates::new(program, layout, line)?;
            Ok::<_, Error>(InLines { tree: BodyTree::new(&lines.program), lines, limits })
        };
        Ok(Self { coordinates, in_lines: distances.map(in_lines).transpose()?, others: None, write_backs: false })
    }
}

/// Returns the most parts that an access has.
pub(crate) fn parts(distances: Option<Limits>) -> usize {
    if distances.is_some() { PARTS } else { 1 }
}

/// Derives accesses: the first ones of those that are reused alike.
pub(crate) struct Sinks<'a> {
    pub(crate) isl: &'a Context,
    program: &'a Program,
    pub(crate) coordinates: &'a Coordinates,
    dataflow: Dataflow<'a>,
    pub(crate) counter: MemberCounter<'a>,
    pub(crate) distances: Option<distance::DistanceDerivation<'a>>,
    alike: &'a Alike,
    others: Option<&'a OtherThreads>,
    /// The previous writes, if write-backs are wanted.
    pub(crate) writes: Option<Dataflow<'a>>,
    /// The access of the last part that was derived: the next part most likely is one of it, too.
    begun: Cell<Option<Begun>>,
}

/// The data that all parts of an access need.
struct Begun {
    sink: AccessId,
    all: BegunReuses,
    /// Those of lines that another thread has written since, if there are other threads.
    written: Option<BegunReuses>,
    /// For write-backs, the previous writes, and the accesses that are repeated; if these are wanted.
    writes: Option<[Vec<PrevText>; 2]>,
}

impl Begun {
    /// Returns the number of parts with windows. The first part has the intervals, with a window or without.
    fn parts(&self) -> usize {
        let windows = |reuses: &BegunReuses| reuses.windows.len();
        windows(&self.all).max(self.written.as_ref().map_or(0, windows)).min(PARTS)
    }
}

/// Some previous accesses of an access.
struct BegunReuses {
    prev: Vec<PrevPiece>,
    /// Between previous accesses and accesses, if distances are wanted.
    windows: Vec<Window>,
}

/// The reuse classes of one part of an access.
#[derive(Serialize, Deserialize)]
pub(crate) struct Reuses {
    all: PartClasses,
    /// Those of lines that another thread has written since, if there are other threads.
    written: Option<PartClasses>,
    /// The reuses for write-backs, if these are wanted; then no accesses are taken to be reused alike.
    found: Option<FoundReuses>,
}

impl Reuses {
    /// Returns the reuses for write-backs.
    pub(crate) fn take_found(&mut self) -> FoundReuses {
        self.found.take().unwrap_or_default()
    }
}

/// The classes of some reuses.
#[derive(Serialize, Deserialize)]
struct PartClasses {
    classes: Vec<ReuseClass>,
    distances: Option<Distances>,
}

impl<'a> Sinks<'a> {
    pub(crate) fn new(
        isl: &'a Context,
        program: &'a Program,
        timestamps: &'a Timestamps,
        alike: &'a Alike,
        Ground { coordinates, in_lines, others, write_backs }: &'a Ground,
    ) -> Result<Self, Error> {
        let is_write = |access| is_write(program, access);
        let writes = || Dataflow::among(coordinates.touches(), &is_write);
        let distances = |InLines { lines, tree, limits }: &'a InLines| {
            distance::DistanceDerivation::new(isl, program, timestamps, lines, tree, *limits)
        };
        Ok(Self {
            isl,
            program,
            coordinates,
            dataflow: Dataflow::new(coordinates.touches(), &|access| alike.first(access) == access)?,
            counter: MemberCounter::new(isl, coordinates.params.clone(), &coordinates.context)?,
            distances: in_lines.as_ref().map(distances).transpose()?,
            alike,
            others: others.as_ref(),
            writes: write_backs.then(writes).transpose()?,
            begun: Cell::default(),
        })
    }

    /// Returns the reuse classes of a part of an access, and true if no part follows it; `enter` is called at the start of each
    /// phase.
    pub(crate) fn reuses(&self, sink: AccessId, part: usize, enter: &dyn Fn(Phase)) -> Result<(Reuses, bool), Error> {
        let begun = match self.begun.take() {
            Some(begun) if begun.sink == sink => begun,
            _ => self.begin(sink, enter)?,
        };
        // A limit on steps is one on the beginning and one on each part; so it does not matter who does what.
        self.isl.reset_operations();
        let reuses = self.part(&begun, part, enter);
        let last = part + 1 >= begun.parts();
        self.begun.set(Some(begun));
        Ok((reuses?, last))
    }

    /// Returns the reuse classes of a part of an access from those of the first one that is reused as it is.
    pub(crate) fn as_first(&self, sink: AccessId, of_first: &Reuses) -> Reuses {
        let frame = |access| &self.coordinates.ranked(access).frame;
        let names = iterator_names(frame(self.alike.first(sink)), frame(sink));
        let renamed = |PartClasses { classes, distances }: &PartClasses| PartClasses {
            classes: self.renamed(sink, classes, &names),
            distances: distances.as_ref().zip(self.distances.as_ref()).map(|(found, derivation)| {
                let names = iterator_names(&derivation.frame(self.alike.first(sink)), &derivation.frame(sink));
                let renamed = |classes| self.renamed(sink, classes, &names);
                Distances { classes: renamed(&found.classes), estimated: renamed(&found.estimated) }
            }),
        };
        Reuses {
            all: renamed(&of_first.all),
            written: of_first.written.as_ref().map(renamed),
            found: of_first.found.clone(),
        }
    }

    /// Returns classes of the first access that is reused as `sink` with the accesses and iterators there.
    fn renamed(&self, sink: AccessId, classes: &[ReuseClass], names: &BTreeMap<String, String>) -> Vec<ReuseClass> {
        let access = |first: usize| self.alike.counterpart(sink, AccessId(first as u32)).index();
        let renamed = |class: &ReuseClass| {
            let mut class = class.clone();
            for name in &mut class.iterators {
                names.get(name).inspect(|own| name.clone_from(own));
            }
            for piece in &mut class.counts {
                (piece.access, piece.previous) = (piece.access.map(access), piece.previous.map(access));
            }
            class
        };
        classes.iter().map(renamed).collect()
    }

    fn begin(&self, sink: AccessId, enter: &dyn Fn(Phase)) -> Result<Begun, Error> {
        self.isl.reset_operations();
        enter(Phase::Prev);
        let previous = self.dataflow.previous(sink)?;
        let mut prev = Vec::new();
        for part in &previous {
            prev.extend(part.pieces()?);
        }
        let written = self.others.map(|others| others.between(&previous)).transpose()?;
        let writes = self.writes.as_ref().filter(|_| self.is_written(sink));
        let writes = writes.map(|writes| self.previous_writes(writes, sink, &prev)).transpose()?;
        let with_windows = |prev: Vec<PrevPiece>| {
            let windows = self.distances.as_ref().map(|distances| distances.windows(&prev, enter)).transpose()?;
            Ok::<_, Error>(BegunReuses { prev, windows: windows.unwrap_or_default() })
        };
        Ok(Begun { sink, all: with_windows(prev)?, written: written.map(with_windows).transpose()?, writes })
    }

    /// Returns the previous writes of an access, but where it repeats the access before, and the previous accesses there.
    fn previous_writes(
        &self,
        writes: &Dataflow<'_>,
        sink: AccessId,
        prev: &[PrevPiece],
    ) -> Result<[Vec<PrevText>; 2], Error> {
        let (mut known, mut repeated) = (Vec::new(), Vec::new());
        for piece in prev.iter().filter(|piece| piece.kind == IntervalKind::Real) {
            if is_write(self.program, piece.source) {
                known.push(piece.clone());
            } else if self.repeats(piece)? {
                repeated.push(piece.clone());
            }
        }
        let writes = writes.pieces_among(sink, known, &repeated)?;
        Ok([writes, repeated].map(|pieces| PrevText::of(&pieces, IntervalKind::Real)))
    }

    /// Returns true if an access comes right after a read of the same block: the reuse of that read is at least as long.
    fn repeats(&self, piece: &PrevPiece) -> Result<bool, Error> {
        Ok(!is_write(self.program, piece.source) && is_right_after(self.coordinates, piece)?)
    }

    /// Returns true if there is a write to the array of an access.
    fn is_written(&self, sink: AccessId) -> bool {
        let array = self.program.access(sink).array;
        self.program.accesses.iter().any(|access| access.array == array && access.kind == AccessKind::Write)
    }

    fn part(&self, begun: &Begun, part: usize, enter: &dyn Fn(Phase)) -> Result<Reuses, Error> {
        let Begun { all, written, writes, .. } = begun;
        let of = |reuses: &BegunReuses, found: &mut Option<FoundReuses>| self.part_of(reuses, part, enter, found);
        let mut found = writes.as_ref().map(|_| FoundReuses::default());
        if let (0, Some([writes, repeated]), Some(found)) = (part, writes, &mut found) {
            (found.writes, found.repeated) = (writes.clone(), repeated.clone());
            found.imaginary = PrevText::of(&all.prev, IntervalKind::Imaginary);
        }
        // Accesses before which there is no write have no values.
        let mut values = writes.as_ref().filter(|[writes, _]| !writes.is_empty()).map(|_| FoundReuses::default());
        let all = of(all, &mut values)?;
        if let (Some(found), Some(values)) = (&mut found, values) {
            found.add(values);
        }
        Ok(Reuses { all, written: written.as_ref().map(|written| of(written, &mut None)).transpose()?, found })
    }

    fn part_of(
        &self,
        BegunReuses { prev, windows }: &BegunReuses,
        part: usize,
        enter: &dyn Fn(Phase),
        found: &mut Option<FoundReuses>,
    ) -> Result<PartClasses, Error> {
        // A part for each window, or parts of equal sizes.
        let first =
            |part: usize| if windows.len() <= PARTS { part.min(windows.len()) } else { windows.len() * part / PARTS };
        let share = &windows[first(part)..first(part + 1)];
        Ok(PartClasses {
            classes: if part == 0 { self.classes(prev, enter, found)? } else { Vec::new() },
            distances: self
                .distances
                .as_ref()
                .map(|distances| {
                    distances
                        .of(share, enter, &mut |values| found.iter_mut().for_each(|found| found.add_distances(&values)))
                })
                .transpose()?,
        })
    }

    fn classes(
        &self,
        prev: &[PrevPiece],
        enter: &dyn Fn(Phase),
        found: &mut Option<FoundReuses>,
    ) -> Result<Vec<ReuseClass>, Error> {
        enter(Phase::Intervals);
        let mut groups = Groups::default();
        for piece in prev {
            let frame = &self.coordinates.ranked(piece.sink).frame;
            let mut found = found.as_mut().filter(|_| piece.kind == IntervalKind::Real);
            if found.is_some() && self.repeats(piece)? {
                found = None;
            }
            for part in interval_values(self.isl, self.coordinates, piece)? {
                if let Some(found) = &mut found {
                    found.intervals.push(ValueText::new(&part));
                }
                groups.add(interval(self.isl, self.coordinates, piece, part)?, frame);
            }
        }
        enter(Phase::Count);
        groups.count(&self.counter)
    }
}

fn is_write(program: &Program, access: AccessId) -> bool {
    program.access(access).kind == AccessKind::Write
}

/// Returns the names of iterators in a frame from those in another of the same depth, and of the steps of both.
fn iterator_names(from: &Frame, to: &Frame) -> BTreeMap<String, String> {
    let names = || from.iterator_names().into_iter().zip(to.iterator_names());
    let steps = names().map(|(from, to)| (steps_of(from), steps_of(to)));
    steps.chain(names().map(|(from, to)| (from.to_owned(), to.to_owned()))).collect()
}

/// The classes of all accesses.
pub(crate) struct United {
    pub classes: Vec<ReuseClass>,
    pub distances: Option<Distances>,
    /// Those of lines that another thread has written since, if there are other threads.
    pub written: Option<(Vec<ReuseClass>, Option<Distances>)>,
}

/// Unites the classes of all accesses, whose parts come in the order of the text.
pub(crate) fn united(parts: impl IntoIterator<Item = Reuses>) -> United {
    let (mut all, mut written) = (UnitedClasses::default(), None::<UnitedClasses>);
    for part in parts {
        all.add(part.all);
        if let Some(classes) = part.written {
            written.get_or_insert_default().add(classes);
        }
    }
    let (classes, distances) = all.finish();
    United { classes, distances, written: written.map(UnitedClasses::finish) }
}

/// Classes of several parts.
#[derive(Default)]
struct UnitedClasses {
    intervals: Union,
    exact: Union,
    estimated: Union,
    /// True if there are distances.
    exactly: bool,
}

impl UnitedClasses {
    fn add(&mut self, PartClasses { classes, distances }: PartClasses) {
        self.intervals.add(classes);
        if let Some(Distances { classes, estimated }) = distances {
            self.exactly = true;
            self.exact.add(classes);
            self.estimated.add(estimated);
        }
    }

    fn finish(self) -> (Vec<ReuseClass>, Option<Distances>) {
        let distances = Distances { classes: self.exact.classes(), estimated: self.estimated.classes() };
        (self.intervals.classes(), self.exactly.then_some(distances))
    }
}
