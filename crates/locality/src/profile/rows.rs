//! The rows of a profile, computed from the parts of all classes.

use num_traits::{One, Signed, Zero};
use symloc_model::{IntervalKind, Reuse};
use symloc_quasi::{Poly, Quotient, Rational};

use crate::class::Class;
use crate::error::LocalityError;
use crate::limit::item::{Item, KnownItems, RankedInterval, at_ones};
use crate::measure::Measure;
use crate::profile::{Row, add, at_equal_sizes};
use crate::scale::{Direction, flat};

/// All classes in the limit.
pub(super) struct LimitClasses {
    direction: Direction,
    pub(super) accesses: Poly,
    pub(super) blocks: Poly,
    measure: Measure,
    /// The items by ascending least interval.
    items: Vec<Item>,
}

impl LimitClasses {
    pub(super) fn new(
        classes: &[Class],
        [accesses, blocks]: [Poly; 2],
        direction: Direction,
        measure: Measure,
        known: &mut KnownItems,
    ) -> Result<Self, LocalityError> {
        let leading = |poly: &Poly| direction.scales.leading(&flat(poly));
        let ((_, accesses), (least, blocks)) = (leading(&accesses), leading(&blocks));
        let mut items = Vec::new();
        for class in classes {
            items.extend(known.items(class, &direction, least)?);
        }
        items.sort_by(|a, b| a.least.rank.cmp(&b.least.rank));
        // A class whose place has no volume may have held all of the accesses.
        let real = items.iter().filter(|item| item.part.kind == IntervalKind::Real);
        let found = real.fold(blocks.clone(), |sum, item| &sum + &item.count);
        if leading(&found).1 != accesses {
            return Err(LocalityError::NoLimit);
        }
        Ok(Self { accesses, blocks, direction, measure, items })
    }

    /// Returns the rows, those of the largest order first, and their number. Classes of a lower order matter after those. `None` if the
    /// rank of an end among the intervals is not known.
    pub(super) fn rows(&self) -> Option<(Vec<Row>, usize)> {
        let mut left: Vec<&Item> = self.items.iter().filter(|item| item.part.kind == IntervalKind::Real).collect();
        let mut rows: Vec<Row> = Vec::new();
        let mut first = None;
        while let Some(order) = left.iter().map(|item| item.order).max() {
            let leading: Vec<&Item> = left.iter().filter(|item| item.order == order).copied().collect();
            for group in joined(&leading) {
                let Some(last) = group.iter().map(|item| &item.greatest).max_by(|a, b| a.rank.cmp(&b.rank)) else {
                    continue;
                };
                let before = self.ratio(&left);
                left.retain(|item| item.greatest.rank > last.rank);
                let after = self.ratio(&left);
                if before != after {
                    let cache = [self.cache(&group[0].least)?, self.cache(last)?];
                    let half = if cache[0] == cache[1] { None } else { Some(self.half(&group, last, &cache)?) };
                    let middle = half.map(|half| self.between(&before, &after, half));
                    let interval = [self.interval(&group[0].least), self.interval(last)];
                    let count = group.iter().fold(Poly::zero(), |sum, item| &sum + &item.count);
                    let portion = Quotient::new(self.leading(&count), self.accesses.clone())?;
                    let (miss_ratio, reuses) = ([before, after], shares(&group));
                    rows.push(Row { interval, portion, cache, miss_ratio, middle, reuses });
                }
            }
            left.retain(|item| item.order != order);
            rows = merged(rows);
            first.get_or_insert(rows.len());
        }
        let leading = first.unwrap_or(0).min(rows.len());
        Some((rows, leading))
    }

    /// Returns the interval at an end, or the distance of an access at this place in the stack.
    fn interval(&self, end: &RankedInterval) -> Quotient {
        let first = self.measure == Measure::Places && end.rank.0 == 0;
        if first { &end.value - &Quotient::from(Poly::one()) } else { end.value.clone() }
    }

    /// Returns the leading term of a number.
    pub(super) fn leading(&self, poly: &Poly) -> Poly {
        self.direction.scales.leading(&flat(poly)).1
    }

    /// Returns the miss ratio when these reuses still miss.
    fn ratio(&self, reuses: &[&Item]) -> Quotient {
        let reuses = reuses.iter().fold(Poly::zero(), |sum, item| &sum + &item.count);
        let misses = self.direction.scales.leading(&(&self.blocks + &reuses)).1;
        Quotient::new(misses, self.accesses.clone()).unwrap_or_else(|| Quotient::from(Poly::one()))
    }

