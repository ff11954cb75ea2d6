//! Rows of a table under construction: the accesses of all classes with one interval.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use symloc_model::IntervalKind;
use symloc_quasi::{Constraint, Poly, Rational};

use crate::class::{Class, ClassExtent};
use crate::regime::Regime;
use crate::table::RowKind;

/// A row under construction.
pub(super) struct RowDraft {
    pub(super) value: Poly,
    pub(super) iterators: Vec<String>,
    pub(super) domain: Vec<Constraint>,
    /// The first and last interval.
    pub(super) span: Option<(Poly, Poly)>,
    /// Their values at the sample; unknown ones come last.
    pub(super) rank: Rank,
    pub(super) real: Option<KindTotals>,
    pub(super) imaginary: Option<KindTotals>,
}

/// The accesses of one kind in an entry: their number and the sum of their intervals.
#[derive(Clone)]
pub(super) struct KindTotals {
    pub(super) count: Option<Poly>,
    pub(super) sum: Option<Poly>,
}

impl KindTotals {
    pub(super) fn add(&self, other: &KindTotals) -> KindTotals {
        let both = |a: &Option<Poly>, b: &Option<Poly>| Some(a.as_ref()? + b.as_ref()?);
        KindTotals { count: both(&self.count, &other.count), sum: both(&self.sum, &other.sum) }
    }

    pub(super) fn nothing() -> KindTotals {
        KindTotals { count: Some(Poly::zero()), sum: Some(Poly::zero()) }
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Known(Rational, Rational),
    Unknown,
}

impl RowDraft {
    pub(super) fn new(class: &Class, extent: &ClassExtent, regime: &Regime) -> Self {
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

    pub(super) fn add(&mut self, class: &Class, extent: &ClassExtent) {
        let part = KindTotals { count: extent.count.clone(), sum: extent.sum.clone() };
        let place = match class.kind {
            IntervalKind::Real => &mut self.real,
            IntervalKind::Imaginary => &mut self.imaginary,
        };
        *place = Some(place.as_ref().map_or(part.clone(), |present| present.add(&part)));
    }

    /// Returns true if the entry's interval equals the class's at all sizes.
    pub(super) fn shares_row(&self, class: &Class, regime: &Regime) -> bool {
        self.iterators.is_empty() && class.iterators.is_empty() && regime.equal(&self.value, &class.value)
    }

    pub(super) fn total(&self) -> KindTotals {
        self.real.iter().chain(&self.imaginary).fold(KindTotals::nothing(), |sum, part| sum.add(part))
    }

    pub(super) fn kind(&self) -> RowKind {
        match (&self.real, &self.imaginary) {
            (Some(_), Some(_)) => RowKind::Both,
            (None, Some(_)) => RowKind::Imaginary,
            (_, None) => RowKind::Real,
        }
    }

    /// Returns the side of x on which all intervals of the entry are, at all sizes; `Less` includes x itself.
    pub(super) fn side(&self, x: &Poly, regime: &Regime) -> Option<Ordering> {
        let (first, last) = self.span.as_ref()?;
        if regime.signs(&(last - x)).is_some_and(|signs| !signs.contains(&Ordering::Greater)) {
            return Some(Ordering::Less);
        }
        (regime.signs(&(first - x)) == only(Ordering::Greater)).then_some(Ordering::Greater)
    }
}

/// Returns the set of a single sign, for all residues.
pub(super) fn only(sign: Ordering) -> Option<BTreeSet<Ordering>> {
    Some(BTreeSet::from([sign]))
}
