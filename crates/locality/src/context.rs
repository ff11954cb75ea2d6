//! The context's equalities, solved.
//!
//! Under `m = n` every formula can be written in n alone, and m is no parameter of its own.

use num_traits::{One, Signed};
use symloc_quasi::{Atom, Constraint, Monomial, Poly, Relation, Var};

/// Parameters that the context expresses by others.
pub(crate) struct Solved(Vec<Option<Poly>>);

impl Solved {
    /// Solves the equalities of a context, each for its last parameter with coefficient ±1.
    pub(crate) fn new(context: &[Constraint], parameters: usize) -> Self {
        let mut solved = Self(vec![None; parameters]);
        for constraint in context.iter().filter(|c| c.relation == Relation::Zero) {
            if let Some((var, value)) = solve(&solved.apply(&constraint.poly)) {
                let only = |v| (v == var).then(|| value.clone());
                solved.0.iter_mut().flatten().for_each(|earlier| *earlier = earlier.substitute(&only));
                solved.0[var.0 as usize] = Some(value);
            }
        }
        solved
    }

    /// The value of a parameter, if others express it.
    pub(crate) fn value(&self, var: Var) -> Option<&Poly> {
        self.0.get(var.0 as usize).and_then(Option::as_ref)
    }

    /// A polynomial in the remaining parameters.
    pub(crate) fn apply(&self, poly: &Poly) -> Poly {
        poly.substitute(&|var| self.value(var).cloned())
    }
}

/// `±v + rest = 0` solved for v.
fn solve(poly: &Poly) -> Option<(Var, Poly)> {
    if !poly.floors().is_empty() || poly.degree() != 1 {
        return None;
    }
    poly.vars().into_iter().rev().find_map(|var| {
        let slope = poly.coefficient(&Monomial::power(Atom::Var(var), 1));
        let rest = poly - &Poly::var(var).scale(&slope);
        slope.abs().is_one().then(|| (var, rest.scale(&-slope)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equalities_chain() {
        let [n, m, k] = [0, 1, 2].map(|v| Poly::var(Var(v)));
        let context = [Constraint::zero(&k - &m), Constraint::zero(&(&m - &n) - &Poly::one())];
        let solved = Solved::new(&context, 3);
        assert_eq!(solved.apply(&k), &n + &Poly::one());
        assert_eq!(solved.apply(&m), &n + &Poly::one());
        assert!(solved.value(Var(0)).is_none());
        let congruence = Constraint::zero(&n - &n.floor_div(&2.into()));
        assert!(Solved::new(&[congruence], 1).value(Var(0)).is_none());
    }
}
