//! The whole derivation, phase by phase.

use std::fmt;

use symloc_affine::{Layout, Line, ParamId, Program};
use symloc_isl::{Context, PwQPolynomial, Set};
use symloc_model::{CountPiece, Distances, LineCount, LineModel, ReuseClass, SymbolicLine};
use symloc_quasi::{Constraint, Piece, Poly};

use crate::Error;
use crate::classes::{Groups, conjunctions, count_pieces};
use crate::convert::{Frame, pieces};
use crate::coordinates::Coordinates;
use crate::disjoint::DisjointSum;
use crate::distance::Limits;
use crate::interval::{IntervalPiece, intervals};
use crate::lines::{self, LineStarts, Lines, Parts};
use crate::prev::{Prev, PrevPiece};
use crate::rank::Ranks;
use crate::timestamps::Timestamps;

/// What a derivation is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Domains, schedules and access maps.
    Timestamps,
    /// The ranks of all accesses.
    Rank,
    /// Dataflow: previous accesses and last accesses.
    Prev,
    /// Intervals by substitution, and their simplification.
    Intervals,
    /// Counting the classes.
    Count,
    /// Dataflow in line coordinates.
    PrevLines,
    /// The blocks between two accesses to the same block.
    Distances,
    /// Counting the classes of reuse distances.
    CountDistances,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Timestamps => "timestamps",
            Phase::Rank => "rank",
            Phase::Prev => "previous accesses",
            Phase::Intervals => "reuse intervals",
            Phase::Count => "counting classes",
            Phase::PrevLines => "previous accesses in line coordinates",
            Phase::Distances => "reuse distances",
            Phase::CountDistances => "counting distances",
        })
    }
}

/// What is derived of a program: the parts of a model that depend on its accesses.
#[derive(Debug)]
pub struct Derived {
    /// N over the parameters.
    pub accesses: Vec<Piece>,
    /// The number of floating-point operations over the parameters; nothing if it is not known.
    pub operations: Option<Vec<Piece>>,
    /// One entry for each line size.
    pub lines: Vec<LineModel>,
    /// Variables after the parameters.
    pub line_counts: Vec<LineCount>,
    /// What holds of the parameters beyond the program's context: conditions of a symbolic line size.
    pub conditions: Vec<Constraint>,
}

/// Derives the reuse classes of a program at each line size. `enter` hears of every phase as it starts.
pub fn derive(
    isl: &Context,
    program: &Program,
    layout: Layout,
    lines: &[Line],
    enter: &mut dyn FnMut(Phase),
) -> Result<Derived, Error> {
    let shared = Shared::new(isl, program, enter)?;
    let lines = lines.iter().map(|line| shared.line(layout, *line, enter)).collect::<Result<_, _>>()?;
    Ok(Derived {
        accesses: shared.over_parameters(&shared.ranks.total)?,
        operations: shared.operations()?,
        lines,
        line_counts: Vec::new(),
        conditions: Vec::new(),
    })
}

/// Derives the reuse classes of a program with lines of `line` elements, for every value of this parameter; with limits, its
/// reuse distances too.
pub fn derive_symbolic(
    isl: &Context,
    program: &Program,
    layout: Layout,
    line: ParamId,
    exact: Option<Limits>,
    enter: &mut dyn FnMut(Phase),
) -> Result<Derived, Error> {
    let shared = Shared::new(isl, program, enter)?;
    enter(Phase::Prev);
    let Shared { timestamps, ranks, .. } = &shared;
    let starts = LineStarts::new(isl, program, timestamps, ranks, layout, line)?;
    let prev = previous(&starts.coordinates)?;
    enter(Phase::Intervals);
    let mut parts = Parts::new(isl, program, &starts);
    all_intervals(isl, &starts.coordinates, &prev)?.iter().try_for_each(|interval| parts.interval(interval))?;
    parts.blocks()?;
    let (lines, found) = match exact {
        None => (Lines::new(&parts)?, None),
        Some(limits) => {
            enter(Phase::Distances);
            let (lines, found) = lines::with_distances(parts, &prev, limits)?;
            (lines, Some(found))
        }
    };
    enter(Phase::Count);
    let Blocks { total, by_array } = Blocks::of_lines(isl, program, &lines)?;
    let classes = lines.classes()?;
    if found.is_some() {
        enter(Phase::CountDistances);
    }
    let model = LineModel {
        line_bytes: None,
        element: false,
        symbolic: Some(SymbolicLine { parameter: line.index(), element_bytes: starts.element_bytes }),
        blocks: total,
        array_blocks: by_array,
        classes,
        distances: found.map(|found| lines.count_distances(found)).transpose()?,
    };
    Ok(Derived {
        accesses: shared.over_parameters(&shared.ranks.total)?,
        operations: shared.operations()?,
        lines: vec![in_line_counts(&lines, model)],
        line_counts: lines.quotients().iter().map(|n| LineCount { of: n.index(), by: line.index() }).collect(),
        conditions: lines.conditions(),
    })
}

