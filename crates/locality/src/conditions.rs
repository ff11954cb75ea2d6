//! Conditions on the sizes under which a formula holds.
//!
//! A symbolic answer makes decisions that depend on the size: this interval is longer than that one, this range is not
//! empty. Each is a polynomial that must not be negative. [`Conditions::require`] drops those that follow from what is
//! known, turns those in one parameter into a lower bound of it, and keeps the others as they are.
//!
//! The proof: with p = l + p′ for the known lower bounds l, the polynomial in p′ ≥ 0 has no negative coefficient.
//! Floors are replaced first by something smaller, `(e − d + 1)/d ≤ ⌊e/d⌋ ≤ e/d`.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use symloc_quasi::{Atom, Constraint, Poly, Rational, Relation, Var};

use crate::residue::Residues;

/// The known constraints on the parameters, and the conditions required in addition.
#[derive(Clone, Debug)]
pub struct Conditions {
    residues: Residues,
    /// The lower bounds of the context.
    given: Vec<Option<BigInt>>,
    /// The lower bounds of the context, raised by the required conditions.
    lower: Vec<Option<BigInt>>,
    /// Polynomials that the context makes non-negative.
    known: Vec<Poly>,
    /// Polynomials that must not be negative.
    required: Vec<Poly>,
    /// Conditions that hold in addition.
    sides: Vec<Constraint>,
    /// A size that no condition may exclude, if the conditions concern sizes near it instead of large ones.
    near: Option<Vec<BigInt>>,
}

impl Conditions {
    /// Creates conditions that require only a context and residues.
    pub fn new(context: &[Constraint], parameters: usize, residues: Residues) -> Self {
        let known: Vec<Poly> =
            context.iter().filter(|c| c.relation == Relation::NonNegative).map(|c| residues.resolve(&c.poly)).collect();
        let mut given = vec![None; parameters];
        for (parameter, bound) in known.iter().filter_map(lower_bound) {
            let bound = residues.first_from(parameter, &bound);
            let entry: &mut Option<BigInt> = &mut given[parameter];
            *entry = Some(entry.take().map_or(bound.clone(), |b| b.max(bound)));
        }
        Self { residues, lower: given.clone(), given, known, required: Vec::new(), sides: Vec::new(), near: None }
    }

    /// Adds conditions that are taken as they are.
    #[must_use]
    pub(crate) fn on(self, sides: Vec<Constraint>) -> Self {
        Self { sides, ..self }
    }

    /// Restricts the conditions to sizes near this one: no bound that is larger than necessary excludes it.
    #[must_use]
    pub(crate) fn near(self, size: Vec<BigInt>) -> Self {
        Self { near: Some(size), ..self }
    }

    /// Requires that a polynomial is not negative.
    pub fn require(&mut self, poly: &Poly) {
        for case in self.residues.cases(poly) {
            match case.as_constant() {
                // A polynomial that is negative for some residues only becomes a condition that excludes those
                // residues.
                Some(constant) if constant.is_negative() && !self.required.contains(poly) => {
                    self.required.push(poly.clone());
                }
                Some(_) => (),
                None if self.proves(&case) => (),
                None => self.assume(case),
            }
        }
    }

    /// Requires that a polynomial is positive, apart from those residues for which it is zero at all sizes.
    pub(crate) fn require_positive(&mut self, poly: &Poly) {
        let less_one = |poly: &Poly| poly - &Poly::one();
        match self.residues.refined(poly) {
            Some(cases) if cases.contains(&Poly::zero()) => {
                cases.iter().filter(|case| !case.is_zero()).for_each(|case| self.require(&less_one(case)));
            }
            _ => self.require(&less_one(poly)),
        }
    }

    /// Returns the signs that a polynomial has at large sizes, over all residues; `None` if they are not known.
    pub(crate) fn signs(&self, poly: &Poly, sample: &[BigInt]) -> Option<BTreeSet<Ordering>> {
        let sign = |case: &Poly| {
            let sign = case.evaluate(sample).cmp(&Rational::zero());
            (sign.is_ne() || case.is_zero()).then_some(sign)
        };
        self.residues.refined(poly)?.iter().map(sign).collect()
    }

