//! Polynomials in expanded form: a map from monomials to non-zero rational coefficients.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Add, AddAssign, Mul, Neg, Sub};
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::{One, Zero};

use crate::Rational;
use crate::floor::Floor;

/// A variable, numbered by whoever builds the polynomial. All variables stand for integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

/// An indeterminate of a polynomial: a variable or a floor. Both are integers at every point.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// A variable.
    Var(Var),
    /// `⌊e/d⌋`.
    Floor(Floor),
}

/// A product of powers of distinct atoms, in their order; the empty product is 1.
///
/// Monomials are ordered by degree, then lexicographically with the first atom counting most. This order is
/// multiplicative, which polynomial division needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Monomial(Vec<(Atom, u32)>);

impl Ord for Monomial {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_exponents = || {
            let difference = self.0.iter().zip(&other.0).find(|(a, b)| a != b);
            difference.map_or(Ordering::Equal, |((a, x), (b, y))| b.cmp(a).then(x.cmp(y)))
        };
        self.degree().cmp(&other.degree()).then_with(by_exponents)
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Monomial {
    /// Returns the product of an atom to a power.
    pub fn power(atom: Atom, exponent: u32) -> Self {
        Self(if exponent == 0 { Vec::new() } else { vec![(atom, exponent)] })
    }

    /// Returns the factors, in the order of their atoms; exponents are at least 1.
    pub fn factors(&self) -> &[(Atom, u32)] {
        &self.0
    }

    /// Returns true if this is the empty product.
    pub fn is_one(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the sum of the exponents.
    pub fn degree(&self) -> u32 {
        self.0.iter().map(|(_, e)| e).sum()
    }

    /// Returns the exponent of an atom.
    pub fn exponent(&self, atom: &Atom) -> u32 {
        self.0.iter().find(|(a, _)| a == atom).map_or(0, |(_, e)| *e)
    }

    /// Returns the product of two monomials.
    pub fn times(&self, other: &Monomial) -> Monomial {
        match (self.0.last(), other.0.first()) {
            (None, _) => return other.clone(),
            (_, None) => return self.clone(),
            (Some((last, _)), Some((first, _))) if last < first => return Self([&*self.0, &other.0].concat()),
            _ => {}
        }
        let mut factors: BTreeMap<&Atom, u32> = self.0.iter().map(|(a, e)| (a, *e)).collect();
        for (atom, exponent) in &other.0 {
            *factors.entry(atom).or_insert(0) += exponent;
        }
        Monomial(factors.into_iter().map(|(a, e)| (a.clone(), e)).collect())
    }

    /// Returns the greatest common divisor.
    pub fn gcd(&self, other: &Monomial) -> Monomial {
        let common = self.0.iter().map(|(a, e)| (a.clone(), (*e).min(other.exponent(a))));
        Monomial(common.filter(|(_, e)| *e > 0).collect())
    }

    /// `self / other`, if it is a monomial.
    pub fn divided_by(&self, other: &Monomial) -> Option<Monomial> {
        if other.0.iter().any(|(a, e)| self.exponent(a) < *e) {
            return None;
        }
        let rest = self.0.iter().map(|(a, e)| (a.clone(), e - other.exponent(a)));
        Some(Monomial(rest.filter(|(_, e)| *e > 0).collect()))
    }
}

/// A quasi-polynomial with rational coefficients. Copies share their terms, so that copying takes no time.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Poly(Arc<BTreeMap<Monomial, Rational>>);

impl Poly {
    /// Returns the zero polynomial.
    pub fn zero() -> Self {
        Self::default()
    }

    /// Returns the constant 1.
    pub fn one() -> Self {
        Self::constant(Rational::one())
    }

    /// Returns a constant.
    pub fn constant(value: Rational) -> Self {
        Self::term(value, Monomial::default())
    }

    /// Returns an integer constant.
    pub fn integer(value: impl Into<BigInt>) -> Self {
        Self::constant(Rational::from_integer(value.into()))
    }

    /// Returns a variable.
    pub fn var(var: Var) -> Self {
        Self::atom(Atom::Var(var))
    }

    /// Returns an atom.
    pub fn atom(atom: Atom) -> Self {
        Self::term(Rational::one(), Monomial::power(atom, 1))
    }

    /// `coefficient · monomial`.
    pub fn term(coefficient: Rational, monomial: Monomial) -> Self {
        let mut poly = Self::default();
        poly.add_term(coefficient, monomial);
        poly
    }

    /// Returns the terms, in the order of their monomials; no coefficient is zero.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = (&Monomial, &Rational)> {
        self.0.iter()
    }

    /// Returns true if this is the zero polynomial.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the value, if the polynomial is constant.
    pub fn as_constant(&self) -> Option<Rational> {
        match self.0.len() {
            0 => Some(Rational::zero()),
            1 => self.0.get(&Monomial::default()).cloned(),
            _ => None,
        }
    }

    /// Returns the monomial if the polynomial is one, with the coefficient 1.
    pub fn as_monomial(&self) -> Option<&Monomial> {
        let (monomial, coefficient) = self.0.first_key_value().filter(|_| self.0.len() == 1)?;
        coefficient.is_one().then_some(monomial)
    }

    /// Returns the constant term.
    pub fn constant_term(&self) -> Rational {
        self.coefficient(&Monomial::default())
    }

    /// Returns the coefficient of a monomial.
    pub fn coefficient(&self, monomial: &Monomial) -> Rational {
        self.0.get(monomial).cloned().unwrap_or_else(Rational::zero)
    }

    /// Returns the largest degree of a monomial; 0 for constants, zero included.
    pub fn degree(&self) -> u32 {
        self.0.keys().map(Monomial::degree).max().unwrap_or(0)
    }

    /// Adds `coefficient · monomial` in place.
    pub fn add_term(&mut self, coefficient: Rational, monomial: Monomial) {
        if coefficient.is_zero() {
            return;
        }
        match Arc::make_mut(&mut self.0).entry(monomial) {
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(coefficient);
            }
            std::collections::btree_map::Entry::Occupied(mut entry) => {
                *entry.get_mut() += coefficient;
                if entry.get().is_zero() {
                    entry.remove();
                }
            }
        }
    }

