//! Compares reuse distances, and the LRU misses that follow from them.

use std::collections::{BTreeMap, BTreeSet};

use symloc_evaluate::{DistanceDistribution, Distribution, Evaluator, Int, Lru, Step};
use symloc_model::NamedSizes;
use symloc_sim::{ByReuse, DistanceHistogram, Trace, reuses};

use crate::accesses::compare_reuses;
use crate::{Differences, VerifyError, bins, side_by_side};

/// The numbers of distances that were compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distances {
    /// The number of different distances in the trace.
    pub known: usize,
    /// The number of reuses that the model estimates. If there are any, its distances cannot be the trace's, and only the known
    /// ones are compared: there must be no more of them than in the trace.
    pub estimated: Int,
}

/// Compares the histogram of distances, and the LRU misses of all caches, in closed form and from the curve; `None` if the model
/// holds no distances. `intervals` are the model's, at the same size.
pub(crate) fn compare(
    found: &mut Differences,
    evaluator: &Evaluator<'_>,
    intervals: &Distribution,
    sizes: &NamedSizes,
    trace: &Trace<'_>,
) -> Result<Option<Distances>, VerifyError> {
    let (Some(derived), Some(lru)) = (evaluator.distances(sizes)?, evaluator.lru(sizes)?) else { return Ok(None) };
    let simulated = DistanceHistogram::of(trace)?;
    let distances = Distances { known: simulated.distances.len(), estimated: derived.estimated() };
    if !distances.estimated.is_zero() {
        not_too_many(found, &derived, &simulated);
        return Ok(Some(distances));
    }
    found.differ_bins("distance", &derived.distances, &bins(&simulated.distances));
    if let Some(derived) = evaluator.reuses_by_place(sizes)? {
        compare_reuses(found, evaluator.model().outline()?, "places", &derived, &places(reuses::distances(trace)?))?;
    }
    let curve = derived.curve(intervals);
    // LRU misses change at the end of a distance: exactly there, and one line before.
    let caches = simulated.distances.keys().flat_map(|distance| [*distance, distance + 1]);
    for lines in caches.collect::<BTreeSet<_>>() {
        let (blocks, misses) = (Int::from(lines), Int::from(simulated.misses(lines)));
        found.differ(&format!("LRU misses in {lines} lines"), &lru.misses(&blocks)?.total(), &misses);
        let step = curve.iter().rev().find(|step| step.blocks <= blocks);
        let step = step.map_or(Int::ZERO, |step: &Step| step.misses.total());
        found.differ(&format!("LRU misses in {lines} lines, on the curve"), &step, &misses);
    }
    by_access(found, evaluator, &lru, sizes, trace)?;
    Ok(Some(distances))
}

/// Converts distances to positions in the LRU stack, which are greater by one.
fn places(distances: ByReuse) -> ByReuse {
    let place = |histogram: BTreeMap<u64, u64>| histogram.into_iter().map(|(distance, count)| (distance + 1, count));
    distances.into_iter().map(|(reuse, histogram)| (reuse, place(histogram).collect())).collect()
}

/// Compares the LRU misses of each access, in every cache in which they can change.
fn by_access(
    found: &mut Differences,
    evaluator: &Evaluator<'_>,
    lru: &Lru,
    sizes: &NamedSizes,
    trace: &Trace<'_>,
) -> Result<(), VerifyError> {
    let Some(attribution) = evaluator.lru_attribution(sizes)? else { return Ok(()) };
    let simulated = DistanceHistogram::by_access(trace)?;
    let caches: BTreeSet<u64> = simulated.iter().flat_map(|own| own.distances.keys()).map(|d| d + 1).collect();
    let program = evaluator.model().outline()?;
    let windows = caches.iter().map(|lines| lru.window(&Int::from(*lines))).collect::<Result<Vec<_>, _>>()?;
    for ((access, share), own) in program.accesses.iter().zip(attribution.shares()).zip(&simulated) {
        let place = access.place(program);
        for (lines, window) in caches.iter().zip(&windows) {
            let derived = share.misses(&Int::from(*lines), window.as_ref())?.total();
            found.differ(&format!("{place}: LRU misses in {lines} lines"), &derived, &Int::from(own.misses(*lines)));
        }
    }
    Ok(())
}

fn not_too_many(found: &mut Differences, derived: &DistanceDistribution, simulated: &DistanceHistogram) {
    for (distance, derived, simulated) in side_by_side(&derived.distances, &bins(&simulated.distances)) {
        if derived > simulated {
            found.differ(&format!("distance {distance}"), &derived, &simulated);
        }
    }
}
