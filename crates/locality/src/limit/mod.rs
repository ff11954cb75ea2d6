//! Classes in the limit of large sizes.
//!
//! A class with free iterators is, far out, a density on a polytope: its iterators grow with the sizes or take one of finitely many values,
//! its domain is bounded by the leading terms of its constraints, and its intervals and counts are their leading terms. The error is of a
//! lower order. So questions about large sizes that have no closed form as sums over integers have one as integrals over
//! [polytopes](symloc_polyhedra::Polytope):
//!
//! - [`part`]: a class in the limit, [`short`]: its iterators that do not grow,
//! - [`spread`]: its least and greatest interval, and the accesses below an interval in between,
//! - [`item`]: its parts with their counts and sums.

pub(crate) mod item;
pub(crate) mod part;
pub(crate) mod short;
pub(crate) mod spread;
