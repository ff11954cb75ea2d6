//! Chooses the directions along which the rows of two iterators run.
//!
//! Best is a direction in which v is constant. Otherwise v should change little along the rows, so that few of them are
//! searched for any x.

use num_integer::Integer;

use super::lattice::{AffineFunction, Change, Lattice};
use super::strips::{Strip, bounded, shortest};
use super::{Decomposition, Trouble, checked};
use crate::count::limits::{AFFINE_BITS, STEEPEST};

/// Coordinates (t, s) of two iterators.
pub(super) struct Basis {
    pub(super) change: Change,
    /// True if v is constant along s.
    pub(super) level: bool,
}

impl Decomposition<'_> {
    /// Returns the coordinates in the order in which they should be tried: s along a direction in which v is constant,
    /// or along one in which it is affine, then along each of the iterators, first the one along which v changes less.
    pub(super) fn bases(&self, lattice: &Lattice, conditions: &[AffineFunction]) -> Result<Vec<Basis>, Trouble> {
        let middle = middle(conditions);
        let (down, right) = self.gradient(lattice, middle).unwrap_or((0, 0));
        let mut bases = Vec::with_capacity(3);
        let gcd = down.gcd(&right);
        if gcd > 0
            && down.abs().max(right.abs()) / gcd <= STEEPEST
            && holds_several(conditions, [right / gcd, -down / gcd])
        {
            let change = along([right / gcd, -down / gcd]);
            if self.is_constant(&checked(lattice.substitute(&change))?) {
                bases.push(Basis { change, level: true });
            }
        }
        if self.plan.value_degree == 2
            && let Some(direction) = self.straight(lattice, middle)
        {
            bases.push(Basis { change: along(direction), level: false });
        }
        bases.push(Basis { change: along([0, 1]), level: false });
        bases.push(Basis { change: along([1, 0]), level: false });
        if right.abs() > down.abs() {
            let last = bases.len() - 1;
            bases.swap(last - 1, last);
        }
        Ok(bases)
    }

    /// Returns the change of v along each step, over a period of the floors, somewhere near a point.
    fn gradient(&self, lattice: &Lattice, (t, s): (i128, i128)) -> Option<(i128, i128)> {
        let periods = &self.plan.periods;
        let (down, right) = (periods.along(&lattice.steps[0])?, periods.along(&lattice.steps[1])?);
        let period = down.checked_mul(right / down.gcd(&right))?;
        let value = |t, s| self.bounded_value(&lattice.point(&[t, s])?);
        let at = |t: i128, s: i128| {
            let (here, below, beside) = (value(t, s)?, value(t + period, s)?, value(t, s + period)?);
            Some((below.checked_sub(here)?, beside.checked_sub(here)?))
        };
        // v need not be an integer beside the points that count: whole periods are the best guess.
        let near = |x: i128, periods: i128| (x / period + periods) * period;
        [(0, 0), (3, 1)].into_iter().find_map(|(i, j)| at(near(t, i), near(s, j)).filter(|found| *found != (0, 0)))
    }

    /// Returns v at a point, if it is small enough for a few such values to be added.
    fn bounded_value(&self, point: &[i128]) -> Option<i128> {
        self.value.value(point)?.to_i128().filter(|value| value.unsigned_abs() >> AFFINE_BITS == 0)
    }

    /// Returns the direction in which a quadratic v is affine, if it has small components and is not one of the axes.
    /// Without it many more rows are astride x: nussinov at n = 2³¹ would search more than 20 million of them, and take
    /// a second.
    fn straight(&self, lattice: &Lattice, (t, s): (i128, i128)) -> Option<[i128; 2]> {
        let periods = &self.plan.periods;
        let (down, right) = (periods.along(&lattice.steps[0])?, periods.along(&lattice.steps[1])?);
        let period = down.checked_mul(right / down.gcd(&right))?;
        let value = |i: i128, j: i128| {
            self.bounded_value(&lattice.point(&[(t / period + i) * period, (s / period + j) * period])?)
        };
        let here = value(0, 0)?;
        let second = |i: i128, j: i128| value(2 * i, 2 * j)?.checked_sub(2 * value(i, j)?)?.checked_add(here);
        let (tt, ss) = (second(1, 0)?, second(0, 1)?);
        let twice_ts = second(1, 1)?.checked_sub(tt)?.checked_sub(ss)?;
        // The quadratic part is ± a square: (tt·t + ts·s)² / tt.
        let is_square = tt != 0 && ss != 0 && tt.checked_mul(ss)?.checked_mul(4)? == twice_ts.checked_mul(twice_ts)?;
        let gcd = (twice_ts / 2).gcd(&tt).max(1);
        let direction = [-twice_ts / 2 / gcd, tt / gcd];
        (is_square && direction.iter().all(|x| x.abs() <= STEEPEST)).then_some(direction)
    }

    /// Returns true if v is constant along the second step at some sample points.
    fn is_constant(&self, lattice: &Lattice) -> bool {
        let Some(period) = self.plan.periods.along(&lattice.steps[1]) else { return false };
        let value = |t: i128, s: i128| self.value.value(&lattice.point(&[t, s])?);
        [(0, 0), (240, 0), (0, 240), (480, 240)].into_iter().all(|(t, s)| {
            let first = value(t, s);
            first.is_some() && first == value(t, s + period)
        })
    }
}

/// Returns coordinates (t, s) with s along a direction with coprime components.
fn along([s0, s1]: [i128; 2]) -> Change {
    // x·s₀ + y·s₁ = ±1 makes (y, −x) and (s₀, s₁) a basis.
    let bezout = s0.extended_gcd(&s1);
    Change { start: vec![0, 0], columns: vec![vec![bezout.y, -bezout.x], vec![s0, s1]] }
}

/// Returns true if rows in a direction may have two points: no iterator has fewer values than a step takes.
fn holds_several(conditions: &[AffineFunction], direction: [i128; 2]) -> bool {
    let too_short = |strip: Strip| {
        let step = direction.iter().enumerate().find(|(k, _)| strip.direction.is_coordinate(*k));
        step.zip(strip.length()).is_some_and(|((_, step), length)| step.abs() >= length)
    };
    !bounded(conditions).any(too_short)
}

/// Returns a point in the middle of the points that satisfy the conditions, or near them.
fn middle(conditions: &[AffineFunction]) -> (i128, i128) {
    let Some(strip) = shortest(conditions) else { return (0, 0) };
    let change = Change::fix(&strip.direction, strip.first.midpoint(strip.last));
    let on_line =
        |conditions: &[AffineFunction]| conditions.iter().map(|c| c.substitute(&change)).collect::<Option<Vec<_>>>();
    let Some(line) = on_line(conditions).and_then(|conditions| shortest(&conditions)) else { return (0, 0) };
    let middle = line.first.midpoint(line.last);
    let point = Lattice::whole(2).substitute(&change).and_then(|lattice| lattice.point(&[middle]));
    point.map_or((0, 0), |point| (point[0], point[1]))
}
