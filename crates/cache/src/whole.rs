//! One fully associative LRU cache of many lines.

use crate::associative::Associative;
use crate::caches::{Caches, Single};
use crate::hierarchy::{Design, Replacement};
use crate::level::{LineState, Request};
use crate::policy::Lru;
use crate::traffic::Traffic;

/// One fully associative LRU cache that writes back.
#[derive(Clone, Debug)]
pub struct Whole {
    cache: Associative,
    /// True if empty ways hold unknown lines.
    forgotten: bool,
    traffic: Traffic,
}

impl Whole {
    /// Creates an empty cache of `lines` lines, at least 1.
    pub fn new(lines: u32) -> Self {
        Self { cache: Associative::new(lines), forgotten: false, traffic: Traffic::default() }
    }

    /// Returns the number of lines if a design, as the only level, is such a cache. `None` otherwise, and for a few
    /// lines, which are searched faster as a set.
    pub fn suits(design: &Design) -> Option<u32> {
        let Design { geometry, replacement, .. } = design;
        let whole = geometry.sets() == 1 && geometry.ways() > 64 && *replacement == Replacement::Lru;
        u32::try_from(geometry.ways()).ok().filter(|_| whole && Single::<Lru>::suits(design))
    }
}

impl Caches for Whole {
    fn levels(&self) -> usize {
        1
    }

    #[inline]
    fn access(&mut self, block: u64, request: Request, gone: &mut impl FnMut(usize, u64, LineState)) -> usize {
        let outcome = self.cache.access(block, request);
        self.traffic.accesses += 1;
        self.traffic.misses += u64::from(!outcome.is_hit());
        self.traffic.fills += u64::from(!outcome.is_hit());
        if let Some((block, state)) = outcome.write_back() {
            self.traffic.evict(state);
            gone(0, block, state);
        }
        usize::from(!outcome.is_hit())
    }

    fn take_in(&mut self, block: u64, gone: &mut impl FnMut(usize, u64, LineState)) {
        let outcome = self.cache.access(block, Request::Write);
        self.traffic.fills += u64::from(!outcome.is_hit());
        if let Some((block, state)) = outcome.write_back() {
            self.traffic.evict(state);
            gone(0, block, state);
        }
    }

    fn find(&self, block: u64) -> Option<LineState> {
        self.cache.find(block)
    }

    fn settles(&self) -> bool {
        true
    }

    fn keeps(&self) -> u64 {
        self.cache.ways()
    }

    fn set(&self, _: u64) -> u64 {
        0
    }

    fn skip(&mut self, accesses: u64) {
        self.traffic.accesses += accesses;
    }

    fn traffic(&self) -> Vec<Traffic> {
        vec![self.traffic]
    }

    fn lines(&self) -> u64 {
        self.cache.ways()
    }

    fn place(&mut self, _: u64, _: u64) {}

    fn forget(&mut self, _: u64) {
        self.forgotten = true;
    }

    fn doubt(&mut self, doubtful: &impl Fn(u64) -> bool) {
        self.cache.doubt(doubtful);
    }

    fn unknown(&self) -> u64 {
        if self.forgotten { self.cache.vacant() } else { 0 }
    }

    fn sets(&self) -> Vec<u64> {
        vec![1]
    }

    fn translates(&self) -> bool {
        true
    }

    fn is_image(&self, earlier: &Self, _: i64, same: &impl Fn(u64, u64) -> bool) -> bool {
        self.cache.is_image(&earlier.cache, same)
    }

    fn translate(&mut self, _: i64, image: &impl Fn(u64) -> u64) {
        self.cache.translate(image);
    }

    fn repeat(&mut self, earlier: &Self, times: u64) {
        self.traffic.repeat(&earlier.traffic, times);
    }
}
