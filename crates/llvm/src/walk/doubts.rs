//! What a walk finds out about conditions on data besides its errors, for hints that are tried before they are given.

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::Location;
use symloc_frontend::cases::Cases;
use symloc_frontend::raising::Reason;

use crate::ir::cfg::Node;
use crate::ir::ffi::Value;
use crate::walk::arrivals::Arrivals;
use crate::walk::loops::induction::Induction;
use crate::walk::walker::Walker;

/// The conditions on data that a walk has met, and the loops that end at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Doubts {
    /// The lines of the branches, by the place of what is not known in their conditions.
    pub(crate) lines: BTreeMap<Location, BTreeSet<u32>>,
    /// The places of the loops that are left in their first iteration, whatever the sizes are.
    pub(crate) once: BTreeSet<Location>,
    /// True if a further walk would take long.
    pub(crate) is_long: bool,
}

impl<'m> Walker<'m, '_> {
    /// Notes the line on which the user may say how often a condition on data holds.
    pub(crate) fn note_doubt(&mut self, at: Value<'m>, reason: &Reason) {
        let Some((place, unknown)) = self.values.places.of(at).zip(reason.at()) else { return };
        self.doubts.lines.entry(unknown.clone()).or_default().insert(place.line);
    }

    /// Notes that a loop ends at once, if one iteration never goes on with the next one.
    pub(crate) fn note_end_at_once(
        &mut self,
        induction: &Induction<'m>,
        arrivals: &Arrivals<'m>,
        goes_on: &impl Fn(Option<Node>) -> bool,
    ) {
        if let Some(at) = self.at(induction.inner).filter(|_| !reaches(arrivals, goes_on)) {
            self.doubts.once.insert(self.values.places.or_start(at));
        }
    }
}

fn reaches(arrivals: &Arrivals<'_>, wanted: &impl Fn(Option<Node>) -> bool) -> bool {
    match arrivals {
        Cases::Always(arrival) => wanted(arrival.to),
        Cases::When(when) => reaches(&when.then, wanted) || reaches(&when.otherwise, wanted),
    }
}
