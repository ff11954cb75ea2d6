//! What is left of an interval once everything is counted that neither its value nor its line start is about.
//!
//! On the domain of an interval, over (y, i, j, …), all iterators are counted that the value does not mention, with y, b and
//! the free iterators as parameters (Barvinok). That gives a weight, a polynomial, on each of a few sets of (y, free iterators). No
//! line is divided for it: whether y is a multiple of b does not matter to how often an interval occurs in the line at y.

use std::collections::BTreeMap;

use symloc_affine::{AccessId, ArrayId, Program};
use symloc_isl::{Context, Set};
use symloc_model::Kind;
use symloc_quasi::{Constraint, Poly, Var};

use super::split::Names;
use super::start::LineStarts;
use crate::Error;
use crate::convert::{Frame, constraints, dims_to_params, pieces};
use crate::interval::IntervalPiece;

/// Of what a part is.
#[derive(Debug)]
pub(super) enum Counted {
    /// Accesses with this kind of interval.
    Accesses(Kind),
    /// Blocks of an array.
    Blocks(ArrayId),
}

/// Some accesses, or blocks.
#[derive(Debug)]
pub(super) struct Part {
    pub counted: Counted,
    /// The access, or one that touches these blocks.
    pub access: AccessId,
    /// The elements of a line in units of b, if there are lines; then the first variable of the frame is the line start.
    pub ratio: Option<u64>,
    /// The parameters, the line start, and the iterators that the value mentions.
    pub frame: Frame,
    /// Where; a conjunction.
    pub constraints: Vec<Constraint>,
    /// The interval.
    pub value: Poly,
    /// How often it occurs at each point.
    pub weight: Poly,
}

/// Collects the parts.
pub(super) struct Parts<'a> {
    isl: &'a Context,
    starts: &'a LineStarts,
    names: Names,
    pub parts: Vec<Part>,
    /// What was counted before, by its text.
    known: BTreeMap<String, Vec<(Set, Poly)>>,
}

/// Dimensions that stay, by depth, with their names.
type Kept = Vec<(usize, String)>;

impl<'a> Parts<'a> {
    pub(super) fn new(isl: &'a Context, program: &Program, starts: &'a LineStarts) -> Self {
        Self { isl, starts, names: Names::new(program), parts: Vec::new(), known: BTreeMap::new() }
    }

    /// The parts of an interval.
    pub(super) fn interval(&mut self, interval: &IntervalPiece) -> Result<(), Error> {
        let frame = &self.starts.coordinates.place(interval.sink).frame;
        let ratio = self.starts.ratios[interval.sink.index()];
        let mentioned = interval.value.vars();
        let is_kept = |var: &Var| mentioned.contains(var) || (ratio.is_some() && frame.depth(*var) == Some(0));
        let name = |var: Var| match interval.in_steps.contains(&var) {
            true => self.names.clone().fresh("u_", frame.name(var)),
            false => frame.name(var).to_owned(),
        };
        let free: Vec<Var> = frame.iterators().filter(is_kept).collect();
        let kept = free.iter().filter_map(|var| Some((frame.depth(*var)?, name(*var)))).collect();
        let renumbered = |var: Var| Some(Poly::var(frame.iterator(free.iter().position(|v| *v == var)?)));
        let value = interval.value.substitute(&renumbered);
        let counted = || Counted::Accesses(interval.kind);
        self.add(&interval.domain, &kept, interval.sink, &counted, &value)
    }

    /// The parts of all blocks.
    pub(super) fn blocks(&mut self, program: &Program) -> Result<(), Error> {
        let coordinates = &self.starts.coordinates;
        for blocks in coordinates.accesses.range()?.coalesce()?.sets()? {
            let name = blocks.tuple_name()?;
            let array = program.arrays.iter().position(|array| Some(&array.name) == name.as_ref());
            let access = array.and_then(|array| program.accesses.iter().position(|a| a.array.index() == array));
            let (Some(array), Some(access)) = (array, access) else {
                return Err(Error::Internal(format!("blocks of an unknown array {name:?}")));
            };
            let start = coordinates.places[access].frame.iterators().next();
            let start = start.filter(|_| self.starts.ratios[access].is_some());
            let last = blocks.dim(symloc_isl::DimType::SET)?.saturating_sub(1);
            let name = |var: Var| coordinates.places[access].frame.name(var).to_owned();
            let kept = start.into_iter().map(|var| (last, name(var))).collect();
            let counted = || Counted::Blocks(ArrayId(array as u32));
            self.add(&blocks.reset_tuple_name()?, &kept, AccessId(access as u32), &counted, &Poly::zero())?;
        }
        Ok(())
    }

    fn add(
        &mut self,
        set: &Set,
        kept: &Kept,
        access: AccessId,
        counted: &dyn Fn() -> Counted,
        value: &Poly,
    ) -> Result<(), Error> {
        let params = &self.starts.coordinates.params;
        let names = params.iter().cloned().chain(kept.iter().map(|(_, name)| name.clone()));
        let frame = Frame::over(names.collect(), params.len());
        let mut over = set.clone();
        for (moved, (depth, name)) in kept.iter().enumerate() {
            over = dims_to_params(&over, depth - moved, &[name])?;
        }
        for part in over.make_disjoint()?.basic_sets()? {
            for (domain, weight) in self.count(&part.to_set()?, &frame)? {
                for basic in frame
                    .over_iters(self.isl, &domain)?
                    .make_disjoint()?
                    .compute_divs()?
                    .remove_redundancies()?
                    .basic_sets()?
                {
                    self.parts.push(Part {
                        counted: counted(),
                        access,
                        ratio: self.starts.ratios[access.index()],
                        frame: frame.clone(),
                        constraints: constraints(&basic, &frame)?,
                        value: value.clone(),
                        weight: weight.clone(),
                    });
                }
            }
        }
        Ok(())
    }

    /// The number of points for each value of the parameters, where there are any.
    fn count(&mut self, set: &Set, frame: &Frame) -> Result<Vec<(Set, Poly)>, Error> {
        let key = set.to_text()?;
        if let Some(counts) = self.known.get(&key) {
            return Ok(counts.clone());
        }
        let counts: Vec<_> = pieces(&set.card()?, frame)?.into_iter().filter(|(_, count)| !count.is_zero()).collect();
        self.known.insert(key, counts.clone());
        Ok(counts)
    }
}
