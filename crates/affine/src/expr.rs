//! Affine expressions in normal form.
//!
//! An expression is `constant + Σ coefficient · atom`; an atom is a parameter, an iterator or `⌊expression / divisor⌋`.
//! `mod` and `ceildiv` are written with floors (`e mod d = e − d·⌊e/d⌋`, `⌈e/d⌉ = −⌊−e/d⌋`), so one kind of atom
//! is enough. Coefficients are checked 64-bit integers: what does not fit is an [`Overflow`], never a wrong number.

use std::collections::BTreeMap;

use crate::ids::{IterId, ParamId};

/// A coefficient left the range of 64-bit integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a coefficient does not fit in 64 bits")]
pub struct Overflow;

/// An atom of an expression, which is linear in its atoms.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// A program parameter.
    Param(ParamId),
    /// A loop iterator.
    Iter(IterId),
    /// `⌊expression / divisor⌋` with a divisor of at least 2.
    Floor(Box<Expr>, i64),
}

/// An affine expression with integer coefficients, in normal form: no atom has coefficient zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Expr {
    constant: i64,
    terms: BTreeMap<Atom, i64>,
}

impl Expr {
    /// Returns the constant expression.
    pub fn constant(value: i64) -> Self {
        Self { constant: value, terms: BTreeMap::new() }
    }

    /// Returns the expression that is one atom.
    pub fn atom(atom: Atom) -> Self {
        Self { constant: 0, terms: BTreeMap::from([(atom, 1)]) }
    }

    /// Returns the expression that is one parameter.
    pub fn param(param: ParamId) -> Self {
        Self::atom(Atom::Param(param))
    }

    /// Returns the expression that is one iterator.
    pub fn iter(iter: IterId) -> Self {
        Self::atom(Atom::Iter(iter))
    }

    /// Returns the constant term.
    pub fn constant_term(&self) -> i64 {
        self.constant
    }

    /// Returns the atoms and their coefficients (none is zero), in the order of atoms.
    pub fn terms(&self) -> impl Iterator<Item = (&Atom, i64)> {
        self.terms.iter().map(|(atom, &coefficient)| (atom, coefficient))
    }

    /// Returns the value, if the expression mentions neither parameter nor iterator.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + factor · other`.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a coefficient leaves 64 bits.
    pub fn add_scaled(&self, other: &Expr, factor: i64) -> Result<Expr, Overflow> {
        let mut sum = self.clone();
        let scaled = |c: i64| c.checked_mul(factor).ok_or(Overflow);
        sum.constant = sum.constant.checked_add(scaled(other.constant)?).ok_or(Overflow)?;
        for (atom, &coefficient) in &other.terms {
            let entry = sum.terms.entry(atom.clone()).or_insert(0);
            *entry = entry.checked_add(scaled(coefficient)?).ok_or(Overflow)?;
        }
        sum.terms.retain(|_, c| *c != 0);
        Ok(sum)
    }

    /// `self + other`.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a coefficient leaves 64 bits.
    pub fn plus(&self, other: &Expr) -> Result<Expr, Overflow> {
        self.add_scaled(other, 1)
    }

    /// `self − other`.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a coefficient leaves 64 bits.
    pub fn minus(&self, other: &Expr) -> Result<Expr, Overflow> {
        self.add_scaled(other, -1)
    }

    /// `self + value`.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a coefficient leaves 64 bits.
    pub fn plus_constant(&self, value: i64) -> Result<Expr, Overflow> {
        self.plus(&Expr::constant(value))
    }

    /// `factor · self`.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a coefficient leaves 64 bits.
    pub fn times(&self, factor: i64) -> Result<Expr, Overflow> {
        Expr::default().add_scaled(self, factor)
    }

    /// `⌊self / divisor⌋`, for a positive divisor.
    ///
    /// # Errors
    ///
    /// None: quotients are not larger. It returns what the other operations return.
    pub fn floor_div(&self, divisor: i64) -> Result<Expr, Overflow> {
        assert!(divisor > 0, "floor_div by {divisor}");
        let divisible = self.constant % divisor == 0 && self.terms.values().all(|c| c % divisor == 0);
        if divisible {
            let terms = self.terms.iter().map(|(atom, c)| (atom.clone(), c / divisor)).collect();
            return Ok(Expr { constant: self.constant / divisor, terms });
        }
        if let Some(value) = self.as_constant() {
            return Ok(Expr::constant(value.div_euclid(divisor)));
        }
        Ok(Expr::atom(Atom::Floor(Box::new(self.clone()), divisor)))
    }

    /// `⌈self / divisor⌉`, for a positive divisor.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a coefficient leaves 64 bits.
    pub fn ceil_div(&self, divisor: i64) -> Result<Expr, Overflow> {
        self.times(-1)?.floor_div(divisor)?.times(-1)
    }

    /// `self mod divisor`, in `0..divisor`, for a positive divisor.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a coefficient leaves 64 bits.
    pub fn modulo(&self, divisor: i64) -> Result<Expr, Overflow> {
        self.add_scaled(&self.floor_div(divisor)?, divisor.checked_neg().ok_or(Overflow)?)
    }

