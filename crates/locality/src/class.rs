//! One reuse class in one regime, and its extent.
//!
//! A class with free iterators has many intervals. Its least and greatest interval, its number of accesses and the sum
//! of their intervals are computed on formulas, as far as this is possible:
//!
//! - A polynomial is monotone in an iterator if its difference `f(q+1) − f(q)` keeps its sign; the difference is of
//!   lower degree, so the same question is asked of it until no iterator is left. The extremes are then at the bounds.
//! - A sum over a range between two bounds is a Faulhaber sum ([`symloc_quasi::sum`]); the innermost iterator comes
//!   first. The domain must consist of such ranges only.
//!
//! Decisions about signs are made at the regime's sample, for all of its residues, and required of all sizes
//! ([`Conditions`]).

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::Signed;
use symloc_model::{Bounds, IntervalKind, Reuse};
use symloc_quasi::{Constraint, Poly, Relation, Var};

use crate::conditions::Conditions;

/// A piece of a reuse class that has members at large sizes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Class {
    /// The owner of the reuse that the class counts; `None` if it counts the reuse of all accesses.
    pub reuse: Option<Reuse>,
    /// The kind of the intervals: real or imaginary.
    pub kind: IntervalKind,
    /// The free iterators; their variables follow the parameters'.
    pub iterators: Vec<String>,
    /// The reuse interval.
    pub value: Poly,
    /// A range for each free iterator.
    pub bounds: Vec<Bounds>,
    /// The constraints on the free iterators.
    pub domain: Vec<Constraint>,
    /// The number of accesses with this interval.
    pub count: Poly,
}

/// The extent of a class; `None` where no formula was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassExtent {
    /// The least and the greatest interval; for a class without free iterators both are its value.
    pub span: Option<(Poly, Poly)>,
    /// The number of accesses.
    pub count: Option<Poly>,
    /// The sum of their intervals.
    pub sum: Option<Poly>,
}

impl Class {
    /// Replaces free iterators that are equal to something further out.
    #[must_use]
    pub(crate) fn pin(mut self, parameters: usize) -> Self {
        while let Some((depth, value)) = self.pinned() {
            self = self.without(depth, &value, parameters);
        }
        self
    }

    /// Returns the class with an iterator replaced by a value, which is given in iterators further out.
    pub(crate) fn without(&self, depth: usize, value: &Poly, parameters: usize) -> Self {
        let at = (parameters + depth) as u32;
        let substitute = |poly: &Poly| {
            poly.substitute(&|var| match var.0 {
                v if v == at => Some(value.clone()),
                v if v > at => Some(Poly::var(Var(v - 1))),
                _ => None,
            })
        };
        let mut class = self.clone();
        class.iterators.remove(depth);
        class.bounds.remove(depth);
        class.map(&substitute)
    }

    /// Applies a change to all of the polynomials.
    pub(crate) fn map(&self, change: &dyn Fn(&Poly) -> Poly) -> Self {
        Self {
            value: change(&self.value),
            bounds: self.bounds.iter().map(|bounds| bounds.map(change)).collect(),
            domain: self.domain.iter().map(|c| c.map(change)).collect(),
            count: change(&self.count),
            ..self.clone()
        }
    }

    /// Returns the outermost iterator that has a lower bound which is also an upper bound, with this bound.
    fn pinned(&self) -> Option<(usize, Poly)> {
        let equal = |bounds: &Bounds| bounds.lower.iter().find(|bound| bounds.upper.contains(bound)).cloned();
        self.bounds.iter().enumerate().find_map(|(depth, bounds)| Some((depth, equal(bounds)?)))
    }

    /// Returns the class's extent at sizes like the sample, and adds the decisions made to `conditions`.
    pub(crate) fn extent(&self, sample: &[BigInt], conditions: &mut Conditions) -> ClassExtent {
        if self.iterators.is_empty() {
            return ClassExtent {
                span: Some((self.value.clone(), self.value.clone())),
                count: Some(self.count.clone()),
                sum: Some(&self.value * &self.count),
            };
        }
        let span = self.span(sample, conditions);
        let sums = attempt(sample, conditions, &|ranges| {
            ranges.describe(self)?;
            Some((ranges.sum(&self.count)?, ranges.sum(&(&self.count * &self.value))?))
        });
        let (count, sum) = sums.unzip();
        ClassExtent { span, count, sum }
    }

