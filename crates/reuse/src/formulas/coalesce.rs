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

/// Returns the set as a union of fewer basic sets, whose faces are all faces of the given ones.
pub(crate) fn coalesced(set: Set) -> Result<Set, Error> {
    let united = set.coalesce()?;
    let parts = set.compute_divs()?.basic_sets()?;
    if united.basic_sets()?.len() == parts.len() {
        return Ok(set);
    }
    let frame = Frame::of(&set)?;
    let mut known = BTreeSet::new();
    for part in &parts {
        known.extend(faces(part, &frame)?);
    }
    let mut straight = Vec::new();
    let mut oblique = false;
    for part in united.compute_divs()?.basic_sets()? {
        match faces(&part, &frame)?.is_subset(&known) {
            true => straight.push(part.to_set()?),
            false => oblique = true,
        }
    }
    if !oblique {
        return Ok(united);
    }
    let none = Set::empty(&set.space()?)?;
    let straight = straight.iter().try_fold(none, |union, part| union.union(part))?;
    // The others stay as they were.
    let mut all = straight.clone();
    for part in &parts {
        let part = part.to_set()?;
        if !part.is_subset(&straight)? {
            all = all.union(&part)?;
        }
    }
    Ok(all)
}

/// Returns the directions in which a set is bounded, each as a polynomial without its constant.
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
