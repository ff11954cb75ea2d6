//! Predicts the profile of a model at one size, and measures the time.

use symloc_evaluate::misses::conflicts::{self, TOLERANCE};
use symloc_evaluate::{Bin, Distribution, Evaluator, Int, MissModel, Sets};
use symloc_model::NamedSizes;

use super::simulate::Simulated;
use super::{CACHES, LINE_BYTES, WAYS};
use crate::BoxedError;
use crate::child::cpu;

/// The largest number of measurements for a median, and the seconds that they may take together.
const REPETITIONS: usize = 15;
const PATIENCE: f64 = 0.3;
/// The number of differences that an error lists.
const LISTED: usize = 3;

/// The profile at one size, by a model.
pub(crate) struct Predicted {
    pub(crate) histogram: Distribution,
    /// Misses in each of [`CACHES`].
    pub(crate) misses: Vec<PredictedMisses>,
    /// Processor time for all bins.
    pub(crate) histogram_seconds: f64,
    /// Processor time for the misses, in closed form.
    pub(crate) misses_seconds: f64,
}

/// The misses of one cache.
#[derive(Clone, Debug)]
pub(crate) struct PredictedMisses {
    /// Misses with [`WAYS`] ways, by Smith's formula summed over the histogram.
    pub(crate) sdcm: Int,
    /// Misses by Smith's formula, as `query` finds them without a histogram.
    queried: Int,
    /// Misses of fully associative LRU.
    pub(crate) lru: Int,
}

/// Predicts the profile at one size.
pub(crate) fn predict(evaluator: &Evaluator<'_>, sizes: &NamedSizes) -> Result<Predicted, BoxedError> {
    let (histogram, histogram_seconds) = timed(|| Ok(evaluator.distribution(MissModel::Lru, sizes)?))?;
    let (queried, misses_seconds) = timed(|| query(evaluator, sizes))?;
    let misses = queried.into_iter().zip(CACHES).map(|((lru, queried), bytes)| {
        let distances = histogram.distances.iter().map(|bin| (&bin.interval, &bin.count));
        let sdcm = conflicts::misses(distances, histogram.blocks.clone(), &sets(bytes)?).total();
        Ok(PredictedMisses { sdcm, queried, lru })
    });
    let misses = misses.collect::<Result<_, BoxedError>>()?;
    Ok(Predicted { histogram, misses, histogram_seconds, misses_seconds })
}

/// Returns the misses of each cache, fully associative and in sets.
fn query(evaluator: &Evaluator<'_>, sizes: &NamedSizes) -> Result<Vec<(Int, Int)>, BoxedError> {
    let lru = evaluator.predict(MissModel::Lru, sizes)?;
    let misses = |bytes: u64| {
        let full = lru.misses(&Int::from(bytes / LINE_BYTES))?.total();
        Ok((full, lru.misses_in_sets(&sets(bytes)?)?.total()))
    };
    CACHES.into_iter().map(misses).collect()
}

fn sets(bytes: u64) -> Result<Sets, BoxedError> {
    Ok(Sets::new(bytes / LINE_BYTES, WAYS).ok_or_else(|| format!("{bytes} bytes are no whole sets"))?)
}

/// Returns a result, with the median of the processor time of some calls.
fn timed<T>(compute: impl Fn() -> Result<T, BoxedError>) -> Result<(T, f64), BoxedError> {
    let mut times = Vec::new();
    loop {
        let start = cpu();
        let found = compute()?;
        times.push((cpu() - start).as_secs_f64());
        if times.len() == REPETITIONS || times.iter().sum::<f64>() > PATIENCE {
            times.sort_by(f64::total_cmp);
            return Ok((found, times[times.len() / 2]));
        }
    }
}

impl Predicted {
    /// Checks that all data equal those of the trace, and that both ways to Smith's misses agree.
    pub(crate) fn check(&self, simulated: &Simulated) -> Result<(), BoxedError> {
        let mut wrong = self.histogram_differences(simulated);
        for (misses, bytes) in self.misses.iter().zip(CACHES) {
            wrong.extend(misses.differences(bytes, simulated));
        }
        let listed = wrong.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join("; ");
        if wrong.is_empty() { Ok(()) } else { Err(format!("{} differences: {listed}", wrong.len()).into()) }
    }

    fn histogram_differences(&self, simulated: &Simulated) -> Vec<String> {
        let Distribution { accesses, blocks, distances, .. } = &self.histogram;
        let totals = [
            difference("estimated distances", &self.histogram.estimated(), 0),
            difference("accesses", accesses, simulated.accesses),
            difference("first touches", blocks, simulated.first_touches),
        ];
        let mut traced = simulated.distances.clone();
        let bin = |bin: &Bin| {
            let count = bin.interval.to_i128().and_then(|distance| traced.remove(&u64::try_from(distance).ok()?));
            difference(&format!("distance {}", bin.interval), &bin.count, count.unwrap_or(0))
        };
        let mut wrong: Vec<String> = totals.into_iter().chain(distances.iter().map(bin)).flatten().collect();
        let left =
            traced.iter().map(|(distance, count)| format!("distance {distance}: not derived, simulated {count}"));
        wrong.extend(left);
        wrong
    }
}

impl PredictedMisses {
    fn differences(&self, bytes: u64, simulated: &Simulated) -> Vec<String> {
        let longer = simulated.distances.range(bytes / LINE_BYTES..).map(|(_, count)| count).sum::<u64>();
        let lru = difference(&format!("LRU misses in {bytes} bytes"), &self.lru, simulated.first_touches + longer);
        let open = (&self.sdcm - &self.queried).to_f64().abs();
        let far = open > 1.0 + simulated.accesses as f64 / TOLERANCE as f64;
        let sdcm = far.then(|| format!("SDCM in {bytes} bytes: {} by bins, {} queried", self.sdcm, self.queried));
        lru.into_iter().chain(sdcm).collect()
    }
}

fn difference(what: &str, derived: &Int, simulated: u64) -> Option<String> {
    (*derived != Int::from(simulated)).then(|| format!("{what}: derived {derived}, simulated {simulated}"))
}
