//! Conditions on data that a walk has met besides its errors, for hints that are tried before they are given.

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::Location;

/// The conditions on data that a walk has met, and the loops that end at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Doubts {
    /// The lines of the branches, by the place of the data in their conditions.
    pub(crate) lines: BTreeMap<Location, BTreeSet<u32>>,
    /// The places of the loops that are left in their first iteration, whatever the sizes are.
    pub(crate) once: BTreeSet<Location>,
    /// True if a further walk would take long.
    pub(crate) is_long: bool,
}
