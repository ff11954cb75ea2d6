//! Formulas for large sizes.
//!
//! - `tables`: the exact tables of a model; `table`: the locality table, exact or in leading terms,
//! - `profiles`: the caches that matter, in leading terms; `profile_at_size`: the caches of a machine among them.

pub(crate) mod profile_at_size;
pub(crate) mod profiles;
pub(crate) mod table;
pub(crate) mod tables;
