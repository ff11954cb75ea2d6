//! The sum over a last iterator that constraints do not bound linearly.
//!
//! Between its linear bounds each other constraint `p(q) ≥ 0` rises or falls with q. If it holds at one end of the
//! range only, the other end becomes a [root](super::root): the last q at which it holds, if p falls, or after which
//! it holds, if p rises. The threshold is added to p, so its differences are about sizes alone, and what holds at an
//! end of the range is a bound of the threshold.

use symloc_polyhedra::{Points, Range};
use symloc_quasi::{Poly, Var};

use crate::formula::threshold::Near;

/// The points of a last iterator: a range, cut by roots.
pub(super) struct Between<'n, 'c> {
    near: &'n mut Near<'c>,
    iterator: Var,
    /// The ends of the range.
    ends: [Poly; 2],
}

/// The part of a range where some constraints hold.
pub(super) enum Cut {
    /// No point.
    Empty,
    /// All points between two bounds, of which the second may be the one before the first.
    Range([Poly; 2]),
}

/// A bound at a root: the last point at which a polynomial that falls is not negative.
struct Falling(Poly);

impl<'n, 'c> Between<'n, 'c> {
    /// Returns the bounds of the last iterator; `None` if a constraint neither rises nor falls, or if two roots
    /// cannot be compared.
    pub(super) fn cut(near: &'n mut Near<'c>, points: &Points) -> Option<Cut> {
        let [iterator] = points.iterators[..] else { return None };
        let threshold = near.threshold();
        let is_fixed = |poly: &Poly| !poly.vars().contains(&threshold) && !is_curved(&points.iterators, poly);
        let (fixed, others): (Vec<_>, Vec<_>) = points.constraints.iter().cloned().partition(|c| is_fixed(&c.poly));
        let (range, _) = Range::rounded(&fixed, iterator, &|poly, divisor| near.floor(poly, divisor))?;
        let least = -&tightest(near, range.lower.iter().map(|bound| -bound))?;
        let greatest = tightest(near, range.upper.iter().cloned())?;
        if !near.decide(&(&greatest - &least))? {
            return Some(Cut::Empty);
        }
        let others: Vec<Poly> = others.into_iter().map(|c| c.poly).collect();
        Between { near, iterator, ends: [least, greatest] }.at_roots(&others)
    }

    fn at_roots(mut self, constraints: &[Poly]) -> Option<Cut> {
        let (mut last, mut before): (Option<Falling>, Option<Falling>) = (None, None);
        for poly in constraints {
            let rises = self.rises(poly)?;
            let [least, greatest] = self.ends.clone().map(|end| poly.with_value(self.iterator, &end));
            let (low, high) = if rises { (least, greatest) } else { (greatest, least) };
            if self.near.decide(&low)? {
                continue;
            }
            if !self.near.decide(&high)? {
                return Some(Cut::Empty);
            }
            // q ≥ r + 1 is where the opposite, p < 0, holds no longer.
            match rises {
                true => {
                    let bound = Falling(-&(poly + &Poly::one()));
                    before = Some(match before {
                        Some(known) => self.ordered(known, bound)?.1,
                        None => bound,
                    });
                }
                false => {
                    let bound = Falling(poly.clone());
                    last = Some(match last {
                        Some(known) => self.ordered(bound, known)?.0,
                        None => bound,
                    });
                }
            }
        }
        if let (Some(before), Some(last)) = (&before, &last)
            && !self.never_less(&last.0, &before.0)
        {
            return self.never_less(&before.0, &last.0).then_some(Cut::Empty);
        }
        let [least, greatest] = self.ends.clone();
        let least = before.map_or(Some(least), |root| Some(&self.root(&root)? + &Poly::one()))?;
        let greatest = last.map_or(Some(greatest), |root| self.root(&root))?;
        Some(Cut::Range([least, greatest]))
    }

    fn root(&mut self, Falling(poly): &Falling) -> Option<Poly> {
        let [least, greatest] = &self.ends;
        self.near.root(poly, self.iterator, [least, greatest])
    }

