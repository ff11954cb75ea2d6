//! The number of points of a set without free variables, one by one.
//!
//! Lines of an array whose rows lines do not divide depend on remainders of several iterators: `(1923·i + 3·j) mod 64`.
//! A closed form has a part for each combination of remainders, and takes as long for each as a few thousand points.
//! Where the bounds of all iterators are numbers, the points may be fewer than that. (docs/mathematics.md, "Classes".) Rows that differ
//! by a common multiple of the divisors have equally many points, so of those one is looked at.

use std::collections::BTreeMap;

use num_integer::Integer;
use num_traits::{One, ToPrimitive};
use symloc_quasi::{Atom, Constraint, Poly, Rational, Relation, Var};

use crate::rounding::without_rounding;

/// The number of points that take as long as a part of a closed form.
const POINTS_PER_PART: u64 = 1 << 12;

/// The largest number of points.
const POINTS: u64 = 1 << 20;

/// The largest absolute value of an iterator or a coefficient, so that sums of products stay within 64 bits.
const LARGEST: i64 = 1 << 28;

/// Returns the number of points of a conjunction, if its iterators are its only variables and the points are few beside the
/// parts of a closed form.
pub(crate) fn count(points: &[Constraint], iterators: &[Var]) -> Option<u64> {
    let parts = parts(points, iterators)?;
    let ranges = ranges(points, iterators)?;
    let size = |(least, most): &(i64, i64)| u64::try_from(most - least + 1).unwrap_or(0);
    let volume = ranges.iter().try_fold(1_u64, |volume, range| volume.checked_mul(size(range)))?;
    if volume > POINTS.min(parts.saturating_mul(POINTS_PER_PART)) {
        return None;
    }
    let mut conditions: Vec<Vec<(FlooredSum, Relation)>> = iterators.iter().map(|_| Vec::new()).collect();
    for constraint in points {
        let sum = FlooredSum::of(&constraint.poly, iterators)?;
        conditions[sum.last()?].push((sum, constraint.relation));
    }
    Some(PointCounter::new(ranges, conditions).count(&mut vec![0; iterators.len()], 0))
}

/// Returns the number of parts of a closed form that takes each iterator in a floor residue by residue; `None` if there is
/// no such iterator, or another variable.
fn parts(points: &[Constraint], iterators: &[Var]) -> Option<u64> {
    if !points.iter().all(|constraint| constraint.poly.vars().iter().all(|var| iterators.contains(var))) {
        return None;
    }
    let floors = || points.iter().flat_map(|constraint| constraint.poly.floors());
    let residues = |var: &Var| {
        let moduli = floors().filter(|floor| floor.numerator().vars().contains(var)).map(|floor| {
            let slope = floor.numerator().slope(*var).to_integer();
            (floor.divisor() / floor.divisor().gcd(&slope)).to_u64().unwrap_or(u64::MAX)
        });
        moduli.max().unwrap_or(1)
    };
    let parts = iterators.iter().fold(1_u64, |parts, var| parts.saturating_mul(residues(var)));
    (parts > 1).then_some(parts)
}

/// Returns a range of each iterator that holds all its values, from inequalities whose floors are not rounded.
fn ranges(points: &[Constraint], iterators: &[Var]) -> Option<Vec<(i64, i64)>> {
    let both = |constraint: &Constraint| match constraint.relation {
        Relation::NonNegative => vec![constraint.poly.clone()],
        Relation::Zero => vec![constraint.poly.clone(), -&constraint.poly],
    };
    let sums: Option<Vec<FlooredSum>> =
        points.iter().flat_map(both).map(|poly| rounded_nowhere(&poly, iterators)).collect();
    let sums = sums?;
    let mut ranges: Vec<(Option<i64>, Option<i64>)> = vec![(None, None); iterators.len()];
    // Each round may bound one more iterator by those of the rounds before.
    for _ in iterators {
        for sum in &sums {
            for (place, slope) in &sum.terms {
                let others = sum.terms.iter().filter(|(other, _)| other != place);
                let most = |(other, slope): &(usize, i64)| {
                    let (least, most) = ranges[*other];
                    if *slope > 0 { most?.checked_mul(*slope) } else { least?.checked_mul(*slope) }
                };
                let Some(most) = others.map(most).try_fold(sum.constant, |sum, term| sum.checked_add(term?)) else {
                    continue;
                };
                let (least, last) = &mut ranges[*place];
                match slope.is_positive() {
                    true => *least = Some(least.unwrap_or(i64::MIN).max(-most.div_euclid(*slope))),
                    false => *last = Some(last.unwrap_or(i64::MAX).min(most.div_euclid(-*slope))),
                }
            }
        }
    }
    let small = |(least, most): (Option<i64>, Option<i64>)| {
        Some((least.filter(|least| *least >= -LARGEST)?, most.filter(|most| *most <= LARGEST)?))
    };
    ranges.into_iter().map(small).collect()
}

