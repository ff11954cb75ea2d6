//! The locality table (the paper's Table 1): Denning's recursion on formulas.
//!
//! At a reuse interval x, over all N accesses of an infinitely repeated run (the paper's section 4):
//!
//! ```text
//! portion      P(RI = x)
//! cold         P(imaginary RI ≤ x)
//! miss ratio   P(RI > x) + cold
//! cache        s(x) = Σ min(RI, x) / N
//! ```
//!
//! so in a fully associative cache of s(x) blocks the miss ratio is as the row says: first touches miss whatever their
//! imaginary interval. Each row has one x; real and imaginary classes of one value share it, since one distribution
//! has one portion at each value. A class with free iterators has a row for its range of intervals.
//!
//! Sums over all intervals up to x, or from x on, are enough: together they are N accesses, m of them imaginary, and
//! their intervals sum to N·m (RI sum invariance). So a class without a formula for its sum affects only the rows on
//! one side; values that cannot be known are left out.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use num_bigint::BigInt;
use symloc_model::IntervalKind;
use symloc_quasi::{Constraint, Poly, Quotient, Rational};

use crate::class::{Class, ClassExtent};
use crate::conditions::Conditions;
use crate::lines::Outward;
use crate::measure::Measure;
use crate::regime::Regime;
use crate::residue::Residues;

/// The locality of a program as formulas, in one regime.
#[derive(Clone, Debug)]
pub struct Table {
    /// The names of the parameters and of the line counts.
    pub parameters: Vec<String>,
    /// The context of the model.
    pub context: Vec<Constraint>,
    /// The sizes for which the table holds, by their residues.
    pub residues: Residues,
    /// The condition that distinguishes these residues from the model's others; empty if there are no others.
    pub distinction: String,
    /// The order of the parameters under which the rows ascend; empty for fewer than two.
    pub order: String,
    /// The conditions on the sizes beyond the context.
    pub conditions: Vec<Constraint>,
    /// N, the number of accesses.
    pub accesses: Poly,
    /// The number of floating-point operations, if the regime knows it.
    pub operations: Option<Poly>,
    /// The rows, by ascending reuse interval.
    pub rows: Vec<Row>,
    /// The substitution that writes line counts as plain fractions.
    pub(crate) flat: Outward,
}

/// The kinds of the accesses in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// Real reuses only.
    Real,
    /// First touches only.
    Imaginary,
    /// Both: a first touch has the same interval as some real reuse.
    Both,
}

/// One reuse interval, or the intervals of a class with free iterators.
#[derive(Clone, Debug)]
pub struct Row {
    /// The reuse interval, in the parameters and the row's iterators.
    pub interval: Poly,
    /// The reuse interval for readers: with n/b for ⌊n/b⌋ where n is a multiple of b.
    pub formula: Quotient,
    /// The kinds of its accesses.
    pub kind: RowKind,
    /// The names of the free iterators.
    pub iterators: Vec<String>,
    /// The domain of the iterators.
    pub domain: Vec<Constraint>,
    /// The portion of the row's accesses: P(RI = x), less the part that a row with iterators has at x. With iterators,
    /// the portion of the whole range. `None` if another row has the same interval at some residues of the sizes only.
    pub portion: Option<Quotient>,
    /// The miss ratio in a cache of `cache` blocks, first touches included.
    pub miss_ratio: Option<Quotient>,
    /// The portion of first touches that the recursion alone would not count as misses.
    pub cold: Option<Quotient>,
    /// s(x) in blocks.
    pub cache: Option<Quotient>,
    /// Floating-point operations per byte read by such a cache: the program's arithmetic intensity. `None` if the
    /// regime does not know the operations, or lines have no bytes.
    pub operations_per_byte: Option<Quotient>,
}

impl Table {
    /// Builds the table of a regime.
    pub fn new(regime: &Regime) -> Self {
        Self::of(regime, Measure::Intervals)
    }

    /// Builds the table of a regime of [LRU stack places](crate::stack_places): one row for each reuse distance, with
    /// the first cache in which its accesses hit, and the miss ratio of that cache. The table is exact. First touches
    /// have no row: they miss in every cache, and are the cold part everywhere.
    pub fn lru(regime: &Regime) -> Self {
        Self::of(regime, Measure::Places)
    }

