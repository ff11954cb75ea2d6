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
//! `count`): those wholly up to x in prefix sums, and those astride x by their own closed forms.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use symloc_model::{Kind, Sizes};
use symloc_quasi::Int;

use crate::count::{Part, Parts, Sums};
use crate::denning::Misses;
use crate::survey::{Point, Survey};

/// The misses of a fully associative cache of each size, at one size of the program. Exact.
#[derive(Debug)]
pub struct Locality {
    place: Place,
    accesses: Int,
    blocks: Int,
    real: Int,
    /// Accesses with one interval, and parts, which count here from their largest interval on.
    ladder: Ladder,
    parts: Vec<Part>,
    /// Where parts begin and end. From one of these to the next the same parts are astride.
    ends: Vec<Int>,
    astride: Vec<OnceLock<Box<[u32]>>>,
    enumerated: u64,
    /// How many windows were asked for, up to [`SURVEYED_FROM`].
    questions: AtomicU32,
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

impl Place {
    /// The size, for another question about it.
    pub fn sizes(&self) -> Sizes {
        // Sizes were 64 bits before they were evaluated.
        let values = self.parameters.iter();
        values.filter_map(|(name, value)| Some((name.clone(), i64::try_from(*value).ok()?))).collect()
    }
}

/// The survey is made at the question after so many.
const SURVEYED_FROM: u32 = 2;

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
}

impl Locality {
    /// Prepares all caches; says what is wrong if the classes do not add up.
    pub(crate) fn new(place: Place, accesses: Int, blocks: Int, parts: Parts) -> Result<Self, String> {
        let (locality, all) = Self::unchecked(place, accesses, blocks, parts);
        locality.check(&all)?;
        Ok(locality)
    }

    /// The same for any part of the accesses, and their sums.
    pub(crate) fn unchecked(place: Place, accesses: Int, blocks: Int, parts: Parts) -> (Self, Below) {
        let Parts { atoms, parts, enumerated } = parts;
        let mut ends: Vec<Int> = parts.iter().flat_map(|part| [part.low.clone(), part.high.clone()]).collect();
        ends.sort_unstable();
        ends.dedup();
        let totals = parts.iter().map(|part| (&part.high, part.kind, part.total.clone()));
        let atoms = atoms.iter().map(|atom| {
            (&atom.interval, atom.kind, Sums { count: atom.count.clone(), weighted: &atom.interval * &atom.count })
        });
        let ladder = Ladder::new(atoms.chain(totals).collect(), &ends);
        let below = ladder.last();
        let locality = Self {
            place,
            accesses,
            blocks,
            real: below.real.clone(),
            ladder,
            astride: vec![OnceLock::new(); ends.len()],
            ends,
            parts,
            enumerated,
            questions: AtomicU32::new(0),
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
        (self.ladder.starts.len(), self.parts.len())
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
        let survey = self.survey();
        // No window of C blocks is shorter than C.
        let safe = || survey.map_or_else(|| blocks.clone(), |survey| survey.safe(&room));
        let mut x = survey.map_or_else(|| blocks.clone(), |survey| survey.near(&room));
        loop {
            let point = self.point(x);
            let left = &room - &point.working_set;
            if !left.is_negative() && left < point.slope {
                return Some(point);
            }
            x = safe().max(point.reach(&room).unwrap_or(Int::ZERO));
        }
    }

    /// A survey takes as long as many questions: the first ones go without.
    fn survey(&self) -> Option<&Survey> {
        if self.questions.load(Ordering::Relaxed) < SURVEYED_FROM {
            self.questions.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        let point = |x| (self.searched(&x) <= SURVEYED).then(|| self.point(x));
        Some(self.survey.get_or_init(|| Survey::new(&self.longest(), point)))
    }

    /// How many rows and digits are searched one by one for `x`, at most.
    fn searched(&self, x: &Int) -> i128 {
        let astride = self.astride(self.ladder.passed(x)).iter();
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
        self.ladder.starts.last().cloned().unwrap_or(Int::ZERO)
    }

    /// One of the breakpoints in `(low, high]`, in the midst of them.
    pub(crate) fn breakpoint_between(&self, low: &Int, high: &Int) -> Option<Int> {
        let (first, end) = (self.ladder.passed(low), self.ladder.passed(high));
        (first < end).then(|| self.ladder.starts[first.midpoint(end)].clone())
    }

    /// The accesses with an interval up to `x`.
    pub(crate) fn below(&self, x: &Int) -> Below {
        let passed = self.ladder.passed(x);
        let mut below = self.ladder.at(passed);
        let (mut real, mut imaginary) = (Sums::default(), Sums::default());
        for index in self.astride(passed) {
            let part = &self.parts[*index as usize];
            let sums = match part.kind {
                Kind::Real => &mut real,
                Kind::Imaginary => &mut imaginary,
            };
            sums.add(&part.up_to(x));
        }
        below.add(Kind::Real, &real);
        below.add(Kind::Imaginary, &imaginary);
        below
    }

    /// The parts that begin with the last of so many rungs or before it, and end after it.
    fn astride(&self, rungs: usize) -> &[u32] {
        let ends = rungs.checked_sub(1).map_or(0, |last| self.ladder.ends[last]);
        let Some(last) = (ends as usize).checked_sub(1) else { return &[] };
        self.astride[last].get_or_init(|| {
            let (end, indices) = (&self.ends[last], (0..).zip(&self.parts));
            indices.filter(|(_, part)| part.low <= *end && *end < part.high).map(|(i, _)| i).collect()
        })
    }
}

/// Sums that grow at some x.
#[derive(Debug)]
struct Ladder {
    /// Where they grow, or where parts begin or end, ascending.
    starts: Vec<Int>,
    /// The sums from there on.
    below: Vec<Below>,
    /// How many ends of parts there are up to there.
    ends: Vec<u32>,
}

impl Ladder {
    fn new<'x>(mut steps: Vec<(&'x Int, Kind, Sums)>, ends: &'x [Int]) -> Self {
        steps.extend(ends.iter().map(|end| (end, Kind::Imaginary, Sums::default())));
        steps.sort_unstable_by_key(|(x, ..)| *x);
        let mut ladder = Self { starts: Vec::new(), below: Vec::new(), ends: Vec::new() };
        let (mut below, mut passed) = (Below::NOTHING, 0);
        for steps in steps.chunk_by(|(a, ..), (b, ..)| a == b) {
            let (start, ..) = steps[0];
            steps.iter().for_each(|(_, kind, step)| below.add(*kind, step));
            passed += u32::from(ends.get(passed as usize) == Some(start));
            ladder.starts.push(start.clone());
            ladder.below.push(below.clone());
            ladder.ends.push(passed);
        }
        ladder
    }

    /// How many rungs are up to `x`.
    fn passed(&self, x: &Int) -> usize {
        self.starts.partition_point(|start| start <= x)
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
