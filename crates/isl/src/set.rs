//! Sets of integer tuples.

use crate::aff::{LocalSpace, MultiAff, PwMultiAff};
use crate::context::{Context, borrowed_text};
use crate::data::{Dim, Div, Linear, LinearConstraint, Point, System, renumber};
use crate::error::Error;
use crate::map::Map;
use crate::object::{Argument, Object, Output, collect, int};
use crate::space::{DimType, Space};
use crate::val::Val;

object! {
    /// A set of integer tuples in one space: a finite union of [`BasicSet`]s.
    pub struct Set(isl_set): isl_set_copy, isl_set_free, isl_set_to_str;
}

reader! { Set: parse = isl_set_read_from_str }
coalesce! { Set = isl_set_coalesce }

impl Set {
    /// Parses isl notation, or remembers what the same text was parsed to before: parsing takes longer than most of
    /// what is done with the set. Not subject to the operation limit, which isl's parser takes for a syntax error.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if the text is not understood, [`Error::Nul`] if it holds a NUL character.
    pub fn read(context: &Context, text: &str) -> Result<Set, Error> {
        if let Some(known) = context.parsed(text) {
            // SAFETY: the context keeps the set, and the copy is ours.
            return unsafe { Object::adopt(context, "isl_set_copy", (context.api().isl_set_copy)(known.as_ptr())) };
        }
        let set = Set::parse(context, text)?;
        // SAFETY: the copy is a set of this context, which takes it over.
        unsafe { context.remember(text, set.take()) };
        Ok(set)
    }
}

