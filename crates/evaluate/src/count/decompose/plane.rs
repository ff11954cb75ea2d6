//! Cuts the points of two long iterators.
//!
//! [`directions`](super::directions) chooses coordinates (t, s); rows run along s. The points are a polygon, cut into trapezoids.
//!
//! - If v is constant along the rows (v often depends on a sum of iterators only), each row is a single value with the
//!   sum of its counts, which is periodic in t: a [row](PointRow) of points again. The period is that of c
//!   along t, and that after which the ends of the rows have moved by whole periods of c along s.
//! - Otherwise the points of each pair of residues of t and s become [regions](crate::count::parts::region): on them v and c are polynomial.
//!   It then suffices that one of the ends of each row is an integer.

use num_integer::Integer;
use symloc_quasi::{Bivariate, Int, Periods, Relation, Section};

use super::directions::Basis;
use super::grid::Grid;
use super::lattice::{AffineFunction, Change, Lattice, Plane};
use super::polygon::{Polygon, Trapezoid};
use super::strips::shortest;
use super::{Decomposed, Decomposition, Trouble, affine, check, checked, integer, negative_count};
use crate::count::limits::{BESIDE, LEVEL, RESIDUES, THIN};
use crate::count::parts::periodic::Periodic;
use crate::count::parts::quotient::{LinearBound, LinearQuotient};
use crate::count::parts::run::PointRow;

/// The ends of the rows that have to be integers, affine in t.
#[derive(Clone, Copy, PartialEq, Eq)]
enum IntegerEnds {
    One,
    Both,
}

/// The kind of rows.
#[derive(Clone, Copy)]
enum PlaneRows {
    /// v is constant along each, and at most so many samples, or few beside the rows, determine the sums over those of a trapezoid.
    Level(i128),
    /// v is not constant, and these ends of the rows are integers.
    Ends(IntegerEnds),
}

/// A condition on the points of every pair of residues.
struct PlaneEdge<'c> {
    kind: EdgeKind<'c>,
    /// The change of the condition for a step of a whole period in each direction.
    slopes: (i128, i128),
}

enum EdgeKind<'c> {
    Plain(&'c AffineFunction),
    Floored(usize, Relation),
}

