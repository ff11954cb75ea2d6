//! A braid: stretches whose values alternate.
//!
//! Every residue of an iterator has a stretch of its own, and many classes have intervals that differ by a constant only. The
//! values of such stretches interleave, `v₁(t) ≤ v₂(t) ≤ … ≤ vₖ(t) ≤ v₁(t + 1)` for all t. Which of all their points are up to
//! x then takes one search over t and one over the strands, instead of a search in each stretch; for each strand there are
//! prefix sums over all points up to its own.

use symloc_quasi::{Int, Univariate, univariate};

use super::ramps::{LONGEST, Word};
use super::stretch::Stretch;
use super::{Parts, Sums, overlap};
use symloc_model::Kind;

/// Shorter stretches are taken point by point.
const SHORT: i128 = 8;
/// More stretches than these are left alone: to compare them takes longer than to search each.
const MANY: usize = 1 << 10;
/// Ends of stretches that were cut off are woven again so many times.
const ROUNDS: usize = 2;

/// Stretches of one length with interleaved values.
#[derive(Clone, Debug)]
pub(crate) struct Braid {
    length: i128,
    strands: Vec<Strand>,
    /// How high each strand is above the first, in machine words, if that is possible.
    heights: Option<Vec<Height>>,
}

#[derive(Clone, Debug)]
struct Strand {
    value: Univariate,
    /// Σ c and Σ v·c over the first t points of all strands, and point t of this one and those before it.
    counts: Univariate,
    weighted: Univariate,
}

/// A polynomial of degree 2 at most, by its differences at 0.
#[derive(Clone, Copy, Debug)]
struct Height([i64; 3]);

impl Height {
    /// `b(t) − a(t)`; `None` if it is of a higher degree, or too large somewhere in `0..length`.
    fn new(a: &Univariate, b: &Univariate, length: i128) -> Option<Self> {
        let points = 1 + a.degree().max(b.degree());
        let values: Vec<Int> = b.values(points).iter().zip(a.values(points)).map(|(b, a)| b - &a).collect();
        let (mut height, mut most) = ([0; 3], 1_i128);
        for (order, difference) in univariate::differences(&values).iter().enumerate() {
            if !difference.is_zero() {
                let difference = difference.to_i128()?;
                // All three together are between the bounds of a [`Word`].
                let fits = difference.checked_abs()?.checked_mul(most)? <= i128::from(i64::MAX / 16);
                *height.get_mut(order).filter(|_| fits)? = difference as i64;
            }
            most = most.saturating_mul(length);
        }
        (length <= LONGEST).then_some(Self(height))
    }

    #[inline]
    fn at(&self, t: i64) -> i64 {
        let Self([constant, slope, bend]) = self;
        constant + slope * t + bend * (t * (t - 1) / 2)
    }
}

impl Braid {
    fn new(length: i128, strands: Vec<Strand>) -> Self {
        let height = |strand: &Strand| Height::new(&strands[0].value, &strand.value, length);
        let heights = strands.iter().map(height).collect();
        Self { length, strands, heights }
    }

    /// The smallest value.
    pub(super) fn low(&self) -> Int {
        self.strands.first().map_or(Int::ZERO, |strand| strand.value.at(0))
    }

    /// The largest value.
    pub(super) fn high(&self) -> Int {
        self.strands.last().map_or(Int::ZERO, |strand| strand.value.at(self.length - 1))
    }

    /// The sums over all points.
    pub(super) fn total(&self) -> Sums {
        self.strands.last().map_or_else(Sums::default, |strand| strand.sums(self.length - 1))
    }

    /// Adds the points with values up to `x`.
    pub(super) fn add_up_to(&self, x: &Int, sums: &mut Sums) {
        let Some(first) = self.strands.first().map(|strand| &strand.value) else { return };
        let Some(t) = first.count_up_to(x, self.length).checked_sub(1).filter(|t| *t >= 0) else {
            return;
        };
        let strands = match &self.heights {
            Some(heights) => {
                let Word(room) = Word::from(&(x - &first.at(t)));
                heights.partition_point(|height| height.at(t as i64) <= room)
            }
            None => self.strands.partition_point(|strand| strand.value.is_up_to(t, x)),
        };
        if let Some(last) = strands.checked_sub(1) {
            sums.add(&self.strands[last].sums(t));
        }
    }
}

impl Strand {
    fn sums(&self, t: i128) -> Sums {
        Sums { count: self.counts.at(t), weighted: self.weighted.at(t) }
    }
}

