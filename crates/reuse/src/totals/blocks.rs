//! Counts the distinct blocks that a program touches, m, by array.
//!
//! The blocks themselves are counted and not the first touches, so that the RI sum test means something. Like the counts of classes,
//! m is a sum of pieces that may overlap: telling where several of them hold takes long where they have many congruences.

use std::collections::BTreeMap;

use symloc_affine::{ArrayId, Program};
use symloc_isl::{Context, DimType, Map, Set};
use symloc_quasi::{Constraint, Piece, Poly};

use crate::Error;
use crate::counting::Summation;
use crate::frame::Frame;
use crate::lines::Lines;
use crate::schedule::coordinates::{Coordinates, array_of};
use symloc_polyhedra::Addend;

/// The number of distinct blocks, m.
pub(crate) struct BlockCounts {
    pub total: Vec<Piece>,
    /// By array of the program.
    pub by_array: Vec<Vec<Piece>>,
}

impl BlockCounts {
    /// Counts the blocks of lines of one size.
    pub(crate) fn count(isl: &Context, program: &Program, coordinates: &Coordinates) -> Result<Self, Error> {
        let Coordinates { params, context, .. } = coordinates;
        Self::of_sets(isl, program, (params, context), coordinates.blocks(program)?)
    }

    /// Counts blocks in some phases each, given as sets of pairs `[phase] -> Array[block]`.
    pub(crate) fn in_phases(
        isl: &Context,
        program: &Program,
        coordinates: &Coordinates,
        blocks: &[Map],
    ) -> Result<Self, Error> {
        let pairs =
            |blocks: &Map| Ok((array_of(program, blocks.tuple_name(DimType::Out)?)?, blocks.wrap()?.flatten()?));
        let Coordinates { params, context, .. } = coordinates;
        let sets = blocks.iter().map(pairs).collect::<Result<_, Error>>()?;
        Self::of_sets(isl, program, (params, context), sets)
    }

    /// Counts the elements of sets over parameters in a context; each set belongs to an array.
    pub(crate) fn of_sets(
        isl: &Context,
        program: &Program,
        (params, context): (&[String], &Set),
        sets: Vec<(ArrayId, Set)>,
    ) -> Result<Self, Error> {
        let parameters = Frame::of_params(params.to_vec());
        let summation = Summation::new(isl, params, context)?.in_many_parts();
        let mut by_array = vec![PiecewiseSum::default(); program.arrays.len()];
        for (array, set) in sets {
            summation.count(&set, &parameters)?.into_iter().for_each(|part| by_array[array.index()].add(part));
        }
        Ok(Self::new(by_array))
    }

    /// Counts the blocks of lines of symbolic size.
    pub(crate) fn of_lines(program: &Program, lines: &Lines<'_>) -> Result<Self, Error> {
        let mut by_array = vec![PiecewiseSum::default(); program.arrays.len()];
        lines.blocks()?.into_iter().for_each(|(array, part)| by_array[array.index()].add(part));
        Ok(Self::new(by_array))
    }

    fn new(by_array: Vec<PiecewiseSum>) -> Self {
        let mut total = PiecewiseSum::default();
        by_array.iter().flat_map(|sum| sum.0.clone()).for_each(|part| total.add(part));
        Self { total: total.pieces(), by_array: by_array.into_iter().map(PiecewiseSum::pieces).collect() }
    }
}

/// Polynomials on domains that may overlap.
#[derive(Clone, Debug, Default)]
pub(crate) struct PiecewiseSum(BTreeMap<Vec<Constraint>, Poly>);

impl PiecewiseSum {
    pub(crate) fn add(&mut self, (mut domain, value): Addend) {
        domain.sort();
        let sum = self.0.entry(domain).or_insert_with(Poly::zero);
        *sum = &*sum + &value;
    }

    pub(crate) fn pieces(self) -> Vec<Piece> {
        let values = self.0.into_iter().map(|(domain, value)| Piece { domain, value: value.periodic_form() });
        values.filter(|piece| !piece.value.is_zero()).collect()
    }
}
