//! Properties of single operations, by their names and attributes: `unsupported` classifies them and has the reasons why
//! some are refused, `op_mix` counts their work, `comparisons` decodes predicates, `widths` has the sizes of
//! elements, and `lifetimes` follows allocations through a loop.

pub(crate) mod comparisons;
pub(crate) mod lifetimes;
pub(crate) mod op_mix;
pub(crate) mod unsupported;
pub(crate) mod widths;
