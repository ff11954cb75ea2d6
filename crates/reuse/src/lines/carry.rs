//! Affine expressions b·U + R, and what can be said of them by cases of the carry ⌊R/b⌋.
//!
//! R = Σ aᵢ·rᵢ + c with 0 ≤ rᵢ < b. With P the sum of the positive aᵢ and −Q that of the negative ones,
//! c − Q·(b − 1) ≤ R ≤ c + P·(b − 1). For b > c − P and b ≥ −(c + Q) this leaves for the carry
//!
//! ```text
//! −Q − [c < −Q]  ≤  ⌊R/b⌋  ≤  P − [c < P]
//! ```
//!
//! where [·] is 1 if the condition holds. The carry need not take all of these values.

use num_bigint::{BigInt, Sign};
use num_traits::{One, Signed, ToPrimitive, Zero};
use symloc_quasi::{Atom, Constraint, Poly, Rational, Relation, Var};

/// More carries than this are too many cases.
const MAX_CARRIES: i64 = 6;

/// b·`quotient` + `rest`.
#[derive(Debug, Clone)]
pub(super) struct Lines {
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

impl Lines {
    /// A sum of variables that are split, each b·U + R. If it is none, the term that is not.
    pub(super) fn of(poly: &Poly, split: &dyn Fn(Var) -> Option<(Poly, Poly)>) -> Result<Self, Poly> {
        let mut lines = Lines { quotient: Poly::zero(), rest: Poly::zero() };
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

    /// The carries of R; nothing if there are too many.
    pub(super) fn carries(&self) -> Option<Carries> {
        let Slack { positive, negative, above, below } = self.slack();
        let last = if above.is_negative() { positive - 1 } else { positive };
        let first = if below.is_negative() { -negative - 1 } else { -negative };
        let least = (above + 1_u32).max(-below).max(BigInt::one());
        let (first, last) = (first.to_i64()?, last.to_i64()?);
        (last - first < MAX_CARRIES).then_some(Carries { first, last, least })
    }

    /// The greatest carry, if it is the same for every b.
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

    /// b·U + R ⋈ 0 as alternatives, each of them a conjunction.
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
