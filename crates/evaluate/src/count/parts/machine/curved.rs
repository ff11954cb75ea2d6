//! A row of points on which v is of degree 2 or 3, in machine words.

use symloc_quasi::univariate::partition_near;

use super::differences::{Differences, ORDERS};

/// A row, given by the differences of v, `v = Σ Δₖ·C(s, k)`, and of c. v has one direction over the points that count.
pub(super) struct Curved {
    pub(super) value: [i64; ORDERS],
    pub(super) count: [i64; 2],
}

impl Curved {
    fn at(&self, s: i64) -> i64 {
        Differences(self.value).at(s).0[0]
    }

    /// Returns Σ c and Σ v·c over the first `points` points.
    fn sums(&self, points: i64) -> (i128, i128) {
        let [constant, lean] = self.count;
        let sums = binomials(points);
        let (mut number, mut weight) = (i128::from(constant) * sums[0], 0_i128);
        for (difference, sum) in self.value.iter().zip(sums) {
            weight += i128::from(*difference) * sum;
        }
        weight *= i128::from(constant);
        if lean != 0 {
            number += i128::from(lean) * sums[1];
            // s·C(s, k) = k·C(s, k) + (k + 1)·C(s, k + 1)
            for (k, difference) in (0..).zip(self.value).filter(|(_, difference)| *difference != 0) {
                let sum = k * sums[k as usize] + (k + 1) * sums[k as usize + 1];
                weight += i128::from(lean) * i128::from(difference) * sum;
            }
        }
        (number, weight)
    }

    /// Returns Σ c and Σ v·c over the points `0..=last` with values up to `x`.
    pub(super) fn up_to(&self, last: i64, x: i64) -> (i128, i128) {
        let end = self.at(last);
        let rising = end >= self.value[0];
        match (self.value[0] <= x, end <= x) {
            (true, true) => return self.sums(last + 1),
            (false, false) => return (0, 0),
            _ => {}
        }
        let holds = |s: i64| (self.at(s) <= x) == rising;
        let change = partition_near(self.root(x, rising), 0, last + 1, holds);
        let before = self.sums(change);
        if rising {
            return before;
        }
        let all = self.sums(last + 1);
        (all.0 - before.0, all.1 - before.1)
    }

    /// Estimates where the values pass x, as if v were of degree 2; the caller examines exact values around it.
    fn root(&self, x: i64, rising: bool) -> i64 {
        let [first, step, bend] = [self.value[0] - x, self.value[1], self.value[2]].map(|value| value as f64);
        if self.value[2] == 0 {
            return (-first / step) as i64;
        }
        let slope = step - bend / 2.0;
        let root = (slope * slope - 2.0 * bend * first).max(0.0).sqrt();
        (((if rising { root } else { -root }) - slope) / bend) as i64
    }
}

/// Returns C(n, 1), C(n, 2), …, which are Σ C(s, 0), Σ C(s, 1), … over 0 ≤ s < n. The last of them may overflow, but only where
/// the degree of v is too low for it to be used.
#[inline]
fn binomials(n: i64) -> [i128; ORDERS + 1] {
    // These fit in 64 bits. Divisions by 3 and 5 in 128 bits are multiplications by inverses.
    const SHORT: i64 = 1 << 16;
    const THIRD: i128 = -2 * (i128::MAX / 3) - 1;
    const FIFTH: i128 = -2 * (i128::MAX / 5) - 1;
    let second = (i128::from(n) * i128::from(n - 1)) >> 1;
    let (third, fourth) = match n <= SHORT {
        true => {
            let third = n * (n - 1) / 2 * (n - 2) / 3;
            (i128::from(third), i128::from(third * (n - 3) / 4))
        }
        false => {
            let third = (second * i128::from(n - 2)).wrapping_mul(THIRD);
            (third, (third * i128::from(n - 3)) >> 2)
        }
    };
    [n.into(), second, third, fourth, fourth.wrapping_mul(i128::from(n - 4)).wrapping_mul(FIFTH)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use symloc_quasi::{Int, Univariate};

    #[test]
    fn rows_as_long_as_they_may_be() {
        let row = Curved { value: [1, 1, 1, 0], count: [3, 2] };
        let points = 1_i64 << 31;
        // Far beyond all values.
        let found = row.up_to(points - 1, i64::MAX);
        let v = |s: i64| 1 + s + s * (s - 1) / 2;
        let sum = |term: &dyn Fn(i64) -> i64| {
            Univariate::sum_through(&(0..5).map(|s| Int::from(term(s))).collect::<Vec<_>>()).at(points.into())
        };
        assert_eq!(Int::from(found.0), sum(&|s| 3 + 2 * s));
        assert_eq!(Int::from(found.1), sum(&|s| v(s) * (3 + 2 * s)));
    }

    #[test]
    fn binomials_are_sums_of_binomials() {
        for start in [0, (1 << 16) - 2, 1 << 20] {
            for n in start..start + 8 {
                let sums = binomials(n + 1).into_iter().zip(binomials(n)).map(|(next, this)| next - this);
                let factors = (1..).map(|k| (i128::from(n) - k + 1, k));
                let row = factors.scan(1, |product, (factor, k)| {
                    let this = *product;
                    *product = *product * factor / k;
                    Some(this)
                });
                assert!(sums.eq(row.take(ORDERS + 1)), "{n}");
            }
        }
    }
}
