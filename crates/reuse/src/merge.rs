//! One formula where several agree.
//!
//! Counting tells cases apart that turn out the same: where a loop ends, `2·⌈n/8⌉` may have become `n/4`. A formula that
//! holds on a larger part is taken on the smaller ones as well, if it is equal there; so fewer classes remain. A sample point
//! refutes most candidates, the others are proved by simplifying the difference to zero.
//!
//! Parts with one formula become fewer sets, too, where the faces of these are all faces of parts: isl also finds sets with
//! oblique faces (`i + j ≥ 1`), which are fewer but hard to count.

use std::collections::BTreeSet;

use symloc_isl::{Context, Set};
use symloc_quasi::{Poly, Relation};

use crate::Error;
use crate::convert::constraints;
use crate::frame::Frame;
use crate::simplify::Simplifier;

/// Simplifies values on parts of a domain, and unites parts with equal ones. `normal` gives equal values equal forms, as far
/// as the domain is not needed for it.
pub(crate) fn merged(
    isl: &Context,
    frame: &Frame,
    parts: Vec<(Set, Poly)>,
    normal: impl Fn(&Poly) -> Poly,
) -> Result<Vec<(Set, Poly)>, Error> {
    let mut parts = parts
        .into_iter()
        .map(|(domain, value)| Ok((frame.equalities(&domain)?.len(), domain, value)))
        .collect::<Result<Vec<_>, Error>>()?;
    // Larger parts, with fewer equalities, come first.
    parts.sort_by_key(|(equalities, ..)| *equalities);
    let mut merged: Vec<(Set, Poly)> = Vec::new();
    for (_, domain, value) in parts {
        let simplifier = Simplifier::new(isl, frame, &domain)?;
        let value = normal(&simplifier.simplify(&normal(&value))?);
        let sample = simplifier.sample();
        let at_sample = value.evaluate(sample);
        let mut home = None;
        for (index, (_, other)) in merged.iter().enumerate() {
            let may_agree = || other.evaluate(sample) == at_sample;
            if *other == value || may_agree() && simplifier.simplify(&(other - &value))?.is_zero() {
                home = Some(index);
                break;
            }
        }
        match home {
            Some(index) => merged[index].0 = merged[index].0.union(&domain)?,
            None => merged.push((domain, value)),
        }
    }
    merged.into_iter().map(|(domain, value)| Ok((united(frame, domain)?, value))).collect()
}

/// The same set as a union of fewer basic sets, if they need no faces but those of the given ones.
fn united(frame: &Frame, set: Set) -> Result<Set, Error> {
    let united = set.coalesce()?;
    let (parts, fewer) = (set.compute_divs()?, united.compute_divs()?);
    let known = faces(frame, &parts)?;
    Ok(if faces(frame, &fewer)?.is_subset(&known) { united } else { set })
}

/// The directions that are bounded, each as a polynomial without its constant.
fn faces(frame: &Frame, set: &Set) -> Result<BTreeSet<Poly>, Error> {
    let mut faces = BTreeSet::new();
    for part in set.basic_sets()? {
        for constraint in constraints(&part, frame)? {
            let direction = &constraint.poly - &Poly::constant(constraint.poly.constant_term());
            if constraint.relation == Relation::Zero {
                faces.insert(-&direction);
            }
            faces.insert(direction);
        }
    }
    Ok(faces)
}
