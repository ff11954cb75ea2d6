//! Two iterators, neither of them short.
//!
//! Coordinates (t, s) are [chosen](super::bases), rows run along s. For each pair of residues of t and s the points are a
//! polygon on which v and c are polynomial, cut into trapezoids.
//!
//! - If v is constant along the rows (v often depends on a sum of iterators only), each row is a single value with the sum of
//!   its counts: a polynomial in t, as residues of t are chosen so that the rows lie between integer bounds. Over all residues
//!   of s these are added up: a stretch for each residue of t.
//! - Otherwise each trapezoid becomes regions. Then it is enough that one of the bounds is an integer.

use num_integer::Integer;
use symloc_quasi::{Int, Relation, Section, Univariate};

use super::bases::middle;
use super::cut::{Cut, Outcome, RESIDUES, Trouble, affine, checked, contradiction, integer};
use super::grid::Grid;
use super::lattice::{Affine, Change, Lattice, Plane, shortest};
use super::stretch::Row;
use super::surface::Surface;
use super::trapezoid::{Bound, Polygon, Quotient, Trapezoid};

/// Trapezoids with fewer rows or shorter rows are taken row by row.
const THIN: i128 = 4;

/// Which ends of the rows have to be integers, affine in t.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    One,
    Both,
}

/// A condition on the points of every pair of residues.
struct Edge<'c> {
    kind: EdgeKind<'c>,
    /// For a step of a whole period in each direction.
    slopes: (i128, i128),
}

enum EdgeKind<'c> {
    Plain(&'c Affine),
    Floored(usize, Relation),
}

/// Rows `start ≤ t < end` of points with one value each: v and Σ c as polynomials in t.
struct Level {
    start: i128,
    end: i128,
    value: Univariate,
    count: Univariate,
}

