//! Cutting a piece of a class into atoms, stretches and regions.
//!
//! 1. While the conditions confine a direction of the iterators, `q` or `q − q′`, to a short interval, its values are
//!    enumerated: a strip along a diagonal has few of them.
//! 2. If one iterator is left, every residue modulo the period of the floors is a progression on which conditions are
//!    affine and v and c polynomial: an interval of it remains, and is a row of points.
//! 3. If two are left, every pair of residues is a polygon. It is cut into trapezoids, each with rows of points between two
//!    affine bounds. The rows run along a direction in which v changes least: best, not at all.
//! 4. What is left then, three long iterators or a value that changes direction in the midst of a trapezoid, is enumerated
//!    along one iterator, within the limit of points.

use num_integer::Integer;
use symloc_quasi::{Constraint, Evaluator as Formula, Int, Periods, Poly, Relation, Section, Univariate, Var};

use super::Parts;
use super::lattice::{Affine, Change, Direction, Lattice, shortest};
use super::region::Grid;
use super::stretch::Row;
use crate::data::{CountPiece, Kind, ReuseClass};
use crate::eval::Stop;

/// Directions with so many values are enumerated even where that is not necessary.
const SHORT: i128 = 64;
/// More residues than these, of one iterator or of a pair, are not worth while.
const RESIDUES: i128 = 1 << 14;

/// Directions in which v is constant have components up to this.
const STEEPEST: i128 = 64;

/// A piece of a class with free iterators, prepared for all sizes.
#[derive(Debug)]
pub(crate) struct Plan {
    parameters: usize,
    iterators: usize,
    value: Formula,
    value_degree: usize,
    count: Formula,
    count_degree: usize,
    /// Conditions on parameters alone.
    fixed: Vec<(Formula, Relation)>,
    /// Conditions without floors of iterators.
    plain: Vec<(Formula, Relation)>,
    /// Conditions with floors of iterators.
    floored: Vec<(Formula, Relation)>,
    periods: Periods,
}

impl Plan {
    /// Prepares a piece. `None` if its formulas are not of the kind that symloc writes; it can still be enumerated.
    pub(crate) fn new(class: &ReuseClass, piece: &CountPiece, parameters: usize) -> Option<Self> {
        let iterators = class.iterators.len();
        let first = Var(u32::try_from(parameters).ok()?);
        let formula = |poly: &Poly| Formula::new(poly, parameters + iterators);
        let mut periods = Periods::default();
        for poly in [&class.value, &piece.count] {
            periods.add(poly, first, iterators)?;
        }
        let (mut fixed, mut plain, mut floored) = (Vec::new(), Vec::new(), Vec::new());
        for Constraint { poly, relation } in &piece.domain {
            let mut own = Periods::default();
            own.add(poly, first, iterators)?;
            periods.add(poly, first, iterators)?;
            match poly.degree_from(first) {
                0 => fixed.push((formula(poly), *relation)),
                1 if own.is_empty() => plain.push((formula(poly), *relation)),
                1 => floored.push((formula(poly), *relation)),
                _ => return None,
            }
        }
        // What the bounds say follows from the conditions, but not from one of them alone.
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
        let degree = |poly: &Poly| usize::try_from(poly.degree_from(first)).ok().filter(|degree| *degree <= 16);
        Some(Self {
            parameters,
            iterators,
            value: formula(&class.value),
            value_degree: degree(&class.value)?,
            count: formula(&piece.count),
            count_degree: degree(&piece.count)?,
            fixed,
            plain,
            floored,
            periods,
        })
    }
}

/// A piece at one size, on its way into parts.
pub(crate) struct Cut<'p> {
    kind: Kind,
    plan: &'p Plan,
    value: Section<'p>,
    count: Section<'p>,
    floored: Vec<(Section<'p>, Relation)>,
    /// How many points and rows may still be enumerated.
    left: &'p mut u64,
    parts: &'p mut Parts,
}

/// Why a piece could not be cut.
pub(crate) enum Trouble {
    /// It must be enumerated as a whole.
    Beyond,
    /// The evaluation ends.
    Stop(Stop),
}

type Outcome = Result<(), Trouble>;

fn checked<T>(value: Option<T>) -> Result<T, Trouble> {
    value.ok_or(Trouble::Beyond)
}

