//! Lines and places, or tiles and places in them, as one coordinate again.
//!
//! An iterator that was divided, x = B·u + r with 0 ≤ r < B, is easier to count whole:
//!
//! ```text
//! { (u, r) : 0 ≤ r < B,  L ≤ u ≤ U,  a·(B·u + r) + e ≥ 0 }   has as many points as   { x : B·L ≤ x ≤ B·U + B − 1,  a·x + e ≥ 0 }
//! ```
//!
//! because x ↦ (⌊x/B⌋, x mod B) is a bijection between the two. What else is said of u alone may follow from what is
//! said of x, as bounds of loops over tiles follow from those of the loops in them; then it is left out. Barvinok
//! counts the pairs in terms of ⌊e/B⌋, from which it is hard to see that they are e. (docs/mathematics.md, "Classes".)

use num_traits::{One, Signed, Zero};
use symloc_quasi::{Constraint, Poly, Rational, Relation, Var};

use crate::implication::Facts;

/// Joins pairs of dimensions that are digits of one number. The number of points stays the same for each value of the
/// other variables for which the facts hold.
pub fn joined(facts: &Facts, mut system: Vec<Constraint>, mut dims: Vec<Var>) -> (Vec<Constraint>, Vec<Var>) {
    while let Some((of_number, place)) = pair(facts, &system, &dims) {
        system = of_number;
        dims.remove(place);
    }
    (system, dims)
}

/// Joins two digits: returns the system with the number in place of its higher digit, and the position of the lower
/// one.
fn pair(facts: &Facts, system: &[Constraint], vars: &[Var]) -> Option<(Vec<Constraint>, usize)> {
    vars.iter().enumerate().find_map(|(place, low)| {
        let base = base(system, *low)?;
        let digits = |high: &Var| Digits { high: *high, low: *low, base: base.clone() };
        let mut pairs = vars.iter().filter(|high| *high != low).map(digits);
        pairs.find_map(|digits| Some((digits.joined(facts, system)?, place)))
    })
}

/// Returns B if the only constraints on a variable alone are that it is in 0..B.
fn base(system: &[Constraint], low: Var) -> Option<Rational> {
    let mut alone: Vec<&Constraint> = system.iter().filter(|c| c.poly.vars().into_iter().eq([low])).collect();
    alone.sort();
    let digit = Poly::var(low);
    let [one, other] = alone[..] else { return None };
    let (least, most) = if one.poly == digit { (one, other) } else { (other, one) };
    let last = (&most.poly + &digit).as_constant()?;
    let inequalities = [least, most].iter().all(|c| c.relation == Relation::NonNegative);
    (least.poly == digit && inequalities && last.is_positive()).then(|| last + Rational::one())
}

/// `base·high + low`, where `low` is in 0..base.
struct Digits {
    high: Var,
    low: Var,
    base: Rational,
}

impl Digits {
    /// Returns the constraints of a system on the number, which takes the place of the higher digit; `None` if the
    /// system has other constraints on the digits that do not follow from these.
    fn joined(&self, facts: &Facts, system: &[Constraint]) -> Option<Vec<Constraint>> {
        let of = |c: &Constraint, var: Var| c.poly.vars().contains(&var);
        if !system.iter().any(|c| of(c, self.high) && of(c, self.low)) {
            return None;
        }
        let (mut joined, mut said, mut more) = (Vec::new(), Vec::new(), Vec::new());
        for constraint in system {
            match self.of_number(constraint) {
                Some(of_number) => {
                    said.push(constraint);
                    joined.push(of_number);
                }
                None if constraint.poly.vars().into_iter().eq([self.low]) => said.push(constraint),
                None => more.push(constraint),
            }
        }
        let follows = more.is_empty() || {
            let facts = facts.with(said);
            more.iter().all(|constraint| facts.imply(constraint))
        };
        follows.then_some(joined)
    }

    /// Returns a constraint as one on the number, if it is one or a bound of the higher digit. In `low = number −
    /// base·high` multiples of divisors leave floors by themselves.
    fn of_number(&self, constraint: &Constraint) -> Option<Constraint> {
        let (high, number) = (Poly::var(self.high), Poly::var(self.low));
        let low = &number - &high.scale(&self.base);
        let whole = constraint.map(|poly| poly.with_value(self.low, &low));
        if !whole.poly.vars().contains(&self.high) {
            return Some(whole.map(|poly| poly.with_value(self.low, &high)));
        }
        self.bound(constraint)
    }

    /// Turns a bound of the higher digit into one of the number: the first with this digit, or the last.
    fn bound(&self, constraint: &Constraint) -> Option<Constraint> {
        let (slope, others) = constraint.poly.split_slope(self.high);
        let high = Poly::var(self.high).scale(&slope);
        let alone = !others.vars().iter().any(|var| [self.high, self.low].contains(var));
        if !alone || !slope.abs().is_one() || constraint.relation != Relation::NonNegative {
            return None;
        }
        let rest = if slope.is_negative() { &self.base - Rational::one() } else { Rational::zero() };
        Some(Constraint::non_negative(&(&others.scale(&self.base) + &Poly::constant(rest)) + &high))
    }
}
