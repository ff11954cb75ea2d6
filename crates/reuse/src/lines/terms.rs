//! The number of blocks in a window as a sum of terms, each a polynomial times a number of line starts.
//!
//! Blocks are `A[c₁, …, y′]` for every start y′, and only the multiples of b count. Most sets of them are boxes. A coordinate
//! c that runs from L to U, apart from the others, has U − L + 1 values, and y′ as many multiples of b as its range is long, if
//! that is a multiple of b:
//!
//! ```text
//! { (c, y') : L ≤ c ≤ U, x − b < y' ≤ x }    has    U − L + 1    lines
//! ```
//!
//! So what is left to be counted in line coordinates are starts y′ with other bounds, and conditions on t. Often these do not
//! mention all iterators of t, which then need not be divided into lines at all.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{One, Zero};
use symloc_isl::{Context, DimType, Set};
use symloc_quasi::{Constraint, Poly, Rational, Var};

use crate::Error;
use crate::convert::{Frame, constraints, dims_to_params};
use crate::distance::range::{Range, solve};
use crate::simplify::determined;

/// Some blocks in a window, for each value of the variables of t.
#[derive(Clone, Debug)]
pub(super) struct Term {
    /// How many blocks each point stands for.
    pub factor: Poly,
    /// The points: conditions on the variables of t and on the coordinates.
    pub constraints: Vec<Constraint>,
    /// The coordinates.
    pub coordinates: Vec<Var>,
    /// If there are any, and the last is a line start: the elements of a line in units of b.
    pub ratio: Option<u64>,
}

/// The terms of one window.
pub(super) struct Terms<'a> {
    isl: &'a Context,
    /// The parameters, and the coordinates of t.
    frame: &'a Frame,
    /// Where t is.
    domain: &'a Set,
    /// The same, as a set of parameters.
    params: Set,
    /// Coordinates of t that others determine.
    determined: Vec<(Var, Poly)>,
    /// b.
    line: Var,
    /// The blocks whose number depends on no condition.
    known: Poly,
    /// The factors of the others.
    others: BTreeMap<Points, Poly>,
}

/// What terms that can be added up have in common: ratio, coordinates and constraints.
type Points = (Option<u64>, Vec<Var>, Vec<Constraint>);

/// A set of blocks on the way to a term.
#[derive(Clone)]
struct Partial {
    factor: Poly,
    system: Vec<Constraint>,
    /// The sizes of the coordinates that are counted.
    extents: Vec<Poly>,
}

impl<'a> Terms<'a> {
    pub(super) fn new(isl: &'a Context, frame: &'a Frame, domain: &'a Set, line: Var) -> Result<Self, Error> {
        let names = frame.iterator_names();
        let params = dims_to_params(domain, 0, &names)?.params()?;
        let whole = |(_, value): &(Var, Poly)| value.common_denominator().is_one();
        let determined = determined(frame, domain)?.into_iter().filter(whole).collect();
        Ok(Self { isl, frame, domain, params, determined, line, known: Poly::zero(), others: BTreeMap::new() })
    }

    /// Adds a set of blocks, which depends on the variables of t as parameters. With a ratio the last coordinate is a line
    /// start.
    pub(super) fn add(&mut self, blocks: &Set, ratio: Option<u64>) -> Result<(), Error> {
        let first = self.frame.names().len();
        let count = blocks.dim(DimType::SET)?;
        let names = self.frame.names().iter().cloned().chain((0..count).map(|c| format!("_b{c}"))).collect();
        let frame = Frame::over(names, first);
        for basic in blocks.gist_params(&self.params)?.compute_divs()?.make_disjoint()?.basic_sets()? {
            let value = |var: Var| self.determined.iter().find(|(v, _)| *v == var).map(|(_, value)| value.clone());
            let substituted = |c: &Constraint| c.map(|poly| poly.substitute(&value));
            let mut system = constraints(&basic, &frame)?.iter().map(substituted).collect();
            let mut coordinates: Vec<Var> = frame.iterators().collect();
            let start = ratio.and_then(|_| coordinates.pop());
            coordinates.retain(|c| !solve(&mut system, *c));
            let mut partial = vec![Partial { factor: Poly::one(), system, extents: Vec::new() }];
            coordinates.retain(|c| !self.counted(&mut partial, *c, first as u32));
            coordinates.extend(start.filter(|start| !self.whole_lines(&mut partial, *start, ratio)));
            for partial in partial {
                self.finish(partial, &coordinates, ratio.filter(|_| coordinates.last() == start.as_ref()))?;
            }
        }
        Ok(())
    }