fn contradiction(reason: impl Into<String>) -> Trouble {
    Trouble::Stop(Stop::Contradiction(reason.into()))
}

fn integer(section: &Section<'_>, point: &[i128]) -> Result<Int, Trouble> {
    section.value(point).ok_or_else(|| contradiction("a value is not an integer"))
}

impl<'p> Cut<'p> {
    /// Adds the parts of a piece at a size.
    pub(crate) fn run(
        plan: &'p Plan,
        kind: Kind,
        size: &'p [i128],
        left: &'p mut u64,
        parts: &'p mut Parts,
    ) -> Outcome {
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
        Cut { kind, plan, value, count, floored, left, parts }.part(lattice, conditions)
    }

    fn part(&mut self, lattice: Lattice, mut conditions: Vec<Affine>) -> Outcome {
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
            _ if length <= SHORT => self.enumerate(&lattice, &conditions, &direction, low, high),
            2 => self.plane(&lattice, &conditions),
            _ => {
                self.parts.enumerated += length as u64;
                self.enumerate(&lattice, &conditions, &direction, low, high)
            }
        }
    }

    /// Every value of a direction apart.
    fn enumerate(
        &mut self,
        lattice: &Lattice,
        conditions: &[Affine],
        direction: &Direction,
        low: i128,
        high: i128,
    ) -> Outcome {
        for value in low..=high {
            *self.left = self.left.checked_sub(1).ok_or(Trouble::Stop(Stop::Limit))?;
            let change = Change::fix(direction, value);
            let conditions = conditions.iter().map(|c| c.substitute(&change)).collect::<Option<_>>();
            self.part(checked(lattice.substitute(&change))?, checked(conditions)?)?;
        }
        Ok(())
    }

    fn point(&mut self, point: &[i128]) -> Outcome {
        for (section, relation) in &self.floored {
            if !relation.holds(integer(section, point)?.cmp(&Int::ZERO)) {
                return Ok(());
            }
        }
        self.row(&Lattice { origin: point.to_vec(), steps: vec![vec![0; point.len()]] }, 0, 1)
    }

    /// `length` points of a lattice with one step, from the coordinate `low` on.
    fn line(&mut self, lattice: &Lattice, low: i128, length: i128) -> Outcome {
        let period = checked(self.plan.periods.along(&lattice.steps[0]))?;
        let residues = period.min(length);
        if residues > RESIDUES {
            self.parts.enumerated += residues as u64;
        }
        for residue in 0..residues {
            if residues > RESIDUES {
                *self.left = self.left.checked_sub(1).ok_or(Trouble::Stop(Stop::Limit))?;
            }
            let change = Change { start: vec![low + residue], columns: vec![vec![period]] };
            let progression = checked(lattice.substitute(&change))?;
            let points = (length - residue - 1) / period + 1;
            let mut conditions =
                vec![Affine { constant: 0, slopes: vec![1] }, Affine { constant: points - 1, slopes: vec![-1] }];
            for (section, relation) in &self.floored {
                push(&mut conditions, affine(section, &progression)?, *relation);
            }
            if conditions.iter().any(|c| c.is_constant() && c.constant < 0) {
                continue;
            }
            let (_, low, high) = checked(shortest(&conditions))?;
            if low <= high {
                self.row(&progression, low, high - low + 1)?;
            }
        }
        Ok(())
    }

    /// Points of a lattice with one step on which everything is polynomial.
    fn row(&mut self, lattice: &Lattice, start: i128, length: i128) -> Outcome {
        let sample = |section: &Section<'_>, degree: usize| {
            let points = length.min(degree as i128 + 1);
            let values = (0..points).map(|t| integer(section, &checked(lattice.point(&[start + t]))?));
            Ok::<_, Trouble>(Univariate::through(&values.collect::<Result<Vec<_>, _>>()?))
        };
        let count = sample(&self.count, self.plan.count_degree)?;
        if count.is_zero() {
            return Ok(());
        }
        let value = sample(&self.value, self.plan.value_degree)?;
        self.finish(&Row { length, value, count })
    }

    fn finish(&mut self, row: &Row) -> Outcome {
        if row.count.range(row.length).0.is_negative() {
            return Err(contradiction("a negative number of accesses"));
        }
        for stretch in row.stretches() {
            if stretch.low() <= Int::ZERO && stretch.up_to(&Int::ZERO).count > Int::ZERO {
                let interval = stretch.low();
                return Err(contradiction(format!("accesses with a reuse interval of {interval}")));
            }
            self.parts.stretch(self.kind, stretch);
        }
        Ok(())
    }

    /// Two iterators, neither of them short.
    fn plane(&mut self, lattice: &Lattice, conditions: &[Affine]) -> Outcome {
        for basis in self.bases(lattice)? {
            let lattice = checked(lattice.substitute(&basis))?;
            let conditions = checked(conditions.iter().map(|c| c.substitute(&basis)).collect::<Option<Vec<_>>>())?;
            let before = self.parts.mark();
            match self.rows(&lattice, &conditions) {
                Err(Trouble::Beyond) => self.parts.reset(before),
                outcome => return outcome,
            }
        }
        let (direction, low, high) = checked(shortest(conditions))?;
        self.parts.enumerated += (high - low + 1) as u64;
        self.enumerate(lattice, conditions, &direction, low, high)
    }

    /// Coordinates (t, s) in the order in which they should be tried: s along a direction in which v is constant, or
    /// else along one of the iterators, first that along which v changes less.
    fn bases(&self, lattice: &Lattice) -> Result<Vec<Change>, Trouble> {
        let basis = |t: [i128; 2], s: [i128; 2]| Change { start: vec![0, 0], columns: vec![t.to_vec(), s.to_vec()] };
        let (down, right) = self.gradient(lattice).unwrap_or((0, 0));
        let gcd = down.gcd(&right);
        if gcd > 0 && down.abs().max(right.abs()) / gcd <= STEEPEST {
            let (s0, s1) = (right / gcd, -down / gcd);
            // x·s₀ + y·s₁ = 1 makes (y, −x) and (s₀, s₁) a basis.
            let bezout = s0.extended_gcd(&s1);
            let sign = bezout.gcd.signum();
            let level = basis([sign * bezout.y, -sign * bezout.x], [s0, s1]);
            if self.is_constant(&checked(lattice.substitute(&level))?) {
                return Ok(vec![level]);
            }
        }
        let mut along = vec![basis([1, 0], [0, 1]), basis([0, 1], [1, 0])];
        if right.abs() > down.abs() {
            along.reverse();
        }
        Ok(along)
    }

    /// How v changes along each step, over a period of the floors.
    fn gradient(&self, lattice: &Lattice) -> Option<(i128, i128)> {
        let periods = &self.plan.periods;
        let (down, right) = (periods.along(&lattice.steps[0])?, periods.along(&lattice.steps[1])?);
        let period = down.checked_mul(right / down.gcd(&right))?;
        let value = |t, s| self.value.value(&lattice.point(&[t, s])?)?.to_i128();
        // Any point will do where the gradient is not zero and v is an integer, on the right residues if need be.
        let at = |t: i128, s: i128| {
            let (here, below, beside) = (value(t, s)?, value(t + period, s)?, value(t, s + period)?);
            Some((below.checked_sub(here)?, beside.checked_sub(here)?))
        };
        [(3 * period, period), (5 * period, 11 * period)]
            .into_iter()
            .find_map(|(t, s)| at(t, s).filter(|g| *g != (0, 0)))
    }

    /// Does v seem not to change along the second step?
    fn is_constant(&self, lattice: &Lattice) -> bool {
        let periods = &self.plan.periods;
        let Some(period) = periods.along(&lattice.steps[1]) else { return false };
        let value = |t: i128, s: i128| self.value.value(&lattice.point(&[t, s])?);
        [(0, 0), (240, 0), (0, 240), (480, 240)].into_iter().all(|(t, s)| {
            let first = value(t, s);
            first.is_some() && first == value(t, s + period)
        })
    }

    /// All pairs of residues, with rows along the second step.
    fn rows(&mut self, lattice: &Lattice, conditions: &[Affine]) -> Outcome {
        let periods = &self.plan.periods;
        let along = checked(periods.along(&lattice.steps[1]))?;
        let mut across = checked(periods.along(&lattice.steps[0]))?;
        // The bounds of s must be affine with integer slopes in t.
        let cell = Change { start: vec![0, 0], columns: vec![vec![across, 0], vec![0, along]] };
        let on_cell = checked(lattice.substitute(&cell))?;
        let mut slopes: Vec<Vec<i128>> = Vec::new();
        for condition in conditions {
            slopes.push(vec![
                checked(condition.slopes[0].checked_mul(across))?,
                checked(condition.slopes[1].checked_mul(along))?,
            ]);
        }
        for (section, _) in &self.floored {
            slopes.push(affine(section, &on_cell)?.slopes);
        }
        let factor = slopes.iter().filter(|s| s[1] != 0).try_fold(1_i128, |factor, s| {
            let needed = s[1].abs() / s[1].gcd(&s[0]);
            factor.checked_mul(needed / factor.gcd(&needed))
        });
        across = checked(across.checked_mul(checked(factor)?))?;
        if checked(across.checked_mul(along))? > RESIDUES {
            return Err(Trouble::Beyond);
        }
        for s in 0..along {
            for t in 0..across {
                let change = Change { start: vec![t, s], columns: vec![vec![across, 0], vec![0, along]] };
                self.cell(&checked(lattice.substitute(&change))?, conditions, &change)?;
            }
        }
        Ok(())
    }

    /// A pair of residues: a polygon on which everything is polynomial.
    fn cell(&mut self, lattice: &Lattice, conditions: &[Affine], change: &Change) -> Outcome {
        let mut all = Vec::with_capacity(conditions.len() + 2 * self.floored.len());
        for (section, relation) in &self.floored {
            push(&mut all, affine(section, lattice)?.tightened(), *relation);
            if all.iter().any(|c| c.is_constant() && c.constant < 0) {
                return Ok(());
            }
        }
        for condition in conditions {
            all.push(checked(condition.substitute(change))?);
        }
        if all.iter().any(|c| c.is_constant() && c.constant < 0) {
            return Ok(());
        }
        for trapezoid in checked(trapezoids(&all))? {
            self.trapezoid(lattice, &trapezoid)?;
        }
        Ok(())
    }

    fn trapezoid(&mut self, lattice: &Lattice, trapezoid: &Trapezoid) -> Outcome {
        let Trapezoid { start, end, lower, upper } = *trapezoid;
        let change = Change { start: vec![start, lower.at(start)], columns: vec![vec![1, lower.slope], vec![0, 1]] };
        let lattice = checked(lattice.substitute(&change))?;
        let width = (upper.at(start) - lower.at(start), upper.slope - lower.slope);
        let rows = end - start;
        let last = width.0 + width.1 * (rows - 1);
        // A thin trapezoid is a few rows, across or along.
        if width.1 == 0 && width.0 < 4 {
            for s in 0..=width.0 {
                let origin = checked(lattice.point(&[0, s]))?;
                self.row(&Lattice { origin, steps: vec![lattice.steps[0].clone()] }, 0, rows)?;
            }
            return Ok(());
        }
        if rows < 4 || width.0.max(last) < 4 {
            for t in 0..rows {
                let origin = checked(lattice.point(&[t, 0]))?;
                self.row(&Lattice { origin, steps: vec![lattice.steps[1].clone()] }, 0, width.0 + width.1 * t + 1)?;
            }
            return Ok(());
        }
        let differences = |section: &Section<'_>, degree: usize| {
            Grid::differences(degree, |t, s| {
                let point = checked(lattice.point(&[t as i128, s as i128]))?;
                section.value(&point).ok_or(Trouble::Beyond)
            })
        };
        let count = differences(&self.count, self.plan.count_degree)?;
        if count.is_empty() {
            return Ok(());
        }
        let grid = Grid { rows, width, value: differences(&self.value, self.plan.value_degree)?, count };
        if grid.has_negative_count() {
            return Err(contradiction("a negative number of accesses"));
        }
        if let Some(row) = grid.collapsed() {
            return self.finish(&row);
        }
        for region in checked(grid.regions())? {
            if region.low() <= Int::ZERO && region.up_to(&Int::ZERO).count > Int::ZERO {
                return Err(contradiction(format!("accesses with a reuse interval of {}", region.low())));
            }
            self.parts.region(self.kind, region);
        }
        Ok(())
    }
}

