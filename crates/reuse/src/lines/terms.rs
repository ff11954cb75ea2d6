//! The number of blocks in a window as a sum of terms, each a polynomial times a number of line starts.
//!
//! Blocks are `A[c₁, …, y′]` for every start y′, and only the multiples of b count. Most sets of them are boxes. A
//! coordinate c that runs from L to U, apart from the others, has U − L + 1 values, and y′ as many multiples of b as
//! its range is long, if that is a multiple of b:
//!
//! ```text
//! { (c, y') : L ≤ c ≤ U, x − b < y' ≤ x }    has    U − L + 1    lines
//! ```
//!
//! So what is left to be counted in line coordinates are starts y′ with other bounds, and conditions on t. Often these
//! do not mention all iterators of t, which then need not be divided into lines at all.

use std::collections::BTreeMap;

use num_traits::{One, Zero};
use symloc_isl::{Context, DimType, Set};
use symloc_quasi::{Constraint, Poly, Rational, Var};

use crate::Error;
use crate::convert::constraints;
use crate::formulas::simplify::determined;
use crate::frame::{Frame, dims_to_params};
use crate::times::Times;
use symloc_polyhedra::{BoxCase, Boxed, Range};

/// Some blocks in a window, for each value of the variables of t.
#[derive(Clone, Debug)]
pub(super) struct WindowTerm {
    /// The number of blocks that each point stands for.
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
    /// The parameters, and the coordinates of t.
    times: Times<'a>,
    /// The domain of t, as a set of parameters.
    domain: Set,
    /// Coordinates of t that others determine.
    determined: Vec<(Var, Poly)>,
    /// b.
    line: Var,
    /// The blocks whose number depends on no condition.
    known: Poly,
    /// The factors of the others.
    others: BTreeMap<TermKey, Poly>,
}

/// The key of terms that can be added up: ratio, coordinates and constraints.
type TermKey = (Option<u64>, Vec<Var>, Vec<Constraint>);

impl<'a> Terms<'a> {
    pub(super) fn new(isl: &'a Context, frame: &'a Frame, domain: &Set, line: Var) -> Result<Self, Error> {
        let names = frame.iterator_names();
        let whole = |(_, value): &(Var, Poly)| value.common_denominator().is_one();
        let determined = determined(frame, domain)?.into_iter().filter(whole).collect();
        let (times, domain) = (Times { isl, frame }, dims_to_params(domain, 0, &names)?.params()?);
        Ok(Self { times, domain, determined, line, known: Poly::zero(), others: BTreeMap::new() })
    }

    /// Adds a set of blocks, which depends on the variables of t as parameters. With a ratio the last coordinate is a
    /// line start.
    pub(super) fn add(&mut self, blocks: &Set, ratio: Option<u64>) -> Result<(), Error> {
        let first = self.times.frame.names().len();
        let count = blocks.dim(DimType::SET)?;
        let names = self.times.frame.names().iter().cloned().chain((0..count).map(|c| format!("_b{c}"))).collect();
        let frame = Frame::over(names, first);
        for basic in blocks.gist_params(&self.domain)?.compute_divs()?.make_disjoint()?.basic_sets()? {
            let substituted = |c: &Constraint| c.map(|poly| poly.with_values(&self.determined));
            let mut boxed = Boxed::new(constraints(&basic, &frame)?.iter().map(substituted).collect());
            let mut coordinates: Vec<Var> = frame.iterators().collect();
            let start = ratio.and_then(|_| coordinates.pop());
            coordinates.retain(|c| !boxed.solve(*c));
            coordinates.retain(|c| !boxed.count(*c, frame.iterator(0)));
            let lines = start.and_then(|start| self.whole_lines(&mut boxed, start, ratio?));
            let start = start.filter(|_| lines.is_none());
            coordinates.extend(start);
            let lines = lines.unwrap_or_else(Poly::one);
            for case in boxed.cases {
                self.finish(case, &boxed.rest, &lines, &coordinates, ratio.filter(|_| start.is_some()))?;
            }
        }
        Ok(())
    }

    /// Returns the sum of what was added: a polynomial, and terms.
    pub(super) fn finished(self) -> (Poly, Vec<WindowTerm>) {
        let term = |((ratio, coordinates, constraints), factor)| WindowTerm { factor, constraints, coordinates, ratio };
        (self.known, self.others.into_iter().filter(|(_, factor): &(_, Poly)| !factor.is_zero()).map(term).collect())
    }

    /// Returns the number of line starts, if they are a range whose length is a multiple of b; what is left says
    /// nothing about them.
    fn whole_lines(&self, boxed: &mut Boxed, start: Var, ratio: u64) -> Option<Poly> {
        let line = Poly::var(self.line).scale(&Rational::from_integer(ratio.into()));
        let (range, rest) = Range::of(&boxed.rest, start)?;
        let ([low], [high]) = (&range.lower[..], &range.upper[..]) else { return None };
        let length = &Poly::one() + &(high - low);
        let quotient = length.terms().next()?.1 / line.terms().next()?.1;
        if !quotient.is_integer() || length != line.scale(&quotient) || quotient < Rational::zero() {
            return None;
        }
        boxed.rest = rest;
        Some(Poly::constant(quotient))
    }

    /// Files a term, with the conditions that are needed.
    fn finish(
        &mut self,
        case: BoxCase,
        rest: &[Constraint],
        lines: &Poly,
        coordinates: &[Var],
        ratio: Option<u64>,
    ) -> Result<(), Error> {
        let factor = &case.size() * lines;
        let free = |c: &Constraint| c.poly.vars().iter().any(|v| coordinates.contains(v));
        let (mut kept, conditions): (Vec<_>, Vec<_>) = rest.iter().chain(&case.conditions).cloned().partition(free);
        kept.extend(self.times.needed(&self.domain, &case.extents, &conditions)?.into_iter().cloned());
        let given = kept.iter().filter(|c| !free(c)).cloned().collect::<Vec<_>>();
        for extent in case.extents {
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

    /// Returns true if a condition holds wherever others do.
    fn implied(&self, given: &[Constraint], condition: &Constraint) -> Result<bool, Error> {
        let given = self.domain.intersect(&self.times.region(given)?)?;
        Ok(given.is_subset(&self.times.region(std::slice::from_ref(condition))?)?)
    }
}
