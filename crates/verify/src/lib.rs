//! Compares a model with the trace of its program at one size: all data that both hold must be equal.
//!
//! [`compare`] covers the histograms of reuse intervals, the misses of all caches, each access by itself and each pair of
//! accesses, the number of floating-point operations, and reuse distances and write-backs where the model holds them. A [`Comparison`] lists the
//! differences. The command `verify`, random programs and the tests all use it.

#![warn(clippy::missing_errors_doc)]

mod accesses;
mod distances;

use std::collections::BTreeMap;

use symloc_affine::Line;
use symloc_evaluate::{Bin, Distribution, EvalError, Evaluator, Int, MissModel, WholeCurve};
use symloc_model::{LineChoice, Model, NamedSizes, RequestError};
use symloc_sim::{IntervalHistogram, SimError, Trace, WriteHistogram};

pub use distances::Distances;

/// The reason why there is nothing to compare.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// The model has no value at this size.
    #[error(transparent)]
    Model(#[from] EvalError),
    /// The model does not hold the requested data.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The trace cannot be measured.
    #[error(transparent)]
    Trace(#[from] SimError),
}

/// The extent of a comparison at one size, and the differences.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The number of accesses of the trace.
    pub accesses: u64,
    /// The number of distinct blocks.
    pub blocks: u64,
    /// The number of different reuse intervals.
    pub intervals: usize,
    /// The number of cache sizes with different misses by Denning's model.
    pub caches: usize,
    /// The numbers of distances, if the model holds them.
    pub distances: Option<Distances>,
    /// The miss models whose write-backs the model holds.
    pub write_backs: Vec<MissModel>,
    /// One line for each difference.
    pub differences: Vec<String>,
}

/// Returns the choice of a model's entry for a line size.
pub fn choice(model: &Model, line: Line) -> LineChoice {
    match line {
        Line::Bytes(bytes) if model.lines.len() > 1 => LineChoice::Bytes(bytes),
        _ => LineChoice::Only,
    }
}

/// Returns sizes by name, given in the order of the model's parameters.
pub fn named(model: &Model, sizes: &[i64]) -> NamedSizes {
    model.parameters.iter().cloned().zip(sizes.iter().copied()).collect()
}

/// Converts a histogram of the trace to the form of models.
pub fn bins(histogram: &BTreeMap<u64, u64>) -> Vec<Bin> {
    histogram.iter().map(|(value, count)| Bin { interval: Int::from(*value), count: Int::from(*count) }).collect()
}

/// Compares a model with a trace at the trace's `sizes`; the evaluator must be that of the trace's line size.
///
/// # Errors
///
/// [`VerifyError::Model`] if the model has no value at these sizes, [`VerifyError::Trace`] if the trace cannot be
/// measured.
pub fn compare(evaluator: &Evaluator<'_>, trace: &Trace<'_>, sizes: &NamedSizes) -> Result<Comparison, VerifyError> {
    let derived = evaluator.distribution(MissModel::Denning, sizes)?;
    let simulated = IntervalHistogram::of(trace)?;
    let expected = Distribution {
        miss_model: derived.miss_model,
        place: derived.place.clone(),
        accesses: Int::from(simulated.accesses),
        blocks: Int::from(simulated.blocks),
        distances: Vec::new(),
        real: bins(&simulated.real),
        imaginary: bins(&simulated.imaginary),
    };
    let mut found = Differences::default();
    found.differ("accesses", &derived.accesses, &expected.accesses);
    found.differ("blocks", &derived.blocks, &expected.blocks);
    found.differ_bins("real interval", &derived.real, &expected.real);
    found.differ_bins("imaginary interval", &derived.imaginary, &expected.imaginary);
    // Closed forms do not use the histogram, so they are compared separately.
    let queried = evaluator.predict(MissModel::Denning, sizes)?;
    let curve = WholeCurve::new(&expected, &expected);
    for step in curve.steps() {
        let what = format!("Denning misses in {} lines", step.blocks);
        found.differ(&what, &queried.misses(&step.blocks)?.total(), &step.misses.total());
    }
    if let (Some(derived), Some(counted)) = (evaluator.operations(sizes)?, trace.operations()) {
        found.differ("floating-point operations", &derived, &Int::from(counted));
    }
    accesses::compare(&mut found, evaluator, &queried, trace)?;
    let distances = distances::compare(&mut found, evaluator, &derived, sizes, trace)?;
    let write_backs = compare_writes(&mut found, evaluator, sizes, trace)?;
    Ok(Comparison {
        accesses: simulated.accesses,
        blocks: simulated.blocks,
        intervals: expected.real.len() + expected.imaginary.len(),
        caches: curve.steps().len(),
        distances,
        write_backs,
        differences: found.0,
    })
}

/// Compares the writes by their longest reuse; returns the miss models for which the model holds them.
fn compare_writes(
    found: &mut Differences,
    evaluator: &Evaluator<'_>,
    sizes: &NamedSizes,
    trace: &Trace<'_>,
) -> Result<Vec<MissModel>, VerifyError> {
    let mut compared = Vec::new();
    for miss_model in MissModel::ALL {
        let Some(derived) = evaluator.write_distribution(miss_model, sizes)? else { continue };
        let WriteHistogram { distances, intervals } = WriteHistogram::of(trace)?;
        let (kind, simulated) = match miss_model {
            MissModel::Denning => ("longest interval after writes", intervals),
            MissModel::Lru => ("longest distance after writes", distances),
        };
        found.differ_bins(kind, &derived, &bins(&simulated));
        compared.push(miss_model);
    }
    Ok(compared)
}

/// The differences, as text.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn differ(&mut self, what: &str, derived: &Int, simulated: &Int) {
        if derived != simulated {
            self.0.push(format!("{what}: derived {derived}, simulated {simulated}"));
        }
    }

    /// Compares two histograms, value by value.
    fn differ_bins(&mut self, kind: &str, derived: &[Bin], simulated: &[Bin]) {
        for (value, derived, simulated) in side_by_side(derived, simulated) {
            self.differ(&format!("{kind} {value}"), &derived, &simulated);
        }
    }
}

/// Returns each value that occurs in either histogram, with its count in each; the bins are in ascending order.
fn side_by_side<'b>(one: &'b [Bin], other: &'b [Bin]) -> impl Iterator<Item = (&'b Int, Int, Int)> {
    let mut values: Vec<_> = one.iter().chain(other).map(|bin| &bin.interval).collect();
    values.sort_unstable();
    values.dedup();
    let count = |bins: &[Bin], value: &Int| match bins.binary_search_by(|bin| bin.interval.cmp(value)) {
        Ok(index) => bins[index].count.clone(),
        Err(_) => Int::ZERO,
    };
    values.into_iter().map(move |value| (value, count(one, value), count(other, value)))
}
