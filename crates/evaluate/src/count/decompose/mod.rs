//! Cuts a piece of a class into atoms, runs and regions.
//!
//! 0. Two of several iterators that are the [digits] of one number become one.
//! 1. Iterators with constant bounds, an affine value and a constant count form a number in mixed radix, whatever their
//!    number; one such of several, [independent] of the others, is a digit above the parts of these.
//! 2. While the conditions confine a direction of the iterators, `q` or `q − q′`, to a short interval, its values are
//!    enumerated: a strip along a diagonal has few of them.
//! 3. If one iterator is left, the points are a row on each residue modulo the period of v, with a periodic count.
//! 4. If two are left, they are [a plane](plane): rows between affine bounds, along a direction in which v
//!    changes least: best, not at all.
//! 5. If v has floors of one of several, its [residues] are taken apart: without the floors steps 0 and 1 may be possible. Two that
//!    would be the digits of one number with a few more values of the lower one are all numbers less those values.
//! 6. A box on which v is affine along each coordinate is [a fan](fan): with one of them fixed, a number in mixed radix.
//! 7. Everything else, three long iterators or a value that changes direction inside a trapezoid, is enumerated along
//!    one iterator, within the limit of points.
//!
//! Enumerated directions have [slices]; those that are alike are cut once. [`recent`] lets sizes share the parts of pieces.

mod digits;
mod directions;
mod fan;
mod grid;
mod independent;
mod lattice;
mod linear;
mod plan;
mod plane;
mod polygon;
mod recent;
mod residues;
mod slices;
mod strips;

use symloc_model::IntervalKind;
use symloc_quasi::{Int, Relation, Section, Univariate};

use crate::count::limits::{RESIDUES, SHORT, SHORT_RUN};
use crate::count::parts::Parts;
use crate::count::parts::periodic::Periodic;
use crate::count::parts::radix::{Digit, Lowest, MixedRadix};
use crate::count::parts::run::PointRow;
use crate::error::Stop;
use lattice::{AffineFunction, Change, Lattice, LatticeLine};
use linear::LinearSection;
use strips::{Strip, are_contradictory, bounded, implied, ranges, shortest};

pub(crate) use plan::Plan;

/// A piece at one size, while it is cut into parts.
pub(crate) struct Decomposition<'p> {
    kind: IntervalKind,
    plan: &'p Plan,
    value: Section<'p>,
    count: Section<'p>,
    floored: Vec<(Section<'p>, Relation)>,
    /// Sums of counts along whole lines, if the count is linear in floors.
    linear: Option<LinearSection<'p>>,
    /// The number of points and rows that may still be enumerated.
    left: &'p mut u64,
    parts: &'p mut Parts,
}

/// The reason why a piece could not be cut.
pub(crate) enum Trouble {
    /// It must be enumerated as a whole.
    Beyond,
    /// The evaluation ends.
    Stop(Stop),
}

type Decomposed = Result<(), Trouble>;

fn checked<T>(value: Option<T>) -> Result<T, Trouble> {
    value.ok_or(Trouble::Beyond)
}

fn contradiction(reason: impl Into<String>) -> Trouble {
    Trouble::Stop(Stop::Contradiction(reason.into()))
}

fn integer(section: &Section<'_>, point: &[i128]) -> Result<Int, Trouble> {
    section.value(point).ok_or_else(|| contradiction("a value is not an integer"))
}

impl<'p> Decomposition<'p> {
    /// Adds the parts of a piece at a size to `parts`.
    pub(crate) fn run(
        plan: &'p Plan,
        kind: IntervalKind,
        size: &'p [i128],
        left: &'p mut u64,
        parts: &'p mut Parts,
    ) -> Decomposed {
        let conditions = conditions(plan, size)?;
        if are_contradictory(&conditions) {
            return Ok(());
        }
        let lattice = Lattice::whole(plan.iterators);
        let mut piece = Self::new(plan, kind, size, left, parts);
        match &plan.recent {
            Some(recent) => piece.share(recent, lattice, conditions),
            None => piece.part(lattice, conditions),
        }
    }

