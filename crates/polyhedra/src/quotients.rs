//! Iterators that others determine.
//!
//! The tile of an iterator, u with 32·u ≤ x ≤ 32·u + 31, is ⌊x/32⌋: each point has one, so points may be counted without it. Loops over
//! tiles say more about u, which follows from what they say about x; those constraints must have been left out.

use num_traits::{One, Signed, Zero};
use symloc_quasi::{Constraint, Poly, Rational, Relation, Var};

/// Leaves out the dimensions that are quotients of others, rounded down, and have no other constraints. The number of points stays the
/// same for each value of the other variables.
#[must_use]
pub fn without_quotients(mut system: Vec<Constraint>, mut dims: Vec<Var>) -> (Vec<Constraint>, Vec<Var>) {
    while let Some(place) = dims.iter().position(|dim| is_quotient(&system, *dim)) {
        let quotient = dims.remove(place);
        system.retain(|constraint| !constraint.poly.vars().contains(&quotient));
    }
    (system, dims)
}

/// Returns true if the only constraints on a variable u are `B·u ≤ e` and `e ≤ B·u + B − 1`, for one e.
fn is_quotient(system: &[Constraint], var: Var) -> bool {
    let mut own = system.iter().filter(|constraint| constraint.poly.vars().contains(&var));
    let (Some(one), Some(other), None) = (own.next(), own.next(), own.next()) else { return false };
    let is_linear = |poly: &Poly| !poly.split_slope(var).1.vars().contains(&var);
    let base = one.poly.slope(var).abs();
    [one, other].iter().all(|constraint| constraint.relation == Relation::NonNegative && is_linear(&constraint.poly))
        && !base.is_zero()
        && (&one.poly + &other.poly).as_constant().is_some_and(|sum| sum == &base - Rational::one())
        && one.poly.common_denominator().is_one()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_left_out() {
        let [x, u] = [0, 1].map(|var| Poly::var(Var(var)));
        let scaled = |poly: &Poly, factor: i64| poly.scale(&Rational::from_integer(factor.into()));
        let integer = |n: i64| Poly::integer(num_bigint::BigInt::from(n));
        let tile = |base: i64, most: i64| {
            let place = &x - &scaled(&u, base);
            [place.clone(), &integer(most) - &place, &integer(9) - &x].map(Constraint::non_negative).to_vec()
        };
        let left = |system: Vec<Constraint>| without_quotients(system, vec![Var(0), Var(1)]).1;
        assert_eq!(left(tile(32, 31)), [Var(0)]);
        // Points in two tiles, and points in none, are not left out; nor are tiles with a condition of their own.
        assert_eq!(left(tile(32, 32)), [Var(0), Var(1)]);
        assert_eq!(left(tile(32, 30)), [Var(0), Var(1)]);
        let conditioned = [tile(32, 31), vec![Constraint::non_negative(u.clone())]].concat();
        assert_eq!(left(conditioned), [Var(0), Var(1)]);
    }
}
