//! Expressions at fixed sizes.

use symloc_affine::{Atom, Expr, Program};

use crate::error::{ReplayError, overflow};

/// `constant + Σ coefficient·iterator + Σ coefficient·⌊numerator/divisor⌋`; iterators are slots of one vector.
#[derive(Clone, Debug, Default)]
pub(crate) struct Affine {
    constant: i64,
    terms: Vec<(usize, i64)>,
    floors: Vec<(Affine, i64, i64)>,
}

impl Affine {
    pub(crate) fn constant(constant: i64) -> Self {
        Self { constant, ..Self::default() }
    }

    /// Compiles an expression, with the values of the parameters inserted.
    pub(crate) fn new(program: &Program, expr: &Expr, sizes: &[i64]) -> Result<Self, ReplayError> {
        let mut affine = Self::constant(expr.constant_term());
        for (atom, coefficient) in expr.terms() {
            match atom {
                Atom::Param(param) => {
                    let sum =
                        sizes[param.index()].checked_mul(coefficient).and_then(|x| affine.constant.checked_add(x));
                    affine.constant = sum.ok_or_else(|| overflow(format!("`{}`", program.show(expr))))?;
                }
                Atom::Iter(iter) => affine.terms.push((iter.index(), coefficient)),
                Atom::Floor(numerator, divisor) => {
                    affine.floors.push((Self::new(program, numerator, sizes)?, *divisor, coefficient));
                }
            }
        }
        Ok(affine)
    }

    /// Evaluates the expression. `None` if it leaves 64 bits on the way.
    #[inline]
    pub(crate) fn at(&self, iters: &[i64]) -> Option<i64> {
        let mut value = self.constant;
        for (slot, coefficient) in &self.terms {
            value = value.checked_add(iters[*slot].checked_mul(*coefficient)?)?;
        }
        for (numerator, divisor, coefficient) in &self.floors {
            value = value.checked_add(numerator.at(iters)?.div_euclid(*divisor).checked_mul(*coefficient)?)?;
        }
        Some(value)
    }

    /// Returns the coefficient of an iterator. `None` if a floor depends on that iterator.
    pub(crate) fn slope(&self, slot: usize) -> Option<i64> {
        if self.floors.iter().any(|(numerator, ..)| numerator.mentions(slot)) {
            return None;
        }
        self.terms.iter().filter(|(s, _)| *s == slot).try_fold(0_i64, |sum, (_, c)| sum.checked_add(*c))
    }

    /// Returns true if the expression depends on an iterator.
    pub(crate) fn mentions(&self, slot: usize) -> bool {
        self.terms.iter().any(|(s, _)| *s == slot) || self.floors.iter().any(|(numerator, ..)| numerator.mentions(slot))
    }

    /// Returns the expression without the terms of an iterator.
    pub(crate) fn without(&self, slot: usize) -> Self {
        let mut rest = self.clone();
        rest.terms.retain(|(s, _)| *s != slot);
        rest
    }

    /// Adds a multiple of another expression. `None` if a coefficient leaves 64 bits.
    pub(crate) fn add(&mut self, other: &Self, factor: i64) -> Option<()> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (slot, coefficient) in &other.terms {
            self.terms.push((*slot, coefficient.checked_mul(factor)?));
        }
        for (numerator, divisor, coefficient) in &other.floors {
            self.floors.push((numerator.clone(), *divisor, coefficient.checked_mul(factor)?));
        }
        Some(())
    }
}
