//! Visits the points of a piece, one by one.

use symloc_model::{Bounds, CountPiece};
use symloc_quasi::{Evaluator as Formula, Int};

use super::{PreparedConstraint, integer};
use crate::error::Stop;

/// The points of a piece that exists, with their values and counts.
#[derive(Debug)]
pub(super) struct PiecePoints {
    /// `conditions[d]`: those that can be decided once d iterators have values, and not earlier.
    conditions: Vec<Vec<PreparedConstraint>>,
    ranges: Vec<PreparedBounds>,
    count: Formula,
    value: Formula,
}

impl PiecePoints {
    pub(super) fn new(piece: &CountPiece, value: &Formula, parameters: usize) -> Self {
        let depth = piece.bounds.len();
        let mut conditions: Vec<Vec<PreparedConstraint>> = (0..=depth).map(|_| Vec::new()).collect();
        for constraint in &piece.domain {
            let last = constraint.poly.last_var().map_or(0, |var| var.0 as usize + 1);
            conditions[last.saturating_sub(parameters)].push(PreparedConstraint::new(constraint, parameters + depth));
        }
        let ranges = piece.bounds.iter().enumerate().map(|(d, bounds)| PreparedBounds::new(bounds, parameters + d));
        let count = Formula::new(&piece.count, parameters + depth);
        Self { conditions, ranges: ranges.collect(), count, value: value.clone() }
    }

    /// Returns the points with values for the first parameters.
    pub(super) fn fix(&self, values: &[i128]) -> Self {
        let conditions = |all: &Vec<PreparedConstraint>| all.iter().map(|condition| condition.fix(values)).collect();
        Self {
            conditions: self.conditions.iter().map(conditions).collect(),
            ranges: self.ranges.iter().map(|range| range.fix(values)).collect(),
            count: self.count.fix(values),
            value: self.value.fix(values),
        }
    }

    /// Calls `found` with the interval and the count of every point at a size.
    pub(super) fn visit(&self, size: &[i128], left: &mut u64, found: &mut dyn FnMut(Int, Int)) -> Result<(), Stop> {
        self.visit_from(&mut size.to_vec(), 0, left, found)
    }

    /// Visits the points whose first `depth` iterators are those at the end of `point`, which begins with the parameters.
    fn visit_from(
        &self,
        point: &mut Vec<i128>,
        depth: usize,
        left: &mut u64,
        found: &mut dyn FnMut(Int, Int),
    ) -> Result<(), Stop> {
        if !self.conditions[depth].iter().all(|c| c.holds(point)) {
            return Ok(());
        }
        let Some(range) = self.ranges.get(depth) else {
            return self.visit_point(point, found);
        };
        let (lower, upper) = range.at(point)?;
        for value in lower..=upper {
            *left = left.checked_sub(1).ok_or(Stop::Limit)?;
            point.push(value);
            let result = self.visit_from(point, depth + 1, left, found);
            point.pop();
            result?;
        }
        Ok(())
    }

    fn visit_point(&self, point: &[i128], found: &mut dyn FnMut(Int, Int)) -> Result<(), Stop> {
        let count = integer(&self.count, point)?;
        if count.is_zero() {
            // Without members the value has no meaning; it need not even be an integer.
            return Ok(());
        }
        let interval = integer(&self.value, point)?;
        if count.is_negative() || interval <= Int::ZERO {
            return Err(Stop::Contradiction(format!("{count} accesses with a reuse interval of {interval}")));
        }
        found(interval, count);
        Ok(())
    }
}

/// Prepared [`Bounds`].
#[derive(Debug)]
struct PreparedBounds {
    lower: Vec<Formula>,
    upper: Vec<Formula>,
}

impl PreparedBounds {
    fn new(bounds: &Bounds, variables: usize) -> Self {
        let formulas = |polys: &[_]| polys.iter().map(|poly| Formula::new(poly, variables)).collect();
        Self { lower: formulas(&bounds.lower), upper: formulas(&bounds.upper) }
    }

    fn fix(&self, values: &[i128]) -> Self {
        let fixed = |formulas: &[Formula]| formulas.iter().map(|formula| formula.fix(values)).collect();
        Self { lower: fixed(&self.lower), upper: fixed(&self.upper) }
    }

    /// Returns the first and the last value; the last is below the first if the range is empty.
    fn at(&self, point: &[i128]) -> Result<(i128, i128), Stop> {
        let values = |formulas: &[Formula]| {
            let machine = |formula| {
                let value = integer(formula, point)?.to_i128();
                value.ok_or_else(|| Stop::Contradiction("a bound of an iterator leaves 128 bits".to_owned()))
            };
            formulas.iter().map(machine).collect::<Result<Vec<_>, _>>()
        };
        let lower = values(&self.lower)?.into_iter().max().unwrap_or(0);
        let upper = values(&self.upper)?.into_iter().min().unwrap_or(-1);
        Ok((lower, upper))
    }
}
