//! The RI sum test: the derivation is wrong unless Σ v·c over all classes is N·m (docs/mathematics.md, "First touches
//! and imaginary reuse").
//!
//! It is tested as an identity of polynomials, for all large sizes at once, if the sums over free iterators have a
//! closed form; and always at sampled sizes, small and large, divisible and not, because the evaluation of a model
//! checks it.
//!
//! A model of another program can pass that, one with other rows for instance. So at the smallest samples blocks and intervals are also
//! compared with those of the trace.
//!
//! Reuse distances have no such identity. They are compared with those of the trace at a few small sizes; at the
//! sampled sizes their number must be that of the reuses. So are the longest reuses of writes, whose number must be that
//! of the writes; but a model without write-backs is still of use, so they are removed if they differ.

mod write_backs;

use std::collections::BTreeSet;

use symloc_affine::{Atom, Constraint as Condition, Layout, Line, Program, Relation};
use symloc_evaluate::{Distribution, EvalError, Evaluator, Int, MissModel};
use symloc_locality::{Identity, regimes_up_to, ri_sum_identity};
use symloc_model::{LineChoice, LineModel, Model};
use symloc_quasi::{Constraint, Notation, Poly, Style};
use symloc_reuse::LineSizes;
use symloc_sim::{DistanceHistogram, IntervalHistogram, SimError, Trace};
use symloc_verify::{bins, named};

use crate::error::DerivationError;
use crate::lines::lines_at;
pub use write_backs::{WrongWriteBacks, write_backs};

/// The approximate sizes of the samples; the parameters of one sample differ by a few.
const SCALES: [i64; 14] = [1, 2, 3, 5, 8, 12, 16, 19, 24, 32, 48, 64, 96, 128];

/// The symbolic line sizes of the samples, in elements.
const LINES: [i64; 5] = [4, 1, 8, 3, 2];

/// The number of samples that are enough.
const ENOUGH: usize = 6;

/// The most points of free iterators that one sample may visit.
const POINTS: u64 = 200_000;

/// The most regimes whose formulas are tested; more take too long.
const REGIMES: usize = 4;

/// The result of the test.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checked {
    /// The number of polynomial identities that hold: one for each line size and residue class of the sizes.
    pub identities: usize,
    /// The number of identities that could not be decided on formulas.
    pub undecided: usize,
    /// The number of sizes at which the sums were evaluated.
    pub samples: usize,
}

/// Tests the RI sum of every line size, and compares small traces; without classes there is none.
///
/// # Errors
///
/// If the intervals do not add up to accesses times blocks, or are not those of a trace.
pub fn intervals(
    model: &Model,
    program: &Program,
    layout: Layout,
    lines: &LineSizes,
) -> Result<Checked, DerivationError> {
    let mut checked = Checked::default();
    if model.sampled.is_some() {
        return Ok(checked);
    }
    // A program with a single size needs no identity: its sums are numbers.
    let has_sizes = !model.parameters.is_empty();
    if has_sizes {
        identities(model, &mut checked)?;
    }
    for (position, line) in model.lines.iter().enumerate() {
        let traces = Traces { program, layout, lines, position };
        let sampled = if has_sizes { samples(model, &traces, line)? } else { 0 };
        checked.samples += if sampled > 0 { sampled } else { usize::from(one_sample(model, program, line)?) };
    }
    Ok(checked)
}

/// Returns the least and the largest value of a parameter, which is given by its position, by the conditions of the context on it alone. Without
/// any from below the least is 1, or the largest if that is less.
pub fn bounds(program: &Program, parameter: usize) -> (i64, i64) {
    let (mut least, mut most) = (None, i64::MAX);
    for constraint in &program.context {
        let mut terms = constraint.expr.terms();
        let (Some((Atom::Param(param), factor)), None) = (terms.next(), terms.next()) else { continue };
        if param.index() != parameter {
            continue;
        }
        // f·n + c = 0, or f·n + c ≥ 0
        let constant = constraint.expr.constant_term();
        let is_value = constraint.relation == Relation::Zero;
        if is_value || factor > 0 {
            let bound = constant.div_euclid(factor).saturating_neg();
            least = Some(least.map_or(bound, |least: i64| least.max(bound)));
        }
        if is_value || factor < 0 {
            most = most.min(constant.div_euclid(factor.saturating_neg()));
        }
    }
    (least.unwrap_or(1.min(most)), most)
}

/// The most values of a parameter that are tried for one with the remainders that the context asks for.
const TRIED: i64 = 256;

