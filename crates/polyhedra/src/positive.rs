//! Polynomials that are not negative at any integer point of a conjunction: sound, but incomplete.
//!
//! Variables are eliminated one by one, the last one first. A polynomial in x is not negative from a lower bound l of x on if
//! all coefficients of p(l + t) as a polynomial in t are not negative; likewise up to an upper bound u, with p(u − t). And if
//! x occurs in the first power only, it is not negative between two bounds if it is so at both. What is left when p has
//! degree 1 is decided by the simplex method.

use num_traits::{Signed, Zero};
use symloc_quasi::{Atom, Constraint, Poly, Rational, Relation, Var};

use crate::implication::{Facts, definition};

/// The most polynomials that are looked at for one answer.
const STEPS: u32 = 400;

/// The most pairs of bounds of one variable whose order is kept when it is eliminated.
const PAIRS: usize = 36;

/// Returns true if a polynomial is known to be at least 0 at all integers where a conjunction holds. At other numbers it may be
/// negative: constraints are rounded.
pub fn is_non_negative(poly: &Poly, conjunction: &[Constraint]) -> bool {
    let (poly, conjunction) = without_floors(poly.clone(), conjunction.to_vec());
    Proof { steps: STEPS }.holds(&poly, &conjunction)
}

/// Gives each floor a variable of its own, with the constraints that define it.
fn without_floors(mut poly: Poly, mut conjunction: Vec<Constraint>) -> (Poly, Vec<Constraint>) {
    let last = |poly: &Poly| poly.last_var().map_or(0, |var| var.0 + 1);
    let mut next = conjunction.iter().map(|c| last(&c.poly)).max().unwrap_or(0).max(last(&poly));
    loop {
        let all = conjunction.iter().map(|c| &c.poly).chain([&poly]).flat_map(Poly::floors);
        let Some(floor) = all.into_iter().find(|floor| floor.numerator().floors().is_empty()).cloned() else {
            return (poly, conjunction);
        };
        let (atom, name) = (Atom::Floor(floor.clone()), Poly::var(Var(next)));
        let replaced = |poly: &Poly| poly.map_atoms(&|other| (*other == atom).then(|| name.clone()));
        conjunction.extend(definition(&floor));
        conjunction = conjunction.iter().map(|c| c.map(replaced)).collect();
        poly = replaced(&poly);
        next += 1;
    }
}

/// A search for a proof.
struct Proof {
    /// So many polynomials may still be looked at.
    steps: u32,
}

impl Proof {
    fn holds(&mut self, poly: &Poly, conjunction: &[Constraint]) -> bool {
        if let Some(constant) = poly.as_constant() {
            return !constant.is_negative();
        }
        let Some(steps) = self.steps.checked_sub(1) else { return false };
        self.steps = steps;
        if poly.degree() <= 1 {
            let whole = poly.scale(&Rational::from_integer(poly.common_denominator()));
            return Facts::new(conjunction).imply(&Constraint::non_negative(whole));
        }
        let Some(var) = poly.last_var() else { return false };
        let Eliminated { lower, upper, rest } = Eliminated::of(conjunction, var);
        let t = Poly::var(var);
        let shifted = lower.iter().map(|low| low + &t).chain(upper.iter().map(|high| high - &t));
        for place in shifted.collect::<Vec<_>>() {
            let coefficients = poly.with_value(var, &place).coefficients(var).unwrap_or_default();
            if !coefficients.is_empty() && coefficients.iter().rev().all(|coefficient| self.holds(coefficient, &rest)) {
                return true;
            }
        }
        let linear = poly.coefficients(var).is_some_and(|coefficients| coefficients.len() == 2);
        let mut at_some = |places: &[Poly]| places.iter().any(|place| self.holds(&poly.with_value(var, place), &rest));
        linear && at_some(&lower) && at_some(&upper)
    }
}

/// The bounds of a variable, and a conjunction without it that holds at all integers where the whole one does.
struct Eliminated {
    lower: Vec<Poly>,
    upper: Vec<Poly>,
    rest: Vec<Constraint>,
}

impl Eliminated {
    fn of(conjunction: &[Constraint], var: Var) -> Self {
        let (about, mut rest): (Vec<_>, Vec<_>) =
            conjunction.iter().cloned().partition(|c| c.poly.vars().contains(&var));
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for Constraint { poly, relation } in about {
            // slope·x + rest ≥ 0, or = 0.
            let (slope, rest) = poly.split_slope(var);
            if slope.is_zero() || rest.vars().contains(&var) {
                continue;
            }
            let bound = rest.scale(&-slope.recip());
            if slope.is_positive() || relation == Relation::Zero {
                lower.push(bound.clone());
            }
            if slope.is_negative() || relation == Relation::Zero {
                upper.push(bound);
            }
        }
        let pairs = lower.iter().flat_map(|low| upper.iter().map(move |high| high - low));
        let whole = |poly: Poly| poly.scale(&Rational::from_integer(poly.common_denominator()));
        rest.extend(
            pairs.take(PAIRS).filter(|p| p.as_constant().is_none()).map(|p| Constraint::non_negative(whole(p))),
        );
        Self { lower, upper, rest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn var(number: u32) -> Poly {
        Poly::var(Var(number))
    }

    fn at_least(poly: &Poly, least: i64) -> Constraint {
        Constraint::non_negative(poly - &Poly::integer(least))
    }

    #[test]
    fn products_and_squares_are_seen() {
        let (n, i) = (var(0), var(1));
        let size = at_least(&n, 2);
        let range = [size.clone(), at_least(&i, 0), Constraint::non_negative(&(&n - &i) - &Poly::one())];
        let rows = &(&n * &n) - &(&n * &i);
        assert!(is_non_negative(&rows, &range));
        assert!(is_non_negative(&(&rows - &n), &range));
        assert!(!is_non_negative(&(&(&rows - &n) - &Poly::one()), &range));
        // A convex one, whose ends say nothing, falls on the whole range.
        let convex = &(&(&i * &i) - &(&n * &i).scale(&Rational::from_integer(2.into()))) + &(&n * &n);
        assert!(is_non_negative(&convex, &range));
        assert!(is_non_negative(&(&(&n * &n) - &(&n + &n)), std::slice::from_ref(&size)));
        assert!(!is_non_negative(&(&(&n * &n) - &(&n + &n)), &[at_least(&n, 1)]));
    }

    #[test]
    fn floors_have_their_definitions() {
        let (n, i) = (var(0), var(1));
        let range = [at_least(&n, 1), at_least(&i, 0)];
        let eighth = i.floor_div(&8.into());
        let rows = &n * &(&i - &eighth.scale(&Rational::from_integer(8.into())));
        assert!(is_non_negative(&rows, &range));
        assert!(!is_non_negative(&(&rows - &n), &range));
    }
}
