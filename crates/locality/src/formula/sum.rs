//! Sums over the integer points of a polytope, as formulas in the sizes and a threshold: by [elimination of
//! iterators](symloc_polyhedra::sum), with signs decided at a sample of sizes and threshold.
//!
//! When no iterator is left, the constraints state the conditions on sizes and threshold under which a part has points
//! ([`Near`]).

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use symloc_polyhedra::{Oracle, Points, Range, SumStep, add_up};
use symloc_quasi::{Constraint, Poly, Rational, Var};

use crate::formula::between::{Between, Cut, is_curved, linear_part};
use crate::formula::threshold::Near;

/// The largest number of parts of a polytope.
const MAX_PARTS: u32 = 1 << 12;

/// The two polynomials that are summed.
pub(super) type Summands = [Poly; 2];

/// Returns the sums over points with linear inequalities, near a sample; `None` if there are too many parts, no bounds,
/// or no formula.
pub(super) fn sums(near: &mut Near<'_>, points: Points, [first, second]: &Summands) -> Option<Summands> {
    // Multiples of a variable that stands nowhere else are the second sum.
    let mark = Var(u32::MAX);
    let mut summing = NearSum { near, parts: 0, total: Poly::zero() };
    add_up(&mut summing, points, &(first + &(second * &Poly::var(mark))))?;
    let both = summing.total.coefficients(mark)?;
    Some([0, 1].map(|power| both.get(power).cloned().unwrap_or_default()))
}

/// A sum with signs decided at a sample.
struct NearSum<'n, 'c> {
    near: &'n mut Near<'c>,
    /// The number of steps, each of which is about one part.
    parts: u32,
    total: Poly,
}

impl Oracle for NearSum<'_, '_> {
    const MODULUS: u32 = MAX_PARTS;
    // Parts are counted, and each residue is one.
    const RESIDUES: u32 = u32::MAX;

    fn most(&self) -> usize {
        MAX_PARTS as usize
    }

    fn step(&mut self, points: &mut Points, summand: &Poly) -> Option<SumStep> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return None;
        }
        let (curved, linear): (Vec<_>, Vec<_>) =
            points.constraints.drain(..).partition(|c| is_curved(&points.iterators, &c.poly));
        points.constraints = linear;
        if !self.tighten(points)? {
            return Some(SumStep::Done);
        }
        let is_linear = curved.is_empty();
        points.constraints.extend(curved);
        if let Some(sum) = self.last(points, summand) {
            self.total += &sum;
            return Some(SumStep::Done);
        }
        if !is_linear {
            return beside_curved(points);
        }
        if points.iterators.is_empty() {
            self.total += summand;
            return Some(SumStep::Done);
        }
        Some(match equality(points) {
            Some((iterator, value)) => SumStep::Replace(iterator, value),
            None => SumStep::Eliminate(points.iterators.clone()),
        })
    }

    fn range(&self, points: &Points, iterator: Var) -> Option<(Range, Vec<Constraint>)> {
        let floor = |poly: &Poly, divisor: &_| self.near.floor(poly, divisor);
        let (range, mut rest) = Range::rounded(&points.constraints, iterator, &floor)?;
        if self.near.has_roots() {
            rest.extend(self.implied(&range, &points.iterators));
        }
        Some((range, rest))
    }

    fn condition(&self, extent: &Poly, _: &Points) -> Option<Constraint> {
        Some(Constraint::non_negative(extent - &Poly::one()))
    }
}

impl NearSum<'_, '_> {
    /// Returns the sum over a last iterator, between roots of the threshold; `None` if there are more iterators, or
    /// if roots cannot be compared.
    fn last(&mut self, points: &Points, summand: &Poly) -> Option<Poly> {
        let [iterator] = points.iterators[..] else { return None };
        if !self.near.has_roots() {
            return None;
        }
        match Between::cut(self.near, points)? {
            Cut::Empty => Some(Poly::zero()),
            Cut::Range([least, greatest]) => summand.sum(iterator, &least, &greatest),
        }
    }

    /// Returns the linear constraints on other iterators without which a range is empty. They bound the last iterator
    /// also where the bounds of this one are not linear.
    fn implied(&self, range: &Range, iterators: &[Var]) -> Vec<Constraint> {
        let threshold = self.near.threshold();
        let is_linear = |poly: &&Poly| !is_curved(iterators, poly) && !poly.vars().contains(&threshold);
        if range.bounds().all(|bound| is_linear(&bound)) {
            return Vec::new();
        }
        let pairs = range.lower.iter().filter(is_linear).flat_map(|lower| {
            range.upper.iter().filter(is_linear).map(move |upper| Constraint::non_negative(upper - lower))
        });
        pairs.collect()
    }

    /// Decides the constraints without iterators, and keeps the tightest of those that share their terms with
    /// iterators. Returns false if there is no point.
    fn tighten(&mut self, points: &mut Points) -> Option<bool> {
        let (closed, open): (Vec<_>, Vec<_>) = points
            .constraints
            .iter()
            .map(|c| parted(&points.iterators, &c.poly, self.near))
            .partition(|(part, _)| part.is_zero());
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
        points.constraints = tightest.into_iter().map(|(part, rest)| Constraint::non_negative(&part + &rest)).collect();
        Some(true)
    }
}

/// Returns the terms with iterators, divided by their greatest common divisor, and the other terms, rounded down. For
/// integers that is an equivalent constraint.
fn parted(iterators: &[Var], constraint: &Poly, near: &Near<'_>) -> (Poly, Poly) {
    let part = linear_part(iterators, constraint);
    let rest = constraint - &part;
    let scale = Rational::from_integer(part.common_denominator());
    let (part, rest) = (part.scale(&scale), rest.scale(&scale));
    let divisor = part.terms().fold(BigInt::zero(), |gcd, (_, c)| gcd.gcd(c.numer()));
    if divisor.is_zero() {
        return (part, rest);
    }
    (part.scale(&Rational::new(1.into(), divisor.clone())), near.floor(&rest, &divisor))
}

