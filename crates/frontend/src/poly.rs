//! Offsets: polynomials in the sizes whose coefficients are affine in the iterators.
//!
//! Subscripts are affine, but offsets are not: `A[i][j]` of a variable-length array lies `i·n + j` elements from its
//! start, and a row of a cube `i·n·m`. So an offset is Σ monomial · coefficient: the monomial is a product of sizes,
//! the coefficient is affine in iterators and mentions no size outside a floor. Products of iterators are refused.

use std::collections::BTreeMap;

use crate::arithmetic::Trouble;
use symloc_affine::{Atom, Expr, IterId, Overflow, ParamId};

/// A product of sizes, in ascending order; empty for 1.
pub type Monomial = Vec<ParamId>;

/// Returns a pseudo-size for strides between rows that may lie anywhere; its number is far above those of sizes.
pub fn row_mark(number: usize) -> ParamId {
    ParamId(u32::try_from(number).map_or(FIRST_MARK, |number| u32::MAX.saturating_sub(number).max(FIRST_MARK)))
}

/// Returns true if the size is a [`row_mark`].
pub fn is_row_mark(size: ParamId) -> bool {
    size.0 >= FIRST_MARK
}

const FIRST_MARK: u32 = 1 << 31;

/// A polynomial in normal form: no coefficient is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Poly {
    terms: BTreeMap<Monomial, Expr>,
}

impl Poly {
    /// Returns a constant.
    pub fn constant(value: i64) -> Self {
        Self::monomial(Monomial::new(), Expr::constant(value))
    }

    /// Returns a product of sizes with a coefficient.
    pub fn monomial(monomial: Monomial, coefficient: Expr) -> Self {
        let mut terms = BTreeMap::new();
        if coefficient != Expr::default() {
            terms.insert(monomial, coefficient);
        }
        Self { terms }
    }

    /// Returns the terms.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, &Expr)> {
        self.terms.iter()
    }

    /// Returns true if it is zero.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns the value, if it is constant.
    pub fn as_constant(&self) -> Option<i64> {
        match self.affine() {
            Some(expr) => expr.as_constant(),
            None => None,
        }
    }

    /// Returns it as an affine expression, if it is one.
    pub fn affine(&self) -> Option<Expr> {
        let mut sum = Expr::default();
        for (monomial, coefficient) in &self.terms {
            sum = match (monomial.as_slice(), coefficient.as_constant()) {
                ([], _) => sum.plus(coefficient).ok()?,
                ([size], Some(factor)) if !is_row_mark(*size) => sum.add_scaled(&Expr::param(*size), factor).ok()?,
                _ => return None,
            };
        }
        Some(sum)
    }

    /// Returns it as an affine expression.
    ///
    /// # Errors
    ///
    /// [`Trouble::Product`] if it is none, with the parameters by which iterators are multiplied.
    pub fn to_affine(&self) -> Result<Expr, Trouble> {
        self.affine().ok_or_else(|| Trouble::Product(self.factors()))
    }

    /// Returns the parameters that are multiplied by iterators, if all products are such.
    fn factors(&self) -> Vec<ParamId> {
        let is_of_sizes =
            |(monomial, coefficient): (&Monomial, &Expr)| monomial.len() > 1 && coefficient.as_constant().is_some();
        if self.terms().any(is_of_sizes) {
            return Vec::new();
        }
        let of_iterators = self.terms().filter(|(_, coefficient)| coefficient.as_constant().is_none());
        let factors = of_iterators.flat_map(|(monomial, _)| monomial.iter().copied());
        let mut factors: Vec<ParamId> = factors.filter(|size| !is_row_mark(*size)).collect();
        factors.sort_unstable();
        factors.dedup();
        factors
    }

    /// Returns `self + factor · other`.
    pub fn add_scaled(&self, other: &Self, factor: i64) -> Result<Self, Overflow> {
        let mut sum = self.clone();
        for (monomial, coefficient) in &other.terms {
            let entry = sum.terms.entry(monomial.clone()).or_default();
            *entry = entry.add_scaled(coefficient, factor)?;
        }
        sum.terms.retain(|_, coefficient| *coefficient != Expr::default());
        Ok(sum)
    }

    /// Returns `self + other`.
    pub fn plus(&self, other: &Self) -> Result<Self, Overflow> {
        self.add_scaled(other, 1)
    }

    /// Returns `self − other`.
    pub fn minus(&self, other: &Self) -> Result<Self, Overflow> {
        self.add_scaled(other, -1)
    }

    /// Returns `factor · self`.
    pub fn times(&self, factor: i64) -> Result<Self, Overflow> {
        Self::default().add_scaled(self, factor)
    }

    /// Returns `self · other`.
    ///
    /// # Errors
    ///
    /// [`Trouble::Product`] if two coefficients that are not constant are multiplied.
    pub fn product(&self, other: &Self) -> Result<Self, Trouble> {
        let mut sum = Self::default();
        for (left, a) in &self.terms {
            for (right, b) in &other.terms {
                let coefficient = match (a.as_constant(), b.as_constant()) {
                    (_, Some(factor)) => a.times(factor)?,
                    (Some(factor), None) => b.times(factor)?,
                    (None, None) => return Err(Trouble::Product(Vec::new())),
                };
                let mut monomial = [left.as_slice(), right].concat();
                monomial.sort_unstable();
                sum = sum.plus(&Self::monomial(monomial, coefficient))?;
            }
        }
        Ok(sum)
    }

    /// Replaces an iterator by a value.
    pub fn substitute(&self, iter: IterId, value: &Poly) -> Result<Self, Trouble> {
        let affine = value.affine();
        let mut sum = Self::default();
        for (monomial, coefficient) in &self.terms {
            let product = Self::monomial(monomial.clone(), Expr::constant(1));
            let replaced = match &affine {
                Some(value) => Self::from(coefficient.substitute(&|i| (i == iter).then(|| Ok(value.clone())))?),
                None => {
                    // A value that is not affine cannot be put into a floor.
                    let factor = coefficient_of(coefficient, iter);
                    let rest = coefficient.add_scaled(&Expr::iter(iter), -factor)?;
                    if rest.mentions(&|atom| *atom == Atom::Iter(iter)) {
                        return Err(Trouble::Product(Vec::new()));
                    }
                    Self::from(rest).plus(&value.times(factor)?)?
                }
            };
            sum = sum.plus(&product.product(&replaced)?)?;
        }
        Ok(sum)
    }

    /// Returns true if it mentions an iterator that passes the test.
    pub fn mentions(&self, test: &impl Fn(IterId) -> bool) -> bool {
        self.terms.values().any(|c| c.mentions(&|atom| matches!(atom, Atom::Iter(iter) if test(*iter))))
    }

    /// Returns `self / by`, if that has integer coefficients.
    pub fn divided(&self, by: i64) -> Option<Self> {
        let divide = |coefficient: &Expr| {
            let whole = coefficient.constant_term() % by == 0 && coefficient.terms().all(|(_, c)| c % by == 0);
            whole.then(|| coefficient.floor_div(by).ok()).flatten()
        };
        let terms = self.terms.iter().map(|(monomial, c)| Some((monomial.clone(), divide(c)?)));
        (by > 0).then(|| terms.collect::<Option<_>>()).flatten().map(|terms| Self { terms })
    }

    /// Returns the polynomial that gives this one if it is multiplied by a sum of sizes; `None` if there is none.
    pub fn quotient(&self, by: &Expr) -> Option<Self> {
        let divisor = Self::from(by.clone());
        let (size, factor) = by.terms().find_map(|(atom, factor)| match atom {
            Atom::Param(size) => Some((*size, factor)),
            _ => None,
        })?;
        let degree = |sizes: &Monomial| sizes.iter().filter(|other| **other == size).count();
        let (mut quotient, mut rest) = (Self::default(), self.clone());
        // Each step takes a term of the highest degree in the size, and leaves terms of a lower one.
        while let Some((sizes, coefficient)) = rest.terms.iter().max_by_key(|(sizes, _)| degree(sizes)) {
            let mut others = sizes.clone();
            others.remove(others.iter().position(|other| *other == size)?);
            let whole = Self::monomial(Monomial::new(), coefficient.clone());
            let whole = if factor < 0 { whole.times(-1).ok()? } else { whole };
            let by_factor = whole.divided(factor.checked_abs()?)?;
            let term = Self::monomial(others, Expr::constant(1)).product(&by_factor).ok()?;
            rest = rest.minus(&term.product(&divisor).ok()?).ok()?;
            quotient = quotient.plus(&term).ok()?;
        }
        Some(quotient)
    }
}

