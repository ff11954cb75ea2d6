//! Strands side by side: one row of several strands at a time.
//!
//! Where a few rows of many strands are searched, there is less to prepare for this than for the rows of each strand.

use pulp::Simd;

use super::lanes::{BINOMIALS, Binomials, EXACT, Even, Found, Lanes, Totals};
use super::ramps::Differences;

/// Strands fill up so many places: whole vectors of any processor.
const PLACES: usize = 8;

/// Strands with the same step in all rows, and the same count at all points.
#[derive(Clone, Debug)]
pub(super) struct Pack(Vec<Places>);

/// Numbers of some strands, as in [`Lanes`]. Where there is no strand, rows are empty.
#[derive(Clone, Debug)]
struct Places {
    first: [Differences; PLACES],
    climb: [[f64; PLACES]; 3],
    step: [f64; PLACES],
    count: [f64; PLACES],
    width: [[f64; PLACES]; 2],
    strands: usize,
}

impl Pack {
    pub(super) fn new(strands: &[Lanes]) -> Self {
        Self(strands.chunks(PLACES).map(Places::new).collect())
    }

    /// Adds the points of so many rows from some t on with values up to `x`.
    #[inline(always)]
    pub(super) fn add<S: Simd>(&self, start: &Binomials, rows: usize, x: i64, totals: &mut Totals<S>) {
        for places in &self.0 {
            places.add(start, rows, x, totals);
        }
    }
}

impl Places {
    fn new(strands: &[Lanes]) -> Self {
        let each = |number: &dyn Fn(&Lanes) -> f64, empty| {
            std::array::from_fn(|place| strands.get(place).map_or(empty, number))
        };
        Self {
            first: std::array::from_fn(|place| strands.get(place).map_or(Differences::default(), |lanes| lanes.first)),
            climb: std::array::from_fn(|order| each(&|lanes| lanes.climb[order], 0.0)),
            step: each(&|lanes| lanes.step[0], 1.0),
            count: each(&|lanes| lanes.count[0], 0.0),
            width: [each(&|lanes| lanes.width[0], -1.0), each(&|lanes| lanes.width[1], 0.0)],
            strands: strands.len(),
        }
    }

    #[inline(always)]
    fn add<S: Simd>(&self, start: &Binomials, rows: usize, x: i64, totals: &mut Totals<S>) {
        let of = totals.splat();
        let rooms = std::array::from_fn(|place| match place < self.strands {
            true => start.room(&self.first[place], x),
            false => 0.0,
        });
        for at in (0..self.strands).step_by(S::F64_LANES) {
            let load = |numbers: &[f64; PLACES]| of(0.0).load(&numbers[at..]);
            let ([first, pairs, _], [a, b, c]) = (start.floats.map(of), self.climb.each_ref().map(load));
            let climb = [a.plus(b, first).plus(c, pairs), b.plus(c, first), c];
            let [constant, slope] = self.width.each_ref().map(load);
            let (room, step, width) = (load(&rooms), load(&self.step), constant.plus(slope, first));
            let mut even = Even { points: of(0.0), twice: of(0.0) };
            for row in 0..rows {
                let [t, pairs, triples] = BINOMIALS.each_ref().map(|binomials| of(binomials[row]));
                let room = room.minus(climb[0], t).minus(climb[1], pairs).minus(climb[2], triples);
                even.add(&Found::new(room, step, width.plus(slope, t), of(EXACT)));
            }
            totals.add_even(even, load(&self.count));
        }
    }
}
