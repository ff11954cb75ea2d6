//! Estimates the misses of set-associative caches: the probability of a hit at each distance ([`smith`](super::smith)), summed
//! over distances.
//!
//! Distances come from the model, as a histogram ([`misses`]) or in closed form; or, under Denning's model, from reuse intervals:
//! in the window that ends with a reuse of interval x there are s(x) blocks on average, its own included, so the distance is s(x)
//! − 1. With one set this is the rule s(x) ≤ C.
//!
//! With closed forms no histogram is needed, whatever the size of the program. Between two intervals x < y the probability falls
//! from P(s(x) − 1) to P(s(y) − 1), so the number of hits there lies between these two times the number of reuses, which closed
//! forms give. The range with the widest bounds is split, where a class begins or in the middle, until the gaps of all bounds sum
//! to less than 1/[`TOLERANCE`] of the accesses; half of the gap is counted.

use std::collections::BinaryHeap;

use symloc_quasi::Int;

use super::curve::Misses;
use super::prediction::{Prediction, Windowed};
use super::smith::{Sets, UNITS};
use crate::cumulative::{Below, Cumulative};
use crate::error::EvalError;

/// The summation may count 1/TOLERANCE of the accesses wrongly as hits or misses.
pub const TOLERANCE: i64 = 200_000;

/// Returns the misses for known distances, given as pairs of a distance, in blocks, and its number, and for a number of first
/// touches.
pub fn misses<'a>(distances: impl IntoIterator<Item = (&'a Int, &'a Int)>, first_touches: Int, cache: &Sets) -> Misses {
    let mut units = Int::ZERO;
    for (distance, count) in distances {
        units += &(count * &Int::from(UNITS - cache.hit_units(distance.to_f64())));
    }
    Misses { cold: first_touches, reuse: rounded(&units) }
}

/// Rounds units to a whole number.
fn rounded(units: &Int) -> Int {
    let half = Int::from(UNITS / 2);
    (units + &half).div_floor(&Int::from(UNITS)).unwrap_or(Int::ZERO)
}

/// An interval and the sums known there.
#[derive(Clone, Debug)]
struct IntervalPoint {
    x: Int,
    below: Below,
    /// The probability that a reuse of this interval hits, in [`UNITS`].
    hit: i64,
}

/// The real reuses with an interval in `(low, high]`.
struct ReuseRange {
    /// The gap between the bounds on misses, in [`UNITS`].
    open: Int,
    low: IntervalPoint,
    high: IntervalPoint,
}

impl ReuseRange {
    fn new(low: IntervalPoint, high: IntervalPoint) -> Self {
        let single = high.x == &low.x + &Int::from(1);
        let reuses = &high.below.real - &low.below.real;
        let open = if single { Int::ZERO } else { &reuses * &Int::from(low.hit - high.hit) };
        Self { open, low, high }
    }

    /// Returns the upper bound of the misses, in [`UNITS`].
    fn most(&self) -> Int {
        let reuses = &self.high.below.real - &self.low.below.real;
        &reuses * &Int::from(UNITS - self.high.hit)
    }
}

/// Orders ranges by their gap; among equal gaps the leftmost is split first, so that the result is deterministic.
impl Ord for ReuseRange {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.open.cmp(&other.open).then_with(|| other.low.x.cmp(&self.low.x))
    }
}

impl PartialOrd for ReuseRange {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ReuseRange {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for ReuseRange {}

impl Prediction {
    /// Returns an estimate of the misses of a set-associative LRU cache, by Smith's model over the reuse distances; where a reuse
    /// is judged by its interval, over working sets. With one set, returns those of [`Prediction::misses`].
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn misses_in_sets(&self, cache: &Sets) -> Result<Misses, EvalError> {
        if cache.sets() == 1 {
            return self.misses(&Int::from(cache.lines()));
        }
        // The position in the stack is one more than the distance.
        let by_place = |place: &Int, _: &Below| Ok(cache.hit_units(place.to_f64() - 1.0));
        let mut reuse = expected(&self.places.values, self.accesses(), &by_place)?;
        if let Some(Windowed { working_set, estimated }) = &self.windowed {
            // In the window that ends with the reuse, the working set is the average one.
            let by_interval = |x: &Int, all: &Below| cache.hit_units(working_set.mean(x, all) - 1.0);
            let all = &working_set.intervals.values;
            reuse += &match estimated {
                None => expected(all, self.accesses(), &|x, below| Ok(by_interval(x, below))),
                Some(reuses) => expected(&reuses.values, self.accesses(), &|x, _| Ok(by_interval(x, &all.below(x)?))),
            }?;
        }
        Ok(Misses { cold: self.blocks().clone(), reuse })
    }
}

/// Returns the expected misses among the real reuses in `values`, up to 1/[`TOLERANCE`] of all accesses. A reuse with the value x
/// hits with the probability `hit(x)`, which must not increase; `hit` is also given the sums up to x.
fn expected(
    values: &Cumulative,
    accesses: &Int,
    hit: &dyn Fn(&Int, &Below) -> Result<i64, EvalError>,
) -> Result<Int, EvalError> {
    let point = |x: Int| -> Result<IntervalPoint, EvalError> {
        let below = values.below(&x)?;
        Ok(IntervalPoint { hit: hit(&x, &below)?, x, below })
    };
    let mut ranges = BinaryHeap::from([ReuseRange::new(point(Int::ZERO)?, point(values.largest())?)]);
    let tolerated = (accesses * &Int::from(UNITS)).div_floor(&Int::from(TOLERANCE)).unwrap_or(Int::ZERO);
    let mut open = ranges.peek().map_or(Int::ZERO, |range| range.open.clone());
    while open > tolerated {
        let Some(range) = ranges.pop() else { break };
        let middle = point(middle(values, &range.low.x, &range.high.x))?;
        let parts = [ReuseRange::new(range.low, middle.clone()), ReuseRange::new(middle, range.high)];
        open = &(&open - &range.open) + &(&parts[0].open + &parts[1].open);
        ranges.extend(parts);
    }
    let most = ranges.iter().fold(Int::ZERO, |sum, range| &sum + &range.most());
    let half_open = open.div_floor(&Int::from(2)).unwrap_or(Int::ZERO);
    Ok(rounded(&(&most - &half_open)))
}

/// Returns a value strictly between `low` and `high`, if there is one: at a rung or just before it, or the middle.
fn middle(values: &Cumulative, low: &Int, high: &Int) -> Int {
    let one = Int::from(1);
    match values.rung_between(low, high) {
        Some(x) if x < *high => x,
        Some(x) if &x - &one > *low => &x - &one,
        _ => (low + high).div_floor(&Int::from(2)).unwrap_or(Int::ZERO),
    }
}
