//! Unions of sets, and of maps, that live in different spaces: the instances of all statements of a program.

use crate::context::Context;
use crate::error::Error;
use crate::map::Map;
use crate::object::{Argument, Object, collect};
use crate::set::Set;
use crate::space::DimType;

object! {
    /// A union of sets in different spaces.
    pub struct UnionSet(isl_union_set): isl_union_set_copy, isl_union_set_free, isl_union_set_to_str;
}

reader! { UnionSet = isl_union_set_read_from_str }
coalesce! { UnionSet = isl_union_set_coalesce }

operations! { UnionSet {
    /// Returns true if it has no elements.
    keep fn is_empty() -> bool = isl_union_set_is_empty;
    /// Returns true if both have the same elements.
    keep fn is_equal(other: &UnionSet) -> bool = isl_union_set_is_equal;
    /// Returns true if every element is also in `other`.
    keep fn is_subset(other: &UnionSet) -> bool = isl_union_set_is_subset;
    /// Returns true if both have no common elements.
    keep fn is_disjoint(other: &UnionSet) -> bool = isl_union_set_is_disjoint;
    /// Returns the elements in both.
    take fn intersect(other: &UnionSet) -> UnionSet = isl_union_set_intersect;
    /// Returns the elements for parameter values in `params`.
    take fn intersect_params(params: &Set) -> UnionSet = isl_union_set_intersect_params;
    /// Returns the elements in either.
    take fn union(other: &UnionSet) -> UnionSet = isl_union_set_union;
    /// Returns the elements that are not in `other`.
    take fn subtract(other: &UnionSet) -> UnionSet = isl_union_set_subtract;
    /// Returns the parameter values for which it has elements.
    take fn params() -> Set = isl_union_set_params;
    /// Returns the lexicographically first element of each space.
    take fn lexmin() -> UnionSet = isl_union_set_lexmin;
    /// Returns the lexicographically last element of each space.
    take fn lexmax() -> UnionSet = isl_union_set_lexmax;
    /// Returns the image under `map`.
    take fn apply(map: &UnionMap) -> UnionSet = isl_union_set_apply;
    /// Returns the identity on it.
    take fn identity() -> UnionMap = isl_union_set_identity;
    /// From wrapped pairs to a map.
    take fn unwrap() -> UnionMap = isl_union_set_unwrap;
    /// Finds the equalities that the constraints imply.
    take fn detect_equalities() -> UnionSet = isl_union_set_detect_equalities;
    /// Gives every integer division an explicit definition.
    take fn compute_divs() -> UnionSet = isl_union_set_compute_divs;
}}

object! {
    /// A union of maps between different spaces.
    pub struct UnionMap(isl_union_map): isl_union_map_copy, isl_union_map_free, isl_union_map_to_str;
}

reader! { UnionMap = isl_union_map_read_from_str }
coalesce! { UnionMap = isl_union_map_coalesce }