    fn assume(&mut self, poly: Poly) {
        let allows = |(parameter, bound): &(usize, BigInt)| {
            self.near.as_ref().is_none_or(|size| size.get(*parameter).is_some_and(|size| size >= bound))
        };
        match self.threshold(&poly).filter(allows) {
            Some((parameter, bound)) => self.lower[parameter] = Some(self.residues.first_from(parameter, &bound)),
            None => {
                let poly = upper_bound(&poly).unwrap_or(poly);
                if !self.required.contains(&poly) {
                    self.required.push(poly);
                }
            }
        }
    }

    /// Returns true if the polynomial is provably non-negative under the context and the conditions so far.
    pub fn proves(&self, poly: &Poly) -> bool {
        let follows_from = |known: &Poly| non_negative(&(poly - known), &self.lower);
        non_negative(poly, &self.lower) || self.known.iter().chain(&self.required).any(follows_from)
    }

    /// Returns the number of required conditions that are no bounds of a parameter.
    pub(crate) fn required(&self) -> usize {
        self.required.len()
    }

    /// Returns the residues of the sizes in question.
    pub fn residues(&self) -> &Residues {
        &self.residues
    }

    /// Returns the conditions beyond the context, simplified: those taken as they are and lower bounds first, then the
    /// others.
    pub fn constraints(&self) -> Vec<Constraint> {
        let bounds = self.lower.iter().zip(&self.given).zip(0..).filter(|((lower, given), _)| lower != given);
        let bounds = bounds.filter_map(|((lower, _), v)| Some(&Poly::var(Var(v)) - &Poly::integer(lower.clone()?)));
        let implied = |poly: &Poly| {
            let by = |known: &Poly| known != poly && non_negative(&(poly - known), &self.lower);
            non_negative(poly, &self.lower) || self.required.iter().any(by)
        };
        let open = self.required.iter().filter(|poly| !implied(poly)).cloned();
        self.sides.iter().cloned().chain(bounds.chain(open).map(Constraint::non_negative)).collect()
    }

    /// Returns a bound from which on a polynomial in one parameter is provably non-negative: the least such bound if
    /// there are no floors.
    fn threshold(&self, poly: &Poly) -> Option<(usize, BigInt)> {
        let vars = poly.vars();
        let parameter = vars.first().filter(|_| vars.len() == 1)?.0 as usize;
        let start = self.lower.get(parameter)?.clone().unwrap_or_else(BigInt::one);
        let mut lower = self.lower.clone();
        let mut holds = |step: &BigInt| {
            lower[parameter] = Some(&start + step);
            non_negative(poly, &lower)
        };
        let mut enough = (0..64).map(|exponent| BigInt::one() << exponent).find(|step| holds(step))?;
        let mut short = BigInt::from(-1);
        while &enough - &short > BigInt::one() {
            let middle: BigInt = (&enough + &short).div_floor(&BigInt::from(2));
            if holds(&middle) { enough = middle } else { short = middle }
        }
        Some((parameter, start + enough))
    }
}

/// Returns the bound in `p ≥ bound`, solved from `a·p + b ≥ 0`.
fn lower_bound(poly: &Poly) -> Option<(usize, BigInt)> {
    let vars = poly.vars();
    let var = *vars.first().filter(|_| vars.len() == 1 && poly.floors().is_empty() && poly.degree() == 1)?;
    let slope = poly.slope(var);
    slope.is_positive().then(|| (var.0 as usize, (-poly.constant_term() / slope).ceil().to_integer()))
}

/// Returns `⌊b/a⌋ − p` of `⌊b/a⌋ − p ≥ 0`, which is equivalent to `b − a·p ≥ 0` for integer p.
fn upper_bound(poly: &Poly) -> Option<Poly> {
    let vars = poly.vars();
    let var = *vars.first().filter(|_| vars.len() == 1 && poly.floors().is_empty() && poly.degree() == 1)?;
    let slope = poly.slope(var);
    let bound = (-poly.constant_term() / &slope).floor().to_integer();
    slope.is_negative().then(|| &Poly::integer(bound) - &Poly::var(var))
}

/// Returns true if the polynomial is provably non-negative for all parameters from their lower bounds on.
fn non_negative(poly: &Poly, lower: &[Option<BigInt>]) -> bool {
    let bound = |var: &Var| lower.get(var.0 as usize).and_then(Option::as_ref);
    if poly.vars().iter().any(|var| bound(var).is_none()) {
        return false;
    }
    let shifted = poly.substitute(&|var| Some(&Poly::var(var) + &Poly::integer(bound(&var)?.clone())));
    without_floors(&shifted).terms().all(|(_, coefficient)| !coefficient.is_negative())
}

