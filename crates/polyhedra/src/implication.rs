//! Implication of linear constraints over the rationals, by the simplex method: sound for integers, but incomplete.
//!
//! A conjunction implies `p ≥ 0` for integers if it contradicts `p ≤ −1`, and it surely does if it does so over the
//! rationals, which `simplex` decides. A product of variables is a variable of its own; so is a floor `f = ⌊e/d⌋`,
//! with `d·f ≤ e ≤ d·f + d − 1`.
//!
//! A negative answer means "not proved": isl proves more, with integers, in ten times the time and more.
//!
//! Front ends have a proof of their own, `ranges` of `symloc_frontend`: it puts the bounds of loops into an expression,
//! innermost first, and uses one further fact at most. It proves less, but it says which sizes a proof needs to be at
//! least 1, and these become assumptions of the model; a combination of facts by the simplex method does not tell. It
//! also needs no tableau for each of the many places of a program. So that proof is for programs that are being read,
//! this one for conjunctions in a derivation, and for the question whether conditions that were chosen leave an access at all.

use std::collections::BTreeMap;
use std::rc::Rc;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use symloc_quasi::{Atom, Constraint, Floor, Monomial, Poly, Rational, Relation};

use crate::congruence::Remainders;
use crate::simplex::{Name, Tableau};

/// A conjunction.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    tableau: Tableau,
    /// Shared by facts of which one has no variables but those of the other.
    columns: Rc<BTreeMap<Monomial, Name>>,
    remainders: Remainders,
    /// Numbers have become too large: nothing is seen any more.
    overflow: bool,
}

impl Facts {
    /// Returns the conjunction of constraints.
    pub fn new<'c>(constraints: impl IntoIterator<Item = &'c Constraint>) -> Self {
        Self::default().with(constraints)
    }

    /// Returns these facts and more.
    #[must_use]
    pub fn with<'c>(&self, constraints: impl IntoIterator<Item = &'c Constraint>) -> Self {
        let mut facts = self.clone();
        let added = constraints.into_iter().try_for_each(|constraint| facts.add(constraint));
        facts.overflow |= added.is_none() || facts.tableau.solve().is_none();
        facts
    }

    /// Returns the remainder of a sum with integral coefficients modulo a number, where equalities among the facts give those of its
    /// variables.
    pub fn remainder(&self, sum: &Poly, divisor: &BigInt) -> Option<BigInt> {
        self.remainders.of(sum, divisor)
    }

    /// Returns true if the facts are known to contradict each other.
    pub fn contradict(&self) -> bool {
        !self.overflow && self.tableau.contradicts
    }

    /// Returns true if a constraint is known to follow from the facts.
    pub fn imply(&self, constraint: &Constraint) -> bool {
        let poly = constraint.poly.scale(&Rational::from_integer(constraint.poly.common_denominator()));
        let never = |poly: Poly| self.with(&[Constraint::non_negative(poly)]).contradict();
        never(-&(&poly + &Poly::one())) && (constraint.relation == Relation::NonNegative || never(&poly - &Poly::one()))
    }

    /// Adds a constraint; `None` if the numbers are too large.
    fn add(&mut self, constraint: &Constraint) -> Option<()> {
        self.remainders.add(constraint);
        let (constant, terms) = tightened(constraint)?;
        let columns = terms.into_iter().map(|(monomial, coefficient)| Some((self.column(monomial)?, coefficient)));
        let columns = columns.collect::<Option<Vec<_>>>()?;
        self.tableau.add(constant, &columns, constraint.relation)
    }

    fn column(&mut self, monomial: &Monomial) -> Option<Name> {
        if let Some(column) = self.columns.get(monomial) {
            return Some(*column);
        }
        let column = self.tableau.variable();
        Rc::make_mut(&mut self.columns).insert(monomial.clone(), column);
        if let [(Atom::Floor(floor), 1)] = monomial.factors() {
            definition(floor).iter().try_for_each(|constraint| self.add(constraint))?;
        }
        Some(column)
    }
}

/// Returns the constraints that define a floor: `0 ≤ e − d·⌊e/d⌋ ≤ d − 1`.
pub fn definition(floor: &Floor) -> [Constraint; 2] {
    let divisor = Rational::from_integer(floor.divisor().clone());
    let whole = Poly::atom(Atom::Floor(floor.clone())).scale(&divisor);
    let remainder = floor.numerator() - &whole;
    let most = &Poly::constant(divisor - Rational::one()) - &remainder;
    [remainder, most].map(Constraint::non_negative)
}