operations! { UnionMap {
    /// Returns true if it has no pairs.
    keep fn is_empty() -> bool = isl_union_map_is_empty;
    /// Returns true if both have the same pairs.
    keep fn is_equal(other: &UnionMap) -> bool = isl_union_map_is_equal;
    /// Returns true if every pair is also in `other`.
    keep fn is_subset(other: &UnionMap) -> bool = isl_union_map_is_subset;
    /// Returns true if both have no common pairs.
    keep fn is_disjoint(other: &UnionMap) -> bool = isl_union_map_is_disjoint;
    /// Returns true if each element has at most one image.
    keep fn is_single_valued() -> bool = isl_union_map_is_single_valued;
    /// Returns true if each element has at most one origin.
    keep fn is_injective() -> bool = isl_union_map_is_injective;
    /// Returns the pairs in both.
    take fn intersect(other: &UnionMap) -> UnionMap = isl_union_map_intersect;
    /// Returns the pairs for parameter values in `params`.
    take fn intersect_params(params: &Set) -> UnionMap = isl_union_map_intersect_params;
    /// Returns the pairs whose first element is in `domain`.
    take fn intersect_domain(domain: &UnionSet) -> UnionMap = isl_union_map_intersect_domain;
    /// Returns the pairs whose second element is in `range`.
    take fn intersect_range(range: &UnionSet) -> UnionMap = isl_union_map_intersect_range;
    /// Returns the pairs in either.
    take fn union(other: &UnionMap) -> UnionMap = isl_union_map_union;
    /// Returns the pairs that are not in `other`.
    take fn subtract(other: &UnionMap) -> UnionMap = isl_union_map_subtract;
    /// Returns the pairs with their elements exchanged.
    take fn reverse() -> UnionMap = isl_union_map_reverse;
    /// First elements replaced by their images under `map`.
    take fn apply_domain(map: &UnionMap) -> UnionMap = isl_union_map_apply_domain;
    /// Second elements replaced by their images under `map`: first this map, then `map`.
    take fn apply_range(map: &UnionMap) -> UnionMap = isl_union_map_apply_range;
    /// Returns the pairs of a first element here and a first element of `other` whose image there is lexicographically
    /// greater.
    take fn lex_lt(other: &UnionMap) -> UnionMap = isl_union_map_lex_lt_union_map;
    /// Returns the first elements.
    take fn domain() -> UnionSet = isl_union_map_domain;
    /// Returns the second elements.
    take fn range() -> UnionSet = isl_union_map_range;
    /// Returns the pairs as elements of one set.
    take fn wrap() -> UnionSet = isl_union_map_wrap;
    /// From each pair, as an element, to its first element.
    take fn domain_map() -> UnionMap = isl_union_map_domain_map;
    /// From each pair, as an element, to its second element.
    take fn range_map() -> UnionMap = isl_union_map_range_map;
    /// Returns the parameter values for which it has pairs.
    take fn params() -> Set = isl_union_map_params;
    /// For each first element and each space of images, the lexicographically first image.
    take fn lexmin() -> UnionMap = isl_union_map_lexmin;
    /// For each first element and each space of images, the lexicographically last image.
    take fn lexmax() -> UnionMap = isl_union_map_lexmax;
    /// Finds the equalities that the constraints imply.
    take fn detect_equalities() -> UnionMap = isl_union_map_detect_equalities;
    /// Gives every integer division an explicit definition.
    take fn compute_divs() -> UnionMap = isl_union_map_compute_divs;
}}

impl UnionSet {
    /// Returns the union of nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn empty(context: &Context) -> Result<UnionSet, Error> {
        const OPERATION: &str = "isl_union_set_empty_ctx";
        // SAFETY: the context is live; the result is ours.
        unsafe { UnionSet::adopt(context, OPERATION, (context.api().isl_union_set_empty_ctx)(context.raw())) }
    }

    /// Returns the union of one set.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn from_set(set: &Set) -> Result<UnionSet, Error> {
        const OPERATION: &str = "isl_union_set_from_set";
        // SAFETY: the set is live, C frees a copy; the result is ours.
        unsafe { UnionSet::adopt(&set.context, OPERATION, (set.context.api().isl_union_set_from_set)(set.take())) }
    }

    /// Its sets, one for each space, in the order of their tuple names.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn sets(&self) -> Result<Vec<Set>, Error> {
        let mut sets: Vec<Set> = collect(&self.context, "isl_union_set_foreach_set", |callback, user| {
            // SAFETY: the union is live; `collect` made callback and user pointer for each other.
            unsafe { (self.context.api().isl_union_set_foreach_set)(self.keep(), callback, user) }
        })?;
        // isl keeps them in a hash table, whose order must not be seen.
        sets.sort_by_cached_key(|set| set.tuple_name().ok());
        Ok(sets)
    }
}

impl UnionMap {
    /// Returns the union of nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn empty(context: &Context) -> Result<UnionMap, Error> {
        const OPERATION: &str = "isl_union_map_empty_ctx";
        // SAFETY: the context is live; the result is ours.
        unsafe { UnionMap::adopt(context, OPERATION, (context.api().isl_union_map_empty_ctx)(context.raw())) }
    }

    /// Returns the union of one map.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn from_map(map: &Map) -> Result<UnionMap, Error> {
        const OPERATION: &str = "isl_union_map_from_map";
        // SAFETY: the map is live, C frees a copy; the result is ours.
        unsafe { UnionMap::adopt(&map.context, OPERATION, (map.context.api().isl_union_map_from_map)(map.take())) }
    }

    /// Its maps, one for each pair of spaces, in the order of their tuple names.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn maps(&self) -> Result<Vec<Map>, Error> {
        let mut maps: Vec<Map> = collect(&self.context, "isl_union_map_foreach_map", |callback, user| {
            // SAFETY: the union is live; `collect` made callback and user pointer for each other.
            unsafe { (self.context.api().isl_union_map_foreach_map)(self.keep(), callback, user) }
        })?;
        // isl keeps them in a hash table, whose order must not be seen.
        maps.sort_by_cached_key(|map| (map.tuple_name(DimType::In).ok(), map.tuple_name(DimType::Out).ok()));
        Ok(maps)
    }
}