    fn new(plan: &'p Plan, kind: IntervalKind, size: &'p [i128], left: &'p mut u64, parts: &'p mut Parts) -> Self {
        debug_assert_eq!(size.len(), plan.parameters);
        let floored = plan.floored.iter().map(|(formula, relation)| (formula.section(size), *relation)).collect();
        let (value, count) = (plan.value.section(size), plan.count.section(size));
        let linear = plan.linear.as_ref().and_then(|linear| linear.section(size));
        Self { kind, plan, value, count, floored, linear, left, parts }
    }

    fn part(&mut self, lattice: Lattice, mut conditions: Vec<AffineFunction>) -> Decomposed {
        if conditions.iter().any(|c| c.is_constant() && c.constant < 0) {
            return Ok(());
        }
        conditions.retain(|c| !c.is_constant());
        let dimensions = lattice.dimensions();
        if dimensions == 0 {
            return self.point(&lattice.origin);
        }
        if dimensions > 2
            && let Some((lattice, conditions)) = self.merged(&lattice, &conditions)
        {
            return self.part(lattice, conditions);
        }
        let strip = checked(shortest(&conditions))?;
        let length = checked(strip.length())?;
        match dimensions {
            1 => self.line(&lattice, strip.first, length),
            _ if self.radix(&lattice, &conditions)? => Ok(()),
            3.. if self.stacked(&lattice, &conditions)? => Ok(()),
            _ if length <= SHORT => self.enumerate(&lattice, &conditions, &strip),
            2 => self.plane(&lattice, &conditions),
            _ if self.filled(&lattice, &conditions)? || self.fanned(&lattice, &conditions)? => Ok(()),
            _ => self.one_by_one(&lattice, &conditions, strip),
        }
    }

    /// Cuts the piece on the residues of a coordinate, or at the values of a direction: of one that makes v affine, or of the shortest.
    fn one_by_one(&mut self, lattice: &Lattice, conditions: &[AffineFunction], shortest: Strip) -> Decomposed {
        if let Some(floored) = self.floored_coordinate(lattice, conditions) {
            return self.on_residues(lattice, conditions, floored);
        }
        let strip = self.straightening(lattice, conditions).unwrap_or(shortest);
        self.parts.enumerated += checked(strip.length())? as u64;
        self.enumerate(lattice, conditions, &strip)
    }

    /// Returns the shortest direction that makes v affine once it is fixed: the rest may then be a number in mixed
    /// radix.
    fn straightening(&self, lattice: &Lattice, conditions: &[AffineFunction]) -> Option<Strip> {
        let straightens = |strip: &Strip| {
            let rest = lattice.substitute(&Change::fix(&strip.direction, strip.first));
            rest.is_some_and(|rest| self.plan.is_affine_on(&rest))
        };
        bounded(conditions).filter(straightens).reduce(Strip::shorter)
    }

    /// Adds the points as numbers in mixed radix; returns false if they do not have that form.
    fn radix(&mut self, lattice: &Lattice, conditions: &[AffineFunction]) -> Result<bool, Trouble> {
        if !self.plan.is_uniform_on(lattice) || !self.plan.is_affine_on(lattice) {
            return Ok(false);
        }
        let Some(ranges) = ranges(conditions, lattice.dimensions()) else { return Ok(false) };
        if ranges.iter().any(|(low, high)| low > high) {
            return Ok(true);
        }
        let corner: Vec<i128> = ranges.iter().map(|(low, _)| *low).collect();
        let origin = checked(lattice.point(&corner))?;
        let count = self.count_at(&origin)?;
        if count.is_zero() {
            return Ok(true);
        }
        let base = integer(&self.value, &origin)?;
        let mut digits = Vec::with_capacity(ranges.len());
        for (k, (low, high)) in ranges.iter().enumerate() {
            let length = checked(high.checked_sub(*low).and_then(|length| length.checked_add(1)))?;
            let mut next = corner.clone();
            next[k] += 1;
            let step = match length {
                1 => Int::ZERO,
                _ => &integer(&self.value, &checked(lattice.point(&next))?)? - &base,
            };
            digits.push(Digit { step, length });
        }
        let Some(radix) = MixedRadix::new(Lowest::One(base, count.clone()), digits) else { return Ok(false) };
        check(&radix.low(), &count)?;
        self.parts.radix(self.kind, radix);
        Ok(true)
    }