    /// The sum of what was added: a polynomial, and terms.
    pub(super) fn finished(self) -> (Poly, Vec<Term>) {
        let term = |((ratio, coordinates, constraints), factor)| Term { factor, constraints, coordinates, ratio };
        (self.known, self.others.into_iter().filter(|(_, factor): &(_, Poly)| !factor.is_zero()).map(term).collect())
    }

    /// Counts the values of a coordinate, if it has bounds of t alone. Where several bounds compete, cases are told apart.
    fn counted(&self, partial: &mut Vec<Partial>, coordinate: Var, first: u32) -> bool {
        let alone = |range: &Range| range.bounds().all(|bound| bound.vars().iter().all(|var| var.0 < first));
        let range = |p: &Partial| Range::of(&p.system, coordinate).filter(|(range, _)| alone(range));
        let Some(ranges) = partial.iter().map(range).collect::<Option<Vec<_>>>() else { return false };
        let mut cases = Vec::new();
        for (Partial { factor, extents, .. }, (range, rest)) in std::mem::take(partial).into_iter().zip(ranges) {
            let negative: Vec<Poly> = range.upper.iter().map(|upper| -upper).collect();
            for (low, lowest) in largest(&range.lower) {
                for (high, highest) in largest(&negative) {
                    let extent = &Poly::one() - &(&low + &high);
                    cases.push(Partial {
                        factor: &factor * &extent,
                        system: [&rest[..], &lowest, &highest].concat(),
                        extents: [&extents[..], &[extent]].concat(),
                    });
                }
            }
        }
        *partial = cases;
        true
    }

    /// Counts line starts in a range whose length is a multiple of b.
    fn whole_lines(&self, partial: &mut [Partial], start: Var, ratio: Option<u64>) -> bool {
        let Some(ratio) = ratio else { return false };
        let line = Poly::var(self.line).scale(&Rational::from_integer(ratio.into()));
        let lines = |p: &Partial| {
            let (range, rest) = Range::of(&p.system, start)?;
            let ([low], [high]) = (&range.lower[..], &range.upper[..]) else { return None };
            let length = &Poly::one() + &(high - low);
            let quotient = length.terms().next()?.1 / line.terms().next()?.1;
            let whole = quotient.is_integer() && length == line.scale(&quotient) && quotient >= Rational::zero();
            whole.then_some((Poly::constant(quotient), rest))
        };
        let Some(found) = partial.iter().map(lines).collect::<Option<Vec<_>>>() else { return false };
        for (partial, (count, rest)) in partial.iter_mut().zip(found) {
            partial.factor = &partial.factor * &count;
            partial.system = rest;
        }
        true
    }

    /// Files a term, with the conditions that are needed.
    fn finish(&mut self, partial: Partial, coordinates: &[Var], ratio: Option<u64>) -> Result<(), Error> {
        let Partial { factor, system, extents } = partial;
        let free = |c: &Constraint| c.poly.vars().iter().any(|v| coordinates.contains(v));
        let (mut kept, conditions): (Vec<_>, Vec<_>) = system.into_iter().partition(free);
        let filled = extents.iter().map(|extent| Constraint::non_negative(extent - &Poly::one())).collect::<Vec<_>>();
        for condition in conditions {
            // Where an extent is 0, so is the factor.
            if !self.implied(&filled, &condition)? {
                kept.push(condition);
            }
        }
        let given = kept.iter().filter(|c| !free(c)).cloned().collect::<Vec<_>>();
        for extent in extents {
            let condition = Constraint::non_negative(extent);
            if !self.implied(&given, &condition)? {
                kept.push(condition);
            }
        }
        kept.sort();
        kept.dedup();
        let sum = match kept.is_empty() && coordinates.is_empty() {
            true => &mut self.known,
            false => self.others.entry((ratio, coordinates.to_vec(), kept)).or_default(),
        };
        *sum = &*sum + &factor;
        Ok(())
    }

    /// Does a condition hold wherever others do?
    fn implied(&self, given: &[Constraint], condition: &Constraint) -> Result<bool, Error> {
        let given = self.frame.set(self.isl, &self.frame.conjunction(given))?;
        let condition = self.frame.set(self.isl, &self.frame.conjunction(std::slice::from_ref(condition)))?;
        Ok(self.domain.intersect(&given)?.is_subset(&condition)?)
    }
}

/// Which of some values is the largest, and under which conditions; of equal ones it is the first.
fn largest(values: &[Poly]) -> Vec<(Poly, Vec<Constraint>)> {
    let conditions = |position: usize| {
        let value = &values[position];
        let least = |other: usize| Poly::integer(BigInt::from(i32::from(other < position)));
        let above = |other: usize| Constraint::non_negative(&(value - &values[other]) - &least(other));
        (0..values.len()).filter(|other| *other != position).map(above).collect()
    };
    values.iter().enumerate().map(|(position, value)| (value.clone(), conditions(position))).collect()
}
