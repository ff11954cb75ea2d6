//! The RI sum test: Σ v·c over all classes is N·m (docs/mathematics.md, "First touches and imaginary
//! reuse"), or the derivation is wrong.
//!
//! It is tested as an identity of polynomials, for all large sizes at once, where the sums over free iterators have a closed
//! form; and always at sampled sizes, small and large, divisible and not, because evaluating a model checks it there.
//!
//! Reuse distances have no such identity. They are compared with those of the trace, at a few small sizes; at the sampled sizes there
//! must be one for each reuse.

use std::collections::BTreeSet;

use symloc_affine::{Atom, Layout, Program, Relation};
use symloc_evaluate::{DistanceDistribution, EvalError, Evaluator, Int};
use symloc_locality::{Identity, regimes_up_to, ri_sum_identity};
use symloc_model::{LineChoice, LineModel, Model};
use symloc_quasi::{Constraint, Notation, Style};
use symloc_query::CliError;
use symloc_reuse::LineSizes;
use symloc_sim::{DistanceHistogram, Trace};
use symloc_verify::{bins, named};

use crate::input::lines_at;

/// Sizes along which samples are taken; the parameters of one sample differ by a few.
const SCALES: [i64; 14] = [1, 2, 3, 5, 8, 12, 16, 19, 24, 32, 48, 64, 96, 128];

/// Symbolic line sizes to go with them, in elements.
const LINES: [i64; 5] = [4, 1, 8, 3, 2];

/// How many samples are enough.
const ENOUGH: usize = 6;

/// The most points of free iterators that one sample may visit.
const POINTS: u64 = 200_000;

/// The formulas of more regimes take longer than they are worth.
const REGIMES: usize = 4;

/// What the test found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Checked {
    /// How many polynomial identities hold: one for each line size and residue class of the sizes.
    pub identities: usize,
    /// How many could not be decided on formulas.
    pub undecided: usize,
    /// At how many sizes the sums were evaluated.
    pub samples: usize,
}

/// Tests the RI sum of every line size.
pub(crate) fn ri_sums(model: &Model, program: &Program) -> Result<Checked, CliError> {
    let mut checked = Checked::default();
    // The sums of the only size of a program are all that an identity could say.
    let has_sizes = !model.parameters.is_empty();
    if has_sizes {
        identities(model, &mut checked)?;
    }
    for line in &model.lines {
        let sampled = if has_sizes { samples(model, program, line)? } else { 0 };
        checked.samples += if sampled > 0 { sampled } else { usize::from(one_sample(model, program, line)?) };
    }
    Ok(checked)
}

/// What the context says of one parameter alone: its value, or the least one that it allows.
fn least(program: &Program, parameter: usize) -> (Option<i64>, i64) {
    let (mut value, mut least) = (None, 1);
    for constraint in &program.context {
        let mut terms = constraint.expr.terms();
        let (Some((Atom::Param(param), coefficient)), None) = (terms.next(), terms.next()) else { continue };
        if param.index() != parameter {
            continue;
        }
        let constant = constraint.expr.constant_term();
        match constraint.relation {
            // c·n + k = 0
            Relation::Zero => value = value.or_else(|| constant.checked_neg()?.checked_div(coefficient)),
            // c·n + k ≥ 0
            Relation::NonNegative if coefficient > 0 => {
                least = least.max(-constant.div_euclid(coefficient));
            }
            Relation::NonNegative => {}
        }
    }
    (value, least)
}

/// Sizes that the context allows as far as it speaks of one parameter at a time.
fn allowed(program: &Program, sizes: &[i64]) -> Vec<i64> {
    let allowed = |(parameter, &size): (usize, &i64)| match least(program, parameter) {
        (Some(value), _) => value,
        (None, least) if size < least => least.saturating_add(size),
        (None, _) => size,
    };
    sizes.iter().enumerate().map(allowed).collect()
}

/// The most accesses of a trace that distances are compared with.
const TRACE: u64 = 100_000;

/// Scales for comparisons with the trace.
const TRACED: [i64; 4] = [3, 9, 16, 24];

