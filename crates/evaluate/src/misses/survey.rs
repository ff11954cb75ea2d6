//! Chooses the start of the search for a window.
//!
//! N·s(x) is concave, and its slope is known wherever it is evaluated. Two of its points therefore confine the windows between
//! them by two tangents and a chord, and the cubic through both with these slopes is a close estimate. Points are taken at powers
//! of two, and between them until the cubics are good. The estimate is in floating point; the result of the search is exact.

use symloc_quasi::Int;

/// A point of the working set.
#[derive(Clone, Debug)]
pub(crate) struct SurveyPoint<D> {
    pub(crate) x: Int,
    /// N·s(x)
    pub(crate) working_set: Int,
    /// N·s(x + 1) − N·s(x)
    pub(crate) slope: Int,
    /// Other data known at this point.
    pub(crate) data: D,
}

impl<D> SurveyPoint<D> {
    /// Returns where the tangent has the value `room`, or just before; `None` if it is level.
    pub(crate) fn reach(&self, room: &Int) -> Option<Int> {
        (room - &self.working_set).div_floor(&self.slope).map(|step| &self.x + &step)
    }
}

/// The number of times that the range between two powers of two is halved.
const DEPTH: u32 = 4;
/// A cubic is good if it finds the middle of a window with at most this error, or with this fraction of it as the error.
const GOOD: f64 = 0.1;
const FINE: f64 = 1e-7;

/// The relative error allowed for floating point.
const ROUNDING: f64 = 1e-13;

/// Points of the working set, by ascending x, and an estimate from each to the next.
#[derive(Debug)]
pub(crate) struct WorkingSetSurvey {
    points: Vec<SurveyPoint<()>>,
    /// N·s(x) at the points, approximately.
    working_sets: Vec<f64>,
    cubics: Vec<Cubic>,
}

impl WorkingSetSurvey {
    /// Evaluates the points at 0, at the powers of two below `longest`, and between them where they are needed. Points for which
    /// `point` returns `None` are left out.
    pub(crate) fn new<D>(longest: &Int, mut point: impl FnMut(Int) -> Option<SurveyPoint<D>>) -> Self {
        let mut at = |x| {
            let SurveyPoint { x, working_set, slope, .. } = point(x)?;
            Some(SurveyPoint { x, working_set, slope, data: () })
        };
        let powers = std::iter::successors(Some(Int::from(1)), |x| Some(x + x)).take_while(|x| x < longest);
        let mut points: Vec<SurveyPoint<()>> = at(Int::ZERO).into_iter().collect();
        for power in powers {
            let Some(right) = at(power) else { continue };
            if let Some(left) = points.last().cloned() {
                refine(&left, &right, DEPTH, &mut at, &mut points);
            }
            points.push(right);
        }
        let working_sets = points.iter().map(|point| point.working_set.to_f64()).collect();
        let cubics = points.windows(2).map(|pair| Cubic::new(&pair[0], &pair[1])).collect();
        Self { points, working_sets, cubics }
    }

    /// Returns an x that is probably near the largest one whose window holds at most `room`.
    pub(crate) fn near(&self, room: &Int) -> Int {
        let left = self.left(room);
        match (self.points.get(left), self.cubics.get(left)) {
            (Some(point), Some(cubic)) => &point.x + &Int::from(cubic.at(&(room - &point.working_set)) as i128),
            (Some(point), None) => point.x.clone(),
            (None, _) => Int::ZERO,
        }
    }

    /// Returns an x whose window does not hold more than `room`, since none of the tangents does there.
    pub(crate) fn safe(&self, room: &Int) -> Int {
        let around = self.points.iter().skip(self.left(room)).take(2);
        around.filter_map(|point| point.reach(room)).max().unwrap_or(Int::ZERO)
    }

    /// Returns the index of the last point whose window does not hold more than `room`, up to rounding.
    fn left(&self, room: &Int) -> usize {
        let room = room.to_f64();
        self.working_sets.partition_point(|working_set| *working_set <= room).saturating_sub(1)
    }
}

/// Adds points between two others, in at most `rounds` rounds, until the cubic between them is good.
fn refine(
    left: &SurveyPoint<()>,
    right: &SurveyPoint<()>,
    rounds: u32,
    at: &mut impl FnMut(Int) -> Option<SurveyPoint<()>>,
    points: &mut Vec<SurveyPoint<()>>,
) {
    let Some(x) = (&left.x + &right.x).div_floor(&Int::from(2)).filter(|x| *x > left.x) else { return };
    let Some(middle) = at(x) else { return };
    // The middle between the working set of the window and that of the next one.
    let inside = &middle.working_set + &middle.slope.div_floor(&Int::from(2)).unwrap_or(Int::ZERO);
    let found = Cubic::new(left, right).at(&(&inside - &left.working_set));
    let wrong = (found - 0.5 - (&middle.x - &left.x).to_f64()).abs();
    let good = wrong <= GOOD.max(FINE * middle.x.to_f64());
    if rounds == 0 || good {
        points.push(middle);
        return;
    }
    refine(left, &middle, rounds - 1, at, points);
    points.push(middle.clone());
    refine(&middle, right, rounds - 1, at, points);
}

/// The distance from one point to where the working set has a given value before the next point.
#[derive(Debug)]
struct Cubic {
    /// The growth of the working set from one point to the next, and the distance between them.
    height: f64,
    width: f64,
    /// The coefficients of t, t² and t³, where t is the fraction of the height.
    coefficients: [f64; 3],
}

impl Cubic {
    fn new(left: &SurveyPoint<()>, right: &SurveyPoint<()>) -> Self {
        let (width, height) = ((&right.x - &left.x).to_f64(), (&right.working_set - &left.working_set).to_f64());
        let (steep, flat) = (height / left.slope.to_f64(), height / right.slope.to_f64());
        let coefficients = [steep, 3.0 * width - 2.0 * steep - flat, steep + flat - 2.0 * width];
        Self { height, width, coefficients }
    }

    /// Returns the distance for a working set that is larger by `larger` than at the first point.
    fn at(&self, larger: &Int) -> f64 {
        let t = larger.to_f64() / self.height;
        let [first, second, third] = self.coefficients;
        let cubic = t * (first + t * (second + t * third));
        // A level end gives NaN, and a cubic may leave the chord. The factor rounds a value that is nearly an integer down.
        cubic.min(self.width * t).max(0.0) * (1.0 - ROUNDING)
    }
}
