//! The functions, as one table of C signatures.
//!
//! Ownership is isl's and is not visible in the types: most functions that return an object *take* their object
//! arguments (and free them, even on failure); predicates, `_get_` functions and `_foreach_` functions *keep* them. A
//! NULL result is a failure, which `isl_ctx_last_error` explains.

#![allow(non_camel_case_types, reason = "the types keep the names they have in C")]

use std::ffi::{c_char, c_int, c_uint, c_ulong, c_void};
use std::marker::{PhantomData, PhantomPinned};

use crate::library::{Handle, LoadError};

/// Which tuple, or the parameters, or the integer divisions: `enum isl_dim_type`.
pub type isl_dim_type = c_uint;
/// The constant term.
pub const ISL_DIM_CST: isl_dim_type = 0;
/// The parameters.
pub const ISL_DIM_PARAM: isl_dim_type = 1;
/// The input tuple of a map or function.
pub const ISL_DIM_IN: isl_dim_type = 2;
/// The output tuple of a map or function.
pub const ISL_DIM_OUT: isl_dim_type = 3;
/// The tuple of a set.
pub const ISL_DIM_SET: isl_dim_type = ISL_DIM_OUT;
/// The integer divisions.
pub const ISL_DIM_DIV: isl_dim_type = 4;

/// 1, 0 or, for a failure, -1.
pub type isl_bool = c_int;
/// 0 or, for a failure, -1.
pub type isl_stat = c_int;
/// A count or, for a failure, -1.
pub type isl_size = c_int;

/// The class of the last failure: `enum isl_error`.
pub type isl_error = c_uint;
/// No failure.
pub const ISL_ERROR_NONE: isl_error = 0;
/// `isl_ctx_abort` was called.
pub const ISL_ERROR_ABORT: isl_error = 1;
/// Out of memory.
pub const ISL_ERROR_ALLOC: isl_error = 2;
/// Unknown.
pub const ISL_ERROR_UNKNOWN: isl_error = 3;
/// A bug in isl.
pub const ISL_ERROR_INTERNAL: isl_error = 4;
/// Arguments that make no sense.
pub const ISL_ERROR_INVALID: isl_error = 5;
/// The limit of `isl_ctx_set_max_operations`.
pub const ISL_ERROR_QUOTA: isl_error = 6;
/// Not implemented in isl.
pub const ISL_ERROR_UNSUPPORTED: isl_error = 7;

/// For `isl_options_set_on_error`: report failures by NULL and print nothing.
pub const ISL_ON_ERROR_CONTINUE: c_int = 1;

macro_rules! opaque {
    ($($name:ident)*) => { $(
        #[doc = concat!("Opaque `", stringify!($name), "`.")]
        #[repr(C)]
        pub struct $name {
            _opaque: [u8; 0],
            // Neither Send nor Sync nor Unpin: only C knows what is inside.
            _marker: PhantomData<(*mut u8, PhantomPinned)>,
        }
    )* };
}

opaque! {
    isl_ctx
    isl_args
    barvinok_options
    isl_space
    isl_local_space
    isl_val
    isl_mat
    isl_point
    isl_aff
    isl_multi_aff
    isl_pw_multi_aff
    isl_basic_set
    isl_set
    isl_map
    isl_union_set
    isl_union_map
    isl_term
    isl_qpolynomial
    isl_pw_qpolynomial
    isl_schedule_constraints
    isl_schedule
    isl_schedule_node
    isl_id
    isl_ast_build
    isl_ast_node
    isl_ast_node_list
    isl_ast_expr
}

/// `enum isl_schedule_node_type`; -1 is a failure.
pub type isl_schedule_node_type = c_int;
/// A band: members of a schedule that may be permuted.
pub const ISL_SCHEDULE_NODE_BAND: isl_schedule_node_type = 0;
/// The root.
pub const ISL_SCHEDULE_NODE_DOMAIN: isl_schedule_node_type = 2;
/// A part of the instances, below a sequence or a set.
pub const ISL_SCHEDULE_NODE_FILTER: isl_schedule_node_type = 5;
/// The end of a branch.
pub const ISL_SCHEDULE_NODE_LEAF: isl_schedule_node_type = 6;
/// Children one after the other.
pub const ISL_SCHEDULE_NODE_SEQUENCE: isl_schedule_node_type = 9;
/// Children in any order.
pub const ISL_SCHEDULE_NODE_SET: isl_schedule_node_type = 10;

/// `enum isl_ast_node_type`; -1 is a failure.
pub type isl_ast_node_type = c_int;
/// A loop.
pub const ISL_AST_NODE_FOR: isl_ast_node_type = 1;
/// A condition.
pub const ISL_AST_NODE_IF: isl_ast_node_type = 2;
/// Nodes one after the other.
pub const ISL_AST_NODE_BLOCK: isl_ast_node_type = 3;
/// An instance of a statement.
pub const ISL_AST_NODE_USER: isl_ast_node_type = 5;

/// `enum isl_ast_expr_type`; -1 is a failure.
pub type isl_ast_expr_type = c_int;
/// An operation.
pub const ISL_AST_EXPR_OP: isl_ast_expr_type = 0;
/// A name.
pub const ISL_AST_EXPR_ID: isl_ast_expr_type = 1;
/// A number.
pub const ISL_AST_EXPR_INT: isl_ast_expr_type = 2;

/// `enum isl_ast_expr_op_type`; -1 is a failure. The values count from `isl_ast_expr_op_and` = 0.
pub type isl_ast_expr_op_type = c_int;

/// Called by `_foreach_` functions with an object that is now the callee's, and the user pointer.
pub type isl_callback<T> = unsafe extern "C" fn(*mut T, *mut c_void) -> isl_stat;
/// A callback for a pair of objects: a piece's domain and its function.
pub type isl_pair_callback<S, T> = unsafe extern "C" fn(*mut S, *mut T, *mut c_void) -> isl_stat;

/// The address of a global variable of a library.
#[derive(Clone, Copy)]
pub struct Global<T>(pub *const T);

// SAFETY: only an address; whoever follows it minds the rules of its table.
unsafe impl<T> Send for Global<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Global<T> {}