/// A model in the variables that it is stored in.
fn in_line_counts(lines: &Lines<'_>, model: LineModel) -> LineModel {
    let poly = |poly: &Poly| lines.stored(poly);
    let constraints = |all: Vec<Constraint>| all.iter().map(|c| c.map(poly)).collect();
    let piece = |piece: CountPiece| CountPiece {
        bounds: piece.bounds.iter().map(|b| b.map(poly)).collect(),
        domain: constraints(piece.domain),
        count: poly(&piece.count),
        ..piece
    };
    let blocks = |pieces: Vec<Piece>| -> Vec<Piece> {
        pieces.into_iter().map(|p| Piece { domain: constraints(p.domain), value: poly(&p.value) }).collect()
    };
    let class = |class: ReuseClass| ReuseClass {
        value: poly(&class.value),
        counts: class.counts.into_iter().map(piece).collect(),
        ..class
    };
    let classes = |classes: Vec<ReuseClass>| classes.into_iter().map(class).collect();
    let distances = |d: Distances| Distances { classes: classes(d.classes), estimated: classes(d.estimated) };
    LineModel {
        blocks: blocks(model.blocks),
        array_blocks: model.array_blocks.into_iter().map(blocks).collect(),
        classes: classes(model.classes),
        distances: model.distances.map(distances),
        ..model
    }
}

/// What all line sizes share.
struct Shared<'p> {
    isl: &'p Context,
    program: &'p Program,
    timestamps: Timestamps,
    ranks: Ranks,
}

impl<'p> Shared<'p> {
    fn new(isl: &'p Context, program: &'p Program, enter: &mut dyn FnMut(Phase)) -> Result<Self, Error> {
        enter(Phase::Timestamps);
        let timestamps = Timestamps::new(isl, program)?;
        if timestamps.context.is_empty()? {
            return Err(Error::NoSize);
        }
        enter(Phase::Rank);
        let ranks = Ranks::new(isl, program, &timestamps)?;
        Ok(Self { isl, program, timestamps, ranks })
    }

    fn line(&self, layout: Layout, line: Line, enter: &mut dyn FnMut(Phase)) -> Result<LineModel, Error> {
        enter(Phase::Prev);
        let Self { isl, program, timestamps, ranks } = self;
        let accesses = timestamps.accesses(isl, program, layout, line)?;
        let coordinates = Coordinates::of_program(isl, program, timestamps, ranks, accesses)?;
        let classes = classes(isl, &coordinates, enter)?;
        let Blocks { total, by_array } = Blocks::count(isl, program, &coordinates)?;
        Ok(LineModel {
            line_bytes: line.bytes(program),
            element: line == Line::Element,
            symbolic: None,
            blocks: total,
            array_blocks: by_array,
            classes,
            distances: None,
        })
    }

    fn operations(&self) -> Result<Option<Vec<Piece>>, Error> {
        self.ranks.operations.as_ref().map(|count| self.over_parameters(count)).transpose()
    }

    /// A count over the program's parameters as plain data.
    fn over_parameters(&self, count: &PwQPolynomial) -> Result<Vec<Piece>, Error> {
        let params: Vec<String> = self.program.params.iter().map(|p| p.name.clone()).collect();
        let parameters = Frame::over(params.clone(), params.len());
        let context = self.timestamps.context.params()?;
        Ok(plain(count_pieces(self.isl, count, &context, &parameters)?))
    }
}

