//! Iterators that do not grow.
//!
//! The place of an element in its line is one of eight, however large the sizes. Mostly the value does not matter: the
//! leading terms are the same, and only the number of values counts. Where it matters, each value is taken by itself.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use symloc_quasi::{Constraint, Poly, Relation, Var};

use crate::class::Class;
use crate::scale::{Scales, flat};

/// An iterator with the values 0 … longest, or fewer of them.
#[derive(Clone, Debug)]
pub(crate) struct Short {
    pub(crate) var: Var,
    pub(crate) longest: BigInt,
}

impl Short {
    /// Returns the values that remain under the constraints on it alone: the first, and their number; `None` if there
    /// are too many.
    pub(crate) fn values(&self, class: &Class) -> Option<(i64, u64)> {
        let (mut first, mut last) = (BigInt::zero(), self.longest.clone());
        for constraint in class.domain.iter().filter(|c| self.is_alone(c)) {
            let slope = constraint.poly.slope(self.var);
            let zero = -constraint.poly.constant_term() / &slope;
            if slope.is_positive() || constraint.relation == Relation::Zero {
                first = first.max(zero.ceil().to_integer());
            }
            if slope.is_negative() || constraint.relation == Relation::Zero {
                last = last.min(zero.floor().to_integer());
            }
        }
        let count: BigInt = &last - &first + 1;
        Some((first.to_i64()?, count.max(BigInt::zero()).to_u64()?))
    }

    /// Returns true if the constraint is linear in this iterator, and mentions nothing else.
    fn is_alone(&self, constraint: &Constraint) -> bool {
        let poly = &constraint.poly;
        poly.vars() == BTreeSet::from([self.var]) && poly.floors().is_empty() && poly.degree() == 1
    }

    /// Returns true if any leading term depends on it, apart from constraints on it alone.
    pub(crate) fn matters(&self, class: &Class, scales: &Scales) -> bool {
        let mentions = |poly: &Poly| poly.vars().contains(&self.var);
        let leads = |poly: &Poly| mentions(poly) && (scales.cancels(poly) || mentions(&scales.leading(&flat(poly)).1));
        let decides = |c: &Constraint| {
            leads(&c.poly) || (c.relation == Relation::Zero && mentions(&c.poly) && !c.poly.floors().is_empty())
        };
        leads(&class.value) || leads(&class.count) || class.domain.iter().any(|c| !self.is_alone(c) && decides(c))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symloc_model::IntervalKind;

    #[test]
    fn only_what_leads_matters() {
        let [n, u, r] = [0, 1, 2].map(|v| Poly::var(Var(v)));
        let scales = Scales::new(vec![1, 1, 0]);
        let short = Short { var: Var(2), longest: 7.into() };
        let class = |value: &Poly, other: Constraint| Class {
            reuse: None,
            kind: IntervalKind::Real,
            iterators: vec!["u".into(), "r".into()],
            value: value.clone(),
            bounds: Vec::new(),
            domain: vec![Constraint::non_negative(&r - &Poly::integer(2)), other],
            count: Poly::one(),
        };
        let inside = Constraint::non_negative(&(&n - &u) - &r);
        let plain = class(&(&u + &r), inside.clone());
        assert_eq!((short.values(&plain), short.matters(&plain, &scales)), (Some((2, 6)), false));
        assert!(short.matters(&class(&(&n * &r), inside), &scales), "n·r leads");
        let third = &r - &(&u + &r).floor_div(&3.into());
        let residue = Constraint::non_negative(&third + &u.floor_div(&3.into()));
        assert!(short.matters(&class(&u, residue), &scales), "⌊(u + r)/3⌋ − ⌊u/3⌋ is a matter of residues");
    }
}