/// Returns a sum without floors that is nowhere less than a polynomial, times a positive number.
fn rounded_nowhere(poly: &Poly, iterators: &[Var]) -> Option<FlooredSum> {
    let sum = FlooredSum::of(poly, iterators)?;
    // Within a floor there may be others.
    if sum.floors.is_empty() { Some(sum) } else { rounded_nowhere(&without_rounding(poly), iterators) }
}

/// A sum of iterators and of floors of such sums.
struct FlooredSum {
    constant: i64,
    /// Places of iterators, with coefficients.
    terms: Vec<(usize, i64)>,
    /// Numerators and divisors, with coefficients.
    floors: Vec<(FlooredSum, i64, i64)>,
}

impl FlooredSum {
    /// Returns a polynomial times the common denominator of its coefficients; `None` if it has products or large numbers.
    fn of(poly: &Poly, iterators: &[Var]) -> Option<Self> {
        let poly = poly.scale(&Rational::from_integer(poly.common_denominator()));
        let mut sum = Self { constant: 0, terms: Vec::new(), floors: Vec::new() };
        for (monomial, coefficient) in poly.terms() {
            let coefficient = small(&coefficient.to_integer())?;
            match monomial.factors() {
                [] => sum.constant = coefficient,
                [(Atom::Var(var), 1)] => {
                    sum.terms.push((iterators.iter().position(|iterator| iterator == var)?, coefficient));
                }
                [(Atom::Floor(floor), 1)] => {
                    let is_whole = floor.numerator().common_denominator().is_one();
                    let numerator = Self::of(floor.numerator(), iterators).filter(|_| is_whole)?;
                    sum.floors.push((numerator, small(floor.divisor())?, coefficient));
                }
                _ => return None,
            }
        }
        Some(sum)
    }

    /// Returns the last place of an iterator.
    fn last(&self) -> Option<usize> {
        let own = self.terms.iter().map(|(place, _)| *place);
        own.chain(self.floors.iter().filter_map(|(numerator, ..)| numerator.last())).max()
    }

    /// Returns a number such that the sum changes by one amount whenever an iterator grows by it; `None` if it is large.
    fn period(&self, place: usize) -> Option<i64> {
        self.floors.iter().try_fold(1_i64, |period, (numerator, divisor, _)| {
            let own = if numerator.last() < Some(place) { 1 } else { divisor.checked_mul(numerator.period(place)?)? };
            Some(period.lcm(&own)).filter(|period| *period <= LARGEST)
        })
    }

    /// Returns the amount by which the sum changes when an iterator grows by a multiple of the period.
    fn change(&self, place: usize, by: i64) -> Option<i64> {
        let slope: i64 = self.terms.iter().filter(|(other, _)| *other == place).map(|(_, slope)| slope).sum();
        self.floors.iter().try_fold(slope.checked_mul(by)?, |sum, (numerator, divisor, coefficient)| {
            sum.checked_add((numerator.change(place, by)? / divisor).checked_mul(*coefficient)?)
        })
    }

    fn at(&self, point: &[i64]) -> i64 {
        let terms: i64 = self.terms.iter().map(|(place, slope)| slope * point[*place]).sum();
        let floor = |(numerator, divisor, coefficient): &(FlooredSum, i64, i64)| {
            coefficient * numerator.at(point).div_euclid(*divisor)
        };
        self.constant + terms + self.floors.iter().map(floor).sum::<i64>()
    }
}

fn small(number: &num_bigint::BigInt) -> Option<i64> {
    number.to_i64().filter(|number| number.abs() <= LARGEST)
}

/// A condition on a sum, as it compares with 0.
type SumCondition = (FlooredSum, Relation);

/// The points within ranges, iterator by iterator.
struct PointCounter {
    ranges: Vec<(i64, i64)>,
    /// The constraints by the last iterator that they are about.
    conditions: Vec<Vec<SumCondition>>,
    /// By place, for each iterator before: after how many of its values the number of points repeats. `None` if it does not.
    periods: Vec<Vec<Option<i64>>>,
    /// The numbers of points, by the values before.
    known: BTreeMap<Vec<i64>, u64>,
}

impl PointCounter {
    fn new(ranges: Vec<(i64, i64)>, conditions: Vec<Vec<SumCondition>>) -> Self {
        let before = |place: usize| (0..place).map(|before| repeats(&conditions[place..], before)).collect();
        let periods = (0..ranges.len()).map(before).collect();
        Self { ranges, conditions, periods, known: BTreeMap::new() }
    }

    /// Returns the number of points with the values before `place`.
    fn count(&mut self, point: &mut [i64], place: usize) -> u64 {
        let Some((least, most)) = self.ranges.get(place).copied() else { return 1 };
        let residue = |(value, period): (&i64, &Option<i64>)| period.map_or(*value, |period| value.rem_euclid(period));
        let residues: Vec<i64> = point.iter().zip(&self.periods[place]).map(residue).collect();
        if let Some(known) = self.known.get(&residues) {
            return *known;
        }
        let mut count = 0;
        for value in least..=most {
            point[place] = value;
            let holds = |(sum, relation): &SumCondition| relation.holds(sum.at(point).cmp(&0));
            if self.conditions[place].iter().all(holds) {
                count += self.count(point, place + 1);
            }
        }
        if self.periods[place].iter().any(Option::is_some) {
            self.known.insert(residues, count);
        }
        count
    }
}

