//! Prefix sums over rows whose sums depend on the residue of the row.
//!
//! Where a row ends at ⌊(a + b·t)/d⌋, sums over its points are polynomials in t on each residue of t modulo d, and so are
//! the sums over all rows before t.

use num_integer::Integer;
use symloc_quasi::{Int, Univariate};

/// `S(t) = Σ r(t′)` over `0 ≤ t′ < t`.
#[derive(Clone, Debug)]
pub(super) struct Prefix {
    /// One polynomial in `t div d` for each residue `t mod d`.
    residues: Vec<Univariate>,
    /// Their degree, at most.
    degree: usize,
}

impl Prefix {
    /// The prefix sums of `row`; on each residue modulo `period` they are polynomials of at most this degree.
    pub(super) fn new(period: i128, degree: usize, row: impl Fn(i128) -> Int) -> Self {
        let mut sum = Int::ZERO;
        Self::through(period, degree, |t| {
            let before = sum.clone();
            sum += &row(t);
            before
        })
    }

    /// From its values at 0, 1, 2, …, in this order.
    fn through(period: i128, degree: usize, mut value: impl FnMut(i128) -> Int) -> Self {
        let mut samples = vec![Vec::with_capacity(degree + 1); period as usize];
        for round in 0..=degree as i128 {
            for (t, samples) in (round * period..).zip(&mut samples) {
                samples.push(value(t));
            }
        }
        Self { residues: samples.iter().map(|values| Univariate::through(values)).collect(), degree }
    }

    /// The sum over the rows before t.
    pub(super) fn at(&self, t: i128) -> Int {
        match (self.residues.as_slice(), i64::try_from(t)) {
            (_, Ok(0)) => Int::ZERO,
            ([all], _) => all.at(t),
            // A division in machine words is much faster.
            (residues, Ok(t)) => {
                let (round, residue) = t.div_mod_floor(&(residues.len() as i64));
                residues[residue as usize].at(round.into())
            }
            (residues, Err(_)) => {
                let (round, residue) = t.div_mod_floor(&(residues.len() as i128));
                residues[residue as usize].at(round)
            }
        }
    }

    /// The rows from `start` on.
    pub(super) fn from(&self, start: i128) -> Self {
        if start == 0 {
            return self.clone();
        }
        let before = self.at(start);
        Self::through(self.period(), self.degree, |t| &self.at(start + t) - &before)
    }

    /// The sums over the rows of all; `None` if that takes more residues.
    pub(super) fn sum(all: &[&Self], most: i128) -> Option<Self> {
        let period = all.iter().fold(1, |period: i128, prefix| period.lcm(&prefix.period()));
        let degree = all.iter().map(|prefix| prefix.degree).max().unwrap_or(0);
        let value = |t| all.iter().fold(Int::ZERO, |sum, prefix| &sum + &prefix.at(t));
        (period <= most).then(|| Self::through(period, degree, value))
    }

    fn period(&self) -> i128 {
        self.residues.len() as i128
    }
}