/// The condition `section ≥ 0` on a lattice where it is affine.
fn affine(section: &Section<'_>, lattice: &Lattice) -> Result<Affine, Trouble> {
    let constant = checked(integer(section, &lattice.origin)?.to_i128())?;
    let mut slopes = Vec::with_capacity(lattice.dimensions());
    for step in &lattice.steps {
        let next: Option<Vec<_>> = lattice.origin.iter().zip(step).map(|(x, s)| x.checked_add(*s)).collect();
        let value = checked(integer(section, &checked(next)?)?.to_i128())?;
        slopes.push(checked(value.checked_sub(constant))?);
    }
    Ok(Affine { constant, slopes })
}

/// Adds a condition; an equation as two inequalities.
fn push(conditions: &mut Vec<Affine>, condition: Affine, relation: Relation) {
    if relation == Relation::Zero {
        conditions.push(condition.reversed().tightened());
    }
    conditions.push(condition.tightened());
}

/// `constant + slope·t`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bound {
    constant: i128,
    slope: i128,
}

impl Bound {
    fn at(self, t: i128) -> i128 {
        self.constant + self.slope * t
    }

    fn minus(self, other: Self) -> Self {
        Self { constant: self.constant - other.constant, slope: self.slope - other.slope }
    }

    /// The first t from which the sign of a non-constant bound stays, for ascending t: the value there is not negative if the
    /// bound ascends, negative if it descends.
    fn change(self) -> i128 {
        match self.slope > 0 {
            true => num_integer::div_ceil(-self.constant, self.slope),
            false => Integer::div_floor(&self.constant, &-self.slope) + 1,
        }
    }
}

