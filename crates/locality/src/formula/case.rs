//! Ranges of thresholds with one formula.

use num_bigint::BigInt;
use symloc_quasi::{Poly, Rational, Var};

/// The value of sizes that count as large.
const LARGE: i64 = 1 << 40;

/// A range is narrow if it is shorter than its end divided by this number.
const NARROW: i64 = 1 << 10;

/// A range of thresholds with one formula.
#[derive(Clone, Debug)]
pub struct Case {
    /// The least threshold.
    pub from: Poly,
    /// The end of the range, exclusive.
    pub to: Option<Poly>,
    /// The number of misses, in the sizes, the threshold, roots and periodic numbers, without those of sums.
    pub misses: Poly,
    /// N·s(t), if t is a window and there are no such sums.
    pub working_set: Option<Poly>,
    /// The number of sums that apply here.
    pub open: usize,
    /// True if the range is more than an effect of the lower-order terms of its ends.
    pub is_wide: bool,
}

impl Case {
    /// Returns true if its range is shorter than another one's, where all sizes are large and equal.
    pub fn is_shorter(&self, other: &Case) -> bool {
        let length = |case: &Case| {
            let large = |poly: &Poly| poly.substitute(&|_| Some(Poly::integer(LARGE))).constant_term();
            case.to.as_ref().map(|to| large(to) - large(&case.from))
        };
        length(self).is_some_and(|length_of_self| length(other).is_none_or(|longer| longer > length_of_self))
    }

    /// Returns true if the number of misses depends on the threshold.
    pub fn varies(&self, threshold: Var) -> bool {
        self.open > 0 || self.misses.last_var() >= Some(threshold)
    }
}

/// Returns true if a range of thresholds is more than an effect of the lower-order terms of its ends.
pub(super) fn is_wide(sample: &[BigInt], from: &Poly, to: Option<&Poly>) -> bool {
    let place = |end: &Poly| end.evaluate(sample);
    to.is_none_or(|to| (place(to) - place(from)) * Rational::from_integer(NARROW.into()) > place(to))
}
