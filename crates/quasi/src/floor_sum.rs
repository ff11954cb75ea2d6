//! Sums of floors along a progression.

use num_integer::Integer;

use crate::int::Int;

/// `Σ ⌊(constant + slope·s)/divisor⌋` over `0 ≤ s < count`, for a positive divisor, in as many steps as Euclid's
/// algorithm takes. `None` if a partial result leaves 128 bits.
///
/// The whole parts of `constant/divisor` and `slope/divisor` are summed directly. What remains counts the lattice points under
/// a line; seen from the other axis, it is a sum of the same kind with slope and divisor exchanged.
pub fn floor_sum(count: i128, constant: i128, slope: i128, divisor: i128) -> Option<i128> {
    let (mut count, mut constant, mut slope, mut divisor) = (count, constant, slope, divisor);
    let mut sum = 0_i128;
    while count > 0 {
        let pairs =
            if count % 2 == 0 { (count / 2).checked_mul(count - 1)? } else { count.checked_mul((count - 1) / 2)? };
        let whole = count.checked_mul(constant.div_euclid(divisor))?;
        sum = sum.checked_add(whole)?.checked_add(pairs.checked_mul(slope.div_euclid(divisor))?)?;
        (constant, slope) = (constant.rem_euclid(divisor), slope.rem_euclid(divisor));
        let top = constant.checked_add(slope.checked_mul(count)?)?;
        (count, constant) = (top / divisor, top % divisor);
        (slope, divisor) = (divisor, slope);
    }
    Some(sum)
}

/// Sums over `0 ≤ s < count` with `q(s) = ⌊(constant + slope·s)/divisor⌋`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FloorSums {
    /// `Σ q(s)`
    pub plain: Int,
    /// `Σ s·q(s)`
    pub weighted: Int,
    /// `Σ q(s)²`
    pub squares: Int,
}

/// Returns the sum of floors, of their squares, and of their products with s, for a positive divisor, in as many steps as
/// [`floor_sum`] takes. `None` if a number that is not a sum leaves 128 bits.
///
/// Lattice points (s, y) with 1 ≤ y ≤ q(s), seen from the other axis: for each y < m, where m is the largest q, those with s above
/// `r(y) = ⌊(divisor·y + divisor − constant − 1)/slope⌋`. Adding up 1, s and 2y − 1 over these points in both orders gives each
/// of the three sums of q from those of r.
pub fn floor_sums(count: i128, constant: i128, slope: i128, divisor: i128) -> Option<FloorSums> {
    let count = count.max(0);
    let (whole_slope, slope) = slope.div_mod_floor(&divisor);
    let (whole, constant) = constant.div_mod_floor(&divisor);
    let floors = proper_floor_sums(count, constant, slope, divisor)?;
    let half = |double: Int| double.div_floor(&Int::from(2));
    let (n, a, b) = (Int::from(count), Int::from(whole_slope), Int::from(whole));
    let below = &n - &Int::from(1);
    let ones = half(&n * &below)?;
    let squares = (&ones * &(&n + &below)).div_floor(&Int::from(3))?;
    let twice = |value: &Int| value + value;
    Some(FloorSums {
        plain: &(&(&a * &ones) + &(&b * &n)) + &floors.plain,
        weighted: &(&(&a * &squares) + &(&b * &ones)) + &floors.weighted,
        squares: &(&(&(&a * &a) * &squares) + &(&(&(&b * &b) * &n) + &floors.squares))
            + &twice(&(&(&(&a * &b) * &ones) + &(&(&b * &floors.plain) + &(&a * &floors.weighted)))),
    })
}

/// Returns the floor sums for `0 ≤ constant, slope < divisor`; `None` if a number overflows.
fn proper_floor_sums(count: i128, constant: i128, slope: i128, divisor: i128) -> Option<FloorSums> {
    let top = slope.checked_mul(count - 1)?.checked_add(constant)? / divisor;
    if count == 0 || top == 0 {
        return Some(FloorSums { plain: Int::ZERO, weighted: Int::ZERO, squares: Int::ZERO });
    }
    let other = floor_sums(top, divisor - constant - 1, divisor, slope)?;
    let (m, last) = (Int::from(top), Int::from(count - 1));
    let plain = &(&m * &last) - &other.plain;
    let pairs = &(&m * &last) * &Int::from(count);
    let weighted = (&pairs - &(&other.squares + &other.plain)).div_floor(&Int::from(2))?;
    let twice = &(&other.weighted + &other.weighted) + &(&other.plain + &other.plain);
    let squares = &(&(&m * &last) * &Int::from(top + 1)) - &(&twice + &plain);
    Some(FloorSums { plain, weighted, squares })
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn floor_sums_agree_with_addition(count in 0_i128..50, constant in -99_i128..99, slope in -30_i128..30, divisor in 1_i128..20) {
            let added: i128 = (0..count).map(|s| (constant + slope * s).div_euclid(divisor)).sum();
            proptest::prop_assert_eq!(floor_sum(count, constant, slope, divisor), Some(added));
        }

        #[test]
        fn sums_of_squares_and_products_agree_with_addition(
            count in 0_i128..50, constant in -99_i128..99, slope in -30_i128..30, divisor in 1_i128..20,
        ) {
            let floors = (0..count).map(|s| (s, (constant + slope * s).div_euclid(divisor)));
            let sums = floors.fold((0, 0, 0), |(p, w, q), (s, f)| (p + f, w + s * f, q + f * f));
            let (plain, weighted, squares) = (Int::from(sums.0), Int::from(sums.1), Int::from(sums.2));
            let expected = Some(FloorSums { plain, weighted, squares });
            proptest::prop_assert_eq!(floor_sums(count, constant, slope, divisor), expected);
        }
    }

    #[test]
    fn long_sums_are_exact_or_refused() {
        let half = 1_i128 << 31;
        // With s = 2i and s = 2i + 1: Σ s·⌊s/2⌋ = Σ (4i + 1)·i, Σ ⌊s/2⌋² = 2·Σ i²
        let (ones, squares) = (half * (half - 1) / 2, half * (half - 1) * (2 * half - 1) / 6);
        let sums = FloorSums {
            plain: Int::from(2 * ones),
            weighted: Int::from(4 * squares + ones),
            squares: Int::from(2 * squares),
        };
        assert_eq!(floor_sums(2 * half, 0, 1, 2), Some(sums));
        // Σ ⌊s/2⌋ over s < 2·half
        assert_eq!(floor_sum(2 * half, 0, 1, 2), Some(half * (half - 1)));
        assert_eq!(floor_sum(i128::MAX, 0, 1, 2), None);
    }
}