/// Constraints that neither a context nor the others imply.
pub fn irredundant(context: &Facts, mut constraints: Vec<Constraint>) -> Vec<Constraint> {
    constraints.sort();
    constraints.dedup();
    needed(context, &constraints)
}

/// Returns the constraints that neither facts nor the others imply: of those that imply each other, the last. Each half
/// is looked at with what is needed of the other one, so that a constraint is added to facts only as often as the list
/// can be halved.
pub fn needed(facts: &Facts, constraints: &[Constraint]) -> Vec<Constraint> {
    match constraints {
        [] => Vec::new(),
        [one] => {
            if facts.imply(one) {
                Vec::new()
            } else {
                vec![one.clone()]
            }
        }
        _ => {
            let (first, second) = constraints.split_at(constraints.len() / 2);
            let mut found = needed(&facts.with(second), first);
            found.extend(needed(&facts.with(&found), second));
            found
        }
    }
}

/// Returns the constant and the terms, in machine integers without a common factor. The constant of an inequality is
/// rounded down. An equality whose constant does not have that factor becomes −1 = 0.
fn tightened(constraint: &Constraint) -> Option<(i64, Vec<(&Monomial, i64)>)> {
    let scale = constraint.poly.common_denominator();
    let mut constant = BigInt::zero();
    let mut terms: Vec<(&Monomial, BigInt)> = Vec::new();
    for (monomial, coefficient) in constraint.poly.terms() {
        let coefficient = coefficient.numer() * (&scale / coefficient.denom());
        match monomial.is_one() {
            true => constant = coefficient,
            false => terms.push((monomial, coefficient)),
        }
    }
    let divisor = terms.iter().fold(BigInt::zero(), |gcd, (_, c)| gcd.gcd(c));
    if !divisor.is_zero() {
        if constraint.relation == Relation::Zero && !constant.is_multiple_of(&divisor) {
            return Some((-1, Vec::new()));
        }
        constant = constant.div_floor(&divisor);
        terms.iter_mut().for_each(|(_, c)| *c = &*c / &divisor);
    }
    let terms = terms.into_iter().map(|(monomial, c)| Some((monomial, c.to_i64()?))).collect::<Option<_>>()?;
    Some((constant.to_i64()?, terms))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use symloc_quasi::Var;

    use super::*;

    fn var(index: u32) -> Poly {
        Poly::var(Var(index))
    }

    fn linear([constant, x, y, floor]: [i64; 4]) -> Poly {
        let terms = [(x, var(0)), (y, var(1)), (floor, var(0).floor_div(&3.into()))];
        terms.iter().fold(Poly::integer(constant), |sum, (c, term)| &sum + &(term * &Poly::integer(*c)))
    }

    #[test]
    fn what_follows_from_two_facts() {
        let (n, i) = (var(0), var(1));
        let facts = Facts::new(&[Constraint::non_negative(i.clone()), Constraint::non_negative(&n - &i)]);
        assert!(facts.imply(&Constraint::non_negative(n.clone())));
        assert!(!facts.imply(&Constraint::non_negative(&n - &Poly::one())));
        let thirds = n.floor_div(&3.into()).scale(&Rational::from_integer(3.into()));
        assert!(facts.imply(&Constraint::non_negative(&(&thirds - &n) + &Poly::integer(2))));
        assert!(facts.with(&[Constraint::non_negative(-&(&n + &Poly::one()))]).contradict());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        /// An implied constraint holds wherever the facts do, and facts that contradict each other hold nowhere.
        #[test]
        fn implications_hold(
            facts in proptest::collection::vec((proptest::array::uniform4(-4_i64..5), any::<bool>()), 1..6),
            goal in proptest::array::uniform4(-4_i64..5), equal in any::<bool>(),
        ) {
            let constraint = |(coefficients, equal): ([i64; 4], bool)| match equal {
                true => Constraint::zero(linear(coefficients)),
                false => Constraint::non_negative(linear(coefficients)),
            };
            let constraints: Vec<_> = facts.into_iter().map(|(c, equal)| constraint((c, equal && c[1] != 0))).collect();
            let goal = constraint((goal, equal));
            let facts = Facts::new(&constraints);
            let (contradict, imply) = (facts.contradict(), facts.imply(&goal));
            for (x, y) in (-9..10).flat_map(|x| (-9..10).map(move |y| [x, y].map(BigInt::from))).map(|[x, y]| (x, y)) {
                let point = [x, y];
                if constraints.iter().all(|c| c.holds_at(&point)) {
                    prop_assert!(!contradict, "at {:?}", point);
                    prop_assert!(!imply || goal.holds_at(&point), "at {:?}", point);
                }
            }
        }
    }
}
