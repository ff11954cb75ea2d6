//! Prefix sums over rows whose sums depend on the residue of the row.
//!
//! Where a row ends at ⌊(a + b·t)/d⌋, sums over its points are polynomials in t on each residue of t modulo d, and so are
//! the sums over all rows before t.

use num_integer::Integer;
use symloc_quasi::Univariate;

use super::Sums;

/// The sums over all rows before t.
#[derive(Clone, Debug)]
pub(super) struct Prefix {
    /// For each residue `t mod d`, polynomials in `t div d`: Σ c and Σ v·c.
    residues: Vec<[Univariate; 2]>,
    /// Their degree, at most.
    degree: usize,
}

impl Prefix {
    /// The prefix sums of `row`; on each residue modulo `period` they are polynomials of at most this degree.
    pub(super) fn new(period: i128, degree: usize, row: impl Fn(i128) -> Sums) -> Self {
        let mut sums = Sums::default();
        Self::through(period, degree, |t| {
            let before = sums.clone();
            sums.add(&row(t));
            before
        })
    }

    /// From its values at 0, 1, 2, …, in this order.
    fn through(period: i128, degree: usize, mut value: impl FnMut(i128) -> Sums) -> Self {
        let mut samples = vec![[(); 2].map(|()| Vec::with_capacity(degree + 1)); period as usize];
        for round in 0..=degree as i128 {
            for (t, [counts, weighted]) in (round * period..).zip(&mut samples) {
                let sums = value(t);
                counts.push(sums.count);
                weighted.push(sums.weighted);
            }
        }
        let residues = samples.iter().map(|both| both.each_ref().map(|values| Univariate::through(values)));
        Self { residues: residues.collect(), degree }
    }

    /// The sums over the rows before t.
    pub(super) fn at(&self, t: i128) -> Sums {
        let (round, residue) = match (self.residues.len(), u64::try_from(t)) {
            (_, Ok(0)) => return Sums::default(),
            (1, _) => (t, 0),
            // A division in machine words is much faster.
            (period, Ok(t)) => (i128::from(t / period as u64), (t % period as u64) as usize),
            (period, Err(_)) => {
                let (round, residue) = t.div_mod_floor(&(period as i128));
                (round, residue as usize)
            }
        };
        let [counts, weighted] = &self.residues[residue];
        Sums { count: counts.at(round), weighted: weighted.at(round) }
    }

    /// The sums over some rows.
    pub(super) fn between(&self, start: i128, end: i128) -> Sums {
        let mut sums = Sums::default();
        self.add_between(start, end, &mut sums);
        sums
    }

    /// Adds the same.
    pub(super) fn add_between(&self, start: i128, end: i128, sums: &mut Sums) {
        if start == end {
            return;
        }
        sums.add(&self.at(end));
        if start > 0 {
            sums.subtract(&self.at(start));
        }
    }

    /// The rows from `start` on.
    pub(super) fn from(&self, start: i128) -> Self {
        match start {
            0 => self.clone(),
            _ => Self::through(self.period(), self.degree, |t| self.between(start, start + t)),
        }
    }

    /// The sums over the rows of all; `None` if that takes more residues.
    pub(super) fn sum<'p>(all: impl Iterator<Item = &'p Self> + Clone, most: i128) -> Option<Self> {
        let period = all.clone().fold(1, |period: i128, prefix| period.lcm(&prefix.period()));
        let degree = all.clone().map(|prefix| prefix.degree).max().unwrap_or(0);
        let value = |t| {
            let mut sums = Sums::default();
            all.clone().for_each(|prefix| sums.add(&prefix.at(t)));
            sums
        };
        (period <= most).then(|| Self::through(period, degree, value))
    }

    fn period(&self) -> i128 {
        self.residues.len() as i128
    }
}
