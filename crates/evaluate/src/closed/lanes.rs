//! Rows of points, several at once, in floating point.
//!
//! Processors divide faster in floating point than in integers, and several numbers at once. All numbers here are integers, and
//! none is rounded: differences are bounded when the rows are made, and products only occur in sums of terms that are not
//! negative. If such a sum is small enough to be exact, so was all that went into it; if it is not, there is no answer.
//!
//! Not the values v up to x are summed up but x − v, which is small where only a part of a row is up to x.

use pulp::Simd;

use super::ramps::{Differences, Straight};
use super::vector::Vector;

/// Differences of values up to three times this are exact, and so are their quotients.
const SHORT: i64 = 1 << 49;
/// Sums up to this are exact, and so is all of which they are made.
pub(super) const EXACT: f64 = (1_u64 << 52) as f64;

/// So many rows are searched together: some vectors full.
pub(super) const ROWS: usize = 64;

/// Rows on which v and c are affine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes {
    /// v at the first point of row t, by its differences in t.
    pub(super) first: Differences,
    /// The same from the first difference on.
    pub(super) climb: [f64; 3],
    /// By how much v changes from point to point, likewise.
    pub(super) step: [f64; 3],
    /// c at the first point, likewise.
    pub(super) count: [f64; 2],
    lean: Lean,
    /// The last point of row t is the integer nearest to `constant + slope·t`.
    pub(super) width: [f64; 2],
    /// Is the step the same in all rows?
    steady: bool,
    /// Is c the same at all points?
    even: bool,
}

/// How c changes along a row, read in the direction in which v ascends.
#[derive(Clone, Copy, Debug)]
struct Lean {
    /// From point to point.
    each: f64,
    /// From the first point of the row to where v is smallest, if that is the last one, again for each point.
    back: f64,
}

impl Lanes {
    /// The rows of a strand, with v ascending or descending along them; `None` if c is of another form.
    pub(super) fn new(straight: &Straight, rising: bool) -> Option<Self> {
        let floats = |differences: Differences| differences.0.map(|difference| difference as f64);
        let [[_, climb @ ..], [s0, s1, s2, s3], [c0, c1, c2, c3], [each, l1, l2, l3]] =
            [straight.first, straight.step, straight.count, straight.lean].map(floats);
        let simple = [s3, c2, c3, l1, l2, l3].iter().all(|difference| *difference == 0.0);
        simple.then_some(Self {
            first: straight.first,
            climb,
            step: [s0, s1, s2],
            count: [c0, c1],
            lean: if rising { Lean { each, back: 0.0 } } else { Lean { each: -each, back: each } },
            width: straight.width.floats()?,
            steady: s1 == 0.0 && s2 == 0.0,
            even: c1 == 0.0 && each == 0.0,
        })
    }

    /// Are the differences that occur among so many rows exact, if values differ by so much along a row, and counts are so
    /// large?
    pub(super) fn fit(first: &Differences, rows: i128, along: i128, count: i128) -> bool {
        let climb = (1..).zip(BINOMIALS).map(|(order, binomials)| {
            let most = first.bound(order, rows);
            most.saturating_mul(binomials[ROWS - 1] as i128)
        });
        // Without these instructions, numbers have more digits in registers than elsewhere.
        let known = cfg!(not(all(target_arch = "x86", not(target_feature = "sse2"))));
        let short = i128::from(SHORT);
        known && climb.fold(0, i128::saturating_add) <= short / 2 && along <= short / 2 && count <= short
    }

    /// Is v the same from point to point in all rows, and c at all points?
    pub(super) fn is_plain(&self) -> bool {
        self.steady && self.even
    }

    /// Adds the points of so many rows from some t on with values up to `x`.
    #[inline(always)]
    pub(super) fn add<S: Simd>(&self, start: &Binomials, rows: usize, x: i64, totals: &mut Totals<S>) {
        match (self.steady, self.even) {
            (true, true) => self.add_rows::<S, true, true>(start, rows, x, totals),
            (true, false) => self.add_rows::<S, true, false>(start, rows, x, totals),
            (false, true) => self.add_rows::<S, false, true>(start, rows, x, totals),
            (false, false) => self.add_rows::<S, false, false>(start, rows, x, totals),
        }
    }

