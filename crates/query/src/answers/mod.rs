//! What commands ask for: the computation of each answer, whose types and texts are in [`symloc_report::answers`].
//!
//! - [`predictor`]: predictions at one size after the other,
//! - `question`: one query at many sizes and caches; `cache_in_lines`: a cache, once the line size is known,
//! - `attribution`, `sampled` and `simulated`: misses by access; of whole runs, or of samples,
//! - [`series`]: several models at several sizes, `roofline`: the traffic of these,
//! - `tables`, `table`, `profiles`, `profile_at_size`: formulas for large sizes,
//! - [`explain`]: misses in sentences,
//! - `explorer`: the page that explores models,
//! - [`search`]: binary search,
//! - `fail_above`: bounds whose excess is a failure,
//! - [`program`]: the program of a model.

pub mod attribution;
pub(crate) mod cache_in_lines;
pub mod explain;
pub(crate) mod explorer;
pub(crate) mod fail_above;
pub mod predictor;
pub(crate) mod profile_at_size;
pub(crate) mod profiles;
pub mod program;
pub(crate) mod question;
pub(crate) mod roofline;
pub mod sampled;
pub mod search;
pub mod series;
pub(crate) mod simulated;
pub(crate) mod table;
pub(crate) mod tables;
