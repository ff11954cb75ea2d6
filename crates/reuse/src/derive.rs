//! The whole derivation, phase by phase: [`derive()`] does all that its [`DeriveOptions`] ask for.
//!
//! Line sizes share timestamps and ranks. With lines of fixed sizes accesses are derived one by one, or several at once
//! by other processes (see `sink`). With a symbolic line size intervals and distances go through line starts (see
//! [`lines`]).

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use symloc_affine::radix::has_tiles;
use symloc_affine::{
    Access, AccessId, Layout, LayoutError, Line, ParamId, Program, RadixProgram, ThreadProgram, TileCoordinates,
    TruthValues,
};
use symloc_isl::{Context, Set};
use symloc_model::{Coherence, Distances, LineCount, LineModel, SymbolicLine};
use symloc_quasi::{Constraint, Piece, Poly};
use symloc_workers::{Done, TaskError, Workers};

use crate::Error;
use crate::coherence::OtherThreads;
use crate::conditions::constraint;
use crate::distance::Limits;
use crate::found::FoundReuses;
use crate::frame::Frame;
use crate::intervals::classes::plain_pieces;
use crate::intervals::{IntervalPiece, intervals};
use crate::lines::{self, LineStarts, Lines, Parts};
use crate::phase::{DerivedPart, Phase, PhaseTimes, Weights};
use crate::previous::{Prev, PrevPiece};
use crate::schedule::alike::Alike;
use crate::schedule::coordinates::Coordinates;
use crate::schedule::rank::Ranks;
use crate::schedule::timestamps::Timestamps;
use crate::sink::{Ground, Reuses, Sinks, United, parts, united};
use crate::stored::{Derived, OverLimit};
use crate::tiles::{untiled, without_digits};
use crate::totals::blocks::BlockCounts;
use crate::totals::{totals, without_classes};
use crate::write_backs::{self, LineWriteBacks};

/// For which line sizes a model is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineSizes {
    /// Each of these.
    Fixed(Vec<Line>),
    /// As many elements as a parameter says, for every value of it.
    Symbolic(ParamId),
}

/// The options of a derivation: its results and its limits.
#[derive(Clone)]
pub struct DeriveOptions<'o> {
    /// The layout of arrays in memory.
    pub layout: Layout,
    /// The line sizes.
    pub lines: LineSizes,
    /// The limits of reuse distances, which are derived too; `None` if they are not wanted.
    pub distances: Option<Limits>,
    /// The reuse of a program that takes more elementary steps of isl, for ranks, for the previous accesses of one access, or for
    /// one part of its reuse, is not derived (see [`OverLimit`]); a million is of the order of a second. With threads, or with a
    /// symbolic line size, the derivation ends with an error then.
    pub max_operations: Option<u64>,
    /// The processes that derive accesses at once, with lines of fixed sizes. Those that are not this process are forked, so no other
    /// thread of this one may hold locks that the allocator or isl needs. Their limit is one like `max_operations`.
    pub workers: Workers,
    /// True if the write-backs of lines of fixed sizes are derived too; those of threads are not.
    pub write_backs: bool,
    /// Of the program of one thread, the program of all: reuses of lines that other threads have written are found too.
    pub threads: Option<&'o ThreadProgram>,
    /// Hears of every phase as it starts.
    pub enter: &'o dyn Fn(Phase),
    /// Hears of every part of an access once it has been derived, in this process; not with a symbolic line size.
    pub derived: &'o dyn Fn(DerivedPart<'_>),
}

impl DeriveOptions<'_> {
    /// Returns the options for reuse intervals alone, without a limit, in this process.
    pub fn new(layout: Layout, lines: LineSizes) -> Self {
        Self {
            layout,
            lines,
            distances: None,
            max_operations: None,
            workers: Workers::unlimited(1),
            write_backs: false,
            threads: None,
            enter: &|_| (),
            derived: &|_| (),
        }
    }
}

impl fmt::Debug for DeriveOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { layout, lines, distances, max_operations, workers, write_backs, threads, enter: _, derived: _ } =
            self;
        let mut shown = f.debug_struct("Options");
        shown.field("layout", layout).field("lines", lines).field("distances", distances);
        shown
            .field("max_operations", max_operations)
            .field("workers", workers)
            .field("write_backs", write_backs)
            .field("threads", threads)
            .finish_non_exhaustive()
    }
}