    /// Cuts the piece in other coordinates, or a part of it.
    fn changed(&mut self, lattice: &Lattice, conditions: &[AffineFunction], change: &Change) -> Decomposed {
        *self.left = self.left.checked_sub(1).ok_or(Trouble::Stop(Stop::Limit))?;
        let conditions = conditions.iter().map(|c| c.substitute(change)).collect::<Option<_>>();
        self.part(checked(lattice.substitute(change))?, checked(conditions)?)
    }

    /// Adds what some work adds to an empty list of parts, and returns true; false if the work does not succeed. Points that do
    /// not count may have contradictory values, so contradictions are left to enumeration.
    fn aside(&mut self, work: impl FnOnce(&mut Self) -> Decomposed) -> Result<bool, Trouble> {
        let left = *self.left;
        let before = std::mem::take(self.parts);
        let outcome = work(self);
        let found = std::mem::replace(self.parts, before);
        match outcome {
            Ok(()) => self.parts.append(found),
            Err(Trouble::Beyond | Trouble::Stop(Stop::Contradiction(_))) => {
                *self.left = left;
                return Ok(false);
            }
            stop => stop?,
        }
        Ok(true)
    }

    fn point(&mut self, point: &[i128]) -> Decomposed {
        let line = LatticeLine::new(
            &Lattice { origin: point.to_vec(), steps: vec![vec![0; point.len()]] },
            self.plan.iterators,
        );
        self.row(&line, 1, 1)
    }

    /// Adds `length` points of a lattice with one step, from the coordinate `low` on.
    fn line(&mut self, lattice: &Lattice, low: i128, length: i128) -> Decomposed {
        let step = &lattice.steps[0];
        let line = checked(LatticeLine::new(lattice, self.plan.iterators).part(low, 1))?;
        let period = checked(self.plan.periods.along(step))?;
        let own = checked(self.plan.value_periods.along(step))?;
        self.check_congruences(line.origin(), step, period)?;
        if period > 1 && own == 1 && self.single_value(&line, length)? {
            return Ok(());
        }
        let before = self.parts.mark();
        match self.progressions(&line, length, own, period) {
            // A value need not be an integer where nothing is counted: separate these points.
            Err(Trouble::Beyond) if own < period => {
                self.parts.reset(before);
                self.progressions(&line, length, period, period)
            }
            outcome => outcome,
        }
    }

    /// Adds the points of a line as one row for each residue on which v is polynomial; c has this period.
    fn progressions(&mut self, line: &LatticeLine, length: i128, residues: i128, period: i128) -> Decomposed {
        for residue in 0..residues.min(length) {
            let points = (length - residue - 1) / residues + 1;
            self.row(&checked(line.part(residue, residues))?, points, period / residues)?;
        }
        Ok(())
    }

