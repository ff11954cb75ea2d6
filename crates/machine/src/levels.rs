//! Hierarchies of caches: levels from the core outwards, each one cache or a range of alternatives.
//!
//! A range of sizes in one level means several hierarchies; ranges in several levels mean their product, the last level
//! running fastest. The levels of a machine come before the others.

use symloc_model::LineChoice;

use crate::cache::{Build, Cache, CacheRange, Capacity};
use crate::error::CacheRequestError;
use crate::machine::MachineLevel;
use crate::ranges::product;

/// A cache of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedCache {
    /// The name that a machine gives it.
    pub name: Option<String>,
    /// The cache.
    pub cache: Cache,
}

/// Levels from the core outwards, each with its alternatives.
#[derive(Clone, Debug)]
pub struct Levels {
    levels: Vec<Vec<NamedCache>>,
    /// True if a range was given.
    pub is_grid: bool,
}

impl From<MachineLevel> for NamedCache {
    fn from(level: MachineLevel) -> Self {
        let MachineLevel { name, bytes, ways, line_bytes, build, .. } = level;
        let cache = Cache { capacity: Capacity::Bytes(bytes), ways, line_bytes, build };
        Self { name: Some(name), cache }
    }
}

impl Levels {
    /// Combines the levels of a machine with one level for each range of caches.
    pub fn new(machine: Vec<MachineLevel>, caches: &[CacheRange]) -> Self {
        let mut levels: Vec<_> = machine.into_iter().map(|level| vec![level.into()]).collect();
        let unnamed = |cache| NamedCache { name: None, cache };
        levels.extend(caches.iter().map(|range| range.caches().map(unnamed).collect()));
        Self { levels, is_grid: caches.iter().any(CacheRange::is_range) }
    }

    /// Makes all caches fully associative: those of a machine as
    /// [`forget_ways_of_machine`](Self::forget_ways_of_machine) does, the others with the policies that were given.
    pub fn forget_ways(&mut self) {
        self.forget_ways_of_machine();
        self.levels.iter_mut().flatten().for_each(|level| level.cache.ways = None);
    }

    /// Makes the caches of a machine fully associative with LRU replacement, and returns their names and the ways that
    /// they had.
    pub fn forget_ways_of_machine(&mut self) -> Vec<(String, u64)> {
        let named = self.levels.iter_mut().flatten().filter_map(|level| Some((level.name.clone()?, &mut level.cache)));
        let forget = |(name, cache): (String, &mut Cache)| {
            cache.build = Build::default();
            Some((name, cache.ways.take()?))
        };
        named.filter_map(forget).collect()
    }

    /// Returns the number of hierarchies.
    pub fn count(&self) -> u128 {
        self.levels.iter().fold(1, |product: u128, level| product.saturating_mul(level.len() as u128))
    }

    /// Returns each cache of each level once.
    pub fn caches(&self) -> impl Iterator<Item = &NamedCache> {
        self.levels.iter().flatten()
    }

    /// Returns the hierarchies: one cache for each level.
    pub fn hierarchies(&self) -> impl Iterator<Item = Vec<&NamedCache>> {
        let lengths: Vec<_> = self.levels.iter().map(Vec::len).collect();
        product(&lengths).map(|chosen| chosen.iter().zip(&self.levels).map(|(index, level)| &level[*index]).collect())
    }

    /// Returns the only hierarchy; `None` if a range was written.
    pub fn single(&self) -> Option<Vec<&NamedCache>> {
        (!self.is_grid).then(|| self.caches().collect())
    }

    /// Returns the line size, on which `wanted` and all caches that name one must agree.
    ///
    /// # Errors
    ///
    /// [`CacheRequestError::TwoLines`] if they do not.
    pub fn line(&self, wanted: Option<u64>) -> Result<LineChoice, CacheRequestError> {
        let mut named = wanted.into_iter().chain(self.caches().filter_map(|level| level.cache.line_bytes));
        let Some(first) = named.next() else { return Ok(LineChoice::Only) };
        match named.find(|bytes| *bytes != first) {
            None => Ok(LineChoice::Bytes(first)),
            Some(other) => Err(CacheRequestError::TwoLines { first, other }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a machine's cache with a policy, and one that the user describes.
    fn levels() -> Levels {
        let build = "plru,no-allocate".parse().unwrap();
        let l1 = MachineLevel { name: "L1".to_owned(), bytes: 32768, ways: Some(8), build, ..MachineLevel::default() };
        Levels::new(vec![l1], &["1MiB,16,64,fifo".parse().unwrap()])
    }

    fn built(levels: &Levels) -> Vec<(Option<u64>, Build)> {
        levels.caches().map(|level| (level.cache.ways, level.cache.build)).collect()
    }

    #[test]
    fn a_machine_forgets_policies_with_ways() {
        let fifo: Build = "fifo".parse().unwrap();
        let mut machine = levels();
        assert_eq!(machine.forget_ways_of_machine(), [("L1".to_owned(), 8)]);
        assert_eq!(built(&machine), [(None, Build::default()), (Some(16), fifo)]);
        let mut all = levels();
        all.forget_ways();
        assert_eq!(built(&all), [(None, Build::default()), (None, fifo)]);
    }
}