    /// Returns a lower and an upper bound of all intervals.
    pub(crate) fn span(&self, sample: &[BigInt], conditions: &mut Conditions) -> Option<(Poly, Poly)> {
        attempt(sample, conditions, &|ranges| {
            ranges.enclose(self)?;
            Some((ranges.extreme(&self.value, RangeSide::Least)?, ranges.extreme(&self.value, RangeSide::Greatest)?))
        })
    }
}

/// Tries to find two formulas; the conditions grow only if they are found.
fn attempt(
    sample: &[BigInt],
    conditions: &mut Conditions,
    find: &dyn Fn(&mut IteratorRanges<'_>) -> Option<(Poly, Poly)>,
) -> Option<(Poly, Poly)> {
    let mut ranges = IteratorRanges::new(sample, conditions.clone());
    let found = find(&mut ranges)?;
    *conditions = ranges.conditions;
    Some(found)
}

/// An end of a range.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RangeSide {
    Least,
    Greatest,
}

/// Ranges of the free iterators, outermost first, and the decisions that they rest on.
struct IteratorRanges<'s> {
    sample: &'s [BigInt],
    ranges: Vec<(Poly, Poly)>,
    conditions: Conditions,
}

impl<'s> IteratorRanges<'s> {
    fn new(sample: &'s [BigInt], conditions: Conditions) -> Self {
        Self { sample, ranges: Vec::new(), conditions }
    }

    /// Encloses the class's domain in ranges, which may hold more points than the domain.
    fn enclose(&mut self, class: &Class) -> Option<()> {
        for bounds in &class.bounds {
            let lower = self.tightest(&bounds.lower, RangeSide::Least).or(bounds.lower.first().cloned())?;
            let upper = self.tightest(&bounds.upper, RangeSide::Greatest).or(bounds.upper.first().cloned())?;
            self.ranges.push((lower, upper));
        }
        Some(())
    }

    /// Encloses exactly the class's domain in ranges; `None` if no such ranges are found, or if one of them may be
    /// empty.
    fn describe(&mut self, class: &Class) -> Option<()> {
        let bounding = |c: &Constraint| self.is_bound(c, class);
        if !class.domain.iter().all(bounding) {
            return None;
        }
        for bounds in &class.bounds {
            let lower = self.tightest(&bounds.lower, RangeSide::Least)?;
            let upper = self.tightest(&bounds.upper, RangeSide::Greatest)?;
            let length = &(&upper - &lower) + &Poly::one();
            let shortest = self.extreme(&length, RangeSide::Least)?;
            self.decide(&shortest).then_some(())?;
            self.ranges.push((lower, upper));
        }
        Some(())
    }

    /// Returns true if one of the class's bounds implies the constraint.
    fn is_bound(&self, constraint: &Constraint, class: &Class) -> bool {
        let Some(&var) = constraint.poly.vars().last() else { return false };
        let Some(bounds) = (var.0 as usize).checked_sub(self.sample.len()).and_then(|depth| class.bounds.get(depth))
        else {
            return false;
        };
        let (slope, rest) = constraint.poly.split_slope(var);
        if constraint.relation != Relation::NonNegative || rest.vars().contains(&var) || !slope.is_integer() {
            return false;
        }
        // s·q + rest ≥ 0 is q ≥ −⌊rest/s⌋ for s > 0 and q ≤ ⌊rest/−s⌋ for s < 0.
        let limit = rest.floor_div(slope.abs().numer());
        if slope.is_positive() { bounds.lower.contains(&-&limit) } else { bounds.upper.contains(&limit) }
    }