    /// Checks that conditions with floors are congruences: they hold, or do not, on whole residues.
    fn check_congruences(&self, origin: &[i128], step: &[i128], period: i128) -> Decomposed {
        let next =
            origin.iter().zip(step).map(|(x, s)| x.checked_add(s.checked_mul(period)?)).collect::<Option<Vec<_>>>();
        let next = checked(next)?;
        let same = |(section, _): &(Section<'_>, Relation)| section.value(origin) == section.value(&next);
        checked(self.floored.iter().all(same).then_some(()))
    }

    /// Returns c at a point: zero where a congruence does not hold.
    fn count_at(&self, point: &[i128]) -> Result<Int, Trouble> {
        for (section, relation) in &self.floored {
            if !relation.holds(integer(section, point)?.cmp(&Int::ZERO)) {
                return Ok(Int::ZERO);
            }
        }
        integer(&self.count, point)
    }

    /// Adds a line whose points all have one value, if their counts can be summed at once; returns false otherwise.
    fn single_value(&mut self, line: &LatticeLine, length: i128) -> Result<bool, Trouble> {
        let Some(linear) = &self.linear else { return Ok(false) };
        // It need not be an integer where nothing is counted.
        let Some(value) = self.value.value(line.origin()) else { return Ok(false) };
        for t in 1..length.min(self.plan.value_degree as i128 + 1) {
            if self.value.value(checked(line.at(t))?.coordinates()).as_ref() != Some(&value) {
                return Ok(false);
            }
        }
        let count = checked(linear.sum(line, length))?;
        check(&value, &count)?;
        self.parts.atom(self.kind, value, count);
        Ok(true)
    }

    /// Adds the points on a line on which v is polynomial; c has this period.
    fn row(&mut self, line: &LatticeLine, length: i128, period: i128) -> Decomposed {
        if length < SHORT_RUN {
            return self.points(line, length);
        }
        self.charge(period.saturating_mul(self.plan.count_degree as i128 + 1).min(length))?;
        let count = self.counts_along(line, length, period)?;
        if count.is_zero(length) {
            return Ok(());
        }
        self.finish(&PointRow { length, value: self.value_along(line, length)?, count })
    }

    /// Adds the points of a line one by one.
    fn points(&mut self, line: &LatticeLine, length: i128) -> Decomposed {
        for t in 0..length {
            let point = checked(line.at(t))?;
            let count = self.count_at(point.coordinates())?;
            if !count.is_zero() {
                let value = integer(&self.value, point.coordinates())?;
                check(&value, &count)?;
                self.parts.atom(self.kind, value, count);
            }
        }
        Ok(())
    }

    /// Interpolates c from the first points of a line, where it has this period.
    fn counts_along(&self, line: &LatticeLine, length: i128, period: i128) -> Result<Periodic<1>, Trouble> {
        let count = |t| Ok([self.count_at(checked(line.at(t))?.coordinates())?]);
        Periodic::through(period, self.plan.count_degree, length, count)
    }

    /// Interpolates v from the first points of a line, where it is polynomial.
    fn value_along(&self, line: &LatticeLine, length: i128) -> Result<Univariate, Trouble> {
        let points = length.min(self.plan.value_degree as i128 + 1);
        let value = |t| checked(self.value.value(checked(line.at(t))?.coordinates()));
        Ok(Univariate::through(&(0..points).map(value).collect::<Result<Vec<_>, _>>()?))
    }

    /// Counts samples as enumerated points, if there are more than [`RESIDUES`].
    fn charge(&mut self, samples: i128) -> Decomposed {
        if samples > RESIDUES {
            self.parts.enumerated += samples as u64;
            let left = u64::try_from(samples).ok().and_then(|samples| self.left.checked_sub(samples));
            *self.left = left.ok_or(Trouble::Stop(Stop::Limit))?;
        }
        Ok(())
    }

    fn finish(&mut self, row: &PointRow) -> Decomposed {
        if row.count.is_negative_somewhere(row.length) {
            return Err(negative_count());
        }
        for run in row.runs() {
            if run.low() <= Int::ZERO {
                check(&run.low(), &run.up_to(&Int::ZERO).count)?;
            }
            self.parts.run(self.kind, run);
        }
        Ok(())
    }
}

/// Returns the conditions without floors at a size.
fn conditions(plan: &Plan, size: &[i128]) -> Result<Vec<AffineFunction>, Trouble> {
    let mut conditions = Vec::with_capacity(plan.plain.len());
    for (formula, relation) in &plan.plain {
        let condition = match formula.affine(size) {
            Some((constant, slopes)) => checked(AffineFunction::new(constant, slopes))?,
            None => affine(&formula.section(size), &Lattice::whole(plan.iterators))?,
        };
        condition.join(*relation, &mut conditions);
    }
    if plan.iterators > 2 {
        conditions.extend(implied(&conditions));
    }
    Ok(conditions)
}

fn negative_count() -> Trouble {
    contradiction("a negative number of accesses")
}

/// Returns an error if accesses have a value that is no interval, or if their count is negative.
fn check(value: &Int, count: &Int) -> Decomposed {
    if count.is_negative() {
        return Err(negative_count());
    }
    match *value <= Int::ZERO && !count.is_zero() {
        true => Err(contradiction(format!("accesses with a reuse interval of {value}"))),
        false => Ok(()),
    }
}

/// Returns the condition `section ≥ 0` on a lattice where it is affine.
fn affine(section: &Section<'_>, lattice: &Lattice) -> Result<AffineFunction, Trouble> {
    let constant = checked(integer(section, &lattice.origin)?.to_i128())?;
    let mut slopes = Vec::with_capacity(lattice.dimensions());
    for step in &lattice.steps {
        let next: Option<Vec<_>> = lattice.origin.iter().zip(step).map(|(x, s)| x.checked_add(*s)).collect();
        let value = checked(integer(section, &checked(next)?)?.to_i128())?;
        slopes.push(checked(value.checked_sub(constant))?);
    }
    checked(AffineFunction::new(constant, slopes))
}
