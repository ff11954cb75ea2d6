//! The totals of a program: accesses, operations and blocks, but no reuse.
//!
//! A derivation that reaches its limit ends with these. They are counted on the domains of statements, whose redundant
//! constraints are removed first: the bounds of tiles follow from those of the iterations in them. What is left determines
//! the iterator of a tile, ⌊i/32⌋, and does not constrain it, so that tiles and skewed loops cost nothing.

pub(crate) mod blocks;

use std::collections::BTreeMap;

use symloc_affine::{ArrayId, Layout, Line, Program};
use symloc_isl::{Context, DimType, Set};
use symloc_model::{LineModel, SampledReuse};
use symloc_quasi::Rational;

use crate::Error;
use crate::counting::Summation;
use crate::frame::Frame;
use crate::schedule::coordinates::array_of;
use crate::schedule::timestamps::{Statement, Timestamps, TreeRegion};
use crate::stored::Derived;
use crate::totals::blocks::{BlockCounts, PiecewiseSum};
use symloc_polyhedra::Addend;

/// Counts accesses, operations and blocks of a program, and the executions of its accesses. A limit of 0 is none.
pub(crate) fn totals(
    program: &Program,
    layout: Layout,
    lines: &[Line],
    max_operations: u64,
) -> Result<(Derived, SampledReuse), Error> {
    let isl = Context::new()?;
    isl.set_max_operations(max_operations);
    let timestamps = Timestamps::new(&isl, program)?;
    let regions = executions(&isl, program, &timestamps)?;
    let sum = |weight: &dyn Fn(&TreeRegion) -> u64| {
        let mut sum = PiecewiseSum::default();
        for (region, executions) in timestamps.regions.iter().zip(&regions) {
            let factor = Rational::from_integer(weight(region).into());
            executions.iter().for_each(|(domain, count)| sum.add((domain.clone(), count.scale(&factor))));
        }
        sum.pieces()
    };
    let with_accesses = || (0..regions.len()).filter(|region| timestamps.regions[*region].accesses > 0);
    let of_region = |region: usize| {
        let mut sum = PiecewiseSum::default();
        regions[region].iter().for_each(|part| sum.add(part.clone()));
        sum.pieces()
    };
    let of_access = |statement: &Statement| with_accesses().take_while(|region| *region < statement.region).count();
    let sampled = SampledReuse {
        executions: with_accesses().map(of_region).collect(),
        of_accesses: timestamps.statements.iter().map(of_access).collect(),
    };
    let line = |line: &Line| Ok(without_classes(program, *line, blocks(&isl, program, &timestamps, layout, *line)?));
    let derived = Derived {
        accesses: sum(&|region| region.accesses),
        operations: program.operations_known().then(|| sum(&|region| region.operations)),
        lines: lines.iter().map(line).collect::<Result<_, Error>>()?,
        truths: Vec::new(),
        line_counts: Vec::new(),
        conditions: Vec::new(),
        over_limit: None,
        unknown_write_backs: Vec::new(),
    };
    Ok((derived, sampled))
}

/// Returns what is known of lines of one size before any reuse.
pub(crate) fn without_classes(
    program: &Program,
    line: Line,
    BlockCounts { total, by_array }: BlockCounts,
) -> LineModel {
    LineModel {
        line_bytes: line.bytes(program),
        element: line == Line::Element,
        symbolic: None,
        blocks: total,
        array_blocks: by_array,
        classes: Vec::new(),
        distances: None,
        coherence: None,
        write_backs: None,
    }
}

/// Returns the number of executions of each region, as parts that may overlap.
fn executions(isl: &Context, program: &Program, timestamps: &Timestamps) -> Result<Vec<Vec<Addend>>, Error> {
    let frame = Frame::new(program, &[]);
    let summation = Summation::new(isl, frame.names(), &timestamps.context)?.in_many_parts();
    let of_region = |region: &TreeRegion| match region.accesses + region.operations {
        0 => Ok(Vec::new()),
        _ => summation.count(&region.domain.remove_redundancies()?, &frame),
    };
    timestamps.regions.iter().map(of_region).collect()
}

/// Counts the blocks that a program touches.
fn blocks(
    isl: &Context,
    program: &Program,
    timestamps: &Timestamps,
    layout: Layout,
    line: Line,
) -> Result<BlockCounts, Error> {
    let mut touched: BTreeMap<ArrayId, Set> = BTreeMap::new();
    for accessed in timestamps.accesses(isl, program, layout, line)?.maps()? {
        let array = array_of(program, accessed.tuple_name(DimType::Out)?)?;
        let blocks = accessed.remove_redundancies()?.range()?;
        let all = match touched.remove(&array) {
            Some(others) => others.union(&blocks)?.coalesce()?,
            None => blocks,
        };
        touched.insert(array, all);
    }
    let params = Frame::new(program, &[]).names().to_vec();
    BlockCounts::of_sets(isl, program, (&params, &timestamps.context), touched.into_iter().collect())
}
