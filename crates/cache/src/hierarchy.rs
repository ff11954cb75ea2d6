//! A hierarchy of caches, from the nearest to the processor to the farthest.
//!
//! A block that a level does not hold is requested from the next one, and at the end from memory. A written block that
//! a level evicts goes to the next level, which takes it in without a request: such writes are no accesses and do not
//! miss. The relation of the lines of a level to those of the levels before it is its [`Inclusion`].

use crate::geometry::{Geometry, GeometryError};
use crate::level::{Level, LineState, Outcome, Request};
use crate::policy::{Fifo, Lru, Qlru, Random, TreePlru};
use crate::splitmix::mixed;
use crate::traffic::Traffic;

/// The relation of the lines of a level to those of the levels before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Inclusion {
    /// No relation: every level keeps and evicts lines on its own.
    #[default]
    NonInclusive,
    /// The level holds all of their lines: a line that it evicts, they evict too.
    Inclusive,
    /// The level holds none of their lines: it takes the lines that the level before it evicts, and gives away those
    /// that this level requests.
    Exclusive,
}

/// The write policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Writes {
    /// True if a write to a block that is not in the cache fetches it.
    pub allocate: bool,
    /// True if writes wait until the line is evicted; otherwise each goes to the next level at once.
    pub back: bool,
}

impl Default for Writes {
    fn default() -> Self {
        Self { allocate: true, back: true }
    }
}

/// The name of a replacement policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Replacement {
    /// [`Lru`]
    #[default]
    Lru,
    /// [`Fifo`]
    Fifo,
    /// [`TreePlru`]
    TreePlru,
    /// [`Qlru`]
    Qlru,
    /// [`Random`], with a seed.
    Random(u64),
}

/// The design of one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Design {
    /// Its geometry.
    pub geometry: Geometry,
    /// Its replacement policy.
    pub replacement: Replacement,
    /// Its write policy.
    pub writes: Writes,
    /// The relation of its lines to those of the levels before it; without effect for the first level.
    pub inclusion: Inclusion,
    /// True if a miss also fetches the next block.
    pub prefetch: bool,
}

impl Design {
    /// Creates the design of a cache that writes back, without special features.
    pub fn new(geometry: Geometry, replacement: Replacement) -> Self {
        let (writes, inclusion) = (Writes::default(), Inclusion::default());
        Self { geometry, replacement, writes, inclusion, prefetch: false }
    }
}

/// Caches behind each other.
#[derive(Clone, Debug)]
pub struct Hierarchy {
    stages: Vec<CacheStage>,
}

#[derive(Clone, Debug)]
struct CacheStage {
    design: Design,
    level: AnyLevel,
    traffic: Traffic,
}

/// A level with any replacement policy.
#[derive(Clone, Debug)]
enum AnyLevel {
    Lru(Level<Lru>),
    Fifo(Level<Fifo>),
    TreePlru(Level<TreePlru>),
    Qlru(Level<Qlru>),
    Random(Level<Random>),
}

macro_rules! on_level {
    ($any:expr, $level:ident => $value:expr) => {
        match $any {
            AnyLevel::Lru($level) => $value,
            AnyLevel::Fifo($level) => $value,
            AnyLevel::TreePlru($level) => $value,
            AnyLevel::Qlru($level) => $value,
            AnyLevel::Random($level) => $value,
        }
    };
}

impl AnyLevel {
    fn new(geometry: Geometry, replacement: Replacement) -> Result<Self, GeometryError> {
        Ok(match replacement {
            Replacement::Lru => Self::Lru(Level::new(geometry, Lru)?),
            Replacement::Fifo => Self::Fifo(Level::new(geometry, Fifo)?),
            Replacement::TreePlru => Self::TreePlru(Level::new(geometry, TreePlru)?),
            Replacement::Qlru => Self::Qlru(Level::new(geometry, Qlru)?),
            Replacement::Random(seed) => Self::Random(Level::new(geometry, Random { seed })?),
        })
    }

    fn is_image(&self, earlier: &Self, rotation: i64, same: &impl Fn(u64, u64) -> bool) -> bool {
        match (self, earlier) {
            (Self::Lru(now), Self::Lru(before)) => now.is_image(before, rotation, same),
            (Self::Fifo(now), Self::Fifo(before)) => now.is_image(before, rotation, same),
            (Self::TreePlru(now), Self::TreePlru(before)) => now.is_image(before, rotation, same),
            (Self::Qlru(now), Self::Qlru(before)) => now.is_image(before, rotation, same),
            (Self::Random(now), Self::Random(before)) => now.is_image(before, rotation, same),
            _ => false,
        }
    }
}

