//! Boxes: sets of points whose coordinates run from a lower to an upper bound, each apart from the others.
//!
//! The blocks of a window mostly are boxes with bounds that depend on t alone. The number of their points is the
//! product of the *extents*
//!
//! ```text
//! Π (⌊upper⌋ − ⌈lower⌉ + 1)
//! ```
//!
//! wherever no extent is negative, whether the box is empty or not; so hardly any cases have to be told apart. They
//! have to be where a coordinate has several lower or several upper bounds: of these one is the tightest, and which one
//! it is are conditions on t. (docs/mathematics.md, "Reuse distances", disjoint boxes.)

use symloc_quasi::{Constraint, Poly, Var};

use crate::range::{Range, TightRange, solve};

/// A conjunction over t and coordinates, some of which have been solved or counted.
#[derive(Clone, Debug)]
pub struct Boxed {
    /// The constraints on t and on the remaining coordinates.
    pub rest: Vec<Constraint>,
    /// The counted coordinates, one case for each choice of the tightest bounds.
    pub cases: Vec<BoxCase>,
}

/// A box whose tightest bounds are known.
#[derive(Clone, Debug, Default)]
pub struct BoxCase {
    /// The conditions on t under which these bounds are the tightest.
    pub conditions: Vec<Constraint>,
    /// The extent of each coordinate that was counted; it may be negative where the box is empty.
    pub extents: Vec<Poly>,
}

impl Boxed {
    /// Returns a box in which no coordinate is counted yet.
    pub fn new(system: Vec<Constraint>) -> Self {
        Self { rest: system, cases: vec![BoxCase::default()] }
    }

    /// Solves an equality for a coordinate; false if there is none.
    #[must_use]
    pub fn solve(&mut self, coordinate: Var) -> bool {
        solve(&mut self.rest, coordinate).is_some()
    }

    /// Counts a coordinate; false if it has no bounds, or if they depend on more than the variables below `first`,
    /// which are those of t.
    #[must_use]
    pub fn count(&mut self, coordinate: Var, first: Var) -> bool {
        let Some((range, rest)) = Range::of(&self.rest, coordinate) else { return false };
        if !range.bounds().all(|bound| bound.vars().iter().all(|var| *var < first)) {
            return false;
        }
        self.rest = rest;
        self.cases = std::mem::take(&mut self.cases).iter().flat_map(|case| case.with(&range)).collect();
        true
    }
}

impl BoxCase {
    /// Returns the product of the extents.
    pub fn size(&self) -> Poly {
        self.extents.iter().fold(Poly::one(), |product, extent| &product * extent)
    }

    /// Returns the constraints that every extent is at least `least`.
    pub fn at_least(&self, least: &Poly) -> Vec<Constraint> {
        self.extents.iter().map(|extent| Constraint::non_negative(extent - least)).collect()
    }

    /// Returns this case extended by one coordinate, once for each choice of its tightest bounds.
    fn with(&self, range: &Range) -> Vec<Self> {
        let with = |tight: TightRange| Self {
            conditions: [&self.conditions[..], &tight.conditions].concat(),
            extents: [&self.extents[..], &[tight.extent()]].concat(),
        };
        range.tightest().into_iter().map(with).collect()
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_traits::{Signed, Zero};
    use symloc_quasi::Relation;

    use super::*;

    const A: Var = Var(0);
    const B: Var = Var(1);
    const X: Var = Var(2);
    const Y: Var = Var(3);

    fn at_least(greater: &Poly, smaller: &Poly) -> Constraint {
        Constraint::non_negative(greater - smaller)
    }

    fn holds(constraint: &Constraint, point: &[BigInt]) -> bool {
        let value = constraint.poly.evaluate(point);
        match constraint.relation {
            Relation::Zero => value.is_zero(),
            Relation::NonNegative => !value.is_negative(),
        }
    }

    /// Two bounds compete on either side of x, 0 and a ≤ x ≤ b and 6, and those of y are floors, 1 ≤ 2y ≤ b.
    #[test]
    fn sizes_are_those_of_enumeration_where_extents_are_not_negative() {
        let [a, b, x, y] = [A, B, X, Y].map(Poly::var);
        let twice = &y + &y;
        let system = vec![
            at_least(&x, &Poly::zero()),
            at_least(&x, &a),
            at_least(&b, &x),
            at_least(&Poly::integer(6), &x),
            at_least(&twice, &Poly::one()),
            at_least(&b, &twice),
        ];
        let mut boxed = Boxed::new(system.clone());
        assert!(boxed.count(X, X) && boxed.count(Y, X));
        assert!(boxed.rest.is_empty());
        let point = |values: &[i64]| values.iter().map(|value| BigInt::from(*value)).collect::<Vec<_>>();
        for (a, b) in (-3..9).flat_map(|a| (-3..9).map(move |b| (a, b))) {
            let t = point(&[a, b]);
            let here: Vec<_> = boxed.cases.iter().filter(|case| case.conditions.iter().all(|c| holds(c, &t))).collect();
            let [case] = here[..] else { panic!("{} cases at {t:?}", here.len()) };
            let within = |x: i64, y: i64| system.iter().all(|constraint| holds(constraint, &point(&[a, b, x, y])));
            let points = (-4..10).flat_map(|x| (-4..10).map(move |y| (x, y))).filter(|(x, y)| within(*x, *y)).count();
            match case.extents.iter().any(|extent| extent.evaluate(&t).is_negative()) {
                true => assert_eq!(points, 0, "at {t:?}"),
                false => assert_eq!(case.size().evaluate(&t).to_integer(), points.into(), "at {t:?}"),
            }
        }
    }

    #[test]
    fn bounds_of_other_coordinates_are_no_box() {
        let [x, y] = [X, Y].map(Poly::var);
        let mut boxed =
            Boxed::new(vec![at_least(&x, &Poly::zero()), at_least(&y, &x), Constraint::zero(&y - &Poly::one())]);
        assert!(!boxed.count(X, X));
        assert!(boxed.solve(Y) && boxed.count(X, X));
        assert_eq!(boxed.cases[0].size(), Poly::integer(2));
    }
}
