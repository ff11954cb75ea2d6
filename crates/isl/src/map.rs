//! Maps: sets of pairs of integer tuples.

use std::cmp::Ordering;

use crate::aff::{MultiAff, PwMultiAff};
use crate::context::{borrowed_text, c_text};
use crate::error::Error;
use crate::object::{Argument, Object, Output, int};
use crate::set::Set;
use crate::space::{DimType, Space};

object! {
    /// A set of pairs of integer tuples between two spaces.
    pub struct Map(isl_map): isl_map_copy, isl_map_free, isl_map_to_str;
}

reader! { Map = isl_map_read_from_str }
coalesce! { Map = isl_map_coalesce }

operations! { Map {
    /// Returns true if it has no pairs, whatever the parameters.
    keep fn is_empty() -> bool = isl_map_is_empty;
    /// Returns true if both have the same pairs.
    keep fn is_equal(other: &Map) -> bool = isl_map_is_equal;
    /// Returns true if both are seen to have the same pairs without solving anything.
    keep fn plain_is_equal(other: &Map) -> bool = isl_map_plain_is_equal;
    /// Returns true if every pair is also in `other`.
    keep fn is_subset(other: &Map) -> bool = isl_map_is_subset;
    /// Returns true if both have no common pairs.
    keep fn is_disjoint(other: &Map) -> bool = isl_map_is_disjoint;
    /// Returns true if each element has at most one image.
    keep fn is_single_valued() -> bool = isl_map_is_single_valued;
    /// Returns true if each element has at most one origin.
    keep fn is_injective() -> bool = isl_map_is_injective;
    /// Returns true if it is single-valued and injective.
    keep fn is_bijective() -> bool = isl_map_is_bijective;
    /// Returns the number of dimensions of one kind.
    keep fn dim(kind: DimType) -> usize = isl_map_dim;
    /// Its space.
    keep fn space() -> Space = isl_map_get_space;

    /// Returns the pairs in both.
    take fn intersect(other: &Map) -> Map = isl_map_intersect;
    /// Returns the pairs for parameter values in `params`.
    take fn intersect_params(params: &Set) -> Map = isl_map_intersect_params;
    /// Returns the pairs whose first element is in `domain`.
    take fn intersect_domain(domain: &Set) -> Map = isl_map_intersect_domain;
    /// Returns the pairs whose second element is in `range`.
    take fn intersect_range(range: &Set) -> Map = isl_map_intersect_range;
    /// Returns the pairs in either.
    take fn union(other: &Map) -> Map = isl_map_union;
    /// Returns the pairs that are not in `other`.
    take fn subtract(other: &Map) -> Map = isl_map_subtract;
    /// Returns the pairs with their elements exchanged.
    take fn reverse() -> Map = isl_map_reverse;
    /// First elements replaced by their images under `map`.
    take fn apply_domain(map: &Map) -> Map = isl_map_apply_domain;
    /// Second elements replaced by their images under `map`: first this map, then `map`.
    take fn apply_range(map: &Map) -> Map = isl_map_apply_range;
    /// From an element to the pairs of its images under both.
    take fn range_product(other: &Map) -> Map = isl_map_range_product;
    /// From an element to the concatenations of its images under both.
    take fn flat_range_product(other: &Map) -> Map = isl_map_flat_range_product;
    /// Returns the pairs of elements whose images under this map and `other` are in lexicographic order.
    take fn lex_lt_at(other: &Map) -> Map = isl_map_lex_lt_map;
    /// From `A → [B → C]` to `[A → B] → C`.
    take fn uncurry() -> Map = isl_map_uncurry;
    /// From `[A → B] → C` to `A → [B → C]`.
    take fn curry() -> Map = isl_map_curry;
    /// From each pair, as an element, to its first element.
    take fn domain_map() -> Map = isl_map_domain_map;
    /// From each pair, as an element, to its second element.
    take fn range_map() -> Map = isl_map_range_map;
    /// Returns the first elements.
    take fn domain() -> Set = isl_map_domain;
    /// Returns the second elements.
    take fn range() -> Set = isl_map_range;
    /// Returns the parameter values for which it has pairs.
    take fn params() -> Set = isl_map_params;
    /// Returns the differences, second element minus first.
    take fn deltas() -> Set = isl_map_deltas;
    /// Returns the pairs as elements of one set.
    take fn wrap() -> Set = isl_map_wrap;
    /// For each first element, the lexicographically first image.
    take fn lexmin() -> Map = isl_map_lexmin;
    /// For each first element, the lexicographically last image.
    take fn lexmax() -> Map = isl_map_lexmax;

    /// Returns the map as a union of disjoint conjunctions.
    take fn make_disjoint() -> Map = isl_map_make_disjoint;
    /// Finds the equalities that the constraints imply.
    take fn detect_equalities() -> Map = isl_map_detect_equalities;
    /// Removes constraints that others imply.
    take fn remove_redundancies() -> Map = isl_map_remove_redundancies;
    /// Gives every integer division an explicit definition.
    take fn compute_divs() -> Map = isl_map_compute_divs;
    /// Removes the parameters that no constraint mentions.
    take fn drop_unused_params() -> Map = isl_map_drop_unused_params;

    /// Removes `count` dimensions from `first`: the projection.
    take fn project_out(kind: DimType, first: usize, count: usize) -> Map = isl_map_project_out;
    /// Removes the constraints that mention any of `count` dimensions from `first`.
    take fn drop_constraints_involving_dims(kind: DimType, first: usize, count: usize) -> Map =
        isl_map_drop_constraints_involving_dims;
    /// Moves `count` dimensions `from`, starting at `first`, so that they start at `at` in `to`.
    take fn move_dims(to: DimType, at: usize, from: DimType, first: usize, count: usize) -> Map = isl_map_move_dims;
    /// Inserts `count` unconstrained dimensions before position `at`.
    take fn insert_dims(kind: DimType, at: usize, count: usize) -> Map = isl_map_insert_dims;
    /// Appends `count` unconstrained dimensions.
    take fn add_dims(kind: DimType, count: usize) -> Map = isl_map_add_dims;
    /// Makes one tuple anonymous.
    take fn reset_tuple_name(kind: DimType) -> Map = isl_map_reset_tuple_id;
}}

