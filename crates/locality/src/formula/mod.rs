//! Misses as formulas in the sizes and the cache size.
//!
//! With the classes' values v and counts c, over all their points,
//!
//! ```text
//! misses(t)       = m + Σ over real classes of c where v > t
//! N·s(t)          = N·m − Σ over all classes of c·(v − t) where v > t
//! ```
//!
//! With places in the LRU stack as values, t is the cache itself, in lines. With reuse intervals t is Denning's window:
//! a cache of C lines has the largest window with `N·s(t) ≤ N·C`. Both are polynomials in the sizes and in t as long as
//! t passes no end of a class's range of values: these ends are the borders of the [`Case`]s. The contribution of a
//! class between its ends is computed in `member.rs`.

mod between;
mod case;
mod early;
mod joined;
mod member;
mod merged;
mod number;
mod open;
mod part;
mod periodic;
mod root;
mod steps;
mod sum;
mod threshold;
mod walk;

use std::collections::BTreeSet;

use num_bigint::BigInt;
use symloc_model::{LineModel, Model};
use symloc_quasi::{Constraint, Poly, Quotient, Rational, Var};

use crate::class::Class;
use crate::conditions::Conditions;
use crate::error::LocalityError;
use crate::formula::early::move_borders;
use crate::formula::joined::{RootFamily, joined};
use crate::formula::member::{Above, Segment, segments};
use crate::formula::merged::{MergedRange, split};
use crate::formula::part::parts;
use crate::formula::periodic::{CountWriter, Mentioned};
use crate::formula::root::Roots;
use crate::formula::threshold::Near;
use crate::formula::walk::{Border, SegmentNumber, ThresholdWalk, open_segments};
use crate::growth::Growth;
use crate::measure::Measure;
use crate::pieces::{Counts, Held, Pieces};
use crate::regime::{FarOut, allowed, every, residues_at, some, too_many};
use crate::residue::{Periods, Residues};

pub use crate::formula::case::Case;
pub use crate::formula::number::{RootNumber, RootNumberDefinition};
pub use crate::formula::open::{RowSum, Sum};
pub use crate::formula::root::ThresholdRoot;
pub use crate::formula::steps::MissStep;

/// The misses of a program as formulas, in one regime.
#[derive(Clone, Debug)]
pub struct MissFormulas {
    /// The meaning of the threshold.
    pub measure: Measure,
    /// The sizes for which the formulas hold, by their residues.
    pub residues: Residues,
    /// The condition that distinguishes these residues from the model's others; empty if there are no others.
    pub distinction: String,
    /// The conditions on the sizes beyond the context of the model.
    pub conditions: Vec<Constraint>,
    /// N.
    pub accesses: Poly,
    /// The variable of the threshold t: the one after the parameters.
    pub threshold: Var,
    /// The cases, by ascending thresholds, without gaps from zero on.
    pub cases: Vec<Case>,
    /// The roots that cases mention, by their variables, which follow the threshold's.
    pub roots: Vec<ThresholdRoot>,
    /// The numbers that cases mention and that roots determine, by their variables, which follow the roots'.
    pub numbers: Vec<RootNumber>,
    /// The misses that the formulas of the cases do not count.
    pub sums: Vec<Sum>,
}

