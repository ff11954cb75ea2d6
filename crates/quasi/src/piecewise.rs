//! Pieces: a quasi-polynomial on the points that satisfy some constraints.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use serde::{Deserialize, Serialize};

use crate::Rational;
use crate::factor::content;
use crate::poly::Poly;

/// The relation of a constraint's polynomial to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// `poly = 0`
    Zero,
    /// `poly ≥ 0`
    NonNegative,
}

impl Relation {
    /// Returns true if the relation holds for a polynomial that compares so with zero.
    pub fn holds(self, sign: Ordering) -> bool {
        match self {
            Relation::Zero => sign.is_eq(),
            Relation::NonNegative => sign.is_ge(),
        }
    }
}

/// A constraint on a point. The polynomial is of degree 1 in variables and floors, with integer coefficients.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Constraint {
    /// The left-hand side; the right-hand side is zero.
    pub poly: Poly,
    /// The relation.
    pub relation: Relation,
}

impl Constraint {
    /// `poly = 0`
    pub fn zero(poly: Poly) -> Self {
        Self { poly, relation: Relation::Zero }
    }

    /// `poly ≥ 0`
    pub fn non_negative(poly: Poly) -> Self {
        Self { poly, relation: Relation::NonNegative }
    }

    /// Returns true if the constraint holds at a point, given as one value for each variable.
    pub fn holds_at(&self, point: &[BigInt]) -> bool {
        self.relation.holds(self.poly.evaluate(point).cmp(&Rational::zero()))
    }

    /// Returns the constraint for integers, with coprime coefficients: 4·m ≥ 1 is m ≥ 1. An equality stays the same.
    #[must_use]
    pub fn tightened(&self) -> Self {
        let constant = self.poly.terms().find(|(monomial, _)| monomial.factors().is_empty());
        let constant = constant.map_or_else(Rational::zero, |(_, constant)| constant.clone());
        let rest = &self.poly - &Poly::constant(constant.clone());
        let factor = content(&rest).abs();
        if self.relation != Relation::NonNegative || factor.is_zero() {
            return self.clone();
        }
        let constant = (constant / &factor).floor();
        Self { poly: &rest.scale(&factor.recip()) + &Poly::constant(constant), ..*self }
    }

    /// Returns a constraint with this relation for the polynomial that `poly` returns.
    pub fn map(&self, poly: impl FnOnce(&Poly) -> Poly) -> Self {
        Self { poly: poly(&self.poly), relation: self.relation }
    }
}

/// A quasi-polynomial on part of its space, and zero elsewhere. The pieces of a list add up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Piece {
    /// A conjunction; empty means everywhere.
    #[serde(rename = "where", default, skip_serializing_if = "Vec::is_empty")]
    pub domain: Vec<Constraint>,
    /// The value where all constraints hold.
    pub value: Poly,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poly::Var;

    #[test]
    fn constraints_on_integers_are_tightened() {
        let constraint = |factor: i64, constant: i64| {
            let poly = &Poly::var(Var(0)).scale(&Rational::from_integer(factor.into())) + &Poly::integer(constant);
            Constraint::non_negative(poly)
        };
        assert_eq!(constraint(4, -1).tightened(), constraint(1, -1));
        assert_eq!(constraint(-4, 7).tightened(), constraint(-1, 1));
        assert_eq!(constraint(3, 6).tightened(), constraint(1, 2));
        let equal = Constraint::zero(constraint(2, 1).poly);
        assert_eq!(equal.tightened(), equal, "without a solution");
    }
}
