//! Sums over integer points in closed form, with signs decided by the simplex method.
//!
//! Most sets that are counted are nests of ranges: what a loop nest leaves when some of its iterators are fixed. Facts
//! decide most competitions of bounds beforehand. Of the residues of an iterator in a congruence, x mod d = 7 say, one is
//! left. One floor is got rid of at a time, so that residues without points are seen before the next one multiplies them.
//!
//! Sums that would have many parts get no closed form here: Barvinok counts them, at whatever cost.
//! (docs/mathematics.md, "Classes".)

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use symloc_quasi::{Atom, Constraint, Floor, Monomial, Poly, Rational, Relation, Var};

use crate::congruence;
use crate::enumeration;
use crate::implication::{Facts, irredundant, needed};
use crate::range::{Range, solve};
use crate::remainders;
use crate::rounding::without_rounding;
use crate::sum::{Oracle, Points, SumStep, add_up};

/// Sums of more parts are left to Barvinok.
pub const PARTS: usize = 6;

/// Larger moduli are left to Barvinok.
const MODULUS: u32 = 64;

/// And sums of more terms on one part: they grow with each residue.
const TERMS: usize = 500;

/// The domains on which a sum is given as a polynomial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domains {
    /// All points at which it is known to be this polynomial, even if it is 0: fewer cases.
    Large,
    /// Like `Large`, but without the points at which a range is empty that depends only on parameters, the variables
    /// below `first`, and never has many values: if 8 divides n, no line is cut off.
    WithPoints {
        /// The first variable that is no parameter.
        first: Var,
    },
}

/// A polynomial on a conjunction. Where parts overlap, they add up.
pub type Addend = (Vec<Constraint>, Poly);

/// How sums are asked for.
#[derive(Clone, Copy, Debug)]
pub struct ClosedSum<'c> {
    /// Facts that hold wherever a sum is asked for; they are not repeated in its parts.
    pub context: &'c Facts,
    /// Where a sum is said to be a polynomial.
    pub domains: Domains,
    /// The largest number of parts allowed.
    pub most: usize,
}

impl ClosedSum<'_> {
    /// Returns the sum of a polynomial over the points of a conjunction, for each value of the other variables; `None` if
    /// it has no closed form of at most so many parts. No constraint should follow from the others, as what isl says of
    /// floors does: iterators below floors are taken residue by residue.
    pub fn over(self, points: Vec<Constraint>, iterators: &[Var], summand: &Poly) -> Option<Vec<Addend>> {
        let mut sum = SumState { asked: self, parts: Vec::new() };
        if let Some(weight) = summand.as_constant() {
            if let Some(parts) = remainders::count(&points, iterators, self.context) {
                let weighted = |(domain, count): Addend| {
                    sum.weighted(domain.into_iter().map(without_floor).collect(), count.scale(&weight))
                };
                return Some(parts.into_iter().flat_map(weighted).collect());
            }
            if let Some(count) = enumeration::count(&points, iterators) {
                return Some(vec![(Vec::new(), summand.scale(&Rational::from_integer(count.into())))]);
            }
        }
        add_up(&mut sum, Points::new(points, iterators.to_vec()), summand)?;
        Some(sum.parts)
    }
}

struct SumState<'c> {
    asked: ClosedSum<'c>,
    parts: Vec<Addend>,
}