/// `start ≤ t < end`, `lower(t) ≤ s ≤ upper(t)`; no row is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Trapezoid {
    start: i128,
    end: i128,
    lower: Bound,
    upper: Bound,
}

/// The points (t, s) that satisfy all conditions; the slopes in s are −1, 0 and 1. `None` if they are not, or if some
/// direction is unbounded.
fn trapezoids(conditions: &[Affine]) -> Option<Vec<Trapezoid>> {
    let (mut lowers, mut uppers, mut across) = (Vec::new(), Vec::new(), Vec::new());
    for Affine { constant, slopes } in conditions {
        let bound = Bound { constant: *constant, slope: slopes[0] };
        match slopes[1] {
            0 => across.push(bound),
            1 => lowers.push(Bound { constant: -constant, slope: -bound.slope }),
            -1 => uppers.push(bound),
            _ => return None,
        }
    }
    // No row is empty: each pair of a lower and an upper bound is a condition on t.
    across.extend(uppers.iter().flat_map(|upper| lowers.iter().map(|lower| upper.minus(*lower))));
    let (mut start, mut end) = (None::<i128>, None::<i128>);
    for bound in across {
        match bound.slope.signum() {
            0 if bound.constant < 0 => return Some(Vec::new()),
            0 => {}
            1 => start = Some(start.map_or(bound.change(), |s| s.max(bound.change()))),
            _ => end = Some(end.map_or(bound.change(), |e| e.min(bound.change()))),
        }
    }
    let (start, end) = (start?, end?);
    let mut cuts = vec![start, end];
    for bounds in [&lowers, &uppers] {
        for (index, one) in bounds.iter().enumerate() {
            let differences = bounds[..index].iter().map(|other| one.minus(*other));
            let changes = differences.filter(|d| d.slope != 0).map(Bound::change);
            cuts.extend(changes.filter(|t| start < *t && *t < end));
        }
    }
    cuts.sort_unstable();
    cuts.dedup();
    // Among bounds that agree at the start of a range, the one that is tighter after it.
    let trapezoid = |pair: &[i128]| {
        let lower = lowers.iter().copied().max_by_key(|bound| (bound.at(pair[0]), bound.slope))?;
        let upper = uppers.iter().copied().min_by_key(|bound| (bound.at(pair[0]), bound.slope))?;
        Some(Trapezoid { start: pair[0], end: pair[1], lower, upper })
    };
    cuts.windows(2).filter(|pair| pair[0] < pair[1]).map(trapezoid).collect()
}
