//! Execution counts of marks, as polynomials in the sizes.
//!
//! The marks of one [region](crate::schedule::timestamps::TreeRegion) are passed equally often: as often as its domain
//! has points, which Barvinok counts once for each region. A mark's count is the sum over its regions, each times the
//! mark's weight. Any sum over marks with coefficients, such as all loads of a program, is then linear in the counts of
//! regions.
//!
//! Barvinok's results are piecewise; `n·(n−1)/2` where n ≥ 2, and nothing where n = 1. Where one polynomial is right on
//! all pieces it is taken alone.

use std::collections::{BTreeMap, BTreeSet};

use num_traits::Zero;
use symloc_affine::{MarkId, Program, Weight};
use symloc_isl::{Context, Set};
use symloc_quasi::{Piece, Poly, Rational, Var};

use crate::Error;
use crate::convert::pieces;
use crate::counting::disjoint::DisjointSum;
use crate::formulas::simplify::Simplifier;
use crate::frame::Frame;
use crate::intervals::classes::plain_pieces;
use crate::schedule::timestamps::Timestamps;

/// An execution count over the parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Count {
    /// So often.
    Known {
        /// Everywhere in the context, each on a part of its own; none if the count is zero.
        pieces: Vec<Piece>,
        /// True if it depends on probabilities that the user gave.
        estimate: bool,
    },
    /// It depends on branches on data at these lines.
    Unknown(BTreeSet<u32>),
}

/// A count on disjoint sets of parameter values.
type Pieces = Vec<(Set, Poly)>;

/// The executions of all regions that have marks.
#[derive(Debug)]
pub struct Executions<'p> {
    isl: &'p Context,
    /// Sets of parameter values are within it.
    context: Set,
    /// The parameters.
    frame: Frame,
    regions: Vec<Pieces>,
    /// By mark, the regions in which it stands.
    marks: BTreeMap<MarkId, Vec<(usize, Weight)>>,
}

impl<'p> Executions<'p> {
    /// Counts the executions of all regions of a program in which there are marks.
    ///
    /// # Errors
    ///
    /// [`Error::NoSize`] if the context is empty, [`Error::Isl`] if counting fails or reaches a limit.
    pub fn new(isl: &'p Context, program: &Program) -> Result<Self, Error> {
        let timestamps = Timestamps::new(isl, program)?;
        if timestamps.context.is_empty()? {
            return Err(Error::NoSize);
        }
        let frame = Frame::new(program, &[]);
        let context = timestamps.context.params()?;
        let mut executions = Self { isl, context, frame, regions: Vec::new(), marks: BTreeMap::new() };
        for region in timestamps.regions.iter().filter(|region| !region.marks.is_empty()) {
            let count = region.domain.card()?.gist_params(&executions.context)?.coalesce()?;
            let parts = pieces(&count, &executions.frame)?.into_iter().filter(|(_, value)| !value.is_zero());
            let parts = executions.whole(parts.collect())?;
            for mark in &region.marks {
                let places = executions.marks.entry(mark.id).or_default();
                places.push((executions.regions.len(), mark.weight.clone()));
            }
            executions.regions.push(parts);
        }
        Ok(executions)
    }

    /// Returns the number of times that a mark is passed.
    ///
    /// # Errors
    ///
    /// See [`Executions::sum`].
    pub fn of(&self, mark: MarkId) -> Result<Count, Error> {
        self.sum([(mark, Rational::from_integer(1.into()))])
    }

    /// Returns the sum of the passes of marks, each times a number.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if adding fails or reaches a limit.
    pub fn sum(&self, terms: impl IntoIterator<Item = (MarkId, Rational)>) -> Result<Count, Error> {
        let mut factors: BTreeMap<usize, Rational> = BTreeMap::new();
        let (mut estimate, mut unknown) = (false, BTreeSet::new());
        for (mark, factor) in terms {
            for (region, weight) in self.marks.get(&mark).into_iter().flatten() {
                if factor.is_zero() || self.regions[*region].is_empty() {
                    continue;
                }
                let factor = match weight {
                    Weight::Once => factor.clone(),
                    Weight::Estimate(weight) => {
                        estimate = true;
                        &factor * weight
                    }
                    Weight::Unknown(lines) => {
                        unknown.extend(lines.iter().copied());
                        continue;
                    }
                };
                *factors.entry(*region).or_insert_with(Rational::zero) += factor;
            }
        }
        if !unknown.is_empty() {
            return Ok(Count::Unknown(unknown));
        }
        let mut sum = DisjointSum::default();
        for (region, factor) in factors {
            for (domain, value) in &self.regions[region] {
                sum.add(domain.intersect(&self.context)?, &value.scale(&factor))?;
            }
        }
        let mut parts = self.whole(sum.pieces()?)?;
        let rest = parts.iter().try_fold(self.context.clone(), |rest, (domain, _)| rest.subtract(domain))?;
        if !parts.is_empty() && !rest.is_empty()? {
            parts.push((rest.coalesce()?, Poly::zero()));
        }
        Ok(Count::Known { pieces: plain_pieces(parts, &self.context, &self.frame)?, estimate })
    }

    /// One polynomial for all pieces and the rest of the context, if there is one.
    fn whole(&self, pieces: Pieces) -> Result<Pieces, Error> {
        let rest = pieces.iter().try_fold(self.context.clone(), |rest, (domain, _)| rest.subtract(domain))?;
        for (_, candidate) in &pieces {
            let mut right = self.vanishes(&rest, candidate)?;
            for (domain, value) in pieces.iter().filter(|(_, value)| value != candidate) {
                right = right && self.vanishes(&domain.intersect(&self.context)?, &(candidate - value))?;
            }
            if right {
                return Ok(vec![(self.context.clone(), candidate.clone())]);
            }
        }
        Ok(pieces)
    }

    /// Returns whether a polynomial is zero on a set of parameter values.
    fn vanishes(&self, set: &Set, poly: &Poly) -> Result<bool, Error> {
        // Simplification solves equalities for iterators, so here the parameters are some.
        let frame = Frame::over(self.frame.names().to_vec(), 0);
        for part in set.basic_sets()? {
            let part = frame.over_iters(self.isl, &part.to_set()?)?;
            let mut variables = poly.vars().into_iter();
            let zero = part.is_empty()?
                || Simplifier::new(self.isl, &frame, &part)?.simplify(poly)?.is_zero()
                || variables
                    .try_fold(false, |zero, var| Ok::<_, Error>(zero || self.by_values(&frame, &part, poly, var)?))?;
            if !zero {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns true if a polynomial is zero for each of the few values that a variable has on a set: for 1 and 2, if
    /// `n·(n−1)·(n−2)` is the count for n ≥ 3.
    fn by_values(&self, frame: &Frame, set: &Set, poly: &Poly, var: Var) -> Result<bool, Error> {
        /// A variable that has more values than these is not tried.
        const VALUES: usize = 8;
        let mut rest = set.clone();
        for _ in 0..VALUES {
            let value = &frame.sample(&rest)?[var.0 as usize];
            let here = frame.set(self.isl, &format!("{} = {value}", frame.name(var)))?;
            let slice = rest.intersect(&here)?;
            if !Simplifier::new(self.isl, frame, &slice)?.simplify(poly)?.is_zero() {
                return Ok(false);
            }
            rest = rest.subtract(&here)?;
            if rest.is_empty()? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