/// Returns the coefficient of an iterator outside floors.
fn coefficient_of(expr: &Expr, iter: IterId) -> i64 {
    expr.terms().find(|(atom, _)| **atom == Atom::Iter(iter)).map_or(0, |(_, coefficient)| coefficient)
}

impl From<Expr> for Poly {
    fn from(expr: Expr) -> Self {
        let mut terms: BTreeMap<Monomial, Expr> = BTreeMap::new();
        let mut rest = Expr::constant(expr.constant_term());
        for (atom, coefficient) in expr.terms() {
            match atom {
                Atom::Param(size) => {
                    terms.insert(vec![*size], Expr::constant(coefficient));
                }
                // The atoms of a normal form differ, so no coefficients are added up and none can overflow.
                _ => rest = rest.add_scaled(&Expr::atom(atom.clone()), coefficient).unwrap_or(rest),
            }
        }
        if rest != Expr::default() {
            terms.insert(Monomial::new(), rest);
        }
        Self { terms }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotient_times_its_divisor_is_the_polynomial() {
        let size = |number| Expr::param(ParamId(number));
        let plus = |number, constant| size(number).plus_constant(constant).unwrap();
        let product = |a: &Expr, b: &Expr| Poly::from(a.clone()).product(&b.clone().into()).unwrap();
        let (rows, columns) = (plus(0, 2), plus(1, -1).times(-3).unwrap());
        let both = product(&rows, &columns);
        assert_eq!(both.quotient(&rows), Some(columns.clone().into()));
        assert_eq!(both.quotient(&columns), Some(rows.into()));
        // With an iterator: n·m − i·m is (n − i)·m.
        let left = size(0).minus(&Expr::iter(IterId(0))).unwrap();
        assert_eq!(product(&left, &size(1)).quotient(&size(1)), Some(left.into()));
        for other in [size(0), size(1), plus(0, 1), columns.times(2).unwrap(), Expr::constant(1)] {
            assert_eq!(both.quotient(&other), None, "{other:?}");
        }
        let square = product(&plus(0, 1), &plus(0, 1));
        assert_eq!(square.quotient(&plus(0, 1)), Some(plus(0, 1).into()));
        assert_eq!(square.quotient(&plus(0, 2)), None);
    }
}
