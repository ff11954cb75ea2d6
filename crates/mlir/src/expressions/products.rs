//! Products of sizes: each is a parameter of its own, because it is not affine in its factors.
//!
//! A model that is right for all values of such a parameter is right for all values of its factors. A note says which
//! product the parameter stands for.

use std::collections::BTreeMap;

use symloc_affine::{Atom, Expr, Overflow, ParamId};
use symloc_frontend::arithmetic::Trouble;
use symloc_frontend::poly::{Monomial, Poly};

use super::maps;
use super::refusal::Cause;

/// The products that are parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Products {
    by_factors: BTreeMap<Monomial, ParamId>,
}

impl Products {
    /// Replaces the parameters of products by their factors in an expression.
    pub(crate) fn expanded(&self, expr: &Expr) -> Result<Poly, Overflow> {
        let mut sum = Poly::default();
        for (monomial, coefficient) in Poly::from(expr.clone()).terms() {
            let product = match monomial.as_slice() {
                [param] => self.by_factors.iter().find(|(_, product)| *product == param).map(|(factors, _)| factors),
                _ => None,
            };
            let factors = product.unwrap_or(monomial).clone();
            sum = sum.plus(&Poly::monomial(factors, coefficient.clone()))?;
        }
        Ok(sum)
    }

    /// Replaces the parameters of products by their factors in a polynomial.
    pub(crate) fn expanded_in<'a>(&self, poly: &Poly) -> Result<Poly, Cause<'a>> {
        let mut sum = Poly::default();
        for (monomial, coefficient) in poly.terms() {
            let sizes = monomial.iter().map(|size| self.expanded(&Expr::param(*size)));
            let mut product = self.expanded(coefficient)?;
            for size in sizes {
                product = product.product(&size?)?;
            }
            sum = sum.plus(&product)?;
        }
        Ok(sum)
    }

    /// Returns a polynomial in sizes as an expression, if its products are parameters.
    pub(crate) fn collected(&self, poly: &Poly) -> Option<Expr> {
        let mut sum = Expr::default();
        for (monomial, coefficient) in poly.terms() {
            sum = match (monomial.as_slice(), coefficient.as_constant()) {
                ([], _) => sum.plus(coefficient).ok()?,
                ([size], Some(factor)) => sum.add_scaled(&Expr::param(*size), factor).ok()?,
                (_, Some(factor)) => sum.add_scaled(&Expr::param(*self.by_factors.get(monomial)?), factor).ok()?,
                (_, None) => return None,
            };
        }
        Some(sum)
    }

    /// Returns the product of two expressions.
    ///
    /// # Errors
    ///
    /// If neither is constant, and it contains a product of sizes that is not a parameter, or of iterators.
    pub(crate) fn product<'a>(&self, left: &Expr, right: &Expr) -> Result<Expr, Cause<'a>> {
        if let Some(product) = maps::product(left, right)? {
            return Ok(product);
        }
        let product = self.expanded(left)?.product(&self.expanded(right)?)?;
        Ok(self.collected(&product).ok_or(Trouble::Product(Vec::new()))?)
    }

    /// Returns the quotient of a sum of products of sizes by one product that divides them all, as 8·b·s by 2·b. Sizes
    /// are not zero.
    pub(crate) fn quotient(&self, value: &Expr, by: &Expr) -> Option<Expr> {
        let by = self.expanded(by).ok()?;
        let mut terms = by.terms();
        let (divisor, factor) = terms.next().filter(|(_, factor)| factor.as_constant().is_some())?;
        if terms.next().is_some() {
            return None;
        }
        let mut sum = Poly::default();
        for (monomial, coefficient) in self.expanded(value).ok()?.terms() {
            let mut rest = monomial.clone();
            for size in divisor {
                rest.remove(rest.iter().position(|own| own == size)?);
            }
            sum = sum.plus(&Poly::monomial(rest, coefficient.clone())).ok()?;
        }
        self.collected(&sum.divided(factor.as_constant()?)?)
    }

    /// Returns the product of these factors, if none mentions an iterator.
    pub(crate) fn of_sizes(&self, factors: &[Expr]) -> Option<Poly> {
        let one = Poly::constant(1);
        match factors.iter().any(has_iterators) {
            true => None,
            false => factors.iter().try_fold(one, |product, f| product.product(&self.expanded(f)?)).ok(),
        }
    }

    /// Returns true if a product has a parameter.
    pub(crate) fn has(&self, factors: &Monomial) -> bool {
        self.by_factors.contains_key(factors)
    }

    /// Adds the parameter of a product.
    pub(crate) fn insert(&mut self, factors: Monomial, product: ParamId) {
        self.by_factors.insert(factors, product);
    }
}

fn has_iterators(expr: &Expr) -> bool {
    expr.mentions(&|atom| matches!(atom, Atom::Iter(_)))
}
