//! Separates an independent iterator: a digit above what the others form.
//!
//! In a contraction v = A·a + B·b + w(c, d), with ranges of a and b that depend on nothing. Then a is a digit of a
//! [mixed radix](super::super::parts::radix) whose lower digits are the parts of the points with a fixed, whatever shape these have.

use super::lattice::{AffineFunction, Change, Lattice};
use super::strips::{Strip, bounded};
use super::{Decomposed, Decomposition, Trouble, checked};
use crate::count::parts::Parts;
use crate::count::parts::radix::{Digit, Lowest, MixedRadix};

/// A digit, and the other coordinates where it is zero.
struct TopDigit {
    digit: Digit,
    rest: Lattice,
    conditions: Vec<AffineFunction>,
}

impl Decomposition<'_> {
    /// Adds the points as a digit above the parts of the others; returns false if no coordinate is independent, or if several of
    /// its values would have to be searched for one x.
    pub(super) fn stacked(&mut self, lattice: &Lattice, conditions: &[AffineFunction]) -> Result<bool, Trouble> {
        let Some(TopDigit { digit, rest, conditions }) = self.top_digit(lattice, conditions) else { return Ok(false) };
        if digit.length < 1 {
            return Ok(true);
        }
        self.aside(|this| {
            this.part(rest, conditions)?;
            this.raise(&digit)
        })
    }

    /// Repeats all parts at every value of a digit.
    pub(super) fn raise(&mut self, digit: &Digit) -> Decomposed {
        let Parts { atoms, parts, enumerated } = std::mem::take(self.parts);
        self.parts.enumerated = enumerated;
        let atoms = atoms.into_iter().map(|atom| Lowest::One(atom.interval, atom.count));
        for lowest in atoms.chain(parts.into_iter().map(Lowest::Part)) {
            self.parts.radix(self.kind, checked(MixedRadix::new(lowest, vec![digit.clone()]))?);
        }
        Ok(())
    }

    /// Returns the independent coordinate with the largest step.
    fn top_digit(&self, lattice: &Lattice, conditions: &[AffineFunction]) -> Option<TopDigit> {
        let independent = |coordinate: &usize| {
            let mut own = conditions.iter().filter(|c| c.slopes[*coordinate] != 0);
            self.plan.is_digit(lattice, *coordinate) && own.all(|c| c.is_about(*coordinate))
        };
        let digits = (0..lattice.dimensions()).filter(independent);
        digits.filter_map(|k| self.digit(lattice, conditions, k)).max_by(|a, b| a.digit.step.cmp(&b.digit.step))
    }

    /// Returns an independent coordinate as a digit, counted from the end where v is smallest.
    fn digit(&self, lattice: &Lattice, conditions: &[AffineFunction], coordinate: usize) -> Option<TopDigit> {
        let own = bounded(conditions).find(|strip| strip.direction.is_coordinate(coordinate))?;
        let Strip { ref direction, first, last } = own;
        let value = |at| self.value.value(&lattice.substitute(&Change::fix(direction, at))?.origin);
        let step = &value(first.checked_add(1)?)? - &value(first)?;
        let zero = if step.is_negative() { last } else { first };
        let change = Change::fix(direction, zero);
        let others = conditions.iter().filter(|c| c.slopes[coordinate] == 0);
        Some(TopDigit {
            digit: Digit { step, length: own.length()? }.ascending(),
            rest: lattice.substitute(&change)?,
            conditions: others.map(|c| c.substitute(&change)).collect::<Option<_>>()?,
        })
    }
}
