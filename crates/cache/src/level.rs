//! A single cache with its lines and the states of its sets.

use crate::geometry::{Geometry, GeometryError};
use crate::policy::{EMPTY, Policy, UNKNOWN};

/// A cache with its lines. Blocks are below 2^61.
#[derive(Clone, Debug)]
pub struct Level<P> {
    geometry: Geometry,
    policy: P,
    /// The lines, set by set, way by way: four times the block, plus the bits of its state; or [`EMPTY`] or [`UNKNOWN`].
    lines: Vec<u64>,
    /// The states of the policy, set by set.
    states: Vec<u64>,
}

/// A request for a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Its content is read.
    Read,
    /// Its content is changed.
    Write,
}

/// The state of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LineState {
    /// Memory has the same content.
    Clean,
    /// It may have been written before the accesses that were run.
    PerhapsDirty,
    /// It was written since it was fetched.
    Dirty,
}

/// The bits of a line that hold its state.
const STATE: u64 = 3;
/// The number of these bits.
const STATE_BITS: u32 = 2;

impl From<Request> for LineState {
    fn from(request: Request) -> Self {
        match request {
            Request::Read => LineState::Clean,
            Request::Write => LineState::Dirty,
        }
    }
}

impl LineState {
    /// Returns the lowest bits of a line: the bitwise or of two states is the larger one.
    #[inline]
    fn bits(self) -> u64 {
        match self {
            LineState::Clean => 0,
            LineState::PerhapsDirty => 1,
            LineState::Dirty => 3,
        }
    }

    #[inline]
    fn of(line: u64) -> Self {
        match line & STATE {
            0 => LineState::Clean,
            1 => LineState::PerhapsDirty,
            _ => LineState::Dirty,
        }
    }
}

/// The outcome of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "an evicted block may have to be written back"]
pub enum Outcome {
    /// A hit.
    Hit,
    /// A miss that filled an empty way, or one with an unknown line.
    Filled,
    /// A miss that evicted another block.
    Replaced {
        /// The evicted block.
        block: u64,
        /// The state of its line.
        state: LineState,
    },
}

impl Outcome {
    /// Returns true if the access was a hit.
    pub fn is_hit(self) -> bool {
        self == Outcome::Hit
    }

    /// Returns the block that has to be written back, or perhaps has to be.
    pub fn write_back(self) -> Option<(u64, LineState)> {
        match self {
            Outcome::Replaced { block, state: state @ (LineState::Dirty | LineState::PerhapsDirty) } => {
                Some((block, state))
            }
            _ => None,
        }
    }

    fn of(line: u64) -> Self {
        match line {
            EMPTY | UNKNOWN => Outcome::Filled,
            line => Outcome::Replaced { block: line >> STATE_BITS, state: LineState::of(line) },
        }
    }
}

impl<P: Policy> Level<P> {
    /// Creates an empty cache.
    ///
    /// # Errors
    ///
    /// [`GeometryError`] if the policy cannot keep such sets.
    pub fn new(geometry: Geometry, policy: P) -> Result<Self, GeometryError> {
        policy.check(&geometry)?;
        Ok(Self {
            geometry,
            lines: vec![EMPTY; geometry.lines() as usize],
            states: (0..geometry.sets()).map(|set| policy.start(set)).collect(),
            policy,
        })
    }

    /// Returns its geometry.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Reads or writes a block, which is fetched if it is not there.
    #[inline]
    pub fn access(&mut self, block: u64, request: Request) -> Outcome {
        let written = LineState::from(request).bits();
        let (policy, lines, state) = self.set(block);
        match way_of(lines, block) {
            Some(way) => {
                lines[way] |= written;
                policy.hit(lines, state, way);
                Outcome::Hit
            }
            None => fill(policy, lines, state, block << STATE_BITS | written),
        }
    }

    /// Uses a block if it is there, and returns whether it is. Its line becomes dirty if the new content is.
    #[inline]
    pub fn touch(&mut self, block: u64, content: LineState) -> bool {
        let (policy, lines, state) = self.set(block);
        let Some(way) = way_of(lines, block) else { return false };
        lines[way] |= content.bits();
        policy.hit(lines, state, way);
        true
    }

    /// Puts in a block that is not there.
    #[inline]
    pub fn fill(&mut self, block: u64, content: LineState) -> Outcome {
        let (policy, lines, state) = self.set(block);
        fill(policy, lines, state, block << STATE_BITS | content.bits())
    }

    /// Removes a block, and returns the state of its line; `None` if it was not there.
    #[must_use = "a dirty block has to be written back"]
    pub fn remove(&mut self, block: u64) -> Option<LineState> {
        let (policy, lines, state) = self.set(block);
        let way = way_of(lines, block)?;
        let removed = LineState::of(lines[way]);
        policy.remove(lines, state, way);
        Some(removed)
    }