    /// Returns the cache from which on intervals up to this one hit.
    fn cache(&self, end: &RankedInterval) -> Option<Quotient> {
        if self.measure == Measure::Places || end.value.is_zero() {
            return Some(end.value.clone());
        }
        let (mut below, mut longer) = (Poly::zero(), Poly::zero());
        for item in &self.items {
            let (sum, count) = item.split(end)?;
            below = &below + &sum;
            longer = &longer + &count;
        }
        let (x, unit) = (end.value.numerator(), end.value.denominator());
        let leading = self.direction.scales.leading(&(&(&below * unit) + &(x * &longer))).1;
        Quotient::new(leading, &self.accesses * unit)
    }

    /// Returns the leading term of the ratio between two others, given the share of the way that is left from the first to the second.
    fn between(&self, before: &Quotient, after: &Quotient, left: Rational) -> Quotient {
        let ratio = after + &(&(before - after) * &Quotient::from(Poly::constant(left)));
        let [numerator, denominator] = [ratio.numerator(), ratio.denominator()].map(|poly| self.leading(poly));
        Quotient::new(numerator, denominator).unwrap_or(ratio)
    }

    /// Returns the share of a row's accesses that still misses in a cache half way between its ends, where all sizes are equal.
    fn half(&self, group: &[&Item], last: &RankedInterval, [from, to]: &[Quotient; 2]) -> Option<Rational> {
        let (start, (end, degree)) = (at_equal_sizes(from), at_equal_sizes(to));
        let start = if start.1 == degree { start.0 } else { Rational::zero() };
        let target = (start + end) / Rational::from_integer(2.into());
        let end = last.scaled(&match self.measure {
            Measure::Places => &target / last.at_ones(),
            Measure::Intervals => self.reaching(&target, degree, last)?,
        });
        let (mut late, mut all) = (Rational::zero(), Rational::zero());
        for item in group {
            let count = at_ones(&item.count);
            late += &count * (Rational::one() - item.below(&end)?.count);
            all += count;
        }
        all.is_positive().then(|| rounded(late / all))
    }

    /// Returns the fraction of an end for which the cache is as large as this.
    fn reaching(&self, target: &Rational, degree: i64, end: &RankedInterval) -> Option<Rational> {
        let (mut low, mut high) = (Rational::zero(), Rational::one());
        for _ in 0..BISECTIONS {
            let middle = (&low + &high) / Rational::from_integer(2.into());
            let (cache, order) = at_equal_sizes(&self.cache(&end.scaled(&middle))?);
            if order == degree && cache > *target { high = middle } else { low = middle }
        }
        Some(low)
    }
}

/// Rounds a share to four digits, unless it is a short fraction.
fn rounded(share: Rational) -> Rational {
    let digits = Rational::from_integer(10_000.into());
    if share.denom() <= digits.numer() { share } else { (share * &digits).round() / digits }
}

/// The number of binary digits to which the middle of a row is found.
const BISECTIONS: u32 = 14;

/// Merges each row with the one before it if both end at the same cache.
fn merged(rows: Vec<Row>) -> Vec<Row> {
    let mut merged: Vec<Row> = Vec::new();
    for row in rows {
        match merged.last_mut() {
            Some(last) if last.cache[1] == row.cache[1] => last.join(row),
            _ => merged.push(row),
        }
    }
    merged
}

/// Groups items whose ranges overlap or meet, by ascending least interval.
fn joined<'i>(items: &[&'i Item]) -> Vec<Vec<&'i Item>> {
    let mut groups: Vec<(Vec<&Item>, (u64, Rational))> = Vec::new();
    for &item in items {
        match groups.last_mut() {
            Some((group, end)) if item.least.rank <= *end => {
                *end = end.clone().max(item.greatest.rank.clone());
                group.push(item);
            }
            _ => groups.push((vec![item], item.greatest.rank.clone())),
        }
    }
    groups.into_iter().map(|(group, _)| group).collect()
}

/// Returns the shares of a row, by reuse.
fn shares(group: &[&Item]) -> Vec<(Reuse, Rational)> {
    let mut shares: Vec<(Reuse, Rational)> = Vec::new();
    for item in group {
        let Some(reuse) = item.part.reuse else { continue };
        add(&mut shares, reuse, at_ones(&item.count));
    }
    let all: Rational = shares.iter().map(|(_, share)| share).sum();
    if all.is_positive() {
        shares.iter_mut().for_each(|(_, share)| *share /= &all);
    }
    shares.sort_by(|(_, a), (_, b)| b.cmp(a));
    shares
}
