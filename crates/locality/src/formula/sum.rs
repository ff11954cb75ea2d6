//! Sums over the integer points of a polytope, as formulas in the sizes and a threshold.
//!
//! One iterator after the other is eliminated: between its lower bound l and its upper bound u the sum is a Faulhaber sum
//! ([`symloc_quasi::sum`]). If there are several bounds, the tightest one varies from point to point; each pair (l, u) is taken by itself,
//! where l is the first of the largest lower bounds, u the first of the smallest upper ones, and l ≤ u. These parts are disjoint and again
//! given by linear constraints, as in Fourier–Motzkin elimination. When no iterator is left, the constraints state the conditions on sizes
//! and threshold under which a part has points ([`Near`]).
//!
//! A bound ⌈e/a⌉ is a polynomial only if e does not mention iterators modulo a; if it does, the residues of these iterators
//! are taken one by one.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use symloc_quasi::{Atom, Monomial, Poly, Rational, Var};

use crate::formula::threshold::Near;

/// The largest number of parts of a polytope.
const MAX_PARTS: usize = 1 << 12;

/// Integer points at which every constraint is non-negative. Constraints are linear in the iterators.
#[derive(Clone, Debug)]
pub(super) struct IntegerPoints {
    pub(super) iterators: Vec<Var>,
    pub(super) constraints: Vec<Poly>,
}

/// The two polynomials that are summed.
pub(super) type Summands = [Poly; 2];

/// Returns the sums over the points, near a sample; `None` if there are too many parts, no bounds, or no formula.
pub(super) fn sums(near: &mut Near<'_>, points: IntegerPoints, summands: &Summands) -> Option<Summands> {
    let mut summing = Summing { near, parts: 0, total: [Poly::zero(), Poly::zero()] };
    summing.add(points, summands.clone())?;
    Some(summing.total)
}

struct Summing<'n, 'c> {
    near: &'n mut Near<'c>,
    parts: usize,
    total: Summands,
}

/// The bounds of one iterator, and the constraints without it.
struct IteratorBounds {
    iterator: Var,
    lower: Vec<Poly>,
    upper: Vec<Poly>,
    others: Vec<Poly>,
}

enum SumStep {
    /// Sum over an iterator.
    Eliminate(IteratorBounds),
    /// Take the residues of an iterator modulo a number one by one.
    Split(Var, BigInt),
}

impl Summing<'_, '_> {
    fn add(&mut self, mut points: IntegerPoints, summands: Summands) -> Option<()> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return None;
        }
        if !self.tighten(&mut points)? {
            return Some(());
        }
        if points.iterators.is_empty() {
            self.total.iter_mut().zip(&summands).for_each(|(sum, more)| *sum = &*sum + more);
            return Some(());
        }
        if let Some((iterator, value)) = points.equality() {
            let (points, substitute) = points.without(iterator, &value);
            return self.add(points, summands.each_ref().map(substitute));
        }
        match points.step(self.near)? {
            SumStep::Eliminate(bounds) => self.eliminate(&points, &bounds, &summands),
            SumStep::Split(iterator, modulus) => self.residues(&points, iterator, &modulus, &summands),
        }
    }

    /// Decides the constraints without iterators, and keeps the tightest of those that share their terms with iterators. Returns false if
    /// there is no point.
    fn tighten(&mut self, points: &mut IntegerPoints) -> Option<bool> {
        let (closed, open): (Vec<_>, Vec<_>) =
            points.constraints.iter().map(|c| points.parted(c, self.near)).partition(|(part, _)| part.is_zero());
        let mut closed: Vec<Poly> = closed.into_iter().map(|(_, rest)| rest).collect();
        // One violated constraint is enough; one that does not mention the threshold is preferred.
        let threshold = self.near.threshold();
        closed.sort_by_key(|constraint| constraint.vars().contains(&threshold));
        if let Some(violated) = closed.iter().find(|constraint| !self.near.holds(constraint)) {
            return self.near.decide(violated);
        }
        for constraint in &closed {
            self.near.decide(constraint)?;
        }
        let mut tightest: BTreeMap<Poly, Poly> = BTreeMap::new();
        for (part, rest) in open {
            let rest = match tightest.get(&part) {
                Some(known) => self.near.least(known, &rest)?.clone(),
                None => rest,
            };
            tightest.insert(part, rest);
        }
        // Between opposite bounds there may be no integer.
        let opposite = tightest.iter().filter_map(|(part, rest)| Some(rest + tightest.get(&-part)?));
        let empty = opposite.into_iter().find(|room| !self.near.holds(room));
        if let Some(room) = empty {
            return self.near.decide(&room);
        }
        points.constraints = tightest.into_iter().map(|(part, rest)| &part + &rest).collect();
        Some(true)
    }

    /// Adds the sum over one iterator, for each pair of its bounds.
    fn eliminate(&mut self, points: &IntegerPoints, bounds: &IteratorBounds, summands: &Summands) -> Option<()> {
        let iterators: Vec<Var> = points.iterators.iter().copied().filter(|v| *v != bounds.iterator).collect();
        for (l, lower) in bounds.lower.iter().enumerate() {
            for (u, upper) in bounds.upper.iter().enumerate() {
                let largest = tightest(&bounds.lower, l, |other| lower - other);
                let smallest = tightest(&bounds.upper, u, |other| other - upper);
                let constraints = bounds.others.iter().cloned().chain(largest).chain(smallest).chain([upper - lower]);
                let [a, b] = summands.each_ref().map(|summand| summand.sum(bounds.iterator, lower, upper));
                let points = IntegerPoints { iterators: iterators.clone(), constraints: constraints.collect() };
                self.add(points, [a?, b?])?;
            }
        }
        Some(())
    }

    /// Adds the sum for each residue of an iterator.
    fn residues(&mut self, points: &IntegerPoints, iterator: Var, modulus: &BigInt, summands: &Summands) -> Option<()> {
        let mut residue = BigInt::zero();
        while residue < *modulus {
            let value =
                &Poly::var(iterator).scale(&Rational::from_integer(modulus.clone())) + &Poly::integer(residue.clone());
            let substitute = |poly: &Poly| poly.substitute(&|var| (var == iterator).then(|| value.clone()));
            let constraints = points.constraints.iter().map(substitute).collect();
            let points = IntegerPoints { iterators: points.iterators.clone(), constraints };
            self.add(points, summands.each_ref().map(substitute))?;
            residue += 1;
        }
        Some(())
    }
}

