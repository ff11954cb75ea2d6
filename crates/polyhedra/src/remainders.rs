//! The number of points of a box at which a sum has some of its remainders.
//!
//! Where rows of an array start at different places of a line, an access is the first one to its line where, for instance,
//! `(9·x₀ + 5·x₁ + x₂) mod 16 = 11`. Of the L = p·q + l values of an iterator x, where p is the period of a·x mod d, each
//! remainder that a·x has comes up q times, and those of the first l values once more. So how often the sum has each
//! remainder follows iterator by iterator, if the remainders of all L are known: as a polynomial in the q, whose coefficients are
//! numbers. A closed form that takes each iterator residue by residue has a case for each combination of them.
//! (docs/mathematics.md, "Classes".)

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use symloc_quasi::{Atom, Constraint, Floor, Monomial, Poly, Rational, Relation, Var};

use crate::implication::Facts;
use crate::range::Range;

/// The largest divisor.
const DIVISOR: usize = 1 << 10;

/// The largest number of iterators: a polynomial has up to two to this power terms.
const ITERATORS: usize = 8;

/// A part of the values of the free variables, and the number of points there.
type PartCount = (Vec<Constraint>, Poly);

/// Returns the number of points, in parts, if all that a conjunction says of its iterators is one range for each, never empty, and
/// conditions on the remainder of one sum.
pub(crate) fn count(points: &[Constraint], iterators: &[Var], context: &Facts) -> Option<Vec<PartCount>> {
    let is_own = |poly: &Poly| poly.vars().iter().any(|var| iterators.contains(var));
    let is_rounded = |constraint: &Constraint| constraint.poly.floors().iter().any(|floor| is_own(floor.numerator()));
    let (own, rest): (Vec<_>, Vec<_>) = points.iter().cloned().partition(|constraint| is_own(&constraint.poly));
    let (mut rounded, mut bounds): (Vec<_>, Vec<_>) = own.into_iter().partition(is_rounded);
    if iterators.len() > ITERATORS {
        return None;
    }
    if rounded.is_empty() {
        let multiples = iterators.iter().find_map(|iterator| multiples(&bounds, *iterator))?;
        (bounds, rounded) = multiples;
    }
    let sum = RemainderConditions::of(&rounded, &is_own)?;
    let facts = context.with(&rest);
    let mut numbers = RemainderNumbers::of_zero(sum.divisor);
    let mut start = sum.sum.clone();
    for iterator in iterators {
        let (low, extent) = range(&mut bounds, *iterator).filter(|(low, extent)| !is_own(low) && !is_own(extent))?;
        is_filled(&extent, sum.divisor, &facts).then_some(())?;
        numbers.add(sum.slope(*iterator)?, &extent, &facts)?;
        start = start.with_value(*iterator, &low);
    }
    let mut cases = starts(&start, sum.divisor, &facts)?.into_iter().map(|(case, start)| {
        let count = numbers.count(|remainder| sum.hold((remainder + start) % sum.divisor));
        (rest.iter().cloned().chain(case).collect(), count)
    });
    let first: PartCount = cases.next()?;
    let others: Vec<PartCount> = cases.collect();
    match others.iter().all(|(_, count)| *count == first.1) {
        true => Some(vec![(rest.clone(), first.1)]),
        false => Some(std::iter::once(first).chain(others).collect()),
    }
}