    /// Returns the bound that implies the others everywhere in the ranges further out.
    fn tightest(&mut self, bounds: &[Poly], end: RangeSide) -> Option<Poly> {
        let implies = |ranges: &mut Self, bound: &Poly, other: &Poly| {
            let slack = if end == RangeSide::Least { bound - other } else { other - bound };
            ranges.extreme(&slack, RangeSide::Least).is_some_and(|least| ranges.decide(&least))
        };
        bounds.iter().find(|bound| bounds.iter().all(|other| other == *bound || implies(self, bound, other))).cloned()
    }

    /// Returns the least or greatest value in the ranges, as a polynomial in the parameters.
    fn extreme(&mut self, poly: &Poly, end: RangeSide) -> Option<Poly> {
        let parameters = self.sample.len();
        let Some(var) = poly.vars().last().copied().filter(|var| var.0 as usize >= parameters) else {
            return Some(poly.clone());
        };
        poly.coefficients(var)?;
        let (lower, upper) = self.ranges.get(var.0 as usize - parameters)?.clone();
        let at = |value: &Poly| poly.with_value(var, value);
        let difference = &at(&(&Poly::var(var) + &Poly::one())) - poly;
        let rises = self.extreme(&difference, RangeSide::Least).is_some_and(|least| self.decide(&least));
        let falls = !rises && self.extreme(&difference, RangeSide::Greatest).is_some_and(|most| self.decide(&-&most));
        let bound = match (rises, falls) {
            (false, false) => return None,
            (true, _) if end == RangeSide::Least => lower,
            (_, true) if end == RangeSide::Greatest => lower,
            _ => upper,
        };
        self.extreme(&at(&bound), end)
    }

    /// Decides whether the polynomial is non-negative at sizes like the sample, for all residues; if it is, requires
    /// this of all sizes.
    fn decide(&mut self, poly: &Poly) -> bool {
        let signs = self.conditions.signs(poly, self.sample);
        let holds = signs.is_some_and(|signs| !signs.contains(&Ordering::Less));
        if holds {
            self.conditions.require(poly);
        }
        holds
    }