/// Makes braids of stretches where that is possible.
pub(super) fn weave(kind: Kind, stretches: Vec<Stretch>, parts: &mut Parts) {
    let mut left = stretches;
    let rounds = if left.len() > MANY { 0 } else { ROUNDS };
    for _ in 0..rounds {
        left = round(kind, left, parts);
    }
    for stretch in left {
        match stretch.length() < SHORT {
            true => parts.points(kind, &stretch),
            false => parts.stretch(kind, stretch),
        }
    }
}

/// One round of weaving; returns what is left.
fn round(kind: Kind, stretches: Vec<Stretch>, parts: &mut Parts) -> Vec<Stretch> {
    let (long, mut left): (Vec<_>, Vec<_>) = stretches.into_iter().partition(|stretch| stretch.length() >= SHORT);
    let mut waiting: Vec<_> = long.into_iter().map(Waiting::new).collect();
    waiting.sort_by(|a, b| (&a.pitch, &a.low).cmp(&(&b.pitch, &b.low)));
    for group in waiting.chunk_by(|a, b| a.pitch == b.pitch) {
        let mut group: Vec<&Waiting> = group.iter().collect();
        while let Some(first) = group.first().copied() {
            let (near, others) = group.into_iter().partition(|other| first.overlaps(other));
            group = others;
            let (woven, refused) = Candidates::new(near).choose();
            match woven.strands.len() {
                0 | 1 => left.extend(woven.strands.iter().map(|strand| strand.stretch().clone())),
                _ => {
                    left.extend(woven.ends());
                    parts.braid(kind, woven.braid());
                }
            }
            // In the order in which they came.
            group.splice(0..0, refused);
        }
    }
    left
}

/// A stretch that may become a strand.
struct Waiting {
    stretch: Stretch,
    pitch: (usize, Int),
    low: Int,
    high: Int,
}

impl Waiting {
    fn new(stretch: Stretch) -> Self {
        Self { pitch: stretch.pitch(), low: stretch.low(), high: stretch.high(), stretch }
    }

    /// May they be side by side?
    fn overlaps(&self, other: &Self) -> bool {
        overlap((&self.low, &self.high), (&other.low, &other.high))
    }
}

/// A stretch from some point on.
#[derive(Clone, Copy)]
struct Tail<'s> {
    whole: &'s Waiting,
    skipped: i128,
}

impl Tail<'_> {
    fn stretch(&self) -> &Stretch {
        &self.whole.stretch
    }

    fn value(&self, t: i128) -> Int {
        self.stretch().value(self.skipped + t)
    }
}

/// Stretches, each from some point on, that may be a braid.
struct Candidates<'s> {
    /// By the value at the first point that counts.
    strands: Vec<Tail<'s>>,
    length: i128,
}

impl<'s> Candidates<'s> {
    fn new(stretches: Vec<&'s Waiting>) -> Self {
        let start = stretches.iter().map(|waiting| &waiting.low).max().cloned().unwrap_or(Int::ZERO);
        let strands = stretches.into_iter().map(|whole| Tail { whole, skipped: 0 }).collect();
        let mut candidates = Self { strands, length: 0 };
        candidates.align(&start);
        candidates
    }

    /// Lets all strands start at a value, and orders them.
    fn align(&mut self, start: &Int) {
        let below = start - &Int::from(1);
        for tail in &mut self.strands {
            tail.skipped = tail.stretch().points_up_to(&below);
        }
        self.strands.sort_by_cached_key(|tail| tail.value(0));
        self.length = self.strands.iter().map(|tail| tail.stretch().length() - tail.skipped).min().unwrap_or(0);
    }

    /// Those that interleave, and the others.
    fn choose(mut self) -> (Self, Vec<&'s Waiting>) {
        // Lines of one slope that start within one step alternate for ever.
        if self.strands.iter().all(|tail| tail.whole.pitch.0 == 1) {
            return (self, Vec::new());
        }
        // Steps of a parabola are short near its vertex: a later start may do.
        for _ in 0..2 {
            let late = self.latest_disorder();
            match self.strands.first().map(|first| first.value(late)) {
                Some(start) if late > 0 && late < self.length / 4 => self.align(&start),
                _ => break,
            }
        }
        let (mut chosen, mut refused): (Vec<Tail<'s>>, _) = (Vec::new(), Vec::new());
        for tail in std::mem::take(&mut self.strands) {
            let fits = match (chosen.first(), chosen.last()) {
                (Some(first), Some(last)) => {
                    ordered(last, &tail, 0, self.length) && ordered(&tail, first, 1, self.length - 1)
                }
                _ => true,
            };
            match fits {
                true => chosen.push(tail),
                false => refused.push(tail.whole),
            }
        }
        (Self { strands: chosen, length: self.length }, refused)
    }

    /// From where on all neighbours are in order that are in order at the end.
    fn latest_disorder(&self) -> i128 {
        let Some(first) = self.strands.first() else { return 0 };
        let neighbours = self.strands.windows(2).map(|pair| (&pair[0], &pair[1], 0));
        let around = self.strands.iter().map(|strand| (strand, first, 1));
        neighbours.chain(around).map(|(a, b, ahead)| disorder(a, b, ahead, self.length - ahead)).max().unwrap_or(0)
    }

    /// What remains of the stretches before the braid and after it.
    fn ends(&self) -> Vec<Stretch> {
        let ends = |tail: &Tail<'_>| {
            let (stretch, after) = (tail.stretch(), tail.skipped + self.length);
            let ends = [(0, tail.skipped), (after, stretch.length() - after)];
            ends.map(|(start, length)| (length > 0).then(|| stretch.slice(start, length)))
        };
        self.strands.iter().flat_map(ends).flatten().collect()
    }