    fn of(regime: &Regime, measure: Measure) -> Self {
        let mut conditions = regime.conditions.clone();
        let mut entries: Vec<RowDraft> = Vec::new();
        for (class, extent) in &regime.classes {
            match entries.iter_mut().find(|entry| entry.shares_row(class, regime)) {
                Some(entry) => entry.add(class, extent),
                None => entries.push(RowDraft::new(class, extent, regime)),
            }
        }
        entries.sort_by(|a, b| a.rank.cmp(&b.rank));
        let divides: Vec<_> = (0..entries.len()).map(|index| Divide::of(&entries, index, regime)).collect();
        let distinct: Vec<_> = (0..entries.len()).map(|index| is_distinct(&entries, index, regime)).collect();
        separate(&entries, &divides, &distinct, &mut conditions);
        let row = |((entry, divide), &distinct): ((&RowDraft, &Option<Divide>), &bool)| {
            entry.row(divide.as_ref(), distinct, regime, measure).outward(&regime.outward)
        };
        let rows = entries.iter().zip(&divides).zip(&distinct).map(row).collect();
        Self {
            parameters: regime.parameters.clone(),
            context: regime.context.clone(),
            residues: regime.conditions.residues().clone(),
            distinction: regime.distinction.clone(),
            order: order(regime),
            conditions: conditions.constraints().iter().map(|c| regime.outward.constraint(c)).collect(),
            accesses: regime.outward.poly(&regime.accesses),
            operations: regime.operations.as_ref().map(|operations| regime.outward.poly(operations)),
            rows,
            flat: regime.outward.flat(),
        }
    }
}

impl Row {
    /// Rewrites the row in the variables of the model.
    fn outward(self, outward: &Outward) -> Self {
        let quotient = |quotient: Option<Quotient>| quotient.map(|q| outward.quotient(&q));
        Self {
            interval: outward.poly(&self.interval),
            formula: outward.quotient(&self.formula),
            domain: self.domain.iter().map(|c| outward.constraint(c)).collect(),
            portion: quotient(self.portion),
            miss_ratio: quotient(self.miss_ratio),
            cold: quotient(self.cold),
            cache: quotient(self.cache),
            operations_per_byte: quotient(self.operations_per_byte),
            ..self
        }
    }
}

impl Table {
    /// Returns true if the table holds at a size, given as one value for each parameter and line count.
    pub fn holds_at(&self, size: &[BigInt]) -> bool {
        self.residues.contain(size) && self.context.iter().chain(&self.conditions).all(|c| c.holds_at(size))
    }
}

/// Returns the order of the sizes as text: `ni >= nj >= nk, all large and of like size`
fn order(regime: &Regime) -> String {
    let sizes = regime.order.iter().map(|&p| regime.outward.size(p));
    let names: Vec<_> = sizes.map(|p| regime.parameters[p].as_str()).collect();
    if names.len() < 2 { String::new() } else { format!("{}, all large and of like size", names.join(" >= ")) }
}

/// A row under construction.
struct RowDraft {
    value: Poly,
    iterators: Vec<String>,
    domain: Vec<Constraint>,
    /// The first and last interval.
    span: Option<(Poly, Poly)>,
    /// Their values at the sample; unknown ones come last.
    rank: Rank,
    real: Option<KindTotals>,
    imaginary: Option<KindTotals>,
}

/// The accesses of one kind in an entry: their number and the sum of their intervals.
#[derive(Clone)]
struct KindTotals {
    count: Option<Poly>,
    sum: Option<Poly>,
}

impl KindTotals {
    fn add(&self, other: &KindTotals) -> KindTotals {
        let both = |a: &Option<Poly>, b: &Option<Poly>| Some(a.as_ref()? + b.as_ref()?);
        KindTotals { count: both(&self.count, &other.count), sum: both(&self.sum, &other.sum) }
    }

    fn nothing() -> KindTotals {
        KindTotals { count: Some(Poly::zero()), sum: Some(Poly::zero()) }
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Known(Rational, Rational),
    Unknown,
}

impl RowDraft {
    fn new(class: &Class, extent: &ClassExtent, regime: &Regime) -> Self {
        let rank = match &extent.span {
            Some((first, last)) => Rank::Known(first.evaluate(&regime.sample), last.evaluate(&regime.sample)),
            None => Rank::Unknown,
        };
        let mut entry = Self {
            value: class.value.clone(),
            iterators: class.iterators.clone(),
            domain: class.domain.clone(),
            span: extent.span.clone(),
            rank,
            real: None,
            imaginary: None,
        };
        entry.add(class, extent);
        entry
    }

    fn add(&mut self, class: &Class, extent: &ClassExtent) {
        let part = KindTotals { count: extent.count.clone(), sum: extent.sum.clone() };
        let place = match class.kind {
            IntervalKind::Real => &mut self.real,
            IntervalKind::Imaginary => &mut self.imaginary,
        };
        *place = Some(place.as_ref().map_or(part.clone(), |present| present.add(&part)));
    }

