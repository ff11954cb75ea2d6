//! The bounds of a variable in a conjunction, and the variables that equalities determine.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use symloc_quasi::{Constraint, Poly, Relation, Var};

/// Inclusive bounds of a coordinate, at least one of each kind.
#[derive(Clone, Debug, Default)]
pub struct Range {
    /// The lower bounds; the largest of them counts.
    pub lower: Vec<Poly>,
    /// The upper bounds; the smallest of them counts.
    pub upper: Vec<Poly>,
}

impl Range {
    /// Returns the bounds of a coordinate, and the constraints that are not about it; `None` if it has no bounds, or if
    /// a constraint says something else of it.
    pub fn of(system: &[Constraint], coordinate: Var) -> Option<(Self, Vec<Constraint>)> {
        Self::rounded(system, coordinate, &Poly::floor_div)
    }

    /// Returns the bounds of a coordinate like [`Range::of`], with quotients rounded down by a function.
    pub fn rounded(
        system: &[Constraint],
        coordinate: Var,
        floor: &impl Fn(&Poly, &BigInt) -> Poly,
    ) -> Option<(Self, Vec<Constraint>)> {
        let mut range = Self::default();
        let mut rest = Vec::new();
        for constraint in system {
            if !constraint.poly.vars().contains(&coordinate) {
                rest.push(constraint.clone());
            } else if !range.bound(constraint, coordinate, floor) {
                return None;
            }
        }
        let bounded = !range.lower.is_empty() && !range.upper.is_empty();
        bounded.then_some((range, rest))
    }

    /// Returns a range for each pair of bounds, with the conditions under which they are the tightest.
    pub fn tightest(&self) -> Vec<TightRange> {
        let negative: Vec<Poly> = self.upper.iter().map(|upper| -upper).collect();
        let highest = largest(&negative);
        let with = |(low, lowest): (&Poly, Vec<Constraint>)| {
            let pair = |(high, highest): &(&Poly, Vec<Constraint>)| {
                let conditions = [&lowest[..], highest].concat();
                TightRange { low: low.clone(), high: -*high, conditions }
            };
            highest.iter().map(pair).collect::<Vec<_>>()
        };
        largest(&self.lower).into_iter().flat_map(with).collect()
    }

    /// Returns all bounds.
    pub fn bounds(&self) -> impl Iterator<Item = &Poly> {
        self.lower.iter().chain(&self.upper)
    }

    /// Adds what a constraint says to the bounds; false if it says something else.
    fn bound(&mut self, constraint: &Constraint, coordinate: Var, floor: &impl Fn(&Poly, &BigInt) -> Poly) -> bool {
        let (coefficient, rest) = constraint.poly.split_slope(coordinate);
        if coefficient.is_zero() || rest.vars().contains(&coordinate) {
            return false;
        }
        let size = coefficient.abs().to_integer();
        // a·q + rest ≥ 0, or = 0, which is both this and its opposite.
        let towards = if coefficient.is_positive() { -&rest } else { rest };
        let equality = constraint.relation == Relation::Zero;
        if coefficient.is_positive() || equality {
            self.lower.push(-&floor(&-&towards, &size));
        }
        if coefficient.is_negative() || equality {
            self.upper.push(floor(&towards, &size));
        }
        true
    }
}

/// A range between two bounds that are the tightest under some conditions.
#[derive(Clone, Debug)]
pub struct TightRange {
    /// The lower bound.
    pub low: Poly,
    /// The upper bound.
    pub high: Poly,
    /// The conditions.
    pub conditions: Vec<Constraint>,
}

impl TightRange {
    /// Returns the number of values; if it is negative there are none.
    pub fn extent(&self) -> Poly {
        &(&self.high - &self.low) + &Poly::one()
    }
}

/// Solves an equality for a coordinate, and replaces it everywhere. Returns its value; `None` if no equality determines
/// it.
pub fn solve(system: &mut Vec<Constraint>, coordinate: Var) -> Option<Poly> {
    let solvable = |c: &Constraint| {
        c.relation == Relation::Zero && c.poly.slope(coordinate).abs().is_one() && !is_in_products(&c.poly, coordinate)
    };
    let index = system.iter().position(solvable)?;
    let equality = system.swap_remove(index).poly;
    let (slope, rest) = equality.split_slope(coordinate);
    let solution = rest.scale(&-slope.recip());
    for constraint in system.iter_mut() {
        constraint.poly = constraint.poly.with_value(coordinate, &solution);
    }
    system.retain(|c| !c.poly.is_zero());
    Some(solution)
}

/// Returns true if a variable stands in products, powers or floors.
fn is_in_products(poly: &Poly, var: Var) -> bool {
    poly.split_slope(var).1.vars().contains(&var)
}

/// Returns each value with the conditions under which it is the largest; of equal values the first counts.
fn largest(values: &[Poly]) -> Vec<(&Poly, Vec<Constraint>)> {
    let conditions = |position: usize| {
        let least = |other: usize| Poly::integer(u8::from(other < position));
        let above = |other: usize| Constraint::non_negative(&(&values[position] - &values[other]) - &least(other));
        (0..values.len()).filter(|other| *other != position).map(above).collect()
    };
    values.iter().enumerate().map(|(position, value)| (value, conditions(position))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_with_a_variable_are_no_bounds_of_it() {
        let [n, x, y] = [0, 1, 2].map(|var| Poly::var(Var(var)));
        let linear = [&y - &x, &n - &y].map(Constraint::non_negative);
        assert!(Range::of(&linear, Var(2)).is_some());
        let of_product = Constraint::non_negative(&(&n - &y) - &(&x * &y));
        assert!(Range::of(&[linear[0].clone(), of_product.clone()], Var(2)).is_none());
        let mut equality = vec![Constraint::zero(of_product.poly)];
        assert_eq!(solve(&mut equality, Var(2)), None);
    }
}
