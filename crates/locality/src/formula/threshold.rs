//! Decisions that depend on a threshold.
//!
//! A sum over a polytope that a threshold t cuts has one formula as long as t stays between two of the polytope's
//! vertices. [`Near`] decides signs at a sample of the sizes and of t. What does not mention t becomes one of the
//! [`Conditions`] on the sizes; what does is solved for t, and narrows the [`ThresholdRange`] of thresholds that are
//! decided alike. All polynomials here are integers at sizes with the residues in question.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use symloc_quasi::{Atom, Floor, Monomial, Poly, Rational, Var};

use crate::conditions::Conditions;
use crate::formula::root::Roots;
use crate::residue::Residues;

/// The largest number of conditions between sizes. A formula that holds under more of them tells nobody anything, and each new one
/// is compared with all of them.
const MAX_CONDITIONS: usize = 100;

/// A sample of the sizes and of the threshold, with the conditions and the range derived from it.
pub(super) struct Near<'c> {
    /// The sizes, then the threshold.
    point: Vec<BigInt>,
    conditions: &'c mut Conditions,
    roots: &'c mut Roots,
    range: ThresholdRange,
}

/// `from ≤ t ≤ to`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ThresholdRange {
    pub(super) from: Option<Poly>,
    pub(super) to: Option<Poly>,
}

/// The constraint of `poly ≥ 0` on the threshold.
#[derive(Debug, PartialEq, Eq)]
enum ThresholdBound {
    AtLeast(Poly),
    AtMost(Poly),
}

impl<'c> Near<'c> {
    pub(super) fn new(
        sample: &[BigInt],
        threshold: BigInt,
        conditions: &'c mut Conditions,
        roots: &'c mut Roots,
    ) -> Self {
        let point = sample.iter().cloned().chain([threshold]).collect();
        Self { point, conditions, roots, range: ThresholdRange::default() }
    }

    /// Returns the threshold's variable: the one after the parameters.
    pub(super) fn threshold(&self) -> Var {
        Var(self.point.len() as u32 - 1)
    }

    /// Returns the sizes of the sample.
    pub(super) fn sizes(&self) -> &[BigInt] {
        &self.point[..self.point.len() - 1]
    }

    /// Returns the thresholds for which every decision so far is the same.
    pub(super) fn into_range(self) -> ThresholdRange {
        self.range
    }

    /// Returns `⌊poly/divisor⌋` of an integer.
    pub(super) fn floor(&self, poly: &Poly, divisor: &BigInt) -> Poly {
        floor(poly, divisor, self.conditions.residues())
    }

    /// Returns a polynomial rounded down.
    pub(super) fn rounded(&self, poly: &Poly) -> Poly {
        let scale = poly.common_denominator();
        self.floor(&poly.scale(&Rational::from_integer(scale.clone())), &scale)
    }

    /// Returns the last integer at which a polynomial that falls is not negative: a floor where it is linear, else a
    /// root. `None` if formulas are to have no roots.
    pub(super) fn root(&mut self, excess: &Poly, variable: Var, range: [&Poly; 2]) -> Option<Poly> {
        let (slope, rest) = excess.split_slope(variable);
        if slope.is_negative() && !rest.vars().contains(&variable) {
            let whole = Rational::from_integer(slope.denom().clone());
            return Some(self.floor(&rest.scale(&whole), slope.abs().numer()));
        }
        self.roots.of(excess, variable, range)
    }

    /// Returns true if formulas may have roots.
    pub(super) fn has_roots(&self) -> bool {
        matches!(self.roots, Roots::Found(_))
    }

    /// Requires `poly ≥ 0` of the sizes.
    pub(super) fn require_of_sizes(&mut self, poly: &Poly) {
        self.conditions.require(poly);
    }

    /// Returns whether `poly ≥ 0` at the sample, without any statement on other sizes.
    pub(super) fn holds(&self, poly: &Poly) -> bool {
        !poly.evaluate(&self.point).is_negative()
    }

    /// Decides `poly ≥ 0` of the sizes at the sample, and requires the same of all sizes.
    pub(super) fn decide_of_sizes(&mut self, poly: &Poly) -> bool {
        let holds = self.holds(poly);
        self.conditions.require(&if holds { poly.clone() } else { &-poly - &Poly::one() });
        holds
    }

    /// Decides `poly ≥ 0` at the sample and wherever the conditions hold and the threshold is in the range; `None` if
    /// the threshold cannot be isolated, or if there are too many conditions.
    pub(super) fn decide(&mut self, poly: &Poly) -> Option<bool> {
        let holds = self.holds(poly);
        if holds {
            self.require(poly)?;
        } else {
            self.require(&(&-poly - &Poly::one()))?;
        }
        Some(holds)
    }

