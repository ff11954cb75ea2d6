//! What classes come to when all sizes grow.
//!
//! A class with free iterators is, far out, a density on a polytope: its iterators grow with the sizes or are one of
//! finitely many numbers, its domain is bounded by the leading terms of its constraints, and its intervals and counts
//! are their leading terms. What is lost is of a lower order. So questions about large sizes, which have no closed form
//! for sums over integers, have one for integrals:
//!
//! - [`scale`]: weights and leading terms,
//! - [`polytope`]: integrals over polytopes whose faces move with the parameters,
//! - [`part`]: a class in the limit, [`short`]: its iterators that do not grow,
//! - [`spread`]: its least and greatest interval, and what lies below an interval in between,
//! - [`item`]: what it amounts to.

pub(crate) mod item;
pub(crate) mod part;
pub(crate) mod polytope;
pub(crate) mod scale;
pub(crate) mod short;
pub(crate) mod spread;