/// Returns a polynomial without floors that is at most `poly` wherever the variables are non-negative. Floors in normal
/// form have no negative coefficient inside, so they are non-negative too.
fn without_floors(poly: &Poly) -> Poly {
    poly.terms().fold(Poly::zero(), |sum, (monomial, coefficient)| {
        let term = Poly::term(coefficient.clone(), monomial.clone());
        let floors: u32 = monomial.factors().iter().filter(|(a, _)| matches!(a, Atom::Floor(_))).map(|(_, e)| e).sum();
        // A product of two lower bounds is no lower bound if both are negative; zero is one.
        let bound = match (coefficient.is_negative(), floors) {
            (_, 0) => term,
            (false, 2..) => Poly::zero(),
            (above, _) => term.map_atoms(&|atom| match atom {
                Atom::Var(_) => None,
                Atom::Floor(floor) => Some(linear_bound(floor.numerator(), floor.divisor(), above)),
            }),
        };
        &sum + &bound
    })
}

/// Returns a bound of `⌊numerator/divisor⌋` without the floor, from above or from below.
fn linear_bound(numerator: &Poly, divisor: &BigInt, above: bool) -> Poly {
    let flat = if above { -&without_floors(&-numerator) } else { without_floors(numerator) };
    let slack = if above { BigInt::from(0) } else { divisor - BigInt::one() };
    (&flat - &Poly::integer(slack)).scale(&Rational::new(BigInt::one(), divisor.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::residue::Periods;

    fn conditions(bounds: &[i64], periods: &[u64]) -> Conditions {
        let bound = |(v, b): (u32, &i64)| Constraint::non_negative(&Poly::var(Var(v)) - &Poly::integer(*b));
        let context: Vec<_> = (0..).zip(bounds).map(bound).collect();
        let floors: Vec<_> = (0..).zip(periods).map(|(v, p)| Poly::var(Var(v)).floor_div(&(*p).into())).collect();
        let periods = Periods::of(floors.iter(), bounds.len()).unwrap();
        let zero = vec![vec![0; bounds.len()]];
        Conditions::new(&context, bounds.len(), Residues::new(periods, zero))
    }

    fn text(conditions: &Conditions) -> String {
        let names = ["n".to_owned(), "m".to_owned()];
        symloc_quasi::Notation::new(symloc_quasi::Style::Plain, &names).conjunction(&conditions.constraints())
    }

    #[test]
    fn one_parameter_gives_a_bound() {
        let n = Poly::var(Var(0));
        let mut conditions = conditions(&[1], &[1]);
        conditions.require(&(&n - &Poly::one()));
        assert_eq!(text(&conditions), "");
        conditions.require(&(&n.pow(2) - &n.scale(&Rational::from_integer(7.into()))));
        assert_eq!(text(&conditions), "n >= 7");
        conditions.require(&(&n - &Poly::integer(5)));
        assert_eq!(text(&conditions), "n >= 7");
        conditions.require(&(&n.floor_div(&8.into()) - &Poly::integer(3)));
        assert_eq!(text(&conditions), "n >= 31");
    }

    #[test]
    fn residues_raise_a_bound_to_the_next_size() {
        let mut conditions = conditions(&[1], &[8]);
        conditions.require(&(&Poly::var(Var(0)) - &Poly::integer(8)));
        assert_eq!(text(&conditions), "", "the first multiple of 8 is 8");
        conditions.require(&(&Poly::var(Var(0)) - &Poly::integer(9)));
        assert_eq!(text(&conditions), "n >= 16");
    }

    #[test]
    fn several_parameters_stay_inequalities() {
        let (n, m) = (Poly::var(Var(0)), Poly::var(Var(1)));
        let mut conditions = conditions(&[2, 3], &[1, 1]);
        conditions.require(&(&(&n * &m) - &Poly::integer(6)));
        assert_eq!(text(&conditions), "");
        conditions.require(&(&n - &m));
        conditions.require(&(&n - &m));
        conditions.require(&(&(&n - &m) + &Poly::one()));
        assert_eq!(text(&conditions), "n >= m");
    }
}
