//! Cuts a piece of a class into atoms, runs and regions.
//!
//! 0. Iterators with constant bounds, an affine value and a constant count form a number in mixed radix, whatever their
//!    number.
//! 1. While the conditions confine a direction of the iterators, `q` or `q − q′`, to a short interval, its values are
//!    enumerated: a strip along a diagonal has few of them.
//! 2. If one iterator is left, the points are a row on each residue modulo the period of v, with a periodic count.
//! 3. If two are left, they are [a plane](super::plane): rows between affine bounds, along a direction in which v
//!    changes least: best, not at all.
//! 4. Everything else, three long iterators or a value that changes direction inside a trapezoid, is enumerated along
//!    one iterator, within the limit of points.

mod directions;
mod grid;
pub(super) mod lattice;
mod linear;
mod plane;

use symloc_model::{CountPiece, IntervalKind, ReuseClass};
use symloc_quasi::{Constraint, Evaluator as Formula, Int, Periods, Poly, Relation, Section, Univariate, Var};

use crate::count::limits::{ITERATORS, RESIDUES, SHORT};
use crate::count::parts::Parts;
use crate::count::parts::periodic::Periodic;
use crate::count::parts::radix::{Digit, MixedRadix};
use crate::count::parts::run::PointRow;
use crate::error::Stop;
use lattice::{AffineFunction, Change, Lattice, LatticeDirection, LatticeLine, bounded, ranges, shortest};
use linear::{Linear, LinearSection};

/// A piece of a class with free iterators, prepared for all sizes.
#[derive(Debug)]
pub(crate) struct Plan {
    parameters: usize,
    pub(crate) iterators: usize,
    value: Formula,
    pub(crate) value_degree: usize,
    /// Pairs of iterators whose product, or whose square, occurs in v.
    products: Vec<(usize, usize)>,
    count: Formula,
    pub(crate) count_degree: usize,
    /// The iterators that c depends on, and conditions with floors.
    counted: Vec<usize>,
    /// Conditions on parameters alone.
    fixed: Vec<(Formula, Relation)>,
    /// Conditions without floors of iterators.
    plain: Vec<(Formula, Relation)>,
    /// Conditions with floors of iterators.
    floored: Vec<(Formula, Relation)>,
    pub(crate) periods: Periods,
    /// The periods of the value alone.
    pub(crate) value_periods: Periods,
    /// The count, if it is linear in floors and there are no conditions with floors.
    linear: Option<Linear>,
}

impl Plan {
    /// Prepares a piece. `None` if its formulas are not of the kind that symloc writes; the piece can still be
    /// enumerated.
    pub(crate) fn new(class: &ReuseClass, piece: &CountPiece, parameters: usize) -> Option<Self> {
        let iterators = class.iterators.len();
        if iterators > ITERATORS {
            return None;
        }
        let first = Var(u32::try_from(parameters).ok()?);
        let formula = |poly: &Poly| Formula::new(poly, parameters + iterators);
        let mut periods = Periods::default();
        for poly in [&class.value, &piece.count] {
            periods.add(poly, first, iterators)?;
        }
        let (mut fixed, mut plain, mut floored) = (Vec::new(), Vec::new(), Vec::new());
        let mut counted = iterators_of(&piece.count, first);
        for Constraint { poly, relation } in &piece.domain {
            let mut own = Periods::default();
            own.add(poly, first, iterators)?;
            periods.add(poly, first, iterators)?;
            match poly.degree_from(first) {
                0 => fixed.push((formula(poly), *relation)),
                1 if own.is_empty() => plain.push((formula(poly), *relation)),
                1 => {
                    floored.push((formula(poly), *relation));
                    counted.extend(iterators_of(poly, first));
                }
                _ => return None,
            }
        }
        // The bounds follow from the conditions together, but not from a single one of them.
        for (bounds, var) in piece.bounds.iter().zip(first.0..) {
            let iterator = Poly::var(Var(var));
            let lower = bounds.lower.iter().map(|bound| &iterator - bound);
            let upper = bounds.upper.iter().map(|bound| bound - &iterator);
            for poly in lower.chain(upper) {
                let mut own = Periods::default();
                own.add(&poly, first, iterators)?;
                let known = || piece.domain.iter().any(|c| c.relation == Relation::NonNegative && c.poly == poly);
                if own.is_empty() && poly.degree_from(first) == 1 && !known() {
                    plain.push((formula(&poly), Relation::NonNegative));
                }
            }
        }
        let mut value_periods = Periods::default();
        value_periods.add(&class.value, first, iterators)?;
        let linear = if floored.is_empty() { Linear::new(&piece.count, first, iterators) } else { None };
        let degree = |poly: &Poly| usize::try_from(poly.degree_from(first)).ok().filter(|degree| *degree <= 16);
        Some(Self {
            parameters,
            iterators,
            value: formula(&class.value),
            value_degree: degree(&class.value)?,
            products: products(&class.value, first),
            count: formula(&piece.count),
            count_degree: degree(&piece.count)?,
            counted,
            fixed,
            plain,
            floored,
            periods,
            value_periods,
            linear,
        })
    }

