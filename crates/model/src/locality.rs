//! The misses of all caches at one size, without a histogram.
//!
//! With B(x) = Σ v·c and K(x) = Σ c over the accesses with an interval v ≤ x, the working set (see
//! [`denning`](crate::denning)) is N·s(x) = B(x) + x·(N − K(x)), and N − K(x) is its slope from x to x + 1. It is concave,
//! so Newton's method from the left never goes too far:
//!
//! ```text
//! x ← x + ⌊(N·C − N·s(x)) / (N − K(x))⌋
//! ```
//!
//! ends, after a few steps, at x* = max {x : s(x) ≤ C}, exactly; from the right, its first step leads to the left. Where it
//! starts is learnt from a few points of the working set (see `survey`). B and K are sums over the parts of the classes (see
//! `closed`): those wholly up to x in prefix sums, and those astride x by their own closed forms.

use std::sync::OnceLock;

use symloc_quasi::Int;

use crate::closed::{Part, Parts, Sums};
use crate::data::Kind;
use crate::denning::Misses;
use crate::survey::{Point, Survey};

/// The misses of a fully associative cache of each size, at one size of the program. Exact.
#[derive(Debug)]
pub struct Locality {
    place: Place,
    accesses: Int,
    blocks: Int,
    real: Int,
    /// Accesses with one interval.
    atoms: Ladder,
    /// Stretches and regions, which count here from their largest interval on. Between two rungs, the same parts are astride.
    ends: Ladder,
    /// The parts astride from each rung to the next.
    astride: Vec<OnceLock<Box<[u32]>>>,
    parts: Vec<Part>,
    /// The rungs with which each part begins and ends.
    spans: Vec<(usize, usize)>,
    enumerated: u64,
    survey: OnceLock<Survey>,
}

/// What a [`Locality`] is the locality of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The size.
    pub parameters: Vec<(String, i128)>,
    /// Bytes per cache line, if all arrays agree on them.
    pub line_bytes: Option<u64>,
    /// True if a line holds one element of each array.
    pub element: bool,
}

/// Points for which more rows or digits would be searched are not part of the survey.
const SURVEYED: i128 = 1 << 10;

/// The accesses with an interval up to some x.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Below {
    /// How many there are, of both kinds.
    pub(crate) count: Int,
    /// How many of them are real.
    pub(crate) real: Int,
    /// The sum of their intervals.
    weighted: Int,
}

impl Below {
    const NOTHING: Self = Self { count: Int::ZERO, real: Int::ZERO, weighted: Int::ZERO };

    fn add(&mut self, kind: Kind, sums: &Sums) {
        self.count += &sums.count;
        self.weighted += &sums.weighted;
        if kind == Kind::Real {
            self.real += &sums.count;
        }
    }

    fn add_all(&mut self, other: &Below) {
        self.count += &other.count;
        self.real += &other.real;
        self.weighted += &other.weighted;
    }
}

impl Locality {
    /// Prepares all caches; says what is wrong if the classes do not add up.
    pub(crate) fn new(place: Place, accesses: Int, blocks: Int, parts: Parts) -> Result<Self, String> {
        let (locality, all) = Self::unchecked(place, accesses, blocks, parts);
        locality.check(&all)?;
        locality.survey();
        Ok(locality)
    }

    /// The same for any part of the accesses, and their sums.
    pub(crate) fn unchecked(place: Place, accesses: Int, blocks: Int, parts: Parts) -> (Self, Below) {
        let Parts { atoms, parts, enumerated } = parts.woven();
        let atoms = atoms.iter().map(|atom| {
            (&atom.interval, atom.kind, Sums { count: atom.count.clone(), weighted: &atom.interval * &atom.count })
        });
        let ends = parts
            .iter()
            .flat_map(|part| [(&part.high, part.kind, part.total.clone()), (&part.low, part.kind, Sums::default())]);
        let (atoms, ends) = (Ladder::new(atoms.collect()), Ladder::new(ends.collect()));
        let mut below = atoms.last();
        below.add_all(&ends.last());
        let spans = parts.iter().map(|part| (ends.rung(&part.low), ends.rung(&part.high))).collect();
        let locality = Self {
            place,
            accesses,
            blocks,
            real: below.real.clone(),
            astride: vec![OnceLock::new(); ends.starts.len()],
            atoms,
            ends,
            parts,
            spans,
            enumerated,
            survey: OnceLock::new(),
        };
        (locality, below)
    }

    /// What holds for every program: each access is in one class, each block has one first touch, and the intervals,
    /// imaginary ones included, sum to N·m (RI sum invariance).
    fn check(&self, all: &Below) -> Result<(), String> {
        if all.count != self.accesses {
            return Err(format!("the classes hold {} accesses, the program makes {}", all.count, self.accesses));
        }
        let touches = &all.count - &all.real;
        if touches != self.blocks {
            return Err(format!("{touches} first touches of {} blocks", self.blocks));
        }
        let expected = &self.accesses * &self.blocks;
        if all.weighted != expected {
            let sum = &all.weighted;
            return Err(format!("the reuse intervals sum to {sum}, accesses times blocks is {expected}"));
        }
        Ok(())
    }

    /// The size and the line size.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// N, the number of accesses.
    pub fn accesses(&self) -> &Int {
        &self.accesses
    }

    /// m, the number of distinct blocks; also the number of first touches.
    pub fn blocks(&self) -> &Int {
        &self.blocks
    }

