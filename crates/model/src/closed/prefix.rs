//! Prefix sums over rows whose sums depend on the residue of the row.
//!
//! Where a row ends at ⌊(a + b·t)/d⌋, sums over its points are polynomials in t on each residue of t modulo d, and so are
//! the sums over all rows before t.

use symloc_quasi::{Int, Univariate};

/// `S(t) = Σ r(t′)` over `0 ≤ t′ < t`.
#[derive(Clone, Debug)]
pub(super) struct Prefix {
    /// One polynomial in `t div d` for each residue `t mod d`.
    residues: Vec<Univariate>,
}

impl Prefix {
    /// The prefix sums of `row`, a polynomial of at most this degree on each residue modulo `period`.
    pub(super) fn new(period: i128, degree: usize, row: impl Fn(i128) -> Int) -> Self {
        let rounds = degree + 2;
        let mut sum = Int::ZERO;
        let mut samples = vec![Vec::with_capacity(rounds); period as usize];
        for round in 0..rounds as i128 {
            for (t, samples) in (round * period..).zip(&mut samples) {
                samples.push(sum.clone());
                sum += &row(t);
            }
        }
        Self { residues: samples.iter().map(|values| Univariate::through(values)).collect() }
    }

    /// The sum over the rows before t.
    pub(super) fn at(&self, t: i128) -> Int {
        match self.residues.as_slice() {
            [all] => all.at(t),
            residues => {
                let period = residues.len() as i128;
                residues[t.rem_euclid(period) as usize].at(t.div_euclid(period))
            }
        }
    }
}
