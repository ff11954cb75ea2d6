//! Expressions and conditions, from a program's terms to a model's.

use symloc_affine::{self as affine, Atom, Expr, Relation};
use symloc_quasi::{Constraint, Poly, Var};

/// Returns a condition on the parameters in the model's terms.
pub(crate) fn constraint(constraint: &affine::Constraint) -> Constraint {
    // It has no iterators; a variable beyond the parameters would be refused on loading.
    constraint_over(constraint, u32::MAX)
}

/// Returns a condition whose iterators are variables from `first` on.
pub(crate) fn constraint_over(constraint: &affine::Constraint, first: u32) -> Constraint {
    let poly = polynomial(&constraint.expr, first);
    match constraint.relation {
        Relation::Zero => Constraint::zero(poly),
        Relation::NonNegative => Constraint::non_negative(poly),
    }
}

/// Returns an expression whose iterators are variables from `first` on.
pub(crate) fn polynomial(expr: &Expr, first: u32) -> Poly {
    let mut sum = Poly::integer(expr.constant_term());
    for (atom, coefficient) in expr.terms() {
        let atom = match atom {
            Atom::Param(param) => Poly::var(Var(param.0)),
            Atom::Iter(iter) => Poly::var(Var(first.saturating_add(iter.0))),
            Atom::Floor(numerator, divisor) => polynomial(numerator, first).floor_div(&(*divisor).into()),
        };
        sum = &sum + &(&atom * &Poly::integer(coefficient));
    }
    sum
}
