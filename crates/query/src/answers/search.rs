//! Binary search for a monotone predicate.

use symloc_evaluate::Int;

/// Returns the smallest number above `low`, up to `high`, at which `holds` is true; `None` if it is false at `high`. If `holds`
/// is true for a number, it must be true for all larger ones.
///
/// # Errors
///
/// Those of `holds`.
pub fn first<E>(low: &Int, high: &Int, holds: impl Fn(&Int) -> Result<bool, E>) -> Result<Option<Int>, E> {
    if low >= high || !holds(high)? {
        return Ok(None);
    }
    // Invariant: `holds` is taken as false at `small` and is true at `large`.
    let (mut small, mut large) = (low.clone(), high.clone());
    loop {
        let middle = (&small + &large).div_floor(&Int::from(2)).unwrap_or(Int::ZERO);
        if middle == small {
            return Ok(Some(large));
        }
        if holds(&middle)? {
            large = middle;
        } else {
            small = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn the_first_of_all_that_hold() {
        let first_from = |low: i64, high: i64, from: i64| {
            let holds = |x: &Int| Ok::<_, Infallible>(*x >= Int::from(from));
            first(&low.into(), &high.into(), holds).unwrap().map(|x| x.to_i128().unwrap())
        };
        for from in -3..=9 {
            assert_eq!(first_from(-2, 8, from), (from <= 8).then_some(i128::from(from.max(-1))), "{from}");
        }
        assert_eq!(first_from(5, 5, 0), None);
        assert_eq!(first_from(4, 5, 0), Some(5));
    }
}
