//! Products of sizes: each is a parameter of its own, because nothing about it is affine in its factors.
//!
//! What holds for every product holds for those of its factors, so a model with such a parameter is right for all sizes; it
//! says what the parameter stands for.

use std::collections::BTreeMap;

use symloc_affine::{Atom, Expr, Overflow, ParamId};
use symloc_frontend::cases::{Cases, join};
use symloc_frontend::poly::{Monomial, Poly};
use symloc_frontend::{Candidate, Origin};

use crate::ffi::{self, Op, Val};
use crate::maps;
use crate::refusal::Cause;
use crate::values::Values;

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

    /// A polynomial in sizes as an expression, if its products are parameters.
    fn collected(&self, poly: &Poly) -> Option<Expr> {
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
}

fn has_iterators(expr: &Expr) -> bool {
    expr.mentions(&|atom| matches!(atom, Atom::Iter(_)))
}

impl<'a> Values<'a, '_> {
    /// The product, if one factor is constant or both are sizes.
    pub(crate) fn product(&self, left: &Expr, right: &Expr) -> Result<Expr, Cause<'a>> {
        if let Some(product) = maps::product(left, right)? {
            return Ok(product);
        }
        let product = self.products.expanded(left)?.product(&self.products.expanded(right)?)?;
        self.products.collected(&product).ok_or_else(Cause::product)
    }

    /// What is left of products of sizes that are all divided by the same one, such as 8·b·s by 2·b. Sizes are not zero.
    pub(crate) fn quotient(&self, value: &Expr, by: &Expr) -> Option<Expr> {
        let by = self.products.expanded(by).ok()?;
        let mut terms = by.terms();
        let (divisor, factor) = terms.next().filter(|(_, factor)| factor.as_constant().is_some())?;
        if terms.next().is_some() {
            return None;
        }
        let mut sum = Poly::default();
        for (monomial, coefficient) in self.products.expanded(value).ok()?.terms() {
            let mut rest = monomial.clone();
            for size in divisor {
                rest.remove(rest.iter().position(|own| own == size)?);
            }
            sum = sum.plus(&Poly::monomial(rest, coefficient.clone())).ok()?;
        }
        self.products.collected(&sum.divided(factor.as_constant()?)?)
    }

    /// Products of sizes in a multiplication become parameters.
    pub(crate) fn introduce_product(&mut self, op: Op<'a>) {
        use melior::ir::operation::OperationLike;
        if !["arith.muli", "index.mul"].contains(&ffi::name(op).as_str()) {
            return;
        }
        let factors: Vec<Val<'a>> = op.operands().collect();
        let factors: Option<Vec<_>> = factors.into_iter().map(|factor| self.known_index(factor).ok()).collect();
        if let Some(Ok(factors)) = factors.map(|factors| join(&factors)) {
            self.introduce_products(&factors);
        }
    }

    /// The products of these factors, case by case, become parameters where nothing but sizes is multiplied.
    pub(crate) fn introduce_products(&mut self, factors: &Cases<Vec<Expr>>) {
        let mut found = Vec::new();
        // Nothing fails here: what cannot be multiplied is no parameter.
        let _ = factors.try_map(&mut |factors: &Vec<Expr>| {
            if !factors.iter().any(has_iterators) {
                let one = Poly::constant(1);
                let product = factors.iter().try_fold(one, |product, f| product.product(&self.products.expanded(f)?));
                found.extend(product.ok());
            }
            Ok::<_, ()>(())
        });
        for product in found {
            for (monomial, _) in product.terms().filter(|(monomial, _)| monomial.len() > 1) {
                if !self.products.by_factors.contains_key(monomial) {
                    let id = self.candidate_of(Candidate { origin: Origin::Product(monomial.clone()), name: None });
                    self.products.by_factors.insert(monomial.clone(), id);
                }
            }
        }
    }
}
