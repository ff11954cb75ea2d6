//! Sums over integer points in closed form.
//!
//! Most sets that are counted are nests of ranges: what a loop nest leaves when some of its iterators are fixed. One
//! iterator after the other is eliminated: between its bounds the sum is Faulhaber's ([`symloc_quasi::sum`]). Where
//! several bounds compete, each pair of them is a part of its own, on which they are the tightest; facts decide most
//! competitions beforehand. An iterator below a floor or in a congruence, x mod d = 7 say, is taken residue by residue,
//! x = d·x' + r, of which a congruence leaves one; or value by value, if it has few. One floor is got rid of at a time,
//! so that residues without points are seen before the next one multiplies them.
//!
//! Sums that would have many parts get no closed form here: Barvinok counts them, at whatever cost.
//! (docs/mathematics.md, "Classes".)

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use symloc_quasi::{Atom, Constraint, Floor, Monomial, Poly, Rational, Relation, Var};

use crate::congruence;
use crate::implication::{Facts, irredundant, needed};
use crate::range::{Range, largest, solve};

/// Sums of more parts are left to Barvinok.
pub const PARTS: usize = 6;

/// Larger moduli are left to Barvinok.
const MODULUS: u32 = 64;

/// So are residues of more values, one iterator's after the other's: of floors in floors each residue may leave one
/// again, for ever.
const RESIDUES: u32 = 1 << 20;

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
        let points = Points { constraints: points, iterators: iterators.to_vec(), residues: 1 };
        let mut sum = SumState { asked: self, parts: Vec::new() };
        sum.add(points, summand.clone())?;
        Some(sum.parts)
    }
}

struct SumState<'c> {
    asked: ClosedSum<'c>,
    parts: Vec<Addend>,
}

/// Values of iterators for which all constraints hold.
#[derive(Clone)]
struct Points {
    constraints: Vec<Constraint>,
    iterators: Vec<Var>,
    /// The product of the moduli that iterators have been split by so far.
    residues: u32,
}