impl Decomposition<'_> {
    /// Cuts the points of two iterators.
    pub(super) fn plane(&mut self, lattice: &Lattice, conditions: &[AffineFunction]) -> Decomposed {
        if self.rectangles(lattice, conditions)? {
            return Ok(());
        }
        let bases = self.bases(lattice, conditions)?;
        let (level, others): (Vec<_>, Vec<_>) = bases.iter().partition(|basis| basis.level);
        let level = |samples| level.iter().map(move |basis| (basis, PlaneRows::Level(samples)));
        let ends = [IntegerEnds::One, IntegerEnds::Both].map(PlaneRows::Ends);
        let others = others.iter().flat_map(|basis| ends.iter().map(move |rows| (basis, *rows)));
        // Rows of one value between slanted ends may need very many samples. Then rows in another direction are better.
        for (Basis { change, .. }, rows) in level(LEVEL).chain(others).chain(level(i128::MAX)) {
            let lattice = checked(lattice.substitute(change))?;
            let conditions = conditions.iter().map(|c| c.substitute(change)).collect::<Option<Vec<_>>>();
            let conditions = checked(conditions)?;
            let before = self.parts.mark();
            let outcome = match rows {
                PlaneRows::Level(samples) => self.level_rows(&lattice, &conditions, samples),
                PlaneRows::Ends(ends) => self.residues(&lattice, &conditions, ends),
            };
            match outcome {
                Err(Trouble::Beyond) => self.parts.reset(before),
                outcome => return outcome,
            }
        }
        let strip = checked(shortest(conditions))?;
        self.parts.enumerated += checked(strip.length())? as u64;
        self.enumerate(lattice, conditions, &strip)
    }

    /// Adds rectangles as numbers in mixed radix, and the rows beside them; returns false if there are more than a few such rows, or if v
    /// is not affine or c not constant.
    fn rectangles(&mut self, lattice: &Lattice, conditions: &[AffineFunction]) -> Result<bool, Trouble> {
        if !self.plan.is_uniform_on(lattice) || !self.plan.is_affine_on(lattice) {
            return Ok(false);
        }
        let before = self.parts.mark();
        for columns in [[[1, 0], [0, 1]], [[0, 1], [1, 0]]] {
            let change = Change { start: vec![0, 0], columns: columns.map(Vec::from).to_vec() };
            let conditions = conditions.iter().map(|c| c.substitute(&change)).collect::<Option<Vec<_>>>();
            let Some(trapezoids) = few_rows(&checked(conditions)?) else { continue };
            let lattice = checked(lattice.substitute(&change))?;
            for trapezoid in &trapezoids {
                if !self.rectangle(&lattice, trapezoid)? {
                    self.parts.reset(before);
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Adds a rectangle as a number in mixed radix, or another trapezoid row by row, where v is affine and c constant; returns false if
    /// numbers in that radix take too long to search.
    fn rectangle(&mut self, lattice: &Lattice, trapezoid: &Trapezoid) -> Result<bool, Trouble> {
        let Trapezoid { start, end, lower, upper } = *trapezoid;
        if is_rectangle(trapezoid) {
            let condition = |constant, t, s| AffineFunction { constant, slopes: vec![t, s] };
            let (first, last) = (lower.ceil(start), upper.floor(start));
            let sides = [(-start, 1, 0), (end - 1, -1, 0), (-first, 0, 1), (last, 0, -1)];
            return self.radix(lattice, &sides.map(|(constant, t, s)| condition(constant, t, s)));
        }
        let plane = Plane::new(lattice, self.plan.iterators);
        for t in start..end {
            let (first, last) = (lower.ceil(t), upper.floor(t));
            self.row(&checked(checked(plane.row(t))?.part(first, 1))?, last - first + 1, 1)?;
        }
        Ok(true)
    }

    /// Cuts rows along which v is constant, on each pair of residues of the floors in v.
    fn level_rows(&mut self, lattice: &Lattice, conditions: &[AffineFunction], most: i128) -> Decomposed {
        let along = |periods: &Periods, k: usize| checked(periods.along(&lattice.steps[k]));
        let (down, right) = (along(&self.plan.value_periods, 0)?, along(&self.plan.value_periods, 1)?);
        let periods = (along(&self.plan.periods, 0)? / down, along(&self.plan.periods, 1)? / right);
        let whole = Plane::new(lattice, self.plan.iterators);
        let pairs = checked(down.checked_mul(right).filter(|pairs| *pairs <= RESIDUES))?;
        for pair in 0..pairs {
            let (t, s) = (pair / right, pair % right);
            let plane = checked(whole.part((t, s), (down, right)))?;
            self.check_congruences(plane.origin(), plane.down(), periods.0)?;
            self.check_congruences(plane.origin(), plane.right(), periods.1)?;
            let mut polygon = Polygon::default();
            for condition in conditions {
                let slopes = condition.slopes[0].checked_mul(down).zip(condition.slopes[1].checked_mul(right));
                checked(polygon.add(checked(condition.at(&[t, s]))?, checked(slopes)?))?;
            }
            for trapezoid in checked(polygon.trapezoids())? {
                self.level(&plane, &trapezoid, periods, most)?;
            }
        }
        Ok(())
    }

    /// Cuts all pairs of residues, with rows along the second step.
    fn residues(&mut self, lattice: &Lattice, conditions: &[AffineFunction], ends: IntegerEnds) -> Decomposed {
        let (edges, down, right) = self.edges(lattice, conditions, ends)?;
        let whole = Plane::new(lattice, self.plan.iterators);
        let mut polygon = Polygon::default();
        for t in 0..down {
            for s in 0..right {
                let plane = checked(whole.part((t, s), (down, right)))?;
                if self.polygon(&plane, (t, s), &edges, &mut polygon)? {
                    checked(polygon.trapezoids())?
                        .iter()
                        .try_for_each(|trapezoid| self.trapezoid(&plane, trapezoid))?;
                }
            }
        }
        Ok(())
    }

    /// Returns the conditions, and the periods in both directions after which everything is polynomial and the bounds of s are
    /// integers: on both sides, or on the side where it takes fewer residues.
    fn edges<'c>(
        &self,
        lattice: &Lattice,
        conditions: &'c [AffineFunction],
        ends: IntegerEnds,
    ) -> Result<(Vec<PlaneEdge<'c>>, i128, i128), Trouble> {
        let periods = &self.plan.periods;
        let down = checked(periods.along(&lattice.steps[0]))?;
        let right = checked(periods.along(&lattice.steps[1]))?;
        let cell = Change { start: vec![0, 0], columns: vec![vec![down, 0], vec![0, right]] };
        let on_cell = checked(lattice.substitute(&cell))?;
        let mut edges = Vec::with_capacity(self.floored.len() + conditions.len());
        for (index, (section, relation)) in self.floored.iter().enumerate() {
            let slopes = affine(section, &on_cell)?.slopes;
            edges.push(PlaneEdge { kind: EdgeKind::Floored(index, *relation), slopes: (slopes[0], slopes[1]) });
        }
        for condition in conditions {
            let scaled = |slope: i128, period| checked(slope.checked_mul(period));
            let slopes = (scaled(condition.slopes[0], down)?, scaled(condition.slopes[1], right)?);
            edges.push(PlaneEdge { kind: EdgeKind::Plain(condition), slopes });
        }
        let (mut lower, mut upper) = (1_i128, 1_i128);
        for PlaneEdge { kind, slopes } in edges.iter().filter(|edge| edge.slopes.1 != 0) {
            let needed = slopes.1.abs() / slopes.1.gcd(&slopes.0);
            let is_equation = matches!(kind, EdgeKind::Floored(_, Relation::Zero));
            for (side, factor) in [(slopes.1 > 0, &mut lower), (slopes.1 < 0, &mut upper)] {
                if side || is_equation {
                    *factor = checked(factor.checked_mul(needed / factor.gcd(&needed)))?;
                }
            }
        }
        // Sums over rows have as many residues as either.
        checked((lower.max(upper) <= RESIDUES).then_some(()))?;
        let factor = match ends {
            IntegerEnds::One => lower.min(upper),
            IntegerEnds::Both => checked(lower.checked_mul(upper / lower.gcd(&upper)))?,
        };
        for edge in &mut edges {
            edge.slopes.0 = checked(edge.slopes.0.checked_mul(factor))?;
        }
        let down = checked(down.checked_mul(factor))?;
        match down.checked_mul(right) {
            Some(pairs) if pairs <= RESIDUES => Ok((edges, down, right)),
            _ => Err(Trouble::Beyond),
        }
    }

    /// Builds the polygon of a pair of residues; returns false if it is certainly empty.
    fn polygon(
        &self,
        plane: &Plane,
        (t, s): (i128, i128),
        edges: &[PlaneEdge<'_>],
        polygon: &mut Polygon,
    ) -> Result<bool, Trouble> {
        polygon.clear();
        for PlaneEdge { kind, slopes } in edges {
            let (constant, relation) = match *kind {
                EdgeKind::Floored(index, relation) => {
                    (checked(integer(&self.floored[index].0, plane.origin())?.to_i128())?, relation)
                }
                EdgeKind::Plain(condition) => (checked(condition.at(&[t, s]))?, Relation::NonNegative),
            };
            if *slopes == (0, 0) {
                if !relation.holds(constant.cmp(&0)) {
                    return Ok(false);
                }
                continue;
            }
            checked(polygon.add(constant, *slopes))?;
            if relation == Relation::Zero {
                checked(polygon.add(checked(constant.checked_neg())?, (-slopes.0, -slopes.1)))?;
            }
        }
        Ok(true)
    }

    /// Adds the rows of a trapezoid along which v is constant; c has these periods.
    fn level(&mut self, plane: &Plane, trapezoid: &Trapezoid, (down, right): (i128, i128), most: i128) -> Decomposed {
        let Trapezoid { start, end, lower, upper } = *trapezoid;
        let period =
            [lower, upper].into_iter().try_fold(down, |period, end| end.period(right).and_then(|p| lcm(period, p)));
        let (period, length) = (checked(period)?, end - start);
        let degree = self.plan.count_degree;
        let samples = period.saturating_mul(degree as i128 + 2).min(length);
        checked((samples <= most.max(length / LEVEL)).then_some(()))?;
        self.charge(samples.saturating_mul(right))?;
        let count = Periodic::through(period, degree + 1, length, |t| {
            let (first, last) = (lower.ceil(start + t), upper.floor(start + t));
            self.row_sum(plane, start + t, first, last - first + 1, right).map(|sum| [sum])
        })?;
        if count.is_zero(length) {
            return Ok(());
        }
        let plane = checked(plane.part((start, lower.ceil(start)), (1, 1)))?;
        self.check_level(&plane)?;
        self.finish(&PointRow { length, value: self.value_along(&checked(plane.column(0))?, length)?, count })
    }

    /// Returns Σ c over `points` points of row t, from `first` on.
    fn row_sum(&self, plane: &Plane, t: i128, first: i128, points: i128, period: i128) -> Result<Int, Trouble> {
        if points <= 0 {
            return Ok(Int::ZERO);
        }
        let line = checked(checked(plane.row(t))?.part(first, 1))?;
        if let Some(linear) = &self.linear {
            return checked(linear.sum(&line, points));
        }
        self.counts_along(&line, points, period).map(|count| count.sum(points))
    }

    /// Checks that v is constant along s. v(t, s + 1) − v(t, s) has a lower degree than v: it is zero everywhere if it is zero on
    /// a small triangle.
    fn check_level(&self, plane: &Plane) -> Decomposed {
        let degree = self.plan.value_degree as i128;
        for t in 0..degree {
            let first = checked(self.value.value(checked(plane.at(t, 0))?.coordinates()))?;
            for s in 1..=degree - t {
                let value = self.value.value(checked(plane.at(t, s))?.coordinates());
                checked((value.as_ref() == Some(&first)).then_some(()))?;
            }
        }
        Ok(())
    }

    /// Adds a trapezoid along whose rows v changes.
    fn trapezoid(&mut self, plane: &Plane, trapezoid: &Trapezoid) -> Decomposed {
        let (plane, width) = checked(straightened(plane, trapezoid))?;
        let rows = trapezoid.end - trapezoid.start;
        let longest = width.floor(0).max(width.floor(rows - 1));
        if longest < THIN {
            return (0..=longest).try_for_each(|s| {
                let (mut start, mut end) = (0, rows);
                let reaches = width.minus(LinearBound { constant: s, slope: 0 });
                reaches.numerator.narrow(&mut start, &mut end);
                self.row(&checked(checked(plane.column(s))?.part(start, 1))?, end - start, 1)
            });
        }
        if rows < THIN {
            return (0..rows).try_for_each(|t| self.row(&checked(plane.row(t))?, width.floor(t) + 1, 1));
        }
        let bivariate = |section: &Section<'_>, degree: usize| {
            Bivariate::through(degree, |t, s| {
                let point = checked(plane.at(t as i128, s as i128))?;
                section.value(point.coordinates()).ok_or(Trouble::Beyond)
            })
        };
        let count = bivariate(&self.count, self.plan.count_degree)?;
        if count.is_zero() {
            return Ok(());
        }
        let grid = Grid { rows, width, value: bivariate(&self.value, self.plan.value_degree)?, count };
        if grid.has_negative_count() {
            return Err(negative_count());
        }
        for region in checked(grid.regions())? {
            if region.low() <= Int::ZERO {
                // The number of rows astride zero is not bounded.
                self.charge(region.searched(&Int::ZERO))?;
                check(&region.low(), &region.up_to(&Int::ZERO).count)?;
            }
            self.parts.region(self.kind, region);
        }
        Ok(())
    }
}

/// Returns the trapezoids of the points that satisfy some conditions; `None` if there are more than a few rows in those that are no
/// rectangles, or if some direction is unbounded.
fn few_rows(conditions: &[AffineFunction]) -> Option<Vec<Trapezoid>> {
    let mut polygon = Polygon::default();
    conditions.iter().try_for_each(|c| polygon.add(c.constant, (c.slopes[0], c.slopes[1])))?;
    let trapezoids = polygon.trapezoids()?;
    let others = trapezoids.iter().filter(|trapezoid| !is_rectangle(trapezoid));
    (others.map(|trapezoid| trapezoid.end - trapezoid.start).sum::<i128>() <= BESIDE).then_some(trapezoids)
}

fn is_rectangle(trapezoid: &Trapezoid) -> bool {
    trapezoid.lower.numerator.slope == 0 && trapezoid.upper.numerator.slope == 0
}

/// Returns the plane with the rows of a trapezoid at 0 ≤ t, and 0 ≤ s ≤ ⌊width(t)⌋; `None` if neither end of them is an integer.
fn straightened(plane: &Plane, trapezoid: &Trapezoid) -> Option<(Plane, LinearQuotient)> {
    let Trapezoid { start, lower, upper, .. } = *trapezoid;
    let (plane, first, width) = match lower.integer() {
        Some(lower) => (*plane, lower, upper.minus(lower)),
        None => {
            let upper = upper.integer()?;
            (plane.mirrored()?, upper.negated(), lower.negated().minus(upper.negated()))
        }
    };
    let width = LinearQuotient { numerator: width.numerator.from(start), ..width };
    Some((plane.sheared((start, first.at(start)), first.slope)?, width))
}

/// Returns the least common multiple, if it is at most [`RESIDUES`].
fn lcm(a: i128, b: i128) -> Option<i128> {
    a.checked_mul(b / a.gcd(&b)).filter(|period| *period <= RESIDUES)
}