impl Hierarchy {
    /// Creates empty caches.
    ///
    /// # Errors
    ///
    /// [`GeometryError`] if a policy cannot keep the sets of its level.
    pub fn new(designs: &[Design]) -> Result<Self, GeometryError> {
        let stage = |design: &Design| {
            let level = AnyLevel::new(design.geometry, design.replacement)?;
            Ok(CacheStage { design: *design, level, traffic: Traffic::default() })
        };
        Ok(Self { stages: designs.iter().map(stage).collect::<Result<_, _>>()? })
    }

    /// Returns the traffic of each level.
    pub fn traffic(&self) -> Vec<Traffic> {
        self.stages.iter().map(|stage| stage.traffic).collect()
    }

    /// Returns the blocks that a level holds, with whether they were written.
    pub fn blocks(&self, level: usize) -> impl Iterator<Item = (u64, LineState)> {
        let blocks: Box<dyn Iterator<Item = _>> = match self.stages.get(level) {
            Some(stage) => on_level!(&stage.level, level => Box::new(level.blocks())),
            None => Box::new(std::iter::empty()),
        };
        blocks
    }

    /// Returns the state of a block's line, dirty if it is in any level; `None` if no level holds the block.
    pub fn find(&self, block: u64) -> Option<LineState> {
        self.stages.iter().filter_map(|stage| on_level!(&stage.level, level => level.find(block))).max()
    }

    /// Takes in a written block that a cache before these evicts; `gone` as for [`access`](Self::access).
    pub fn take_in(&mut self, block: u64, gone: &mut impl FnMut(usize, u64, LineState)) {
        self.receive(0, block, LineState::Dirty, gone);
    }

    /// Returns the number of levels.
    pub fn levels(&self) -> usize {
        self.stages.len()
    }

    /// Returns true if a sequence of accesses that all hit the first level changes nothing when it is repeated.
    pub fn settles(&self) -> bool {
        let settled = |stage: &CacheStage| stage.design.writes.back && stage.design.replacement != Replacement::Qlru;
        self.stages.first().is_none_or(settled)
    }

    /// Makes empty caches a part of larger ones: set s of each level is set s·`modulus` + `rest` there.
    pub fn place(&mut self, modulus: u64, rest: u64) {
        for stage in &mut self.stages {
            on_level!(&mut stage.level, level => level.place(modulus, rest));
        }
    }

    /// Makes every way hold an unknown line, in states of the policies that the seed chooses.
    pub fn forget(&mut self, seed: u64) {
        for (stage, at) in self.stages.iter_mut().zip(0..) {
            on_level!(&mut stage.level, level => level.forget(mixed(seed ^ at)));
        }
    }

    /// Makes clean lines perhaps dirty, if `doubtful` holds for their block. A first level that writes through has none that are
    /// dirty, unless an exclusive one gives them back.
    pub fn doubt(&mut self, doubtful: &impl Fn(u64) -> bool) {
        for at in 0..self.stages.len() {
            if at > 0 || self.stages[at].design.writes.back || self.is_exclusive(at + 1) {
                on_level!(&mut self.stages[at].level, level => level.doubt(doubtful));
            }
        }
    }

    /// Returns the number of unknown lines of all levels.
    pub fn unknown(&self) -> u64 {
        self.stages.iter().map(|stage| on_level!(&stage.level, level => level.unknown())).sum()
    }

    fn is_exclusive(&self, at: usize) -> bool {
        self.stages.get(at).is_some_and(|stage| stage.design.inclusion == Inclusion::Exclusive)
    }

    /// Returns the designs of the levels.
    pub fn designs(&self) -> impl Iterator<Item = &Design> {
        self.stages.iter().map(|stage| &stage.design)
    }

    /// Returns true if every set of each level equals the one `rotation` sets before it in an earlier state, where
    /// `same` compares earlier and present blocks.
    pub fn is_image(&self, earlier: &Self, rotation: i64, same: &impl Fn(u64, u64) -> bool) -> bool {
        let mut stages = self.stages.iter().zip(&earlier.stages);
        stages.all(|(now, before)| now.level.is_image(&before.level, rotation, same))
    }

    /// Replaces each block by its image, `rotation` sets further.
    pub fn translate(&mut self, rotation: i64, image: &impl Fn(u64) -> u64) {
        for stage in &mut self.stages {
            on_level!(&mut stage.level, level => level.translate(rotation, image));
        }
    }

    /// Accounts for `times` times the traffic since `earlier`.
    pub fn repeat(&mut self, earlier: &Self, times: u64) {
        for (now, before) in self.stages.iter_mut().zip(&earlier.stages) {
            now.traffic.repeat(&before.traffic, times);
        }
    }

    /// Returns the set of the first level that a block belongs to.
    pub fn set(&self, block: u64) -> u64 {
        self.stages.first().map_or(0, |stage| stage.design.geometry.set(block))
    }

