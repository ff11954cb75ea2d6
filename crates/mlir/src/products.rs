//! Products of sizes: each is a parameter of its own, because nothing about it is affine in its factors.
//!
//! What holds for every product holds for those of its factors, so a model with such a parameter is right for all sizes; it
//! says what the parameter stands for.

use std::collections::BTreeMap;

use symloc_affine::{Atom, Expr, Overflow, ParamId};
use symloc_frontend::poly::{Monomial, Poly};

use crate::maps;
use crate::refusal::Cause;

/// The products that are parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Products {
    by_factors: BTreeMap<Monomial, ParamId>,
}

impl Products {
    /// An expression with the factors of products in their place.
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

    /// A polynomial with the factors of products in their place.
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

    /// A polynomial in sizes as an expression, if its products are parameters.
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

    /// The product, if one factor is constant or both are sizes.
    pub(crate) fn product<'a>(&self, left: &Expr, right: &Expr) -> Result<Expr, Cause<'a>> {
        if let Some(product) = maps::product(left, right)? {
            return Ok(product);
        }
        let product = self.expanded(left)?.product(&self.expanded(right)?)?;
        self.collected(&product).ok_or_else(Cause::product)
    }

    /// What is left of products of sizes that are all divided by the same one, such as 8·b·s by 2·b. Sizes are not zero.
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

    /// The product of these factors, if nothing but sizes is multiplied.
    pub(crate) fn of_sizes(&self, factors: &[Expr]) -> Option<Poly> {
        let one = Poly::constant(1);
        match factors.iter().any(has_iterators) {
            true => None,
            false => factors.iter().try_fold(one, |product, f| product.product(&self.expanded(f)?)).ok(),
        }
    }

    /// Has this product a parameter?
    pub(crate) fn has(&self, factors: &Monomial) -> bool {
        self.by_factors.contains_key(factors)
    }

    /// Says which parameter is the product of these factors.
    pub(crate) fn insert(&mut self, factors: Monomial, product: ParamId) {
        self.by_factors.insert(factors, product);
    }
}

fn has_iterators(expr: &Expr) -> bool {
    expr.mentions(&|atom| matches!(atom, Atom::Iter(_)))
}
