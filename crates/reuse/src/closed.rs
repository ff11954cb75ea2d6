//! Sums over integer points in closed form.
//!
//! Most sets that are counted are nests of ranges: what a loop nest leaves when some of its iterators are fixed. One iterator
//! after the other is eliminated: between its bounds the sum is Faulhaber's ([`symloc_quasi::sum`]). Where several bounds compete,
//! each pair of them is a part of its own, on which they are the tightest; facts decide most competitions
//! beforehand. An iterator below a floor or in a congruence, x mod d = 7 say, is taken residue by residue, x = d·x' + r, of which
//! a congruence leaves one.
//!
//! What would become many parts has no closed form here: Barvinok counts it, at whatever cost. (docs/mathematics.md, "Classes".)

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive};
use symloc_quasi::{Constraint, Floor, Poly, Rational, Relation, Var};

use crate::boxes::{Range, largest, solve};
use crate::facts::{Facts, irredundant};

/// Sums of more parts are left to Barvinok.
const PARTS: usize = 6;

/// Larger moduli are left to Barvinok.
const MODULUS: u32 = 64;

/// A polynomial on a conjunction. Where parts overlap, they add up.
pub(crate) type Part = (Vec<Constraint>, Poly);

/// The sum of a polynomial over the points of a conjunction, for each value of the other variables; nothing if it has no closed
/// form of few parts. `context` holds wherever it is asked for, and is not repeated in the parts.
pub(crate) fn sum(context: &Facts, points: Vec<Constraint>, iterators: &[Var], summand: &Poly) -> Option<Vec<Part>> {
    let mut points = Points { constraints: points, iterators: iterators.to_vec() };
    // What floors are is said of them by isl, too.
    points.constraints.retain(|constraint| constraint.poly.floors().is_empty() || !Facts::default().imply(constraint));
    let mut sum = Sum { context, parts: Vec::new() };
    sum.add(points, summand.clone())?;
    Some(sum.parts)
}

struct Sum<'c> {
    context: &'c Facts,
    parts: Vec<Part>,
}

/// Values of iterators for which all constraints hold.
#[derive(Clone)]
struct Points {
    constraints: Vec<Constraint>,
    iterators: Vec<Var>,
}

impl Sum<'_> {
    /// Adds the sum over some points to the parts.
    fn add(&mut self, mut points: Points, mut summand: Poly) -> Option<()> {
        points.constraints.retain(|constraint| !holds_trivially(constraint));
        let facts = self.context.with(&points.constraints);
        if facts.contradict() || summand.is_zero() {
            return Some(());
        }
        if points.iterators.is_empty() {
            return self.part(irredundant(self.context, points.constraints), summand);
        }
        if let Some(solved) = (0..points.iterators.len()).find_map(|index| points.solved(index)) {
            let (points, iterator, value) = solved;
            summand = summand.substitute(&|var| (var == iterator).then(|| value.clone()));
            return self.add(points, summand);
        }
        if let Some((iterator, modulus)) =
            points.below_floors(points.constraints.iter().map(|c| &c.poly).chain([&summand]))
        {
            return self.split(&points, iterator, modulus?, &summand);
        }
        self.eliminate(&points, &summand)
    }

    fn part(&mut self, domain: Vec<Constraint>, summand: Poly) -> Option<()> {
        match self.parts.iter_mut().find(|(other, _)| *other == domain) {
            Some((_, sum)) => *sum = &*sum + &summand,
            None => self.parts.push((domain, summand)),
        }
        (self.parts.len() <= PARTS).then_some(())
    }

    /// The sum for each residue of an iterator.
    fn split(&mut self, points: &Points, iterator: Var, modulus: u32, summand: &Poly) -> Option<()> {
        for residue in 0..modulus {
            let multiple = Poly::var(iterator).scale(&Rational::from_integer(modulus.into()));
            let value = &multiple + &Poly::integer(residue);
            let substitute = |poly: &Poly| poly.substitute(&|var| (var == iterator).then(|| value.clone()));
            let constraints = points.constraints.iter().map(|c| c.map(substitute)).collect();
            self.add(Points { constraints, iterators: points.iterators.clone() }, substitute(summand))?;
        }
        Some(())
    }

    /// The sum over the iterator with the fewest pairs of bounds, for each pair.
    fn eliminate(&mut self, points: &Points, summand: &Poly) -> Option<()> {
        let mut ranges = Vec::new();
        let mut rounded = None;
        for iterator in points.iterators.iter().rev() {
            let (range, rest) = points.range(self.context, *iterator)?;
            match points.below_floors(range.bounds()) {
                None => ranges.push((range.lower.len() * range.upper.len(), *iterator, range, rest)),
                Some(below) => rounded = Some(below),
            }
        }
        let Some((pairs, iterator, range, rest)) = ranges.into_iter().min_by_key(|(pairs, ..)| *pairs) else {
            let (iterator, modulus) = rounded?;
            return self.split(points, iterator, modulus?, summand);
        };
        if pairs > PARTS {
            return None;
        }
        let iterators: Vec<Var> = points.iterators.iter().copied().filter(|var| *var != iterator).collect();
        let negative: Vec<Poly> = range.upper.iter().map(|upper| -upper).collect();
        for (low, lowest) in largest(&range.lower) {
            for (high, highest) in largest(&negative) {
                let high = -&high;
                let mut constraints = [&rest[..], &lowest, &highest].concat();
                // Of an empty range of extent 0 the sum is 0, too; so there other iterators may be wherever they like.
                let extent = &(&high - &low) + &Poly::one();
                let others = extent.vars().iter().any(|var| iterators.contains(var));
                let filled = if others { extent.clone() } else { &extent - &Poly::one() };
                if !self.context.with(&constraints).imply(&Constraint::non_negative(extent)) {
                    constraints.push(Constraint::non_negative(filled));
                }
                let sum = summand.sum(iterator, &low, &high)?;
                self.add(Points { constraints, iterators: iterators.clone() }, sum)?;
            }
        }
        Some(())
    }
}