/// The reuse classes, in the order of the phases.
fn classes(isl: &Context, coordinates: &Coordinates, enter: &mut dyn FnMut(Phase)) -> Result<Vec<ReuseClass>, Error> {
    let prev = previous(coordinates)?;
    enter(Phase::Intervals);
    let mut groups = Groups::default();
    for interval in all_intervals(isl, coordinates, &prev)? {
        let frame = &coordinates.place(interval.reuse.sink).frame;
        groups.add(interval, frame);
    }
    enter(Phase::Count);
    groups.count(isl, &coordinates.params, &coordinates.context)
}

/// The previous accesses of all accesses.
fn previous(coordinates: &Coordinates) -> Result<Vec<PrevPiece>, Error> {
    Prev::new(&coordinates.accesses, &coordinates.schedule)?.pieces()
}

/// The intervals of all accesses.
fn all_intervals(isl: &Context, coordinates: &Coordinates, prev: &[PrevPiece]) -> Result<Vec<IntervalPiece>, Error> {
    let mut all = Vec::new();
    for piece in prev {
        all.extend(intervals(isl, coordinates, piece)?);
    }
    Ok(all)
}

/// The number of distinct blocks, m.
struct Blocks {
    total: Vec<Piece>,
    by_array: Vec<Vec<Piece>>,
}

impl Blocks {
    /// Counts the blocks themselves and not the first touches, so that the RI sum test means something.
    fn count(isl: &Context, program: &Program, coordinates: &Coordinates) -> Result<Self, Error> {
        let (parameters, context) = (coordinates.parameters(), coordinates.context.params()?);
        let mut total = DisjointSum::default();
        let mut by_array: Vec<_> = program.arrays.iter().map(|_| DisjointSum::default()).collect();
        for blocks in coordinates.accesses.range()?.coalesce()?.sets()? {
            let name = blocks.tuple_name()?;
            let array = program.arrays.iter().position(|array| Some(&array.name) == name.as_ref());
            let array = array.ok_or_else(|| Error::Internal(format!("blocks of an unknown array {name:?}")))?;
            for part in blocks.make_disjoint()?.basic_sets()? {
                for (domain, count) in pieces(&part.to_set()?.card()?, &parameters)? {
                    let domain = domain.intersect(&context)?;
                    by_array[array].add(domain.clone(), &count)?;
                    total.add(domain, &count)?;
                }
            }
        }
        Self::finish(isl, total, by_array, &context, &parameters)
    }

    /// Counts them with a symbolic line size.
    fn of_lines(isl: &Context, program: &Program, lines: &Lines<'_>) -> Result<Self, Error> {
        let params = lines.params();
        let parameters = Frame::over(params.clone(), params.len());
        let context = lines.context.params()?;
        let mut by_array: Vec<_> = program.arrays.iter().map(|_| DisjointSum::default()).collect();
        for (array, domain, count) in lines.blocks()? {
            by_array[array.index()].add(domain, &count)?;
        }
        let add = |total: DisjointSum, array: &DisjointSum| total.plus(array, &context);
        let total = by_array.iter().try_fold(DisjointSum::zero_on(&context), add)?;
        Self::finish(isl, total, by_array, &context, &parameters)
    }

    fn finish(
        isl: &Context,
        total: DisjointSum,
        by_array: Vec<DisjointSum>,
        context: &Set,
        parameters: &Frame,
    ) -> Result<Self, Error> {
        let finish = |sum| finish(isl, sum, context, parameters);
        Ok(Self { total: finish(total)?, by_array: by_array.into_iter().map(finish).collect::<Result<_, _>>()? })
    }
}

/// A sum over the parameters as plain data.
fn finish(isl: &Context, sum: DisjointSum, context: &Set, parameters: &Frame) -> Result<Vec<Piece>, Error> {
    let mut counted = Vec::new();
    for (domain, count) in sum.pieces()? {
        counted.extend(conjunctions(isl, &domain, &count, context, parameters)?);
    }
    counted.sort_by(|a, b| a.domain.cmp(&b.domain));
    Ok(plain(counted))
}

/// Counts without iterators.
fn plain(counts: Vec<CountPiece>) -> Vec<Piece> {
    counts.into_iter().map(|p| Piece { domain: p.domain, value: p.count }).collect()
}
