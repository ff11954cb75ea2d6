//! Affine expressions b·U + R, and what can be said of them by cases of the carry ⌊R/b⌋.
//!
//! R = Σ aᵢ·rᵢ + c with 0 ≤ rᵢ < b. With P the sum of the positive aᵢ and −Q that of the negative ones,
//! c − Q·(b − 1) ≤ R ≤ c + P·(b − 1). For b > c − P and b ≥ −(c + Q) this leaves for the carry
//!
//! ```text
//! −Q − [c < −Q]  ≤  ⌊R/b⌋  ≤  P − [c < P]
//! ```
//!
//! where [·] is 1 if the condition holds. With smaller b there are more, of which b is asked to be so large that there
//! are few. The carry need not take all of these values. (docs/mathematics.md, "A symbolic line size".)

use num_bigint::{BigInt, Sign};
use num_traits::{One, Signed, ToPrimitive, Zero};
use symloc_quasi::{Atom, Constraint, Poly, Rational, Relation, Var};

/// More carries than this are too many cases.
const MAX_CARRIES: i64 = 6;
/// Smaller lines than this are tried one by one.
const MAX_LEAST: i64 = 64;

/// b·`quotient` + `rest`.
#[derive(Debug, Clone)]
pub(super) struct Divided {
    /// U, in the quotients of split variables.
    pub quotient: Poly,
    /// R, in their remainders, each of which is from 0 to b − 1.
    pub rest: Poly,
}

/// The values that a carry can have.
#[derive(Debug)]
pub(super) struct Carries {
    pub first: i64,
    pub last: i64,
    /// From which b on.
    pub least: BigInt,
}

/// P, Q, c − P and c + Q.
struct Slack {
    positive: BigInt,
    negative: BigInt,
    above: BigInt,
    below: BigInt,
}

impl Divided {
    /// Divides a sum of variables that are split, each b·U + R; returns an error with a term that is not one of these.
    pub(super) fn of(poly: &Poly, split: &dyn Fn(Var) -> Option<(Poly, Poly)>) -> Result<Self, Poly> {
        let mut lines = Divided { quotient: Poly::zero(), rest: Poly::zero() };
        for (monomial, coefficient) in poly.terms() {
            let parts = match monomial.factors() {
                [] => Some((Poly::zero(), Poly::one())),
                [(Atom::Var(var), 1)] => split(*var),
                _ => None,
            };
            let (quotient, rest) = parts.ok_or_else(|| Poly::term(Rational::one(), monomial.clone()))?;
            lines.quotient = &lines.quotient + &quotient.scale(coefficient);
            lines.rest = &lines.rest + &rest.scale(coefficient);
        }
        Ok(lines)
    }

    /// Returns the carries of R; `None` if there are too many.
    pub(super) fn carries(&self) -> Option<Carries> {
        let Slack { positive, negative, above, below } = self.slack();
        let (positive, negative) = (positive.to_i64()?, negative.to_i64()?);
        let (above, below) = (above.to_i64()?, below.to_i64()?);
        // With b from `enough` on there are no fewer.
        let enough = above.checked_add(1)?.max(below.checked_neg()?).max(1);
        let carries = |least: i64| Carries {
            first: below.min(0).div_euclid(least) - negative,
            last: above.max(-1).div_euclid(least) + positive,
            least: BigInt::from(least),
        };
        let few = |carries: &Carries| carries.last - carries.first < MAX_CARRIES;
        (1..enough.min(MAX_LEAST)).chain([enough]).map(carries).find(few)
    }

    /// Returns the greatest carry, if it is the same for every b.
    pub(super) fn last_carry(&self) -> Option<i64> {
        let Slack { positive, above, .. } = self.slack();
        match above.sign() {
            Sign::Minus => positive.to_i64()?.checked_sub(1),
            Sign::NoSign => positive.to_i64(),
            Sign::Plus => None,
        }
    }

    fn slack(&self) -> Slack {
        let constant = self.rest.constant_term().to_integer();
        let (mut positive, mut negative) = (BigInt::zero(), BigInt::zero());
        for (monomial, coefficient) in self.rest.terms().filter(|(m, _)| !m.is_one()) {
            debug_assert_eq!(monomial.degree(), 1);
            let coefficient = coefficient.to_integer();
            *(if coefficient.is_positive() { &mut positive } else { &mut negative }) += coefficient.abs();
        }
        Slack { above: &constant - &positive, below: &constant + &negative, positive, negative }
    }

    /// Returns b·U + R ⋈ 0 as alternatives, each of them a conjunction.
    pub(super) fn compared(&self, relation: Relation, carries: &Carries, line: Var) -> Vec<Vec<Constraint>> {
        let with = |carry: i64| &self.quotient + &Poly::integer(carry);
        let beyond = |carry: i64| &self.rest - &Poly::var(line).scale(&Rational::from_integer(carry.into()));
        match relation {
            Relation::Zero => (carries.first..=carries.last)
                .map(|t| vec![Constraint::zero(with(t)), Constraint::zero(beyond(t))])
                .collect(),
            // With U ≥ −t for the smallest carry t nothing more is needed; U = −t needs a carry of at least t.
            Relation::NonNegative => {
                let whatever = vec![Constraint::non_negative(with(carries.first))];
                let exactly = |t| vec![Constraint::zero(with(t)), Constraint::non_negative(beyond(t))];
                std::iter::once(whatever).chain((carries.first + 1..=carries.last).map(exactly)).collect()
            }
        }
    }
}