    /// Returns the sum of terms; fast where they are in the order of their monomials.
    pub fn from_terms(terms: Vec<(Monomial, Rational)>) -> Self {
        let in_order = terms.is_sorted_by(|(a, _), (b, _)| a < b);
        if in_order && !terms.iter().any(|(_, coefficient)| coefficient.is_zero()) {
            return Self(Arc::new(terms.into_iter().collect()));
        }
        let mut sum = Self::default();
        terms.into_iter().for_each(|(monomial, coefficient)| sum.add_term(coefficient, monomial));
        sum
    }

    /// `factor · self`.
    pub fn scale(&self, factor: &Rational) -> Poly {
        if factor.is_zero() {
            return Poly::zero();
        }
        if factor.is_one() {
            return self.clone();
        }
        Poly(Arc::new(self.0.iter().map(|(m, c)| (m.clone(), c * factor)).collect()))
    }

    /// Returns the coefficient of a variable that stands alone.
    pub fn slope(&self, var: Var) -> Rational {
        self.coefficient(&Monomial::power(Atom::Var(var), 1))
    }

    /// Returns the coefficient of a variable that stands alone, and the other terms.
    pub fn split_slope(&self, var: Var) -> (Rational, Poly) {
        let slope = self.slope(var);
        let rest = self - &Poly::var(var).scale(&slope);
        (slope, rest)
    }

    /// Returns the polynomial with a variable replaced by a value, inside floors too.
    #[must_use]
    pub fn with_value(&self, var: Var, value: &Poly) -> Poly {
        self.substitute(&|other| (other == var).then(|| value.clone()))
    }

    /// Returns the polynomial with some variables replaced by their values, inside floors too.
    #[must_use]
    pub fn with_values(&self, values: &[(Var, Poly)]) -> Poly {
        self.substitute(&|other| values.iter().find(|(var, _)| *var == other).map(|(_, value)| value.clone()))
    }