    /// `self = divisor·whole + rest` with small coefficients in the rest: at most half of the divisor, and the constant
    /// in `0..divisor`.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a coefficient leaves 64 bits.
    pub fn div_rem(&self, divisor: i64) -> Result<(Expr, Expr), Overflow> {
        let small = |c: i64| match c.rem_euclid(divisor) {
            rest if rest > divisor / 2 => rest - divisor,
            rest => rest,
        };
        let rests = self.terms.iter().map(|(atom, c)| (atom.clone(), small(*c))).filter(|(_, c)| *c != 0);
        let rest = Expr { constant: self.constant.rem_euclid(divisor), terms: rests.collect() };
        Ok((self.minus(&rest)?.floor_div(divisor)?, rest))
    }

    /// Replaces every iterator for which `value` gives something, in floors too.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a coefficient leaves 64 bits.
    pub fn substitute(&self, value: &impl Fn(IterId) -> Option<Result<Expr, Overflow>>) -> Result<Expr, Overflow> {
        self.replace(&|atom| match atom {
            Atom::Iter(iter) => value(*iter),
            Atom::Param(_) | Atom::Floor(..) => None,
        })
    }

    /// Replaces every parameter and iterator for which `value` gives something, in floors too.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a coefficient leaves 64 bits.
    pub fn replace(&self, value: &impl Fn(&Atom) -> Option<Result<Expr, Overflow>>) -> Result<Expr, Overflow> {
        let mut sum = Expr::constant(self.constant);
        for (atom, &coefficient) in &self.terms {
            let term = match atom {
                Atom::Param(_) | Atom::Iter(_) => value(atom).unwrap_or_else(|| Ok(Expr::atom(atom.clone())))?,
                Atom::Floor(numerator, divisor) => numerator.replace(value)?.floor_div(*divisor)?,
            };
            sum = sum.add_scaled(&term, coefficient)?;
        }
        Ok(sum)
    }

    /// Returns the value at a point: `param` and `iter` give the values of parameters and iterators.
    /// `None` when a partial result leaves 128 bits.
    pub fn eval(&self, param: &impl Fn(ParamId) -> i128, iter: &impl Fn(IterId) -> i128) -> Option<i128> {
        let mut value = i128::from(self.constant);
        for (atom, &coefficient) in &self.terms {
            let atom = match atom {
                Atom::Param(p) => param(*p),
                Atom::Iter(i) => iter(*i),
                Atom::Floor(numerator, divisor) => numerator.eval(param, iter)?.div_euclid(i128::from(*divisor)),
            };
            value = value.checked_add(atom.checked_mul(i128::from(coefficient))?)?;
        }
        Some(value)
    }

    /// Visits the atoms, and those in floors after the floor.
    pub fn each_atom(&self, visit: &mut dyn FnMut(&Atom)) {
        for atom in self.terms.keys() {
            visit(atom);
            if let Atom::Floor(numerator, _) = atom {
                numerator.each_atom(visit);
            }
        }
    }

    /// Returns true if `test` holds for a parameter or iterator anywhere in the expression, including floors.
    pub fn mentions(&self, test: &impl Fn(&Atom) -> bool) -> bool {
        self.terms.keys().any(|atom| {
            test(atom)
                || match atom {
                    Atom::Floor(numerator, _) => numerator.mentions(test),
                    _ => false,
                }
        })
    }
}

/// The relation of a constraint's expression to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// `expr = 0`
    Zero,
    /// `expr ≥ 0`
    NonNegative,
}

/// An affine constraint: `expr = 0` or `expr ≥ 0`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Constraint {
    /// The left-hand side; the right-hand side is zero.
    pub expr: Expr,
    /// The relation.
    pub relation: Relation,
}

impl Constraint {
    /// `expr = 0`
    pub fn zero(expr: Expr) -> Self {
        Self { expr, relation: Relation::Zero }
    }

    /// `expr ≥ 0`
    pub fn non_negative(expr: Expr) -> Self {
        Self { expr, relation: Relation::NonNegative }
    }

    /// `expr = value`
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a coefficient leaves 64 bits.
    pub fn equal(expr: &Expr, value: i64) -> Result<Self, Overflow> {
        Ok(Self::zero(expr.plus_constant(value.checked_neg().ok_or(Overflow)?)?))
    }

    /// Returns true if the constraint holds at a point; `None` on overflow of 128 bits.
    pub fn holds(&self, param: &impl Fn(ParamId) -> i128, iter: &impl Fn(IterId) -> i128) -> Option<bool> {
        let value = self.expr.eval(param, iter)?;
        Some(match self.relation {
            Relation::Zero => value == 0,
            Relation::NonNegative => value >= 0,
        })
    }
}

/// Returns the greatest common divisor, not negative.
pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mod_and_ceildiv_agree_with_arithmetic_at_negative_values_too() {
        let i = Expr::iter(IterId(0));
        let e = i.times(3).unwrap().plus_constant(-5).unwrap();
        for x in -20..20_i128 {
            let at = |e: &Expr| e.eval(&|_| 0, &|_| x).unwrap();
            let v = 3 * x - 5;
            assert_eq!(at(&e.floor_div(4).unwrap()), v.div_euclid(4));
            assert_eq!(at(&e.modulo(4).unwrap()), v.rem_euclid(4));
            assert_eq!(at(&e.ceil_div(4).unwrap()), -((-v).div_euclid(4)));
        }
    }

    #[test]
    fn overflow_is_reported() {
        assert_eq!(Expr::param(ParamId(0)).times(i64::MAX).unwrap().times(2), Err(Overflow));
    }
}