/// Compares the reuse distances with those of the trace, at some small sizes, divisible by lines and not.
pub(crate) fn distances(model: &Model, program: &Program, layout: Layout, lines: &LineSizes) -> Result<(), CliError> {
    for (position, held) in model.lines.iter().enumerate().filter(|(_, held)| held.distances.is_some()) {
        let evaluator = Evaluator::new(model, choice(model, held))?.with_limit(POINTS);
        let samples = TRACED.into_iter().enumerate().flat_map(|(turn, scale)| sizes(model, held, scale, turn));
        for sizes in samples.collect::<BTreeSet<_>>() {
            let derived = evaluated(evaluator.distances(&named(model, &sizes)))?.flatten();
            let small = |derived: &DistanceDistribution| derived.accesses <= Int::from(TRACE);
            let Some(derived) = derived.filter(|derived| derived.estimated.is_empty() && small(derived)) else {
                continue;
            };
            let Some(line) = lines_at(lines, program, &sizes)?.get(position).copied() else { continue };
            let trace = Trace::new(program, &sizes, layout, line).map_err(|e| wrong(&e.to_string()))?;
            let simulated = DistanceHistogram::of(&trace).map_err(|error| wrong(&error.to_string()))?;
            if derived.distances != bins(&simulated.distances) {
                return Err(wrong(&format!("the reuse distances at {sizes:?} are not those of the trace")));
            }
        }
    }
    Ok(())
}

/// Sizes of about one scale that differ by a few; a symbolic line has a few elements, others at each turn, and about half of the
/// model's conditions hold.
fn sizes(model: &Model, line: &LineModel, scale: i64, turn: usize) -> impl Iterator<Item = Vec<i64>> + use<> {
    let (parameters, symbolic) = (model.parameters.len(), line.symbolic);
    let flags: Vec<_> = model.truths.iter().filter_map(flag).collect();
    [0, 1, -1, 3].into_iter().enumerate().map(move |(column, stagger)| {
        let mut sizes: Vec<i64> = (0..).map(|k| scale + stagger * k).take(parameters).collect();
        if let Some(line) = symbolic {
            sizes[line.parameter] = LINES[(turn + column) % LINES.len()];
        }
        for (index, (parameter, value)) in flags.iter().enumerate() {
            // Others at each turn and in each column, and in all pairs.
            let holds = (turn * 4 + column) >> (index % 4) & 1 == 0;
            sizes[*parameter] = if holds { *value } else { value.saturating_sub(1) };
        }
        sizes
    })
}

/// The parameter of a condition, and the least value for which it holds.
fn flag(condition: &Constraint) -> Option<(usize, i64)> {
    let value = -condition.poly.constant_term();
    Some((condition.poly.vars().first()?.0 as usize, value.to_integer().try_into().ok()?))
}

/// How to ask for one of the line sizes.
fn choice(model: &Model, line: &LineModel) -> LineChoice {
    match (model.lines.as_slice(), line.line_bytes) {
        ([_, _, ..], Some(bytes)) => LineChoice::Bytes(bytes),
        _ => LineChoice::Only,
    }
}

/// What a model says at a size; nothing if it does not hold there, or if that takes too long.
fn evaluated<T>(result: Result<T, EvalError>) -> Result<Option<T>, CliError> {
    match result {
        Ok(result) => Ok(Some(result)),
        Err(EvalError::OutsideContext { .. } | EvalError::Limit { .. }) => Ok(None),
        Err(error) => Err(wrong(&error.to_string())),
    }
}

fn wrong(what: &str) -> CliError {
    CliError::with_hint(format!("internal error: {what}"), "please report this program")
}

fn identities(model: &Model, checked: &mut Checked) -> Result<(), CliError> {
    for line in &model.lines {
        // A context without large sizes, or with too many residues, leaves the samples.
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

/// Tells whether the sums of a line size are right at one size, without visiting the points of iterators: they are formulas, as in
/// queries.
fn one_sample(model: &Model, program: &Program, line: &LineModel) -> Result<bool, CliError> {
    let evaluator = Evaluator::new(model, choice(model, line))?;
    for sizes in sizes(model, line, SCALES[0], 0) {
        let sizes = named(model, &allowed(program, &sizes));
        if evaluated(evaluator.locality(&sizes))?.is_some() {
            evaluated(evaluator.lru(&sizes))?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// At how many sizes the sums of a line size are right.
fn samples(model: &Model, program: &Program, line: &LineModel) -> Result<usize, CliError> {
    let evaluator = Evaluator::new(model, choice(model, line))?.with_limit(POINTS);
    let (mut seen, mut tested) = (BTreeSet::new(), 0);
    for (turn, scale) in SCALES.into_iter().enumerate() {
        for sizes in sizes(model, line, scale, turn) {
            let sizes = allowed(program, &sizes);
            if !seen.insert(sizes.clone()) {
                continue;
            }
            let sizes = named(model, &sizes);
            tested += usize::from(evaluated(evaluator.at(&sizes))?.is_some());
            // There are as many as reuses, or this is an error; queries count them without visiting their points.
            evaluated(evaluator.distances(&sizes))?;
            evaluated(evaluator.lru(&sizes))?;
        }
        if tested >= ENOUGH && scale >= 19 {
            break;
        }
    }
    Ok(tested)
}
