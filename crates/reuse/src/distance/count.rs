//! How many blocks a window has, added up over disjoint sets of blocks.
//!
//! Most sets of blocks are [boxes](crate::boxes) with bounds that depend on t alone, and most boxes have the size that their
//! extents say for every t. Others have it on a region, and are empty elsewhere. A size that is 0 may be added as well as left
//! out; so a box has a least region, where it is not empty, and a greatest, where its extents say its size, and any in between
//! will do. Boxes share regions where they can: the fewer regions, the fewer cases are told apart in the end.
//!
//! What is no box is counted by Barvinok.

use std::collections::BTreeMap;

use symloc_isl::{Context, DimType, Set};
use symloc_quasi::{Constraint, Poly};

use crate::Error;
use crate::boxes::{Boxed, Case, Ground};
use crate::convert::{constraints, counts};
use crate::frame::Frame;

/// A number of blocks on a part of the accesses; the part is a set of values of parameters and iterators.
pub(crate) type Value = (Set, Poly);

/// Adds up numbers of blocks.
pub(crate) struct Adder<'a> {
    ground: Ground<'a>,
    /// Where t is.
    domain: Set,
    /// What is added everywhere.
    everywhere: Poly,
    /// What is added on regions of the domain.
    regions: Vec<Value>,
    /// Conditions, and whether they hold on the whole domain.
    known: BTreeMap<Constraint, bool>,
}

impl<'a> Adder<'a> {
    /// Of blocks that depend on the variables of a frame, where these are in the domain.
    pub(crate) fn new(isl: &'a Context, frame: &'a Frame, domain: Set) -> Self {
        let ground = Ground { isl, frame };
        Self { ground, domain, everywhere: Poly::zero(), regions: Vec::new(), known: BTreeMap::new() }
    }

    /// Adds the number of elements of a set, which depends on parameters and iterators as parameters, times a factor.
    pub(crate) fn add(&mut self, blocks: &Set, factor: &Poly) -> Result<(), Error> {
        // Seldom the domain is needed to see that a bound is the tightest.
        let boxed = match self.cuboid(&blocks.compute_divs()?)? {
            Some(boxed) if boxed.cases.len() == 1 => Some(boxed),
            _ => self.cuboid(&blocks.gist_params(&self.domain)?.compute_divs()?)?,
        };
        let Some(Boxed { mut rest, cases }) = boxed else { return self.add_counted(blocks, factor) };
        let held = rest.iter().map(|condition| self.holds(condition)).collect::<Result<Vec<_>, _>>()?;
        let mut held = held.into_iter();
        rest.retain(|_| held.next() == Some(false));
        cases.iter().try_for_each(|case| self.add_case(case, &rest, factor))
    }

    /// The sum of what was added and of a value, part by part.
    pub(crate) fn finished(self, value: &Poly) -> Result<Vec<Value>, Error> {
        let mut sums = vec![(self.domain, value + &self.everywhere)];
        for (region, size) in self.regions {
            for (domain, sum) in std::mem::take(&mut sums) {
                let there = domain.intersect(&region)?;
                if there.is_empty()? {
                    sums.push((domain, sum));
                    continue;
                }
                let elsewhere = domain.subtract(&region)?;
                sums.push((there, &sum + &size));
                if !elsewhere.is_empty()? {
                    sums.push((elsewhere, sum));
                }
            }
        }
        Ok(sums)
    }

    /// Writes a set as a box, if it is one, with bounds and conditions that depend on t alone.
    fn cuboid(&self, blocks: &Set) -> Result<Option<Boxed>, Error> {
        let own = self.ground.frame;
        let coordinates = blocks.dim(DimType::SET)?;
        let names = own.names().iter().cloned().chain((0..coordinates).map(|c| format!("_b{c}"))).collect();
        let frame = Frame::over(names, own.names().len());
        let first = frame.iterator(0);
        let [basic] = &blocks.basic_sets()?[..] else { return Ok(None) };
        let mut boxed = Boxed::new(constraints(basic, &frame)?);
        let whole = frame.iterators().all(|coordinate| boxed.solve(coordinate) || boxed.count(coordinate, first));
        let alone = boxed.rest.iter().all(|c| c.poly.vars().iter().all(|var| *var < first));
        Ok((whole && alone).then_some(boxed))
    }

    /// Adds the size of a box where certain bounds are the tightest; `conditions` say where there are blocks at all, beyond what
    /// the extents say.
    fn add_case(&mut self, case: &Case, conditions: &[Constraint], factor: &Poly) -> Result<(), Error> {
        let size = factor * &case.size();
        let mut all = case.conditions.iter().chain(conditions).cloned().chain(case.at_least(&Poly::zero()));
        if all.try_fold(true, |all, condition| Ok::<_, Error>(all && self.holds(&condition)?))? {
            self.everywhere = &self.everywhere + &size;
            return Ok(());
        }
        let tightest = self.domain.intersect(&self.ground.region(&case.conditions)?)?;
        let at_least =
            |least: &Poly| case.extents.iter().map(|e| Constraint::non_negative(e - least)).collect::<Vec<_>>();
        let filled = tightest.intersect(&self.ground.region(&at_least(&Poly::one()))?)?;
        let filled = filled.intersect(&self.ground.region(conditions)?)?;
        if filled.is_empty()? {
            return Ok(());
        }
        let needed = self.ground.needed(&tightest, &case.extents, conditions)?.into_iter().cloned();
        let sized = tightest
            .intersect(&self.ground.region(&needed.chain(case.at_least(&Poly::zero())).collect::<Vec<_>>())?)?;
        self.add_between(&filled, sized, size)
    }

    /// Adds a size that is right on the greatest region, and 0 there outside of the least one.
    fn add_between(&mut self, least: &Set, greatest: Set, size: Poly) -> Result<(), Error> {
        if self.domain.is_subset(&greatest)? {
            self.everywhere = &self.everywhere + &size;
            return Ok(());
        }
        for (region, sum) in &mut self.regions {
            if least.is_subset(region)? && region.is_subset(&greatest)? {
                *sum = &*sum + &size;
                return Ok(());
            }
        }
        self.regions.push((greatest, size));
        Ok(())
    }

    /// Does a condition on t hold on the whole domain?
    fn holds(&mut self, condition: &Constraint) -> Result<bool, Error> {
        if let Some(known) = self.known.get(condition) {
            return Ok(*known);
        }
        let holds = self.domain.is_subset(&self.ground.region(std::slice::from_ref(condition))?)?;
        self.known.insert(condition.clone(), holds);
        Ok(holds)
    }

    /// Adds a number that Barvinok counts.
    fn add_counted(&mut self, blocks: &Set, factor: &Poly) -> Result<(), Error> {
        for (part, count) in counts(&blocks.intersect_params(&self.domain)?, self.ground.frame)? {
            let part = self.domain.intersect(&part)?;
            if !part.is_empty()? {
                self.add_between(&part.clone(), part, &count * factor)?;
            }
        }
        Ok(())
    }
}