    /// Returns the sum over the ranges.
    fn sum(&self, summand: &Poly) -> Option<Poly> {
        let parameters = self.sample.len();
        let inward = self.ranges.iter().enumerate().rev();
        inward.clone().try_fold(summand.clone(), |sum, (depth, (lower, upper))| {
            sum.sum(Var((parameters + depth) as u32), lower, upper)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::residue::{Periods, Residues};

    fn n() -> Poly {
        Poly::var(Var(0))
    }

    fn q(depth: u32) -> Poly {
        Poly::var(Var(1 + depth))
    }

    fn conditions() -> Conditions {
        let periods = Periods::of([].iter(), 1).unwrap();
        let context = [Constraint::non_negative(&n() - &Poly::one())];
        Conditions::new(&context, 1, Residues::new(periods, vec![vec![0]]))
    }

    /// Returns a class on `0 ≤ q0 ≤ n − 2, q0 < q1 ≤ n − 1`, with the given value and count.
    fn triangle(value: Poly, count: Poly) -> Class {
        let bound = |lower: Poly, upper: Poly| Bounds { lower: vec![lower], upper: vec![upper] };
        let bounds =
            vec![bound(Poly::zero(), &n() - &Poly::integer(2)), bound(&q(0) + &Poly::one(), &n() - &Poly::one())];
        let domain = vec![
            Constraint::non_negative(q(0)),
            Constraint::non_negative(&(&q(1) - &q(0)) - &Poly::one()),
            Constraint::non_negative(&(&n() - &q(1)) - &Poly::one()),
            Constraint::non_negative(&(&n() - &q(0)) - &Poly::integer(2)),
        ];
        Class {
            reuse: None,
            kind: IntervalKind::Real,
            iterators: vec!["i".into(), "j".into()],
            value,
            bounds,
            domain,
            count,
        }
    }

    fn at(poly: &Option<Poly>, size: i64) -> i64 {
        poly.as_ref().unwrap().evaluate(&[size.into()]).to_integer().try_into().unwrap()
    }

    #[test]
    fn extents_agree_with_enumeration() {
        // 4n·i + j − i² rises in both iterators; i + 1 accesses each.
        let value = &(&(&(&n() * &q(0)) * &Poly::integer(4)) + &q(1)) - &(&q(0) * &q(0));
        let class = triangle(value, &q(0) + &Poly::one());
        let mut conditions = conditions();
        let extent = class.extent(&[BigInt::from(1_i64 << 40)], &mut conditions);
        assert_eq!(conditions.constraints(), [], "at n = 1 the outer range is empty and its sum is zero");
        for n in 2..9 {
            let points = (0..n - 1).flat_map(|i| (i + 1..n).map(move |j| (4 * n * i + j - i * i, i + 1)));
            let (least, greatest) = extent.span.clone().map(|(l, g)| (Some(l), Some(g))).unwrap();
            assert_eq!(at(&least, n), points.clone().map(|(v, _)| v).min().unwrap());
            assert_eq!(at(&greatest, n), points.clone().map(|(v, _)| v).max().unwrap());
            assert_eq!(at(&extent.count, n), points.clone().map(|(_, c)| c).sum::<i64>());
            assert_eq!(at(&extent.sum, n), points.map(|(v, c)| v * c).sum::<i64>());
        }
    }

    /// `0 ≤ u ≤ ⌊(n − 1)/8⌋, 0 ≤ r ≤ min(7, n − 8u − 1)`: in the last line, r may end before 7, depending on n mod 8.
    #[test]
    fn residues_without_the_sample_count_too() {
        let last = (&n() - &Poly::one()).floor_div(&8.into());
        let in_line = &(&n() - &q(0).scale(&symloc_quasi::Rational::from_integer(8.into()))) - &Poly::one();
        let bounds = vec![
            Bounds { lower: vec![Poly::zero()], upper: vec![last] },
            Bounds { lower: vec![Poly::zero()], upper: vec![in_line.clone(), Poly::integer(7)] },
        ];
        let domain = vec![
            Constraint::non_negative(q(0)),
            Constraint::non_negative(q(1)),
            Constraint::non_negative(&in_line - &q(1)),
            Constraint::non_negative(&Poly::integer(7) - &q(1)),
        ];
        let iterators = vec!["u".into(), "r".into()];
        let class =
            Class { kind: IntervalKind::Real, iterators, value: q(0), bounds, domain, count: Poly::one(), reuse: None };
        let count = |residues: Vec<Vec<u64>>| {
            let periods = Periods::of([n().floor_div(&8.into())].iter(), 1).unwrap();
            let context = [Constraint::non_negative(&n() - &Poly::one())];
            let mut conditions = Conditions::new(&context, 1, Residues::new(periods, residues));
            class.extent(&[BigInt::from(1_i64 << 40)], &mut conditions).count
        };
        assert_eq!(at(&count(vec![vec![0]]), 24), 24);
        assert_eq!(count(vec![vec![0], vec![4]]), None, "at n = 28 the last line has only four places");
    }

    #[test]
    fn what_is_not_a_range_is_not_summed() {
        let mut class = triangle(q(0), Poly::one());
        let even = &q(1) - &(&q(1).floor_div(&2.into()) * &Poly::integer(2));
        class.domain.push(Constraint::zero(even));
        let extent = class.extent(&[BigInt::from(1_i64 << 40)], &mut conditions());
        assert!(extent.span.is_some() && extent.count.is_none() && extent.sum.is_none());
        // A parabola with its maximum inside has no extreme at a bound.
        let class = triangle(&q(0) * &(&n() - &q(0)), Poly::one());
        assert_eq!(class.extent(&[BigInt::from(1_i64 << 40)], &mut conditions()).span, None);
    }

    #[test]
    fn an_iterator_with_one_value_is_none() {
        let mut class = triangle(&q(1) * &n(), q(1));
        class.bounds[0].upper.push(Poly::zero());
        let pinned = class.pin(1);
        assert_eq!(pinned.iterators, ["j"]);
        assert_eq!(pinned.value, &q(0) * &n());
        assert_eq!(pinned.bounds[0].lower, [Poly::one()]);
    }
}
