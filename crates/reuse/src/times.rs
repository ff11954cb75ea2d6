//! Conditions on the time t of an access, as sets of values of its variables.

use symloc_isl::{Context, Set};
use symloc_quasi::{Constraint, Poly};

use crate::Error;
use crate::frame::Frame;

/// The variables of t, all of them parameters to isl: conditions on t are sets of their values.
pub(crate) struct Times<'a> {
    pub isl: &'a Context,
    pub frame: &'a Frame,
}

impl Times<'_> {
    /// Returns the region in which all of some conditions hold.
    pub(crate) fn region(&self, conditions: &[Constraint]) -> Result<Set, Error> {
        self.frame.region(self.isl, conditions)
    }

    /// Returns the conditions that a box on a domain does not imply unless an extent is 0; where one is, so is the
    /// size.
    pub(crate) fn needed<'c>(
        &self,
        domain: &Set,
        extents: &[Poly],
        conditions: &'c [Constraint],
    ) -> Result<Vec<&'c Constraint>, Error> {
        if conditions.is_empty() {
            return Ok(Vec::new());
        }
        let filled: Vec<_> = extents.iter().map(|extent| Constraint::non_negative(extent - &Poly::one())).collect();
        let filled = domain.intersect(&self.region(&filled)?)?;
        let mut needed = Vec::new();
        for condition in conditions {
            if !filled.is_subset(&self.region(std::slice::from_ref(condition))?)? {
                needed.push(condition);
            }
        }
        Ok(needed)
    }
}