/// Derives the reuse classes of a program at the line sizes of the options, with reuse distances where these are
/// wanted.
///
/// # Errors
///
/// [`Error::NoSize`] if no size satisfies the program's conditions, [`Error::Layout`] and [`Error::Line`] if an access
/// has no affine block, [`Error::Unbounded`] if something is not finite, [`Error::Isl`] if isl fails or is in use by this thread, and
/// [`Error::Isl`] or [`Error::Limit`] if the limit is reached where that is an error, or in counting accesses and blocks too.
pub fn derive(program: &Program, options: &DeriveOptions<'_>) -> Result<Derived, Error> {
    let TruthValues { program, conditions } = TruthValues::new(program).map_err(LayoutError::from)?;
    let whole = options.threads.map(|threads| threads.whole(&program, &conditions)).transpose();
    let derived = match derive_cases(&program, whole.map_err(LayoutError::from)?.as_ref(), options) {
        Err(limit) => without_reuse(&program, options, limit)?,
        Ok(derived) => derived,
    };
    Ok(Derived { truths: conditions.iter().map(constraint).collect(), ..derived })
}

/// Returns what a model holds of a program whose misses are to be sampled, after its derivation has reached a limit; returns other
/// errors, and limits of programs that are not sampled: those of threads, and those with a symbolic line size.
fn without_reuse(program: &Program, options: &DeriveOptions<'_>, error: Error) -> Result<Derived, Error> {
    match (&options.lines, options.threads) {
        (LineSizes::Fixed(lines), None) if error.is_limit() && !has_tiles(program) => {
            match totals(program, options.layout, lines, options.max_operations.unwrap_or(0)) {
                Ok((derived, sampled)) => {
                    Ok(Derived { over_limit: Some(OverLimit { limit: error, sampled }), ..derived })
                }
                Err(other) if other.is_limit() => Err(error),
                Err(other) => Err(other),
            }
        }
        _ => Err(error),
    }
}

/// Derives a program that has a case for each combination of its conditions on parameters, but for
/// truth values. `whole` is the program of all threads, if it is that of one thread. (Not in tile coordinates, where it has
/// other parameters.)
fn derive_cases(program: &Program, whole: Option<&Program>, options: &DeriveOptions<'_>) -> Result<Derived, Error> {
    let isl = Context::new()?;
    isl.set_max_operations(options.max_operations.unwrap_or(0));
    match &options.lines {
        LineSizes::Fixed(lines) if has_tiles(program) => in_digits(&isl, program, lines, options),
        LineSizes::Fixed(lines) => match TileCoordinates::new(program).map_err(LayoutError::from)? {
            None => Derivation { whole, ..Derivation::new(&isl, program, options)? }.fixed(lines),
            Some(tiles) => {
                let derived = Derivation::new(&isl, &tiles.program, options)?.fixed(lines)?;
                Ok(untiled(&tiles, program.params.len(), derived))
            }
        },
        LineSizes::Symbolic(line) => {
            // A line may be as short as an element.
            for access in &program.accesses {
                Line::Element.elements_at(program, access)?;
            }
            Derivation::new(&isl, program, options)?.symbolic(*line)
        }
    }
}

/// Derives a program with tiles of symbolic size.
fn in_digits(isl: &Context, program: &Program, lines: &[Line], options: &DeriveOptions<'_>) -> Result<Derived, Error> {
    let Some(radix) = RadixProgram::new(program)? else {
        return Err(Error::Internal("a loop has lost its tiles".to_owned()));
    };
    lines.iter().try_for_each(|line| radix.check_lines(program, options.layout, *line))?;
    let derived = Derivation::new(isl, &radix.program, options)?.fixed(lines)?;
    Ok(without_digits(&radix, program.params.len(), derived))
}

/// The state that all line sizes share.
struct Derivation<'a> {
    isl: &'a Context,
    program: &'a Program,
    /// The program of all threads, if it is that of one.
    whole: Option<&'a Program>,
    options: &'a DeriveOptions<'a>,
    timestamps: Timestamps,
    ranks: Ranks,
    alike: Alike,
}