/// Returns bounds and a condition on a remainder that have as many points as bounds of which two are on multiples of an iterator: from
/// s to s + w there are as many multiples of d as there are y from 0 to w with `(s + y) mod d = 0`.
fn multiples(bounds: &[Constraint], iterator: Var) -> Option<(Vec<Constraint>, Vec<Constraint>)> {
    let (own, mut others): (Vec<_>, Vec<_>) = bounds.iter().cloned().partition(|c| c.poly.vars().contains(&iterator));
    let [one, other] = &own[..] else { return None };
    let (lower, upper) =
        if one.poly.slope(iterator) > other.poly.slope(iterator) { (one, other) } else { (other, one) };
    let (slope, start) = lower.poly.split_slope(iterator);
    let both_are_bounds = [lower, upper].iter().all(|bound| bound.relation == Relation::NonNegative);
    if !both_are_bounds || upper.poly.slope(iterator) != -&slope || slope <= Rational::one() {
        return None;
    }
    let (divisor, y) = (slope.to_integer(), Poly::var(iterator));
    let place = &y - &start;
    let whole = place.floor_div(&divisor).scale(&slope);
    others.extend([y.clone(), &(&lower.poly + &upper.poly) - &y].map(Constraint::non_negative));
    Some((others, vec![Constraint::zero(&place - &whole)]))
}

/// Returns the least value of an iterator and the number of its values, and leaves the constraints that are not about it.
fn range(bounds: &mut Vec<Constraint>, iterator: Var) -> Option<(Poly, Poly)> {
    let (range, rest) = Range::of(bounds, iterator)?;
    let ([low], [high]) = (&range.lower[..], &range.upper[..]) else { return None };
    *bounds = rest;
    Some((low.clone(), &(high - low) + &Poly::one()))
}

/// Returns true if a range is known to have values. One of 4, 20, 36, … values has some if it has more than -12.
fn is_filled(extent: &Poly, divisor: usize, facts: &Facts) -> bool {
    let rest = facts.remainder(extent, &divisor.into()).filter(|rest| !rest.is_zero());
    let least = rest.map_or_else(BigInt::one, |rest| rest - BigInt::from(divisor) + BigInt::one());
    facts.imply(&Constraint::non_negative(extent - &Poly::integer(least)))
}

/// Returns the remainder of a sum of free variables: one that is known, or each with the condition on the one variable that decides.
fn starts(sum: &Poly, divisor: usize, facts: &Facts) -> Option<Vec<(Option<Constraint>, usize)>> {
    if let Some(known) = facts.remainder(sum, &divisor.into()) {
        return Some(vec![(None, known.to_usize()?)]);
    }
    let is_open = |var: &Var| {
        let (slope, rest) = sum.split_slope(*var);
        slope.is_integer() && !rest.vars().contains(var) && facts.remainder(&rest, &divisor.into()).is_some()
    };
    let open = sum.vars().into_iter().find(is_open)?;
    let (slope, rest) = sum.split_slope(open);
    let (slope, rest) = (slope.to_integer(), facts.remainder(&rest, &divisor.into())?);
    let period = BigInt::from(divisor) / slope.gcd(&divisor.into());
    let case = |value: usize| {
        let offset = &Poly::var(open) - &Poly::integer(value);
        let whole = offset.floor_div(&period).scale(&Rational::from_integer(period.clone()));
        let start = (&slope * BigInt::from(value) + &rest).mod_floor(&divisor.into());
        Some((Some(Constraint::zero(&offset - &whole)), start.to_usize()?))
    };
    (0..period.to_usize()?).map(case).collect()
}

/// Conditions on the remainder of one sum.
struct RemainderConditions {
    /// A sum of iterators and other variables with integral coefficients.
    sum: Poly,
    divisor: usize,
    conditions: Vec<RemainderCondition>,
}

/// A condition `factor·((sum + offset) mod divisor) + rest ≥ 0`, or `= 0`.
struct RemainderCondition {
    offset: usize,
    factor: Rational,
    rest: Rational,
    relation: Relation,
}

