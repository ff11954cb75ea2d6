//! Computes the misses of fully associative LRU caches from reuse distances.
//!
//! The distance of an access is the number of distinct blocks touched strictly between the previous access to its block and this
//! one, so its block is at position distance + 1 of the LRU stack. A cache of C blocks misses
//!
//! - every reuse with a distance of at least C, and
//! - every first touch.
//!
//! This is exact (Mattson et al., "Evaluation techniques for storage hierarchies", 1970). Reuses whose distance is unknown are
//! judged by their interval: they miss if it exceeds Denning's window of C (see [`denning`](super::histogram)).

use std::sync::Arc;

use symloc_quasi::Int;

use super::attribution::{Attribution, Share};
use super::histogram::{Denning, Misses, Step};
use super::working_set::{Instance, Locality};
use crate::count::Parts;
use crate::cumulative::{Cumulative, Limit};
use crate::distribution::{Bin, Distribution};
use crate::error::EvalError;

/// The misses of a fully associative LRU cache of each size, at one size of the program.
#[derive(Debug)]
pub struct Lru {
    place: Instance,
    accesses: Int,
    blocks: Int,
    /// The reuses with a known distance, by their position in the stack.
    places: Reuses,
    estimated: Option<Estimated>,
}

/// Some of the reuses, by value.
#[derive(Debug)]
pub(crate) struct Reuses {
    pub(crate) values: Cumulative,
    count: Int,
}

/// The reuses whose distance is unknown, by interval, and Denning's windows over all intervals.
#[derive(Debug)]
pub(crate) struct Estimated {
    pub(crate) intervals: Reuses,
    pub(crate) denning: Locality,
}

impl Reuses {
    fn new(parts: Parts, limit: &Arc<Limit>) -> Self {
        let values = Cumulative::new(parts, limit);
        Self { count: values.all().count, values }
    }

    /// Returns the number of reuses with a value above `x`.
    fn above(&self, x: &Int) -> Result<Int, EvalError> {
        Ok(&self.count - &self.values.below(x)?.count)
    }
}

impl Lru {
    /// Prepares all caches; the error describes the contradiction if the reuses do not add up. `estimated` are the reuses without
    /// a known distance, with Denning's windows, if there are any.
    pub(crate) fn new(
        place: Instance,
        accesses: Int,
        blocks: Int,
        places: Parts,
        estimated: Option<(Parts, Locality)>,
        limit: &Arc<Limit>,
    ) -> Result<Self, String> {
        let places = Reuses::new(places, limit);
        let estimated = estimated.map(|(parts, denning)| Estimated { intervals: Reuses::new(parts, limit), denning });
        let lru = Self { place, accesses, blocks, places, estimated };
        check(&(&lru.places.count + &lru.estimated()), &lru.accesses, &lru.blocks)?;
        Ok(lru)
    }

    /// Returns the size and the line size.
    pub fn place(&self) -> &Instance {
        &self.place
    }

    /// Returns N, the number of accesses.
    pub fn accesses(&self) -> &Int {
        &self.accesses
    }

    /// Returns m, the number of distinct blocks; also the number of first touches.
    pub fn blocks(&self) -> &Int {
        &self.blocks
    }

    /// Returns the number of reuses that are judged by their interval because their distance is unknown.
    pub fn estimated(&self) -> Int {
        self.estimated.as_ref().map_or(Int::ZERO, |estimated| estimated.intervals.count.clone())
    }

    /// Returns the reuses with a known distance, by their position in the stack.
    pub(crate) fn places(&self) -> &Cumulative {
        &self.places.values
    }

    /// Returns the reuses whose distance is unknown.
    pub(crate) fn unknown(&self) -> Option<&Estimated> {
        self.estimated.as_ref()
    }

    /// Returns the misses of a fully associative cache of `blocks` blocks.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn misses(&self, blocks: &Int) -> Result<Misses, EvalError> {
        let mut reuse = self.places.above(blocks)?;
        if let Some(Estimated { intervals, denning }) = &self.estimated
            && let Some(window) = denning.window(blocks)?
        {
            reuse += &intervals.above(&window)?;
        }
        Ok(Misses { cold: self.blocks.clone(), reuse })
    }

    /// Returns Denning's window of a cache, by which reuses with unknown distances are judged. `None` if there are no such
    /// reuses, or if all of them hit.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn window(&self, blocks: &Int) -> Result<Option<Int>, EvalError> {
        self.estimated.as_ref().map_or(Ok(None), |estimated| estimated.denning.window(blocks))
    }
}

/// The reuse distances of each access at one size.
#[derive(Debug)]
pub struct LruAttribution {
    shares: Vec<LruShare>,
}

/// The reuse distances of one access.
#[derive(Debug)]
pub struct LruShare {
    accesses: Int,
    first_touches: Int,
    places: Reuses,
    /// The reuses whose distance is unknown, by their interval.
    estimated: Reuses,
}