    /// Returns true if c is constant on the points of a lattice that satisfy the plain conditions.
    fn is_uniform_on(&self, lattice: &Lattice) -> bool {
        !self.counted.iter().any(|i| lattice.moves(*i))
    }

    /// Returns true if v is affine on a lattice.
    fn is_affine_on(&self, lattice: &Lattice) -> bool {
        lattice.steps.iter().all(|step| self.value_periods.along(step) == Some(1))
            && !self.products.iter().any(|(i, j)| lattice.moves(*i) && lattice.moves(*j))
    }
}

/// Returns the pairs of variables from `first` on that are factors of one term, outside and inside floors.
fn products(value: &Poly, first: Var) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (monomial, _) in value.terms() {
        let factors = monomial.factors().iter().flat_map(|(atom, exponent)| vec![atom; *exponent as usize]);
        let factors: Vec<_> = factors.map(|atom| iterators_of(&Poly::atom(atom.clone()), first)).collect();
        for (k, factor) in factors.iter().enumerate() {
            let others = factors[k + 1..].iter().flatten();
            pairs.extend(others.flat_map(|j| factor.iter().map(|i| (*i, *j))));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Returns the variables from `first` on that a polynomial depends on, counted from `first`.
fn iterators_of(poly: &Poly, first: Var) -> Vec<usize> {
    poly.vars().into_iter().filter_map(|var| var.0.checked_sub(first.0)).map(|i| i as usize).collect()
}

/// A piece at one size, while it is cut into parts.
pub(crate) struct Decomposition<'p> {
    pub(crate) kind: IntervalKind,
    pub(crate) plan: &'p Plan,
    pub(crate) value: Section<'p>,
    pub(crate) count: Section<'p>,
    pub(crate) floored: Vec<(Section<'p>, Relation)>,
    /// Sums of counts along whole lines, if the count is linear in floors.
    pub(crate) linear: Option<LinearSection<'p>>,
    /// The number of points and rows that may still be enumerated.
    left: &'p mut u64,
    pub(crate) parts: &'p mut Parts,
}

/// The reason why a piece could not be cut.
pub(crate) enum Trouble {
    /// It must be enumerated as a whole.
    Beyond,
    /// The evaluation ends.
    Stop(Stop),
}

pub(crate) type Decomposed = Result<(), Trouble>;

pub(crate) fn checked<T>(value: Option<T>) -> Result<T, Trouble> {
    value.ok_or(Trouble::Beyond)
}

fn contradiction(reason: impl Into<String>) -> Trouble {
    Trouble::Stop(Stop::Contradiction(reason.into()))
}

pub(crate) fn integer(section: &Section<'_>, point: &[i128]) -> Result<Int, Trouble> {
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
        debug_assert_eq!(size.len(), plan.parameters);
        if !plan.fixed.iter().all(|(formula, relation)| relation.holds(formula.sign(size))) {
            return Ok(());
        }
        let lattice = Lattice::whole(plan.iterators);
        let mut conditions = Vec::new();
        for (formula, relation) in &plan.plain {
            let condition = affine(&formula.section(size), &lattice)?;
            push(&mut conditions, condition, *relation);
        }
        let floored = plan.floored.iter().map(|(formula, relation)| (formula.section(size), *relation)).collect();
        let (value, count) = (plan.value.section(size), plan.count.section(size));
        let linear = plan.linear.as_ref().and_then(|linear| linear.section(size));
        Decomposition { kind, plan, value, count, floored, linear, left, parts }.part(lattice, conditions)
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
        let (direction, low, high) = checked(shortest(&conditions))?;
        let length = (checked(high.checked_sub(low))? + 1).max(0);
        match dimensions {
            1 => self.line(&lattice, low, length),
            _ if self.radix(&lattice, &conditions)? => Ok(()),
            _ if length <= SHORT => self.enumerate(&lattice, &conditions, &direction, low, high),
            2 => self.plane(&lattice, &conditions),
            _ => {
                let (direction, low, high) =
                    self.straightening(&lattice, &conditions).unwrap_or((direction, low, high));
                self.parts.enumerated += (high.saturating_sub(low) + 1).max(0) as u64;
                self.enumerate(&lattice, &conditions, &direction, low, high)
            }
        }
    }

    /// Returns the shortest direction that makes v affine once it is fixed: the rest may then be a number in mixed
    /// radix.
    fn straightening(
        &self,
        lattice: &Lattice,
        conditions: &[AffineFunction],
    ) -> Option<(LatticeDirection, i128, i128)> {
        let rest = |direction: &LatticeDirection, low| lattice.substitute(&Change::fix(direction, low));
        let straightens =
            |(direction, low, _): &_| rest(direction, *low).is_some_and(|rest| self.plan.is_affine_on(&rest));
        bounded(conditions).filter(straightens).min_by_key(|(_, low, high)| high.saturating_sub(*low))
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
        let Some(radix) = MixedRadix::new(base, count.clone(), digits) else { return Ok(false) };
        check(&radix.low(), &count)?;
        self.parts.radix(self.kind, radix);
        Ok(true)
    }

    /// Cuts the piece at every value of a direction separately.
    pub(crate) fn enumerate(
        &mut self,
        lattice: &Lattice,
        conditions: &[AffineFunction],
        direction: &LatticeDirection,
        low: i128,
        high: i128,
    ) -> Decomposed {
        // Refuse at once, not after minutes.
        if high.saturating_sub(low) >= i128::from(*self.left) {
            return Err(Trouble::Stop(Stop::Limit));
        }
        for value in low..=high {
            *self.left = self.left.checked_sub(1).ok_or(Trouble::Stop(Stop::Limit))?;
            let change = Change::fix(direction, value);
            let conditions = conditions.iter().map(|c| c.substitute(&change)).collect::<Option<_>>();
            self.part(checked(lattice.substitute(&change))?, checked(conditions)?)?;
        }
        Ok(())
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
    pub(crate) fn check_congruences(&self, origin: &[i128], step: &[i128], period: i128) -> Decomposed {
        let next =
            origin.iter().zip(step).map(|(x, s)| x.checked_add(s.checked_mul(period)?)).collect::<Option<Vec<_>>>();
        let next = checked(next)?;
        let same = |(section, _): &(Section<'_>, Relation)| section.value(origin) == section.value(&next);
        checked(self.floored.iter().all(same).then_some(()))
    }

    /// Returns c at a point: zero where a congruence does not hold.
    pub(crate) fn count_at(&self, point: &[i128]) -> Result<Int, Trouble> {
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
    pub(crate) fn row(&mut self, line: &LatticeLine, length: i128, period: i128) -> Decomposed {
        self.charge(period.saturating_mul(self.plan.count_degree as i128 + 1).min(length))?;
        let count = self.counts_along(line, length, period)?;
        if count.is_zero(length) {
            return Ok(());
        }
        self.finish(&PointRow { length, value: self.value_along(line, length)?, count })
    }

    /// Interpolates c from the first points of a line, where it has this period.
    pub(crate) fn counts_along(&self, line: &LatticeLine, length: i128, period: i128) -> Result<Periodic<1>, Trouble> {
        let count = |t| Ok([self.count_at(checked(line.at(t))?.coordinates())?]);
        Periodic::through(period, self.plan.count_degree, length, count)
    }

    /// Interpolates v from the first points of a line, where it is polynomial.
    pub(crate) fn value_along(&self, line: &LatticeLine, length: i128) -> Result<Univariate, Trouble> {
        let points = length.min(self.plan.value_degree as i128 + 1);
        let value = |t| checked(self.value.value(checked(line.at(t))?.coordinates()));
        Ok(Univariate::through(&(0..points).map(value).collect::<Result<Vec<_>, _>>()?))
    }

    /// Counts samples as enumerated points, if there are more than [`RESIDUES`].
    pub(crate) fn charge(&mut self, samples: i128) -> Decomposed {
        if samples > RESIDUES {
            self.parts.enumerated += samples as u64;
            let left = u64::try_from(samples).ok().and_then(|samples| self.left.checked_sub(samples));
            *self.left = left.ok_or(Trouble::Stop(Stop::Limit))?;
        }
        Ok(())
    }

    pub(crate) fn finish(&mut self, row: &PointRow) -> Decomposed {
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

pub(crate) fn negative_count() -> Trouble {
    contradiction("a negative number of accesses")
}

/// Returns an error if accesses have a value that is no interval, or if their count is negative.
pub(crate) fn check(value: &Int, count: &Int) -> Decomposed {
    if count.is_negative() {
        return Err(negative_count());
    }
    match *value <= Int::ZERO && !count.is_zero() {
        true => Err(contradiction(format!("accesses with a reuse interval of {value}"))),
        false => Ok(()),
    }
}

/// Returns the condition `section ≥ 0` on a lattice where it is affine.
pub(crate) fn affine(section: &Section<'_>, lattice: &Lattice) -> Result<AffineFunction, Trouble> {
    let constant = checked(integer(section, &lattice.origin)?.to_i128())?;
    let mut slopes = Vec::with_capacity(lattice.dimensions());
    for step in &lattice.steps {
        let next: Option<Vec<_>> = lattice.origin.iter().zip(step).map(|(x, s)| x.checked_add(*s)).collect();
        let value = checked(integer(section, &checked(next)?)?.to_i128())?;
        slopes.push(checked(value.checked_sub(constant))?);
    }
    checked(AffineFunction::new(constant, slopes))
}

/// Adds a condition, an equation as two inequalities.
fn push(conditions: &mut Vec<AffineFunction>, condition: AffineFunction, relation: Relation) {
    if relation == Relation::Zero {
        conditions.push(condition.reversed().tightened());
    }
    conditions.push(condition.tightened());
}
