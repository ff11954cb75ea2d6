//! How many blocks a window has, added up over disjoint sets of blocks.
//!
//! Most sets of blocks are boxes: each coordinate runs from a lower to an upper bound, and the bounds depend on t alone. Their
//! size is the product of the extents
//!
//! ```text
//! Π (⌊upper⌋ − ⌈lower⌉ + 1)
//! ```
//!
//! wherever no extent is negative, whether the box is empty or not; so hardly any cases have to be told apart. What is no box
//! is counted by Barvinok.

use symloc_isl::{BasicSet, Context, Set};
use symloc_quasi::{Constraint, Poly, Relation, Var};

use super::range::{Range, solve};
use crate::Error;
use crate::convert::{Frame, constraints, pieces};

/// A number of blocks on a part of the accesses; the part is a set of values of parameters and iterators.
pub(crate) type Value = (Set, Poly);

/// Adds up numbers of blocks.
pub(crate) struct Adder<'a> {
    isl: &'a Context,
    /// Parameters and iterators of t, all of them parameters to isl.
    frame: &'a Frame,
}

/// A set of blocks in coordinates that do not depend on each other.
struct Cuboid {
    /// The bounds of each coordinate that has more than one value.
    ranges: Vec<Range>,
    /// Where there are blocks at all, beyond what the ranges say.
    conditions: Vec<Constraint>,
}

impl<'a> Adder<'a> {
    pub(crate) fn new(isl: &'a Context, frame: &'a Frame) -> Self {
        Self { isl, frame }
    }

    /// Adds the number of elements of a set, which depends on parameters and iterators as parameters, times a factor.
    pub(crate) fn add(&self, values: Vec<Value>, blocks: &Set, factor: &Poly) -> Result<Vec<Value>, Error> {
        let mut sums = Vec::new();
        for (domain, value) in values {
            if blocks.intersect_params(&domain)?.is_empty()? {
                sums.push((domain, value));
                continue;
            }
            let simple = blocks.gist_params(&domain)?.compute_divs()?.basic_sets()?;
            let found = match simple.as_slice() {
                [simple] => self.cuboid(simple)?,
                _ => None,
            };
            match found {
                Some(found) => self.add_cuboid((domain, value), &found, factor, &mut sums)?,
                None => self.add_counted((domain, value), blocks, factor, &mut sums)?,
            }
        }
        Ok(sums)
    }

    /// Writes a set as a box, if it is one.
    fn cuboid(&self, blocks: &BasicSet) -> Result<Option<Cuboid>, Error> {
        let coordinates = blocks.to_set()?.dim(symloc_isl::DimType::SET)?;
        let first = self.frame.names().len() as u32;
        let names = self.frame.names().iter().cloned().chain((0..coordinates).map(|c| format!("_b{c}"))).collect();
        let frame = Frame::over(names, first as usize);
        let mut system = constraints(blocks, &frame)?;
        let mut ranges = Vec::new();
        for coordinate in (0..coordinates as u32).map(|c| Var(first + c)) {
            if solve(&mut system, coordinate) {
                continue;
            }
            let Some((range, rest)) = Range::of(&system, coordinate) else { return Ok(None) };
            if !range.bounds().all(|bound| bound.vars().iter().all(|v| v.0 < first)) {
                return Ok(None);
            }
            system = rest;
            ranges.push(range);
        }
        let alone = system.iter().all(|c| c.poly.vars().iter().all(|v| v.0 < first));
        Ok(alone.then_some(Cuboid { ranges, conditions: system }))
    }

