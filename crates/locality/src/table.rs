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

mod draft;
mod measures;

use std::cmp::Ordering;

use num_bigint::BigInt;
use symloc_quasi::{Constraint, Poly, Quotient, Rational};

use crate::conditions::Conditions;
use crate::lines::Outward;
use crate::measure::Measure;
use crate::regime::Regime;
use crate::residue::Residues;
use crate::table::draft::{Rank, RowDraft, only};
use crate::table::measures::{Divide, Measures};

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
            Row::new(entry, divide.as_ref(), distinct, regime, measure).outward(&regime.outward)
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

    /// Returns true if the table holds at a size, given as one value for each parameter and line count.
    pub fn holds_at(&self, size: &[BigInt]) -> bool {
        self.residues.contain(size) && self.context.iter().chain(&self.conditions).all(|c| c.holds_at(size))
    }
}

impl Row {
    /// Returns the row of a draft; `distinct` if it has a portion of its own.
    fn new(draft: &RowDraft, divide: Option<&Divide>, distinct: bool, regime: &Regime, measured: Measure) -> Self {
        let portion = |count: Option<Poly>| Quotient::new(count?, regime.accesses.clone());
        let measures = divide.map(|divide| match measured {
            Measure::Intervals => Measures::new(divide, &draft.value, regime),
            Measure::Places => Measures::in_stack(divide, &draft.value, regime),
        });
        let misses = measures.as_ref().and_then(|measures| measures.misses.as_ref());
        let operations_per_byte = misses.and_then(|misses| intensity(misses, regime));
        let measure = |pick: fn(&Measures) -> &Option<Poly>| portion(measures.as_ref().and_then(|m| pick(m).clone()));
        let interval = match measured {
            Measure::Intervals => draft.value.clone(),
            // The distance of an access at this place.
            Measure::Places => &draft.value - &Poly::one(),
        };
        Self {
            formula: Quotient::from(interval.clone()),
            interval,
            kind: draft.kind(),
            iterators: draft.iterators.clone(),
            domain: draft.domain.clone(),
            portion: portion(draft.total().count.filter(|_| distinct)),
            miss_ratio: measure(|m| &m.misses),
            cold: measure(|m| &m.cold),
            cache: measure(|m| &m.working_set),
            operations_per_byte,
        }
    }

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

/// Returns the order of the sizes as text: `ni >= nj >= nk, all large and of like size`
fn order(regime: &Regime) -> String {
    let sizes = regime.order.iter().map(|&p| regime.outward.size(p));
    let names: Vec<_> = sizes.map(|p| regime.parameters[p].as_str()).collect();
    if names.len() < 2 { String::new() } else { format!("{}, all large and of like size", names.join(" >= ")) }
}

/// Returns the floating-point operations per byte read by so many misses.
fn intensity(misses: &Poly, regime: &Regime) -> Option<Quotient> {
    Quotient::new(regime.operations.clone()?, misses * regime.line_bytes.as_ref()?)
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
