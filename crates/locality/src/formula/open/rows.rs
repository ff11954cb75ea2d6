//! Sums over the rows of a class with two iterators.
//!
//! If a class's value rises with one iterator x, or falls, wherever the other one y is, the points above a threshold
//! are an end of each row of points with one y: those behind, or up to, a [root](super::super::root) that depends on y.
//! The number of accesses there is a polynomial in y and the root, and the sum over y stays. Of a value such as
//! `K − x·y` it cannot go: when the threshold grows by one, the sum changes by a number of divisors.

use num_bigint::BigInt;
use symloc_polyhedra::Range;
use symloc_quasi::{Constraint, Poly, Var};

use crate::class::Class;
use crate::formula::between::not_negative;
use crate::formula::member::inequalities;
use crate::formula::root::ThresholdRoot;
use crate::formula::threshold::Near;

/// A variable that stands nowhere else.
const MARK: Var = Var(u32::MAX);

/// The accesses of a class with values above the threshold, row by row.
#[derive(Clone, Debug)]
pub struct RowSum {
    /// The iterator over the rows.
    pub row: Var,
    /// Its least and its greatest value, in the sizes.
    pub ends: [Poly; 2],
    /// The last point of a row above the threshold, or not above it, under the name of the iterator within rows. Its
    /// polynomials mention the iterator over the rows.
    pub root: ThresholdRoot,
    /// The number of accesses of a row above the threshold, in the sizes, the iterator over the rows and the root.
    pub count: Poly,
}

impl RowSum {
    /// Returns the sum over the shorter rows, or over the others, of a class whose iterators follow the threshold;
    /// `None` if it has not two iterators, or if values neither rise nor fall along rows.
    pub(super) fn of(class: &Class, near: &mut Near<'_>) -> Option<Self> {
        let first = near.threshold().0 + 1;
        let [one, other] = [first, first + 1].map(Var);
        if class.iterators.len() != 2 {
            return None;
        }
        let along = |[row, within]: [Var; 2]| ClassRows::new(class, near, row, within)?.sum(class);
        let mut found: Vec<_> = [[one, other], [other, one]].into_iter().filter_map(along).collect();
        found.sort_by_cached_key(|(sum, _)| (&sum.ends[1] - &sum.ends[0]).evaluate(near.sizes()));
        let (sum, conditions) = found.into_iter().next()?;
        conditions.iter().for_each(|condition| near.require_of_sizes(condition));
        Some(sum)
    }

    /// Returns the number of accesses at a point with values for the sizes and the threshold.
    pub(super) fn value(&self, point: &[BigInt]) -> BigInt {
        let values: Vec<_> = (0..).map(Var).zip(point.iter().cloned().map(Poly::integer)).collect();
        let known = |poly: &Poly| poly.with_values(&values);
        let at = |end: &Poly| end.evaluate(point).to_integer();
        let [excess, least, greatest, count] =
            [&self.root.excess, &self.root.least, &self.root.greatest, &self.count].map(known);
        let (mut row, last) = (at(&self.ends[0]), at(&self.ends[1]));
        let mut total = BigInt::ZERO;
        while row <= last {
            let in_row = |poly: &Poly| poly.with_value(self.row, &Poly::integer(row.clone()));
            let root = ThresholdRoot {
                var: self.root.var,
                excess: in_row(&excess),
                least: in_row(&least),
                greatest: in_row(&greatest),
            };
            let root = Poly::integer(root.value(&[]));
            total += in_row(&count).with_value(self.root.var, &root).constant_term().to_integer();
            row += 1;
        }
        total
    }
}

/// The rows of a class, and the conditions on the sizes under which they are these.
struct ClassRows<'n, 'c> {
    near: &'n Near<'c>,
    row: Var,
    within: Var,
    /// The least and the greatest value of the iterator over the rows.
    ends: [Poly; 2],
    /// The first and the last point of a row.
    bounds: [Poly; 2],
    conditions: Vec<Poly>,
}

