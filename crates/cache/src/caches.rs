//! The common interface of caches that accesses can be run on: one cache, or several levels.

use crate::geometry::{GeometryError, IndexFunction};
use crate::hierarchy::{Design, Hierarchy, Inclusion, Writes};
use crate::level::{Level, LineState, Request};
use crate::policy::Policy;
use crate::traffic::Traffic;

/// Caches that answer one access after the other.
pub trait Caches: Clone + 'static {
    /// Returns the number of levels.
    fn levels(&self) -> usize;

    /// Reads or writes a block, and returns the level that held it, from 0, or the number of levels if none did. `gone`
    /// is called with the level, the block and its state for each block that is evicted and was written, or perhaps was.
    fn access(&mut self, block: u64, request: Request, gone: &mut impl FnMut(usize, u64, LineState)) -> usize;

    /// Takes in a written block that caches before these evict: no request, which misses nothing. `gone` as for
    /// [`access`](Self::access).
    fn take_in(&mut self, block: u64, gone: &mut impl FnMut(usize, u64, LineState));

    /// Returns the state of a block's line, dirty if it is in any level; `None` if no level holds the block.
    fn find(&self, block: u64) -> Option<LineState>;

    /// Returns true if a sequence of accesses that all hit the first level changes nothing when it is repeated.
    fn settles(&self) -> bool;

    /// Returns a number of blocks: a sequence of accesses to at most so many blocks hits the first level when it is
    /// repeated, and changes nothing then.
    fn keeps(&self) -> u64;

    /// Returns the set of the first level that a block belongs to.
    fn set(&self, block: u64) -> u64;

    /// Accounts for accesses that were not run, because they hit the first level and change nothing.
    fn skip(&mut self, accesses: u64);

    /// Returns the traffic of each level.
    fn traffic(&self) -> Vec<Traffic>;

    /// Returns the number of lines of all levels.
    fn lines(&self) -> u64;

    /// Makes empty caches a part of larger ones: set s of each level is set s·`modulus` + `rest` there.
    fn place(&mut self, modulus: u64, rest: u64);

    /// Makes every way hold an unknown line, in states of the policies that the seed chooses. The caches are empty.
    fn forget(&mut self, seed: u64);

    /// Makes clean lines perhaps dirty, if `doubtful` holds for their block.
    fn doubt(&mut self, doubtful: &impl Fn(u64) -> bool);

    /// Returns the number of unknown lines of all levels.
    fn unknown(&self) -> u64;

    /// Returns the number of sets of each level.
    fn sets(&self) -> Vec<u64>;

    /// Returns true if blocks shifted by a number of sets meet in the same way, independent of their place. This fails
    /// if sets are found by exclusive or, or if the next block in memory is fetched too.
    fn translates(&self) -> bool;

    /// Returns true if every set equals the one `rotation` sets before it in an earlier state, where `same` compares
    /// earlier and present blocks.
    fn is_image(&self, earlier: &Self, rotation: i64, same: &impl Fn(u64, u64) -> bool) -> bool;

    /// Replaces each block by its image, `rotation` sets further.
    fn translate(&mut self, rotation: i64, image: &impl Fn(u64) -> u64);

    /// Accounts for `times` times the traffic since `earlier`.
    fn repeat(&mut self, earlier: &Self, times: u64);
}

/// One cache that writes back, without special features: the common case, which is kept fast.
#[derive(Clone, Debug)]
pub struct Single<P> {
    level: Level<P>,
    traffic: Traffic,
}

impl<P: Policy> Single<P> {
    /// Creates an empty cache. The design's own policy is ignored.
    ///
    /// # Errors
    ///
    /// [`GeometryError`] if the policy cannot keep such sets.
    pub fn new(design: &Design, policy: P) -> Result<Self, GeometryError> {
        Ok(Self { level: Level::new(design.geometry, policy)?, traffic: Traffic::default() })
    }

    /// Returns true if a design, as the only level, is such a cache.
    pub fn suits(design: &Design) -> bool {
        design.writes == Writes::default() && !design.prefetch && design.inclusion == Inclusion::NonInclusive
    }
}

