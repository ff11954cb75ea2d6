//! The whole derivation, phase by phase.

use std::fmt;

use symloc_affine::{Layout, Line, Program};
use symloc_isl::{Context, UnionMap};
use symloc_model::{LineModel, ReuseClass};
use symloc_quasi::Piece;

use crate::Error;
use crate::classes::{Groups, count_pieces};
use crate::convert::Frame;
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
    Ok(Derived { accesses: derivation.pieces(&derivation.ranks.total)?, lines })
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
        let prev = Prev::new(&accesses, &self.timestamps.schedule(self.isl)?)?;
        enter(Phase::Intervals);
        let groups = self.groups(&prev)?;
        enter(Phase::Count);
        let classes = groups.count(self.isl, &self.params, &self.timestamps.context)?;
        Ok(self.line_model(line, self.blocks(&accesses)?, classes))
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
    fn blocks(&self, accesses: &UnionMap) -> Result<Vec<Piece>, Error> {
        let mut total = symloc_isl::PwQPolynomial::read(self.isl, "{ 0 }")?;
        for blocks in accesses.range()?.coalesce()?.sets()? {
            total = total.add(&blocks.card()?)?;
        }
        self.pieces(&total.coalesce()?)
    }

    /// A count over the parameters as plain data.
    fn pieces(&self, count: &symloc_isl::PwQPolynomial) -> Result<Vec<Piece>, Error> {
        let context = self.timestamps.context.params()?;
        let pieces = count_pieces(self.isl, count, &context, &Frame::over(self.params.clone(), self.params.len()))?;
        Ok(pieces.into_iter().map(|p| Piece { domain: p.domain, value: p.count }).collect())
    }

    fn line_model(&self, line: Line, blocks: Vec<Piece>, classes: Vec<ReuseClass>) -> LineModel {
        let (line_bytes, element) = (line.bytes(self.program), line == Line::Element);
        LineModel { line_bytes, element, blocks, classes, distances: None }
    }
}