impl<'a> Derivation<'a> {
    fn new(isl: &'a Context, program: &'a Program, options: &'a DeriveOptions<'a>) -> Result<Self, Error> {
        (options.enter)(Phase::Timestamps);
        let timestamps = Timestamps::new(isl, program)?;
        if timestamps.context.is_empty()? {
            return Err(Error::NoSize);
        }
        (options.enter)(Phase::Rank);
        let ranks = Ranks::new(isl, program, &timestamps)?;
        // Equal nests have unequal windows to the end of the program.
        let alike = match options.threads.is_some() || options.write_backs {
            false => Alike::new(program),
            true => Alike::none(program),
        };
        Ok(Self { isl, program, whole: None, options, timestamps, ranks, alike })
    }

    fn enter(&self, phase: Phase) {
        (self.options.enter)(phase);
    }

    /// Lines of fixed sizes. The parts of accesses at each are the tasks of the workers.
    fn fixed(&self, lines: &[Line]) -> Result<Derived, Error> {
        let Self { isl, program, timestamps, ranks, alike, .. } = self;
        let DeriveOptions { layout, distances, .. } = *self.options;
        let ground = |line: &Line| {
            let accesses = timestamps.accesses(isl, program, layout, *line)?;
            let others = self.whole.map(|whole| OtherThreads::new(isl, whole, &accesses, layout, *line)).transpose()?;
            let coordinates = Coordinates::of_program(isl, program, timestamps, ranks, accesses)?;
            let coordinates = coordinates.with_row_starts(isl, program, timestamps, layout, *line)?;
            let mut ground = Ground::new(program, coordinates, layout, *line, distances)?;
            ground.write_backs = self.options.write_backs && others.is_none();
            ground.others = others;
            Ok(ground)
        };
        let grounds = lines.iter().map(ground).collect::<Result<Vec<_>, Error>>()?;
        let sinks = |ground| Sinks::new(isl, program, timestamps, alike, ground);
        let sinks = grounds.iter().map(sinks).collect::<Result<Vec<_>, _>>()?;
        let mut found = self.reuses(&sinks)?;
        let accesses = timestamps.statements.len();
        let mut write_backs = self.write_backs(lines, &sinks, &mut found)?.into_iter();
        let (mut found, mut unknown) = (found.into_iter(), Vec::new());
        let model = |(line, ground): (&Line, &Ground)| {
            let write_backs = write_backs.next().flatten().map(|(write_backs, more)| {
                unknown.extend(more);
                write_backs
            });
            let blocks = BlockCounts::count(isl, program, &ground.coordinates)?;
            let United { classes, distances: found, written } = united(found.by_ref().take(accesses).flatten());
            let coherence = written.zip(ground.others.as_ref()).map(|((classes, distances), others)| {
                let lines = others.falsely_shared(isl, program)?;
                let shared = BlockCounts::in_phases(isl, program, &ground.coordinates, &lines)?;
                Ok::<_, Error>(Coherence { falsely_shared: shared.by_array, classes, distances })
            });
            Ok(LineModel {
                classes,
                // Of a program without accesses there are none, but they are known.
                distances: found.or_else(|| distances.map(|_| Distances::default())),
                coherence: coherence.transpose()?,
                write_backs,
                ..without_classes(program, *line, blocks)
            })
        };
        let models = lines.iter().zip(&grounds).map(model).collect::<Result<_, Error>>()?;
        Ok(Derived { unknown_write_backs: unknown, ..self.derived(models, Vec::new(), Vec::new())? })
    }