operations! { Set {
    /// Returns true if it has no elements, whatever the parameters.
    keep fn is_empty() -> bool = isl_set_is_empty;
    /// Returns true if both have the same elements.
    keep fn is_equal(other: &Set) -> bool = isl_set_is_equal;
    /// Obviously the same elements? Quick, and `false` may mean "unknown".
    keep fn plain_is_equal(other: &Set) -> bool = isl_set_plain_is_equal;
    /// Obviously everything? Quick, and `false` may mean "unknown".
    keep fn plain_is_universe() -> bool = isl_set_plain_is_universe;
    /// Returns true if every element is also in `other`.
    keep fn is_subset(other: &Set) -> bool = isl_set_is_subset;
    /// Returns true if both have no common elements.
    keep fn is_disjoint(other: &Set) -> bool = isl_set_is_disjoint;
    /// Returns true if the set is finite for every value of the parameters.
    keep fn is_bounded() -> bool = isl_set_is_bounded;
    /// Returns true if there is exactly one element, where there is any.
    keep fn is_singleton() -> bool = isl_set_is_singleton;
    /// Returns true if it is a set of parameter values, without a tuple.
    keep fn is_params() -> bool = isl_set_is_params;
    /// Returns true if constraints mention any of `count` dimensions from `first`.
    keep fn involves_dims(kind: DimType, first: usize, count: usize) -> bool = isl_set_involves_dims;
    /// Returns the number of dimensions of one kind.
    keep fn dim(kind: DimType) -> usize = isl_set_dim;
    /// Its space.
    keep fn space() -> Space = isl_set_get_space;

    /// Returns the elements in both.
    take fn intersect(other: &Set) -> Set = isl_set_intersect;
    /// Returns the elements for parameter values in `params`.
    take fn intersect_params(params: &Set) -> Set = isl_set_intersect_params;
    /// Returns the elements in either.
    take fn union(other: &Set) -> Set = isl_set_union;
    /// Returns the elements that are not in `other`.
    take fn subtract(other: &Set) -> Set = isl_set_subtract;
    /// Returns the tuples that are not in it.
    take fn complement() -> Set = isl_set_complement;
    /// Returns the concatenations of its tuples with those of `other`.
    take fn flat_product(other: &Set) -> Set = isl_set_flat_product;
    /// Returns the image under `map`.
    take fn apply(map: &Map) -> Set = isl_set_apply;
    /// Returns the tuples whose image under `function` is in it.
    take fn preimage_multi_aff(function: &MultiAff) -> Set = isl_set_preimage_multi_aff;
    /// Returns the tuples whose image under `function` is in it.
    take fn preimage_pw_multi_aff(function: &PwMultiAff) -> Set = isl_set_preimage_pw_multi_aff;

    /// Returns the parameter values for which it has elements.
    take fn params() -> Set = isl_set_params;
    /// From a set of parameter values to a set of empty tuples.
    take fn from_params() -> Set = isl_set_from_params;
    /// Adds the parameters of `model` in its order.
    take fn align_params(model: &Space) -> Set = isl_set_align_params;
    /// Removes the parameters that no constraint mentions.
    take fn drop_unused_params() -> Set = isl_set_drop_unused_params;
    /// Removes all parameters: an element stays if it is in for any value of them.
    take fn project_out_all_params() -> Set = isl_set_project_out_all_params;
    /// Removes `count` dimensions from `first`: the projection.
    take fn project_out(kind: DimType, first: usize, count: usize) -> Set = isl_set_project_out;
    /// Keeps `count` dimensions from `first` but lets them be anything.
    take fn eliminate(kind: DimType, first: usize, count: usize) -> Set = isl_set_eliminate;
    /// Removes the constraints that mention any of `count` dimensions from `first`.
    take fn drop_constraints_involving_dims(kind: DimType, first: usize, count: usize) -> Set =
        isl_set_drop_constraints_involving_dims;
    /// Moves `count` dimensions `from`, starting at `first`, so that they start at `at` in `to`.
    take fn move_dims(to: DimType, at: usize, from: DimType, first: usize, count: usize) -> Set = isl_set_move_dims;
    /// Inserts `count` unconstrained dimensions before position `at`.
    take fn insert_dims(kind: DimType, at: usize, count: usize) -> Set = isl_set_insert_dims;
    /// Appends `count` unconstrained dimensions.
    take fn add_dims(kind: DimType, count: usize) -> Set = isl_set_add_dims;
    /// Makes the tuple anonymous.
    take fn reset_tuple_name() -> Set = isl_set_reset_tuple_id;

    /// Returns the set as a union of disjoint basic sets.
    take fn make_disjoint() -> Set = isl_set_make_disjoint;
    /// Finds the equalities that the constraints imply.
    take fn detect_equalities() -> Set = isl_set_detect_equalities;
    /// Removes constraints that others imply.
    take fn remove_redundancies() -> Set = isl_set_remove_redundancies;
    /// Gives every integer division an explicit definition.
    take fn compute_divs() -> Set = isl_set_compute_divs;
    /// Returns a superset without integer divisions.
    take fn remove_divs() -> Set = isl_set_remove_divs;
    /// Returns the equalities that all elements satisfy.
    take fn affine_hull() -> BasicSet = isl_set_affine_hull;
    /// Returns a superset that is one conjunction of (translated) constraints of the set.
    take fn simple_hull() -> BasicSet = isl_set_simple_hull;

    /// Returns the lexicographically first element, for each value of the parameters.
    take fn lexmin() -> Set = isl_set_lexmin;
    /// Returns the lexicographically last element, for each value of the parameters.
    take fn lexmax() -> Set = isl_set_lexmax;
    /// Returns the identity on it.
    take fn identity() -> Map = isl_set_identity;
    /// From wrapped pairs to a map.
    take fn unwrap() -> Map = isl_set_unwrap;
    /// Returns the elements with the dimensions of nested tuples in one anonymous tuple.
    take fn flatten() -> Set = isl_set_flatten;
    /// Returns the pairs of an element here and one of `other` that is lexicographically greater.
    take fn lex_lt(other: &Set) -> Map = isl_set_lex_lt_set;
    /// Returns the pairs of an element here and one of `other` that is lexicographically greater or equal.
    take fn lex_le(other: &Set) -> Map = isl_set_lex_le_set;
}}

bounds! { Set {
    /// The elements with `value` in one dimension.
    fn fix = isl_set_fix_val;
    /// The elements with at least `value` in one dimension.
    fn lower_bound = isl_set_lower_bound_val;
    /// The elements with at most `value` in one dimension.
    fn upper_bound = isl_set_upper_bound_val;
}}

