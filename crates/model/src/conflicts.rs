//! The misses of set-associative caches: the chance of a hit at each distance ([`smith`](crate::smith)), summed over
//! distances.
//!
//! Distances come from reuse distances ([`Lru`](crate::Lru)); or, under Denning's model, from reuse intervals: in the
//! window that ends with a reuse of interval x there are s(x) blocks on average, its own included, so the distance is
//! s(x) − 1. With one set these are the rules of [`lru`](crate::lru) and [`denning`](crate::denning).
//!
//! No histogram is needed, whatever the size of the program. Between two values x < y, intervals or distances, the chance
//! falls from P(x) to P(y), so the hits there lie between these two times the number of reuses, which closed
//! forms give. The range with the widest bounds is cut, where a class begins or in the middle, until all bounds together
//! leave less than [`TOLERANCE`] of the accesses open; half of what is open is counted.

use std::collections::BinaryHeap;

use symloc_quasi::Int;

use crate::denning::Misses;
use crate::locality::{Below, Locality};
use crate::smith::{Sets, UNITS};

/// 1/TOLERANCE of the accesses may be counted as hits or misses by mistake of the summation.
pub const TOLERANCE: i64 = 200_000;

/// Units as a whole number.
pub(crate) fn rounded(units: &Int) -> Int {
    let half = Int::from(UNITS / 2);
    (units + &half).div_floor(&Int::from(UNITS)).unwrap_or(Int::ZERO)
}

/// A value, and what is known of it.
#[derive(Clone, Debug)]
struct Point {
    x: Int,
    below: Below,
    /// The chance that a reuse with this value hits, in [`UNITS`].
    hit: i64,
}

/// The reuses with a value in `(low, high]`.
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
        let reuse = missing(self, &|x, below| self.chance(cache, x, below));
        Misses { cold: self.blocks().clone(), reuse: rounded(&reuse) }
    }

    /// The chance that a reuse of interval `x` hits, in [`UNITS`]; `below` is what lies up to `x`.
    pub(crate) fn chance(&self, cache: &Sets, x: &Int, below: &Below) -> i64 {
        let working_set = self.working_set(x, below);
        cache.hit_units(quotient(&working_set, self.accesses()) - 1.0)
    }
}

/// How many real reuses miss, in [`UNITS`], if those with a value x hit with this chance, which must not grow with x.
pub(crate) fn missing(values: &Locality, chance: &dyn Fn(&Int, &Below) -> i64) -> Int {
    let point = |x: Int| {
        let below = values.below(&x);
        Point { hit: chance(&x, &below), x, below }
    };
    let mut ranges = BinaryHeap::from([Range::new(point(Int::ZERO), point(values.longest()))]);
    let tolerated = (values.accesses() * &Int::from(UNITS)).div_floor(&Int::from(TOLERANCE)).unwrap_or(Int::ZERO);
    let mut open = ranges.peek().map_or(Int::ZERO, |range| range.open.clone());
    while open > tolerated {
        let Some(range) = ranges.pop() else { break };
        let middle = point(middle(values, &range.low.x, &range.high.x));
        let parts = [Range::new(range.low, middle.clone()), Range::new(middle, range.high)];
        open = &(&open - &range.open) + &(&parts[0].open + &parts[1].open);
        ranges.extend(parts);
    }
    let most = ranges.iter().fold(Int::ZERO, |sum, range| &sum + &range.most());
    let half_open = open.div_floor(&Int::from(2)).unwrap_or(Int::ZERO);
    &most - &half_open
}

/// A point strictly between, if there is one: where something begins or just before, or the middle.
fn middle(values: &Locality, low: &Int, high: &Int) -> Int {
    let one = Int::from(1);
    match values.breakpoint_between(low, high) {
        Some(x) if x < *high => x,
        Some(x) if &x - &one > *low => &x - &one,
        _ => (low + high).div_floor(&Int::from(2)).unwrap_or(Int::ZERO),
    }
}

/// In floating point.
pub(crate) fn quotient(a: &Int, b: &Int) -> f64 {
    match (a.to_i128(), b.to_i128()) {
        (Some(a), Some(b)) => a as f64 / b as f64,
        _ => a.ratio(b),
    }
}