impl RemainderConditions {
    /// Returns what some constraints say of a remainder; `None` if it is more than that, or of several sums.
    fn of(constraints: &[Constraint], is_own: &dyn Fn(&Poly) -> bool) -> Option<Self> {
        let first = floor_in(constraints.first()?, is_own)?;
        let (sum, divisor) = (first.numerator().clone(), first.divisor().to_usize().filter(|d| *d <= DIVISOR)?);
        let condition = |constraint: &Constraint| {
            let floor = floor_in(constraint, is_own)?;
            let offset = (floor.divisor() == first.divisor())
                .then(|| Facts::default().remainder(&(floor.numerator() - &sum), first.divisor()));
            let monomial = Monomial::power(Atom::Floor(floor.clone()), 1);
            let divisor = Rational::from_integer(first.divisor().clone());
            let factor = -constraint.poly.coefficient(&monomial) / &divisor;
            let remainder = floor.numerator() - &Poly::term(divisor, monomial);
            let rest = (&constraint.poly - &remainder.scale(&factor)).as_constant()?;
            Some(RemainderCondition { offset: offset??.to_usize()?, factor, rest, relation: constraint.relation })
        };
        let conditions = constraints.iter().map(condition).collect::<Option<_>>()?;
        Some(Self { sum, divisor, conditions })
    }

    /// Returns the coefficient of an iterator, modulo the divisor.
    fn slope(&self, iterator: Var) -> Option<usize> {
        self.sum.slope(iterator).to_integer().mod_floor(&self.divisor.into()).to_usize()
    }

    /// Returns true if all conditions hold where the sum has this remainder.
    fn hold(&self, remainder: usize) -> bool {
        self.conditions.iter().all(|RemainderCondition { offset, factor, rest, relation }| {
            let remainder = Rational::from_integer(((remainder + offset) % self.divisor).into());
            relation.holds((factor * remainder + rest).cmp(&Rational::zero()))
        })
    }
}

/// Returns the one floor of iterators in a constraint, if it is that of a sum with integral coefficients.
fn floor_in(constraint: &Constraint, is_own: &dyn Fn(&Poly) -> bool) -> Option<Floor> {
    let mut floors = constraint.poly.floors().into_iter().filter(|floor| is_own(floor.numerator()));
    let (floor, None) = (floors.next()?, floors.next()) else { return None };
    let numerator = floor.numerator();
    let is_sum = numerator.degree() <= 1 && numerator.floors().is_empty() && numerator.common_denominator().is_one();
    is_sum.then(|| floor.clone())
}

/// The numbers of points at which a sum has each remainder: a sum of polynomials, each times one number for each remainder.
struct RemainderNumbers(Vec<(Poly, Vec<u64>)>);

impl RemainderNumbers {
    /// Returns the numbers for a sum of no iterators.
    fn of_zero(divisor: usize) -> Self {
        let mut numbers = vec![0; divisor];
        numbers[0] = 1;
        Self(vec![(Poly::one(), numbers)])
    }

    /// Adds `slope·x` with `0 ≤ x < extent`; `None` if the remainder of the extent is not known, or numbers become too large.
    fn add(&mut self, slope: usize, extent: &Poly, facts: &Facts) -> Option<()> {
        let divisor = self.0.first()?.1.len();
        let period = divisor / slope.gcd(&divisor);
        let rest = facts.remainder(extent, &period.into())?;
        let rounds = (extent - &Poly::integer(rest.clone())).scale(&Rational::new(BigInt::one(), period.into()));
        let mut sums = Vec::new();
        for (factor, numbers) in &self.0 {
            for (factor, values) in [(factor * &rounds, period), (factor.clone(), rest.to_usize()?)] {
                if !factor.is_zero() && values > 0 {
                    sums.push((factor, shifted(numbers, slope, values)?));
                }
            }
        }
        self.0 = sums;
        Some(())
    }

    /// Returns the number of points at which the sum has one of some remainders.
    fn count(&self, is_asked: impl Fn(usize) -> bool) -> Poly {
        self.0.iter().fold(Poly::zero(), |count, (factor, numbers)| {
            let asked = numbers.iter().enumerate().filter(|(remainder, _)| is_asked(*remainder));
            let number: BigInt = asked.map(|(_, number)| BigInt::from(*number)).sum();
            &count + &factor.scale(&Rational::from_integer(number))
        })
    }
}