    /// Accounts for accesses that were not run, because they hit the first level and change nothing.
    pub fn skip(&mut self, accesses: u64) {
        if let Some(first) = self.stages.first_mut() {
            first.traffic.accesses += accesses;
        }
    }

    /// Reads or writes a block, and returns the level that held it, from 0, or the number of levels if none did. `gone`
    /// is called with the level, the block and its state for each block that is evicted and was written, or perhaps was.
    pub fn access(&mut self, block: u64, request: Request, gone: &mut impl FnMut(usize, u64, LineState)) -> usize {
        self.ask(0, block, request, gone)
    }

    /// Requests a block from level `at`.
    fn ask(&mut self, at: usize, block: u64, request: Request, gone: &mut impl FnMut(usize, u64, LineState)) -> usize {
        let Some(stage) = self.stages.get_mut(at) else { return at };
        let Writes { allocate, back } = stage.design.writes;
        stage.traffic.accesses += 1;
        let writes = request == Request::Write;
        let content = if back { request.into() } else { LineState::Clean };
        if on_level!(&mut stage.level, level => level.touch(block, content)) {
            if writes && !back {
                self.pass_on(at, block, gone);
            }
            return at;
        }
        stage.traffic.misses += 1;
        if writes && !allocate {
            return self.pass_on(at, block, gone);
        }
        let (held_by, fetched) = self.fetch(at, block, gone);
        self.fill(at, block, fetched.max(content), gone);
        if writes && !back {
            self.pass_on(at, block, gone);
        }
        if self.stages[at].design.prefetch {
            self.prefetch(at, block + 1, gone);
        }
        held_by
    }

    /// Gets a block for level `at` from those behind it, and returns the level that held it, with the state in which it
    /// comes.
    fn fetch(&mut self, at: usize, block: u64, gone: &mut impl FnMut(usize, u64, LineState)) -> (usize, LineState) {
        let next = at + 1;
        if !self.is_exclusive(next) {
            return (self.ask(next, block, Request::Read, gone), LineState::Clean);
        }
        let stage = &mut self.stages[next];
        stage.traffic.accesses += 1;
        match on_level!(&mut stage.level, level => level.remove(block)) {
            Some(state) => (next, state),
            None => {
                stage.traffic.misses += 1;
                self.fetch(next, block, gone)
            }
        }
    }

    /// Puts a block into level `at`, which does not hold it.
    fn fill(&mut self, at: usize, block: u64, state: LineState, gone: &mut impl FnMut(usize, u64, LineState)) {
        let stage = &mut self.stages[at];
        stage.traffic.fills += 1;
        if let Outcome::Replaced { block, state } = on_level!(&mut stage.level, level => level.fill(block, state)) {
            self.drop(at, block, state, gone);
        }
    }

    /// Handles the eviction of a block from level `at`.
    fn drop(&mut self, at: usize, block: u64, mut state: LineState, gone: &mut impl FnMut(usize, u64, LineState)) {
        if self.stages[at].design.inclusion == Inclusion::Inclusive {
            for before in &mut self.stages[..at] {
                let removed = on_level!(&mut before.level, level => level.remove(block));
                state = state.max(removed.unwrap_or(LineState::Clean));
            }
        }
        if state != LineState::Clean {
            self.stages[at].traffic.evict(state);
            gone(at, block, state);
        }
        if state == LineState::Dirty || self.is_exclusive(at + 1) {
            self.receive(at + 1, block, state, gone);
        } else if let (LineState::PerhapsDirty, Some(next)) = (state, self.stages.get_mut(at + 1)) {
            // A block that was not written would not come in there.
            on_level!(&mut next.level, level => level.touch(block, state));
        }
    }

    /// Takes a block from the level before into level `at`.
    fn receive(&mut self, at: usize, block: u64, state: LineState, gone: &mut impl FnMut(usize, u64, LineState)) {
        let Some(stage) = self.stages.get_mut(at) else { return };
        if !on_level!(&mut stage.level, level => level.touch(block, state)) {
            self.fill(at, block, state, gone);
        }
    }

    /// Passes a single write on from level `at`, and returns the level behind it that held the block.
    fn pass_on(&mut self, at: usize, block: u64, gone: &mut impl FnMut(usize, u64, LineState)) -> usize {
        self.stages[at].traffic.writes_through += 1;
        self.ask(at + 1, block, Request::Write, gone)
    }

    /// Fetches a block into level `at` without a request.
    fn prefetch(&mut self, at: usize, block: u64, gone: &mut impl FnMut(usize, u64, LineState)) {
        if on_level!(&self.stages[at].level, level => level.find(block)).is_some() {
            return;
        }
        let (_, state) = self.fetch(at, block, gone);
        self.fill(at, block, state, gone);
    }
}