impl SumState<'_> {
    /// Adds the sum over some points to the parts.
    fn add(&mut self, mut points: Points, mut summand: Poly) -> Option<()> {
        points.constraints.iter_mut().for_each(divide);
        let (decided, open): (Vec<_>, Vec<_>) =
            points.constraints.into_iter().partition(|constraint| constraint.poly.as_constant().is_some());
        points.constraints = open;
        if !decided.iter().all(|constraint| constraint.holds_at(&[])) {
            return Some(());
        }
        let facts = self.asked.context.with(&points.constraints);
        if facts.contradict() || summand.is_zero() {
            return Some(());
        }
        if points.iterators.is_empty() {
            let constraints = points.constraints.into_iter().map(without_floor).collect();
            let parts = self.weighted(constraints, summand);
            return parts.into_iter().try_for_each(|(domain, summand)| self.part(domain, summand));
        }
        if let Some(solved) = (0..points.iterators.len()).find_map(|index| points.solved(index)) {
            let (points, iterator, value) = solved;
            summand = summand.substitute(&|var| (var == iterator).then(|| value.clone()));
            return self.add(points, summand);
        }
        let congruent = |constraint| congruence::solved(constraint, &points.iterators);
        if let Some((iterator, value)) = points.constraints.iter().find_map(congruent) {
            let substitute = |poly: &Poly| poly.substitute(&|var| (var == iterator).then(|| value.clone()));
            points.constraints.iter_mut().for_each(|constraint| constraint.poly = substitute(&constraint.poly));
            return self.add(points, substitute(&summand));
        }
        if let Some((rest, multiples)) = (0..points.constraints.len()).find_map(|index| points.denied(index)) {
            self.add(rest, summand.clone())?;
            return self.add(multiples, -&summand);
        }
        if let Some(divided) = points.divided(&summand) {
            return self.split(&points, divided, &summand);
        }
        self.eliminate(&points, &summand)
    }

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

    /// Adds the sum for each value of an iterator if it has at most as many as the modulus, else for each of its
    /// residues; `None` if there is no closed form.
    fn split(&mut self, points: &Points, (modulus, iterator): (BigInt, Var), summand: &Poly) -> Option<()> {
        let modulus = modulus.to_u32().filter(|modulus| *modulus <= MODULUS)?;
        let mut iterators = points.iterators.clone();
        let (first, values) = match points.few_values(iterator, modulus) {
            Some(few) => {
                iterators.retain(|var| *var != iterator);
                few
            }
            None => (Poly::var(iterator).scale(&Rational::from_integer(modulus.into())), modulus),
        };
        let residues = points.residues.checked_mul(values).filter(|residues| *residues <= RESIDUES)?;
        for residue in 0..values {
            let value = &first + &Poly::integer(residue);
            let substitute = |poly: &Poly| poly.substitute(&|var| (var == iterator).then(|| value.clone()));
            let constraints = points.constraints.iter().map(|c| c.map(substitute)).collect();
            self.add(Points { constraints, iterators: iterators.clone(), residues }, substitute(summand))?;
        }
        Some(())
    }

    /// Adds the sum over the iterator with the fewest pairs of bounds, for each pair; `None` if there is no closed
    /// form.
    fn eliminate(&mut self, points: &Points, summand: &Poly) -> Option<()> {
        let mut ranges = Vec::new();
        let mut rounded = None;
        for iterator in points.iterators.iter().rev() {
            let (range, rest) = points.range(self.asked.context, *iterator)?;
            match points.modulus(range.bounds()) {
                None => ranges.push((range.lower.len() * range.upper.len(), *iterator, range, rest)),
                below => rounded = below,
            }
        }
        let Some((pairs, iterator, range, rest)) = ranges.into_iter().min_by_key(|(pairs, ..)| *pairs) else {
            return self.split(points, rounded?, summand);
        };
        if pairs > self.asked.most {
            return None;
        }
        let iterators: Vec<Var> = points.iterators.iter().copied().filter(|var| *var != iterator).collect();
        let negative: Vec<Poly> = range.upper.iter().map(|upper| -upper).collect();
        for (low, lowest) in largest(&range.lower) {
            for (high, highest) in largest(&negative) {
                let high = -&high;
                let mut constraints = [&rest[..], &lowest, &highest].concat();
                let extent = &(&high - &low) + &Poly::one();
                constraints.extend(self.condition(&extent, &iterators, &self.asked.context.with(&constraints)));
                let sum = summand.sum(iterator, &low, &high)?;
                let iterators = iterators.clone();
                self.add(Points { constraints, iterators, residues: points.residues }, sum)?;
            }
        }
        Some(())
    }

    /// Returns the condition under which the sum over a range is given by its extent, if one is needed. The formula is
    /// right if the extent is not negative; otherwise the sum is 0.
    fn condition(&self, extent: &Poly, iterators: &[Var], facts: &Facts) -> Option<Constraint> {
        let summable = Constraint::non_negative(extent.clone());
        let filled = Constraint::non_negative(extent - &Poly::one());
        let others = extent.vars().iter().any(|var| iterators.contains(var));
        if !facts.imply(&summable) {
            let wide = Constraint::non_negative(without_rounding(&filled.poly));
            let enough = wide != filled && facts.with([&wide]).imply(&summable);
            return Some(match (enough, others) {
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

impl Points {
    /// Returns the points without an iterator that an equality determines, and its value.
    fn solved(&self, index: usize) -> Option<(Points, Var, Poly)> {
        let mut iterators = self.iterators.clone();
        let iterator = iterators.remove(index);
        let mut constraints = self.constraints.clone();
        let value = solve(&mut constraints, iterator)?;
        Some((Points { constraints, iterators, residues: self.residues }, iterator, value))
    }

    /// Returns all points without a constraint that denies a congruence, and the points where the congruence holds;
    /// their difference is the count. `None` unless the number of points depends on no other variables: only then does
    /// the whole become one part, and no part of a count may be negative by itself.
    fn denied(&self, index: usize) -> Option<(Points, Points)> {
        let own = |constraint: &Constraint| constraint.poly.vars().iter().all(|var| self.iterators.contains(var));
        if !self.constraints.iter().all(own) {
            return None;
        }
        let congruence = congruence::denied(&self.constraints[index], &self.iterators)?;
        let (mut all, mut multiples) = (self.clone(), self.clone());
        all.constraints.remove(index);
        multiples.constraints[index] = congruence;
        Some((all, multiples))
    }

    /// Returns an iterator in a floor, and the number modulo which it has to be known to remove it from the floor. A
    /// congruence comes first, because it leaves few residues.
    fn divided(&self, summand: &Poly) -> Option<(BigInt, Var)> {
        let of = |relation| self.constraints.iter().filter(move |c| c.relation == relation).map(|c| &c.poly);
        self.modulus(of(Relation::Zero)).or_else(|| self.modulus(of(Relation::NonNegative).chain([summand])))
    }

    /// Returns the least number modulo which an iterator has to be known to remove it from a floor, and the iterator.
    fn modulus<'p>(&self, polys: impl Iterator<Item = &'p Poly>) -> Option<(BigInt, Var)> {
        let floors: BTreeSet<&Floor> = polys.flat_map(Poly::floors).collect();
        let of = |iterator: &Var| floors.iter().filter_map(|floor| Some((modulus(floor, *iterator)?, *iterator))).min();
        self.iterators.iter().filter_map(of).min()
    }

    /// Returns the least value of an iterator and the number of its values, if its bounds are numbers and there are at
    /// most `most` values.
    fn few_values(&self, iterator: Var, most: u32) -> Option<(Poly, u32)> {
        let bounds = |c: &&Constraint| c.poly.vars().into_iter().eq([iterator]) && c.poly.floors().is_empty();
        let bounds: Vec<_> = self.constraints.iter().filter(bounds).cloned().collect();
        let (range, _) = Range::of(&bounds, iterator)?;
        let numbers = |bounds: &[Poly]| bounds.iter().map(Poly::as_constant).collect::<Option<Vec<_>>>();
        let (least, last) = (numbers(&range.lower)?.into_iter().max()?, numbers(&range.upper)?.into_iter().min()?);
        let values = (last - &least + Rational::one()).to_integer().to_u32().filter(|values| *values <= most)?;
        Some((Poly::constant(least), values))
    }

    /// Returns the bounds of an iterator that none of the others implies, and what is not about it; `None` if it has
    /// none.
    fn range(&self, context: &Facts, iterator: Var) -> Option<(Range, Vec<Constraint>)> {
        let (own, rest): (Vec<_>, Vec<_>) =
            self.constraints.iter().cloned().partition(|c| c.poly.vars().contains(&iterator));
        let own = needed(&context.with(&rest), &own);
        Some((Range::of(&own, iterator)?.0, rest))
    }
}

/// Returns the number d for which `x = d·x′ + r` removes x from a floor, or from one inside it: for `⌊(a·x + e)/m⌋` it
/// is m / gcd(a, m). `None` if x does not occur there.
fn modulus(floor: &Floor, iterator: Var) -> Option<BigInt> {
    let inner = floor.numerator().floors().into_iter().find_map(|inner| modulus(inner, iterator));
    inner.or_else(|| {
        let coefficients = floor.numerator().coefficients(iterator)?;
        let [_, slope] = &coefficients[..] else { return (coefficients.len() > 1).then(|| floor.divisor().clone()) };
        let slope = slope.as_constant().map_or_else(BigInt::one, |slope| slope.to_integer());
        Some(floor.divisor() / floor.divisor().gcd(&slope))
    })
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

/// Returns a value that a polynomial does not exceed, with fractions for floors, times a number that makes its
/// coefficients integers. Of `⌊u⌋ − ⌈l⌉` it is `u − l`: a range has integers only where this is not negative.
fn without_rounding(poly: &Poly) -> Poly {
    let mut most = Poly::zero();
    for (monomial, coefficient) in poly.terms() {
        most += &match monomial.factors() {
            [(Atom::Floor(floor), 1)] => {
                let divisor = Rational::from_integer(floor.divisor().clone());
                let rounded = if coefficient.is_positive() { Rational::zero() } else { &divisor - Rational::one() };
                (floor.numerator() - &Poly::constant(rounded)).scale(&(coefficient / divisor))
            }
            _ => Poly::term(coefficient.clone(), monomial.clone()),
        };
    }
    most.scale(&Rational::from_integer(most.common_denominator()))
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
