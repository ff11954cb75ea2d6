//! Compares each access by itself, and each together with the one that touched the block before it.

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::AccessId;
use symloc_evaluate::{Attribution, Evaluator, Int, Share};
use symloc_model::{NamedSizes, Outline, Reuse};
use symloc_sim::{ByReuse, IntervalHistogram, Trace, reuses};

use crate::{Differences, VerifyError};

/// Compares the number of reuses of each access that are longer than `x`, for every interval x that occurs anywhere. This covers
/// the whole histogram of the access, and its misses in every cache.
pub(crate) fn compare(
    found: &mut Differences,
    evaluator: &Evaluator<'_>,
    sizes: &NamedSizes,
    trace: &Trace<'_>,
) -> Result<(), VerifyError> {
    let program = evaluator.model().outline()?;
    let attribution: Attribution = evaluator.attribution(sizes)?;
    let simulated = IntervalHistogram::by_access(trace)?;
    let intervals: BTreeSet<u64> = simulated.iter().flat_map(|histogram| histogram.real.keys().copied()).collect();
    for ((access, share), histogram) in program.accesses.iter().zip(attribution.shares()).zip(&simulated) {
        let place = access.place(program);
        found.differ(&format!("{place}: accesses"), share.accesses(), &Int::from(histogram.accesses));
        found.differ(&format!("{place}: first touches"), &share.first_touches(), &Int::from(histogram.blocks));
        for x in &intervals {
            let longer: u64 = histogram.real.range(x + 1..).map(|(_, count)| count).sum();
            let derived = share.misses(Some(&Int::from(*x)))?.reuse;
            found.differ(&format!("{place}: intervals above {x}"), &derived, &Int::from(longer));
        }
    }
    compare_reuses(found, program, "intervals", &evaluator.reuses(sizes)?, &reuses::intervals(trace)?)
}

/// Compares the number of reuses between each two accesses with more than `x`, for every x that occurs anywhere.
pub(crate) fn compare_reuses(
    found: &mut Differences,
    program: &Outline,
    what: &str,
    derived: &BTreeMap<Reuse, Share>,
    simulated: &ByReuse,
) -> Result<(), VerifyError> {
    let id = |access: usize| AccessId(access as u32);
    let derived: BTreeMap<_, _> =
        derived.iter().filter_map(|(reuse, share)| Some(((id(reuse.previous?), id(reuse.access)), share))).collect();
    let values: BTreeSet<u64> = simulated.values().flat_map(BTreeMap::keys).copied().chain([0]).collect();
    let pairs: BTreeSet<_> = derived.keys().chain(simulated.keys()).collect();
    for pair in pairs {
        let [previous, access] = [pair.0, pair.1].map(|access| program.accesses[access.index()].place(program));
        for x in &values {
            let more = |histogram: &BTreeMap<u64, u64>| histogram.range(x + 1..).map(|(_, count)| count).sum();
            let simulated: u64 = simulated.get(pair).map_or(0, more);
            let derived = match derived.get(pair) {
                Some(share) => share.misses(Some(&Int::from(*x)))?.reuse,
                None => Int::ZERO,
            };
            found.differ(&format!("{previous} -> {access}: {what} above {x}"), &derived, &Int::from(simulated));
        }
    }
    Ok(())
}
