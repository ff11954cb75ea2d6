//! Unions of fewer parts, with no faces but those of the given parts.
//!
//! isl also unites parts under oblique faces (`i + j ≥ 1`, or `38·r ≤ 7·i − 56·u` around the points of a few lines). These are
//! fewer, but hard to count, and what is left beside them has oblique faces in turn.

use std::collections::BTreeSet;

use symloc_isl::{BasicSet, Set};
use symloc_quasi::{Poly, Relation};

use crate::Error;
use crate::convert::constraints;
use crate::frame::Frame;

/// The same set as a union of fewer basic sets, which have no faces but those of the given ones.
pub(crate) fn coalesced(set: Set) -> Result<Set, Error> {
    let united = set.coalesce()?;
    let frame = Frame::of(&set)?;
    let mut known = BTreeSet::new();
    for part in set.compute_divs()?.basic_sets()? {
        known.extend(faces(&part, &frame)?);
    }
    let mut parts = Vec::new();
    for part in united.compute_divs()?.basic_sets()? {
        if faces(&part, &frame)?.is_subset(&known) {
            parts.push(part.to_set()?);
        }
    }
    // What is in none of these stays as it was.
    let straight = parts.len();
    for part in set.basic_sets()? {
        let part = part.to_set()?;
        let mut inside = false;
        for other in &parts[..straight] {
            inside = inside || part.is_subset(other)?;
        }
        if !inside {
            parts.push(part);
        }
    }
    let none = Set::empty(&set.space()?)?;
    parts.iter().try_fold(none, |union, part| Ok(union.union(part)?))
}

/// The directions in which a set is bounded, each as a polynomial without its constant.
fn faces(set: &BasicSet, frame: &Frame) -> Result<BTreeSet<Poly>, Error> {
    let mut faces = BTreeSet::new();
    for constraint in constraints(set, frame)? {
        let direction = &constraint.poly - &Poly::constant(constraint.poly.constant_term());
        if constraint.relation == Relation::Zero {
            faces.insert(-&direction);
        }
        faces.insert(direction);
    }
    Ok(faces)
}
