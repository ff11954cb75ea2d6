//! Lines and places, or tiles and places in them, as one coordinate again.
//!
//! An iterator that was divided, x = B·u + r with 0 ≤ r < B, is easier to count whole:
//!
//! ```text
//! { (u, r) : 0 ≤ r < B,  L ≤ u ≤ U,  a·(B·u + r) + e ≥ 0 }   has as many points as   { x : B·L ≤ x ≤ B·U + B − 1,  a·x + e ≥ 0 }
//! ```
//!
//! because x ↦ (⌊x/B⌋, x mod B) is a bijection between the two. What else is said of u alone may follow from what is said of x, as
//! bounds of loops over tiles follow from those of the loops in them; then it is left out. Barvinok counts the pairs in terms of
//! ⌊e/B⌋, from which it is hard to see that they are e. (docs/mathematics.md, "Classes".)

use num_traits::{One, Signed, Zero};
use symloc_quasi::{Atom, Constraint, Monomial, Poly, Rational, Relation, Var};

use crate::facts::Facts;

/// A conjunction with as many points as another, for each value of the variables that are no dimensions and for which the facts hold:
/// with fewer dimensions where two of them are digits of one number.
pub(crate) fn joined(facts: &Facts, mut system: Vec<Constraint>, mut dims: Vec<Var>) -> (Vec<Constraint>, Vec<Var>) {
    while let Some((of_number, place)) = pair(facts, &system, &dims) {
        system = of_number;
        dims.remove(place);
    }
    (system, dims)
}

/// The system of a number, in the place of its higher digit, and the position of the lower one.
fn pair(facts: &Facts, system: &[Constraint], vars: &[Var]) -> Option<(Vec<Constraint>, usize)> {
    vars.iter().enumerate().find_map(|(place, low)| {
        let base = base(system, *low)?;
        let digits = |high: &Var| Digits { high: *high, low: *low, base: base.clone() };
        let mut pairs = vars.iter().filter(|high| *high != low).map(digits);
        pairs.find_map(|digits| Some((digits.joined(&digits.of_number(facts, system)?), place)))
    })
}

/// B, if all that is said of a variable by itself is that it is in 0..B.
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
    /// What a system says of the number, with bounds of the higher digit; nothing if it says more of the digits, which does not follow.
    fn of_number(&self, facts: &Facts, system: &[Constraint]) -> Option<Vec<Constraint>> {
        let fits = |c: &Constraint| {
            let (high, low) = (coefficient(&c.poly, self.high), coefficient(&c.poly, self.low));
            let in_floors = |var| c.poly.floors().iter().any(|floor| floor.numerator().vars().contains(&var));
            let alone = |var: Var| c.poly.vars().into_iter().eq([var]);
            let bound = low.is_zero() && high.abs().is_one() && c.relation == Relation::NonNegative;
            let of_number = high == &low * &self.base;
            !in_floors(self.high) && !in_floors(self.low) && (of_number || bound || alone(self.low))
        };
        let together =
            |c: &Constraint| !coefficient(&c.poly, self.high).is_zero() && !coefficient(&c.poly, self.low).is_zero();
        let (of_number, more): (Vec<_>, Vec<_>) = system.iter().cloned().partition(fits);
        if !of_number.iter().any(together) {
            return None;
        }
        let follows = more.is_empty() || {
            let facts = facts.with(&of_number);
            more.iter().all(|constraint| facts.imply(constraint))
        };
        follows.then_some(of_number)
    }

    /// The system of the number, in the place of the higher digit.
    fn joined(&self, system: &[Constraint]) -> Vec<Constraint> {
        let number = |c: &Constraint| {
            let (high, low) = (coefficient(&c.poly, self.high), coefficient(&c.poly, self.low));
            let others = &(&c.poly - &term(&high, self.high)) - &term(&low, self.low);
            let poly = match (high.is_zero(), low.is_zero()) {
                (true, true) => others,
                (true, false) => return None,
                (false, false) => &others + &term(&low, self.high),
                // A bound of the higher digit is one of the number: the first with this digit, or the last.
                (false, true) => {
                    let rest = if high.is_negative() { &self.base - Rational::one() } else { Rational::zero() };
                    &(&others.scale(&self.base) + &Poly::constant(rest)) + &term(&high, self.high)
                }
            };
            Some(Constraint { poly, relation: c.relation })
        };
        system.iter().filter_map(number).collect()
    }
}

