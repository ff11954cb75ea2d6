//! A fully associative LRU cache: a hash table into a list from the newest line to the oldest.

use crate::level::{LineState, Outcome, Request};
use rustc_hash::FxHashMap;

/// One set of any number of ways with LRU replacement.
#[derive(Clone, Debug)]
pub struct Associative {
    ways: usize,
    /// The place in `lines` of each block.
    places: FxHashMap<u64, u32>,
    /// A ring: its head is the newest line, and the one before that the oldest.
    lines: Vec<CachedLine>,
    newest: u32,
}

#[derive(Clone, Copy, Debug)]
struct CachedLine {
    block: u64,
    state: LineState,
    newer: u32,
    older: u32,
}

impl Associative {
    /// Creates an empty cache of `ways` lines, at least 1 and below 2^32.
    pub fn new(ways: u32) -> Self {
        Self { ways: ways as usize, places: FxHashMap::default(), lines: Vec::new(), newest: 0 }
    }

    /// Returns the number of lines.
    pub fn ways(&self) -> u64 {
        self.ways as u64
    }

    /// Reads or writes a block, which is fetched if it is not there.
    #[inline]
    pub fn access(&mut self, block: u64, request: Request) -> Outcome {
        let written = LineState::from(request);
        if let Some(newest) = self.lines.get_mut(self.newest as usize)
            && newest.block == block
        {
            newest.state = newest.state.max(written);
            return Outcome::Hit;
        }
        if let Some(place) = self.places.get(&block) {
            let place = *place;
            let line = &mut self.lines[place as usize];
            line.state = line.state.max(written);
            self.renew(place);
            return Outcome::Hit;
        }
        if self.lines.len() < self.ways {
            self.push(block, written);
            return Outcome::Filled;
        }
        // The oldest line becomes the newest, with another block in it.
        self.newest = self.lines[self.newest as usize].newer;
        let line = &mut self.lines[self.newest as usize];
        let replaced = std::mem::replace(line, CachedLine { block, state: written, ..*line });
        self.places.remove(&replaced.block);
        self.places.insert(block, self.newest);
        Outcome::Replaced { block: replaced.block, state: replaced.state }
    }

    /// Returns the state of a block's line; `None` if it is not there.
    pub fn find(&self, block: u64) -> Option<LineState> {
        self.places.get(&block).map(|place| self.lines[*place as usize].state)
    }

    /// Makes clean lines perhaps dirty, if `doubtful` holds for their block.
    pub fn doubt(&mut self, doubtful: &impl Fn(u64) -> bool) {
        for line in self.lines.iter_mut().filter(|line| doubtful(line.block)) {
            line.state = line.state.max(LineState::PerhapsDirty);
        }
    }

    /// Returns the number of empty ways.
    pub fn vacant(&self) -> u64 {
        (self.ways - self.lines.len()) as u64
    }

    /// Returns true if `same` holds for all lines of an earlier state and of this one, from the newest to the oldest.
    pub fn is_image(&self, earlier: &Self, same: &impl Fn(u64, u64) -> bool) -> bool {
        self.lines.len() == earlier.lines.len()
            && earlier
                .by_use()
                .zip(self.by_use())
                .all(|(old, new)| old.state == new.state && same(old.block, new.block))
    }

    /// Replaces each block by its image.
    pub fn translate(&mut self, image: &impl Fn(u64) -> u64) {
        self.lines.iter_mut().for_each(|line| line.block = image(line.block));
        self.places = self.lines.iter().zip(0..).map(|(line, place)| (line.block, place)).collect();
    }

    /// Returns the lines from the newest to the oldest.
    fn by_use(&self) -> impl Iterator<Item = &CachedLine> {
        let mut place = self.newest;
        (0..self.lines.len()).map(move |_| {
            let line = &self.lines[place as usize];
            place = line.older;
            line
        })
    }

    fn push(&mut self, block: u64, state: LineState) {
        let place = self.lines.len() as u32;
        self.places.insert(block, place);
        self.lines.push(CachedLine { block, state, newer: place, older: place });
        if place > 0 {
            self.link(place);
        }
        self.newest = place;
    }

    fn renew(&mut self, place: u32) {
        let CachedLine { newer, older, .. } = self.lines[place as usize];
        self.lines[newer as usize].older = older;
        self.lines[older as usize].newer = newer;
        self.link(place);
        self.newest = place;
    }

    /// Puts a line between the oldest and the newest.
    fn link(&mut self, place: u32) {
        let (older, newer) = (self.newest, self.lines[self.newest as usize].newer);
        (self.lines[place as usize].newer, self.lines[place as usize].older) = (newer, older);
        self.lines[newer as usize].older = place;
        self.lines[older as usize].newer = place;
    }
}