impl Points {
    /// The points without an iterator that an equality says, and its value.
    fn solved(&self, index: usize) -> Option<(Points, Var, Poly)> {
        let mut iterators = self.iterators.clone();
        let iterator = iterators.remove(index);
        let mut constraints = self.constraints.clone();
        let value = solve(&mut constraints, iterator)?;
        Some((Points { constraints, iterators }, iterator, value))
    }

    /// An iterator below a floor, and modulo what it has to be known, if that is not too large.
    fn below_floors<'p>(&self, polys: impl Iterator<Item = &'p Poly>) -> Option<(Var, Option<u32>)> {
        let floors: Vec<&Floor> = polys.flat_map(Poly::floors).collect();
        let below = |iterator: &&Var| floors.iter().any(|floor| floor.numerator().vars().contains(iterator));
        let iterator = *self.iterators.iter().find(below)?;
        Some((iterator, modulus(&floors, iterator)))
    }

    /// The bounds of an iterator that none of the others implies, and what is not about it; nothing if it has none.
    fn range(&self, context: &Facts, iterator: Var) -> Option<(Range, Vec<Constraint>)> {
        let (mut own, rest): (Vec<_>, Vec<_>) =
            self.constraints.iter().cloned().partition(|c| c.poly.vars().contains(&iterator));
        let facts = context.with(&rest);
        let mut index = 0;
        while index < own.len() && own.len() > 2 {
            let constraint = own.remove(index);
            if !facts.with(&own).imply(&constraint) {
                own.insert(index, constraint);
                index += 1;
            }
        }
        Some((Range::of(&own, iterator)?.0, rest))
    }
}

/// The least common multiple of what an iterator is divided by, if that is not too large.
fn modulus(floors: &[&Floor], iterator: Var) -> Option<u32> {
    let own = floors.iter().filter(|floor| floor.numerator().vars().contains(&iterator));
    let modulus = own.fold(BigInt::one(), |modulus, floor| modulus.lcm(floor.divisor()));
    modulus.to_u32().filter(|modulus| *modulus <= MODULUS)
}

/// Is it about constants, and true?
fn holds_trivially(constraint: &Constraint) -> bool {
    constraint.poly.as_constant().is_some_and(|value| match constraint.relation {
        Relation::Zero => value == Rational::default(),
        Relation::NonNegative => !value.is_negative(),
    })
}
