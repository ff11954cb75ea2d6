//! Sums of floors along a progression.

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

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn floor_sums_agree_with_addition(count in 0_i128..50, constant in -99_i128..99, slope in -30_i128..30, divisor in 1_i128..20) {
            let added: i128 = (0..count).map(|s| (constant + slope * s).div_euclid(divisor)).sum();
            proptest::prop_assert_eq!(floor_sum(count, constant, slope, divisor), Some(added));
        }
    }

    #[test]
    fn long_sums_are_exact_or_refused() {
        let half = 1_i128 << 31;
        // Σ ⌊s/2⌋ over s < 2·half
        assert_eq!(floor_sum(2 * half, 0, 1, 2), Some(half * (half - 1)));
        assert_eq!(floor_sum(i128::MAX, 0, 1, 2), None);
    }
}
