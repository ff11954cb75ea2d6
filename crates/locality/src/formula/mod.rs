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
mod joined;
mod member;
mod part;
mod root;
mod steps;
mod sum;
mod threshold;

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::One;
use symloc_model::{IntervalKind, LineModel, Model};
use symloc_quasi::{Constraint, Poly, Quotient, Rational, Var};

use crate::class::Class;
use crate::conditions::Conditions;
use crate::error::LocalityError;
use crate::formula::joined::joined;
use crate::formula::member::{Above, Segment, segments};
use crate::formula::part::parts;
use crate::formula::root::{Roots, numbered};
use crate::formula::threshold::Near;
use crate::growth::Growth;
use crate::measure::Measure;
use crate::pieces::{Counts, Held, Pieces};
use crate::regime::{FarOut, allowed, every, residues_at, some, too_many};
use crate::residue::{Periods, Residues};

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
    /// The misses that the formulas of the cases do not count.
    pub sums: Vec<Sum>,
}

/// Misses of a class in a range of thresholds that no polynomial counts: the accesses with values above the threshold.
#[derive(Clone, Debug)]
pub struct Sum {
    /// The least threshold.
    pub from: Poly,
    /// The end of the range, exclusive.
    pub to: Option<Poly>,
    /// The class; its iterators come after the threshold.
    pub class: Class,
}

/// A range of thresholds with one formula.
#[derive(Clone, Debug)]
pub struct Case {
    /// The least threshold.
    pub from: Poly,
    /// The end of the range, exclusive.
    pub to: Option<Poly>,
    /// The number of misses, in the sizes, the threshold and [`MissFormulas::roots`], without those of [`MissFormulas::sums`].
    pub misses: Poly,
    /// N·s(t), if t is a window and there are no such sums.
    pub working_set: Option<Poly>,
    /// The number of these sums that apply here.
    pub open: usize,
    /// True if the range is more than an effect of the lower-order terms of its ends.
    pub is_wide: bool,
}

impl Case {
    /// Returns true if its range is shorter than another one's, where all sizes are large and equal.
    pub fn is_shorter(&self, other: &Case) -> bool {
        let length = |case: &Case| {
            let large = |poly: &Poly| poly.substitute(&|_| Some(Poly::integer(LARGE))).constant_term();
            case.to.as_ref().map(|to| large(to) - large(&case.from))
        };
        length(self).is_some_and(|length_of_self| length(other).is_none_or(|longer| longer > length_of_self))
    }

