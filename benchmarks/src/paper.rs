//! The paper's formulation, for comparison: section 3.3 of Zhu et al., counted exactly or approximately.
//!
//! prev is the lexicographic maximum of one relation between timestamps of one block; the reuse interval of t is the
//! number of timestamps from prev(t) up to t, which Barvinok counts as a function of t; then each piece of that function
//! is a class, whose members it counts again. Infinite repeat is a leading dimension, the run: first touches find
//! their prev in the run before.

use symloc_affine::{Layout, Line, Program};
use symloc_isl::{Context, Counting, DimType, Set};
use symloc_reuse::schedule::timestamps::Timestamps;

use crate::BoxedError;

/// Derives the classes at 64-byte lines and returns the number of their pieces.
pub(crate) fn classes(program: &Program, counting: Counting) -> Result<usize, BoxedError> {
    let isl = Context::with_counting(counting)?;
    let timestamps = Timestamps::new(&isl, program)?;
    let accesses = timestamps.accesses(&isl, program, Layout::Rows, Line::Bytes(64))?;
    // [time] -> Array[block], over timestamps instead of statements.
    let in_time = accesses.apply_domain(&timestamps.schedule(&isl)?)?;
    let times = single(&in_time.domain()?.sets()?)?;
    // { [run, time] } for this run and the one before.
    let two_runs = Set::read(&isl, "{ [run] : -1 <= run <= 0 }")?.flat_product(&times)?;
    let this_run = two_runs.fix(DimType::SET, 0, 0)?;
    let same_block = in_time.apply_range(&in_time.reverse()?)?;
    let same_block = single(&same_block.maps()?)?;
    let from = same_block.insert_dims(DimType::In, 0, 1)?.insert_dims(DimType::Out, 0, 1)?;
    let earlier = two_runs.lex_lt(&this_run)?.reverse()?;
    let prev = from.intersect(&earlier)?.lexmax()?;
    // t -> all timestamps of both runs from prev(t) up to and without t.
    let since = prev.apply_range(&two_runs.lex_le(&two_runs)?)?;
    let window = since.intersect(&earlier)?;
    let intervals = window.card()?;
    let mut pieces = 0;
    for (domain, _) in intervals.pieces()? {
        domain.card()?;
        pieces += 1;
    }
    Ok(pieces)
}

fn single<T: Clone>(all: &[T]) -> Result<T, BoxedError> {
    match all {
        [only] => Ok(only.clone()),
        _ => Err(format!("{} spaces of timestamps", all.len()).into()),
    }
}