    /// Returns the write-backs at each line size, and which of them have no formulas, if they are wanted. Arrays are the
    /// tasks of the workers.
    fn write_backs(
        &self,
        lines: &[Line],
        sinks: &[Sinks<'_>],
        reuses: &mut [Vec<Reuses>],
    ) -> Result<Vec<Option<LineWriteBacks>>, Error> {
        let Self { program, timestamps, .. } = self;
        let DeriveOptions { workers, distances, enter, .. } = *self.options;
        if sinks.iter().all(|sinks| sinks.writes.is_none()) {
            return Ok(lines.iter().map(|_| None).collect());
        }
        enter(Phase::WriteBacks);
        let mut found = vec![BTreeMap::<AccessId, FoundReuses>::new(); lines.len()];
        for (number, of_access) in reuses.iter_mut().enumerate() {
            let (line, statement) = (number / timestamps.statements.len(), number % timestamps.statements.len());
            let found = found[line].entry(timestamps.statements[statement].access).or_default();
            of_access.iter_mut().for_each(|part| found.add(part.take_found()));
        }
        let arrays = write_backs::written(program);
        let work = |task: usize| {
            let (line, array) = (task / arrays.len(), arrays[task % arrays.len()]);
            write_backs::of_array(&sinks[line], program, array, &found[line]).map(|found| Done::new(found, true))
        };
        let tasks = arrays.len() * lines.len();
        let all = symloc_workers::each(workers, (tasks, 1), work, |_, _| ());
        let mut all = all.map_err(|error| task_error(error, workers, |_| AccessId(0)))?.into_iter().flatten();
        // What is left does not count towards the limit of the last array.
        self.isl.reset_operations();
        let of_line = |line: &Line| {
            let of_arrays = all.by_ref().take(arrays.len()).collect();
            Some(write_backs::united(of_arrays, *line, distances.is_some()))
        };
        Ok(lines.iter().map(of_line).collect())
    }

    /// Returns true if other processes derive accesses, whose phases are not heard of here.
    fn is_forked(&self) -> bool {
        let Workers { count, limit } = self.options.workers;
        count > 1 || limit.is_some()
    }

    /// Returns the reuse of all accesses in parts, line size by line size. Of accesses that are reused alike, the first is
    /// derived.
    fn reuses(&self, sinks: &[Sinks<'_>]) -> Result<Vec<Vec<Reuses>>, Error> {
        let DeriveOptions { workers, distances, enter, derived, .. } = *self.options;
        if self.is_forked() {
            enter(Phase::Workers);
        }
        let (accesses, parts) = (self.accesses(sinks.len()), parts(distances));
        let work = |task: usize| {
            let ((line, access), times) = (accesses[task / parts], PhaseTimes::default());
            let heard = |phase: Phase| {
                times.enter(phase);
                if !self.is_forked() {
                    enter(phase);
                }
            };
            let (reuses, last) = sinks[line].reuses(access, task % parts, &heard).map_err(|error| error.of(access))?;
            Ok(Done::new((reuses, times.finish()), last))
        };
        let weights = self.weights(parts);
        let mut left: Vec<u64> = accesses.iter().map(|(_, access)| weights.access(*access)).collect();
        let total = left.iter().sum::<u64>().max(1);
        let mut done = 0;
        let tell = |task: usize, Done { result: (_, times), last }: &Done<(Reuses, Vec<(Phase, Duration)>)>| {
            let (access, left) = (accesses[task / parts].1, &mut left[task / parts]);
            let weight = if *last { *left } else { weights.part(access, task % parts).min(*left) };
            (*left, done) = (*left - weight, done + weight);
            derived(DerivedPart { access, times, done, total });
        };
        let found = symloc_workers::each(workers, (accesses.len(), parts), work, tell)
            .map_err(|error| task_error(error, workers, |task| accesses[task / parts].1))?;
        let found: BTreeMap<_, _> = accesses.into_iter().zip(found).collect();
        let in_order = |(line, sinks): (usize, &Sinks<'_>)| {
            let of_access = |access: AccessId| {
                let first = &found[&(line, self.alike.first(access))];
                first.iter().map(|(first, _)| sinks.as_first(access, first)).collect()
            };
            self.timestamps.statements.iter().map(|statement| of_access(statement.access)).collect::<Vec<_>>()
        };
        Ok(sinks.iter().enumerate().flat_map(in_order).collect())
    }

    /// Returns the weights of parts of accesses.
    fn weights(&self, parts: usize) -> Weights {
        let mut same = vec![0; self.program.arrays.len()];
        self.program.accesses.iter().for_each(|access| same[access.array.index()] += 1);
        let loops: BTreeMap<AccessId, usize> =
            self.timestamps.statements.iter().map(|s| (s.access, self.depth(s.access))).collect();
        let of = |(id, access): (usize, &Access)| {
            let loops = loops.get(&AccessId(id as u32)).copied().unwrap_or_default();
            (loops, same[access.array.index()])
        };
        Weights::new(self.program.accesses.iter().enumerate().map(of), parts)
    }

    /// Returns the number of iterators of an access.
    fn depth(&self, access: AccessId) -> usize {
        self.timestamps.frame(self.program, access).iterators().count()
    }

    /// Returns the positions of line sizes with the accesses that are derived. Those that may take longest come first: in the innermost
    /// loops, and late in the text.
    fn accesses(&self, lines: usize) -> Vec<(usize, AccessId)> {
        let all = self.timestamps.statements.iter().map(|s| s.access);
        let mut accesses: Vec<AccessId> = all.filter(|access| self.alike.first(*access) == *access).collect();
        accesses.sort_by_key(|access| std::cmp::Reverse((self.depth(*access), *access)));
        (0..lines).flat_map(|line| accesses.iter().map(move |access| (line, *access))).collect()
    }

    /// Lines of as many elements as a parameter says.
    fn symbolic(&self, line: ParamId) -> Result<Derived, Error> {
        self.enter(Phase::Prev);
        let Self { isl, program, timestamps, ranks, .. } = self;
        let starts = LineStarts::new(isl, program, timestamps, ranks, self.options.layout, line)?;
        let prev = Prev::new(&starts.coordinates.accesses, &starts.coordinates.schedule)?.pieces()?;
        self.enter(Phase::Intervals);
        let mut parts = Parts::new(isl, program, &starts);
        all_intervals(isl, &starts.coordinates, &prev)?.iter().try_for_each(|interval| parts.interval(interval))?;
        parts.blocks()?;
        let (lines, found) = match self.options.distances {
            None => (Lines::new(&parts)?, None),
            Some(limits) => {
                self.enter(Phase::Distances);
                let (lines, found) = lines::with_distances(parts, &prev, limits)?;
                (lines, Some(found))
            }
        };
        self.enter(Phase::Count);
        let BlockCounts { total, by_array } = BlockCounts::of_lines(program, &lines)?;
        let classes = lines.classes()?;
        if found.is_some() {
            self.enter(Phase::CountDistances);
        }
        let model = LineModel {
            line_bytes: None,
            element: false,
            symbolic: Some(SymbolicLine { parameter: line.index(), element_bytes: starts.element_bytes }),
            blocks: total,
            array_blocks: by_array,
            classes,
            distances: found.map(|found| lines.count_distances(found)).transpose()?,
            coherence: None,
            write_backs: None,
        };
        let counts = lines.quotients().iter().map(|n| LineCount { of: n.index(), by: line.index(), plus: 0 }).collect();
        self.derived(vec![lines.stored_model(&model)], counts, lines.conditions())
    }

    /// Returns the result of the derivation, with the parts that do not depend on lines.
    fn derived(
        &self,
        lines: Vec<LineModel>,
        line_counts: Vec<LineCount>,
        conditions: Vec<Constraint>,
    ) -> Result<Derived, Error> {
        let accesses = self.over_parameters(&self.ranks.total)?;
        let operations = self.ranks.operations.as_ref().map(|count| self.over_parameters(count)).transpose()?;
        Ok(Derived {
            accesses,
            operations,
            lines,
            truths: Vec::new(),
            line_counts,
            conditions,
            over_limit: None,
            unknown_write_backs: Vec::new(),
        })
    }

    /// Returns a count over the program's parameters as plain data.
    fn over_parameters(&self, count: &[(Set, Poly)]) -> Result<Vec<Piece>, Error> {
        let parameters = Frame::new(self.program, &[]);
        let context = self.timestamps.context.params()?;
        plain_pieces(count.iter().filter(|(_, value)| !value.is_zero()).cloned(), &context, &parameters)
    }
}

/// Returns the error of a task, which is about an access.
fn task_error(error: TaskError<Error>, workers: Workers, access: impl Fn(usize) -> AccessId) -> Error {
    match error {
        TaskError::Task(error) => error,
        TaskError::Worker { task, reason } => Error::Worker { access: access(task), reason },
        TaskError::Limit { task } => Error::Time { access: access(task), limit: workers.limit.unwrap_or_default() },
        TaskError::Start(error) => Error::Start(error),
    }
}

/// Returns the intervals of all accesses.
fn all_intervals(isl: &Context, coordinates: &Coordinates, prev: &[PrevPiece]) -> Result<Vec<IntervalPiece>, Error> {
    let mut all = Vec::new();
    for piece in prev {
        all.extend(intervals(isl, coordinates, piece)?);
    }
    Ok(all)
}