/// From C signatures: the struct of function pointers into one library, and the constructor that looks them up.
macro_rules! api {
    ($(#[$doc:meta])* $library:ident {
        $(static $global:ident: $of:ty;)*
        $(fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)?;)*
    }) => {
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// Calling one is as unsafe as in C: pointers must be live objects of one `isl_ctx` of one library, ownership follows
        /// isl's documentation, and only one thread of the process may be inside Barvinok at a time.
        pub struct $library {
            $(
                #[doc = concat!("`", stringify!($global), "` in C.")]
                pub $global: Global<$of>,
            )*
            $(
                #[doc = concat!("`", stringify!($name), "` in C.")]
                pub $name: unsafe extern "C" fn($($argument: $type),*) $(-> $result)?,
            )*
            // Open as long as the pointers above exist.
            _library: Handle,
        }

        impl $library {
            /// Looks up every function of the table.
            pub(crate) fn resolve(library: Handle) -> Result<Self, LoadError> {
                Ok(Self {
                    $(
                        // SAFETY: any address will do.
                        $global: Global(unsafe { library.symbol(stringify!($global)) }?),
                    )*
                    $(
                        // SAFETY: the table repeats the signature from the C header.
                        $name: unsafe { library.symbol(stringify!($name)) }?,
                    )*
                    _library: library,
                })
            }
        }
    };
}