    /// Returns the state of a block's line; `None` if it is not there.
    pub fn find(&self, block: u64) -> Option<LineState> {
        let ways = self.geometry.ways() as usize;
        let set = self.geometry.set(block) as usize;
        let lines = &self.lines[set * ways..][..ways];
        way_of(lines, block).map(|way| LineState::of(lines[way]))
    }

    /// Returns the blocks that are there, with the states of their lines.
    pub fn blocks(&self) -> impl Iterator<Item = (u64, LineState)> {
        self.lines.iter().filter(|line| **line < UNKNOWN).map(|line| (line >> STATE_BITS, LineState::of(*line)))
    }

    /// Makes the empty cache a part of a larger one: its set s is set s·`modulus` + `rest` there.
    pub fn place(&mut self, modulus: u64, rest: u64) {
        self.states = (0..self.geometry.sets()).map(|set| self.policy.start(set * modulus + rest)).collect();
    }

    /// Makes every way hold an unknown line, in a state of the policy that the seed chooses.
    pub fn forget(&mut self, seed: u64) {
        self.lines.fill(UNKNOWN);
        let ways = self.geometry.ways() as usize;
        self.states = (0..self.geometry.sets()).map(|set| self.policy.unknown(seed, set, ways)).collect();
    }

    /// Makes clean lines perhaps dirty, if `doubtful` holds for their block.
    pub fn doubt(&mut self, doubtful: &impl Fn(u64) -> bool) {
        for line in self.lines.iter_mut().filter(|line| **line < UNKNOWN) {
            if doubtful(*line >> STATE_BITS) {
                *line |= LineState::PerhapsDirty.bits();
            }
        }
    }

    /// Returns the number of ways that hold unknown lines.
    pub fn unknown(&self) -> u64 {
        self.lines.iter().filter(|line| **line == UNKNOWN).count() as u64
    }

    /// Returns true if every set equals the one `rotation` sets before it in an earlier state, where `same` compares
    /// earlier and present blocks.
    pub fn is_image(&self, earlier: &Self, rotation: i64, same: &impl Fn(u64, u64) -> bool) -> bool {
        let (sets, ways) = (self.states.len(), self.geometry.ways() as usize);
        let first = rotation.rem_euclid(sets as i64) as usize;
        let is_image = |old: u64, new: u64| match (old, new) {
            (EMPTY | UNKNOWN, _) | (_, EMPTY | UNKNOWN) => old == new,
            (old, new) => old & STATE == new & STATE && same(old >> STATE_BITS, new >> STATE_BITS),
        };
        (0..sets).all(|before| {
            let after = (before + first) % sets;
            let (old, new) = (&earlier.lines[before * ways..][..ways], &self.lines[after * ways..][..ways]);
            earlier.states[before] == self.states[after] && old.iter().zip(new).all(|(old, new)| is_image(*old, *new))
        })
    }

    /// Replaces each block by its image, `rotation` sets further.
    pub fn translate(&mut self, rotation: i64, image: &impl Fn(u64) -> u64) {
        let sets = self.states.len();
        let first = rotation.rem_euclid(sets as i64) as usize;
        self.states.rotate_right(first);
        self.lines.rotate_right(first * self.geometry.ways() as usize);
        for line in self.lines.iter_mut().filter(|line| **line < UNKNOWN) {
            *line = image(*line >> STATE_BITS) << STATE_BITS | *line & STATE;
        }
    }

    #[inline]
    fn set(&mut self, block: u64) -> (&P, &mut [u64], &mut u64) {
        let (set, ways) = (self.geometry.set(block) as usize, self.geometry.ways() as usize);
        (&self.policy, &mut self.lines[set * ways..][..ways], &mut self.states[set])
    }
}

#[inline]
fn fill(policy: &impl Policy, lines: &mut [u64], state: &mut u64, line: u64) -> Outcome {
    let way = policy.replace(lines, state);
    Outcome::of(std::mem::replace(&mut lines[way], line))
}

/// Returns the way of its set that a block is in.
#[inline]
fn way_of(lines: &[u64], block: u64) -> Option<usize> {
    // A loop whose length is known is unrolled.
    match <&[u64; 8]>::try_from(lines) {
        Ok(eight) if eight[0] >> STATE_BITS == block => Some(0),
        Ok(eight) => {
            let way = (1..8).rev().fold(8, |way, at| if eight[at] >> STATE_BITS == block { at } else { way });
            Some(way).filter(|way| *way < 8)
        }
        Err(_) => lines.iter().position(|line| line >> STATE_BITS == block),
    }
}