    /// Returns true if the entry's interval equals the class's at all sizes.
    fn shares_row(&self, class: &Class, regime: &Regime) -> bool {
        let equal =
            || self.value == class.value || regime.signs(&(&self.value - &class.value)) == only(Ordering::Equal);
        self.iterators.is_empty() && class.iterators.is_empty() && equal()
    }

    fn total(&self) -> KindTotals {
        self.real.iter().chain(&self.imaginary).fold(KindTotals::nothing(), |sum, part| sum.add(part))
    }

    fn kind(&self) -> RowKind {
        match (&self.real, &self.imaginary) {
            (Some(_), Some(_)) => RowKind::Both,
            (None, Some(_)) => RowKind::Imaginary,
            (_, None) => RowKind::Real,
        }
    }

    /// Returns the side of x on which all intervals of the entry are, at all sizes; `Less` includes x itself.
    fn side(&self, x: &Poly, regime: &Regime) -> Option<Ordering> {
        let (first, last) = self.span.as_ref()?;
        if regime.signs(&(last - x)).is_some_and(|signs| !signs.contains(&Ordering::Greater)) {
            return Some(Ordering::Less);
        }
        (regime.signs(&(first - x)) == only(Ordering::Greater)).then_some(Ordering::Greater)
    }

    fn row(&self, divide: Option<&Divide>, distinct: bool, regime: &Regime, measured: Measure) -> Row {
        let portion = |count: Option<Poly>| Quotient::new(count?, regime.accesses.clone());
        let measures = divide.map(|divide| match measured {
            Measure::Intervals => Measures::new(divide, &self.value, regime),
            Measure::Places => Measures::in_stack(divide, &self.value, regime),
        });
        let misses = measures.as_ref().and_then(|measures| measures.misses.as_ref());
        let operations_per_byte = misses.and_then(|misses| intensity(misses, regime));
        let measure = |pick: fn(&Measures) -> &Option<Poly>| portion(measures.as_ref().and_then(|m| pick(m).clone()));
        let interval = match measured {
            Measure::Intervals => self.value.clone(),
            // The distance of an access at this place.
            Measure::Places => &self.value - &Poly::one(),
        };
        Row {
            formula: Quotient::from(interval.clone()),
            interval,
            kind: self.kind(),
            iterators: self.iterators.clone(),
            domain: self.domain.clone(),
            portion: portion(self.total().count.filter(|_| distinct)),
            miss_ratio: measure(|m| &m.misses),
            cold: measure(|m| &m.cold),
            cache: measure(|m| &m.working_set),
            operations_per_byte,
        }
    }
}

/// Returns the floating-point operations per byte read by so many misses.
fn intensity(misses: &Poly, regime: &Regime) -> Option<Quotient> {
    Quotient::new(regime.operations.clone()?, misses * regime.line_bytes.as_ref()?)
}

/// The sums on either side of an interval x that lies inside no range.
struct Divide {
    /// RI ≤ x.
    below: Sides,
    /// RI > x.
    above: Sides,
}

struct Sides {
    real: KindTotals,
    imaginary: KindTotals,
}

impl Sides {
    fn of<'e>(entries: impl Iterator<Item = &'e RowDraft> + Clone) -> Self {
        let sum = |part: fn(&RowDraft) -> &Option<KindTotals>| {
            entries.clone().filter_map(|e| part(e).as_ref()).fold(KindTotals::nothing(), |sum, part| sum.add(part))
        };
        Self { real: sum(|e| &e.real), imaginary: sum(|e| &e.imaginary) }
    }

    fn total(&self) -> KindTotals {
        self.real.add(&self.imaginary)
    }
}

impl Divide {
    fn of(entries: &[RowDraft], index: usize, regime: &Regime) -> Option<Self> {
        let entry = entries.get(index).filter(|entry| entry.iterators.is_empty())?;
        let sides: Vec<_> = entries.iter().map(|other| other.side(&entry.value, regime)).collect::<Option<_>>()?;
        let on = |wanted: Ordering| {
            let pairs = entries.iter().zip(&sides);
            pairs.filter(move |(_, side)| **side == wanted).map(|(other, _)| other)
        };
        Some(Self { below: Sides::of(on(Ordering::Less)), above: Sides::of(on(Ordering::Greater)) })
    }
}

/// The columns of a row, times N.
struct Measures {
    misses: Option<Poly>,
    cold: Option<Poly>,
    working_set: Option<Poly>,
}

