//! Parts of classes with the number of their accesses and the sum of their intervals.

use std::collections::HashMap;

use num_traits::{One, Zero};
use symloc_quasi::{Poly, Quotient, Rational};

use crate::class::Class;
use crate::error::LocalityError;
use crate::limit::part::{LimitPart, LimitParts};
use crate::limit::spread::Below;
use crate::residue::Residues;
use crate::scale::Direction;

/// A part with its leading terms.
#[derive(Clone)]
pub(crate) struct Item {
    pub(crate) part: LimitPart,
    pub(crate) count: Poly,
    /// The weight of their number.
    pub(crate) order: u64,
    pub(crate) sum: Poly,
    pub(crate) least: RankedInterval,
    pub(crate) greatest: RankedInterval,
}

/// An interval in leading terms, and its rank among others: the weight, then the value far out.
#[derive(Clone)]
pub(crate) struct RankedInterval {
    pub(crate) value: Quotient,
    pub(crate) rank: (u64, Rational),
}

impl Item {
    fn new(part: LimitPart, Direction { scales, sample }: &Direction) -> Option<Self> {
        let (least, greatest) = part.span(sample)?;
        let end = |value: Quotient| {
            let place = value.numerator().evaluate(sample) / value.denominator().evaluate(sample);
            RankedInterval { value, rank: (part.weight, place) }
        };
        let (least, greatest) = (end(least), end(greatest));
        let count = part.total();
        Some(Self { order: scales.leading(&count).0, sum: part.sum(), count, least, greatest, part })
    }

    /// Returns the sum of the intervals up to an end and the number of longer ones; `None` if they are not known.
    pub(crate) fn split(&self, end: &RankedInterval) -> Option<(Poly, Poly)> {
        let below = self.below(end)?;
        Some((self.sum.scale(&below.sum), self.count.scale(&(Rational::one() - below.count))))
    }

    /// Returns the accesses with intervals below an end.
    pub(crate) fn below(&self, end: &RankedInterval) -> Option<Below> {
        if self.greatest.rank <= end.rank {
            return Some(Below { count: Rational::one(), sum: Rational::one() });
        }
        if self.least.rank >= end.rank {
            return Some(Below { count: Rational::zero(), sum: Rational::zero() });
        }
        self.part.below(&end.at_ones())
    }
}

impl RankedInterval {
    /// Returns the value where all parameters are one.
    pub(crate) fn at_ones(&self) -> Rational {
        at_ones(self.value.numerator()) / at_ones(self.value.denominator())
    }

    /// Returns the end scaled by a factor.
    pub(crate) fn scaled(&self, factor: &Rational) -> Self {
        let value = &self.value * &Quotient::from(Poly::constant(factor.clone()));
        Self { value, rank: (self.rank.0, &self.rank.1 * factor) }
    }
}

/// The items of classes met before, with the residues of the parameters that they depend on.
#[derive(Default)]
pub(crate) struct KnownItems(HashMap<Class, Vec<(Residues, Vec<Item>)>>);

impl KnownItems {
    /// Returns the parts of a class, without those that have too few accesses to matter.
    pub(crate) fn items(
        &mut self,
        class: &Class,
        direction: &Direction,
        least: u64,
    ) -> Result<Vec<Item>, LocalityError> {
        let sample = &direction.sample;
        let known = self.0.get(class).into_iter().flatten().find(|(residues, _)| residues.contain(sample));
        if let Some((_, items)) = known {
            return Ok(items.clone());
        }
        let parts = LimitParts::of(class, direction, least).ok_or(LocalityError::NoLimit)?;
        let residues = vec![parts.periods.residues_of(sample)];
        let residues = Residues::new(parts.periods, residues);
        let items: Vec<Item> = parts.parts.into_iter().filter_map(|part| Item::new(part, direction)).collect();
        self.0.entry(class.clone()).or_default().push((residues, items.clone()));
        Ok(items)
    }
}

/// Returns the value where all parameters are one, in units of their own size.
pub(crate) fn at_ones(poly: &Poly) -> Rational {
    poly.terms().map(|(_, coefficient)| coefficient).sum()
}
