//! Symbolic sums over an iterator (Faulhaber's formula).
//!
//! `F_k(x) = Σ_{0 ≤ q ≤ x} q^k` is a polynomial of degree k + 1 in x, given by `F_0(x) = x + 1` and, from the telescoping sum
//! of `(q+1)^{k+1} − q^{k+1}`,
//!
//! ```text
//! (k+1)·F_k(x) = (x+1)^{k+1} − Σ_{j<k} C(k+1, j)·F_j(x)
//! ```
//!
//! and `Σ_{l ≤ q ≤ u} q^k = F_k(u) − F_k(l−1)` for all integers `u ≥ l − 1`, negative ones too.

use num_bigint::BigInt;
use num_integer::binomial;

use crate::Rational;
use crate::poly::{Atom, Poly, Var};

impl Poly {
    /// `Σ self` over `lower ≤ var ≤ upper`, where `upper ≥ lower − 1`. The bounds must not mention the variable; `None`
    /// if it stands in a floor of the summand.
    pub fn sum(&self, var: Var, lower: &Poly, upper: &Poly) -> Option<Poly> {
        let coefficients = self.coefficients(var)?;
        let below = power_sums(&(lower - &Poly::one()), coefficients.len());
        let all = power_sums(upper, coefficients.len());
        let mut sum = Poly::zero();
        for (c, (all, below)) in coefficients.iter().zip(all.iter().zip(&below)) {
            sum += &(c * &(all - below));
        }
        Some(sum)
    }

    /// Returns the polynomial in one variable: its coefficients by ascending power, the highest not zero. `None` if the
    /// variable stands in a floor.
    pub fn coefficients(&self, var: Var) -> Option<Vec<Poly>> {
        if self.floors().iter().any(|floor| floor.numerator().vars().contains(&var)) {
            return None;
        }
        let atom = Atom::Var(var);
        let mut coefficients = Vec::new();
        for (monomial, coefficient) in self.terms() {
            let power = monomial.exponent(&atom);
            let divisor = crate::Monomial::power(atom.clone(), power);
            let index = power as usize;
            coefficients.resize(coefficients.len().max(index + 1), Poly::zero());
            coefficients[index].add_term(coefficient.clone(), monomial.divided_by(&divisor)?);
        }
        Some(coefficients)
    }
}

/// `F_k(x)` for all k below `count`.
fn power_sums(x: &Poly, count: usize) -> Vec<Poly> {
    let next = x + &Poly::one();
    let mut sums: Vec<Poly> = Vec::with_capacity(count);
    let mut power = Poly::one();
    for k in 0..count {
        power = &power * &next;
        let order = BigInt::from(k + 1);
        let lower = sums.iter().enumerate().fold(Poly::zero(), |total, (j, sum)| {
            &total + &sum.scale(&Rational::from_integer(binomial(order.clone(), BigInt::from(j))))
        });
        sums.push((&power - &lower).scale(&Rational::new(BigInt::from(1), order)));
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_sums() {
        let (n, q) = (Poly::var(Var(0)), Poly::var(Var(1)));
        let sum = |poly: &Poly| poly.sum(Var(1), &Poly::one(), &n).unwrap();
        let half = Rational::new(1.into(), 2.into());
        let triangle = (&n * &(&n + &Poly::one())).scale(&half);
        assert_eq!(sum(&Poly::one()), n);
        assert_eq!(sum(&q), triangle);
        assert_eq!(sum(&q.pow(3)), triangle.pow(2));
        assert_eq!(sum(&(&q * &n)), &triangle * &n);
        assert_eq!(sum(&Poly::zero()), Poly::zero());
        assert_eq!(q.floor_div(&BigInt::from(2)).sum(Var(1), &Poly::one(), &n), None);
    }

    proptest::proptest! {
        #[test]
        fn sums_agree_with_addition(
            coefficients in proptest::collection::vec(-9_i64..9, 0..5), lower in -8_i64..8, length in 0_i64..12,
        ) {
            let q = Poly::var(Var(0));
            let powers = coefficients.iter().zip(0..);
            let poly = powers.fold(Poly::zero(), |sum, (c, k)| &sum + &(&q.pow(k) * &Poly::integer(*c)));
            let sum = poly.sum(Var(0), &Poly::integer(lower), &Poly::integer(lower + length - 1)).unwrap();
            let values = (lower..lower + length).map(|v| poly.evaluate(&[BigInt::from(v)]));
            let added = values.fold(Rational::from_integer(0.into()), |sum, value| sum + value);
            proptest::prop_assert_eq!(sum.as_constant(), Some(added));
        }
    }
}
