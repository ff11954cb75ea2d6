//! How many blocks a window has, added up over disjoint sets of blocks.
//!
//! Most sets of blocks are [boxes](crate::boxes) with bounds that depend on t alone. What is no box is counted by Barvinok.

use symloc_isl::{BasicSet, Context, Set};
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
}

impl<'a> Adder<'a> {
    /// Of blocks that depend on the variables of a frame.
    pub(crate) fn new(isl: &'a Context, frame: &'a Frame) -> Self {
        Self { ground: Ground { isl, frame } }
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
                Some(Boxed { rest, cases }) => {
                    for case in cases {
                        self.add_case((&domain, &value), case, &rest, factor, &mut sums)?;
                    }
                }
                None => self.add_counted((domain, value), blocks, factor, &mut sums)?,
            }
        }
        Ok(sums)
    }

    /// Writes a set as a box, if it is one, with bounds and conditions that depend on t alone.
    fn cuboid(&self, blocks: &BasicSet) -> Result<Option<Boxed>, Error> {
        let own = self.ground.frame;
        let coordinates = blocks.to_set()?.dim(symloc_isl::DimType::SET)?;
        let names = own.names().iter().cloned().chain((0..coordinates).map(|c| format!("_b{c}"))).collect();
        let frame = Frame::over(names, own.names().len());
        let first = frame.iterator(0);
        let mut boxed = Boxed::new(constraints(blocks, &frame)?);
        let whole = frame.iterators().all(|coordinate| boxed.solve(coordinate) || boxed.count(coordinate, first));
        let alone = boxed.rest.iter().all(|c| c.poly.vars().iter().all(|var| *var < first));
        Ok((whole && alone).then_some(boxed))
    }

    /// Adds the size of a box where certain bounds are the tightest; `conditions` say where there are blocks at all, beyond what
    /// the extents say.
    fn add_case(
        &self,
        (domain, value): (&Set, &Poly),
        case: Case,
        conditions: &[Constraint],
        factor: &Poly,
        sums: &mut Vec<Value>,
    ) -> Result<(), Error> {
        let domain = match case.conditions.is_empty() {
            true => domain.clone(),
            false => domain.intersect(&self.ground.region(&case.conditions)?)?,
        };
        if !case.conditions.is_empty() && domain.is_empty()? {
            return Ok(());
        }
        let size = factor * &case.size();
        let mut there = domain.clone();
        for condition in self.ground.needed(&domain, &case.extents, conditions)? {
            there = there.intersect(&self.ground.region(std::slice::from_ref(condition))?)?;
        }
        for extent in case.extents {
            there = there.intersect(&self.ground.region(&[Constraint::non_negative(extent)])?)?;
        }
        let elsewhere = domain.subtract(&there)?;
        if elsewhere.is_empty()? {
            sums.push((domain, value + &size));
            return Ok(());
        }
        if !there.is_empty()? {
            sums.push((there, value + &size));
        }
        sums.push((elsewhere, value.clone()));
        Ok(())
    }

    /// Adds a number that Barvinok counts.
    fn add_counted(
        &self,
        (domain, value): Value,
        blocks: &Set,
        factor: &Poly,
        sums: &mut Vec<Value>,
    ) -> Result<(), Error> {
        let counted = counts(&blocks.intersect_params(&domain)?, self.ground.frame)?;
        let mut rest = domain.clone();
        for (part, count) in counted {
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
}
