//! The misses of set-associative caches: the chance of a hit at each distance ([`smith`](crate::smith)), summed over
//! distances.
//!
//! Distances come from a model of them, as a histogram ([`misses`]); or, under Denning's model, from reuse intervals: in
//! the window that ends with a reuse of interval x there are s(x) blocks on average, its own included, so the distance
//! is s(x) − 1. With one set this is the rule of [`denning`](crate::denning), s(x) ≤ C.
//!
//! Under Denning no histogram is needed, whatever the size of the program. Between two intervals x < y the chance falls
//! from P(s(x) − 1) to P(s(y) − 1), so the hits there lie between these two times the number of reuses, which closed
//! forms give. The range with the widest bounds is cut, where a class begins or in the middle, until all bounds together
//! leave less than [`TOLERANCE`] of the accesses open; half of what is open is counted.

use std::collections::BinaryHeap;

use symloc_quasi::Int;

use crate::denning::Misses;
use crate::locality::{Below, Locality};
use crate::smith::{Sets, UNITS};

/// 1/TOLERANCE of the accesses may be counted as hits or misses by mistake of the summation.
pub const TOLERANCE: i64 = 200_000;

/// The misses among reuses whose distances are known: pairs of a distance, in blocks, and its number; beside them so many
/// first touches.
pub fn misses<'a>(distances: impl IntoIterator<Item = (&'a Int, &'a Int)>, first_touches: Int, cache: &Sets) -> Misses {
    let mut units = Int::ZERO;
    for (distance, count) in distances {
        units += &(count * &Int::from(UNITS - cache.hit_units(float(distance))));
    }
    Misses { cold: first_touches, reuse: rounded(&units) }
}

fn float(value: &Int) -> f64 {
    value.to_i128().map_or_else(|| value.ratio(&Int::from(1)), |small| small as f64)
}

/// Units as a whole number.
fn rounded(units: &Int) -> Int {
    let half = Int::from(UNITS / 2);
    (units + &half).div_floor(&Int::from(UNITS)).unwrap_or(Int::ZERO)
}

/// An interval and what is known of it.
#[derive(Clone, Debug)]
struct Point {
    x: Int,
    below: Below,
    /// The chance that a reuse of this interval hits, in [`UNITS`].
    hit: i64,
}

/// The real reuses with an interval in `(low, high]`.
struct Range {
    /// What is open: the difference of the bounds on misses, in [`UNITS`].
    open: Int,
    low: Point,
    high: Point,
}

impl Range {
    fn new(low: Point, high: Point) -> Self {
        let single = high.x == &low.x + &Int::from(1);
        let reuses = &high.below.real - &low.below.real;
        let open = if single { Int::ZERO } else { &reuses * &Int::from(low.hit - high.hit) };
        Self { open, low, high }
    }

    /// Misses in [`UNITS`], if everything is as far away as it can be.
    fn most(&self) -> Int {
        let reuses = &self.high.below.real - &self.low.below.real;
        &reuses * &Int::from(UNITS - self.high.hit)
    }
}

/// By what is open; ranges that leave the same open are cut from the left, so that the result is always the same.
impl Ord for Range {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.open.cmp(&other.open).then_with(|| other.low.x.cmp(&self.low.x))
    }
}

impl PartialOrd for Range {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Range {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Range {}

impl Locality {
    /// The misses of a cache of sets, by Denning's model and Smith's: an estimate. With one set, those of
    /// [`Locality::misses`].
    pub fn misses_in_sets(&self, cache: &Sets) -> Misses {
        if cache.sets() == 1 {
            return self.misses(&Int::from(cache.lines()));
        }
        let last = self.longest();
        let (low, high) = (self.point(&Int::ZERO, cache), self.point(&last, cache));
        let mut ranges = BinaryHeap::from([Range::new(low, high)]);
        let tolerated = (self.accesses() * &Int::from(UNITS)).div_floor(&Int::from(TOLERANCE)).unwrap_or(Int::ZERO);
        let mut open = ranges.peek().map_or(Int::ZERO, |range| range.open.clone());
        while open > tolerated {
            let Some(range) = ranges.pop() else { break };
            let middle = self.point(&self.middle(&range.low.x, &range.high.x), cache);
            let parts = [Range::new(range.low, middle.clone()), Range::new(middle, range.high)];
            open = &(&open - &range.open) + &(&parts[0].open + &parts[1].open);
            ranges.extend(parts);
        }
        let most = ranges.iter().fold(Int::ZERO, |sum, range| &sum + &range.most());
        let half_open = open.div_floor(&Int::from(2)).unwrap_or(Int::ZERO);
        Misses { cold: self.blocks().clone(), reuse: rounded(&(&most - &half_open)) }
    }

    fn point(&self, x: &Int, cache: &Sets) -> Point {
        let below = self.below(x);
        let working_set = self.working_set(x, &below);
        let hit = cache.hit_units(quotient(&working_set, self.accesses()) - 1.0);
        Point { x: x.clone(), below, hit }
    }

    /// A point strictly between, if there is one: where something begins or just before, or the middle.
    fn middle(&self, low: &Int, high: &Int) -> Int {
        let one = Int::from(1);
        match self.breakpoint_between(low, high) {
            Some(x) if x < *high => x,
            Some(x) if &x - &one > *low => &x - &one,
            _ => (low + high).div_floor(&Int::from(2)).unwrap_or(Int::ZERO),
        }
    }
}

fn quotient(a: &Int, b: &Int) -> f64 {
    match (a.to_i128(), b.to_i128()) {
        (Some(a), Some(b)) => a as f64 / b as f64,
        _ => a.ratio(b),
    }
}