    /// Returns two bounds, the one with the smaller root first; `None` if they cannot be compared.
    fn ordered(&mut self, one: Falling, other: Falling) -> Option<(Falling, Falling)> {
        if self.never_less(&one.0, &other.0) {
            return Some((other, one));
        }
        self.never_less(&other.0, &one.0).then_some((one, other))
    }

    /// Returns true if a polynomial rises in the range, false if it falls; `None` if it does neither.
    fn rises(&mut self, poly: &Poly) -> Option<bool> {
        let difference = &poly.with_value(self.iterator, &(&Poly::var(self.iterator) + &Poly::one())) - poly;
        let steps = [self.ends[0].clone(), &self.ends[1] - &Poly::one()];
        if self.requires(&difference, &steps) {
            return Some(true);
        }
        self.requires(&-&difference, &steps).then_some(false)
    }

    /// Returns true if one polynomial is never less than another one in the range.
    fn never_less(&mut self, one: &Poly, other: &Poly) -> bool {
        let ends = self.ends.clone();
        self.requires(&(one - other), &ends)
    }

    /// Returns true if a polynomial is not negative between two ends, and requires the conditions of that.
    fn requires(&mut self, poly: &Poly, ends: &[Poly; 2]) -> bool {
        let found = not_negative(self.near, poly, self.iterator, ends);
        let holds = found.is_some();
        found.into_iter().flatten().for_each(|condition| self.near.require_of_sizes(&condition));
        holds
    }
}

/// Returns the terms that are multiples of one iterator.
pub(super) fn linear_part(iterators: &[Var], poly: &Poly) -> Poly {
    iterators.iter().fold(Poly::zero(), |sum, var| &sum + &Poly::var(*var).scale(&poly.slope(*var)))
}

/// Returns true if an iterator stands in a constraint other than as a multiple.
pub(super) fn is_curved(iterators: &[Var], poly: &Poly) -> bool {
    let others = (poly - &linear_part(iterators, poly)).vars();
    iterators.iter().any(|iterator| others.contains(iterator))
}

/// Returns the least of some polynomials.
fn tightest(near: &mut Near<'_>, polys: impl Iterator<Item = Poly>) -> Option<Poly> {
    let mut found: Option<Poly> = None;
    for poly in polys {
        found = Some(match found {
            Some(known) => near.least(&known, &poly)?.clone(),
            None => poly,
        });
    }
    found
}

/// Returns conditions on the sizes under which a polynomial is not negative between two ends; `None` if it is
/// negative somewhere at the sample, or if that is not known. A polynomial that rises is least at the first end, one
/// that falls at the last, and one whose differences fall at one of both.
pub(super) fn not_negative(near: &Near<'_>, poly: &Poly, variable: Var, ends: &[Poly; 2]) -> Option<Vec<Poly>> {
    if poly.vars().contains(&near.threshold()) {
        return None;
    }
    let degree = poly.coefficients(variable)?.len().saturating_sub(1);
    let at = |end: &Poly| Some(poly.with_value(variable, end)).filter(|value| near.holds(value));
    if degree == 0 {
        return near.holds(poly).then(|| vec![poly.clone()]);
    }
    let next = &Poly::var(variable) + &Poly::one();
    let difference = |poly: &Poly| &poly.with_value(variable, &next) - poly;
    let [first, last] = ends;
    let steps = [first.clone(), last - &Poly::one()];
    let with = |mut conditions: Vec<Poly>, more: &[Poly]| {
        conditions.extend_from_slice(more);
        conditions
    };
    if degree == 1 {
        return Some(vec![at(first)?, at(last)?]);
    }
    let slope = difference(poly);
    if let Some(concave) = not_negative(near, &-&difference(&slope), variable, &steps) {
        return Some(with(concave, &[at(first)?, at(last)?]));
    }
    if let Some(rising) = not_negative(near, &slope, variable, &steps) {
        return Some(with(rising, &[at(first)?]));
    }
    not_negative(near, &-&slope, variable, &steps).and_then(|falling| Some(with(falling, &[at(last)?])))
}