    /// Returns the smaller one of two polynomials.
    pub(super) fn least<'p>(&mut self, a: &'p Poly, b: &'p Poly) -> Option<&'p Poly> {
        let difference = b - a;
        if self.holds(&difference) {
            self.require(&difference).map(|()| a)
        } else {
            self.require(&-&difference).map(|()| b)
        }
    }

    /// Requires `poly ≥ 0`, which holds at the sample; `None` if the threshold cannot be isolated, or if there are too many
    /// conditions.
    fn require(&mut self, poly: &Poly) -> Option<()> {
        if !poly.vars().contains(&self.threshold()) {
            self.conditions.require(poly);
            return (self.conditions.required() <= MAX_CONDITIONS).then_some(());
        }
        match self.solved(poly)? {
            ThresholdBound::AtLeast(bound) => {
                self.range.from = Some(match self.range.from.take() {
                    None => bound,
                    Some(known) => {
                        let (known, bound) = (-&known, -&bound);
                        let least = self.least(&known, &bound)?;
                        -least
                    }
                });
            }
            ThresholdBound::AtMost(bound) => {
                self.range.to = Some(match self.range.to.take() {
                    None => bound,
                    Some(known) => self.least(&known, &bound)?.clone(),
                });
            }
        }
        Some(())
    }

    /// Solves `poly ≥ 0`, which holds at the sample, for the threshold. With the threshold in several floors the bound
    /// is one that suffices; `None` if the sample is too close to it.
    fn solved(&self, poly: &Poly) -> Option<ThresholdBound> {
        let solved = |poly: &Poly| solve(poly, self.threshold(), self.conditions.residues());
        solved(poly).or_else(|| solved(&without_floors(poly, self.threshold()).filter(|below| self.holds(below))?))
    }
}

/// Returns a polynomial that is nowhere above a positive multiple of this one and has no floors with a variable t;
/// `None` if floors are factors or in other floors.
fn without_floors(poly: &Poly, t: Var) -> Option<Poly> {
    let mut below = poly.clone();
    for floor in poly.floors().into_iter().filter(|floor| floor.numerator().vars().contains(&t)) {
        let only = Monomial::power(Atom::Floor(floor.clone()), 1);
        let factor = poly.coefficient(&only);
        // (y − d + 1)/d ≤ ⌊y/d⌋ ≤ y/d
        let lost = if factor.is_positive() { floor.divisor() - BigInt::one() } else { BigInt::ZERO };
        let linear =
            (floor.numerator() - &Poly::integer(lost)).scale(&Rational::new(BigInt::one(), floor.divisor().clone()));
        below += &(&linear.scale(&factor) - &Poly::term(factor, only));
    }
    let is_left = below.floors().into_iter().any(|floor: &Floor| floor.numerator().vars().contains(&t));
    (!is_left).then(|| below.scale(&Rational::from_integer(below.common_denominator())))
}

/// Returns `⌊poly/divisor⌋` of an integer, without the floor where the residues determine the remainder.
fn floor(poly: &Poly, divisor: &BigInt, residues: &Residues) -> Poly {
    if divisor.is_one() { poly.clone() } else { residues.resolve(&poly.floor_div(divisor)) }
}

/// Solves `poly ≥ 0` for a variable t.
fn solve(poly: &Poly, t: Var, residues: &Residues) -> Option<ThresholdBound> {
    let Rounded { factor, numerator, divisor, rest } = Rounded::of(poly, t)?;
    // Where factor·⌊numerator/divisor⌋ + rest ≥ 0: what the floor is at least, if the factor is positive, or at most.
    let whole = Rational::from_integer(factor.denom().clone());
    let limit = floor(&rest.scale(&whole), factor.abs().numer(), residues);
    let scale = Rational::from_integer(divisor);
    let linear = match factor.is_positive() {
        // ⌊y/d⌋ ≥ −limit is y ≥ −d·limit.
        true => &numerator + &limit.scale(&scale),
        // ⌊y/d⌋ ≤ limit is y ≤ d·limit + d − 1.
        false => &(&limit + &Poly::one()).scale(&scale) - &(&numerator + &Poly::one()),
    };
    let (slope, rest) = linear.split_slope(t);
    if slope.is_zero() || rest.vars().contains(&t) {
        return None;
    }
    let limit = floor(&rest.scale(&Rational::from_integer(slope.denom().clone())), slope.abs().numer(), residues);
    Some(if slope.is_positive() { ThresholdBound::AtLeast(-&limit) } else { ThresholdBound::AtMost(limit) })
}

/// `factor·⌊numerator/divisor⌋ + rest`, where only the numerator mentions t.
struct Rounded {
    factor: Rational,
    numerator: Poly,
    divisor: BigInt,
    rest: Poly,
}

