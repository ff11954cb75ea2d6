//! The ends of rows, in machine words.

use crate::count::parts::quotient::LinearQuotient;

/// The largest number of rows, and the largest length of a row: squares fit in 64 bits.
pub(super) const LONGEST: i128 = 1 << 31;

/// The last point of row t is `⌊(constant + slope·t)/divisor⌋`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    constant: i64,
    slope: i64,
    divisor: i64,
    /// `slope = step·divisor + more`
    step: i64,
    more: i64,
}

impl Ends {
    /// Creates the ends of `rows` rows; `None` if their number or the last point of one exceeds [`LONGEST`].
    pub(super) fn new(width: LinearQuotient, rows: i128) -> Option<Self> {
        let divisor = i64::try_from(width.divisor).ok().filter(|divisor| i128::from(*divisor) <= LONGEST)?;
        let longest = width.floor(0).max(width.floor(rows.checked_sub(1)?));
        let (constant, slope) = (i64::try_from(width.numerator.constant).ok()?, width.numerator.slope);
        let slope = i64::try_from(slope).ok().filter(|slope| slope.checked_abs().is_some_and(|s| s < 1 << 31))?;
        let (step, more) = (slope.div_euclid(divisor), slope.rem_euclid(divisor));
        (rows <= LONGEST && longest < LONGEST).then_some(Self { constant, slope, divisor, step, more })
    }

    /// Returns the last point of row t, followed by those of the rows after it.
    #[inline]
    pub(super) fn from(self, t: i64) -> impl Iterator<Item = i64> {
        let numerator = self.constant + self.slope * t;
        let mut last = if self.divisor == 1 { numerator } else { numerator.div_euclid(self.divisor) };
        let mut rest = numerator - last * self.divisor;
        std::iter::repeat_with(move || {
            let current = last;
            (last, rest) = (last + self.step, rest + self.more);
            if rest >= self.divisor {
                (last, rest) = (last + 1, rest - self.divisor);
            }
            current
        })
    }
}
