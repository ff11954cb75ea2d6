//! Compares reuse distances, and the LRU misses that follow from them.

use std::collections::{BTreeMap, BTreeSet};

use symloc_evaluate::{Distribution, Evaluator, Int, MissModel, Prediction, WholeCurve};
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
    if !evaluator.has_distances() {
        return Ok(None);
    }
    let lru = evaluator.predict(MissModel::Lru, sizes)?;
    let derived = evaluator.distribution(MissModel::Lru, sizes)?;
    let simulated = DistanceHistogram::of(trace)?;
    let distances = Distances { known: simulated.distances.len(), estimated: derived.estimated() };
    if !distances.estimated.is_zero() {
        not_too_many(found, &derived, &simulated);
        return Ok(Some(distances));
    }
    found.differ_bins("distance", &derived.distances, &bins(&simulated.distances));
    let (known, simulated_known) = (evaluator.reuses(MissModel::Lru, sizes)?, places(reuses::distances(trace)?));
    compare_reuses(found, evaluator.model().outline()?, "places", &known, &simulated_known)?;
    let curve = WholeCurve::new(&derived, intervals);
    // LRU misses change at the end of a distance: exactly there, and one line before.
    let caches = simulated.distances.keys().flat_map(|distance| [*distance, distance + 1]);
    for lines in caches.collect::<BTreeSet<_>>() {
        let (blocks, misses) = (Int::from(lines), Int::from(simulated.misses(lines)));
        found.differ(&format!("LRU misses in {lines} lines"), &lru.misses(&blocks)?.total(), &misses);
        let on_curve = curve.misses(&blocks).total();
        found.differ(&format!("LRU misses in {lines} lines, on the curve"), &on_curve, &misses);
    }
    by_access(found, evaluator, &lru, trace)?;
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
    lru: &Prediction,
    trace: &Trace<'_>,
) -> Result<(), VerifyError> {
    let attribution = evaluator.attribution(lru)?;
    let simulated = DistanceHistogram::by_access(trace)?;
    let caches: BTreeSet<u64> = simulated.iter().flat_map(|own| own.distances.keys()).map(|d| d + 1).collect();
    let program = evaluator.model().outline()?;
    let misses = caches.iter().map(|lines| attribution.misses(&Int::from(*lines))).collect::<Result<Vec<_>, _>>()?;
    for (index, (access, own)) in program.accesses.iter().zip(&simulated).enumerate() {
        let place = access.place(program);
        for (lines, misses) in caches.iter().zip(&misses) {
            let (derived, simulated) = (misses[index].total(), Int::from(own.misses(*lines)));
            found.differ(&format!("{place}: LRU misses in {lines} lines"), &derived, &simulated);
        }
    }
    Ok(())
}

fn not_too_many(found: &mut Differences, derived: &Distribution, simulated: &DistanceHistogram) {
    for (distance, derived, simulated) in side_by_side(&derived.distances, &bins(&simulated.distances)) {
        if derived > simulated {
            found.differ(&format!("distance {distance}"), &derived, &simulated);
        }
    }
}
