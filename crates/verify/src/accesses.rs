//! Compares each access by itself, and each together with the one that touched the block before it.

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::AccessId;
use symloc_evaluate::{Evaluator, Int, MissModel, Prediction, Reuses};
use symloc_model::{Outline, Reuse};
use symloc_sim::{ByReuse, IntervalHistogram, Trace, reuses};

use crate::{Differences, VerifyError};

/// Compares the number of reuses of each access that are longer than `x`, for every interval x that occurs anywhere. This covers
/// the whole histogram of the access, and its misses in every cache.
pub(crate) fn compare(
    found: &mut Differences,
    evaluator: &Evaluator<'_>,
    prediction: &Prediction,
    trace: &Trace<'_>,
) -> Result<(), VerifyError> {
    let program = evaluator.model().outline()?;
    let attribution = evaluator.attribution(prediction)?;
    let simulated = IntervalHistogram::by_access(trace)?;
    let intervals: BTreeSet<u64> = simulated.iter().flat_map(|histogram| histogram.real.keys().copied()).collect();
    for (index, (access, histogram)) in program.accesses.iter().zip(&simulated).enumerate() {
        let (place, first_touches) = (access.place(program), attribution.first_touches(index));
        found.differ(&format!("{place}: accesses"), attribution.accesses(index), &Int::from(histogram.accesses));
        found.differ(&format!("{place}: first touches"), &first_touches, &Int::from(histogram.blocks));
        for x in &intervals {
            let longer: u64 = histogram.real.range(x + 1..).map(|(_, count)| count).sum();
            let derived = attribution.above(index, &Int::from(*x))?;
            found.differ(&format!("{place}: intervals above {x}"), &derived, &Int::from(longer));
        }
    }
    let derived = evaluator.reuses(MissModel::Denning, &prediction.place().sizes())?;
    compare_reuses(found, program, "intervals", &derived, &reuses::intervals(trace)?)
}

/// Compares the number of reuses between each two accesses with more than `x`, for every x that occurs anywhere.
pub(crate) fn compare_reuses(
    found: &mut Differences,
    program: &Outline,
    what: &str,
    derived: &BTreeMap<Reuse, Reuses>,
    simulated: &ByReuse,
) -> Result<(), VerifyError> {
    let id = |access: usize| AccessId(access as u32);
    let derived: BTreeMap<_, _> =
        derived.iter().filter_map(|(reuse, reuses)| Some(((id(reuse.previous?), id(reuse.access)), reuses))).collect();
    let values: BTreeSet<u64> = simulated.values().flat_map(BTreeMap::keys).copied().chain([0]).collect();
    let pairs: BTreeSet<_> = derived.keys().chain(simulated.keys()).collect();
    for pair in pairs {
        let [previous, access] = [pair.0, pair.1].map(|access| program.accesses[access.index()].place(program));
        for x in &values {
            let more = |histogram: &BTreeMap<u64, u64>| histogram.range(x + 1..).map(|(_, count)| count).sum();
            let simulated: u64 = simulated.get(pair).map_or(0, more);
            let derived = match derived.get(pair) {
                Some(reuses) => reuses.above(&Int::from(*x))?,
                None => Int::ZERO,
            };
            found.differ(&format!("{previous} -> {access}: {what} above {x}"), &derived, &Int::from(simulated));
        }
    }
    Ok(())
}