bounds! { Map {
    /// The pairs with `value` in one dimension.
    fn fix = isl_map_fix_val;
}}

impl Map {
    /// Returns all pairs of an element of `domain` and one of `range`.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if the spaces do not fit or isl fails otherwise, [`Error::Limit`] at the limit on operations.
    pub fn from_domain_and_range(domain: &Set, range: &Set) -> Result<Map, Error> {
        // SAFETY: both sets are live, C frees copies; the result is ours.
        unsafe {
            let raw = (domain.context.api().isl_map_from_domain_and_range)(domain.take(), range.take());
            Map::adopt(&domain.context, "isl_map_from_domain_and_range", raw)
        }
    }

    /// Returns the graph of `function`.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn from_multi_aff(function: &MultiAff) -> Result<Map, Error> {
        // SAFETY: the function is live, C frees a copy; the result is ours.
        unsafe {
            let raw = (function.context.api().isl_map_from_multi_aff)(function.take());
            Map::adopt(&function.context, "isl_map_from_multi_aff", raw)
        }
    }

    /// Returns the graph of `function`.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn from_pw_multi_aff(function: &PwMultiAff) -> Result<Map, Error> {
        // SAFETY: the function is live, C frees a copy; the result is ours.
        unsafe {
            let raw = (function.context.api().isl_map_from_pw_multi_aff)(function.take());
            Map::adopt(&function.context, "isl_map_from_pw_multi_aff", raw)
        }
    }

    /// Returns the pairs whose first element, at position `first`, compares so with the second one at position `second`.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if there is no such position, [`Error::Limit`] at the limit on operations.
    pub fn ordered(&self, first: usize, order: Ordering, second: usize) -> Result<Map, Error> {
        let api = self.context.api();
        let (name, function) = match order {
            Ordering::Less => ("isl_map_order_lt", api.isl_map_order_lt),
            Ordering::Equal => ("isl_map_equate", api.isl_map_equate),
            Ordering::Greater => ("isl_map_order_gt", api.isl_map_order_gt),
        };
        // SAFETY: the map is live, C frees a copy; the result is ours.
        unsafe {
            let raw = function(self.take(), DimType::In.raw(), int(first), DimType::Out.raw(), int(second));
            Map::adopt(&self.context, name, raw)
        }
    }

    /// Returns the name of one dimension, if it has one.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if there is no such dimension.
    pub fn dim_name(&self, kind: DimType, position: usize) -> Result<Option<String>, Error> {
        self.space()?.dim_name(kind, position)
    }

    names! { isl_map_set_dim_name }

    /// Returns the name of one tuple, if it has one.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn tuple_name(&self, kind: DimType) -> Result<Option<String>, Error> {
        let api = self.context.api();
        // SAFETY: the map is live and only looked at.
        let named = unsafe {
            let raw = (api.isl_map_has_tuple_name)(self.keep(), kind.raw());
            bool::output(&self.context, "isl_map_has_tuple_name", raw)
        }?;
        // SAFETY: as above; the map keeps the string.
        Ok(if named { unsafe { borrowed_text((api.isl_map_get_tuple_name)(self.keep(), kind.raw())) } } else { None })
    }

    /// Returns the pairs whose second element has, at one place, the number that the first one has there, and so much more.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise, or if one of them has no such place.
    pub fn apart_by(&self, place: usize, distance: i64) -> Result<Map, Error> {
        let names = |prefix: &str, kind| {
            Ok::<_, Error>((0..self.dim(kind)?).map(|at| format!("{prefix}{at}")).collect::<Vec<_>>().join(", "))
        };
        let (first, second) = (names("i", DimType::In)?, names("o", DimType::Out)?);
        let text = format!("{{ [{first}] -> [{second}] : o{place} = i{place} + {distance} }}");
        let mut apart = Map::read(&self.context, &text)?;
        for kind in [DimType::In, DimType::Out] {
            if let Some(name) = self.tuple_name(kind)? {
                apart = apart.set_tuple_name(kind, &name)?;
            }
        }
        self.intersect(&apart)
    }

    /// Names one tuple.
    ///
    /// # Errors
    ///
    /// [`Error::Nul`] if the name holds a NUL character, [`Error::Isl`] if isl fails otherwise.
    pub fn set_tuple_name(&self, kind: DimType, name: &str) -> Result<Map, Error> {
        let name = c_text(name)?;
        // SAFETY: the map is live, C frees a copy; the string ends in NUL; the result is ours.
        unsafe {
            let raw = (self.context.api().isl_map_set_tuple_name)(self.take(), kind.raw(), name.as_ptr());
            Map::adopt(&self.context, "isl_map_set_tuple_name", raw)
        }
    }
}
