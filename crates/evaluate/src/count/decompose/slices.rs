//! Cuts a piece at every value of a direction.
//!
//! Successive slices are often alike: the same points with the same counts, and values that are longer by one number. Such slices are cut
//! once, with a digit above them (docs/counting.md, Slices that are alike).

use std::ops::RangeInclusive;

use symloc_quasi::{Int, Section};

use super::lattice::{AffineFunction, Change, Lattice, simplex};
use super::strips::Strip;
use super::{Decomposed, Decomposition, Trouble, checked};
use crate::count::limits::SAMPLES;
use crate::count::parts::radix::Digit;
use crate::error::Stop;

/// The points at one value of a direction.
struct Slice {
    lattice: Lattice,
    conditions: Vec<AffineFunction>,
}

/// Successive slices.
struct AlikeSlices {
    values: RangeInclusive<i128>,
    first: Slice,
    /// The last one, and the increase of v from each to the next, if there are several.
    last: Option<(Slice, Int)>,
}

impl Decomposition<'_> {
    /// Cuts the piece at every value of a strip.
    pub(super) fn enumerate(&mut self, lattice: &Lattice, conditions: &[AffineFunction], strip: &Strip) -> Decomposed {
        // Refuse at once, not after minutes.
        if strip.last.saturating_sub(strip.first) >= i128::from(*self.left) {
            return Err(Trouble::Stop(Stop::Limit));
        }
        let slice = |value| {
            let change = Change::fix(&strip.direction, value);
            let conditions = conditions.iter().map(|c| c.substitute(&change)).collect::<Option<Vec<_>>>();
            let mut conditions = checked(conditions)?;
            conditions.retain(|c| !c.is_constant() || c.constant < 0);
            Ok(Slice { lattice: checked(lattice.substitute(&change))?, conditions })
        };
        if strip.first > strip.last {
            return Ok(());
        }
        // All slices have the same steps.
        let on_slice = slice(strip.first)?.lattice;
        // A line takes no longer to cut than to compare.
        let samples = if on_slice.dimensions() < 2 { None } else { self.samples(&on_slice, SAMPLES) };
        let mut value = strip.first;
        while value <= strip.last {
            let slices = self.alike(value..=strip.last, samples.as_deref(), &slice)?;
            value = slices.values.end() + 1;
            *self.left =
                self.left.checked_sub((value - slices.values.start()) as u64).ok_or(Trouble::Stop(Stop::Limit))?;
            self.slices(slices, &slice)?;
        }
        Ok(())
    }

    /// Returns the first slices of some values, as many as are alike.
    fn alike(
        &self,
        values: RangeInclusive<i128>,
        samples: Option<&[Vec<i128>]>,
        slice: &impl Fn(i128) -> Result<Slice, Trouble>,
    ) -> Result<AlikeSlices, Trouble> {
        let start = *values.start();
        let (first, mut last, mut end) = (slice(start)?, None, start);
        while let Some(samples) = samples
            && end < *values.end()
        {
            let next = slice(end + 1)?;
            let (before, step) = last.as_ref().map_or((&first, None), |(slice, step)| (slice, Some(step)));
            match self.increase(before, &next, samples).filter(|more| step.is_none_or(|step| step == more)) {
                Some(step) => last = Some((next, step)),
                None => break,
            }
            end += 1;
        }
        Ok(AlikeSlices { values: start..=end, first, last })
    }

    /// Cuts slices that are alike: one of them, with a digit above it; or else each.
    fn slices(&mut self, slices: AlikeSlices, slice: &impl Fn(i128) -> Result<Slice, Trouble>) -> Decomposed {
        let AlikeSlices { values, first, last } = slices;
        let Some((last, step)) = last else { return self.part(first.lattice, first.conditions) };
        let digit = Digit { length: values.end() - values.start() + 1, step };
        let Slice { lattice, conditions } = if digit.step.is_negative() { last } else { first };
        let digit = digit.ascending();
        let done = self.aside(|this| {
            this.part(lattice, conditions)?;
            this.raise(&digit)
        })?;
        if done {
            return Ok(());
        }
        values
            .into_iter()
            .try_for_each(|value| slice(value).and_then(|slice| self.part(slice.lattice, slice.conditions)))
    }

    /// Returns by how much v is larger on one slice than on another with the same points and counts; `None` if that is not one number,
    /// or not known.
    fn increase(&self, slice: &Slice, next: &Slice, samples: &[Vec<i128>]) -> Option<Int> {
        if slice.conditions != next.conditions {
            return None;
        }
        let mut increase = None;
        samples.iter().try_for_each(|coordinates| {
            let points = [slice.lattice.point(coordinates)?, next.lattice.point(coordinates)?];
            let difference = |section: &Section<'_>| Some(&section.value(&points[1])? - &section.value(&points[0])?);
            let mut counts = self.floored.iter().map(|(section, _)| section).chain([&self.count]);
            let more = difference(&self.value)?;
            let known = increase.get_or_insert_with(|| more.clone());
            (*known == more && counts.all(|section| difference(section).is_some_and(|more| more.is_zero())))
                .then_some(())
        })?;
        increase
    }

    /// Returns points at which functions of this piece are equal only if they are equal everywhere on a lattice: on each residue these
    /// are polynomials. `None` if there are more than `most`.
    pub(super) fn samples(&self, lattice: &Lattice, most: i128) -> Option<Vec<Vec<i128>>> {
        let degree = self.plan.value_degree.max(self.plan.count_degree).max(1);
        let periods = lattice.steps.iter().map(|step| self.plan.periods.along(step)).collect::<Option<Vec<_>>>()?;
        let cells = simplex(lattice.dimensions(), degree as i128);
        let residues = periods.iter().try_fold(1_i128, |all, period| all.checked_mul(*period))?;
        if residues.checked_mul(cells.len() as i128)? > most {
            return None;
        }
        let mut samples = Vec::new();
        for mut residue in 0..residues {
            let mut first = Vec::with_capacity(periods.len());
            for period in &periods {
                first.push(residue % period);
                residue /= period;
            }
            let at = |cell: &Vec<i128>| (0..first.len()).map(|k| first[k] + periods[k] * cell[k]).collect();
            samples.extend(cells.iter().map(at));
        }
        Some(samples)
    }
}
