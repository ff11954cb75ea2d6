//! Pieces of classes, prepared for all sizes.

use symloc_model::CountPiece;
use symloc_quasi::{Constraint, Evaluator as Formula, Periods, Poly, Relation, Var};

use super::lattice::Lattice;
use super::linear::Linear;
use super::recent::RecentCuts;
use crate::count::limits::ITERATORS;

/// A piece of a class with free iterators, prepared for all sizes.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(super) parameters: usize,
    pub(super) iterators: usize,
    pub(super) value: Formula,
    pub(super) value_degree: usize,
    /// Pairs of iterators whose product, or whose square, occurs in v.
    products: Vec<(usize, usize)>,
    pub(super) count: Formula,
    pub(super) count_degree: usize,
    /// The iterators that c depends on, and conditions with floors.
    counted: Vec<usize>,
    /// Conditions without floors of iterators.
    pub(super) plain: Vec<(Formula, Relation)>,
    /// Conditions with floors of iterators.
    pub(super) floored: Vec<(Formula, Relation)>,
    pub(super) periods: Periods,
    /// The periods of the value alone.
    pub(super) value_periods: Periods,
    /// The count, if it is linear in floors and there are no conditions with floors.
    pub(super) linear: Option<Linear>,
    /// Those that may serve at other sizes, if there are some.
    pub(super) recent: Option<RecentCuts>,
}

impl Plan {
    /// Prepares a piece whose accesses have this value. `None` if its formulas are not of the kind that symloc writes; the piece can still be
    /// enumerated.
    pub(crate) fn new(value: &Poly, piece: &CountPiece, parameters: usize) -> Option<Self> {
        let iterators = piece.bounds.len();
        if iterators > ITERATORS {
            return None;
        }
        let first = Var(u32::try_from(parameters).ok()?);
        let formula = |poly: &Poly| Formula::new(poly, parameters + iterators);
        let mut periods = Periods::default();
        for poly in [value, &piece.count] {
            periods.add(poly, first, iterators)?;
        }
        let (mut plain, mut floored) = (Vec::new(), Vec::new());
        let mut counted = iterators_of(&piece.count, first);
        for Constraint { poly, relation } in &piece.domain {
            let mut own = Periods::default();
            own.add(poly, first, iterators)?;
            periods.add(poly, first, iterators)?;
            match poly.degree_from(first) {
                0..=1 if own.is_empty() => plain.push((formula(poly), *relation)),
                1 => {
                    floored.push((formula(poly), *relation));
                    counted.extend(iterators_of(poly, first));
                }
                _ => return None,
            }
        }
        // The bounds follow from the conditions together, but not from a single one of them.
        for (bounds, var) in piece.bounds.iter().zip(first.0..) {
            let iterator = Poly::var(Var(var));
            let lower = bounds.lower.iter().map(|bound| &iterator - bound);
            let upper = bounds.upper.iter().map(|bound| bound - &iterator);
            for poly in lower.chain(upper) {
                let mut own = Periods::default();
                own.add(&poly, first, iterators)?;
                let known = || piece.domain.iter().any(|c| c.relation == Relation::NonNegative && c.poly == poly);
                if own.is_empty() && poly.degree_from(first) == 1 && !known() {
                    plain.push((formula(&poly), Relation::NonNegative));
                }
            }
        }
        let mut value_periods = Periods::default();
        value_periods.add(value, first, iterators)?;
        let linear = if floored.is_empty() { Linear::new(&piece.count, first, iterators) } else { None };
        let degree = |poly: &Poly| usize::try_from(poly.degree_from(first)).ok().filter(|degree| *degree <= 16);
        Some(Self {
            parameters,
            iterators,
            value: formula(value),
            value_degree: degree(value)?,
            products: products(value, first),
            count: formula(&piece.count),
            count_degree: degree(&piece.count)?,
            counted,
            plain,
            floored,
            periods,
            value_periods,
            linear,
            recent: None,
        })
    }

    /// Returns the piece with values for the first parameters. Parts at a size of the others serve at all of these at which the piece is
    /// the same.
    pub(crate) fn fix(&self, values: &[i128]) -> Self {
        let conditions =
            |all: &[(Formula, Relation)]| all.iter().map(|(f, relation)| (f.fix(values), *relation)).collect();
        Self {
            parameters: self.parameters - values.len(),
            iterators: self.iterators,
            value: self.value.fix(values),
            value_degree: self.value_degree,
            products: self.products.clone(),
            count: self.count.fix(values),
            count_degree: self.count_degree,
            counted: self.counted.clone(),
            plain: conditions(&self.plain),
            floored: conditions(&self.floored),
            periods: self.periods.clone(),
            value_periods: self.value_periods.clone(),
            linear: self.linear.as_ref().map(|linear| linear.fix(values)),
            recent: Some(RecentCuts::default()),
        }
    }

    /// Returns true if c is constant on the points of a lattice that satisfy the plain conditions.
    pub(super) fn is_uniform_on(&self, lattice: &Lattice) -> bool {
        !self.counted.iter().any(|i| lattice.moves(*i))
    }

    /// Returns true if v is affine on a lattice.
    pub(super) fn is_affine_on(&self, lattice: &Lattice) -> bool {
        lattice.steps.iter().all(|step| self.value_periods.along(step) == Some(1))
            && !self.products.iter().any(|(i, j)| lattice.moves(*i) && lattice.moves(*j))
    }

    /// Returns true if v is affine along a coordinate, and along the others together where it is fixed.
    pub(super) fn is_fan_along(&self, lattice: &Lattice, coordinate: usize) -> bool {
        let mut others = lattice.clone();
        let own = vec![others.steps.remove(coordinate)];
        self.is_affine_on(&Lattice { steps: own, ..lattice.clone() }) && self.is_affine_on(&others)
    }

    /// Returns true if v is affine along a coordinate, with the same slope everywhere on a lattice, and c constant along it.
    pub(super) fn is_digit(&self, lattice: &Lattice, coordinate: usize) -> bool {
        let step = &lattice.steps[coordinate];
        let moves = |i: &usize| step[*i] != 0;
        self.value_periods.along(step) == Some(1)
            && !self.counted.iter().any(moves)
            && !self.products.iter().any(|(i, j)| (moves(i) && lattice.moves(*j)) || (moves(j) && lattice.moves(*i)))
    }
}

/// Returns the pairs of variables from `first` on that are factors of one term, outside and inside floors.
fn products(value: &Poly, first: Var) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (monomial, _) in value.terms() {
        let factors = monomial.factors().iter().flat_map(|(atom, exponent)| vec![atom; *exponent as usize]);
        let factors: Vec<_> = factors.map(|atom| iterators_of(&Poly::atom(atom.clone()), first)).collect();
        for (k, factor) in factors.iter().enumerate() {
            let others = factors[k + 1..].iter().flatten();
            pairs.extend(others.flat_map(|j| factor.iter().map(|i| (*i, *j))));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Returns the variables from `first` on that a polynomial depends on, counted from `first`.
fn iterators_of(poly: &Poly, first: Var) -> Vec<usize> {
    poly.vars().into_iter().filter_map(|var| var.0.checked_sub(first.0)).map(|i| i as usize).collect()
}