impl MissFormulas {
    /// Returns the formulas for large sizes, for each vector of residues by itself. With [`Measure::Intervals`] they
    /// are those of Denning's model, t being the window; with [`Measure::Places`] those of LRU caches, t being the
    /// cache in lines, for [places in the stack](crate::stack_places) as the classes of a line size.
    ///
    /// # Errors
    ///
    /// [`LocalityError::NoLargeSizes`] if the context allows no large sizes, [`LocalityError::Residues`] if the
    /// formulas differ between too many residues.
    pub fn all<'m>(
        model: &'m Model,
        line: &LineModel,
        measure: Measure,
    ) -> Result<impl Iterator<Item = Self> + use<'m>, LocalityError> {
        let program = Pieces::new(model, line, Counts::default(), None)?;
        let FarOut { residues, samples, .. } = FarOut::of(&program, model.variables(), &Growth::default(), every)?;
        Ok(samples.into_iter().map(move |sample| {
            let own = residues.only(vec![sample.residues]);
            let conditions = program.conditions(own);
            Self::of(program.at(&sample.point, conditions), &sample.point, measure, |own| {
                own.describe(&residues, &model.names())
            })
        }))
    }

    /// Returns the formulas for large sizes with the first vector of residues, even if the cases do not depend on
    /// residues.
    ///
    /// # Errors
    ///
    /// [`LocalityError::NoLargeSizes`] if the context allows no large sizes, [`LocalityError::Residues`] if the
    /// formulas differ between too many residues.
    pub fn first(model: &Model, line: &LineModel, measure: Measure) -> Result<Self, LocalityError> {
        let program = Pieces::new(model, line, Counts::default(), None)?;
        let vectors = |periods: &Periods| Some(some(periods));
        let far = FarOut::of(&program, model.variables(), &Growth::default(), vectors)?;
        let sample = far.samples.first().ok_or(LocalityError::NoLargeSizes)?;
        Self::at(model, &program, &sample.point, measure, |conditions| conditions)
    }

    /// Returns the formulas for sizes like these, one value for each parameter.
    ///
    /// # Errors
    ///
    /// [`LocalityError::Outside`] if the context does not allow these sizes, [`LocalityError::Residues`] if the
    /// formulas differ between too many residues.
    pub fn near(model: &Model, line: &LineModel, measure: Measure, sizes: &[i128]) -> Result<Self, LocalityError> {
        let program = Pieces::new(model, line, Counts::default(), Some(sizes))?;
        let sizes = &program.solved.lines().point(sizes);
        let size = allowed(&program, model.variables(), sizes)?;
        Self::at(model, &program, sizes, measure, |conditions| conditions.near(size))
    }

    /// Returns the formulas at a sample, for sizes with the same residues.
    fn at(
        model: &Model,
        program: &Pieces,
        sample: &[i128],
        measure: Measure,
        limit: impl FnOnce(Conditions) -> Conditions,
    ) -> Result<Self, LocalityError> {
        let all = || Periods::of(program.polys(), sample.len());
        let deciding = || Periods::of(program.deciding(), sample.len());
        let (own, all) = residues_at(program, &all().or_else(deciding).ok_or_else(too_many)?, sample);
        let conditions = limit(program.conditions(own));
        let describe = |own: &Residues| own.describe(&all, &model.names());
        Ok(Self::of(program.at(sample, conditions), sample, measure, describe))
    }

    fn of(held: Held, sample: &[i128], measure: Measure, describe: impl Fn(&Residues) -> String) -> Self {
        let sample: Vec<BigInt> = sample.iter().map(|&size| BigInt::from(size)).collect();
        let mut conditions = held.conditions.clone();
        let residues = conditions.residues().clone();
        let mut classes = Vec::new();
        let mut found = Vec::new();
        let mut roots = match measure {
            Measure::Intervals => Roots::Unwanted,
            Measure::Places => Roots::Found(Vec::new()),
        };
        for class in &held.classes {
            for part in parts(class, sample.len(), &residues).unwrap_or_else(|| vec![class.clone()]) {
                let span = part.span(&sample, &mut conditions);
                let part = behind_threshold(&part, sample.len());
                found.push(along(&part, span.as_ref(), &sample, &mut conditions, &mut roots));
                classes.push(part);
            }
        }
        let mut unwanted = Roots::Unwanted;
        let mut near = Near::new(&sample, BigInt::ZERO, &mut conditions, &mut unwanted);
        let roots = roots.mentioned(&mentioned(&found));
        let families = joined(roots.clone(), &mut near);
        move_borders(&mut found, &roots, &families, &mut near);
        let borders = Border::all(&found, &mut near);
        let open = open_segments(&classes, &found);
        let cases = ThresholdWalk::new(&held, &sample, measure, &classes, &found, &open).cases(&borders);
        let merged = |family: RootFamily| {
            let range = MergedRange::of(&family, &mut near);
            (family, range)
        };
        let families: Vec<_> = families.into_iter().map(merged).collect();
        let mut cases = split(cases, &families, &mut near);
        let threshold = near.threshold();
        let Mentioned { roots, numbers } = CountWriter::new(&families, threshold).write(&mut cases, &near);
        let sum = |(class, segment): SegmentNumber| Sum::new(&classes[class], &found[class], segment, &mut near);
        let sums = open.iter().copied().map(sum).collect();
        Self {
            measure,
            distinction: describe(&residues),
            residues,
            conditions: conditions.constraints(),
            accesses: held.accesses,
            threshold,
            cases,
            roots,
            numbers,
            sums,
        }
    }

    /// Returns the smallest cache of the case with this index, in lines. In Denning's model that is the working set
    /// where the case begins; `None` if it is not known, or for the index after the last.
    pub fn smallest_cache(&self, index: usize) -> Option<Quotient> {
        let from = &self.cases.get(index)?.from;
        if self.measure == Measure::Places {
            return Some(Quotient::from(from.clone()));
        }
        // A working set is continuous: the formula before holds at the border, too.
        let known = |index: usize| self.cases.get(index)?.working_set.as_ref();
        let working_set = known(index).or_else(|| known(index.checked_sub(1)?))?;
        let value = working_set.with_value(self.threshold, from);
        Quotient::new(value, self.accesses.clone())
    }

    /// Returns the number of misses at a size and a threshold; `None` if the formulas do not hold at this size, or if
    /// some of [`MissFormulas::sums`] have to be added that are not sums over [rows](RowSum).
    pub fn misses(&self, size: &[BigInt], threshold: &BigInt) -> Option<BigInt> {
        self.holds_at(size).then_some(())?;
        let case = self.case(size, threshold)?;
        let known = [size, std::slice::from_ref(threshold)].concat();
        let sums = case.sums.iter().map(|sum| self.sums.get(*sum)?.value(&known));
        let sums: BigInt = sums.sum::<Option<_>>()?;
        Some(case.misses.evaluate(&self.point(size, threshold)).to_integer() + sums)
    }

    /// Returns true if the formulas hold at a size.
    pub fn holds_at(&self, size: &[BigInt]) -> bool {
        self.residues.contain(size) && self.conditions.iter().all(|constraint| constraint.holds_at(size))
    }

    /// Returns the values of all variables of the cases: the sizes, the threshold, the roots and the numbers that
    /// these determine.
    pub fn point(&self, size: &[BigInt], threshold: &BigInt) -> Vec<BigInt> {
        let known = [size, std::slice::from_ref(threshold)].concat();
        let roots: Vec<BigInt> = self.roots.iter().map(|root| root.value(&known)).collect();
        let mut point = [known, roots].concat();
        for number in &self.numbers {
            point.push(number.value(&point));
        }
        point
    }

    /// Returns the case of a threshold, at a size where the formulas hold.
    pub fn case(&self, size: &[BigInt], threshold: &BigInt) -> Option<&Case> {
        let threshold = Rational::from_integer(threshold.clone());
        self.cases.iter().rfind(|case| case.from.evaluate(size) <= threshold)
    }
}

/// Returns the variables that the sums of segments mention.
fn mentioned(found: &[Vec<Segment>]) -> BTreeSet<Var> {
    let counts = found.iter().flatten().filter_map(|segment| match &segment.above {
        Above::Sums([count, _]) => Some(count),
        Above::Open => None,
    });
    counts.flat_map(Poly::vars).collect()
}

/// Returns the class with its iterators moved behind the threshold's variable.
fn behind_threshold(class: &Class, parameters: usize) -> Class {
    let behind = |var: Var| (var.0 as usize >= parameters).then(|| Poly::var(Var(var.0 + 1)));
    class.map(&|poly| poly.substitute(&behind))
}

/// Returns the segments of a class; one open segment if there are too many.
fn along(
    class: &Class,
    span: Option<&(Poly, Poly)>,
    sample: &[BigInt],
    conditions: &mut Conditions,
    roots: &mut Roots,
) -> Vec<Segment> {
    let mut tried = conditions.clone();
    match segments(class, span, sample, &mut tried, roots) {
        Some(segments) => {
            *conditions = tried;
            segments
        }
        None => vec![Segment { from: Poly::zero(), above: Above::Open }],
    }
}
