//! The computation of each answer that commands ask for, whose types and texts are in [`symloc_report::answers`].
//!
//! - [`predictor`]: predictions at one size after the other,
//! - `question`: one query at many sizes and caches; `cache_in_lines`: a cache, once the line size is known,
//! - [`threads`]: misses of parallel programs,
//! - [`measured`]: misses as plain numbers, by access, for programs that compare them,
//! - `attribution`, `sampled` and `simulated`: misses by access; of whole runs, or of samples,
//! - [`series`]: several models at several sizes, `roofline`: the traffic of these,
//! - `formulas`: formulas for large sizes,
//! - [`lower_bound`]: the misses that no order goes below,
//! - [`explain`]: misses in sentences,
//! - `explorer`: the page that explores models,
//! - [`search`]: binary search, `tiles`: the search for the best tile sizes,
//! - `fail_above`: bounds whose excess is a failure,
//! - [`program`]: the program of a model.

pub(crate) mod attribution;
pub(crate) mod cache_in_lines;
pub mod explain;
pub(crate) mod explorer;
pub(crate) mod fail_above;
pub(crate) mod formulas;
pub mod lower_bound;
pub mod measured;
pub mod module_attributes;
pub mod predictor;
pub mod program;
pub(crate) mod question;
pub(crate) mod roofline;
pub(crate) mod sampled;
pub mod search;
pub mod series;
pub(crate) mod simulated;
pub mod threads;
pub(crate) mod tiles;