    #[inline(always)]
    fn add_rows<S: Simd, const STEADY: bool, const EVEN: bool>(
        &self,
        start: &Binomials,
        rows: usize,
        x: i64,
        totals: &mut Totals<S>,
    ) {
        let of = totals.splat();
        let room = of(start.room(&self.first, x));
        let (climb, step) = (start.after(self.climb).map(of), start.after(self.step).map(of));
        let affine = |[constant, slope]: [f64; 2]| [constant + slope * start.floats[0], slope].map(of);
        let (count, width, each, back) =
            (affine(self.count), affine(self.width), of(self.lean.each), of(self.lean.back));
        let mut even = Even { points: of(0.0), twice: of(0.0) };
        let asked = &ASKED[ROWS - rows..2 * ROWS - rows];
        let [t, pairs, triples, asked] = [&BINOMIALS[0], &BINOMIALS[1], &BINOMIALS[2], asked].map(|row| room.read(row));
        let vectors = rows.div_ceil(S::F64_LANES);
        for (((t, pairs), triples), asked) in t.zip(pairs).zip(triples).zip(asked).take(vectors) {
            let room = room.minus(climb[0], t).minus(climb[1], pairs).minus(climb[2], triples);
            let step = if STEADY { of(self.step[0]) } else { step[0].plus(step[1], t).plus(step[2], pairs) };
            let found = Found::new(room, step, width[0].plus(width[1], t), asked);
            match EVEN {
                true => even.add(&found),
                false => totals.add(&found, count[0].plus(count[1], t).plus(back, found.last), each),
            }
        }
        if EVEN {
            totals.add_even(even, count[0]);
        }
    }
}

/// What accesses up to x add up to, in each place of a vector.
pub(super) struct Totals<S: Simd> {
    /// Twice Σ c.
    number: Vector<S>,
    /// Six times Σ c·(x − v).
    rest: Vector<S>,
    /// The same with all signs positive, where c changes along rows.
    size: Vector<S>,
}

impl<S: Simd> Totals<S> {
    pub(super) fn none(simd: S) -> Self {
        let zero = Vector::of(simd, 0.0);
        Self { number: zero, rest: zero, size: zero }
    }

    /// Σ c and Σ c·(x − v) over all places; no numbers if they might have been rounded.
    #[inline(always)]
    pub(super) fn sums(&self) -> [f64; 2] {
        let [number, rest, size] = [self.number, self.rest, self.size].map(Vector::sum);
        if number + rest + size < EXACT { [number / 2.0, rest / 6.0] } else { [f64::NAN; 2] }
    }

    /// How to have a number in all places.
    #[inline(always)]
    pub(super) fn splat(&self) -> impl Fn(f64) -> Vector<S> + Copy + use<S> {
        let any = self.number;
        move |number| any.same(number)
    }

    /// Adds points with `count` accesses where v is smallest, and `each` more from there from point to point.
    #[inline(always)]
    fn add(&mut self, found: &Found<S>, count: Vector<S>, each: Vector<S>) {
        let Found { room, rise, steps, .. } = *found;
        let [one, two, three] = [1.0, 2.0, 3.0].map(self.splat());
        let even = three * count * found.twice();
        let uneven = each * steps * (three * room).minus(rise, one.plus(two, steps));
        self.number = self.number.plus(found.points(), (count + count).plus(each, steps));
        self.rest = self.rest.plus(found.points(), even + uneven);
        self.size = self.size.plus(found.points(), even + uneven.abs());
    }

    /// Adds points with `count` accesses each.
    #[inline(always)]
    pub(super) fn add_even(&mut self, even: Even<S>, count: Vector<S>) {
        let [two, three] = [2.0, 3.0].map(self.splat());
        self.number = self.number.plus(even.points, two * count);
        self.rest = self.rest.plus(even.twice, three * count);
    }
}

/// Points with as many accesses as one another: how many they are, and twice Σ (x − v).
pub(super) struct Even<S: Simd> {
    pub(super) points: Vector<S>,
    pub(super) twice: Vector<S>,
}

