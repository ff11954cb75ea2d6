//! The check of write-backs: the longest reuses of writes are compared with those of the trace, their number with that of the
//! writes.

use symloc_affine::{AccessKind, Layout, Program};
use symloc_evaluate::{Evaluator, Int, MissModel};
use symloc_model::{Model, NamedSizes};
use symloc_reuse::LineSizes;
use symloc_sim::WriteHistogram;
use symloc_verify::{bins, named};

use super::{POINTS, Traces, allowed, choice, evaluated, inconsistent, sizes, traced_sizes};
use crate::error::DerivationError;

/// The most accesses of a trace that write-backs are compared with.
const TRACED_WRITES: u64 = 20_000;

/// The scale at which writes are counted, and the number of sizes there.
const COUNTED: (i64, usize) = (48, 2);

/// Write-backs of a model that differ from those of the program at a size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongWriteBacks {
    /// The position of the line size.
    pub position: usize,
    /// The miss model.
    pub miss_model: MissModel,
    /// The size.
    pub sizes: Vec<i64>,
}

/// Compares the longest reuses of writes with those of the trace, as [`distances`](super::distances) does, and their number with that of
/// writes at some larger sizes. Returns those that differ, or that contradict each other.
///
/// # Errors
///
/// If the trace cannot be run.
pub fn write_backs(
    model: &Model,
    program: &Program,
    layout: Layout,
    lines: &LineSizes,
) -> Result<Vec<WrongWriteBacks>, DerivationError> {
    let mut wrong = Vec::new();
    for (position, held) in model.lines.iter().enumerate().filter(|(_, held)| held.write_backs.is_some()) {
        let evaluator = Evaluator::new(model, choice(model, held)).map_err(inconsistent)?.with_limit(POINTS);
        let traces = Traces { program, layout, lines, position };
        let mut differs = |sizes: &[i64], miss_model| {
            wrong.push(WrongWriteBacks { position, miss_model, sizes: sizes.to_vec() });
        };
        for sizes in traced_sizes(model, program, held) {
            let at = named(model, &sizes);
            let totals = evaluated(evaluator.totals(&at))?;
            if totals.is_none_or(|totals| totals.accesses > Int::from(TRACED_WRITES)) {
                continue;
            }
            let Some(WriteHistogram { distances, intervals }) = traces.measure(&sizes, WriteHistogram::of)? else {
                continue;
            };
            for (miss_model, expected) in [(MissModel::Denning, &intervals), (MissModel::Lru, &distances)] {
                let found = evaluated(evaluator.write_distribution(miss_model, &at)).map(Option::flatten);
                if found.map_or(true, |found| found.is_some_and(|found| found != bins(expected))) {
                    differs(&sizes, miss_model);
                }
            }
        }
        for sizes in sizes(model, held, COUNTED.0, 0).take(COUNTED.1) {
            let sizes = allowed(program, &sizes);
            let at = named(model, &sizes);
            let Some(writes) = number_of_writes(&evaluator, program, &at)? else { continue };
            for miss_model in MissModel::ALL {
                let found = evaluated(evaluator.writes(miss_model, &at)).map(Option::flatten);
                if found.map_or(true, |found| found.is_some_and(|found| found.count() != writes)) {
                    differs(&sizes, miss_model);
                }
            }
        }
    }
    Ok(wrong)
}

/// Returns the number of writes at a size.
fn number_of_writes(
    evaluator: &Evaluator<'_>,
    program: &Program,
    sizes: &NamedSizes,
) -> Result<Option<Int>, DerivationError> {
    let Some(executions) = evaluated(evaluator.executions(sizes))? else { return Ok(None) };
    let of_access = program.accesses.iter().zip(&executions);
    let writes = of_access.filter(|(access, _)| access.kind == AccessKind::Write);
    Ok(Some(writes.fold(Int::ZERO, |sum, (_, count)| &sum + count)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use symloc_affine::Line;
    use symloc_affine::builder::ProgramBuilder;
    use symloc_model::ReuseClass;
    use symloc_quasi::Poly;
    use symloc_reuse::{DeriveOptions, Limits, ModelOrigin, derive};

    #[test]
    fn wrong_write_backs_are_found() {
        let mut builder = ProgramBuilder::new("twice");
        let n = builder.param("n");
        let array = builder.array("A", 8, 1);
        for _ in 0..2 {
            builder.for_("i", 0, n, |b, i| {
                b.write(array, [i]);
            });
        }
        let program = builder.build();
        let lines = LineSizes::Fixed(vec![Line::Bytes(64)]);
        let options = DeriveOptions {
            write_backs: true,
            distances: Some(Limits::default()),
            ..DeriveOptions::new(Layout::Rows, lines.clone())
        };
        let derived = derive(&program, &options).unwrap();
        let model = derived.into_model(&program, Layout::Rows, ModelOrigin::default());
        let wrong = |model: &Model| {
            let found = write_backs(model, &program, Layout::Rows, &lines).unwrap();
            let mut of: Vec<_> = found.into_iter().map(|wrong| wrong.miss_model).collect();
            of.dedup();
            of
        };
        let changed = |change: &dyn Fn(&mut Vec<ReuseClass>, MissModel)| {
            let mut model = model.clone();
            let held = model.lines[0].write_backs.as_mut().unwrap();
            change(held.classes.as_mut().unwrap(), MissModel::Denning);
            change(&mut held.distances.as_mut().unwrap().classes, MissModel::Lru);
            wrong(&model)
        };
        assert!(wrong(&model).is_empty());
        for one in MissModel::ALL {
            let longer = changed(&|classes, of| {
                let class = &mut classes[0];
                class.value = if of == one { &class.value + &Poly::one() } else { class.value.clone() };
            });
            let fewer =
                changed(&|classes, of| classes.truncate(if of == one { classes.len() - 1 } else { classes.len() }));
            assert_eq!((longer, fewer), (vec![one], vec![one]));
        }
    }
}
