//! The output of `symloc ops`: from characteristics and counted marks to rows and a graph, and from these to text.
//!
//! - `told`: a count as it is printed: a formula or, at a size, a number,
//! - `report`: rows by block, loop, line or kind,
//! - `graph`: the control-flow graph with counts and probabilities,
//! - `branch`: probabilities on the command line,
//! - `check`: a comparison of all counts with a run,
//! - `text`, `json`, `csv`, `dot`, `svg`: the output formats.

pub(crate) mod branch;
pub(crate) mod check;
pub(crate) mod csv;
pub(crate) mod dot;
pub(crate) mod graph;
pub(crate) mod json;
pub(crate) mod report;
pub(crate) mod svg;
pub(crate) mod text;
pub(crate) mod told;

pub(crate) use graph::Graph;
pub(crate) use report::{By, Report};
pub(crate) use told::Subject;