object! {
    /// A set described by one conjunction of constraints.
    pub struct BasicSet(isl_basic_set): isl_basic_set_copy, isl_basic_set_free, isl_basic_set_to_str;
}

reader! { BasicSet = isl_basic_set_read_from_str }

operations! { BasicSet {
    /// Returns true if it has no elements, whatever the parameters.
    keep fn is_empty() -> bool = isl_basic_set_is_empty;
    /// Returns true if it has no constraints.
    keep fn is_universe() -> bool = isl_basic_set_is_universe;
    /// Returns the number of dimensions of one kind.
    keep fn dim(kind: DimType) -> usize = isl_basic_set_dim;
    /// As a set.
    take fn to_set() -> Set = isl_set_from_basic_set;
}}

operations! { private Set {
    /// isl's own function. While it drops constraints, it looks for equalities that hold for integers only and that no
    /// constraint states (4 <= 8a - b <= 7 and b mod 8 = 2 make b = 8a - 6). Where it finds one and has no room for it,
    /// it reads memory that it has given back: `cut_to_hyperplane` keeps a pointer into an array that grows. A set
    /// whose equalities are all stated has none to be found.
    take fn gist_of_explicit(context: &Set) -> Set = isl_set_gist;
}}

impl Set {
    /// Fewer constraints, with the same meaning inside `context`.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn gist(&self, context: &Set) -> Result<Set, Error> {
        let hull = context.simple_hull()?.to_set()?;
        self.intersect(&hull)?.detect_equalities()?.gist_of_explicit(&hull)
    }

    /// Fewer constraints, with the same meaning for parameter values in `context`.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn gist_params(&self, context: &Set) -> Result<Set, Error> {
        let all = Set::universe(&self.space()?)?.intersect_params(context)?;
        self.gist(&all)
    }

    /// Returns all tuples of `space`.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn universe(space: &Space) -> Result<Set, Error> {
        // SAFETY: the space is live, C frees a copy; the result is ours.
        unsafe {
            let raw = (space.context.api().isl_set_universe)(space.take());
            Set::adopt(&space.context, "isl_set_universe", raw)
        }
    }

    /// Returns the empty set of `space`.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn empty(space: &Space) -> Result<Set, Error> {
        // SAFETY: the space is live, C frees a copy; the result is ours.
        unsafe { Set::adopt(&space.context, "isl_set_empty", (space.context.api().isl_set_empty)(space.take())) }
    }

    /// Returns the name of one dimension, if it has one.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if there is no such dimension.
    pub fn dim_name(&self, kind: DimType, position: usize) -> Result<Option<String>, Error> {
        self.space()?.dim_name(kind, position)
    }

    names! { isl_set_set_dim_name }

    /// Returns the name of the tuple, if it has one.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn tuple_name(&self) -> Result<Option<String>, Error> {
        let api = self.context.api();
        // SAFETY: the set is live and only looked at.
        let named = unsafe {
            bool::output(&self.context, "isl_set_has_tuple_name", (api.isl_set_has_tuple_name)(self.keep()))
        }?;
        // SAFETY: as above; the set keeps the string.
        Ok(if named { unsafe { borrowed_text((api.isl_set_get_tuple_name)(self.keep())) } } else { None })
    }

    /// Names the tuple.
    ///
    /// # Errors
    ///
    /// [`Error::Nul`] if the name holds a NUL character, [`Error::Isl`] if isl fails otherwise.
    pub fn set_tuple_name(&self, name: &str) -> Result<Set, Error> {
        let name = crate::context::c_text(name)?;
        // SAFETY: the set is live, C frees a copy; the string ends in NUL; the result is ours.
        unsafe {
            let raw = (self.context.api().isl_set_set_tuple_name)(self.take(), name.as_ptr());
            Set::adopt(&self.context, "isl_set_set_tuple_name", raw)
        }
    }

    /// Returns an element, with values of the parameters for which it is one.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn sample_point(&self) -> Result<Option<Point>, Error> {
        let api = self.context.api();
        // SAFETY: the set is live, C frees a copy; the point is ours and only looked at.
        unsafe {
            let point = (api.isl_set_sample_point)(self.take());
            let point = RawPoint::adopt(&self.context, "isl_set_sample_point", point)?;
            let void = (api.isl_point_is_void)(point.keep());
            if bool::output(&self.context, "isl_point_is_void", void)? {
                Ok(None)
            } else {
                point.coordinates().map(Some)
            }
        }
    }

    /// Returns all elements for all values of the parameters, in order.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if there are infinitely many or isl fails otherwise, [`Error::Limit`] at the limit on operations.
    pub fn points(&self) -> Result<Vec<Point>, Error> {
        const OPERATION: &str = "isl_set_foreach_point";
        // isl enumerates tuples for one value of the parameters only, so they become part of the tuple.
        let params = self.dim(DimType::Param)?;
        let is_params = self.is_params()?;
        let tuples = if is_params { self.from_params()? } else { self.clone() };
        let tuples = tuples.move_dims(DimType::SET, 0, DimType::Param, 0, params)?;
        let points: Vec<RawPoint> = collect(&self.context, OPERATION, |callback, user| {
            // SAFETY: the set is live; `collect` made callback and user pointer for each other.
            unsafe { (self.context.api().isl_set_foreach_point)(tuples.keep(), callback, user) }
        })?;
        let split = |point: &RawPoint| {
            let mut values = point.coordinates()?.set;
            let set = values.split_off(params);
            Ok(Point { params: values, set })
        };
        let mut points = points.iter().map(split).collect::<Result<Vec<_>, Error>>()?;
        points.sort();
        Ok(points)
    }

    /// Returns the basic sets that it is the union of. They may overlap; see [`make_disjoint`](Self::make_disjoint).
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn basic_sets(&self) -> Result<Vec<BasicSet>, Error> {
        collect(&self.context, "isl_set_foreach_basic_set", |callback, user| {
            // SAFETY: the set is live; `collect` made callback and user pointer for each other.
            unsafe { (self.context.api().isl_set_foreach_basic_set)(self.keep(), callback, user) }
        })
    }

    /// Its basic sets as plain data, with every integer division defined.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn systems(&self) -> Result<Vec<System>, Error> {
        self.compute_divs()?.basic_sets()?.iter().map(BasicSet::system).collect()
    }
}