/// Changes sizes so that they satisfy the conditions of the context on single parameters.
fn allowed(program: &Program, sizes: &[i64]) -> Vec<i64> {
    let allowed = |(parameter, &size): (usize, &i64)| {
        let (least, most) = bounds(program, parameter);
        let size = if size < least { least.saturating_add(size) } else { size };
        let size = size.min(most);
        let above = (0..TRIED).map(|step| size.saturating_add(step));
        let mut next = above.chain((1..TRIED).map(|step| size.saturating_sub(step)));
        next.find(|value| allows(program, parameter, *value)).unwrap_or(size)
    };
    sizes.iter().enumerate().map(allowed).collect()
}

/// Returns true if a value of a parameter, which is given by its position, satisfies all conditions of the context on it alone.
pub fn allows(program: &Program, parameter: usize, value: i64) -> bool {
    let is_other = |atom: &Atom| matches!(atom, Atom::Param(param) if param.index() != parameter);
    let own = program.context.iter().filter(|constraint| !constraint.expr.mentions(&is_other));
    let holds = |constraint: &Condition| constraint.holds(&|_| i128::from(value), &|_| 0);
    own.map(holds).all(|holds| holds != Some(false))
}

/// The most accesses of a trace that distances are compared with.
const TRACE: u64 = 100_000;

/// The most accesses of all traces that the intervals of a line size are compared with.
const TRACES: u64 = 60_000;

/// The scales of comparisons with the trace.
const TRACED: [i64; 4] = [3, 9, 16, 24];

/// Compares the reuse distances with those of the trace, at some small sizes, both multiples of a line and others.
///
/// # Errors
///
/// If they differ.
pub fn distances(model: &Model, program: &Program, layout: Layout, lines: &LineSizes) -> Result<(), DerivationError> {
    for (position, held) in model.lines.iter().enumerate().filter(|(_, held)| held.distances.is_some()) {
        let evaluator = Evaluator::new(model, choice(model, held)).map_err(inconsistent)?.with_limit(POINTS);
        let traces = Traces { program, layout, lines, position };
        for sizes in traced_sizes(model, program, held) {
            let derived = evaluated(evaluator.distribution(MissModel::Lru, &named(model, &sizes)))?;
            let small = |derived: &Distribution| derived.accesses <= Int::from(TRACE);
            let Some(derived) = derived.filter(|derived| derived.real.is_empty() && small(derived)) else {
                continue;
            };
            let simulated = traces.measure(&sizes, DistanceHistogram::of)?;
            if simulated.is_some_and(|simulated| derived.distances != bins(&simulated.distances)) {
                return Err(wrong(&format!("the reuse distances at {sizes:?} are not those of the trace")));
            }
        }
    }
    Ok(())
}

/// The traces of a program at one of its line sizes.
struct Traces<'a> {
    program: &'a Program,
    layout: Layout,
    lines: &'a LineSizes,
    position: usize,
}

impl Traces<'_> {
    /// Compares blocks and intervals at a size with the trace, if it has no more accesses than are left of a budget.
    fn compare(&self, derived: &Distribution, sizes: &[i64], left: &mut u64) -> Result<(), DerivationError> {
        let Some(rest) =
            derived.accesses.to_i128().and_then(|accesses| left.checked_sub(u64::try_from(accesses).ok()?))
        else {
            return Ok(());
        };
        *left = rest;
        let Some(traced) = self.measure(sizes, IntervalHistogram::of)? else { return Ok(()) };
        let is_equal = derived.blocks == Int::from(traced.blocks)
            && derived.real == bins(&traced.real)
            && derived.imaginary == bins(&traced.imaginary);
        if is_equal {
            Ok(())
        } else {
            Err(wrong(&format!("the reuse intervals at {sizes:?} are not those of the trace")))
        }
    }

    /// Measures the trace at a size; `None` if there is none, or if it leaves an array: models rely on extents.
    fn measure<T>(
        &self,
        sizes: &[i64],
        measure: impl Fn(&Trace<'_>) -> Result<T, SimError>,
    ) -> Result<Option<T>, DerivationError> {
        let Self { program, layout, lines, position } = *self;
        let Some(line) = lines_at(lines, program, sizes)?.get(position).copied() else { return Ok(None) };
        if leaves_extents(program, sizes) {
            return Ok(None);
        }
        match Trace::new(program, sizes, layout, line).and_then(|trace| measure(&trace)) {
            Ok(measured) => Ok(Some(measured)),
            // No array is that large, so that nothing has to hold at these sizes.
            Err(SimError::Overflow { .. } | SimError::AddressSpace { .. }) => Ok(None),
            Err(error) => Err(wrong(&error.to_string())),
        }
    }
}

