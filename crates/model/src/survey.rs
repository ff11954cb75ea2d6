//! Where to begin the search for a window.
//!
//! N·s(x) is concave, and its slope is known wherever it is evaluated. Two of its points therefore confine the windows between
//! them by two tangents and a chord, and the cubic through both with these slopes is near. Points are taken at powers of two, and
//! between them until the cubics are good. What they say is a guess, in floating point; what it leads to is exact.

use symloc_quasi::Int;

/// A point of the working set.
#[derive(Clone, Debug)]
pub(crate) struct Point<D> {
    pub(crate) x: Int,
    /// N·s(x)
    pub(crate) working_set: Int,
    /// N·s(x + 1) − N·s(x)
    pub(crate) slope: Int,
    /// Whatever else is known there.
    pub(crate) data: D,
}

impl<D> Point<D> {
    /// Where the tangent has the value `room`, or just before; `None` if it is level.
    pub(crate) fn reach(&self, room: &Int) -> Option<Int> {
        (room - &self.working_set).div_floor(&self.slope).map(|step| &self.x + &step)
    }
}

/// Between two powers of two, points are halved so many times.
const DEPTH: u32 = 4;
/// A cubic that finds a window with so small an error is good, or with so small a part of it.
const GOOD: f64 = 2.0;
const FINE: f64 = 1e-7;

/// How wrong the floating point may be.
const ROUNDING: f64 = 1e-13;

/// Points of the working set, by ascending x.
#[derive(Debug)]
pub(crate) struct Survey(Vec<Point<()>>);

impl Survey {
    /// The points at 0, at the powers of two below `longest`, and between them where they are needed. Points that are not to be
    /// had are left out.
    pub(crate) fn new<D>(longest: &Int, mut point: impl FnMut(Int) -> Option<Point<D>>) -> Self {
        let mut at = |x| {
            let Point { x, working_set, slope, .. } = point(x)?;
            Some(Point { x, working_set, slope, data: () })
        };
        let powers = std::iter::successors(Some(Int::from(1)), |x| Some(x + x)).take_while(|x| x < longest);
        let mut points: Vec<Point<()>> = at(Int::ZERO).into_iter().collect();
        for power in powers {
            let Some(right) = at(power) else { continue };
            if let Some(left) = points.last().cloned() {
                refine(&left, &right, DEPTH, &mut at, &mut points);
            }
            points.push(right);
        }
        Self(points)
    }

    /// An x whose window does not hold more than `room`, and one that comes close.
    pub(crate) fn start(&self, room: &Int) -> (Int, Int) {
        let place = self.0.partition_point(|point| point.working_set <= *room);
        let Some(left) = place.checked_sub(1).and_then(|place| self.0.get(place)) else {
            return (Int::ZERO, Int::ZERO);
        };
        let safe = left.reach(room).unwrap_or_else(|| left.x.clone());
        match self.0.get(place) {
            Some(right) => {
                let safe = right.reach(room).map_or(safe.clone(), |x| x.max(safe));
                let near = (&left.x + &Int::from(between(left, right, room))).max(safe.clone());
                (safe, near)
            }
            None => (safe.clone(), safe),
        }
    }
}

/// Adds points between two others, in as many rounds, until the cubic between them is good.
fn refine(
    left: &Point<()>,
    right: &Point<()>,
    rounds: u32,
    at: &mut impl FnMut(Int) -> Option<Point<()>>,
    points: &mut Vec<Point<()>>,
) {
    let Some(x) = (&left.x + &right.x).div_floor(&Int::from(2)).filter(|x| *x > left.x) else { return };
    let Some(middle) = at(x) else { return };
    let found = &left.x + &Int::from(between(left, right, &middle.working_set));
    let good = (&found - &middle.x).to_f64().abs() <= GOOD.max(FINE * middle.x.to_f64());
    if rounds == 0 || good {
        points.push(middle);
        return;
    }
    refine(left, &middle, rounds - 1, at, points);
    points.push(middle.clone());
    refine(&middle, right, rounds - 1, at, points);
}

/// How far behind `left` the working set is about `room`.
fn between(left: &Point<()>, right: &Point<()>, room: &Int) -> i128 {
    let (width, height) = ((&right.x - &left.x).to_f64(), (&right.working_set - &left.working_set).to_f64());
    let (steep, flat) = (height / left.slope.to_f64(), height / right.slope.to_f64());
    let t = (room - &left.working_set).to_f64() / height;
    let cubic = width * t * t * (3.0 - 2.0 * t) + t * (1.0 - t) * ((1.0 - t) * steep - t * flat);
    // A level end gives no number, and a cubic may leave the chord. What is an integer up to rounding lies before it.
    (cubic.min(width * t) * (1.0 - ROUNDING)) as i128
}