impl Oracle for SumState<'_> {
    const MODULUS: u32 = MODULUS;
    const RESIDUES: u32 = 1 << 20;

    fn most(&self) -> usize {
        self.asked.most
    }

    fn step(&mut self, points: &mut Points, summand: &Poly) -> Option<SumStep> {
        points.constraints.iter_mut().for_each(divide);
        let (decided, open): (Vec<_>, Vec<_>) =
            points.constraints.drain(..).partition(|constraint| constraint.poly.as_constant().is_some());
        points.constraints = open;
        if !decided.iter().all(|constraint| constraint.holds_at(&[])) {
            return Some(SumStep::Done);
        }
        let facts = self.asked.context.with(&points.constraints);
        if facts.contradict() || summand.is_zero() {
            return Some(SumStep::Done);
        }
        if points.iterators.is_empty() {
            let constraints = points.constraints.drain(..).map(without_floor).collect();
            let parts = self.weighted(constraints, summand.clone());
            parts.into_iter().try_for_each(|(domain, summand)| self.part(domain, summand))?;
            return Some(SumStep::Done);
        }
        let Points { constraints, iterators, .. } = points;
        if let Some((iterator, value)) = iterators.iter().find_map(|var| Some((*var, solve(constraints, *var)?))) {
            return Some(SumStep::Replace(iterator, value));
        }
        if let Some((iterator, value)) = constraints.iter().find_map(|c| congruence::solved(c, iterators)) {
            return Some(SumStep::Replace(iterator, value));
        }
        if let Some((all, multiples)) = (0..points.constraints.len()).find_map(|index| denied(points, index)) {
            return Some(SumStep::Subtract(all, multiples));
        }
        Some(match divided(points, summand) {
            Some((modulus, iterator)) => SumStep::Split(modulus, iterator),
            None => SumStep::Eliminate(points.iterators.clone()),
        })
    }

    /// Returns the bounds that none of the others implies.
    fn range(&self, points: &Points, iterator: Var) -> Option<(Range, Vec<Constraint>)> {
        let (own, rest): (Vec<_>, Vec<_>) =
            points.constraints.iter().cloned().partition(|c| c.poly.vars().contains(&iterator));
        let own = needed(&self.asked.context.with(&rest), &own);
        Some((Range::of(&own, iterator)?.0, rest))
    }

    fn condition(&self, extent: &Poly, others: &Points) -> Option<Constraint> {
        let facts = self.asked.context.with(&others.constraints);
        let summable = Constraint::non_negative(extent.clone());
        let filled = Constraint::non_negative(extent - &Poly::one());
        if !facts.imply(&summable) {
            let wide = Constraint::non_negative(without_rounding(&filled.poly));
            let enough = wide != filled && facts.with([&wide]).imply(&summable);
            return Some(match (enough, extent.vars().iter().any(|var| others.iterators.contains(var))) {
                (true, _) => wide,
                (false, true) => summable,
                (false, false) => filled,
            });
        }
        let Domains::WithPoints { first } = self.asked.domains else { return None };
        let of_parameters = extent.vars().iter().all(|var| *var < first);
        let few = || facts.imply(&Constraint::non_negative(&Poly::integer(MODULUS) - extent));
        (of_parameters && !facts.imply(&filled) && few()).then_some(filled)
    }
}

impl SumState<'_> {
    /// Conditions `g ≥ 0` with floors of free iterators become factors where −d ≤ g < d: `1 + ⌊g/d⌋` is 1 where one
    /// holds, and else 0. Where g is larger in any case, whatever is rounded, there is nothing to be said. What follows
    /// from `g ≥ 0` is left out only where that is left as a condition: what bounds an iterator has to stay where a
    /// factor, 0 for all others, takes its place.
    fn weighted(&self, domain: Vec<Constraint>, summand: Poly) -> Vec<Addend> {
        let needed = |domain| irredundant(self.asked.context, domain);
        let Domains::WithPoints { first } = self.asked.domains else { return vec![(needed(domain), summand)] };
        for (index, constraint) in domain.iter().enumerate() {
            let floors = constraint.poly.floors();
            let free = floors.into_iter().find(|floor| floor.numerator().vars().last() >= Some(&first));
            let Some(floor) = free.filter(|_| constraint.relation == Relation::NonNegative) else { continue };
            let divisor = floor.divisor();
            let rest = [&domain[..index], &domain[index + 1..]].concat();
            if self.asked.context.with(&rest).imply(constraint) {
                continue;
            }
            let (least, most) = (-&without_rounding(&-&constraint.poly), without_rounding(&constraint.poly));
            let band = [-&(&least + &Poly::one()), most].map(Constraint::non_negative);
            let band = [&rest[..], &band].concat();
            let facts = self.asked.context.with(&band);
            let above = Constraint::non_negative(&constraint.poly + &Poly::integer(divisor.clone()));
            let below = Constraint::non_negative(&Poly::integer(divisor - 1) - &constraint.poly);
            if !facts.imply(&above) || !facts.imply(&below) {
                continue;
            }
            let sure = [&rest[..], &[Constraint::non_negative(least)]].concat();
            let mut parts = Vec::new();
            if !facts.contradict() {
                let factor = &Poly::one() + &constraint.poly.floor_div(divisor);
                parts.extend(self.weighted(band, &summand * &factor));
            }
            if !self.asked.context.with(&sure).contradict() {
                parts.extend(self.weighted(sure, summand));
            }
            return parts;
        }
        vec![(needed(domain), summand)]
    }

    fn part(&mut self, domain: Vec<Constraint>, summand: Poly) -> Option<()> {
        let index = self.parts.iter().position(|(other, _)| *other == domain).unwrap_or(self.parts.len());
        match self.parts.get_mut(index) {
            Some((_, sum)) => *sum += &summand,
            None => self.parts.push((domain, summand)),
        }
        let terms = self.parts[index].1.terms().len();
        (self.parts.len() <= self.asked.most && terms <= TERMS).then_some(())
    }
}