impl Measures {
    fn new(divide: &Divide, x: &Poly, regime: &Regime) -> Self {
        let (accesses, blocks) = (&regime.accesses, &regime.blocks);
        let (below, above) = (divide.below.total(), divide.above.total());
        let rest = |whole: &Poly, part: &Option<Poly>| part.as_ref().map(|part| whole - part);
        let reuses = accesses - blocks;
        let real_above = divide.above.real.count.clone().or_else(|| rest(&reuses, &divide.below.real.count));
        let cold = divide.below.imaginary.count.clone().or_else(|| rest(blocks, &divide.above.imaginary.count));
        let longer = above.count.clone().or_else(|| rest(accesses, &below.count));
        let shorter = below.sum.clone().or_else(|| rest(&(accesses * blocks), &above.sum));
        let working_set = shorter.zip(longer).map(|(sum, longer)| &sum + &(x * &longer));
        // Every first touch misses, and so does every longer reuse.
        Self { misses: real_above.map(|reuses| &reuses + blocks), cold, working_set }
    }

    /// Returns the columns for a cache of x blocks: every reuse from further down the stack misses, and every first
    /// touch.
    fn in_stack(divide: &Divide, x: &Poly, regime: &Regime) -> Self {
        let (accesses, blocks) = (&regime.accesses, &regime.blocks);
        let from_below = || divide.below.real.count.as_ref().map(|below| &(accesses - blocks) - below);
        let above = divide.above.real.count.clone().or_else(from_below);
        Self {
            misses: above.map(|reuses| &reuses + blocks),
            cold: Some(blocks.clone()),
            working_set: Some(x * accesses),
        }
    }
}

/// Returns the set of a single sign, for all residues.
fn only(sign: Ordering) -> Option<BTreeSet<Ordering>> {
    Some(BTreeSet::from([sign]))
}

/// Returns true if no other entry without iterators has this one's interval, at any residues.
fn is_distinct(entries: &[RowDraft], index: usize, regime: &Regime) -> bool {
    let single = |entry: &RowDraft| entry.iterators.is_empty();
    let ordered = |other: &RowDraft| {
        let signs = regime.signs(&(&other.value - &entries[index].value));
        signs == only(Ordering::Less) || signs == only(Ordering::Greater)
    };
    let others = entries.iter().enumerate().filter(|&(other, entry)| other != index && single(entry));
    !single(&entries[index]) || others.map(|(_, other)| other).all(ordered)
}

/// Requires the facts on which the rows rest: the order of the intervals that have columns, the positions of the others
/// between them, and that intervals with portions of their own differ from all others.
fn separate(entries: &[RowDraft], divides: &[Option<Divide>], distinct: &[bool], conditions: &mut Conditions) {
    let single = |entry: &&RowDraft| entry.iterators.is_empty();
    let placed: Vec<_> = entries.iter().zip(divides).filter(|(_, divide)| divide.is_some()).map(|(e, _)| e).collect();
    let apart = entries.iter().zip(distinct).filter(|(_, distinct)| **distinct).map(|(e, _)| e).filter(single);
    require_between(&placed, entries.iter(), conditions);
    require_between(&apart.collect::<Vec<_>>(), entries.iter().filter(single), conditions);
}

/// Requires that some entries ascend, and that every other entry stays between the two of them that enclose it far out.
fn require_between<'e>(fixed: &[&RowDraft], all: impl Iterator<Item = &'e RowDraft>, conditions: &mut Conditions) {
    for pair in fixed.windows(2) {
        conditions.require_positive(&(&pair[1].value - &pair[0].value));
    }
    for entry in all.filter(|entry| !fixed.iter().any(|f| std::ptr::eq(*f, *entry))) {
        let (Some((first, last)), Rank::Known(from, to)) = (&entry.span, &entry.rank) else { continue };
        let known = |entry: &RowDraft, holds: &dyn Fn(&Rational) -> bool| match &entry.rank {
            Rank::Known(at, _) => holds(at),
            Rank::Unknown => false,
        };
        if let Some(below) = fixed.iter().rev().find(|entry| known(entry, &|at| at < from)) {
            conditions.require_positive(&(first - &below.value));
        }
        if let Some(above) = fixed.iter().find(|entry| known(entry, &|at| at >= to)) {
            let difference = &above.value - last;
            // A range may end at the interval.
            match entry.iterators.is_empty() {
                true => conditions.require_positive(&difference),
                false => conditions.require(&difference),
            }
        }
    }
}