    /// How many points, or rows of points, were enumerated because no closed form was known.
    pub fn enumerated(&self) -> u64 {
        self.enumerated
    }

    /// How many different ends of intervals there are, and how many stretches and regions between them.
    pub fn parts(&self) -> (usize, usize) {
        (self.atoms.starts.len() + self.ends.starts.len(), self.parts.len())
    }

    /// The misses of a fully associative cache of so many blocks.
    pub fn misses(&self, blocks: &Int) -> Misses {
        let reuse = match self.window_of(blocks) {
            Some(point) => &self.real - &point.data.real,
            None => Int::ZERO,
        };
        Misses { cold: self.blocks.clone(), reuse }
    }

    /// x*, the largest window whose working set fits in so many blocks; `None` if every window fits.
    pub fn window(&self, blocks: &Int) -> Option<Int> {
        self.window_of(blocks).map(|point| point.x)
    }

    fn window_of(&self, blocks: &Int) -> Option<Point<Below>> {
        if *blocks >= self.blocks {
            return None;
        }
        let room = &self.accesses * blocks;
        let (safe, mut x) = self.survey().start(&room);
        loop {
            let point = self.point(x);
            let next = point.reach(&room).map_or_else(|| safe.clone(), |next| next.max(safe.clone()));
            if next == point.x {
                return Some(point);
            }
            x = next;
        }
    }

    fn survey(&self) -> &Survey {
        let point = |x| (self.searched(&x) <= SURVEYED).then(|| self.point(x));
        self.survey.get_or_init(|| Survey::new(&self.longest(), point))
    }

    /// How many rows and digits are searched one by one for `x`, at most.
    fn searched(&self, x: &Int) -> i128 {
        let astride = self.astride(self.ends.passed(x)).iter();
        astride.map(|index| self.parts[*index as usize].searched(x)).fold(0, i128::saturating_add)
    }

    fn point(&self, x: Int) -> Point<Below> {
        let below = self.below(&x);
        let (working_set, slope) = (self.working_set(&x, &below), &self.accesses - &below.count);
        Point { x, working_set, slope, data: below }
    }

    /// N·s(x); `below` is what lies up to `x`.
    pub(crate) fn working_set(&self, x: &Int, below: &Below) -> Int {
        &below.weighted + &(x * &(&self.accesses - &below.count))
    }

    /// The longest interval, or something longer.
    pub(crate) fn longest(&self) -> Int {
        let ends = [&self.atoms, &self.ends].into_iter().filter_map(|ladder| ladder.starts.last());
        ends.max().cloned().unwrap_or(Int::ZERO)
    }

    /// One of the breakpoints in `(low, high]`, in the midst of them.
    pub(crate) fn breakpoint_between(&self, low: &Int, high: &Int) -> Option<Int> {
        let between = |ladder: &Ladder| (ladder.passed(low), ladder.passed(high));
        let (atoms, ends) = (between(&self.atoms), between(&self.ends));
        let (ladder, (first, end)) =
            if atoms.1 - atoms.0 > ends.1 - ends.0 { (&self.atoms, atoms) } else { (&self.ends, ends) };
        (first < end).then(|| ladder.starts[first.midpoint(end)].clone())
    }

    /// The accesses with an interval up to `x`.
    pub(crate) fn below(&self, x: &Int) -> Below {
        let mut below = self.atoms.at(self.atoms.passed(x));
        let passed = self.ends.passed(x);
        below.add_all(&self.ends.at(passed));
        for index in self.astride(passed) {
            let part = &self.parts[*index as usize];
            below.add(part.kind, &part.up_to(x));
        }
        below
    }

    /// The parts that begin with the last of so many rungs or before it, and end after it.
    fn astride(&self, rungs: usize) -> &[u32] {
        let Some(rung) = rungs.checked_sub(1) else { return &[] };
        self.astride[rung].get_or_init(|| {
            let indices = (0..).zip(&self.spans);
            indices.filter(|(_, (low, high))| *low <= rung && rung < *high).map(|(i, _)| i).collect()
        })
    }
}

/// Sums that grow at some x.
#[derive(Debug)]
struct Ladder {
    /// Where they grow, ascending.
    starts: Vec<Int>,
    /// The sums from there on.
    below: Vec<Below>,
}

impl Ladder {
    fn new(mut steps: Vec<(&Int, Kind, Sums)>) -> Self {
        steps.sort_unstable_by_key(|(x, ..)| *x);
        let (mut starts, mut sums): (Vec<Int>, Vec<Below>) = (Vec::new(), Vec::new());
        let mut below = Below::NOTHING;
        for (x, kind, step) in steps {
            below.add(kind, &step);
            match (starts.last(), sums.last_mut()) {
                (Some(start), Some(last)) if start == x => *last = below.clone(),
                _ => {
                    starts.push(x.clone());
                    sums.push(below.clone());
                }
            }
        }
        Self { starts, below: sums }
    }

    /// How many rungs are up to `x`.
    fn passed(&self, x: &Int) -> usize {
        self.starts.partition_point(|start| start <= x)
    }

    /// Which rung is at `x`.
    fn rung(&self, x: &Int) -> usize {
        self.starts.partition_point(|start| start < x)
    }

    /// The sums after so many rungs.
    fn at(&self, rungs: usize) -> Below {
        rungs.checked_sub(1).map_or(Below::NOTHING, |last| self.below[last].clone())
    }

    /// The sums after all rungs.
    fn last(&self) -> Below {
        self.at(self.below.len())
    }
}
