//! Implication of linear constraints over the rationals, by the simplex method: sound for integers, but incomplete.
//!
//! A conjunction implies `p ≥ 0` for integers if it contradicts `p ≤ −1`, and it surely does if it does so over the
//! rationals. That is seen by the simplex method: every fact is a slack that may not be negative, and a slack that is
//! negative is increased by another one that may grow; if there is none, the facts contradict each other (Farkas).
//! Bland's rule makes it end. Facts of products of variables are about the products, as if these were variables of
//! their own; a floor `f = ⌊e/d⌋` is one with `d·f ≤ e ≤ d·f + d − 1`.
//!
//! The answer "no" means: not seen. Some of what isl proves with integers stays unseen here, at a tenth of the time and
//! less.

use std::collections::BTreeMap;
use std::rc::Rc;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use symloc_quasi::{Atom, Constraint, Floor, Monomial, Poly, Rational, Relation};

/// A conjunction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    tableau: Tableau,
    /// Shared by facts of which one has no variables but those of the other.
    columns: Rc<BTreeMap<Monomial, Name>>,
    /// Numbers have become too large: nothing is seen any more.
    overflow: bool,
}

impl Facts {
    /// Returns the facts of some constraints.
    pub(crate) fn new<'c>(constraints: impl IntoIterator<Item = &'c Constraint>) -> Self {
        Self::default().with(constraints)
    }

    /// Returns these facts with more constraints.
    pub(crate) fn with<'c>(&self, constraints: impl IntoIterator<Item = &'c Constraint>) -> Self {
        let mut facts = self.clone();
        let added = constraints.into_iter().try_for_each(|constraint| facts.add(constraint));
        facts.overflow |= added.is_none() || facts.tableau.solve().is_none();
        facts
    }

    /// Returns true if the facts are known to contradict each other.
    pub(crate) fn contradict(&self) -> bool {
        !self.overflow && self.tableau.contradicts
    }

    /// Returns true if a constraint is known to follow from the facts.
    pub(crate) fn imply(&self, constraint: &Constraint) -> bool {
        let poly = constraint.poly.scale(&Rational::from_integer(constraint.poly.common_denominator()));
        let never = |poly: Poly| self.with(&[Constraint::non_negative(poly)]).contradict();
        never(-&(&poly + &Poly::one())) && (constraint.relation == Relation::NonNegative || never(&poly - &Poly::one()))
    }

    /// Adds a constraint; `None` if the numbers are too large.
    fn add(&mut self, constraint: &Constraint) -> Option<()> {
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
pub(crate) fn definition(floor: &Floor) -> [Constraint; 2] {
    let divisor = Rational::from_integer(floor.divisor().clone());
    let whole = Poly::atom(Atom::Floor(floor.clone())).scale(&divisor);
    let remainder = floor.numerator() - &whole;
    let most = &Poly::constant(divisor - Rational::one()) - &remainder;
    [remainder, most].map(Constraint::non_negative)
}

/// Constraints that neither a context nor the others imply.
pub(crate) fn irredundant(context: &Facts, mut constraints: Vec<Constraint>) -> Vec<Constraint> {
    constraints.sort();
    constraints.dedup();
    needed(context, &constraints)
}

/// Returns the constraints that neither facts nor the others imply: of those that imply each other, the last. Each half
/// is looked at with what is needed of the other one, so that a constraint is added to facts only as often as the list
/// can be halved.
pub(crate) fn needed(facts: &Facts, constraints: &[Constraint]) -> Vec<Constraint> {
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

/// A variable of the tableau: one of the facts, of any sign, or a slack, which may not be negative. They are numbered
/// in the order in which they come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name(usize);

/// A linear function of the variables that are no rows: `(constant + Σ coefficients) / denominator`.
#[derive(Clone, Debug)]
struct Row {
    name: Name,
    denominator: i64,
    constant: i64,
    coefficients: Vec<i64>,
}

/// Each variable is a row, or a column, which is 0 until it is known better. Nothing where numbers overflow.
#[derive(Clone, Debug, Default)]
struct Tableau {
    /// By name, true if the variable may be negative.
    free: Vec<bool>,
    rows: Vec<Row>,
    columns: Vec<Name>,
    /// Two constants contradict each other.
    contradicts: bool,
}

impl Tableau {
    fn name(&mut self, free: bool) -> Name {
        self.free.push(free);
        Name(self.free.len() - 1)
    }

    /// Adds a variable of any sign, without constraints, and returns its name.
    fn variable(&mut self) -> Name {
        let name = self.name(true);
        self.columns.push(name);
        self.rows.iter_mut().for_each(|row| row.coefficients.push(0));
        name
    }

    fn is_free(&self, name: Name) -> bool {
        self.free[name.0]
    }

    /// Adds a fact about variables.
    fn add(&mut self, constant: i64, terms: &[(Name, i64)], relation: Relation) -> Option<()> {
        let row = self.row(constant, terms)?;
        let any = (0..self.columns.len()).find(|c| row.coefficients[*c] != 0 && self.is_free(self.columns[*c]));
        match (any, relation) {
            (Some(column), Relation::NonNegative) => {
                self.rows.push(row);
                self.pivot(self.rows.len() - 1, column)
            }
            (Some(column), Relation::Zero) => {
                self.rows.push(row);
                self.pivot(self.rows.len() - 1, column)?;
                // It is 0 for ever.
                self.columns.remove(column);
                self.rows.iter_mut().for_each(|row| _ = row.coefficients.remove(column));
                Some(())
            }
            (None, _) => {
                let opposite = (relation == Relation::Zero).then(|| row.negated(self.name(false)));
                [Some(row), opposite].into_iter().flatten().for_each(|row| self.keep(row));
                Some(())
            }
        }
    }

    fn keep(&mut self, row: Row) {
        match row.coefficients.iter().all(|c| *c == 0) {
            true => self.contradicts |= row.constant < 0,
            false => self.rows.push(row),
        }
    }

    /// Returns a sum of variables as a row for a new slack.
    fn row(&mut self, constant: i64, terms: &[(Name, i64)]) -> Option<Row> {
        let name = self.name(false);
        let mut sum = Row { name, denominator: 1, constant, coefficients: vec![0; self.columns.len()] };
        for (variable, factor) in terms {
            match self.columns.iter().position(|name| name == variable) {
                Some(column) => {
                    let added = sum.denominator.checked_mul(*factor)?;
                    sum.coefficients[column] = sum.coefficients[column].checked_add(added)?;
                }
                None => {
                    let row = self.rows.iter().find(|row| row.name == *variable)?;
                    sum = sum.plus_scaled(sum.denominator.checked_mul(*factor)?, row)?;
                }
            }
        }
        Some(sum)
    }

    /// Changes the basis until all slacks are at least 0; returns false if there is no point at which they are.
    fn solve(&mut self) -> Option<bool> {
        if self.contradicts {
            return Some(false);
        }
        loop {
            let negative = |row: &&Row| row.constant < 0 && !self.is_free(row.name);
            let Some(least) = self.rows.iter().filter(negative).map(|row| row.name).min() else { return Some(true) };
            let index = self.rows.iter().position(|row| row.name == least)?;
            let row = &self.rows[index];
            let grows = (0..self.columns.len()).filter(|c| row.coefficients[*c] > 0);
            match grows.min_by_key(|c| self.columns[*c]) {
                None => {
                    self.contradicts = true;
                    return Some(false);
                }
                Some(column) => self.pivot(index, column)?,
            }
        }
    }

    /// Exchanges a row and a column.
    fn pivot(&mut self, index: usize, column: usize) -> Option<()> {
        let row = self.rows.swap_remove(index);
        let name = std::mem::replace(&mut self.columns[column], row.name);
        let solved = row.solved(name, column)?;
        for row in self.rows.iter_mut().filter(|row| row.coefficients[column] != 0) {
            let factor = std::mem::take(&mut row.coefficients[column]);
            *row = row.plus_scaled(factor, &solved)?;
        }
        self.rows.push(solved);
        Some(())
    }
}

impl Row {
    /// Returns `self + factor/denominator·other`, with the denominator of this row.
    fn plus_scaled(&self, factor: i64, other: &Row) -> Option<Row> {
        let (factor, scale) = (i128::from(factor), i128::from(other.denominator));
        let sum = |a: i64, b: i64| (i128::from(a) * scale).checked_add(factor * i128::from(b));
        let coefficients = self.coefficients.iter().zip(&other.coefficients);
        let coefficients = coefficients.map(|(a, b)| sum(*a, *b)).collect::<Option<Vec<_>>>()?;
        let denominator = i128::from(self.denominator) * scale;
        Row::reduced(self.name, denominator, sum(self.constant, other.constant)?, coefficients)
    }

    /// Returns the row solved for a column: its own variable takes the place of the column's.
    fn solved(&self, name: Name, column: usize) -> Option<Row> {
        let pivot = i128::from(self.coefficients[column]);
        let sign = pivot.signum();
        let mut coefficients: Vec<i128> = self.coefficients.iter().map(|c| -sign * i128::from(*c)).collect();
        coefficients[column] = sign * i128::from(self.denominator);
        Row::reduced(name, pivot.abs(), -sign * i128::from(self.constant), coefficients)
    }

    fn negated(&self, name: Name) -> Row {
        let coefficients = self.coefficients.iter().map(|c| -c).collect();
        Row { name, denominator: self.denominator, constant: -self.constant, coefficients }
    }

    /// Creates a row in lowest terms.
    fn reduced(name: Name, denominator: i128, constant: i128, coefficients: Vec<i128>) -> Option<Row> {
        let mut divisor = denominator.gcd(&constant);
        for coefficient in coefficients.iter().filter(|c| **c != 0) {
            if divisor == 1 {
                break;
            }
            divisor = divisor.gcd(coefficient);
        }
        let narrow = |value: i128| i64::try_from(if divisor == 1 { value } else { value / divisor }).ok();
        let coefficients = coefficients.into_iter().map(narrow).collect::<Option<_>>()?;
        Some(Row { name, denominator: narrow(denominator)?, constant: narrow(constant)?, coefficients })
    }
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