api! {
    /// The functions of isl.
    Isl {
        // Version and memory: strings from `_to_str` are freed by the C library that isl itself uses.
        fn isl_version() -> *const c_char;
        fn free(pointer: *mut c_void);

        // Context.
        fn isl_ctx_alloc() -> *mut isl_ctx;
        fn isl_ctx_alloc_with_options(args: *const isl_args, options: *mut c_void) -> *mut isl_ctx;
        fn isl_ctx_free(ctx: *mut isl_ctx);
        fn isl_ctx_last_error(ctx: *mut isl_ctx) -> isl_error;
        fn isl_ctx_last_error_msg(ctx: *mut isl_ctx) -> *const c_char;
        fn isl_ctx_reset_error(ctx: *mut isl_ctx);
        fn isl_ctx_set_max_operations(ctx: *mut isl_ctx, max: c_ulong);
        fn isl_ctx_reset_operations(ctx: *mut isl_ctx);
        fn isl_options_set_on_error(ctx: *mut isl_ctx, action: c_int) -> isl_stat;

        // Spaces.
        fn isl_space_copy(object: *mut isl_space) -> *mut isl_space;
        fn isl_space_free(object: *mut isl_space) -> *mut isl_space;
        fn isl_space_to_str(object: *mut isl_space) -> *mut c_char;
        fn isl_space_dim(object: *mut isl_space, kind: isl_dim_type) -> isl_size;
        fn isl_space_set_alloc(ctx: *mut isl_ctx, params: c_uint, dims: c_uint) -> *mut isl_space;
        fn isl_space_params_alloc(ctx: *mut isl_ctx, params: c_uint) -> *mut isl_space;
        fn isl_space_get_dim_name(object: *mut isl_space, kind: isl_dim_type, position: c_uint) -> *const c_char;
        fn isl_space_set_dim_name(
            object: *mut isl_space, kind: isl_dim_type, position: c_uint, name: *const c_char,
        ) -> *mut isl_space;
        fn isl_space_set_tuple_name(object: *mut isl_space, kind: isl_dim_type, name: *const c_char) -> *mut isl_space;
        fn isl_space_from_domain(object: *mut isl_space) -> *mut isl_space;
        fn isl_space_add_dims(object: *mut isl_space, kind: isl_dim_type, count: c_uint) -> *mut isl_space;
        fn isl_space_is_equal(left: *mut isl_space, right: *mut isl_space) -> isl_bool;

        // Local spaces: a space and its integer divisions.
        fn isl_local_space_free(object: *mut isl_local_space) -> *mut isl_local_space;
        fn isl_local_space_dim(object: *mut isl_local_space, kind: isl_dim_type) -> isl_size;
        fn isl_local_space_get_div(object: *mut isl_local_space, position: c_int) -> *mut isl_aff;

        // Rational numbers, infinities and NaN.
        fn isl_val_copy(object: *mut isl_val) -> *mut isl_val;
        fn isl_val_free(object: *mut isl_val) -> *mut isl_val;
        fn isl_val_to_str(object: *mut isl_val) -> *mut c_char;
        fn isl_val_int_from_chunks(ctx: *mut isl_ctx, count: usize, size: usize, chunks: *const c_void) -> *mut isl_val;
        fn isl_val_neg(object: *mut isl_val) -> *mut isl_val;
        fn isl_val_get_den_val(object: *mut isl_val) -> *mut isl_val;
        fn isl_val_div(left: *mut isl_val, right: *mut isl_val) -> *mut isl_val;
        fn isl_val_n_abs_num_chunks(object: *mut isl_val, size: usize) -> isl_size;
        fn isl_val_get_abs_num_chunks(object: *mut isl_val, size: usize, chunks: *mut c_void) -> isl_stat;
        fn isl_val_sgn(object: *mut isl_val) -> c_int;
        fn isl_val_is_rat(object: *mut isl_val) -> isl_bool;
        fn isl_val_is_infty(object: *mut isl_val) -> isl_bool;
        fn isl_val_is_neginfty(object: *mut isl_val) -> isl_bool;
        fn isl_val_is_nan(object: *mut isl_val) -> isl_bool;

        // Matrices.
        fn isl_mat_free(object: *mut isl_mat) -> *mut isl_mat;
        fn isl_mat_rows(object: *mut isl_mat) -> isl_size;
        fn isl_mat_cols(object: *mut isl_mat) -> isl_size;
        fn isl_mat_get_element_val(object: *mut isl_mat, row: c_int, column: c_int) -> *mut isl_val;

        // Points.
        fn isl_point_copy(object: *mut isl_point) -> *mut isl_point;
        fn isl_point_to_str(object: *mut isl_point) -> *mut c_char;
        fn isl_point_free(object: *mut isl_point) -> *mut isl_point;
        fn isl_point_zero(space: *mut isl_space) -> *mut isl_point;
        fn isl_point_is_void(object: *mut isl_point) -> isl_bool;
        fn isl_point_get_space(object: *mut isl_point) -> *mut isl_space;
        fn isl_point_get_coordinate_val(object: *mut isl_point, kind: isl_dim_type, position: c_int) -> *mut isl_val;
        fn isl_point_set_coordinate_val(
            object: *mut isl_point, kind: isl_dim_type, position: c_int, value: *mut isl_val,
        ) -> *mut isl_point;

        // Affine functions.
        fn isl_aff_copy(object: *mut isl_aff) -> *mut isl_aff;
        fn isl_aff_free(object: *mut isl_aff) -> *mut isl_aff;
        fn isl_aff_to_str(object: *mut isl_aff) -> *mut c_char;
        fn isl_aff_read_from_str(ctx: *mut isl_ctx, text: *const c_char) -> *mut isl_aff;
        fn isl_aff_dim(object: *mut isl_aff, kind: isl_dim_type) -> isl_size;
        fn isl_aff_is_nan(object: *mut isl_aff) -> isl_bool;
        fn isl_aff_get_constant_val(object: *mut isl_aff) -> *mut isl_val;
        fn isl_aff_get_coefficient_val(object: *mut isl_aff, kind: isl_dim_type, position: c_int) -> *mut isl_val;
        fn isl_aff_get_domain_local_space(object: *mut isl_aff) -> *mut isl_local_space;

        // Tuples of affine functions.
        fn isl_multi_aff_copy(object: *mut isl_multi_aff) -> *mut isl_multi_aff;
        fn isl_multi_aff_free(object: *mut isl_multi_aff) -> *mut isl_multi_aff;
        fn isl_multi_aff_to_str(object: *mut isl_multi_aff) -> *mut c_char;
        fn isl_multi_aff_read_from_str(ctx: *mut isl_ctx, text: *const c_char) -> *mut isl_multi_aff;
        fn isl_multi_aff_dim(object: *mut isl_multi_aff, kind: isl_dim_type) -> isl_size;
        fn isl_multi_aff_get_at(object: *mut isl_multi_aff, position: c_int) -> *mut isl_aff;
        fn isl_multi_aff_get_tuple_name(object: *mut isl_multi_aff, kind: isl_dim_type) -> *const c_char;
        fn isl_multi_aff_gist(left: *mut isl_multi_aff, right: *mut isl_set) -> *mut isl_multi_aff;
        fn isl_multi_aff_pullback_multi_aff(left: *mut isl_multi_aff, right: *mut isl_multi_aff) -> *mut isl_multi_aff;

        // Piecewise tuples of affine functions.
        fn isl_pw_multi_aff_copy(object: *mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
        fn isl_pw_multi_aff_free(object: *mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
        fn isl_pw_multi_aff_to_str(object: *mut isl_pw_multi_aff) -> *mut c_char;
        fn isl_pw_multi_aff_read_from_str(ctx: *mut isl_ctx, text: *const c_char) -> *mut isl_pw_multi_aff;
        fn isl_pw_multi_aff_from_map(map: *mut isl_map) -> *mut isl_pw_multi_aff;
        fn isl_pw_multi_aff_dim(object: *mut isl_pw_multi_aff, kind: isl_dim_type) -> isl_size;
        fn isl_pw_multi_aff_coalesce(object: *mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
        fn isl_pw_multi_aff_domain(object: *mut isl_pw_multi_aff) -> *mut isl_set;
        fn isl_pw_multi_aff_intersect_domain(left: *mut isl_pw_multi_aff, right: *mut isl_set) -> *mut isl_pw_multi_aff;
        fn isl_pw_multi_aff_pullback_pw_multi_aff(
            left: *mut isl_pw_multi_aff, right: *mut isl_pw_multi_aff,
        ) -> *mut isl_pw_multi_aff;
        fn isl_pw_multi_aff_is_equal(left: *mut isl_pw_multi_aff, right: *mut isl_pw_multi_aff) -> isl_bool;
        fn isl_pw_multi_aff_foreach_piece(
            object: *mut isl_pw_multi_aff, callback: isl_pair_callback<isl_set, isl_multi_aff>, user: *mut c_void,
        ) -> isl_stat;

        // Basic sets: one conjunction of constraints.
        fn isl_basic_set_copy(object: *mut isl_basic_set) -> *mut isl_basic_set;
        fn isl_basic_set_free(object: *mut isl_basic_set) -> *mut isl_basic_set;
        fn isl_basic_set_to_str(object: *mut isl_basic_set) -> *mut c_char;
        fn isl_basic_set_read_from_str(ctx: *mut isl_ctx, text: *const c_char) -> *mut isl_basic_set;
        fn isl_basic_set_dim(object: *mut isl_basic_set, kind: isl_dim_type) -> isl_size;
        fn isl_basic_set_is_empty(object: *mut isl_basic_set) -> isl_bool;
        fn isl_basic_set_is_universe(object: *mut isl_basic_set) -> isl_bool;
        fn isl_basic_set_equalities_matrix(
            object: *mut isl_basic_set,
            first: isl_dim_type,
            second: isl_dim_type,
            third: isl_dim_type,
            fourth: isl_dim_type,
        ) -> *mut isl_mat;
        fn isl_basic_set_inequalities_matrix(
            object: *mut isl_basic_set,
            first: isl_dim_type,
            second: isl_dim_type,
            third: isl_dim_type,
            fourth: isl_dim_type,
        ) -> *mut isl_mat;
        fn isl_basic_set_get_local_space(object: *mut isl_basic_set) -> *mut isl_local_space;

        // Sets.
        fn isl_set_copy(object: *mut isl_set) -> *mut isl_set;
        fn isl_set_free(object: *mut isl_set) -> *mut isl_set;
        fn isl_set_to_str(object: *mut isl_set) -> *mut c_char;
        fn isl_set_read_from_str(ctx: *mut isl_ctx, text: *const c_char) -> *mut isl_set;
        fn isl_set_get_space(object: *mut isl_set) -> *mut isl_space;
        fn isl_set_empty(space: *mut isl_space) -> *mut isl_set;
        fn isl_set_universe(space: *mut isl_space) -> *mut isl_set;
        fn isl_set_from_basic_set(object: *mut isl_basic_set) -> *mut isl_set;
        fn isl_set_dim(object: *mut isl_set, kind: isl_dim_type) -> isl_size;
        fn isl_set_get_dim_name(object: *mut isl_set, kind: isl_dim_type, position: c_uint) -> *const c_char;
        fn isl_set_set_dim_name(
            object: *mut isl_set, kind: isl_dim_type, position: c_uint, name: *const c_char,
        ) -> *mut isl_set;
        fn isl_set_has_tuple_name(object: *mut isl_set) -> isl_bool;
        fn isl_set_get_tuple_name(object: *mut isl_set) -> *const c_char;
        fn isl_set_set_tuple_name(object: *mut isl_set, name: *const c_char) -> *mut isl_set;
        fn isl_set_reset_tuple_id(object: *mut isl_set) -> *mut isl_set;
        fn isl_set_add_dims(object: *mut isl_set, kind: isl_dim_type, count: c_uint) -> *mut isl_set;
        fn isl_set_insert_dims(object: *mut isl_set, kind: isl_dim_type, first: c_uint, count: c_uint) -> *mut isl_set;
        fn isl_set_move_dims(
            object: *mut isl_set, to: isl_dim_type, at: c_uint, from: isl_dim_type, first: c_uint, count: c_uint,
        ) -> *mut isl_set;
        fn isl_set_project_out(object: *mut isl_set, kind: isl_dim_type, first: c_uint, count: c_uint) -> *mut isl_set;
        fn isl_set_drop_constraints_involving_dims(
            object: *mut isl_set, kind: isl_dim_type, first: c_uint, count: c_uint,
        ) -> *mut isl_set;
        fn isl_set_eliminate(object: *mut isl_set, kind: isl_dim_type, first: c_uint, count: c_uint) -> *mut isl_set;
        fn isl_set_involves_dims(object: *mut isl_set, kind: isl_dim_type, first: c_uint, count: c_uint) -> isl_bool;
        fn isl_set_fix_val(
            object: *mut isl_set, kind: isl_dim_type, position: c_uint, value: *mut isl_val,
        ) -> *mut isl_set;
        fn isl_set_lower_bound_val(
            object: *mut isl_set, kind: isl_dim_type, position: c_uint, value: *mut isl_val,
        ) -> *mut isl_set;
        fn isl_set_upper_bound_val(
            object: *mut isl_set, kind: isl_dim_type, position: c_uint, value: *mut isl_val,
        ) -> *mut isl_set;
        fn isl_set_is_empty(object: *mut isl_set) -> isl_bool;
        fn isl_set_is_bounded(object: *mut isl_set) -> isl_bool;
        fn isl_set_is_params(object: *mut isl_set) -> isl_bool;
        fn isl_set_is_singleton(object: *mut isl_set) -> isl_bool;
        fn isl_set_plain_is_universe(object: *mut isl_set) -> isl_bool;
        fn isl_set_is_equal(left: *mut isl_set, right: *mut isl_set) -> isl_bool;
        fn isl_set_plain_is_equal(left: *mut isl_set, right: *mut isl_set) -> isl_bool;
        fn isl_set_is_subset(left: *mut isl_set, right: *mut isl_set) -> isl_bool;
        fn isl_set_is_disjoint(left: *mut isl_set, right: *mut isl_set) -> isl_bool;
        fn isl_set_coalesce(object: *mut isl_set) -> *mut isl_set;
        fn isl_set_complement(object: *mut isl_set) -> *mut isl_set;
        fn isl_set_compute_divs(object: *mut isl_set) -> *mut isl_set;
        fn isl_set_detect_equalities(object: *mut isl_set) -> *mut isl_set;
        fn isl_set_drop_unused_params(object: *mut isl_set) -> *mut isl_set;
        fn isl_set_from_params(object: *mut isl_set) -> *mut isl_set;
        fn isl_set_lexmax(object: *mut isl_set) -> *mut isl_set;
        fn isl_set_lexmin(object: *mut isl_set) -> *mut isl_set;
        fn isl_set_make_disjoint(object: *mut isl_set) -> *mut isl_set;
        fn isl_set_params(object: *mut isl_set) -> *mut isl_set;
        fn isl_set_project_out_all_params(object: *mut isl_set) -> *mut isl_set;
        fn isl_set_remove_divs(object: *mut isl_set) -> *mut isl_set;
        fn isl_set_remove_redundancies(object: *mut isl_set) -> *mut isl_set;
        fn isl_set_affine_hull(object: *mut isl_set) -> *mut isl_basic_set;
        fn isl_set_simple_hull(object: *mut isl_set) -> *mut isl_basic_set;
        fn isl_set_sample_point(object: *mut isl_set) -> *mut isl_point;
        fn isl_set_identity(object: *mut isl_set) -> *mut isl_map;
        fn isl_set_unwrap(object: *mut isl_set) -> *mut isl_map;
        fn isl_set_flatten(object: *mut isl_set) -> *mut isl_set;
        fn isl_set_flat_product(left: *mut isl_set, right: *mut isl_set) -> *mut isl_set;
        fn isl_set_gist(left: *mut isl_set, right: *mut isl_set) -> *mut isl_set;
        fn isl_set_intersect(left: *mut isl_set, right: *mut isl_set) -> *mut isl_set;
        fn isl_set_intersect_params(left: *mut isl_set, right: *mut isl_set) -> *mut isl_set;
        fn isl_set_subtract(left: *mut isl_set, right: *mut isl_set) -> *mut isl_set;
        fn isl_set_union(left: *mut isl_set, right: *mut isl_set) -> *mut isl_set;
        fn isl_set_apply(left: *mut isl_set, right: *mut isl_map) -> *mut isl_set;
        fn isl_set_preimage_multi_aff(left: *mut isl_set, right: *mut isl_multi_aff) -> *mut isl_set;
        fn isl_set_preimage_pw_multi_aff(left: *mut isl_set, right: *mut isl_pw_multi_aff) -> *mut isl_set;
        fn isl_set_lex_le_set(left: *mut isl_set, right: *mut isl_set) -> *mut isl_map;
        fn isl_set_lex_lt_set(left: *mut isl_set, right: *mut isl_set) -> *mut isl_map;
        fn isl_set_align_params(left: *mut isl_set, right: *mut isl_space) -> *mut isl_set;
        fn isl_set_foreach_basic_set(
            object: *mut isl_set, callback: isl_callback<isl_basic_set>, user: *mut c_void,
        ) -> isl_stat;
        fn isl_set_foreach_point(
            object: *mut isl_set, callback: isl_callback<isl_point>, user: *mut c_void,
        ) -> isl_stat;

        // Maps.
        fn isl_map_copy(object: *mut isl_map) -> *mut isl_map;
        fn isl_map_free(object: *mut isl_map) -> *mut isl_map;
        fn isl_map_to_str(object: *mut isl_map) -> *mut c_char;
        fn isl_map_read_from_str(ctx: *mut isl_ctx, text: *const c_char) -> *mut isl_map;
        fn isl_map_get_space(object: *mut isl_map) -> *mut isl_space;
        fn isl_map_from_domain_and_range(domain: *mut isl_set, range: *mut isl_set) -> *mut isl_map;
        fn isl_map_from_multi_aff(function: *mut isl_multi_aff) -> *mut isl_map;
        fn isl_map_from_pw_multi_aff(function: *mut isl_pw_multi_aff) -> *mut isl_map;
        fn isl_map_dim(object: *mut isl_map, kind: isl_dim_type) -> isl_size;
        fn isl_map_get_dim_name(object: *mut isl_map, kind: isl_dim_type, position: c_uint) -> *const c_char;
        fn isl_map_set_dim_name(
            object: *mut isl_map, kind: isl_dim_type, position: c_uint, name: *const c_char,
        ) -> *mut isl_map;
        fn isl_map_has_tuple_name(object: *mut isl_map, kind: isl_dim_type) -> isl_bool;
        fn isl_map_get_tuple_name(object: *mut isl_map, kind: isl_dim_type) -> *const c_char;
        fn isl_map_set_tuple_name(object: *mut isl_map, kind: isl_dim_type, name: *const c_char) -> *mut isl_map;
        fn isl_map_reset_tuple_id(object: *mut isl_map, kind: isl_dim_type) -> *mut isl_map;
        fn isl_map_add_dims(object: *mut isl_map, kind: isl_dim_type, count: c_uint) -> *mut isl_map;
        fn isl_map_insert_dims(object: *mut isl_map, kind: isl_dim_type, first: c_uint, count: c_uint) -> *mut isl_map;
        fn isl_map_move_dims(
            object: *mut isl_map, to: isl_dim_type, at: c_uint, from: isl_dim_type, first: c_uint, count: c_uint,
        ) -> *mut isl_map;
        fn isl_map_project_out(object: *mut isl_map, kind: isl_dim_type, first: c_uint, count: c_uint) -> *mut isl_map;
        fn isl_map_equate(
            object: *mut isl_map, kind: isl_dim_type, position: c_int, other_kind: isl_dim_type, other: c_int,
        ) -> *mut isl_map;
        fn isl_map_order_gt(
            object: *mut isl_map, kind: isl_dim_type, position: c_int, other_kind: isl_dim_type, other: c_int,
        ) -> *mut isl_map;
        fn isl_map_order_lt(
            object: *mut isl_map, kind: isl_dim_type, position: c_int, other_kind: isl_dim_type, other: c_int,
        ) -> *mut isl_map;
        fn isl_map_drop_constraints_involving_dims(
            object: *mut isl_map, kind: isl_dim_type, first: c_uint, count: c_uint,
        ) -> *mut isl_map;
        fn isl_map_fix_val(
            object: *mut isl_map, kind: isl_dim_type, position: c_uint, value: *mut isl_val,
        ) -> *mut isl_map;
        fn isl_map_is_empty(object: *mut isl_map) -> isl_bool;
        fn isl_map_is_single_valued(object: *mut isl_map) -> isl_bool;
        fn isl_map_is_injective(object: *mut isl_map) -> isl_bool;
        fn isl_map_is_bijective(object: *mut isl_map) -> isl_bool;
        fn isl_map_plain_is_equal(left: *mut isl_map, right: *mut isl_map) -> isl_bool;
        fn isl_map_is_equal(left: *mut isl_map, right: *mut isl_map) -> isl_bool;
        fn isl_map_is_subset(left: *mut isl_map, right: *mut isl_map) -> isl_bool;
        fn isl_map_is_disjoint(left: *mut isl_map, right: *mut isl_map) -> isl_bool;
        fn isl_map_coalesce(object: *mut isl_map) -> *mut isl_map;
        fn isl_map_compute_divs(object: *mut isl_map) -> *mut isl_map;
        fn isl_map_detect_equalities(object: *mut isl_map) -> *mut isl_map;
        fn isl_map_drop_unused_params(object: *mut isl_map) -> *mut isl_map;
        fn isl_map_lexmax(object: *mut isl_map) -> *mut isl_map;
        fn isl_map_lexmin(object: *mut isl_map) -> *mut isl_map;
        fn isl_map_make_disjoint(object: *mut isl_map) -> *mut isl_map;
        fn isl_map_remove_redundancies(object: *mut isl_map) -> *mut isl_map;
        fn isl_map_reverse(object: *mut isl_map) -> *mut isl_map;
        fn isl_map_curry(object: *mut isl_map) -> *mut isl_map;
        fn isl_map_uncurry(object: *mut isl_map) -> *mut isl_map;
        fn isl_map_domain_map(object: *mut isl_map) -> *mut isl_map;
        fn isl_map_range_map(object: *mut isl_map) -> *mut isl_map;
        fn isl_map_deltas(object: *mut isl_map) -> *mut isl_set;
        fn isl_map_domain(object: *mut isl_map) -> *mut isl_set;
        fn isl_map_params(object: *mut isl_map) -> *mut isl_set;
        fn isl_map_range(object: *mut isl_map) -> *mut isl_set;
        fn isl_map_wrap(object: *mut isl_map) -> *mut isl_set;
        fn isl_map_apply_domain(left: *mut isl_map, right: *mut isl_map) -> *mut isl_map;
        fn isl_map_apply_range(left: *mut isl_map, right: *mut isl_map) -> *mut isl_map;
        fn isl_map_flat_range_product(left: *mut isl_map, right: *mut isl_map) -> *mut isl_map;
        fn isl_map_intersect(left: *mut isl_map, right: *mut isl_map) -> *mut isl_map;
        fn isl_map_lex_lt_map(left: *mut isl_map, right: *mut isl_map) -> *mut isl_map;
        fn isl_map_range_product(left: *mut isl_map, right: *mut isl_map) -> *mut isl_map;
        fn isl_map_subtract(left: *mut isl_map, right: *mut isl_map) -> *mut isl_map;
        fn isl_map_union(left: *mut isl_map, right: *mut isl_map) -> *mut isl_map;
        fn isl_map_intersect_domain(left: *mut isl_map, right: *mut isl_set) -> *mut isl_map;
        fn isl_map_intersect_params(left: *mut isl_map, right: *mut isl_set) -> *mut isl_map;
        fn isl_map_intersect_range(left: *mut isl_map, right: *mut isl_set) -> *mut isl_map;

        // Unions of sets in different spaces.
        fn isl_union_set_copy(object: *mut isl_union_set) -> *mut isl_union_set;
        fn isl_union_set_free(object: *mut isl_union_set) -> *mut isl_union_set;
        fn isl_union_set_to_str(object: *mut isl_union_set) -> *mut c_char;
        fn isl_union_set_read_from_str(ctx: *mut isl_ctx, text: *const c_char) -> *mut isl_union_set;
        fn isl_union_set_empty_ctx(ctx: *mut isl_ctx) -> *mut isl_union_set;
        fn isl_union_set_from_set(object: *mut isl_set) -> *mut isl_union_set;
        fn isl_union_set_is_empty(object: *mut isl_union_set) -> isl_bool;
        fn isl_union_set_is_equal(left: *mut isl_union_set, right: *mut isl_union_set) -> isl_bool;
        fn isl_union_set_is_subset(left: *mut isl_union_set, right: *mut isl_union_set) -> isl_bool;
        fn isl_union_set_is_disjoint(left: *mut isl_union_set, right: *mut isl_union_set) -> isl_bool;
        fn isl_union_set_coalesce(object: *mut isl_union_set) -> *mut isl_union_set;
        fn isl_union_set_compute_divs(object: *mut isl_union_set) -> *mut isl_union_set;
        fn isl_union_set_detect_equalities(object: *mut isl_union_set) -> *mut isl_union_set;
        fn isl_union_set_lexmax(object: *mut isl_union_set) -> *mut isl_union_set;
        fn isl_union_set_lexmin(object: *mut isl_union_set) -> *mut isl_union_set;
        fn isl_union_set_params(object: *mut isl_union_set) -> *mut isl_set;
        fn isl_union_set_intersect(left: *mut isl_union_set, right: *mut isl_union_set) -> *mut isl_union_set;
        fn isl_union_set_subtract(left: *mut isl_union_set, right: *mut isl_union_set) -> *mut isl_union_set;
        fn isl_union_set_union(left: *mut isl_union_set, right: *mut isl_union_set) -> *mut isl_union_set;
        fn isl_union_set_intersect_params(left: *mut isl_union_set, right: *mut isl_set) -> *mut isl_union_set;
        fn isl_union_set_foreach_set(
            object: *mut isl_union_set, callback: isl_callback<isl_set>, user: *mut c_void,
        ) -> isl_stat;
        fn isl_union_set_apply(left: *mut isl_union_set, right: *mut isl_union_map) -> *mut isl_union_set;
        fn isl_union_set_identity(object: *mut isl_union_set) -> *mut isl_union_map;
        fn isl_union_set_unwrap(object: *mut isl_union_set) -> *mut isl_union_map;

        // Unions of maps between different spaces.
        fn isl_union_map_copy(object: *mut isl_union_map) -> *mut isl_union_map;
        fn isl_union_map_free(object: *mut isl_union_map) -> *mut isl_union_map;
        fn isl_union_map_to_str(object: *mut isl_union_map) -> *mut c_char;
        fn isl_union_map_read_from_str(ctx: *mut isl_ctx, text: *const c_char) -> *mut isl_union_map;
        fn isl_union_map_empty_ctx(ctx: *mut isl_ctx) -> *mut isl_union_map;
        fn isl_union_map_from_map(object: *mut isl_map) -> *mut isl_union_map;
        fn isl_union_map_is_empty(object: *mut isl_union_map) -> isl_bool;
        fn isl_union_map_is_equal(left: *mut isl_union_map, right: *mut isl_union_map) -> isl_bool;
        fn isl_union_map_is_subset(left: *mut isl_union_map, right: *mut isl_union_map) -> isl_bool;
        fn isl_union_map_is_disjoint(left: *mut isl_union_map, right: *mut isl_union_map) -> isl_bool;
        fn isl_union_map_coalesce(object: *mut isl_union_map) -> *mut isl_union_map;
        fn isl_union_map_compute_divs(object: *mut isl_union_map) -> *mut isl_union_map;
        fn isl_union_map_detect_equalities(object: *mut isl_union_map) -> *mut isl_union_map;
        fn isl_union_map_lexmax(object: *mut isl_union_map) -> *mut isl_union_map;
        fn isl_union_map_lexmin(object: *mut isl_union_map) -> *mut isl_union_map;
        fn isl_union_map_params(object: *mut isl_union_map) -> *mut isl_set;
        fn isl_union_map_intersect(left: *mut isl_union_map, right: *mut isl_union_map) -> *mut isl_union_map;
        fn isl_union_map_subtract(left: *mut isl_union_map, right: *mut isl_union_map) -> *mut isl_union_map;
        fn isl_union_map_union(left: *mut isl_union_map, right: *mut isl_union_map) -> *mut isl_union_map;
        fn isl_union_map_intersect_params(left: *mut isl_union_map, right: *mut isl_set) -> *mut isl_union_map;
        fn isl_union_map_foreach_map(
            object: *mut isl_union_map, callback: isl_callback<isl_map>, user: *mut c_void,
        ) -> isl_stat;
        fn isl_union_map_is_single_valued(object: *mut isl_union_map) -> isl_bool;
        fn isl_union_map_is_injective(object: *mut isl_union_map) -> isl_bool;
        fn isl_union_map_reverse(object: *mut isl_union_map) -> *mut isl_union_map;
        fn isl_union_map_domain_map(object: *mut isl_union_map) -> *mut isl_union_map;
        fn isl_union_map_range_map(object: *mut isl_union_map) -> *mut isl_union_map;
        fn isl_union_map_domain(object: *mut isl_union_map) -> *mut isl_union_set;
        fn isl_union_map_range(object: *mut isl_union_map) -> *mut isl_union_set;
        fn isl_union_map_wrap(object: *mut isl_union_map) -> *mut isl_union_set;
        fn isl_union_map_apply_domain(left: *mut isl_union_map, right: *mut isl_union_map) -> *mut isl_union_map;
        fn isl_union_map_apply_range(left: *mut isl_union_map, right: *mut isl_union_map) -> *mut isl_union_map;
        fn isl_union_map_lex_lt_union_map(left: *mut isl_union_map, right: *mut isl_union_map) -> *mut isl_union_map;
        fn isl_union_map_intersect_domain(left: *mut isl_union_map, right: *mut isl_union_set) -> *mut isl_union_map;
        fn isl_union_map_intersect_range(left: *mut isl_union_map, right: *mut isl_union_set) -> *mut isl_union_map;

        // Schedules.
        fn isl_options_set_schedule_serialize_sccs(ctx: *mut isl_ctx, value: c_int) -> isl_stat;
        fn isl_options_set_schedule_outer_coincidence(ctx: *mut isl_ctx, value: c_int) -> isl_stat;
        fn isl_schedule_constraints_on_domain(domain: *mut isl_union_set) -> *mut isl_schedule_constraints;
        fn isl_schedule_constraints_set_context(
            constraints: *mut isl_schedule_constraints, context: *mut isl_set,
        ) -> *mut isl_schedule_constraints;
        fn isl_schedule_constraints_set_validity(
            constraints: *mut isl_schedule_constraints, validity: *mut isl_union_map,
        ) -> *mut isl_schedule_constraints;
        fn isl_schedule_constraints_set_coincidence(
            constraints: *mut isl_schedule_constraints, coincidence: *mut isl_union_map,
        ) -> *mut isl_schedule_constraints;
        fn isl_schedule_constraints_set_proximity(
            constraints: *mut isl_schedule_constraints, proximity: *mut isl_union_map,
        ) -> *mut isl_schedule_constraints;
        fn isl_schedule_constraints_compute_schedule(constraints: *mut isl_schedule_constraints) -> *mut isl_schedule;
        fn isl_schedule_read_from_str(ctx: *mut isl_ctx, text: *const c_char) -> *mut isl_schedule;
        fn isl_schedule_copy(object: *mut isl_schedule) -> *mut isl_schedule;
        fn isl_schedule_free(object: *mut isl_schedule) -> *mut isl_schedule;
        fn isl_schedule_to_str(object: *mut isl_schedule) -> *mut c_char;
        fn isl_schedule_get_root(object: *mut isl_schedule) -> *mut isl_schedule_node;
        fn isl_schedule_node_copy(object: *mut isl_schedule_node) -> *mut isl_schedule_node;
        fn isl_schedule_node_free(object: *mut isl_schedule_node) -> *mut isl_schedule_node;
        fn isl_schedule_node_to_str(object: *mut isl_schedule_node) -> *mut c_char;
        fn isl_schedule_node_get_type(object: *mut isl_schedule_node) -> isl_schedule_node_type;
        fn isl_schedule_node_n_children(object: *mut isl_schedule_node) -> isl_size;
        fn isl_schedule_node_get_child(object: *mut isl_schedule_node, position: c_int) -> *mut isl_schedule_node;
        fn isl_schedule_node_filter_get_filter(object: *mut isl_schedule_node) -> *mut isl_union_set;
        fn isl_schedule_node_band_n_member(object: *mut isl_schedule_node) -> isl_size;
        fn isl_schedule_node_band_get_permutable(object: *mut isl_schedule_node) -> isl_bool;
        fn isl_schedule_node_band_member_get_coincident(object: *mut isl_schedule_node, position: c_int) -> isl_bool;
        fn isl_schedule_node_band_get_partial_schedule_union_map(
            object: *mut isl_schedule_node,
        ) -> *mut isl_union_map;

        // Code generation.
        fn isl_options_set_ast_build_atomic_upper_bound(ctx: *mut isl_ctx, value: c_int) -> isl_stat;
        fn isl_ast_build_from_context(context: *mut isl_set) -> *mut isl_ast_build;
        fn isl_ast_build_copy(object: *mut isl_ast_build) -> *mut isl_ast_build;
        fn isl_ast_build_free(object: *mut isl_ast_build) -> *mut isl_ast_build;
        fn isl_ast_build_node_from_schedule(
            build: *mut isl_ast_build, schedule: *mut isl_schedule,
        ) -> *mut isl_ast_node;
        fn isl_ast_node_copy(object: *mut isl_ast_node) -> *mut isl_ast_node;
        fn isl_ast_node_free(object: *mut isl_ast_node) -> *mut isl_ast_node;
        fn isl_ast_node_to_str(object: *mut isl_ast_node) -> *mut c_char;
        fn isl_ast_node_get_type(object: *mut isl_ast_node) -> isl_ast_node_type;
        fn isl_ast_node_for_is_degenerate(object: *mut isl_ast_node) -> isl_bool;
        fn isl_ast_node_for_get_iterator(object: *mut isl_ast_node) -> *mut isl_ast_expr;
        fn isl_ast_node_for_get_init(object: *mut isl_ast_node) -> *mut isl_ast_expr;
        fn isl_ast_node_for_get_cond(object: *mut isl_ast_node) -> *mut isl_ast_expr;
        fn isl_ast_node_for_get_inc(object: *mut isl_ast_node) -> *mut isl_ast_expr;
        fn isl_ast_node_for_get_body(object: *mut isl_ast_node) -> *mut isl_ast_node;
        fn isl_ast_node_if_get_cond(object: *mut isl_ast_node) -> *mut isl_ast_expr;
        fn isl_ast_node_if_get_then_node(object: *mut isl_ast_node) -> *mut isl_ast_node;
        fn isl_ast_node_if_has_else_node(object: *mut isl_ast_node) -> isl_bool;
        fn isl_ast_node_if_get_else_node(object: *mut isl_ast_node) -> *mut isl_ast_node;
        fn isl_ast_node_block_get_children(object: *mut isl_ast_node) -> *mut isl_ast_node_list;
        fn isl_ast_node_user_get_expr(object: *mut isl_ast_node) -> *mut isl_ast_expr;
        fn isl_ast_node_list_free(object: *mut isl_ast_node_list) -> *mut isl_ast_node_list;
        fn isl_ast_node_list_size(object: *mut isl_ast_node_list) -> isl_size;
        fn isl_ast_node_list_get_at(object: *mut isl_ast_node_list, position: c_int) -> *mut isl_ast_node;
        fn isl_ast_expr_copy(object: *mut isl_ast_expr) -> *mut isl_ast_expr;
        fn isl_ast_expr_free(object: *mut isl_ast_expr) -> *mut isl_ast_expr;
        fn isl_ast_expr_to_str(object: *mut isl_ast_expr) -> *mut c_char;
        fn isl_ast_expr_get_type(object: *mut isl_ast_expr) -> isl_ast_expr_type;
        fn isl_ast_expr_int_get_val(object: *mut isl_ast_expr) -> *mut isl_val;
        fn isl_ast_expr_id_get_id(object: *mut isl_ast_expr) -> *mut isl_id;
        fn isl_ast_expr_op_get_type(object: *mut isl_ast_expr) -> isl_ast_expr_op_type;
        fn isl_ast_expr_op_get_n_arg(object: *mut isl_ast_expr) -> isl_size;
        fn isl_ast_expr_op_get_arg(object: *mut isl_ast_expr, position: c_int) -> *mut isl_ast_expr;
        fn isl_id_free(object: *mut isl_id) -> *mut isl_id;
        fn isl_id_get_name(object: *mut isl_id) -> *const c_char;

        // Quasi-polynomials.
        fn isl_qpolynomial_copy(object: *mut isl_qpolynomial) -> *mut isl_qpolynomial;
        fn isl_qpolynomial_free(object: *mut isl_qpolynomial) -> *mut isl_qpolynomial;
        fn isl_qpolynomial_to_str(object: *mut isl_qpolynomial) -> *mut c_char;
        fn isl_qpolynomial_dim(object: *mut isl_qpolynomial, kind: isl_dim_type) -> isl_size;
        fn isl_qpolynomial_is_zero(object: *mut isl_qpolynomial) -> isl_bool;
        fn isl_qpolynomial_is_nan(object: *mut isl_qpolynomial) -> isl_bool;
        fn isl_qpolynomial_is_infty(object: *mut isl_qpolynomial) -> isl_bool;
        fn isl_qpolynomial_is_neginfty(object: *mut isl_qpolynomial) -> isl_bool;
        fn isl_qpolynomial_foreach_term(
            object: *mut isl_qpolynomial, callback: isl_callback<isl_term>, user: *mut c_void,
        ) -> isl_stat;

        // Terms of quasi-polynomials.
        fn isl_term_free(object: *mut isl_term) -> *mut isl_term;
        fn isl_term_dim(object: *mut isl_term, kind: isl_dim_type) -> isl_size;
        fn isl_term_get_coefficient_val(object: *mut isl_term) -> *mut isl_val;
        fn isl_term_get_exp(object: *mut isl_term, kind: isl_dim_type, position: c_uint) -> isl_size;
        fn isl_term_get_div(object: *mut isl_term, position: c_uint) -> *mut isl_aff;

        // Piecewise quasi-polynomials.
        fn isl_pw_qpolynomial_copy(object: *mut isl_pw_qpolynomial) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_free(object: *mut isl_pw_qpolynomial) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_to_str(object: *mut isl_pw_qpolynomial) -> *mut c_char;
        fn isl_pw_qpolynomial_read_from_str(ctx: *mut isl_ctx, text: *const c_char) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_get_domain_space(object: *mut isl_pw_qpolynomial) -> *mut isl_space;
        fn isl_pw_qpolynomial_from_qpolynomial(value: *mut isl_qpolynomial) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_zero(space: *mut isl_space) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_dim(object: *mut isl_pw_qpolynomial, kind: isl_dim_type) -> isl_size;
        fn isl_pw_qpolynomial_set_dim_name(
            object: *mut isl_pw_qpolynomial, kind: isl_dim_type, position: c_uint, name: *const c_char,
        ) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_reset_domain_space(
            object: *mut isl_pw_qpolynomial, space: *mut isl_space,
        ) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_add_dims(
            object: *mut isl_pw_qpolynomial, kind: isl_dim_type, count: c_uint,
        ) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_insert_dims(
            object: *mut isl_pw_qpolynomial, kind: isl_dim_type, first: c_uint, count: c_uint,
        ) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_move_dims(
            object: *mut isl_pw_qpolynomial,
            to: isl_dim_type,
            at: c_uint,
            from: isl_dim_type,
            first: c_uint,
            count: c_uint,
        ) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_drop_dims(
            object: *mut isl_pw_qpolynomial, kind: isl_dim_type, first: c_uint, count: c_uint,
        ) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_is_zero(object: *mut isl_pw_qpolynomial) -> isl_bool;
        fn isl_pw_qpolynomial_plain_is_equal(left: *mut isl_pw_qpolynomial, right: *mut isl_pw_qpolynomial) -> isl_bool;
        fn isl_pw_qpolynomial_coalesce(object: *mut isl_pw_qpolynomial) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_drop_unused_params(object: *mut isl_pw_qpolynomial) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_neg(object: *mut isl_pw_qpolynomial) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_project_domain_on_params(object: *mut isl_pw_qpolynomial) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_domain(object: *mut isl_pw_qpolynomial) -> *mut isl_set;
        fn isl_pw_qpolynomial_add(
            left: *mut isl_pw_qpolynomial, right: *mut isl_pw_qpolynomial,
        ) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_add_disjoint(
            left: *mut isl_pw_qpolynomial, right: *mut isl_pw_qpolynomial,
        ) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_mul(
            left: *mut isl_pw_qpolynomial, right: *mut isl_pw_qpolynomial,
        ) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_sub(
            left: *mut isl_pw_qpolynomial, right: *mut isl_pw_qpolynomial,
        ) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_scale_val(left: *mut isl_pw_qpolynomial, right: *mut isl_val) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_gist(left: *mut isl_pw_qpolynomial, right: *mut isl_set) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_gist_params(
            left: *mut isl_pw_qpolynomial, right: *mut isl_set,
        ) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_intersect_domain(
            left: *mut isl_pw_qpolynomial, right: *mut isl_set,
        ) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_intersect_params(
            left: *mut isl_pw_qpolynomial, right: *mut isl_set,
        ) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_subtract_domain(
            left: *mut isl_pw_qpolynomial, right: *mut isl_set,
        ) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_fix_val(
            object: *mut isl_pw_qpolynomial, kind: isl_dim_type, position: c_uint, value: *mut isl_val,
        ) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_eval(left: *mut isl_pw_qpolynomial, right: *mut isl_point) -> *mut isl_val;
        fn isl_pw_qpolynomial_foreach_piece(
            object: *mut isl_pw_qpolynomial, callback: isl_pair_callback<isl_set, isl_qpolynomial>, user: *mut c_void,
        ) -> isl_stat;
    }
}

api! {
    /// The functions of Barvinok, on objects of the isl that it was built with.
    Barvinok {
        // Options; a context made with them takes them over.
        static barvinok_options_args: isl_args;
        fn barvinok_options_new_with_defaults() -> *mut barvinok_options;
        fn barvinok_options_parse(
            options: *mut barvinok_options, count: c_int, words: *mut *mut c_char, flags: c_uint,
        ) -> c_int;

        // Counting.
        fn isl_set_card(object: *mut isl_set) -> *mut isl_pw_qpolynomial;
        fn isl_map_card(object: *mut isl_map) -> *mut isl_pw_qpolynomial;
        fn isl_pw_qpolynomial_sum(object: *mut isl_pw_qpolynomial) -> *mut isl_pw_qpolynomial;
    }
}