impl<P: Policy + 'static> Caches for Single<P> {
    fn levels(&self) -> usize {
        1
    }

    #[inline]
    fn access(&mut self, block: u64, request: Request, gone: &mut impl FnMut(usize, u64, LineState)) -> usize {
        let outcome = self.level.access(block, request);
        self.traffic.accesses += 1;
        if outcome.is_hit() {
            return 0;
        }
        self.traffic.misses += 1;
        self.traffic.fills += 1;
        if let Some((block, state)) = outcome.write_back() {
            self.traffic.evict(state);
            gone(0, block, state);
        }
        1
    }

    fn take_in(&mut self, block: u64, gone: &mut impl FnMut(usize, u64, LineState)) {
        if !self.level.touch(block, LineState::Dirty) {
            self.traffic.fills += 1;
            if let Some((block, state)) = self.level.fill(block, LineState::Dirty).write_back() {
                self.traffic.evict(state);
                gone(0, block, state);
            }
        }
    }

    fn find(&self, block: u64) -> Option<LineState> {
        self.level.find(block)
    }

    fn settles(&self) -> bool {
        P::SETTLES
    }

    fn keeps(&self) -> u64 {
        match (P::KEEPS, P::SETTLES) {
            (true, _) => self.level.geometry().ways(),
            (false, settles) => u64::from(settles),
        }
    }

    #[inline]
    fn set(&self, block: u64) -> u64 {
        self.level.geometry().set(block)
    }

    fn skip(&mut self, accesses: u64) {
        self.traffic.accesses += accesses;
    }

    fn traffic(&self) -> Vec<Traffic> {
        vec![self.traffic]
    }

    fn lines(&self) -> u64 {
        self.level.geometry().lines()
    }

    fn place(&mut self, modulus: u64, rest: u64) {
        self.level.place(modulus, rest);
    }

    fn forget(&mut self, seed: u64) {
        self.level.forget(seed);
    }

    fn doubt(&mut self, doubtful: &impl Fn(u64) -> bool) {
        self.level.doubt(doubtful);
    }

    fn unknown(&self) -> u64 {
        self.level.unknown()
    }

    fn sets(&self) -> Vec<u64> {
        vec![self.level.geometry().sets()]
    }

    fn translates(&self) -> bool {
        self.level.geometry().index() == IndexFunction::Modulo
    }

    fn is_image(&self, earlier: &Self, rotation: i64, same: &impl Fn(u64, u64) -> bool) -> bool {
        self.level.is_image(&earlier.level, rotation, same)
    }

    fn translate(&mut self, rotation: i64, image: &impl Fn(u64) -> u64) {
        self.level.translate(rotation, image);
    }

    fn repeat(&mut self, earlier: &Self, times: u64) {
        self.traffic.repeat(&earlier.traffic, times);
    }
}

impl Caches for Hierarchy {
    fn levels(&self) -> usize {
        self.levels()
    }

    fn access(&mut self, block: u64, request: Request, gone: &mut impl FnMut(usize, u64, LineState)) -> usize {
        self.access(block, request, gone)
    }

    fn take_in(&mut self, block: u64, gone: &mut impl FnMut(usize, u64, LineState)) {
        self.take_in(block, gone);
    }

    fn find(&self, block: u64) -> Option<LineState> {
        self.find(block)
    }

    fn settles(&self) -> bool {
        self.settles()
    }

    fn keeps(&self) -> u64 {
        // Blocks may be evicted by prefetched ones, and not be fetched where they are written.
        0
    }

    fn set(&self, block: u64) -> u64 {
        self.set(block)
    }

    fn skip(&mut self, accesses: u64) {
        self.skip(accesses);
    }

    fn traffic(&self) -> Vec<Traffic> {
        self.traffic()
    }

    fn lines(&self) -> u64 {
        self.designs().map(|design| design.geometry.lines()).sum()
    }

    fn place(&mut self, modulus: u64, rest: u64) {
        self.place(modulus, rest);
    }

    fn forget(&mut self, seed: u64) {
        self.forget(seed);
    }

    fn doubt(&mut self, doubtful: &impl Fn(u64) -> bool) {
        self.doubt(doubtful);
    }

    fn unknown(&self) -> u64 {
        self.unknown()
    }

    fn sets(&self) -> Vec<u64> {
        self.designs().map(|design| design.geometry.sets()).collect()
    }

    fn translates(&self) -> bool {
        self.designs().all(|design| design.geometry.index() == IndexFunction::Modulo && !design.prefetch)
    }

    fn is_image(&self, earlier: &Self, rotation: i64, same: &impl Fn(u64, u64) -> bool) -> bool {
        self.is_image(earlier, rotation, same)
    }

    fn translate(&mut self, rotation: i64, image: &impl Fn(u64) -> u64) {
        self.translate(rotation, image);
    }

    fn repeat(&mut self, earlier: &Self, times: u64) {
        self.repeat(earlier, times);
    }
}