    /// Returns the polynomial with `product` replaced by `name` in every term, as often as it divides the term.
    pub fn with_name(&self, product: &Monomial, name: Var) -> Poly {
        let mut result = Poly::zero();
        for (monomial, coefficient) in &*self.0 {
            let mut monomial = monomial.clone();
            while let Some(rest) = monomial.divided_by(product).filter(|_| !product.is_one()) {
                monomial = rest.times(&Monomial::power(Atom::Var(name), 1));
            }
            result.add_term(coefficient.clone(), monomial);
        }
        result
    }

    /// `self` to a power.
    pub fn pow(&self, exponent: u32) -> Poly {
        (1..exponent).fold(if exponent == 0 { Poly::one() } else { self.clone() }, |product, _| &product * self)
    }

    /// Returns the atoms that stand at top level (not those inside floors).
    pub fn atoms(&self) -> BTreeSet<&Atom> {
        self.0.keys().flat_map(|m| m.0.iter().map(|(a, _)| a)).collect()
    }

    /// Returns the floors that stand at top level.
    pub fn floors(&self) -> BTreeSet<&Floor> {
        self.atoms()
            .into_iter()
            .filter_map(|a| match a {
                Atom::Floor(floor) => Some(floor),
                Atom::Var(_) => None,
            })
            .collect()
    }

    /// Returns the last variable that occurs anywhere, floors included.
    pub fn last_var(&self) -> Option<Var> {
        let factors = self.0.keys().flat_map(|monomial| &monomial.0);
        let last = factors.map(|(atom, _)| match atom {
            Atom::Var(var) => Some(*var),
            Atom::Floor(floor) => floor.numerator().last_var(),
        });
        last.max().flatten()
    }

    /// Returns the variables that occur anywhere, floors included.
    pub fn vars(&self) -> BTreeSet<Var> {
        let mut vars = BTreeSet::new();
        self.collect_vars(&mut vars);
        vars
    }

    fn collect_vars(&self, vars: &mut BTreeSet<Var>) {
        for atom in self.atoms() {
            match atom {
                Atom::Var(var) => {
                    vars.insert(*var);
                }
                Atom::Floor(floor) => floor.numerator().collect_vars(vars),
            }
        }
    }

    /// Replaces every variable for which `value` gives something, inside floors too.
    pub fn substitute(&self, value: &impl Fn(Var) -> Option<Poly>) -> Poly {
        self.map_atoms(&|atom| match atom {
            Atom::Var(var) => value(*var),
            Atom::Floor(floor) => {
                let numerator = floor.numerator().substitute(value);
                (numerator != *floor.numerator()).then(|| numerator.floor_div(floor.divisor()))
            }
        })
    }

    /// Replaces every top-level atom for which `value` gives something.
    pub fn map_atoms(&self, value: &impl Fn(&Atom) -> Option<Poly>) -> Poly {
        let replaced: BTreeMap<&Atom, Poly> = self.atoms().into_iter().filter_map(|a| Some((a, value(a)?))).collect();
        if replaced.is_empty() {
            return self.clone();
        }
        let mut result = Poly::zero();
        for (monomial, coefficient) in &*self.0 {
            let (kept, powers): (Vec<_>, Vec<_>) = monomial.0.iter().partition(|(a, _)| !replaced.contains_key(a));
            if powers.iter().any(|(atom, _)| replaced[atom].is_zero()) {
                continue;
            }
            let kept = Poly::term(coefficient.clone(), Monomial(kept.into_iter().cloned().collect()));
            let times = |product, (atom, exponent): &(Atom, u32)| &product * &replaced[atom].pow(*exponent);
            result += &powers.into_iter().fold(kept, times);
        }
        result
    }

    /// `⌊self / divisor⌋` in normal form, for a positive divisor. The atoms are integers, so multiples of the
    /// divisor leave the floor; see [`crate::floor`].
    pub fn floor_div(&self, divisor: &BigInt) -> Poly {
        crate::floor::floor_div(self, divisor)
    }

    /// Returns the least common multiple of the denominators of the coefficients.
    pub fn common_denominator(&self) -> BigInt {
        let fractions = self.0.values().filter(|c| !c.is_integer());
        fractions.fold(BigInt::one(), |lcm, c| num_integer::lcm(lcm, c.denom().clone()))
    }