    fn braid(&self) -> Braid {
        let values = self.strands.iter().map(|tail| tail.stretch().values().along(tail.skipped, 1));
        let counts = self.prefixes(Stretch::counts);
        let weighted = self.prefixes(Stretch::weighted);
        let strands = values.zip(counts).zip(weighted);
        let strands = strands.map(|((value, counts), weighted)| Strand { value, counts, weighted });
        Braid::new(self.length, strands.collect())
    }

    /// For each strand, the sum over the first t points of all strands and point t of this one and those before it, given the
    /// prefix sums of each stretch.
    fn prefixes(&self, sums: impl Fn(&Stretch) -> &Univariate) -> Vec<Univariate> {
        let samples = 1 + self.strands.iter().map(|tail| sums(tail.stretch()).degree()).max().unwrap_or(0);
        let sampled: Vec<Vec<Int>> = self
            .strands
            .iter()
            .map(|tail| (0..=samples).map(|t| sums(tail.stretch()).at(tail.skipped + t as i128)).collect())
            .collect();
        let start: Int = sampled.iter().fold(Int::ZERO, |sum, strand| &sum + &strand[0]);
        let mut current: Vec<Int> = (0..samples)
            .map(|t| sampled.iter().fold(Int::ZERO, |sum, strand| &sum + &strand[t]))
            .map(|sum| &sum - &start)
            .collect();
        let mut prefixes = Vec::with_capacity(sampled.len());
        for strand in &sampled {
            for (t, sum) in current.iter_mut().enumerate() {
                *sum += &(&strand[t + 1] - &strand[t]);
            }
            prefixes.push(Univariate::through(&current));
        }
        prefixes
    }
}

/// `b(t + ahead) − a(t)`
fn difference(a: &Tail<'_>, b: &Tail<'_>, ahead: i128) -> Univariate {
    let points = 0..=a.whole.pitch.0.max(b.whole.pitch.0) as i128;
    let values: Vec<Int> = points.map(|t| &b.value(ahead + t) - &a.value(t)).collect();
    Univariate::through(&values)
}

/// Is `a(t) ≤ b(t + ahead)` for all t below a length?
fn ordered(a: &Tail<'_>, b: &Tail<'_>, ahead: i128, length: i128) -> bool {
    length <= 0 || !difference(a, b, ahead).range(length).0.is_negative()
}

/// The first t from which on `a(t) ≤ b(t + ahead)`, if the difference is affine and this holds at the end; else 0.
fn disorder(a: &Tail<'_>, b: &Tail<'_>, ahead: i128, length: i128) -> i128 {
    let difference = difference(a, b, ahead);
    if length <= 0 || difference.degree() > 1 || difference.at(length - 1).is_negative() {
        return 0;
    }
    difference.crossing(&Int::from(-1), 0, length, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Heights that are all right one by one may add up to more than a word takes for itself.
    #[test]
    fn strands_far_above_the_first() {
        let affine = |constant: i128, slope: i128| Univariate::from_differences(&[constant.into(), slope.into()]);
        for high in [1_i128 << 40, 1 << 58, 1 << 60] {
            let values = [affine(0, 16 * high), affine(high, 16 * high + high / 2)];
            let strand = |value: &Univariate, place| Strand {
                value: value.clone(),
                counts: affine(place, 2),
                weighted: Univariate::from_differences(&[]),
            };
            let braid = Braid::new(3, vec![strand(&values[0], 1), strand(&values[1], 2)]);
            for (t, value) in (0..3).flat_map(|t| values.each_ref().map(|value| (t, value.at(t)))) {
                for (x, missing) in [(&value - &Int::from(1), 1), (value.clone(), 0)] {
                    let mut sums = Sums::default();
                    braid.add_up_to(&x, &mut sums);
                    let place = if value == values[0].at(t) { 1 } else { 2 };
                    assert_eq!(sums.count, Int::from(2 * t + place - missing), "{high} {t} {x}");
                }
            }
        }
    }
}