impl Cut<'_> {
    /// The points of two iterators.
    pub(super) fn plane(&mut self, lattice: &Lattice, conditions: &[Affine]) -> Outcome {
        for basis in self.bases(lattice, middle(conditions))? {
            let lattice = checked(lattice.substitute(&basis.change))?;
            let conditions = conditions.iter().map(|c| c.substitute(&basis.change)).collect::<Option<Vec<_>>>();
            let conditions = checked(conditions)?;
            let before = self.parts.mark();
            for ends in if basis.level { &[Ends::Both][..] } else { &[Ends::One, Ends::Both] } {
                match self.residues(&lattice, &conditions, basis.level, *ends) {
                    Err(Trouble::Beyond) => self.parts.reset(before),
                    outcome => return outcome,
                }
            }
        }
        let (direction, low, high) = checked(shortest(conditions))?;
        self.parts.enumerated += (high - low + 1) as u64;
        self.enumerate(lattice, conditions, &direction, low, high)
    }

    /// All pairs of residues, with rows along the second step.
    fn residues(&mut self, lattice: &Lattice, conditions: &[Affine], level: bool, ends: Ends) -> Outcome {
        let (edges, down, right) = self.edges(lattice, conditions, ends)?;
        let whole = Plane::new(lattice, self.plan.iterators);
        if level && right > 1 && self.lines(lattice, &whole, conditions, down)? {
            return Ok(());
        }
        let mut polygon = Polygon::default();
        let mut levels = Vec::new();
        for t in 0..down {
            for s in 0..right {
                let plane = checked(whole.part((t, s), (down, right)))?;
                if !self.polygon(&plane, (t, s), &edges, &mut polygon)? {
                    continue;
                }
                for trapezoid in checked(polygon.trapezoids())? {
                    match level {
                        true => levels.extend(self.level(&plane, &trapezoid)?),
                        false => self.trapezoid(&plane, &trapezoid)?,
                    }
                }
            }
            self.merge(&levels)?;
            levels.clear();
        }
        Ok(())
    }

    /// Residues of t alone, where v is constant along the rows, whatever the residue of s, and the counts of whole rows can be
    /// summed at once. False if that is not so.
    fn lines(&mut self, lattice: &Lattice, whole: &Plane, conditions: &[Affine], down: i128) -> Result<bool, Trouble> {
        if self.linear.is_none() || self.plan.value_periods.along(&lattice.steps[1]) != Some(1) {
            return Ok(false);
        }
        let mut polygon = Polygon::default();
        for t in 0..down {
            let plane = checked(whole.part((t, 0), (down, 1)))?;
            polygon.clear();
            for Affine { constant, slopes } in conditions {
                let slope = checked(slopes[0].checked_mul(down))?;
                polygon.add(constant + slopes[0] * t, (slope, slopes[1]));
            }
            let trapezoids = checked(polygon.trapezoids())?;
            if trapezoids.iter().any(|trapezoid| trapezoid.integers().is_none()) {
                return Ok(false);
            }
            let levels: Vec<Level> = trapezoids
                .iter()
                .map(|trapezoid| self.level(&plane, trapezoid))
                .filter_map(Result::transpose)
                .collect::<Result<_, _>>()?;
            self.merge(&levels)?;
        }
        Ok(true)
    }

    /// The conditions, and the periods in both directions after which everything is polynomial and the bounds of s are
    /// integers, on both sides or on that where it takes fewer residues.
    fn edges<'c>(
        &self,
        lattice: &Lattice,
        conditions: &'c [Affine],
        ends: Ends,
    ) -> Result<(Vec<Edge<'c>>, i128, i128), Trouble> {
        let periods = &self.plan.periods;
        let down = checked(periods.along(&lattice.steps[0]))?;
        let right = checked(periods.along(&lattice.steps[1]))?;
        let cell = Change { start: vec![0, 0], columns: vec![vec![down, 0], vec![0, right]] };
        let on_cell = checked(lattice.substitute(&cell))?;
        let mut edges = Vec::with_capacity(self.floored.len() + conditions.len());
        for (index, (section, relation)) in self.floored.iter().enumerate() {
            let slopes = affine(section, &on_cell)?.slopes;
            edges.push(Edge { kind: EdgeKind::Floored(index, *relation), slopes: (slopes[0], slopes[1]) });
        }
        for condition in conditions {
            let scaled = |slope: i128, period| checked(slope.checked_mul(period));
            let slopes = (scaled(condition.slopes[0], down)?, scaled(condition.slopes[1], right)?);
            edges.push(Edge { kind: EdgeKind::Plain(condition), slopes });
        }
        let (mut lower, mut upper) = (1_i128, 1_i128);
        for Edge { kind, slopes } in edges.iter().filter(|edge| edge.slopes.1 != 0) {
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
            Ends::One => lower.min(upper),
            Ends::Both => checked(lower.checked_mul(upper / lower.gcd(&upper)))?,
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

    /// The polygon of a pair of residues; false if it is certainly empty.
    fn polygon(
        &self,
        plane: &Plane,
        (t, s): (i128, i128),
        edges: &[Edge<'_>],
        polygon: &mut Polygon,
    ) -> Result<bool, Trouble> {
        polygon.clear();
        for Edge { kind, slopes } in edges {
            let (constant, relation) = match *kind {
                EdgeKind::Floored(index, relation) => {
                    (checked(integer(&self.floored[index].0, plane.origin())?.to_i128())?, relation)
                }
                EdgeKind::Plain(Affine { constant, slopes }) => {
                    (constant + slopes[0] * t + slopes[1] * s, Relation::NonNegative)
                }
            };
            if *slopes == (0, 0) {
                if !relation.holds(constant.cmp(&0)) {
                    return Ok(false);
                }
                continue;
            }
            polygon.add(constant, *slopes);
            if relation == Relation::Zero {
                polygon.add(-constant, (-slopes.0, -slopes.1));
            }
        }
        Ok(true)
    }

    /// The rows of a trapezoid along which v is constant; `None` if nothing is counted.
    fn level(&self, plane: &Plane, trapezoid: &Trapezoid) -> Result<Option<Level>, Trouble> {
        let (start, end) = (trapezoid.start, trapezoid.end);
        let (lower, upper) = checked(trapezoid.integers())?;
        let plane = checked(plane.sheared((start, lower.at(start)), lower.slope))?;
        let count_degree = self.plan.count_degree;
        let mut sums = Vec::with_capacity(count_degree + 2);
        for t in 0..(end - start).min(count_degree as i128 + 2) {
            let length = upper.at(start + t) - lower.at(start + t) + 1;
            if let Some(linear) = &self.linear {
                sums.push(checked(linear.sum(&checked(plane.row(t))?, length))?);
                continue;
            }
            let points = length.min(count_degree as i128 + 1);
            let counts = (0..points).map(|s| integer(&self.count, checked(plane.at(t, s))?.coordinates()));
            let counts = counts.collect::<Result<Vec<_>, _>>()?;
            sums.push(Univariate::sum_through(&counts).at(length));
        }
        if sums.iter().all(Int::is_zero) {
            return Ok(None);
        }
        self.check_level(&plane)?;
        let points = (end - start).min(self.plan.value_degree as i128 + 1);
        let values = (0..points).map(|t| integer(&self.value, checked(plane.at(t, 0))?.coordinates()));
        let values = values.collect::<Result<Vec<_>, _>>()?;
        let absolute = |values: &[Int]| Univariate::through(values).along(-start, 1);
        Ok(Some(Level { start, end, value: absolute(&values), count: absolute(&sums) }))
    }

    /// v(t, s + 1) − v(t, s) is of a lower degree than v: zero everywhere, if it is so on a small triangle.
    fn check_level(&self, plane: &Plane) -> Outcome {
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

    /// Adds up the counts of rows with the same value.
    fn merge(&mut self, levels: &[Level]) -> Outcome {
        let mut cuts: Vec<i128> = levels.iter().flat_map(|level| [level.start, level.end]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        for range in cuts.windows(2) {
            let mut here: Vec<&Level> =
                levels.iter().filter(|level| level.start <= range[0] && range[0] < level.end).collect();
            while let Some(first) = here.first().copied() {
                let (same, others): (Vec<_>, Vec<_>) = here.into_iter().partition(|level| level.value == first.value);
                self.finish(&sum(&same, range[0], range[1]))?;
                here = others;
            }
        }
        Ok(())
    }

    /// A trapezoid along whose rows v changes.
    fn trapezoid(&mut self, plane: &Plane, trapezoid: &Trapezoid) -> Outcome {
        let (plane, width) = checked(straightened(plane, trapezoid))?;
        let rows = trapezoid.end - trapezoid.start;
        let longest = width.floor(0).max(width.floor(rows - 1));
        if longest < THIN {
            return (0..=longest).try_for_each(|s| {
                let (mut start, mut end) = (0, rows);
                let reaches = width.minus(Bound { constant: s, slope: 0 });
                reaches.numerator.narrow(&mut start, &mut end);
                self.row(&checked(checked(plane.column(s))?.part(start, 1))?, end - start)
            });
        }
        if rows < THIN {
            return (0..rows).try_for_each(|t| self.row(&checked(plane.row(t))?, width.floor(t) + 1));
        }
        let surface = |section: &Section<'_>, degree: usize| {
            Surface::through(degree, |t, s| {
                let point = checked(plane.at(t as i128, s as i128))?;
                section.value(point.coordinates()).ok_or(Trouble::Beyond)
            })
        };
        let count = surface(&self.count, self.plan.count_degree)?;
        if count.is_zero() {
            return Ok(());
        }
        let grid = Grid { rows, width, value: surface(&self.value, self.plan.value_degree)?, count };
        if grid.has_negative_count() {
            return Err(contradiction("a negative number of accesses"));
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

/// The plane with the rows of a trapezoid at 0 ≤ t, and 0 ≤ s ≤ ⌊width(t)⌋; `None` if neither end of them is an integer.
fn straightened(plane: &Plane, trapezoid: &Trapezoid) -> Option<(Plane, Quotient)> {
    let Trapezoid { start, lower, upper, .. } = *trapezoid;
    let (plane, first, width) = match lower.integer() {
        Some(lower) => (*plane, lower, upper.minus(lower)),
        None => {
            let upper = upper.integer()?;
            (plane.mirrored()?, upper.negated(), lower.negated().minus(upper.negated()))
        }
    };
    let width = Quotient { numerator: width.numerator.from(start), ..width };
    Some((plane.sheared((start, first.at(start)), first.slope)?, width))
}

/// The rows `start ≤ t < end` of levels with one value.
fn sum(levels: &[&Level], start: i128, end: i128) -> Row {
    let degree = levels.iter().map(|level| level.count.degree()).max().unwrap_or(0);
    let counts: Vec<Int> = (0..=degree as i128)
        .map(|t| levels.iter().fold(Int::ZERO, |sum, level| &sum + &level.count.at(start + t)))
        .collect();
    let value = levels.first().map_or_else(|| Univariate::through(&[]), |level| level.value.along(start, 1));
    Row { length: end - start, value, count: Univariate::through(&counts) }
}
