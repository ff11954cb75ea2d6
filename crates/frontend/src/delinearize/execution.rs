//! Accesses that are never executed under some conditions on the sizes: these, what holds at the access, the bounds of loops and the
//! domains of parameters contradict each other over the rationals, which the simplex method decides. What it does not contradict may
//! still have no integers; the derivation finds that out.

use std::collections::BTreeSet;

use symloc_affine::{self as affine, Atom, Expr, IterId, Overflow, ParamId, Relation};
use symloc_polyhedra::Facts;
use symloc_quasi::{Constraint, Poly, Var};

use super::Reference;
use crate::ranges::Ranges;

/// Returns true if a reference is known never to be executed under some conditions.
pub(super) fn is_never(Reference { offset, facts, .. }: &Reference, conditions: &[Expr], ranges: &Ranges) -> bool {
    let mut system: Vec<affine::Constraint> = facts.clone();
    system.extend(conditions.iter().cloned().map(affine::Constraint::non_negative));
    let mut open: Vec<Atom> = offset.iterators(|_| true).into_iter().map(Atom::Iter).collect();
    system.iter().for_each(|constraint| atoms(&constraint.expr, &mut open));
    let mut known: BTreeSet<Atom> = BTreeSet::new();
    while let Some(atom) = open.pop() {
        let added = match &atom {
            Atom::Iter(iter) => in_loop(*iter, ranges),
            Atom::Param(param) => in_domain(*param, ranges),
            Atom::Floor(..) => Vec::new(),
        };
        if known.insert(atom) {
            added.iter().for_each(|constraint| atoms(&constraint.expr, &mut open));
            system.extend(added);
        }
    }
    let system: Vec<Constraint> = system.iter().map(linear).collect();
    Facts::new(&system).contradict()
}

/// Returns what the bounds of its loop say of an iterator.
fn in_loop(iter: IterId, ranges: &Ranges) -> Vec<affine::Constraint> {
    let (lower, upper) = ranges.bounds(iter);
    let value = Expr::iter(iter);
    let above = lower.iter().map(|lower| value.minus(lower));
    let below = upper.iter().map(|upper| upper.minus(&value)?.plus_constant(-1));
    not_negative(above.chain(below))
}

/// Returns what its domain says of a parameter.
fn in_domain(param: ParamId, ranges: &Ranges) -> Vec<affine::Constraint> {
    let (domain, value) = (ranges.domain(param), Expr::param(param));
    let above = domain.least().map(|least| value.minus(&Expr::constant(least)));
    let below = domain.largest().map(|largest| Expr::constant(largest).minus(&value));
    not_negative(above.into_iter().chain(below))
}

/// Returns constraints that expressions are not negative; without those that overflow.
fn not_negative(exprs: impl Iterator<Item = Result<Expr, Overflow>>) -> Vec<affine::Constraint> {
    exprs.filter_map(Result::ok).map(affine::Constraint::non_negative).collect()
}

/// Collects the parameters and iterators of an expression.
fn atoms(expr: &Expr, found: &mut Vec<Atom>) {
    for (atom, _) in expr.terms() {
        match atom {
            Atom::Floor(numerator, _) => atoms(numerator, found),
            Atom::Param(_) | Atom::Iter(_) => found.push(atom.clone()),
        }
    }
}

fn linear(constraint: &affine::Constraint) -> Constraint {
    let poly = polynomial(&constraint.expr);
    match constraint.relation {
        Relation::Zero => Constraint::zero(poly),
        Relation::NonNegative => Constraint::non_negative(poly),
    }
}

/// Returns an expression with variables of even numbers for its parameters, and odd ones for its iterators.
fn polynomial(expr: &Expr) -> Poly {
    let mut sum = Poly::integer(expr.constant_term());
    for (atom, coefficient) in expr.terms() {
        let value = match atom {
            Atom::Param(param) => Poly::var(Var(param.0.saturating_mul(2))),
            Atom::Iter(iter) => Poly::var(Var(iter.0.saturating_mul(2).saturating_add(1))),
            Atom::Floor(numerator, divisor) => polynomial(numerator).floor_div(&(*divisor).into()),
        };
        sum = &sum + &(&value * &Poly::integer(coefficient));
    }
    sum
}