/// Returns the constraints under which a bound is the first of the tightest; `slack` returns how much tighter it is than another one.
fn tightest(bounds: &[Poly], index: usize, slack: impl Fn(&Poly) -> Poly) -> impl Iterator<Item = Poly> {
    let others = bounds.iter().enumerate().filter(move |(other, _)| *other != index);
    others.map(move |(other, bound)| &slack(bound) - &Poly::integer(u8::from(other < index)))
}

impl IntegerPoints {
    /// Returns the terms with iterators, divided by their greatest common divisor, and the other terms, rounded down. For integers that is
    /// an equivalent constraint.
    fn parted(&self, constraint: &Poly, near: &Near<'_>) -> (Poly, Poly) {
        let slopes = self.iterators.iter().map(|v| (*v, slope(constraint, *v))).filter(|(_, slope)| !slope.is_zero());
        let part = slopes.fold(Poly::zero(), |sum, (var, slope)| &sum + &Poly::var(var).scale(&slope));
        let rest = constraint - &part;
        let scale = Rational::from_integer(part.common_denominator());
        let (part, rest) = (part.scale(&scale), rest.scale(&scale));
        let divisor = part.terms().fold(BigInt::zero(), |gcd, (_, c)| gcd.gcd(c.numer()));
        if divisor.is_zero() {
            return (part, rest);
        }
        (part.scale(&Rational::new(1.into(), divisor.clone())), near.floor(&rest, &divisor))
    }

    /// Returns an iterator that opposite bounds make equal to a polynomial, with this polynomial.
    fn equality(&self) -> Option<(Var, Poly)> {
        let equal = |a: &&Poly| self.constraints.contains(&-*a);
        self.constraints.iter().filter(equal).find_map(|constraint| {
            let iterator = self.iterators.iter().find(|v| slope(constraint, **v).abs().is_one())?;
            let slope = slope(constraint, *iterator);
            Some((*iterator, (&Poly::var(*iterator).scale(&slope) - constraint).scale(&slope)))
        })
    }

    /// Returns the points where an iterator has a value, and the substitution of this value.
    fn without(&self, iterator: Var, value: &Poly) -> (Self, impl Fn(&Poly) -> Poly) {
        let value = value.clone();
        let substitute = move |poly: &Poly| poly.substitute(&|var| (var == iterator).then(|| value.clone()));
        let iterators = self.iterators.iter().copied().filter(|v| *v != iterator).collect();
        (Self { iterators, constraints: self.constraints.iter().map(&substitute).collect() }, substitute)
    }

    /// Returns the next step: for the iterator with the fewest pairs of bounds, if one has bounds that are polynomials. `None` if an
    /// iterator has no bounds.
    fn step(&self, near: &Near<'_>) -> Option<SumStep> {
        let mut split = None;
        let mut fewest: Option<IteratorBounds> = None;
        for iterator in self.iterators.iter().rev() {
            match self.bounds(*iterator, near) {
                SumStep::Eliminate(bounds) if fewest.as_ref().is_none_or(|fewest| bounds.pairs() < fewest.pairs()) => {
                    fewest = Some(bounds);
                }
                SumStep::Eliminate(_) => (),
                SumStep::Split(..) if split.is_some() => (),
                step => split = Some(step),
            }
        }
        match fewest {
            Some(bounds) => (bounds.pairs() > 0).then_some(SumStep::Eliminate(bounds)),
            None => split,
        }
    }

