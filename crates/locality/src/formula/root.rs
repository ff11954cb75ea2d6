//! Integers that a threshold determines.
//!
//! Where the values of a class rise with an iterator q, but not linearly, those above a threshold t begin behind a
//! root: the largest q with `v(q) ≤ t`. The number of accesses up to it is a polynomial in the root, and the root
//! stays in the formulas as a variable, with the inequality that defines it. No radical is needed: the root is an
//! integer, and a search finds it.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed};
use symloc_quasi::{Poly, Var};

/// The first variable of a root while formulas are sought; iterators and marks are others.
const FIRST: u32 = 1 << 30;

/// The first variable of a number that roots determine, while formulas are sought.
pub(super) const NUMBERS: u32 = FIRST + (1 << 29);

/// The variable that stands for every root in its own polynomial.
const SELF: Var = Var(FIRST - 1);

/// The largest integer of a range at which a polynomial is not negative, or the one before the range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThresholdRoot {
    /// The variable that stands for it in formulas.
    pub var: Var,
    /// The polynomial, in the sizes, the threshold and the root. It does not rise with the root, within the range.
    pub excess: Poly,
    /// The least integer of the range; the root is one less if the polynomial is negative there.
    pub least: Poly,
    /// The greatest integer of the range.
    pub greatest: Poly,
}

impl ThresholdRoot {
    /// Returns the root with another variable.
    pub(super) fn named(&self, var: Var) -> Self {
        Self { var, excess: self.excess.with_value(self.var, &Poly::var(var)), ..self.clone() }
    }

    /// Returns its value at a point, which has values for the sizes and the threshold: one less than the least of the
    /// range if the polynomial is negative there.
    pub fn value(&self, point: &[BigInt]) -> BigInt {
        let at = |poly: &Poly| poly.evaluate(point).floor().to_integer();
        let (mut least, mut end): (BigInt, BigInt) = (at(&self.least) - 1, at(&self.greatest) + 1);
        while &end - &least > BigInt::one() {
            let middle = (&least + &end).div_floor(&BigInt::from(2));
            let excess = self.excess.with_value(self.var, &Poly::integer(middle.clone())).evaluate(point);
            if excess.is_negative() { end = middle } else { least = middle }
        }
        least
    }
}

/// The roots that formulas mention.
#[derive(Clone, Debug)]
pub(super) enum Roots {
    /// None are wanted.
    Unwanted,
    /// Those found so far.
    Found(Vec<ThresholdRoot>),
}

impl Roots {
    /// Returns the root of a polynomial in a variable; `None` if no roots are wanted.
    pub(super) fn of(&mut self, excess: &Poly, variable: Var, [least, greatest]: [&Poly; 2]) -> Option<Poly> {
        let Self::Found(roots) = self else { return None };
        let excess = excess.with_value(variable, &Poly::var(SELF));
        let known = |root: &ThresholdRoot| root.excess == excess && root.least == *least && root.greatest == *greatest;
        let index = roots.iter().position(known).unwrap_or_else(|| {
            let var = Var(FIRST + roots.len() as u32);
            roots.push(ThresholdRoot { var, excess, least: least.clone(), greatest: greatest.clone() });
            roots.len() - 1
        });
        Some(Poly::var(roots[index].var))
    }

    /// Returns those roots whose variables are mentioned.
    pub(super) fn mentioned(self, variables: &BTreeSet<Var>) -> Vec<ThresholdRoot> {
        let Self::Found(roots) = self else { return Vec::new() };
        let own =
            |root: ThresholdRoot| ThresholdRoot { excess: root.excess.with_value(SELF, &Poly::var(root.var)), ..root };
        roots.into_iter().filter(|root| variables.contains(&root.var)).map(own).collect()
    }
}
