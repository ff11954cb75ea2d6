//! Quotients of quasi-polynomials: portions, miss ratios and cache sizes are counts over counts.

use std::ops::{Add, Mul, Sub};

use num_bigint::BigInt;

use crate::Rational;
use crate::factor::{common_monomial, content, univariate_gcd};
use crate::poly::Poly;

/// `numerator / denominator` with common monomials and constant factors cancelled, and all common factors if only one
/// variable occurs. The denominator has integer
/// coefficients without a common factor; where one term of the largest degree exists its sign is positive.
///
/// Two quotients are equal ([`PartialEq`]) if they are equal as fractions, whatever their form.
#[derive(Clone, Debug)]
pub struct Quotient {
    numerator: Poly,
    denominator: Poly,
}

impl Quotient {
    /// `numerator / denominator`; `None` if the denominator is the zero polynomial.
    pub fn new(numerator: Poly, denominator: Poly) -> Option<Self> {
        if denominator.is_zero() {
            return None;
        }
        Some(Self { numerator, denominator }.reduced())
    }

    /// Returns the numerator.
    pub fn numerator(&self) -> &Poly {
        &self.numerator
    }

    /// Returns the denominator.
    pub fn denominator(&self) -> &Poly {
        &self.denominator
    }

    /// Returns the value at a point, given as one value for each variable; the denominator must not be zero there.
    pub fn evaluate(&self, point: &[BigInt]) -> Rational {
        self.numerator.evaluate(point) / self.denominator.evaluate(point)
    }

    /// Returns true if the value is zero.
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    fn reduced(self) -> Self {
        if self.numerator.is_zero() {
            return Self { numerator: Poly::zero(), denominator: Poly::one() };
        }
        if let Some(numerator) = self.numerator.divide_exactly(&self.denominator) {
            return Self { numerator, denominator: Poly::one() };
        }
        if let Some(gcd) = univariate_gcd(&self.numerator, &self.denominator).filter(|gcd| gcd.degree() > 0)
            && let Some(numerator) = self.numerator.divide_exactly(&gcd)
            && let Some(denominator) = self.denominator.divide_exactly(&gcd)
        {
            return Self { numerator, denominator }.reduced();
        }
        let monomial = common_monomial(&self.numerator).gcd(&common_monomial(&self.denominator));
        let content = content(&self.denominator);
        let divide = |poly: &Poly| {
            let mut result = Poly::zero();
            for (m, c) in poly.terms() {
                result.add_term(c / &content, m.divided_by(&monomial).unwrap_or_else(|| m.clone()));
            }
            result
        };
        Self { numerator: divide(&self.numerator), denominator: divide(&self.denominator) }
    }

    fn combine(numerator: Poly, denominator: Poly) -> Self {
        Self { numerator, denominator }.reduced()
    }
}

impl From<Poly> for Quotient {
    fn from(numerator: Poly) -> Self {
        Self { numerator, denominator: Poly::one() }
    }
}

impl PartialEq for Quotient {
    fn eq(&self, other: &Self) -> bool {
        &self.numerator * &other.denominator == &other.numerator * &self.denominator
    }
}

impl Eq for Quotient {}

impl Add for &Quotient {
    type Output = Quotient;
    fn add(self, other: &Quotient) -> Quotient {
        if self.denominator == other.denominator {
            return Quotient::combine(&self.numerator + &other.numerator, self.denominator.clone());
        }
        let numerator = &(&self.numerator * &other.denominator) + &(&other.numerator * &self.denominator);
        Quotient::combine(numerator, &self.denominator * &other.denominator)
    }
}

impl Sub for &Quotient {
    type Output = Quotient;
    fn sub(self, other: &Quotient) -> Quotient {
        let negated = Quotient { numerator: -&other.numerator, denominator: other.denominator.clone() };
        self + &negated
    }
}

impl Mul for &Quotient {
    type Output = Quotient;
    fn mul(self, other: &Quotient) -> Quotient {
        Quotient::combine(&self.numerator * &other.numerator, &self.denominator * &other.denominator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poly::Var;

    #[test]
    fn fractions_cancel() {
        let (n, m) = (Poly::var(Var(0)), Poly::var(Var(1)));
        let q = Quotient::new(&(&n * &n) - &(&m * &m), &n - &m).unwrap();
        assert_eq!(q, Quotient::from(&n + &m));
        assert_eq!(q.denominator(), &Poly::one());
        let half = Quotient::new(n.clone(), (&n * &m).scale(&Rational::from_integer(2.into()))).unwrap();
        assert_eq!(half.numerator(), &Poly::constant(Rational::new(1.into(), 2.into())));
        assert_eq!(half.denominator(), &m);
        assert!((&half - &half).is_zero());
        let shared = &n - &Poly::integer(3);
        let q = Quotient::new(&shared * &n, &shared * &(&n + &Poly::one())).unwrap();
        assert_eq!((q.numerator(), q.denominator()), (&n, &(&n + &Poly::one())));
        assert!(Quotient::new(n, Poly::zero()).is_none());
    }
}