impl LruAttribution {
    /// Creates the attribution; checks that each access has as many reuses as in `attribution`, which is by intervals.
    pub(crate) fn new(
        attribution: &Attribution,
        places: Vec<Parts>,
        estimated: Vec<Parts>,
        limit: &Arc<Limit>,
    ) -> Result<Self, String> {
        let share = |((share, places), estimated): ((&Share, Parts), Parts)| {
            let (accesses, first_touches) = (share.accesses().clone(), share.first_touches());
            let (places, estimated) = (Reuses::new(places, limit), Reuses::new(estimated, limit));
            check(&(&places.count + &estimated.count), &accesses, &first_touches)?;
            Ok(LruShare { accesses, first_touches, places, estimated })
        };
        let shares =
            attribution.shares().iter().zip(places).zip(estimated).map(share).collect::<Result<_, String>>()?;
        Ok(Self { shares })
    }

    /// Returns the shares of the accesses, in the order of [`Outline::accesses`](symloc_model::Outline::accesses).
    pub fn shares(&self) -> &[LruShare] {
        &self.shares
    }
}

impl LruShare {
    /// Returns the number of times that the access executes.
    pub fn accesses(&self) -> &Int {
        &self.accesses
    }

    /// Returns the number of these that are the first to touch their block.
    pub fn first_touches(&self) -> &Int {
        &self.first_touches
    }

    /// Returns the number of its reuses that are judged by their interval because their distance is unknown.
    pub fn estimated(&self) -> &Int {
        &self.estimated.count
    }

    /// Returns its misses in a cache of `blocks` blocks, with the [window](Lru::window) of this cache.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn misses(&self, blocks: &Int, window: Option<&Int>) -> Result<Misses, EvalError> {
        let mut reuse = self.places.above(blocks)?;
        if let Some(window) = window {
            reuse += &self.estimated.above(window)?;
        }
        Ok(Misses { cold: self.first_touches.clone(), reuse })
    }
}

/// Checks that each access is a reuse or the first touch of a block.
fn check(reuses: &Int, accesses: &Int, blocks: &Int) -> Result<(), String> {
    let expected = accesses - blocks;
    if *reuses == expected {
        return Ok(());
    }
    Err(format!(
        "the classes of distances hold {reuses} accesses, the program makes {expected} that are no first touches"
    ))
}

/// All reuse distances at one size and line size. These are exact, except for unknown distances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceDistribution {
    /// The size and the line size.
    pub place: Instance,
    /// N, the number of accesses.
    pub accesses: Int,
    /// m, the number of distinct blocks; also the number of first touches.
    pub blocks: Int,
    /// The known distances, ascending; every one occurs once, with a positive count.
    pub distances: Vec<Bin>,
    /// The reuses whose distance is unknown, by their interval: ascending, each once, with a positive count.
    pub estimated: Vec<Bin>,
}

impl DistanceDistribution {
    /// Creates the distribution from positions in the LRU stack; the error describes the contradiction if they do not add up.
    pub(crate) fn new(
        place: Instance,
        accesses: Int,
        blocks: Int,
        places: Vec<Bin>,
        estimated: Vec<Bin>,
    ) -> Result<Self, String> {
        let reuses = places.iter().chain(&estimated).fold(Int::ZERO, |sum, bin| &sum + &bin.count);
        check(&reuses, &accesses, &blocks)?;
        let one = Int::from(1);
        let distances =
            places.into_iter().map(|bin| Bin { interval: &bin.interval - &one, count: bin.count }).collect();
        Ok(Self { place, accesses, blocks, distances, estimated })
    }

    /// Returns the number of reuses that are judged by their interval because their distance is unknown.
    pub fn estimated(&self) -> Int {
        self.estimated.iter().fold(Int::ZERO, |sum, bin| &sum + &bin.count)
    }

