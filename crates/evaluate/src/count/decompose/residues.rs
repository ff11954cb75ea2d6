//! Takes the residues of one iterator apart, so that v has no floors of it.
//!
//! Of three iterators or more one must be enumerated, unless two of them are [digits](super::digits) of one number or all are digits of
//! a [mixed radix](super::super::parts::radix). Floors of an iterator hide both: on each residue modulo their divisor they are affine
//! (docs/counting.md, Digits of one number).

use super::lattice::{AffineFunction, Change, Lattice};
use super::strips::bounded;
use super::{Decomposed, Decomposition};
use crate::count::limits::PERIOD;

impl Decomposition<'_> {
    /// Returns a coordinate with floors in v, and the period of v along it; `None` if there is none, if its period is long, or if it has
    /// hardly more values than residues.
    pub(super) fn floored_coordinate(&self, lattice: &Lattice, conditions: &[AffineFunction]) -> Option<(usize, i128)> {
        lattice.steps.iter().enumerate().find_map(|(coordinate, step)| {
            let period = self.plan.value_periods.along(step)?;
            let own = bounded(conditions).filter(|strip| strip.direction.is_coordinate(coordinate));
            let length = own.filter_map(|strip| strip.length()).min();
            let is_long = length.is_none_or(|length| length > PERIOD);
            ((2..=PERIOD).contains(&period) && is_long).then_some((coordinate, period))
        })
    }

    /// Cuts the piece on every residue of a coordinate separately.
    pub(super) fn on_residues(
        &mut self,
        lattice: &Lattice,
        conditions: &[AffineFunction],
        (coordinate, period): (usize, i128),
    ) -> Decomposed {
        let Lattice { origin: start, steps: columns } = Lattice::whole(lattice.dimensions());
        let mut change = Change { start, columns };
        change.columns[coordinate][coordinate] = period;
        for residue in 0..period {
            change.start[coordinate] = residue;
            self.changed(lattice, conditions, &change)?;
        }
        Ok(())
    }
}
