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
//! ends, after a few steps, at x* = max {x : s(x) ≤ C}, exactly. It starts at the largest x that is known to be too small,
//! from any earlier question: the more has been asked, the fewer steps are left. B and K are sums over the parts of the classes (see
//! `closed`): those wholly up to x in prefix sums, and those astride x by their own closed forms.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use symloc_quasi::Int;

use crate::closed::{Part, Parts};
use crate::data::Kind;
use crate::denning::Misses;

/// The misses of a fully associative cache of each size, at one size of the program. Exact.
#[derive(Debug)]
pub struct Locality {
    place: Place,
    accesses: Int,
    blocks: Int,
    real: Int,
    /// Where something begins or ends, ascending: between two of them, the same parts are astride.
    brackets: Vec<Bracket>,
    parts: Vec<Part>,
    /// The brackets with which each part begins and ends.
    spans: Vec<(usize, usize)>,
    enumerated: u64,
    /// What is known of the working set, by ascending x.
    known: Mutex<Vec<Known>>,
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

/// More points of the working set than these are not remembered.
const MEMORY: usize = 1 << 14;

/// A point of the working set.
#[derive(Clone, Debug)]
struct Known {
    x: Int,
    /// N·s(x)
    working_set: Int,
    below: Below,
}

/// From one breakpoint to the next.
#[derive(Debug)]
struct Bracket {
    start: Int,
    /// Over everything that lies wholly up to `start`.
    below: Below,
    /// The parts that begin at `start` or before and end after it.
    astride: OnceLock<Box<[u32]>>,
}

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

    fn add(&mut self, kind: Kind, count: &Int, weighted: &Int) {
        self.count += count;
        self.weighted += weighted;
        if kind == Kind::Real {
            self.real += count;
        }
    }
}

impl Locality {
    /// Prepares all caches; says what is wrong if the classes do not add up.
    pub(crate) fn new(place: Place, accesses: Int, blocks: Int, parts: Parts) -> Result<Self, String> {
        let (locality, all) = Self::unchecked(place, accesses, blocks, parts);
        locality.check(&all).map(|()| locality)
    }

    /// The same for any part of the accesses, and their sums.
    pub(crate) fn unchecked(place: Place, accesses: Int, blocks: Int, parts: Parts) -> (Self, Below) {
        let Parts { atoms, parts, enumerated } = parts.woven();
        // Everything counts from its largest interval on.
        let mut ends: Vec<(&Int, Kind, &Int, Int)> = Vec::with_capacity(atoms.len() + 2 * parts.len());
        for atom in &atoms {
            ends.push((&atom.interval, atom.kind, &atom.count, &atom.interval * &atom.count));
        }
        for part in &parts {
            ends.push((&part.high, part.kind, &part.total.count, part.total.weighted.clone()));
            ends.push((&part.low, part.kind, &Int::ZERO, Int::ZERO));
        }
        ends.sort_unstable_by_key(|(x, ..)| *x);
        let mut below = Below::NOTHING;
        let mut brackets: Vec<Bracket> = Vec::with_capacity(ends.len());
        for (x, kind, count, weighted) in ends {
            below.add(kind, count, &weighted);
            match brackets.last_mut() {
                Some(last) if last.start == *x => last.below = below.clone(),
                _ => brackets.push(Bracket { start: x.clone(), below: below.clone(), astride: OnceLock::new() }),
            }
        }
        let place_of = |x: &Int| brackets.partition_point(|bracket| bracket.start < *x);
        let spans = parts.iter().map(|part| (place_of(&part.low), place_of(&part.high))).collect();
        let locality = Self {
            place,
            accesses,
            blocks,
            real: below.real.clone(),
            brackets,
            parts,
            spans,
            enumerated,
            known: Mutex::default(),
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
        (self.brackets.len(), self.parts.len())
    }

    /// The misses of a fully associative cache of so many blocks.
    pub fn misses(&self, blocks: &Int) -> Misses {
        let reuse = match self.window_of(blocks) {
            Some((_, below)) => &self.real - &below.real,
            None => Int::ZERO,
        };
        Misses { cold: self.blocks.clone(), reuse }
    }

    /// x*, the largest window whose working set fits in so many blocks; `None` if every window fits.
    pub fn window(&self, blocks: &Int) -> Option<Int> {
        self.window_of(blocks).map(|(x, _)| x)
    }

    fn window_of(&self, blocks: &Int) -> Option<(Int, Below)> {
        if *blocks >= self.blocks {
            return None;
        }
        let room = &self.accesses * blocks;
        let mut known = self.known();
        let (mut x, mut below, mut working_set) = (Int::ZERO, Below::NOTHING, Int::ZERO);
        let mut place = known.partition_point(|known| known.working_set <= room);
        if let Some(last) = place.checked_sub(1).map(|last| &known[last]) {
            (x, below, working_set) = (last.x.clone(), last.below.clone(), last.working_set.clone());
        }
        loop {
            let above = &self.accesses - &below.count;
            let step = (&room - &working_set).div_floor(&above)?;
            if step <= Int::ZERO {
                return Some((x, below));
            }
            x += &step;
            below = self.below(&x);
            working_set = self.working_set(&x, &below);
            if known.len() < MEMORY {
                known.insert(place, Known { x: x.clone(), working_set: working_set.clone(), below: below.clone() });
                place += 1;
            }
        }
    }

    /// Nothing panics while it holds the lock.
    fn known(&self) -> MutexGuard<'_, Vec<Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// N·s(x); `below` is what lies up to `x`.
    pub(crate) fn working_set(&self, x: &Int, below: &Below) -> Int {
        &below.weighted + &(x * &(&self.accesses - &below.count))
    }

    /// The longest interval.
    pub(crate) fn longest(&self) -> Int {
        self.brackets.last().map_or(Int::ZERO, |bracket| bracket.start.clone())
    }

    /// The middle one of the breakpoints in `(low, high]`.
    pub(crate) fn breakpoint_between(&self, low: &Int, high: &Int) -> Option<Int> {
        let first = self.brackets.partition_point(|bracket| bracket.start <= *low);
        let end = self.brackets.partition_point(|bracket| bracket.start <= *high);
        (first < end).then(|| self.brackets[first.midpoint(end)].start.clone())
    }

    /// The accesses with an interval up to `x`.
    pub(crate) fn below(&self, x: &Int) -> Below {
        let begun = self.brackets.partition_point(|bracket| bracket.start <= *x);
        let Some(last) = begun.checked_sub(1) else { return Below::NOTHING };
        let mut below = self.brackets[last].below.clone();
        for index in self.astride(last) {
            let part = &self.parts[*index as usize];
            let sums = part.up_to(x);
            below.add(part.kind, &sums.count, &sums.weighted);
        }
        below
    }

    /// The parts that begin with a bracket or before it, and end after it.
    fn astride(&self, bracket: usize) -> &[u32] {
        self.brackets[bracket].astride.get_or_init(|| {
            let indices = (0..).zip(&self.spans);
            indices.filter(|(_, (low, high))| *low <= bracket && bracket < *high).map(|(i, _)| i).collect()
        })
    }
}
