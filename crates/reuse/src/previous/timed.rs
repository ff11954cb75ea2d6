//! Accesses with the blocks that they touch, and when.

use symloc_isl::{Map, Set, UnionMap, UnionSet};

use crate::Error;

/// The blocks that accesses touch, and when.
#[derive(Clone, Debug)]
pub(super) struct Timed {
    pub(super) blocks: UnionMap,
    schedule: UnionMap,
}

impl Timed {
    pub(super) fn new(blocks: &Map, schedule: &Map) -> Result<Self, Error> {
        Self::simplified(&UnionMap::from_map(blocks)?, &UnionMap::from_map(schedule)?)
    }

    /// Returns no accesses; `none` is an empty relation.
    pub(super) fn none(none: &UnionMap) -> Self {
        Self { blocks: none.clone(), schedule: none.clone() }
    }

    /// Parts of domains that overlap, as those of loops with steps and several lower bounds do, become one where they
    /// can: the search for the latest multiplies them by each other.
    fn simplified(blocks: &UnionMap, schedule: &UnionMap) -> Result<Self, Error> {
        let blocks = blocks.coalesce()?;
        let schedule = without_repetitions(&schedule.intersect_domain(&blocks.domain()?)?)?.coalesce()?;
        Ok(Self { blocks, schedule })
    }

    /// Returns the accesses that touch some of the blocks.
    pub(super) fn within(&self, blocks: &Set) -> Result<Self, Error> {
        let touched = self.blocks.intersect_range(&UnionSet::from_set(blocks)?)?;
        Self::simplified(&without_repetitions(&touched)?, &self.schedule)
    }

    pub(super) fn union(&self, other: &Self) -> Result<Self, Error> {
        Ok(Self { blocks: self.blocks.union(&other.blocks)?, schedule: self.schedule.union(&other.schedule)? })
    }

    /// Returns the last of these accesses to each of some blocks.
    pub(super) fn last(&self, blocks: &UnionSet) -> Result<UnionMap, Error> {
        let touches = self.blocks.intersect_range(&blocks.coalesce()?)?;
        self.latest(&touches.reverse()?)
    }

    /// Returns the last of these accesses to the block of each instance of a sink, of those that are earlier by a relation
    /// between times.
    pub(super) fn last_before(&self, sink: &Self, earlier: &UnionMap) -> Result<UnionMap, Error> {
        let touches = sink.blocks.apply_range(&self.blocks.reverse()?)?;
        let order = sink.schedule.apply_range(earlier)?.apply_range(&self.schedule.reverse()?)?;
        self.latest(&touches.intersect(&order)?)
    }

    /// Returns the image with the latest time, of the images of each element, which are of these accesses.
    fn latest(&self, images: &UnionMap) -> Result<UnionMap, Error> {
        let time = images.apply_range(&self.schedule)?.lexmax()?;
        Ok(time.apply_range(&self.schedule.reverse()?)?)
    }

    /// Removes the instances in a set.
    pub(super) fn without(&self, instances: &UnionSet) -> Result<Self, Error> {
        let blocks = self.blocks.intersect_domain(&self.blocks.domain()?.subtract(instances)?)?;
        Ok(Self { blocks: blocks.coalesce()?, ..self.clone() })
    }
}

/// Returns a relation without inequalities that only repeat a congruence, such as `3*floor(t/3) < t` beside `t mod 3 =
/// 1`: with them, isl's parametric lexmax takes an earlier instance for the last.
pub(super) fn without_repetitions(relation: &UnionMap) -> Result<UnionMap, Error> {
    Ok(relation.detect_equalities()?)
}