/// Returns all points without a constraint that denies a congruence, and the points where the congruence holds; their
/// difference is the count. `None` unless the number of points depends on no other variables: only then does the whole
/// become one part, and no part of a count may be negative by itself.
fn denied(points: &Points, index: usize) -> Option<(Points, Points)> {
    let own = |constraint: &Constraint| constraint.poly.vars().iter().all(|var| points.iterators.contains(var));
    if !points.constraints.iter().all(own) {
        return None;
    }
    let congruence = congruence::denied(&points.constraints[index], &points.iterators)?;
    let (mut all, mut multiples) = (points.clone(), points.clone());
    all.constraints.remove(index);
    multiples.constraints[index] = congruence;
    Some((all, multiples))
}

/// Returns an iterator in a floor, and the number modulo which it has to be known to remove it from the floor. A
/// congruence comes first, because it leaves few residues.
fn divided(points: &Points, summand: &Poly) -> Option<(BigInt, Var)> {
    let of = |relation| points.constraints.iter().filter(move |c| c.relation == relation).map(|c| &c.poly);
    points.modulus(of(Relation::Zero)).or_else(|| points.modulus(of(Relation::NonNegative).chain([summand])))
}

/// Divides an equality by what its coefficients have in common, so that an iterator may be solved for.
fn divide(constraint: &mut Constraint) {
    if constraint.relation == Relation::Zero {
        let numerators = constraint.poly.terms().map(|(_, coefficient)| coefficient.numer());
        let divisor = numerators.fold(BigInt::zero(), |divisor, numerator| divisor.gcd(numerator));
        if divisor > BigInt::one() {
            constraint.poly = constraint.poly.scale(&Rational::new(BigInt::one(), divisor));
        }
    }
}

/// Removes a floor that contains the last variable of a constraint: `k·⌊e/d⌋ + R ≥ 0` is `⌊e/d⌋ ≥ −⌊R/k⌋`, which is
/// `e ≥ −d·⌊R/k⌋`; and `R ≥ k·⌊e/d⌋` is `e ≤ d·⌊R/k⌋ + d − 1`.
fn without_floor(constraint: Constraint) -> Constraint {
    let parts = |floor: &Floor| {
        let monomial = Monomial::power(Atom::Floor(floor.clone()), 1);
        let coefficient = constraint.poly.coefficient(&monomial);
        let rest = &constraint.poly - &Poly::term(coefficient.clone(), monomial);
        let last = floor.numerator().vars().last() > rest.vars().last();
        (last || coefficient.abs().is_one()).then(|| (floor.clone(), coefficient, rest))
    };
    let found = constraint.poly.floors().into_iter().find_map(parts);
    let Some((floor, coefficient, rest)) = found.filter(|_| constraint.relation == Relation::NonNegative) else {
        return constraint;
    };
    let divisor = Rational::from_integer(floor.divisor().clone());
    let bound = rest.floor_div(&coefficient.abs().to_integer()).scale(&divisor);
    without_floor(Constraint::non_negative(match coefficient.is_positive() {
        true => &bound + floor.numerator(),
        false => &(&bound + &Poly::constant(divisor - Rational::one())) - floor.numerator(),
    }))
}
