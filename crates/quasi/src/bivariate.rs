//! Polynomials in two variables, by their differences along one of them.

use std::convert::Infallible;

use crate::int::Int;
use crate::univariate::{self, Univariate};

/// `Σ Δₖ(t)·C(s, k)`, a polynomial in s for each t.
#[derive(Clone, Debug)]
pub struct Bivariate {
    /// Δₖ, the differences along s at s = 0; no zero at the end.
    differences: Vec<Univariate>,
}

impl Bivariate {
    /// Returns the polynomial of at most this total degree that has the value `sample(t, s)` at each (t, s).
    ///
    /// # Errors
    ///
    /// Those of `sample`.
    pub fn through<E>(degree: usize, mut sample: impl FnMut(usize, usize) -> Result<Int, E>) -> Result<Self, E> {
        // Row t suffices up to s = degree − t, as the b-th difference is of degree − b in t.
        let mut rows = Vec::with_capacity(degree + 1);
        for t in 0..=degree {
            let values = (0..=degree - t).map(|s| sample(t, s)).collect::<Result<Vec<_>, E>>()?;
            rows.push(univariate::differences(&values));
        }
        let column = |b: usize| rows[..=degree - b].iter().map(|row| row[b].clone()).collect::<Vec<_>>();
        Ok(Self::new((0..=degree).map(|b| Univariate::through(&column(b))).collect()))
    }

    /// Creates the polynomial from its differences.
    pub fn new(mut differences: Vec<Univariate>) -> Self {
        while differences.last().is_some_and(Univariate::is_zero) {
            differences.pop();
        }
        Self { differences }
    }

    /// Returns true if it is zero everywhere.
    pub fn is_zero(&self) -> bool {
        self.differences.is_empty()
    }

    /// Its differences along s.
    pub fn differences(&self) -> &[Univariate] {
        &self.differences
    }

    /// Returns the degree in both variables, at most.
    pub fn degree(&self) -> usize {
        let degree = |(b, poly): (usize, &Univariate)| if poly.is_zero() { 0 } else { b + poly.degree() };
        self.differences.iter().enumerate().map(degree).max().unwrap_or(0)
    }

    /// Returns row t as a polynomial in s.
    pub fn row(&self, t: i128) -> Univariate {
        let differences: Vec<Int> = self.differences.iter().map(|poly| poly.at(t)).collect();
        Univariate::from_differences(&differences)
    }

    /// Returns the value at a point.
    pub fn at(&self, t: i128, s: i128) -> Int {
        self.combined(t, binomials(s))
    }

    /// Returns the sum over the first points of row t.
    pub fn sum(&self, t: i128, points: i128) -> Int {
        self.combined(t, binomials(points).skip(1))
    }

    /// Returns the product of both.
    pub fn times(&self, other: &Self) -> Self {
        let product = |t: usize, s: usize| {
            let (t, s) = (t as i128, s as i128);
            Ok::<_, Infallible>(&self.at(t, s) * &other.at(t, s))
        };
        match Self::through(self.degree() + other.degree(), product) {
            Ok(product) => product,
            Err(never) => match never {},
        }
    }

    /// `p(t, s + 1) − p(t, s)`
    pub fn step(&self) -> Self {
        Self { differences: self.differences.iter().skip(1).cloned().collect() }
    }

    /// `Σ Δₖ(t)·factorₖ`
    pub fn combined(&self, t: i128, factors: impl IntoIterator<Item = Int>) -> Int {
        let terms = factors.into_iter().zip(&self.differences).map(|(factor, difference)| &factor * &difference.at(t));
        terms.fold(Int::ZERO, |sum, term| &sum + &term)
    }
}

/// C(n, 0), C(n, 1), …
fn binomials(n: i128) -> impl Iterator<Item = Int> {
    let next = move |binomial: &Int, k: i128| (binomial * &Int::from(n - k)).div_floor(&Int::from(k + 1));
    std::iter::successors(Some((Int::from(1), 0)), move |(binomial, k)| Some((next(binomial, *k)?, k + 1)))
        .map(|(binomial, _)| binomial)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// `a + b·t + c·s + d·t·s + e·s²`, and its product with `s + t`.
        #[test]
        fn polynomials_are_found_from_samples(coefficients: [i8; 5], at in (0_i128..9, 0_i128..9)) {
            let [a, b, c, d, e] = coefficients.map(i128::from);
            let value = |t: i128, s: i128| a + b * t + c * s + d * t * s + e * s * s;
            let sample = |t, s| Ok::<_, Infallible>(Int::from(value(t as i128, s as i128)));
            let Ok(poly) = Bivariate::through(2, sample);
            let Ok(sum) = Bivariate::through(1, |t, s| Ok::<_, Infallible>(Int::from((t + s) as i128)));
            let (t, s) = at;
            prop_assert_eq!(poly.at(t, s), Int::from(value(t, s)));
            prop_assert_eq!(poly.row(t).at(s), Int::from(value(t, s)));
            prop_assert_eq!(poly.step().at(t, s), Int::from(value(t, s + 1) - value(t, s)));
            prop_assert_eq!(poly.sum(t, s), Int::from((0..s).map(|s| value(t, s)).sum::<i128>()));
            prop_assert_eq!(poly.times(&sum).at(t, s), Int::from(value(t, s) * (t + s)));
            prop_assert_eq!(poly.is_zero(), coefficients == [0; 5]);
            prop_assert!(poly.degree() <= 2);
        }
    }
}
