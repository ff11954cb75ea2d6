//! Conditions on the parameters, from a program's terms to a model's.

use symloc_affine::{self as affine, Atom, Expr, Relation};
use symloc_quasi::{Constraint, Poly, Var};

/// A condition on the parameters in the model's terms.
pub(crate) fn constraint(constraint: &affine::Constraint) -> Constraint {
    let poly = polynomial(&constraint.expr);
    match constraint.relation {
        Relation::Zero => Constraint::zero(poly),
        Relation::NonNegative => Constraint::non_negative(poly),
    }
}

fn polynomial(expr: &Expr) -> Poly {
    let mut sum = Poly::integer(expr.constant_term());
    for (atom, coefficient) in expr.terms() {
        let atom = match atom {
            Atom::Param(param) => Poly::var(Var(param.0)),
            // A condition on parameters has no iterators; a variable beyond them would be refused on loading.
            Atom::Iter(iter) => Poly::var(Var(u32::MAX - iter.0)),
            Atom::Floor(numerator, divisor) => polynomial(numerator).floor_div(&(*divisor).into()),
        };
        sum = &sum + &(&atom * &Poly::integer(coefficient));
    }
    sum
}