/// Returns true if a subscript is known to reach an extent that is a constant. Of vectors, which are several elements at once, nothing is
/// known.
fn leaves_extents(program: &Program, sizes: &[i64]) -> bool {
    let mut extents = program.arrays.iter().flat_map(|array| &array.shape);
    extents.any(|extent| extent.constant().is_some())
        && Trace::new(program, sizes, Layout::Rows, Line::Element)
            .and_then(|trace| trace.is_within_extents(sizes))
            .is_ok_and(|is_within| !is_within)
}

/// Returns the sizes at which a model is compared with traces.
fn traced_sizes(model: &Model, program: &Program, line: &LineModel) -> BTreeSet<Vec<i64>> {
    let sizes = TRACED.into_iter().enumerate().flat_map(|(turn, scale)| sizes(model, line, scale, turn));
    sizes.map(|sizes| allowed(program, &sizes)).collect()
}

/// Returns sizes of about one scale that differ by a few. A symbolic line has a few elements, a different number at
/// each turn, and about half of the model's conditions hold.
fn sizes(model: &Model, line: &LineModel, scale: i64, turn: usize) -> impl Iterator<Item = Vec<i64>> + use<> {
    let (parameters, symbolic) = (model.parameters.len(), line.symbolic);
    let flags: Vec<_> = model.truths.iter().filter_map(flag).collect();
    [0, 1, -1, 3].into_iter().enumerate().map(move |(column, stagger)| {
        let mut sizes: Vec<i64> = (0..).map(|k| scale + stagger * k).take(parameters).collect();
        if let Some(line) = symbolic {
            sizes[line.parameter] = LINES[(turn + column) % LINES.len()];
        }
        for (index, (parameter, value)) in flags.iter().enumerate() {
            // Different conditions at each turn and in each column; each pair of two conditions occurs in all
            // combinations.
            let holds = (turn * 4 + column) >> (index % 4) & 1 == 0;
            sizes[*parameter] = if holds { *value } else { value.saturating_sub(1) };
        }
        sizes
    })
}

/// Returns the parameter of a condition and the least value for which it holds.
fn flag(condition: &Constraint) -> Option<(usize, i64)> {
    let value = -condition.poly.constant_term();
    Some((condition.poly.vars().first()?.0 as usize, value.to_integer().try_into().ok()?))
}

/// Returns the choice that selects one of the line sizes.
fn choice(model: &Model, line: &LineModel) -> LineChoice {
    match (model.lines.as_slice(), line.line_bytes) {
        ([_, _, ..], Some(bytes)) => LineChoice::Bytes(bytes),
        _ => LineChoice::Only,
    }
}

/// Returns the result of an evaluation; `None` if the model does not hold at the size, or if it takes too long.
fn evaluated<T>(result: Result<T, EvalError>) -> Result<Option<T>, DerivationError> {
    match result {
        Ok(result) => Ok(Some(result)),
        Err(EvalError::OutsideContext { .. } | EvalError::Limit { .. }) => Ok(None),
        Err(error) => Err(inconsistent(error)),
    }
}

fn wrong(what: &str) -> DerivationError {
    DerivationError::Internal(what.to_owned())
}

fn inconsistent(error: EvalError) -> DerivationError {
    wrong(&error.to_string())
}

fn identities(model: &Model, checked: &mut Checked) -> Result<(), DerivationError> {
    for line in &model.lines {
        // With a context without large sizes or with too many residues, only samples are tested.
        let Ok(regimes) = regimes_up_to(model, line, REGIMES) else {
            checked.undecided += 1;
            continue;
        };
        for regime in regimes {
            match ri_sum_identity(&regime) {
                Identity::Holds => checked.identities += 1,
                Identity::NotApplicable(_) => checked.undecided += 1,
                Identity::Fails(difference) => {
                    let difference = Notation::new(Style::Plain, &model.names()).poly(&difference);
                    return Err(wrong(&format!("the reuse intervals miss accesses times blocks by {difference}")));
                }
            }
        }
    }
    Ok(())
}