impl<'n, 'c> ClassRows<'n, 'c> {
    /// Returns rows of at least one point each; `None` if their ends are not polynomials.
    fn new(class: &Class, near: &'n Near<'c>, row: Var, within: Var) -> Option<Self> {
        let floor = |poly: &Poly, divisor: &_| near.floor(poly, divisor);
        let (range, mut others) = Range::rounded(&inequalities(class), within, &floor)?;
        // Rows whose ends are apart have points, those without points do not count.
        let pairs = range.lower.iter().flat_map(|lower| range.upper.iter().map(move |upper| upper - lower));
        others.extend(pairs.map(Constraint::non_negative));
        let (rows, of_sizes) = Range::rounded(&others, row, &floor)?;
        let conditions = of_sizes.into_iter().map(|constraint| constraint.poly).collect();
        let ends = [Poly::zero(), Poly::zero()];
        let mut found = Self { near, row, within, bounds: ends.clone(), ends, conditions };
        if !found.conditions.iter().all(|condition| near.holds(condition)) {
            return None;
        }
        // Ends of sizes are compared like those of one row.
        found.ends = found.tightest(&rows)?;
        found.bounds = found.tightest(&range)?;
        Some(found)
    }

    /// Returns the largest lower and the smallest upper bound.
    fn tightest(&mut self, Range { lower, upper }: &Range) -> Option<[Poly; 2]> {
        let least = lower.iter().find(|bound| lower.iter().all(|other| self.is_known(&(*bound - other))))?;
        let greatest = upper.iter().find(|bound| upper.iter().all(|other| self.is_known(&(other - *bound))))?;
        lower.iter().for_each(|other| self.require(&(least - other)));
        upper.iter().for_each(|other| self.require(&(other - greatest)));
        Some([least.clone(), greatest.clone()])
    }

    /// Returns true if a polynomial is not negative in any row.
    fn is_known(&self, poly: &Poly) -> bool {
        not_negative(self.near, poly, self.row, &self.ends).is_some()
    }

    fn require(&mut self, poly: &Poly) {
        self.conditions.extend(not_negative(self.near, poly, self.row, &self.ends).unwrap_or_default());
    }

    /// Returns true if values rise along all rows, false if they fall; `None` if they do neither. Their differences
    /// are linear, so that those at both ends of a row decide.
    fn rises(&mut self, value: &Poly) -> Option<bool> {
        let next = value.with_value(self.within, &(&Poly::var(self.within) + &Poly::one()));
        let difference = &next - value;
        if value.coefficients(self.within)?.len() > 3 {
            return None;
        }
        let [first, last] = &self.bounds;
        let ends = [first.clone(), last - &Poly::one()].map(|end| difference.with_value(self.within, &end));
        let rises = ends.iter().all(|end| self.is_known(end));
        let ends = if rises { ends } else { ends.map(|end| -&end) };
        if !ends.iter().all(|end| self.is_known(end)) {
            return None;
        }
        ends.iter().for_each(|end| self.require(end));
        Some(rises)
    }

