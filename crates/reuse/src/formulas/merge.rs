//! One formula where several agree.
//!
//! Counting tells cases apart that turn out the same: where a loop ends, `2·⌈n/8⌉` may have become `n/4`. A formula that
//! holds on a larger part is taken on the smaller ones as well, if it is equal there; so fewer classes remain. A sample point
//! refutes most candidates, the others are proved by simplifying the difference to zero.
//!
//! Parts with one formula become fewer sets, too, where that needs no [oblique faces](crate::formulas::coalesce).

use symloc_isl::{Context, Set};
use symloc_quasi::Poly;

use crate::Error;
use crate::formulas::coalesce::coalesced;
use crate::formulas::simplify::Simplifier;
use crate::frame::Frame;

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
        let mut home = None;
        for (index, (_, other)) in merged.iter().enumerate() {
            if *other == value || simplifier.vanishes(&(other - &value))? {
                home = Some(index);
                break;
            }
        }
        match home {
            Some(index) => merged[index].0 = merged[index].0.union(&domain)?,
            None => merged.push((domain, value)),
        }
    }
    merged.into_iter().map(|(domain, value)| Ok((coalesced(domain)?, value))).collect()
}