/// Returns after how many values of an iterator conditions repeat.
fn repeats(conditions: &[Vec<SumCondition>], place: usize) -> Option<i64> {
    let sums = || conditions.iter().flatten().map(|(sum, _)| sum);
    let period =
        sums().try_fold(1_i64, |period, sum| Some(period.lcm(&sum.period(place)?)).filter(|p| *p <= LARGEST))?;
    sums().all(|sum| sum.change(place, period) == Some(0)).then_some(period)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn var(index: u32) -> Poly {
        Poly::var(Var(index))
    }

    fn remainder(poly: &Poly, divisor: i64) -> Poly {
        let divisor = num_bigint::BigInt::from(divisor);
        poly - &poly.floor_div(&divisor).scale(&Rational::from_integer(divisor))
    }

    /// Points of a box whose address in rows of 1,923 bytes ends a pixel within a line, counted by hand.
    #[test]
    fn pixels_within_lines_are_counted() {
        let address =
            &var(0).scale(&Rational::from_integer(1923.into())) + &var(1).scale(&Rational::from_integer(3.into()));
        let within = Constraint::non_negative(&Poly::integer(61) - &remainder(&address, 64));
        let bound = |low: Poly, high: Poly| Constraint::non_negative(&high - &low);
        let points = [
            within,
            bound(Poly::zero(), var(0)),
            bound(var(0), Poly::integer(40)),
            // Between the start of the row and 200, in terms of a floor.
            bound(Poly::zero(), var(1)),
            bound(var(1).scale(&Rational::from_integer(2.into())).floor_div(&2.into()), Poly::integer(200)),
        ];
        let expected =
            (0..=40).flat_map(|i| (0..=200).map(move |j| (1923 * i + 3 * j) % 64)).filter(|r| *r <= 61).count();
        assert_eq!(count(&points, &[Var(0), Var(1)]), Some(expected as u64));
        // Floors in floors bound iterators as well: 2·⌊(⌊j/3⌋ + 1)/2⌋ <= 20 is j <= 62.
        let thirds = &var(1).floor_div(&3.into()) + &Poly::one();
        let halves = thirds.floor_div(&2.into()).scale(&Rational::from_integer(2.into()));
        let nested = [&points[..4], &[bound(halves, Poly::integer(20))]].concat();
        let expected =
            (0..=40).flat_map(|i| (0..=62).map(move |j| (1923 * i + 3 * j) % 64)).filter(|r| *r <= 61).count();
        assert_eq!(count(&nested, &[Var(0), Var(1)]), Some(expected as u64));
        // Another variable, too many points, no floor.
        assert_eq!(count(&points, &[Var(1)]), None);
        let wide = [&points[..1], &[bound(Poly::zero(), var(0)), bound(var(0), Poly::integer(1 << 20))], &points[3..]]
            .concat();
        assert_eq!(count(&wide, &[Var(0), Var(1)]), None);
        assert_eq!(count(&points[1..4], &[Var(0), Var(1)]), None);
    }

    /// Random conjunctions with floors of floors, beside all points of a box that holds them.
    #[test]
    fn random_sets_have_the_points_of_a_box() {
        let mut state = 7_u64;
        let mut below = |end: i64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as i64 % end
        };
        let times = |poly: &Poly, factor: i64| poly.scale(&Rational::from_integer(factor.into()));
        let mut counted = 0;
        for _ in 0..300 {
            let mut sum =
                || &(&times(&var(0), below(7) - 3) + &times(&var(1), below(7) - 3)) + &Poly::integer(below(9) - 4);
            let [first, second, third, fourth] = [sum(), sum(), sum(), sum()];
            let inner = (&first + &times(&second.floor_div(&3.into()), 2)).floor_div(&5.into());
            let mut points = vec![
                Constraint::non_negative(&third + &times(&inner, below(5) - 2)),
                Constraint::non_negative(&fourth - &times(&first.floor_div(&4.into()), 3)),
            ];
            for iterator in [var(0), var(1)] {
                // One bound of each has a floor itself.
                let bound = &Poly::integer(20) - &times(&iterator, 2).floor_div(&3.into());
                points.extend([&iterator + &Poly::integer(12), bound].map(Constraint::non_negative));
            }
            let all = (-12..=31).flat_map(|i| (-12..=31).map(move |j| [i, j].map(num_bigint::BigInt::from)));
            let expected = all.filter(|point| points.iter().all(|constraint| constraint.holds_at(point))).count();
            if let Some(found) = count(&points, &[Var(0), Var(1)]) {
                assert_eq!(found, expected as u64, "{points:?}");
                counted += 1;
            }
        }
        assert!(counted > 200, "{counted}");
    }
}