    /// Returns true if the number of misses depends on the threshold.
    pub fn varies(&self, threshold: Var) -> bool {
        self.open > 0 || self.misses.last_var() >= Some(threshold)
    }
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
        let roots = with_joined_roots(&mut found, roots, &sample, &mut conditions);
        let borders = Border::all(&found, &sample, &mut conditions);
        let cases = ThresholdWalk::new(&held, &sample, measure, &classes, &found).cases(&borders);
        Self {
            measure,
            distinction: describe(&residues),
            residues,
            conditions: conditions.constraints(),
            accesses: held.accesses,
            threshold: Var(sample.len() as u32),
            cases,
            roots,
            sums: classes.into_iter().zip(&found).flat_map(|(class, segments)| Sum::all(class, segments)).collect(),
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

    /// Returns the number of misses at a size and a threshold; `None` if the formulas do not hold at this size, or if some of
    /// [`MissFormulas::sums`] have to be added.
    pub fn misses(&self, size: &[BigInt], threshold: &BigInt) -> Option<BigInt> {
        self.holds_at(size).then_some(())?;
        let case = self.case(size, threshold).filter(|case| case.open == 0)?;
        Some(case.misses.evaluate(&self.point(size, threshold)).to_integer())
    }

    /// Returns true if the formulas hold at a size.
    pub fn holds_at(&self, size: &[BigInt]) -> bool {
        self.residues.contain(size) && self.conditions.iter().all(|constraint| constraint.holds_at(size))
    }

    /// Returns the values of all variables of the cases: the sizes, the threshold and the roots.
    pub fn point(&self, size: &[BigInt], threshold: &BigInt) -> Vec<BigInt> {
        let known = [size, std::slice::from_ref(threshold)].concat();
        let roots: Vec<BigInt> = self.roots.iter().map(|root| root.value(&known)).collect();
        [known, roots].concat()
    }

    /// Returns the case of a threshold, at a size where the formulas hold.
    pub fn case(&self, size: &[BigInt], threshold: &BigInt) -> Option<&Case> {
        let threshold = Rational::from_integer(threshold.clone());
        self.cases.iter().rfind(|case| case.from.evaluate(size) <= threshold)
    }
}

impl Sum {
    /// Returns the open segments of a class; empty for imaginary accesses, which are not needed.
    fn all(class: Class, segments: &[Segment]) -> Vec<Self> {
        let open = segments.iter().enumerate().filter(|(_, segment)| segment.above == Above::Open);
        let sum = |(index, segment): (usize, &Segment)| Self {
            from: segment.from.clone(),
            to: segments.get(index + 1).map(|next| next.from.clone()),
            class: class.clone(),
        };
        open.filter(|_| class.kind == IntervalKind::Real).map(sum).collect()
    }
}

/// Joins the roots that sums mention, numbers them behind the threshold, and returns them.
fn with_joined_roots(
    found: &mut [Vec<Segment>],
    roots: Roots,
    sample: &[BigInt],
    conditions: &mut Conditions,
) -> Vec<ThresholdRoot> {
    let threshold = Var(sample.len() as u32);
    let counts = found.iter_mut().flatten().filter_map(|segment| match &mut segment.above {
        Above::Sums([count, _]) if count.last_var() > Some(threshold) => Some(count),
        _ => None,
    });
    let mut counts: Vec<&mut Poly> = counts.collect();
    let variables = counts.iter().flat_map(|count| count.vars()).collect();
    let mut unwanted = Roots::Unwanted;
    let mut near = Near::new(sample, BigInt::ZERO, conditions, &mut unwanted);
    let (roots, values) = joined(roots.mentioned(&variables), &mut near);
    let (roots, names) = numbered(roots, Var(threshold.0 + 1));
    counts.iter_mut().for_each(|count| **count = count.with_values(&values).with_values(&names).periodic_form());
    roots
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

/// A threshold at which classes pass from one segment to the next.
struct Border {
    at: Poly,
    /// Classes and their new segments.
    passed: Vec<(usize, usize)>,
}

impl Border {
    /// Returns all borders in their order at the sample, which is required of all sizes.
    fn all(found: &[Vec<Segment>], sample: &[BigInt], conditions: &mut Conditions) -> Vec<Self> {
        let mut passed: BTreeMap<(Rational, &Poly), Vec<(usize, usize)>> = BTreeMap::new();
        for (class, segments) in found.iter().enumerate() {
            for (segment, Segment { from, .. }) in segments.iter().enumerate().skip(1) {
                passed.entry((from.evaluate(sample), from)).or_default().push((class, segment));
            }
        }
        let borders: Vec<Self> = passed.into_iter().map(|((_, at), passed)| Self { at: at.clone(), passed }).collect();
        borders.windows(2).for_each(|pair| conditions.require(&(&pair[1].at - &pair[0].at)));
        borders
    }
}

/// The state of a walk along ascending thresholds.
struct ThresholdWalk<'r> {
    held: &'r Held,
    sample: &'r [BigInt],
    measure: Measure,
    classes: &'r [Class],
    found: &'r [Vec<Segment>],
    /// The number of reuses above the threshold.
    reuses: Poly,
    /// The sum by which all values exceed the threshold.
    excess: Poly,
    /// The number of open classes.
    open: usize,
}

/// The value of sizes that count as large.
const LARGE: i64 = 1 << 40;

/// A range is narrow if it is shorter than its end divided by this number.
const NARROW: i64 = 1 << 10;

impl<'r> ThresholdWalk<'r> {
    fn new(
        held: &'r Held,
        sample: &'r [BigInt],
        measure: Measure,
        classes: &'r [Class],
        found: &'r [Vec<Segment>],
    ) -> Self {
        let (reuses, excess, open) = (Poly::zero(), Poly::zero(), 0);
        let mut walk = Self { held, sample, measure, classes, found, reuses, excess, open };
        (0..found.len()).for_each(|class| walk.enter(class, 0));
        walk
    }

    fn cases(mut self, borders: &[Border]) -> Vec<Case> {
        let mut cases = Vec::new();
        let mut from = Poly::zero();
        for Border { at, passed } in borders {
            cases.push(self.case(&from, Some(at)));
            for &(class, segment) in passed {
                self.leave(class, segment - 1);
                self.enter(class, segment);
            }
            from = at.clone();
        }
        cases.push(self.case(&from, None));
        cases
    }

    fn enter(&mut self, class: usize, segment: usize) {
        match &self.found[class][segment].above {
            Above::Sums([count, excess]) => self.add(class, count, excess),
            Above::Open => self.open += 1,
        }
    }

    fn leave(&mut self, class: usize, segment: usize) {
        match &self.found[class][segment].above {
            Above::Sums([count, excess]) => self.add(class, &-count, &-excess),
            Above::Open => self.open -= 1,
        }
    }

    fn add(&mut self, class: usize, count: &Poly, excess: &Poly) {
        if self.classes[class].kind == IntervalKind::Real {
            self.reuses = &self.reuses + count;
        }
        self.excess = &self.excess + excess;
    }

    fn case(&self, from: &Poly, to: Option<&Poly>) -> Case {
        let Held { accesses, blocks, .. } = self.held;
        let known = self.measure == Measure::Intervals && self.open == 0;
        let threshold = Var(self.sample.len() as u32);
        // Where there is one threshold only it has a value.
        let only = to.filter(|to| (*to - from).as_constant().is_some_and(|length| length.is_one())).map(|_| from);
        let formula = |poly: &Poly| match only {
            Some(only) => poly.with_value(threshold, only),
            None => poly.periodic_form(),
        };
        let place = |end: &Poly| end.evaluate(self.sample);
        let is_wide = |to: &Poly| (place(to) - place(from)) * Rational::from_integer(NARROW.into()) > place(to);
        Case {
            from: from.clone(),
            to: to.cloned(),
            misses: formula(&(&self.reuses + blocks)),
            working_set: known.then(|| &(accesses * blocks) - &self.excess),
            open: self.open,
            is_wide: to.is_none_or(is_wide),
        }
    }
}