/// Returns the next step where some constraints are not linear: iterators that stand in multiples only come first.
/// `None` if one is left that does not.
fn beside_curved(points: &Points) -> Option<SumStep> {
    if let Some((iterator, value)) = equality(points) {
        return Some(SumStep::Replace(iterator, value));
    }
    let is_linear = |iterator: &Var| !points.constraints.iter().any(|c| is_curved(&[*iterator], &c.poly));
    let linear: Vec<Var> = points.iterators.iter().copied().filter(is_linear).collect();
    (!linear.is_empty()).then_some(SumStep::Eliminate(linear))
}

/// Returns an iterator that opposite bounds make equal to a polynomial, with this polynomial.
fn equality(points: &Points) -> Option<(Var, Poly)> {
    let polys = || points.constraints.iter().map(|constraint| &constraint.poly);
    let equal = |a: &&Poly| polys().any(|b| *b == -*a);
    polys().filter(equal).find_map(|constraint| {
        points.iterators.iter().find_map(|iterator| {
            let (slope, rest) = constraint.split_slope(*iterator);
            slope.abs().is_one().then(|| (*iterator, rest.scale(&-slope)))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conditions::Conditions;
    use crate::formula::root::Roots;
    use crate::residue::{Periods, Residues};
    use num_traits::ToPrimitive;
    use proptest::prelude::*;

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
    fn points(half: [i64; 4], cut: [i64; 3]) -> Points {
        let [i, j] = [2, 3].map(var);
        let [a, b, c, d] = half;
        let [e, f, g] = cut;
        let oblique = linear([a, b, 0, c, d]);
        let cut = linear([e, 0, -1, f, g]);
        let square = [i.clone(), j.clone(), &var(0) - &i, &var(0) - &j];
        let constraints = square.into_iter().chain([oblique, cut]).map(Constraint::non_negative).collect();
        Points::new(constraints, vec![Var(2), Var(3)])
    }

    fn enumerated(points: &Points, summand: &Poly, n: i64, t: i64) -> Rational {
        let places = (0..=n).flat_map(|i| (0..=n).map(move |j| [n, t, i, j].map(BigInt::from)));
        let inside = |p: &[BigInt; 4]| points.constraints.iter().all(|c| c.holds_at(p));
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
            let mut roots = Roots::Unwanted;
            let mut near = Near::new(&[n.into()], t.into(), &mut conditions, &mut roots);
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

        /// Points of the triangle 0 ≤ j ≤ i ≤ n with a value that is not linear in i and exceeds the threshold.
        #[test]
        fn sums_between_roots_agree_with_enumeration(
            square in prop::sample::select(vec![-1_i64, 0, 1, 3]), a in -2_i64..4, b in 0_i64..3, c in -2_i64..3,
            n in 3_i64..12, share in 0_i64..20,
        ) {
            let [size, threshold, i, j] = [0, 1, 2, 3].map(var);
            let scaled = |poly: &Poly, factor: i64| poly.scale(&Rational::from_integer(factor.into()));
            let value = [scaled(&(&i * &i), square), scaled(&i, a), scaled(&(&size * &i), b), scaled(&j, c)];
            let value = value.iter().fold(Poly::zero(), |sum, term| &sum + term);
            let cut = &(&value - &threshold) - &Poly::one();
            let triangle = [j.clone(), &i - &j, &size - &i, cut].map(Constraint::non_negative).to_vec();
            let points = Points::new(triangle, vec![Var(2), Var(3)]);
            let greatest = value.evaluate(&[n, 0, n, n].map(BigInt::from)).to_integer();
            let t: BigInt = greatest * share / 20;
            let residues = Residues::new(Periods::new(vec![1]), vec![vec![0]]);
            let context = [Constraint::non_negative(&size - &Poly::one())];
            let mut conditions = Conditions::new(&context, 1, residues).near(vec![n.into()]);
            let mut roots = Roots::Found(Vec::new());
            let mut near = Near::new(&[n.into()], t.clone(), &mut conditions, &mut roots);
            let summands = [Poly::one(), &i * &j];
            let Some(found) = sums(&mut near, points.clone(), &summands) else { return Ok(()) };
            let range = near.into_range();
            let variables = found.iter().flat_map(Poly::vars).collect();
            let roots = roots.mentioned(&variables);
            let constraints = conditions.constraints();
            let t = t.to_i64().unwrap();
            let mut held = 0;
            for (n, t) in [0, 1, 3].iter().flat_map(|more| [0, 1, 2, -1, 7].map(|other| (n + more, t + other))) {
                let known = [BigInt::from(n), BigInt::from(t)];
                let at = |end: &Option<Poly>| end.as_ref().map(|end| end.evaluate(&known[..1]).to_integer());
                let outside = at(&range.from).is_some_and(|from| known[1] < from) || at(&range.to).is_some_and(|to| known[1] > to);
                if outside || constraints.iter().any(|c| c.poly.evaluate(&known[..1]).is_negative()) {
                    continue;
                }
                held += 1;
                for (formula, summand) in found.iter().zip(&summands) {
                    let values: Vec<_> = roots.iter().map(|root| (root.var, Poly::integer(root.value(&known)))).collect();
                    let number = formula.with_values(&values).evaluate(&known);
                    prop_assert_eq!(number, enumerated(&points, summand, n, t), "n = {}, t = {}", n, t);
                }
            }
            prop_assert!(held > 0, "not even at the sample");
        }
    }
}