fn coefficient(poly: &Poly, var: Var) -> Rational {
    poly.coefficient(&Monomial::power(Atom::Var(var), 1))
}

fn term(coefficient: &Rational, var: Var) -> Poly {
    Poly::var(var).scale(coefficient)
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use symloc_isl::{Context, DimType, Set};

    use super::*;
    use crate::convert::{constraints, counts};
    use crate::frame::Frame;

    /// Sets in n and m, and how many dimensions are left of them.
    const SETS: [(&str, usize); 10] = [
        ("[u, r] : 0 <= r < 8 and u >= 0 and 8u + r < n", 1),
        ("[t, u, r] : 0 <= r < 8 and 0 <= u < 4 and 0 <= t and 32t + 8u + r < 32m + n", 1),
        ("[u, r] : 0 <= r < 8 and m <= u <= n and 8u + r < 3n + m", 1),
        ("[u, r, i] : 0 <= r < 8 and u >= 0 and 8u + r <= i and i < n and i >= m - 8u - r", 2),
        // What is said of one digit alone.
        ("[u, r] : 0 <= r < 8 and 0 <= u and r <= m and 8u + r < n", 2),
        ("[u, r] : 0 <= r < 8 and 0 <= u and 3u <= m and 8u + r < n", 2),
        // What is said of the higher digit follows, or does not.
        ("[t, u, r] : 0 <= r < 8 and 0 <= t < 5 and 2t < 8u + r and 2t <= 8u + 7 and 8u + r < n", 2),
        ("[t, u, r] : 0 <= r < 8 and 0 <= t < 5 and 2t < 8u + r and t <= 4u + 3 and 8u + r < n", 2),
        ("[t, u, r] : 0 <= r < 8 and 0 <= t < 5 and 2t < 8u + r and 2t <= 8u + 4 and 8u + r < n", 3),
        ("[u, r] : 1 <= r < 8 and 0 <= u and 8u + r < n", 2),
    ];

    #[test]
    fn numbers_are_as_many_as_pairs_of_digits() {
        let isl = Context::new().unwrap();
        let frame = Frame::over(vec!["n".to_owned(), "m".to_owned()], 2);
        for (text, dims) in SETS {
            let set = Set::read(&isl, &format!("[n, m] -> {{ {text} }}")).unwrap();
            let names = (0..set.dim(DimType::SET).unwrap()).map(|dim| format!("_d{dim}"));
            let all = Frame::over(frame.names().iter().cloned().chain(names).collect(), 2);
            let [basic] = &set.basic_sets().unwrap()[..] else { panic!("{text}") };
            let (system, left) =
                joined(&Facts::default(), constraints(basic, &all).unwrap(), all.iterators().collect());
            assert_eq!(left.len(), dims, "{text}");
            let left: Vec<_> = left.iter().map(|var| all.name(*var)).collect();
            let one = format!("[n, m] -> {{ [{}] : {} }}", left.join(", "), all.conjunction(&system));
            let one = Set::read(&isl, &one).unwrap();
            let (pairs, numbers) = (counts(&set, &frame).unwrap(), counts(&one, &frame).unwrap());
            for (n, m) in (-3..40).flat_map(|n| (-3..6).map(move |m| (n, m))) {
                let at = |pieces: &[(Set, Poly)]| {
                    let point =
                        Set::read(&isl, &format!("[n, m] -> {{ : n = {n} and m = {m} }}")).unwrap().params().unwrap();
                    let here = pieces.iter().find(|(domain, _)| !domain.is_disjoint(&point).unwrap());
                    here.map_or_else(Rational::zero, |(_, count)| count.evaluate(&[BigInt::from(n), BigInt::from(m)]))
                };
                assert_eq!(at(&pairs), at(&numbers), "{text} at n = {n}, m = {m}");
            }
        }
    }
}