impl<S: Simd> Even<S> {
    #[inline(always)]
    pub(super) fn add(&mut self, found: &Found<S>) {
        self.points = self.points + found.points();
        self.twice = self.twice.plus(found.points(), found.twice());
    }
}

/// The points with values up to x of some rows. There are no branches for single ones.
pub(super) struct Found<S: Simd> {
    /// x − v where v is smallest, which is at the first point or at the last.
    room: Vector<S>,
    /// By how much v grows from there from point to point.
    rise: Vector<S>,
    /// The last point.
    last: Vector<S>,
    /// How many points there are after the one where v is smallest; −1 if that is above x.
    steps: Vector<S>,
}

impl<S: Simd> Found<S> {
    /// `room` is x − v at the first point, `step` the difference of v from point to point. The last point is the integer
    /// nearest to `last`, or `most` if that is less.
    #[inline(always)]
    pub(super) fn new(room: Vector<S>, step: Vector<S>, last: Vector<S>, most: Vector<S>) -> Self {
        let [zero, half, none] = [0.0, 0.5, -1.0].map(|number| room.same(number));
        let (last, rise) = (nearest(last).min(most), step.abs());
        let room = room.minus(step.min(zero), last);
        // One half more does not change the integer part of the quotient, but keeps it away from where that changes.
        let steps = nearest((room + half.minus(half, rise)) / rise).min(last).max(none);
        Self { room, rise, last, steps }
    }

    #[inline(always)]
    fn points(&self) -> Vector<S> {
        self.steps + self.steps.same(1.0)
    }

    /// x − v at the first point and at the last, added up: twice the average.
    #[inline(always)]
    fn twice(&self) -> Vector<S> {
        (self.room + self.room).minus(self.rise, self.steps)
    }
}

/// C(t, 1), C(t, 2) and C(t, 3). Where the last of them does not fit, it is not multiplied by anything but zero.
pub(super) struct Binomials {
    integers: [i64; 3],
    pub(super) floats: [f64; 3],
}

impl Binomials {
    #[inline(always)]
    pub(super) fn new(t: i64) -> Self {
        let pairs = t * (t - 1) / 2;
        let integers = [t, pairs, pairs.wrapping_mul(t - 2) / 3];
        Self { integers, floats: integers.map(|binomial| binomial as f64) }
    }

    /// x less the value of a polynomial; no number if that is not exact.
    #[inline(always)]
    pub(super) fn room(&self, value: &Differences, x: i64) -> f64 {
        let Differences([constant, higher @ ..]) = value;
        let terms = self.integers.iter().zip(higher);
        let room = terms.fold(x - constant, |room, (t, d)| room.wrapping_sub(t.wrapping_mul(*d)));
        if (-2 * SHORT..=2 * SHORT).contains(&room) { room as f64 } else { f64::NAN }
    }

    /// Differences at t by those at 0.
    #[inline(always)]
    fn after(&self, [a, b, c]: [f64; 3]) -> [f64; 3] {
        let [t, pairs, _] = self.floats;
        [a + b * t + c * pairs, b + c * t, c]
    }
}

/// C(t, 1), C(t, 2) and C(t, 3) for the first rows.
pub(super) const BINOMIALS: [[f64; ROWS]; 3] = {
    let mut binomials = [[0.0; ROWS]; 3];
    let mut t = 0;
    while t + 1 < ROWS {
        binomials[0][t + 1] = binomials[0][t] + 1.0;
        binomials[1][t + 1] = binomials[1][t] + binomials[0][t];
        binomials[2][t + 1] = binomials[2][t] + binomials[1][t];
        t += 1;
    }
    binomials
};

/// The last point of a row at most: anything in so many rows that are asked for, −1 in as many others.
const ASKED: [f64; 2 * ROWS] = {
    let mut asked = [-1.0; 2 * ROWS];
    let mut t = 0;
    while t < ROWS {
        asked[t] = EXACT;
        t += 1;
    }
    asked
};

/// The integer nearest to a number that is not in the middle of two, if it is not larger than 2^51.
#[inline(always)]
fn nearest<S: Simd>(value: Vector<S>) -> Vector<S> {
    // There floating point has integers only.
    let integers = value.same(1.5 * EXACT);
    value + integers - integers
}