    /// `self / divisor`, if that is a polynomial.
    pub fn divide_exactly(&self, divisor: &Poly) -> Option<Poly> {
        let (lead, lead_coefficient) = divisor.0.last_key_value()?;
        let mut rest = self.clone();
        let mut quotient = Poly::zero();
        while let Some((monomial, coefficient)) = rest.0.last_key_value() {
            let term = Poly::term(coefficient / lead_coefficient, monomial.divided_by(lead)?);
            rest = &rest - &(&term * divisor);
            quotient = &quotient + &term;
        }
        Some(quotient)
    }
}

impl AddAssign<&Poly> for Poly {
    fn add_assign(&mut self, other: &Poly) {
        for (monomial, coefficient) in &*other.0 {
            self.add_term(coefficient.clone(), monomial.clone());
        }
    }
}

impl Add for &Poly {
    type Output = Poly;
    fn add(self, other: &Poly) -> Poly {
        let mut sum = self.clone();
        sum += other;
        sum
    }
}

impl Sub for &Poly {
    type Output = Poly;
    fn sub(self, other: &Poly) -> Poly {
        let mut difference = self.clone();
        for (monomial, coefficient) in &*other.0 {
            difference.add_term(-coefficient.clone(), monomial.clone());
        }
        difference
    }
}

impl Mul for &Poly {
    type Output = Poly;
    fn mul(self, other: &Poly) -> Poly {
        let mut product = Poly::zero();
        for (a, x) in &*self.0 {
            for (b, y) in &*other.0 {
                // Most products are of a name and a number; rationals find a common divisor even of 1.
                let coefficient = if y.is_one() { x.clone() } else { x * y };
                product.add_term(coefficient, a.times(b));
            }
        }
        product
    }
}

impl Neg for &Poly {
    type Output = Poly;
    fn neg(self) -> Poly {
        self.scale(&-Rational::one())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x(var: u32) -> Poly {
        Poly::var(Var(var))
    }

    fn number(value: i64) -> Rational {
        Rational::from_integer(value.into())
    }

    #[test]
    fn a_copy_keeps_its_value() {
        let poly = &x(0) + &x(1);
        let mut other = poly.clone();
        other += &x(2);
        assert_eq!((poly, other), (&x(0) + &x(1), &(&x(0) + &x(1)) + &x(2)));
    }

    #[test]
    fn terms_may_come_in_any_order() {
        let [one, n, m] =
            [Monomial::default(), Monomial::power(Atom::Var(Var(0)), 1), Monomial::power(Atom::Var(Var(1)), 1)];
        let sum = |terms: &[(&Monomial, i64)]| {
            Poly::from_terms(
                terms.iter().map(|&(monomial, coefficient)| (monomial.clone(), number(coefficient))).collect(),
            )
        };
        let expected = &(&Poly::integer(5) + &x(1).scale(&number(3))) - &x(0);
        assert!(one < m && m < n);
        assert_eq!(sum(&[(&one, 5), (&m, 3), (&n, -1)]), expected);
        assert_eq!(sum(&[(&n, -1), (&m, 3), (&one, 5)]), expected);
        assert_eq!(sum(&[(&one, 2), (&one, 3), (&m, 3), (&n, -1)]), expected);
        assert_eq!(sum(&[(&one, 0), (&m, 1), (&m, -1)]), Poly::zero());
    }

    #[test]
    fn what_a_polynomial_consists_of() {
        let floor = (&x(3) + &Poly::one()).floor_div(&8.into());
        assert_eq!((&x(1) + &floor).last_var(), Some(Var(3)));
        assert_eq!(Poly::integer(7).last_var(), None);
        assert_eq!((&x(1) * &x(2)).as_monomial().map(|monomial| monomial.degree()), Some(2));
        assert_eq!(Poly::one().as_monomial(), Some(&Monomial::default()));
        for other in [Poly::zero(), Poly::integer(2), &x(1) + &x(2)] {
            assert_eq!(other.as_monomial(), None);
        }
    }
}