    fn add_cuboid(
        &self,
        (domain, value): Value,
        found: &Cuboid,
        factor: &Poly,
        sums: &mut Vec<Value>,
    ) -> Result<(), Error> {
        for (domain, extents) in self.extents(domain, &found.ranges)? {
            let mut there = domain.clone();
            for condition in self.needed(&domain, &extents, &found.conditions)? {
                there = there.intersect(&self.region(condition)?)?;
            }
            for extent in &extents {
                there = there.intersect(&self.region(&Constraint::non_negative(extent.clone()))?)?;
            }
            let size = extents.iter().fold(factor.clone(), |product, extent| &product * extent);
            let elsewhere = domain.subtract(&there)?;
            if elsewhere.is_empty()? {
                sums.push((domain, &value + &size));
                continue;
            }
            if !there.is_empty()? {
                sums.push((there, &value + &size));
            }
            sums.push((elsewhere, value.clone()));
        }
        Ok(())
    }

    /// The extents of a box, where one lower bound is the largest and one upper bound the smallest.
    fn extents(&self, domain: Set, ranges: &[Range]) -> Result<Vec<(Set, Vec<Poly>)>, Error> {
        let mut parts = vec![(domain, Vec::new())];
        for Range { lower, upper } in ranges {
            let mut refined = Vec::new();
            for (domain, extents) in parts {
                for (domain, low) in self.largest(domain, lower)? {
                    let negative: Vec<Poly> = upper.iter().map(|u| -u).collect();
                    for (domain, high) in self.largest(domain, &negative)? {
                        let extent = &Poly::one() - &(&low + &high);
                        refined.push((domain, [extents.clone(), vec![extent]].concat()));
                    }
                }
            }
            parts = refined;
        }
        Ok(parts)
    }

    /// Where which of some values is the largest.
    fn largest(&self, domain: Set, values: &[Poly]) -> Result<Vec<(Set, Poly)>, Error> {
        if let [only] = values {
            return Ok(vec![(domain, only.clone())]);
        }
        let mut parts = Vec::new();
        let mut rest = domain;
        for value in values {
            let mut here = rest.clone();
            for other in values.iter().filter(|other| *other != value) {
                here = here.intersect(&self.region(&Constraint::non_negative(value - other))?)?;
            }
            if !here.is_empty()? {
                rest = rest.subtract(&here)?;
                parts.push((here, value.clone()));
            }
        }
        Ok(parts)
    }

    /// The conditions that a box with positive extents does not imply.
    fn needed<'c>(
        &self,
        domain: &Set,
        extents: &[Poly],
        conditions: &'c [Constraint],
    ) -> Result<Vec<&'c Constraint>, Error> {
        if conditions.is_empty() {
            return Ok(Vec::new());
        }
        let mut filled = domain.clone();
        for extent in extents {
            filled = filled.intersect(&self.region(&Constraint::non_negative(extent - &Poly::one()))?)?;
        }
        let mut needed = Vec::new();
        for condition in conditions {
            if !filled.is_subset(&self.region(condition)?)? {
                needed.push(condition);
            }
        }
        Ok(needed)
    }

    fn add_counted(
        &self,
        (domain, value): Value,
        blocks: &Set,
        factor: &Poly,
        sums: &mut Vec<Value>,
    ) -> Result<(), Error> {
        let count = blocks.intersect_params(&domain)?.card()?;
        let mut rest = domain.clone();
        for (part, count) in pieces(&count, self.frame)? {
            let part = domain.intersect(&part)?;
            if !part.is_empty()? {
                rest = rest.subtract(&part)?;
                sums.push((part, &value + &(&count * factor)));
            }
        }
        if !rest.is_empty()? {
            sums.push((rest, value));
        }
        Ok(())
    }

    /// The parameters and iterators for which a condition holds.
    fn region(&self, condition: &Constraint) -> Result<Set, Error> {
        let relation = match condition.relation {
            Relation::Zero => "=",
            Relation::NonNegative => ">=",
        };
        let names = self.frame.names().join(", ");
        let text = format!("[{names}] -> {{ : {} {relation} 0 }}", self.frame.text(&condition.poly));
        Ok(Set::read(self.isl, &text)?.params()?)
    }
}