    /// Returns the sum, and the conditions on the sizes.
    fn sum(mut self, class: &Class) -> Option<(RowSum, Vec<Poly>)> {
        let rises = self.rises(&class.value)?;
        let excess = &class.value - &Poly::var(self.near.threshold());
        let [least, greatest] = self.bounds;
        let root = Poly::var(self.within);
        let (excess, count) = match rises {
            true => (-&excess, class.count.sum(self.within, &Poly::var(MARK), &greatest)),
            false => (&excess - &Poly::one(), class.count.sum(self.within, &least, &Poly::var(MARK))),
        };
        let bound = if rises { &root + &Poly::one() } else { root };
        let count = count?.with_value(MARK, &bound);
        let root = ThresholdRoot { var: self.within, excess, least, greatest };
        Some((RowSum { row: self.row, ends: self.ends, root, count }, self.conditions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conditions::Conditions;
    use crate::formula::root::Roots;
    use crate::residue::{Periods, Residues};
    use num_traits::Signed;
    use proptest::prelude::*;
    use symloc_model::IntervalKind;

    const N: Var = Var(0);

    /// Returns a class of two iterators on the points where some polynomials are not negative.
    fn class(value: Poly, count: Poly, constraints: &[Poly]) -> Class {
        Class {
            reuse: None,
            kind: IntervalKind::Real,
            iterators: vec!["i".into(), "j".into()],
            value,
            bounds: Vec::new(),
            domain: constraints.iter().cloned().map(Constraint::non_negative).collect(),
            count,
        }
    }

    /// Returns the number of accesses above a threshold, point by point, `0 <= i <= n` and `-n <= j <= 2n`.
    fn enumerated(class: &Class, n: i64, t: i64) -> BigInt {
        let points = (0..=n).flat_map(|i| (-n..=2 * n).map(move |j| [n, t, i, j].map(BigInt::from)));
        let is_above = |point: &[BigInt; 4]| class.value.evaluate(point).to_integer() > BigInt::from(t);
        let is_in = |point: &[BigInt; 4]| class.domain.iter().all(|c| !c.poly.evaluate(point).is_negative());
        let counted = points.filter(|point| is_in(point) && is_above(point));
        counted.map(|point| class.count.evaluate(&point).to_integer()).sum()
    }

    proptest! {
        /// Wherever the conditions hold, the sum over rows is the sum over points.
        #[test]
        fn rows_have_the_points_above_the_threshold(
            [product, square, i_slope, j_slope] in [-3_i64..4, -1_i64..2, -4_i64..5, -4_i64..5], size in -1_i64..2,
            [skew, cut] in [-1_i64..3, 0_i64..3], sample in 3_i64..9, weighted: bool,
        ) {
            let [n, i, j] = [N, Var(2), Var(3)].map(Poly::var);
            let times = |factor: i64, poly: &Poly| poly.scale(&symloc_quasi::Rational::from_integer(factor.into()));
            let value = [
                times(product, &(&i * &j)), times(square, &j.pow(2)), times(i_slope, &i), times(j_slope, &j),
                times(size, &(&n * &i)), times(2, &n.pow(2)),
            ];
            let value = value.iter().fold(Poly::zero(), |sum, term| &sum + term);
            let count = if weighted { &(&i + &j) + &Poly::integer(7) } else { Poly::one() };
            let last = &times(2, &n) - &j;
            let constraints = [
                i.clone(), &n - &i, &j - &times(skew, &i), last.clone(), &last - &(&i - &Poly::integer(cut)),
            ];
            let class = class(value, count, &constraints);
            let residues = Residues::new(Periods::new(vec![1]), vec![vec![0]]);
            let mut conditions = Conditions::new(&[Constraint::non_negative(&n - &Poly::one())], 1, residues);
            let mut roots = Roots::Unwanted;
            let mut near = Near::new(&[sample.into()], BigInt::ZERO, &mut conditions, &mut roots);
            let found = RowSum::of(&class, &mut near);
            // Values rise or fall along j if all of their terms do, and these rows have one end.
            prop_assert!(found.is_some() || product.signum() * j_slope.signum() <= 0 || square != 0 || cut > 0);
            let Some(rows) = found else { return Ok(()) };
            let constraints = conditions.constraints();
            let mut held = 0;
            for n in (sample - 2..sample + 3).filter(|n| *n > 0) {
                if constraints.iter().any(|c| c.poly.evaluate(&[BigInt::from(n)]).is_negative()) {
                    continue;
                }
                held += 1;
                for t in [0, 1, 2, 7, n * n, 2 * n * n - 1, 2 * n * n, 2 * n * n + 5, 3 * n * n, 9 * n * n] {
                    let point = [n, t].map(BigInt::from);
                    prop_assert_eq!(rows.value(&point), enumerated(&class, n, t), "n = {}, t = {}", n, t);
                }
            }
            prop_assert!(held > 0, "not even at the sample");
        }
    }
}
