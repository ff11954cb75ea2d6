//! Formulas as short as they can be: equal ones look equal, and pieces are as few as possible.
//!
//! - [`simplify`]: formulas that are equal on their domain become equal;
//! - `merge`: one formula for several parts where it holds on all; `coalesce`: fewer parts of a set;
//! - `cover`: counts in as few pieces as they need.

pub(crate) mod coalesce;
pub(crate) mod cover;
pub(crate) mod merge;
pub mod simplify;
