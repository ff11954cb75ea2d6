//! Objects in memory, by the instructions of a function alone.
//!
//! Addresses lead back to objects ([`base_objects`]). A function writes to some of them ([`mod_ref`]); integers in the
//! others are sizes ([`pointed_sizes`]). Some local arrays are never in use at the same time ([`lifetimes`]). Scalars
//! are in registers, or have slots ([`registers`]), those whose addresses are chosen among too ([`choices`]); threads may share those that
//! are assigned to ([`assigned`]). Fortran's arrays have descriptors ([`descriptors`]).

pub(crate) mod assigned;
pub(crate) mod base_objects;
pub(crate) mod choices;
pub(crate) mod descriptors;
pub(crate) mod lifetimes;
pub(crate) mod mod_ref;
pub(crate) mod pointed_sizes;
pub(crate) mod registers;
