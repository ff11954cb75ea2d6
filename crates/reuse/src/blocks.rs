//! How many distinct blocks a program touches, m, and of which arrays.
//!
//! The blocks themselves are counted and not the first touches, so that the RI sum test means something.

use symloc_affine::Program;
use symloc_isl::{Context, Set};
use symloc_quasi::Piece;

use crate::Error;
use crate::classes::plain_pieces;
use crate::coordinates::Coordinates;
use crate::disjoint::DisjointSum;
use crate::frame::Frame;
use crate::lines::Lines;
use crate::sums::Summation;

/// The number of distinct blocks, m.
pub(crate) struct BlockCounts {
    pub total: Vec<Piece>,
    /// By array of the program.
    pub by_array: Vec<Vec<Piece>>,
}

impl BlockCounts {
    /// Counts the blocks of lines of one size.
    pub(crate) fn count(isl: &Context, program: &Program, coordinates: &Coordinates) -> Result<Self, Error> {
        let (parameters, context) = (coordinates.parameters(), coordinates.context.params()?);
        let summation = Summation::new(isl, &coordinates.params, &context)?;
        let mut total = DisjointSum::default();
        let mut by_array: Vec<_> = program.arrays.iter().map(|_| DisjointSum::default()).collect();
        for blocks in coordinates.accesses.range()?.coalesce()?.sets()? {
            let name = blocks.tuple_name()?;
            let array = program.arrays.iter().position(|array| Some(&array.name) == name.as_ref());
            let array = array.ok_or_else(|| Error::Internal(format!("blocks of an unknown array {name:?}")))?;
            for (domain, count) in summation.count(&blocks, &parameters)? {
                let domain = parameters.region(isl, &domain)?.intersect(&context)?;
                by_array[array].add(domain.clone(), &count)?;
                total.add(domain, &count)?;
            }
        }
        Self::finish(total, by_array, &context, &parameters)
    }

    /// Counts the blocks of lines of symbolic size.
    pub(crate) fn of_lines(program: &Program, lines: &Lines<'_>) -> Result<Self, Error> {
        let params = lines.params();
        let parameters = Frame::over(params.clone(), params.len());
        let context = lines.context.params()?;
        let mut by_array: Vec<_> = program.arrays.iter().map(|_| DisjointSum::default()).collect();
        for (array, domain, count) in lines.blocks()? {
            by_array[array.index()].add(domain, &count)?;
        }
        let add = |total: DisjointSum, array: &DisjointSum| total.plus(array, &context);
        let total = by_array.iter().try_fold(DisjointSum::zero_on(&context), add)?;
        Self::finish(total, by_array, &context, &parameters)
    }

    fn finish(
        total: DisjointSum,
        by_array: Vec<DisjointSum>,
        context: &Set,
        parameters: &Frame,
    ) -> Result<Self, Error> {
        let finish = |sum: DisjointSum| plain_pieces(sum.pieces()?, context, parameters);
        Ok(Self { total: finish(total)?, by_array: by_array.into_iter().map(finish).collect::<Result<_, _>>()? })
    }
}