/// Returns the numbers by remainder after `slope·x` with `0 ≤ x < values` has been added to a sum.
fn shifted(numbers: &[u64], slope: usize, values: usize) -> Option<Vec<u64>> {
    let mut sums = vec![0_u64; numbers.len()];
    for (remainder, number) in numbers.iter().enumerate().filter(|(_, number)| **number > 0) {
        for value in 0..values {
            let sum = &mut sums[(remainder + slope * value) % numbers.len()];
            *sum = sum.checked_add(*number)?;
        }
    }
    Some(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: Var = Var(0);
    const Q: Var = Var(1);
    const ITERATORS: [Var; 3] = [Var(2), Var(3), Var(4)];

    fn times(poly: &Poly, factor: i64) -> Poly {
        poly.scale(&Rational::from_integer(factor.into()))
    }

    fn remainder(poly: &Poly, divisor: i64) -> Poly {
        poly - &times(&poly.floor_div(&divisor.into()), divisor)
    }

    fn between(low: &Poly, var: Var, high: &Poly) -> [Constraint; 2] {
        [&Poly::var(var) - low, high - &Poly::var(var)].map(Constraint::non_negative)
    }

    /// Random boxes up to n + k and numbers, where n mod 12 = 7, with conditions on remainders of sums of their iterators and q, beside
    /// all of their points.
    #[test]
    fn points_of_random_boxes_are_counted() {
        let mut state = 3_u64;
        let mut below = |end: i64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as i64 % end
        };
        let n = Poly::var(N);
        let context = Facts::new(&[
            Constraint::zero(&remainder(&n, 12) - &Poly::integer(7)),
            Constraint::non_negative(&n - &Poly::integer(7)),
        ]);
        let mut with_q = 0;
        for round in 0..200 {
            let iterators = &ITERATORS[..1 + round % 3];
            let divisor = [2, 3, 4, 6, 12][below(5) as usize];
            let mut sum = Poly::integer(below(30) - 15);
            let mut points = Vec::new();
            for iterator in iterators {
                sum += &times(&Poly::var(*iterator), below(20) - 10);
                let high = if below(2) == 0 { &n + &Poly::integer(below(9) - 4) } else { Poly::integer(3 + below(14)) };
                points.extend(between(&Poly::integer(below(6) - 2), *iterator, &high));
            }
            if below(3) == 0 {
                sum += &times(&Poly::var(Q), 1 + below(11));
                points.extend(between(&Poly::zero(), Q, &Poly::integer(20)));
            }
            let least = &remainder(&sum, divisor) - &Poly::integer(below(divisor));
            let other = remainder(&(&sum + &Poly::integer(below(40))), divisor);
            points.push(Constraint::non_negative(least));
            points.push(match below(3) {
                0 => Constraint::zero(&times(&other, 2) - &Poly::integer(2 * below(divisor))),
                _ => Constraint::non_negative(&Poly::integer(below(divisor)) - &other),
            });
            let own = |poly: &Poly| poly.vars().iter().any(|var| iterators.contains(var));
            if points[points.len() - 2..].iter().any(|constraint| !own(&constraint.poly)) {
                continue;
            }
            let parts = count(&points, iterators, &context).unwrap_or_else(|| panic!("{points:?}"));
            with_q += u8::from(parts.len() > 1);
            for (size, q) in [(7, 0), (19, 5), (19, 18)] {
                let values: Vec<Vec<i64>> = (0..iterators.len() as u32).fold(vec![vec![size, q]], |points, _| {
                    points.iter().flat_map(|point| (-2..=25).map(move |x| [&point[..], &[x]].concat())).collect()
                });
                let point = |values: &Vec<i64>| values.iter().copied().map(BigInt::from).collect::<Vec<_>>();
                let holds = |values: &&Vec<i64>| points.iter().all(|constraint| constraint.holds_at(&point(values)));
                let expected = values.iter().filter(holds).count();
                let here = parts.iter().filter(|(part, _)| part.iter().all(|c| c.holds_at(&point(&vec![size, q]))));
                let found: Rational = here.map(|(_, count)| count.evaluate(&point(&vec![size, q]))).sum();
                assert_eq!(found, Rational::from_integer(expected.into()), "n = {size}, q = {q}: {points:?}");
            }
        }
        assert!(with_q > 10, "{with_q}");
    }

    /// The lines of a box of rows: multiples of 8 from 35·i + 7·j - q on, within 126 of it.
    #[test]
    fn multiples_near_points_of_boxes_are_counted() {
        let [i, j, line] = ITERATORS.map(Poly::var);
        let start = &(&times(&i, 35) + &times(&j, 7)) - &Poly::var(Q);
        let from = &times(&line, 8) - &start;
        let near = [from.clone(), &Poly::integer(126) - &from].map(Constraint::non_negative);
        let sides = [
            between(&Poly::zero(), ITERATORS[0], &Poly::integer(5)),
            between(&Poly::one(), ITERATORS[1], &Poly::integer(9)),
        ];
        let points = [near.to_vec(), sides.concat()].concat();
        let parts = count(&points, &ITERATORS, &Facts::default()).unwrap();
        assert_eq!(parts.len(), 8);
        for q in 0..16 {
            let all = (0..=5).flat_map(|i| (1..=9).map(move |j| 35 * i + 7 * j - q));
            let expected: i64 =
                all.map(|start: i64| (start..=start + 126).filter(|place| place % 8 == 0).count() as i64).sum();
            let point = [0, q].map(BigInt::from);
            let here = parts.iter().filter(|(part, _)| part.iter().all(|c| c.holds_at(&point)));
            assert_eq!(
                here.map(|(_, count)| count.evaluate(&point)).sum::<Rational>(),
                Rational::from_integer(expected.into())
            );
        }
        // Bounds of different multiples, or of one alone.
        assert!(
            count(&[&points[1..], &[Constraint::non_negative(line.clone())]].concat(), &ITERATORS, &Facts::default())
                .is_none()
        );
        assert!(
            count(&[&points[2..], &between(&i, ITERATORS[2], &j)].concat(), &ITERATORS, &Facts::default()).is_none()
        );
    }

    #[test]
    fn other_sets_are_left() {
        let [n, q] = [N, Q].map(Poly::var);
        let [i, j] = [ITERATORS[0], ITERATORS[1]].map(Poly::var);
        let asked = Constraint::zero(remainder(&(&i + &j), 4));
        let square = [between(&Poly::zero(), ITERATORS[0], &n), between(&Poly::zero(), ITERATORS[1], &n)].concat();
        let triangle = [between(&Poly::zero(), ITERATORS[0], &j), between(&Poly::zero(), ITERATORS[1], &n)].concat();
        let rest = |value: i64| Constraint::zero(&remainder(&n, 4) - &Poly::integer(value));
        let least = |value: i64| Constraint::non_negative(&n - &Poly::integer(value));
        let whole = Facts::new(&[rest(3), least(3)]);
        let is_counted = |bounds: &[Constraint], conditions: &[Constraint], context: &Facts| {
            count(&[bounds, conditions].concat(), &ITERATORS[..2], context).is_some()
        };
        let asked_twice = [asked.clone(), Constraint::zero(remainder(&(&i - &j), 4))];
        let of_both = Constraint::non_negative(&(&i + &times(&(&i + &j).floor_div(&4.into()), 4)) - &q);
        let one = [asked];
        assert!(is_counted(&square, &one, &whole));
        // Without the remainder of n, or with ranges that may be empty; of other shapes, sums and conditions.
        assert!(!is_counted(&square, &one, &Facts::new(&[least(0)])));
        assert!(is_counted(&square, &one, &Facts::new(&[rest(2), least(-1)])));
        assert!(!is_counted(&square, &one, &Facts::new(&[rest(2), least(-2)])));
        assert!(!is_counted(&square, &one, &Facts::new(&[rest(3)])));
        assert!(!is_counted(&triangle, &one, &whole));
        assert!(!is_counted(&square, &asked_twice, &whole));
        assert!(!is_counted(&square, &[of_both], &whole));
        assert!(!is_counted(&square, &[], &whole));
    }
}
