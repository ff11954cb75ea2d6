//! Sums over integer points, by elimination of iterators.
//!
//! Between its bounds the sum over one iterator is Faulhaber's ([`symloc_quasi::sum`]). Where several bounds compete, each
//! pair (l, u) of them is a part of its own, on which l is the first of the largest lower bounds and u the first of the
//! smallest upper ones. These parts are disjoint and again given by linear constraints, as in the elimination of Fourier
//! and Motzkin. An iterator x in a floor is taken residue by residue, x = d·x′ + r, or value by value, if it has few.
//!
//! Which bounds compete, and whether a part has points, depends on signs. An [`Oracle`] decides them: by the simplex
//! method, for all values of the free variables that a context allows ([`ClosedSum`](crate::ClosedSum)), or by a sample
//! of these values, with a note of where the decision holds (the formulas of `symloc_locality`).

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive};
use symloc_quasi::{Constraint, Floor, Poly, Rational, Var};

use crate::range::Range;

/// The values of iterators for which all constraints hold.
#[derive(Clone, Debug)]
pub struct Points {
    /// The constraints, on iterators and free variables.
    pub constraints: Vec<Constraint>,
    /// The iterators.
    pub iterators: Vec<Var>,
    /// The product of the moduli that iterators have been split by so far.
    residues: u32,
}

/// The next step of a sum.
#[derive(Debug)]
pub enum SumStep {
    /// Nothing: there are no points, or the oracle has taken the sum, which is over no iterators any more.
    Done,
    /// Replace an iterator by its value, in which it may occur, then with another meaning.
    Replace(Var, Poly),
    /// Take the residues of an iterator modulo a number one by one, or its values if they are few.
    Split(BigInt, Var),
    /// Subtract the sum over the second points from the sum over the first.
    Subtract(Points, Points),
    /// Sum over that one of these iterators with the fewest pairs of bounds.
    Eliminate(Vec<Var>),
}

/// Decides on the signs in a sum, and collects its parts.
pub trait Oracle {
    /// The largest number of residues of an iterator.
    const MODULUS: u32;

    /// The largest number of residues of all iterators on the way to one part: of floors in floors each residue may
    /// leave one again, for ever.
    const RESIDUES: u32;

    /// Returns the largest number of parts.
    fn most(&self) -> usize;

    /// Simplifies the constraints and returns the next step; `None` if there is no closed form.
    fn step(&mut self, points: &mut Points, summand: &Poly) -> Option<SumStep>;

    /// Returns the bounds of an iterator, and the constraints that are not about it; `None` if it has none.
    fn range(&self, points: &Points, iterator: Var) -> Option<(Range, Vec<Constraint>)>;

    /// Returns the condition for the sum over a range of this extent in addition to the constraints on the other
    /// iterators. Faulhaber's sum is right if the extent is not negative; otherwise the sum is 0.
    fn condition(&self, extent: &Poly, others: &Points) -> Option<Constraint>;
}

/// Adds up a polynomial over points, for each value of the free variables; `None` if there is no closed form.
#[must_use]
pub fn add_up(oracle: &mut impl Oracle, mut points: Points, summand: &Poly) -> Option<()> {
    match oracle.step(&mut points, summand)? {
        SumStep::Done => Some(()),
        SumStep::Replace(iterator, value) => replace(oracle, &points, iterator, &value, 1, summand),
        SumStep::Split(modulus, iterator) => split(oracle, &points, &modulus, iterator, summand),
        SumStep::Subtract(all, others) => {
            add_up(oracle, all, summand)?;
            add_up(oracle, others, &-summand)
        }
        SumStep::Eliminate(iterators) => eliminate(oracle, &points, &iterators, summand),
    }
}

/// Adds the sums for some successive values of an iterator. An iterator that its value does not mention is gone.
fn replace<O: Oracle>(
    oracle: &mut O,
    points: &Points,
    iterator: Var,
    first: &Poly,
    values: u32,
    summand: &Poly,
) -> Option<()> {
    let residues = points.residues.checked_mul(values).filter(|residues| *residues <= O::RESIDUES)?;
    let mut iterators = points.iterators.clone();
    iterators.retain(|var| *var != iterator || first.vars().contains(var));
    (0..values).try_for_each(|offset| {
        let value = first + &Poly::integer(offset);
        let substitute = |poly: &Poly| poly.with_value(iterator, &value);
        let constraints = points.constraints.iter().map(|c| c.map(substitute)).collect();
        add_up(oracle, Points { constraints, iterators: iterators.clone(), residues }, &substitute(summand))
    })
}

/// Adds the sum for each value of an iterator if it has at most as many as the modulus, else for each of its residues.
fn split<O: Oracle>(oracle: &mut O, points: &Points, modulus: &BigInt, iterator: Var, summand: &Poly) -> Option<()> {
    let modulus = modulus.to_u32().filter(|modulus| *modulus <= O::MODULUS)?;
    let residues = || (Poly::var(iterator).scale(&Rational::from_integer(modulus.into())), modulus);
    let (first, values) = points.few_values(iterator, modulus).unwrap_or_else(residues);
    replace(oracle, points, iterator, &first, values, summand)
}

/// Adds the sum over that one of some iterators with the fewest pairs of bounds, for each pair.
fn eliminate(oracle: &mut impl Oracle, points: &Points, iterators: &[Var], summand: &Poly) -> Option<()> {
    let mut ranges = Vec::new();
    let mut rounded = None;
    for iterator in iterators.iter().rev() {
        let (range, rest) = oracle.range(points, *iterator)?;
        match points.modulus(range.bounds()) {
            None => ranges.push((range.lower.len() * range.upper.len(), *iterator, range, rest)),
            below => rounded = below,
        }
    }
    let Some((pairs, iterator, range, rest)) = ranges.into_iter().min_by_key(|(pairs, ..)| *pairs) else {
        let (modulus, iterator) = rounded?;
        return split(oracle, points, &modulus, iterator, summand);
    };
    if pairs > oracle.most() {
        return None;
    }
    let iterators: Vec<Var> = points.iterators.iter().copied().filter(|var| *var != iterator).collect();
    for tight in range.tightest() {
        let constraints = [&rest[..], &tight.conditions].concat();
        let mut others = Points { constraints, iterators: iterators.clone(), residues: points.residues };
        let condition = oracle.condition(&tight.extent(), &others);
        others.constraints.extend(condition);
        add_up(oracle, others, &summand.sum(iterator, &tight.low, &tight.high)?)?;
    }
    Some(())
}

impl Points {
    /// Returns the values of iterators for which constraints hold.
    pub fn new(constraints: Vec<Constraint>, iterators: Vec<Var>) -> Self {
        Self { constraints, iterators, residues: 1 }
    }

    /// Returns the least number modulo which an iterator has to be known to remove it from a floor, and the iterator;
    /// `None` if no iterator is in a floor.
    pub(crate) fn modulus<'p>(&self, polys: impl Iterator<Item = &'p Poly>) -> Option<(BigInt, Var)> {
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
