//! The whole derivation, phase by phase.

use std::fmt;

use symloc_affine::{Layout, Line, Program};
use symloc_isl::{Context, PwQPolynomial, UnionMap};
use symloc_model::{CountPiece, LineModel};
use symloc_quasi::Piece;

use crate::Error;
use crate::classes::{Groups, conjunctions, count_pieces};
use crate::convert::{Frame, pieces};
use crate::counters::Counted;
use crate::disjoint::DisjointSum;
use crate::interval::Intervals;
use crate::prev::Prev;
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
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Timestamps => "timestamps",
            Phase::Rank => "rank",
            Phase::Prev => "previous accesses",
            Phase::Intervals => "reuse intervals",
            Phase::Count => "counting classes",
        })
    }
}

/// What is derived of a program: the parts of a model that depend on its accesses.
#[derive(Debug)]
pub struct Derived {
    /// N over the parameters.
    pub accesses: Vec<Piece>,
    /// The number of floating-point operations; nothing if the program does not tell it.
    pub operations: Option<Vec<Piece>>,
    /// One entry for each line size.
    pub lines: Vec<LineModel>,
}

/// Derives the reuse classes of a program at each line size. `enter` hears of every phase as it starts.
pub fn derive(
    isl: &Context,
    program: &Program,
    layout: Layout,
    lines: &[Line],
    enter: &mut dyn FnMut(Phase),
) -> Result<Derived, Error> {
    enter(Phase::Timestamps);
    let timestamps = Timestamps::new(isl, program)?;
    if timestamps.context.is_empty()? {
        return Err(Error::NoSize);
    }
    enter(Phase::Rank);
    let ranks = Ranks::new(isl, program, &timestamps)?;
    let params: Vec<String> = program.params.iter().map(|p| p.name.clone()).collect();
    let derivation = Derivation { isl, program, params, timestamps, ranks };
    let lines = lines.iter().map(|line| derivation.line(layout, *line, enter)).collect::<Result<_, _>>()?;
    let operations = derivation.ranks.operations.as_ref().map(|count| derivation.pieces(count)).transpose()?;
    Ok(Derived { accesses: derivation.pieces(&derivation.ranks.total)?, operations, lines })
}

/// The number of distinct blocks, m.
struct Blocks {
    total: Vec<Piece>,
    by_array: Vec<Vec<Piece>>,
}

/// What all line sizes share.
struct Derivation<'p> {
    isl: &'p Context,
    program: &'p Program,
    params: Vec<String>,
    timestamps: Timestamps,
    ranks: Ranks,
}

impl Derivation<'_> {
    fn line(&self, layout: Layout, line: Line, enter: &mut dyn FnMut(Phase)) -> Result<LineModel, Error> {
        enter(Phase::Prev);
        let accesses = self.timestamps.accesses(self.isl, self.program, layout, line)?;
        let prev = Prev::new(&accesses, &Counted::new(self.isl, self.program, &self.timestamps)?)?;
        enter(Phase::Intervals);
        let groups = self.groups(&prev)?;
        enter(Phase::Count);
        let classes = groups.count(self.isl, &self.params, &self.timestamps.context)?;
        let blocks = self.blocks(&accesses)?;
        Ok(LineModel {
            line_bytes: line.bytes(self.program),
            element: line == Line::Element,
            blocks: blocks.total,
            array_blocks: blocks.by_array,
            classes,
        })
    }

    fn groups(&self, prev: &Prev) -> Result<Groups, Error> {
        let intervals = Intervals::new(self.isl, self.program, &self.timestamps, &self.ranks)?;
        let mut groups = Groups::default();
        for piece in prev.pieces()? {
            for interval in intervals.of(&piece)? {
                let frame = self.timestamps.frame(self.program, interval.sink);
                groups.add(interval, &frame);
            }
        }
        Ok(groups)
    }

    /// m, counted from the blocks themselves and not from the first touches, so that the RI sum test means something.
    fn blocks(&self, accesses: &UnionMap) -> Result<Blocks, Error> {
        let (frame, context) = (self.frame(), self.timestamps.context.params()?);
        let mut total = DisjointSum::default();
        let mut by_array: Vec<_> = self.program.arrays.iter().map(|_| DisjointSum::default()).collect();
        for blocks in accesses.range()?.coalesce()?.sets()? {
            let name = blocks.tuple_name()?;
            let array = self.program.arrays.iter().position(|array| Some(&array.name) == name.as_ref());
            let array = array.ok_or_else(|| Error::Internal(format!("blocks of an unknown array {name:?}")))?;
            for part in blocks.make_disjoint()?.basic_sets()? {
                for (domain, count) in pieces(&part.to_set()?.card()?, &frame)? {
                    let domain = domain.intersect(&context)?;
                    by_array[array].add(domain.clone(), &count)?;
                    total.add(domain, &count)?;
                }
            }
        }
        let by_array = by_array.into_iter().map(|sum| self.disjoint(sum)).collect::<Result<_, _>>()?;
        Ok(Blocks { total: self.disjoint(total)?, by_array })
    }

    /// A sum over the parameters as plain data.
    fn disjoint(&self, sum: DisjointSum) -> Result<Vec<Piece>, Error> {
        let (frame, context) = (self.frame(), self.timestamps.context.params()?);
        let mut counted = Vec::new();
        for (domain, count) in sum.pieces()? {
            counted.extend(conjunctions(self.isl, &domain, &count, &context, &frame)?);
        }
        counted.sort_by(|a, b| a.domain.cmp(&b.domain));
        Ok(plain(counted))
    }

    fn frame(&self) -> Frame {
        Frame::over(self.params.clone(), self.params.len())
    }

    /// A count over the parameters as plain data.
    fn pieces(&self, count: &PwQPolynomial) -> Result<Vec<Piece>, Error> {
        let context = self.timestamps.context.params()?;
        Ok(plain(count_pieces(self.isl, count, &context, &self.frame())?))
    }
}

/// Counts without iterators.
fn plain(counts: Vec<CountPiece>) -> Vec<Piece> {
    counts.into_iter().map(|p| Piece { domain: p.domain, value: p.count }).collect()
}
