//! Polynomials in two variables, by their differences along one of them.

use std::convert::Infallible;

use symloc_quasi::{Int, Univariate, univariate};

/// `Σ Δₖ(t)·C(s, k)`, a polynomial in s for each t.
#[derive(Clone, Debug)]
pub(super) struct Surface {
    /// Δₖ, the differences along s at s = 0; no zero at the end.
    differences: Vec<Univariate>,
}

impl Surface {
    /// The polynomial of at most this total degree that has the value `sample(t, s)` at each (t, s).
    pub(super) fn through<E>(degree: usize, mut sample: impl FnMut(usize, usize) -> Result<Int, E>) -> Result<Self, E> {
        // Row t suffices up to s = degree − t, as the b-th difference is of degree − b in t.
        let mut rows = Vec::with_capacity(degree + 1);
        for t in 0..=degree {
            let values = (0..=degree - t).map(|s| sample(t, s)).collect::<Result<Vec<_>, E>>()?;
            rows.push(univariate::differences(&values));
        }
        let column = |b: usize| rows[..=degree - b].iter().map(|row| row[b].clone()).collect::<Vec<_>>();
        Ok(Self::new((0..=degree).map(|b| Univariate::through(&column(b))).collect()))
    }

    /// From its differences.
    pub(super) fn new(mut differences: Vec<Univariate>) -> Self {
        while differences.last().is_some_and(Univariate::is_zero) {
            differences.pop();
        }
        Self { differences }
    }

    /// Is it zero everywhere?
    pub(super) fn is_zero(&self) -> bool {
        self.differences.is_empty()
    }

    /// Its differences along s.
    pub(super) fn differences(&self) -> &[Univariate] {
        &self.differences
    }

    /// The degree in both variables, at most.
    pub(super) fn degree(&self) -> usize {
        let degree = |(b, poly): (usize, &Univariate)| if poly.is_zero() { 0 } else { b + poly.degree() };
        self.differences.iter().enumerate().map(degree).max().unwrap_or(0)
    }

    /// Row t as a polynomial in s.
    pub(super) fn row(&self, t: i128) -> Univariate {
        let differences: Vec<Int> = self.differences.iter().map(|poly| poly.at(t)).collect();
        Univariate::from_differences(&differences)
    }

    /// The value at a point.
    fn at(&self, t: i128, s: i128) -> Int {
        self.combined(t, binomials(s))
    }

    /// The sum over the first points of row t.
    pub(super) fn sum(&self, t: i128, points: i128) -> Int {
        self.combined(t, binomials(points).skip(1))
    }

    /// The product of both.
    pub(super) fn times(&self, other: &Self) -> Self {
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
    pub(super) fn step(&self) -> Self {
        Self { differences: self.differences.iter().skip(1).cloned().collect() }
    }

    /// `Σ Δₖ(t)·factorₖ`
    pub(super) fn combined(&self, t: i128, factors: impl IntoIterator<Item = Int>) -> Int {
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