    /// Returns the miss curve, by ascending cache size, from the empty cache on; each step has fewer misses than the one before.
    /// `intervals` are all reuse intervals at the same size: they decide which of the unknown distances miss.
    pub fn curve(&self, intervals: &Distribution) -> Vec<Step> {
        let one = Int::from(1);
        let denning = (!self.estimated.is_empty()).then(|| Denning::new(intervals));
        let mut sizes: Vec<Int> = self.distances.iter().map(|bin| &bin.interval + &one).collect();
        sizes.push(Int::ZERO);
        sizes.extend(denning.iter().flat_map(Denning::curve).map(|step| step.blocks));
        sizes.sort_unstable();
        sizes.dedup();
        let mut known = self.distances.iter().peekable();
        let mut reuse = self.distances.iter().fold(Int::ZERO, |sum, bin| &sum + &bin.count);
        let mut steps: Vec<Step> = Vec::new();
        for blocks in sizes {
            while let Some(hit) = known.next_if(|bin| bin.interval < blocks) {
                reuse = &reuse - &hit.count;
            }
            let window = denning.as_ref().and_then(|denning| denning.window(&blocks));
            let late = |bin: &&Bin| window.as_ref().is_some_and(|window| bin.interval > *window);
            let estimated = self.estimated.iter().filter(late).fold(Int::ZERO, |sum, bin| &sum + &bin.count);
            let misses = Misses { cold: self.blocks.clone(), reuse: &reuse + &estimated };
            if steps.last().is_none_or(|last| last.misses != misses) {
                steps.push(Step { blocks, misses });
            }
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sets;
    use crate::evaluator::Evaluator;
    use crate::triangle;
    use symloc_model::{Distances, IntervalKind, LineChoice, Model, NamedSizes, ReuseClass};
    use symloc_quasi::Poly;

    fn sizes(n: i64) -> NamedSizes {
        [("n", n)].into_iter().collect()
    }

    /// The triangle reads each of its n scalars several times in a row: all distances are 0.
    fn with_distances(change: impl FnOnce(&mut Distances)) -> Model {
        let mut model = triangle();
        let real = model.lines[0].classes.iter().find(|class| class.kind == IntervalKind::Real).unwrap();
        let mut distances = Distances::default();
        distances.classes.push(ReuseClass { value: Poly::zero(), ..real.clone() });
        change(&mut distances);
        model.lines[0].distances = Some(distances);
        model
    }

    #[test]
    fn distance_zero_hits_in_one_block() {
        let model = with_distances(|_| ());
        let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
        let lru = evaluator.lru(&sizes(7)).unwrap().unwrap();
        assert_eq!(lru.misses(&Int::ZERO).unwrap().total(), Int::from(28));
        assert_eq!(lru.misses(&Int::from(1)).unwrap().total(), Int::from(7));
        let found = evaluator.distances(&sizes(7)).unwrap().unwrap();
        assert_eq!(found.distances, [Bin { interval: Int::ZERO, count: Int::from(21) }]);
        let curve = found.curve(&evaluator.at(&sizes(7)).unwrap());
        assert_eq!(curve.iter().map(|s| s.blocks.clone()).collect::<Vec<_>>(), [Int::ZERO, Int::from(1)]);
        for step in curve {
            assert_eq!(step.misses, lru.misses(&step.blocks).unwrap());
        }
    }

    #[test]
    fn unknown_distances_follow_denning() {
        let model = with_distances(|distances| {
            let mut class = distances.classes.remove(0);
            class.value = Poly::one();
            distances.estimated.push(class);
        });
        let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
        let lru = evaluator.lru(&sizes(7)).unwrap().unwrap();
        assert_eq!(lru.estimated(), Int::from(21));
        let denning = evaluator.locality(&sizes(7)).unwrap();
        let found = evaluator.distances(&sizes(7)).unwrap().unwrap();
        let curve = found.curve(&evaluator.at(&sizes(7)).unwrap());
        for blocks in (0..9).map(Int::from) {
            assert_eq!(lru.misses(&blocks).unwrap(), denning.misses(&blocks).unwrap());
            let step = curve.iter().rev().find(|step| step.blocks <= blocks).unwrap();
            assert_eq!(step.misses, lru.misses(&blocks).unwrap());
        }
        let attribution = evaluator.lru_attribution(&sizes(7)).unwrap().unwrap();
        let [share] = attribution.shares() else { panic!() };
        assert_eq!((share.accesses(), share.estimated()), (lru.accesses(), &Int::from(21)));
        for blocks in (0..9).map(Int::from) {
            assert_eq!(
                share.misses(&blocks, lru.window(&blocks).unwrap().as_ref()).unwrap(),
                lru.misses(&blocks).unwrap()
            );
        }
        for (lines, ways) in [(2, 1), (4, 2), (6, 3), (8, 1)] {
            let cache = Sets::new(lines, ways).unwrap();
            assert_eq!(lru.misses_in_sets(&cache), denning.misses_in_sets(&cache));
        }
    }

    #[test]
    fn distances_that_do_not_add_up_give_no_numbers() {
        let model = with_distances(|distances| distances.classes.clear());
        let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
        assert!(evaluator.lru_attribution(&sizes(4)).is_err());
        let error = evaluator.lru(&sizes(4)).unwrap_err().to_string();
        assert!(error.contains("hold 0 accesses, the program makes 6 that are no first touches"), "{error}");
        assert_eq!(evaluator.distances(&sizes(4)).unwrap_err().to_string(), error);
        assert!(Evaluator::new(&triangle(), LineChoice::Only).unwrap().lru(&sizes(4)).unwrap().is_none());
    }
}
