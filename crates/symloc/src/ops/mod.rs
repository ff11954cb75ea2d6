//! The computation of `symloc ops`: from characteristics and counted marks to the answer in [`symloc_report::answers::ops`].
//!
//! - `counts`: from counts to their texts,
//! - `rows`: rows by block, loop, line or kind,
//! - `graph`: the control-flow graph with counts, `svg`: its picture,
//! - `check`: a comparison of all counts with a run.

pub(crate) mod check;
pub(crate) mod counts;
pub(crate) mod graph;
pub(crate) mod rows;
pub(crate) mod svg;
