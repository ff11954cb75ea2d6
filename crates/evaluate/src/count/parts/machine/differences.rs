//! Polynomials in machine words, by their differences.

use symloc_quasi::Univariate;

/// The number of differences of v along a row, and of each of them from row to row: degrees are at most 3.
pub(super) const ORDERS: usize = 4;
/// A polynomial `Σ Δₖ·C(t, k)` at some t, by its differences there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Differences(pub(super) [i64; ORDERS]);

impl Differences {
    /// Converts a polynomial of degree at most 3; also returns a bound of its values and differences for 0 ≤ t ≤ rows.
    pub(super) fn new(poly: &Univariate, rows: i128) -> Option<(Self, i128)> {
        let mut row = [0_i128; ORDERS];
        let values = row.get_mut(..=poly.degree())?;
        for (t, value) in (0..).zip(values.iter_mut()) {
            *value = poly.at(t).to_i128()?;
        }
        for order in 1..values.len() {
            for at in (order..values.len()).rev() {
                values[at] = values[at].checked_sub(values[at - 1])?;
            }
        }
        let mut differences = [0; ORDERS];
        for (place, difference) in differences.iter_mut().zip(row) {
            *place = i64::try_from(difference).ok()?;
        }
        let differences = Self(differences);
        Some((differences, differences.bound(0, rows)))
    }

    /// Returns a bound of the differences of this order and of their own differences for 0 ≤ t ≤ rows.
    pub(super) fn bound(&self, order: usize, rows: i128) -> i128 {
        let higher = self.0[order..].iter().rev();
        higher.fold(0, |most: i128, d| most.saturating_mul(rows).saturating_add(d.unsigned_abs().into()))
    }

    /// Moves from t = 0 to another t.
    #[inline]
    pub(super) fn at(self, t: i64) -> Self {
        let Self([a, b, c, d]) = self;
        if (b, c, d) == (0, 0, 0) {
            return self;
        }
        let pairs = t * (t - 1) / 2;
        // A product with zero could overflow.
        let triples = if d == 0 { 0 } else { pairs * (t - 2) / 3 };
        Self([a + b * t + c * pairs + d * triples, b + c * t + d * pairs, c + d * t, d])
    }

    /// Moves from t to t + 1.
    #[inline]
    pub(super) fn next(&mut self) {
        for order in 1..ORDERS {
            self.0[order - 1] += self.0[order];
        }
    }
}