impl BasicSet {
    /// Returns the set as plain data.
    ///
    /// Fails if an integer division has no definition: it is then a variable that only has to exist. Basic sets of
    /// [`Set::compute_divs`] have none of those; [`Set::systems`] does both.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if an integer division has no definition or isl fails otherwise.
    pub fn system(&self) -> Result<System, Error> {
        use barvinok_sys::{ISL_DIM_CST, ISL_DIM_DIV, ISL_DIM_PARAM, ISL_DIM_SET};
        let api = self.context.api();
        // SAFETY: the set is live and only looked at; the local space is ours.
        let local = unsafe {
            let raw = (api.isl_basic_set_get_local_space)(self.keep());
            LocalSpace::adopt(&self.context, "isl_basic_set_get_local_space", raw)
        }?;
        let (divs, position) = local.divs()?;
        let matrices = [
            (true, "isl_basic_set_equalities_matrix", api.isl_basic_set_equalities_matrix),
            (false, "isl_basic_set_inequalities_matrix", api.isl_basic_set_inequalities_matrix),
        ];
        let mut constraints = Vec::new();
        for (equality, operation, function) in matrices {
            // SAFETY: the set is live and only looked at; the matrix is ours.
            let matrix = unsafe {
                let raw = function(self.keep(), ISL_DIM_CST, ISL_DIM_PARAM, ISL_DIM_SET, ISL_DIM_DIV);
                Matrix::adopt(&self.context, operation, raw)
            }?;
            for mut expression in self.rows(&matrix, &divs)? {
                renumber(&mut expression.coefficients, &position);
                constraints.push(LinearConstraint { equality, expression });
            }
        }
        Ok(System { constraints, divs })
    }