/// Returns true if the sums of a line size are right at one size. They are formulas, as in queries, so no points of
/// iterators are visited.
fn one_sample(model: &Model, program: &Program, line: &LineModel) -> Result<bool, DerivationError> {
    let counts = without_distances(model);
    let evaluator = Evaluator::new(&counts, choice(model, line)).map_err(inconsistent)?;
    for sizes in sizes(model, line, SCALES[0], 0) {
        let sizes = named(model, &allowed(program, &sizes));
        if evaluated(evaluator.predict(MissModel::Denning, &sizes))?.is_some() {
            if evaluator.has_distances() {
                evaluated(evaluator.predict(MissModel::Lru, &sizes))?;
            }
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns a model in which every known distance is 0. There are as many distances as in the other one, and counting them
/// takes a fraction of the time if they need not be told apart.
fn without_distances(model: &Model) -> Model {
    let mut model = model.clone();
    let distances = model.lines.iter_mut().filter_map(|line| line.distances.as_mut());
    distances.flat_map(|distances| &mut distances.classes).for_each(|class| class.value = Poly::zero());
    model
}

/// Returns the number of sizes at which the sums of a line size are right.
fn samples(model: &Model, traces: &Traces<'_>, line: &LineModel) -> Result<usize, DerivationError> {
    let evaluator = Evaluator::new(model, choice(model, line)).map_err(inconsistent)?.with_limit(POINTS);
    let (mut seen, mut tested, mut left) = (BTreeSet::new(), 0, TRACES);
    for (turn, scale) in SCALES.into_iter().enumerate() {
        for sizes in sizes(model, line, scale, turn) {
            let numbers = allowed(traces.program, &sizes);
            if !seen.insert(numbers.clone()) {
                continue;
            }
            let sizes = named(model, &numbers);
            if let Some(derived) = evaluated(evaluator.distribution(MissModel::Denning, &sizes))? {
                tested += 1;
                traces.compare(&derived, &numbers, &mut left)?;
            }
            if evaluator.has_distances() {
                // Fails unless there are as many distances as reuses; queries count them without visiting their points.
                evaluated(evaluator.distribution(MissModel::Lru, &sizes))?;
                evaluated(evaluator.predict(MissModel::Lru, &sizes))?;
            }
        }
        if tested >= ENOUGH && scale >= 19 {
            break;
        }
    }
    Ok(tested)
}

#[cfg(test)]
mod tests {
    use super::*;
    use symloc_affine::builder::ProgramBuilder;
    use symloc_affine::{Expr, Extent};

    #[test]
    fn sizes_satisfy_the_conditions_on_single_parameters() {
        let mut builder = ProgramBuilder::new("sizes");
        let [n, depth, pad] = ["n", "depth", "pad"].map(|name| Expr::param(builder.param(name)));
        let mut program = builder.build();
        program.context = vec![
            Condition::non_negative(n.times(2).unwrap().plus_constant(-7).unwrap()),
            Condition::non_negative(depth.times(-2).unwrap().plus_constant(5).unwrap()),
            Condition::equal(&pad, 4).unwrap(),
        ];
        assert_eq!([0, 1, 2].map(|parameter| bounds(&program, parameter)), [(4, i64::MAX), (1, 2), (4, 4)]);
        assert_eq!(allowed(&program, &[1, 5, 9]), [5, 2, 4]);
        let floor = n.plus_constant(2).unwrap().floor_div(8).unwrap();
        program
            .context
            .push(Condition::equal(&n.plus_constant(2).unwrap().add_scaled(&floor, -8).unwrap(), 0).unwrap());
        assert_eq!(allowed(&program, &[1, 5, 9]), [6, 2, 4]);
        assert_eq!(allowed(&program, &[7, 5, 9]), [14, 2, 4]);
        // 3·⌊(n + 2)/3⌋ ≤ 24
        let thirds = n.plus_constant(2).unwrap().floor_div(3).unwrap().times(-3).unwrap();
        program.context = vec![Condition::non_negative(thirds.plus_constant(24).unwrap())];
        assert_eq!(allowed(&program, &[25, 5, 9]), [24, 5, 9]);
    }

    #[test]
    fn there_is_no_trace_of_rows_that_are_left() {
        let mut builder = ProgramBuilder::new("rows");
        let [n, m] = ["n", "m"].map(|name| Expr::param(builder.param(name)));
        let array = builder.array("A", 8, 2);
        builder.for_("i", 0, n, |builder, i| {
            builder.for_("j", 0, m, |builder, j| {
                builder.read(array, [i, j]);
            });
        });
        let mut program = builder.build();
        program.arrays[0].shape[1] = Extent::Known(24);
        let lines = LineSizes::Fixed(vec![Line::Bytes(64)]);
        let traces = Traces { program: &program, layout: Layout::Memory, lines: &lines, position: 0 };
        let accesses = |sizes: &[i64]| traces.measure(sizes, |trace| Ok(trace.accesses())).unwrap();
        assert_eq!(accesses(&[3, 24]), Some(72));
        assert_eq!(accesses(&[3, 25]), None);
    }
}