impl Rounded {
    /// Writes a polynomial in this form; t may stand in one floor, beside it, or both.
    fn of(poly: &Poly, t: Var) -> Option<Self> {
        let atoms = poly.floors();
        let mut floors = atoms.into_iter().filter(|floor| floor.numerator().vars().contains(&t));
        let (floor, None) = (floors.next(), floors.next()) else { return None };
        let (slope, beside) = poly.split_slope(t);
        let rounded = match floor {
            None => Self {
                factor: Rational::one(),
                numerator: Poly::var(t).scale(&slope),
                divisor: BigInt::one(),
                rest: beside,
            },
            Some(floor) => {
                let only = Monomial::power(Atom::Floor(floor.clone()), 1);
                let factor = Some(beside.coefficient(&only)).filter(|factor| !factor.is_zero())?;
                let rest = &beside - &Poly::term(factor.clone(), only);
                // f·⌊y/d⌋ + s·t is f·⌊(y + d·(s/f)·t)/d⌋ if f divides s.
                let inside = Some(slope / &factor).filter(Rational::is_integer)?;
                let moved = inside * Rational::from_integer(floor.divisor().clone());
                let numerator = floor.numerator() + &Poly::var(t).scale(&moved);
                Self { factor, numerator, divisor: floor.divisor().clone(), rest }
            }
        };
        (!rounded.rest.vars().contains(&t)).then_some(rounded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::residue::Periods;
    use proptest::prelude::*;

    proptest! {
        /// The bound holds exactly where the inequality does.
        #[test]
        fn solved_inequalities_say_the_same(
            factor in prop::sample::select(vec![-5_i64, -3, -1, 1, 2, 4]), constant in -30_i64..30,
            inner in prop::sample::select(vec![-7_i64, -2, -1, 1, 3, 5, 9]), divisor in 1_i64..7, n in -20_i64..20, t in -40_i64..40,
        ) {
            let [size, threshold] = [0, 1].map(|v| Poly::var(Var(v)));
            let scaled = |poly: &Poly, factor: i64| poly.scale(&Rational::from_integer(factor.into()));
            let floor = (&scaled(&threshold, inner) + &size).floor_div(&divisor.into());
            let poly = &(&scaled(&floor, factor) + &scaled(&size, 3)) + &Poly::integer(constant);
            let point = [BigInt::from(n), BigInt::from(t)];
            let residues = Residues::new(Periods::new(vec![1, 1]), vec![vec![0, 0]]);
            let holds = match solve(&poly, Var(1), &residues).unwrap() {
                ThresholdBound::AtLeast(bound) => Rational::from_integer(t.into()) >= bound.evaluate(&point),
                ThresholdBound::AtMost(bound) => Rational::from_integer(t.into()) <= bound.evaluate(&point),
            };
            prop_assert_eq!(holds, !poly.evaluate(&point).is_negative());
        }

        /// What is required of thresholds in several floors suffices.
        #[test]
        fn bounds_of_sums_of_floors_suffice(
            factors in prop::array::uniform2(prop::sample::select(vec![-2_i64, -1, 1, 3])),
            inner in prop::array::uniform2(prop::sample::select(vec![-3_i64, 1, 8])),
            divisors in prop::array::uniform2(2_i64..10), constant in -9_i64..30, sample in -20_i64..20, t in -40_i64..40,
        ) {
            let [size, threshold] = [0, 1].map(|v| Poly::var(Var(v)));
            let scaled = |poly: &Poly, factor: i64| poly.scale(&Rational::from_integer(factor.into()));
            let term = |at: usize| {
                let floor = (&scaled(&threshold, inner[at]) + &size).floor_div(&divisors[at].into());
                scaled(&floor, factors[at])
            };
            let poly = &(&term(0) + &term(1)) + &Poly::integer(constant);
            let residues = Residues::new(Periods::new(vec![1, 1]), vec![vec![0, 0]]);
            let mut conditions = Conditions::new(&[], 1, residues);
            let mut roots = Roots::Unwanted;
            let mut near = Near::new(&[3.into()], sample.into(), &mut conditions, &mut roots);
            prop_assume!(near.holds(&poly) && near.require(&poly).is_some());
            let ThresholdRange { from, to } = near.into_range();
            let at = |end: &Poly| end.evaluate(&[3].map(BigInt::from)).to_integer();
            let is_inside = |t: i64| from.as_ref().is_none_or(|from| at(from) <= t.into())
                && to.as_ref().is_none_or(|to| at(to) >= t.into());
            prop_assert!(is_inside(sample));
            prop_assert!(!is_inside(t) || !poly.evaluate(&[3, t].map(BigInt::from)).is_negative());
        }
    }
}