    /// Returns the rows of a matrix of this set's equalities or inequalities, with divisions numbered as in isl.
    fn rows(&self, matrix: &Matrix, divs: &[Div]) -> Result<Vec<Linear>, Error> {
        let params = (0..self.dim(DimType::Param)?).map(Dim::Param);
        let tuple = (0..self.dim(DimType::SET)?).map(Dim::Set);
        let dims: Vec<Dim> = params.chain(tuple).chain((0..divs.len()).map(Dim::Div)).collect();
        let row = |row: usize| {
            let constant = matrix.element(row, 0)?;
            let mut coefficients = Vec::new();
            for (column, &dim) in dims.iter().enumerate() {
                let coefficient = matrix.element(row, column + 1)?;
                if coefficient != num_bigint::BigInt::ZERO {
                    coefficients.push((dim, coefficient));
                }
            }
            Ok(Linear { constant, coefficients })
        };
        (0..matrix.rows()?).map(row).collect()
    }
}

object! {
    struct Matrix(isl_mat): isl_mat_free;
}

impl Matrix {
    fn rows(&self) -> Result<usize, Error> {
        // SAFETY: the matrix is live and only looked at.
        unsafe { usize::output(&self.context, "isl_mat_rows", (self.context.api().isl_mat_rows)(self.raw.as_ptr())) }
    }

    fn element(&self, row: usize, column: usize) -> Result<num_bigint::BigInt, Error> {
        const OPERATION: &str = "isl_mat_get_element_val";
        // SAFETY: the matrix is live and only looked at; the number is ours.
        let element = unsafe {
            let raw = (self.context.api().isl_mat_get_element_val)(self.raw.as_ptr(), int(row), int(column));
            Val::adopt(&self.context, OPERATION, raw)
        }?;
        element.to_integer()
    }
}

object! {
    /// A point, which unlike [`Point`] knows its space.
    pub(crate) struct RawPoint(isl_point): isl_point_copy, isl_point_free, isl_point_to_str;
}

impl RawPoint {
    fn coordinates(&self) -> Result<Point, Error> {
        const OPERATION: &str = "isl_point_get_coordinate_val";
        let api = self.context.api();
        // SAFETY: the point is live and only looked at; the space is ours.
        let space =
            unsafe { Space::adopt(&self.context, "isl_point_get_space", (api.isl_point_get_space)(self.keep())) }?;
        let values = |kind: DimType| {
            let value = |i| {
                // SAFETY: the point is live and only looked at; the number is ours.
                let value = unsafe {
                    let raw = (api.isl_point_get_coordinate_val)(self.keep(), kind.raw(), int(i));
                    Val::adopt(&self.context, OPERATION, raw)
                }?;
                Ok(value.to_rational(OPERATION)?.to_integer())
            };
            (0..space.dim(kind)?).map(value).collect::<Result<Vec<_>, Error>>()
        };
        Ok(Point { params: values(DimType::Param)?, set: values(DimType::SET)? })
    }

    /// Returns the point of `space` with these coordinates.
    pub(crate) fn new(space: &Space, point: &Point) -> Result<RawPoint, Error> {
        const OPERATION: &str = "isl_point_set_coordinate_val";
        let context = &space.context;
        let api = context.api();
        // SAFETY: the space is live, C frees a copy; the point is ours.
        let mut raw = unsafe { RawPoint::adopt(context, "isl_point_zero", (api.isl_point_zero)(space.take())) }?;
        for (kind, values) in [(DimType::Param, &point.params), (DimType::SET, &point.set)] {
            if values.len() != space.dim(kind)? {
                let message = format!("{} values for {} dimensions", values.len(), space.dim(kind)?);
                return Err(Error::from_isl(OPERATION, barvinok_sys::ISL_ERROR_INVALID, message));
            }
            for (i, value) in values.iter().enumerate() {
                let value = Val::integer(context, value)?;
                // SAFETY: both are live, C frees copies; the new point is ours.
                raw = unsafe {
                    let raw = (api.isl_point_set_coordinate_val)(raw.take(), kind.raw(), int(i), value.take());
                    RawPoint::adopt(context, OPERATION, raw)
                }?;
            }
        }
        Ok(raw)
    }
}