    fn bounds(&self, iterator: Var, near: &Near<'_>) -> SumStep {
        let mut bounds = IteratorBounds { iterator, lower: Vec::new(), upper: Vec::new(), others: Vec::new() };
        for constraint in &self.constraints {
            let slope = slope(constraint, iterator);
            if slope.is_zero() {
                bounds.others.push(constraint.clone());
                continue;
            }
            let rest = constraint - &Poly::var(iterator).scale(&slope);
            let limit = near.floor(&rest, slope.abs().numer());
            let rounded: Vec<Var> = limit.floors().iter().flat_map(|floor| floor.numerator().vars()).collect();
            if let Some(other) = self.iterators.iter().find(|other| rounded.contains(other)) {
                return SumStep::Split(*other, slope.abs().numer().clone());
            }
            if slope.is_positive() { bounds.lower.push(-&limit) } else { bounds.upper.push(limit) }
        }
        SumStep::Eliminate(bounds)
    }
}

impl IteratorBounds {
    fn pairs(&self) -> usize {
        self.lower.len() * self.upper.len()
    }
}

/// Returns the coefficient of a variable that stands alone.
pub(super) fn slope(poly: &Poly, var: Var) -> Rational {
    poly.coefficient(&Monomial::power(Atom::Var(var), 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conditions::Conditions;
    use crate::residue::{Periods, Residues};
    use proptest::prelude::*;
    use symloc_quasi::Constraint;

    /// Returns a variable: the size, the threshold, or one of two iterators.
    fn var(index: u32) -> Poly {
        Poly::var(Var(index))
    }

    fn linear(coefficients: [i64; 5]) -> Poly {
        let [constant, rest @ ..] = coefficients;
        let terms = (0..4).zip(rest).map(|(v, c)| var(v).scale(&Rational::from_integer(c.into())));
        terms.fold(Poly::integer(constant), |sum, term| &sum + &term)
    }

    /// Returns the points of the square 0 ≤ i, j ≤ n in an oblique half plane, cut by the threshold.
    fn points(half: [i64; 4], cut: [i64; 3]) -> IntegerPoints {
        let [i, j] = [2, 3].map(var);
        let [a, b, c, d] = half;
        let [e, f, g] = cut;
        let oblique = linear([a, b, 0, c, d]);
        let cut = linear([e, 0, -1, f, g]);
        let square = [i.clone(), j.clone(), &var(0) - &i, &var(0) - &j];
        IntegerPoints {
            iterators: vec![Var(2), Var(3)],
            constraints: square.into_iter().chain([oblique, cut]).collect(),
        }
    }

    fn enumerated(points: &IntegerPoints, summand: &Poly, n: i64, t: i64) -> Rational {
        let places = (0..=n).flat_map(|i| (0..=n).map(move |j| [n, t, i, j].map(BigInt::from)));
        let inside = |p: &[BigInt; 4]| points.constraints.iter().all(|c| !c.evaluate(p).is_negative());
        places.filter(inside).map(|p| summand.evaluate(&p)).sum()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn sums_agree_with_enumeration(
            a in -6_i64..7, b in -2_i64..3, c in -3_i64..4, d in -3_i64..4, e in -3_i64..4, f in -4_i64..5, g in -4_i64..5,
            n in 1_i64..12, t in -3_i64..30,
        ) {
            let points = points([a, b, c, d], [e, f, g]);
            let summands = [Poly::one(), &(&var(2) * &var(3)) + &(&var(0) - &var(1))];
            let context = [Constraint::non_negative(&var(0) - &Poly::one())];
            let residues = Residues::new(Periods::new(vec![1]), vec![vec![0]]);
            let mut conditions = Conditions::new(&context, 1, residues).near(vec![n.into()]);
            let mut near = Near::new(&[n.into()], t.into(), &mut conditions);
            // Where the threshold is in several floors there is no formula.
            let Some(found) = sums(&mut near, points.clone(), &summands) else { return Ok(()) };
            let range = near.into_range();
            let constraints = conditions.constraints();
            let mut held = 0;
            for (n, t) in [0, 1, 3].iter().flat_map(|more| [0, 1, 2, -1, 7].map(|other| (n + more, t + other))) {
                let size = [BigInt::from(n)];
                let at = |end: &Option<Poly>| end.as_ref().map(|end| end.evaluate(&size).to_integer());
                let t_number = BigInt::from(t);
                if constraints.iter().any(|c| c.poly.evaluate(&size).is_negative())
                    || at(&range.from).is_some_and(|from| t_number < from)
                    || at(&range.to).is_some_and(|to| t_number > to)
                {
                    continue;
                }
                held += 1;
                for (formula, summand) in found.iter().zip(&summands) {
                    let expected = enumerated(&points, summand, n, t);
                    prop_assert_eq!(formula.evaluate(&[n.into(), t.into()]), expected, "n = {}, t = {}", n, t);
                }
            }
            prop_assert!(held > 0, "not even at the sample");
        }
    }
}
