//! Intervals and distances after the iterators that neither their values nor their line starts depend on are counted
//! out.
//!
//! On the domain of an interval, over (y, i, j, …), all iterators are counted that the value does not mention, with y,
//! b and the free iterators as parameters (Barvinok). That gives a weight, a polynomial, on each of a few sets of (y,
//! free iterators). No line is divided for it: whether y is a multiple of b does not matter to how often an interval
//! occurs in the line at y.
//!
//! A distance is a polynomial and a sum of terms, in which line starts are still to be counted (`terms`).

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::{AccessId, ArrayId, Program};
use symloc_isl::{Context, Set};
use symloc_model::IntervalKind;
use symloc_quasi::{Constraint, Poly, Var};

use super::start::LineStarts;
use super::terms::WindowTerm;
use crate::Error;
use crate::convert::{constraints, pieces};
use crate::frame::{Frame, FreshNames, dims_to_params};
use crate::intervals::IntervalPiece;
use crate::previous::Reuse;

/// Of what a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartKind {
    /// Accesses with this kind of interval.
    Accesses(IntervalKind),
    /// Blocks of an array.
    Blocks(ArrayId),
    /// Accesses with a distance; of one window, by its number.
    Distances(usize),
    /// Accesses whose interval stands in for the distance.
    Estimated,
}

/// The properties that the accesses or blocks of a part share.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub counted: PartKind,
    /// The access with the previous one, or an access that touches these blocks.
    pub reuse: Reuse,
    /// The interval, or what is known of the distance.
    pub value: Poly,
    /// The rest of the distance.
    pub terms: Vec<WindowTerm>,
}

/// Some accesses, or blocks.
#[derive(Debug)]
pub(super) struct Part {
    pub subject: Subject,
    /// The elements of a line in units of b, if there are lines; then the first of its own variables is the line start.
    pub ratio: Option<u64>,
    /// The parameters; its own variables, which are the line start and the iterators that the value mentions; and the
    /// coordinates of the terms.
    pub frame: Frame,
    /// The number of iterators of the frame that are its own.
    pub own: usize,
    /// The domain, a conjunction.
    pub constraints: Vec<Constraint>,
    /// The number of times that the value occurs at each point.
    pub weight: Poly,
}

impl Part {
    /// Returns the line starts among the variables, each with the elements of its lines in units of b.
    pub(super) fn starts(&self) -> BTreeMap<Var, u64> {
        let own = self.ratio.map(|ratio| (self.frame.iterator(0), ratio));
        let of_term = |term: &WindowTerm| Some((*term.coordinates.last()?, term.ratio?));
        own.into_iter().chain(self.subject.terms.iter().filter_map(of_term)).collect()
    }

    /// Returns all conjunctions about the variables.
    pub(super) fn systems(&self) -> impl Iterator<Item = &[Constraint]> {
        let terms = self.subject.terms.iter().map(|term| &term.constraints[..]);
        std::iter::once(&self.constraints[..]).chain(terms)
    }
}

/// Collects the parts.
pub struct Parts<'a> {
    pub(super) isl: &'a Context,
    pub(super) program: &'a Program,
    pub(super) starts: &'a LineStarts,
    names: FreshNames,
    pub(super) parts: Vec<Part>,
    /// Earlier counts, by the text of their sets.
    known: BTreeMap<String, Vec<(Set, Poly)>>,
}

/// Dimensions that stay, by depth, with their names.
type Kept = Vec<(usize, String)>;

impl<'a> Parts<'a> {
    /// Creates an empty list of parts.
    pub fn new(isl: &'a Context, program: &'a Program, starts: &'a LineStarts) -> Self {
        Self { isl, program, starts, names: FreshNames::new(program), parts: Vec::new(), known: BTreeMap::new() }
    }

    /// Adds the parts of an interval.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if counting fails or reaches the limit.
    pub fn interval(&mut self, interval: &IntervalPiece) -> Result<(), Error> {
        self.interval_of(interval, PartKind::Accesses(interval.kind))
    }

    pub(super) fn interval_of(&mut self, interval: &IntervalPiece, counted: PartKind) -> Result<(), Error> {
        let IntervalPiece { reuse, domain, value, in_steps, .. } = interval;
        let subject = Subject { counted, reuse: *reuse, value: value.clone(), terms: Vec::new() };
        self.accesses(domain, subject, in_steps)
    }

    /// Adds the parts of the accesses on a domain, in the variables of this access. Iterators of the value may count
    /// steps.
    pub(super) fn accesses(&mut self, domain: &Set, subject: Subject, in_steps: &[Var]) -> Result<(), Error> {
        let frame = &self.starts.coordinates.ranked(subject.reuse.sink).frame;
        let ratio = self.starts.ratios[subject.reuse.sink.index()];
        let mentioned = subject.vars();
        let is_kept = |var: &Var| mentioned.contains(var) || (ratio.is_some() && frame.depth(*var) == Some(0));
        let name = |var: Var| match in_steps.contains(&var) {
            true => self.names.clone().fresh("u_", frame.name(var)),
            false => frame.name(var).to_owned(),
        };
        let free: Vec<Var> = frame.iterators().filter(is_kept).collect();
        let kept = free.iter().filter_map(|var| Some((frame.depth(*var)?, name(*var)))).collect();
        let subject = subject.renumbered(frame, &free);
        self.add(domain, &kept, &subject)
    }

    /// Adds the parts of all blocks.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if counting fails or reaches the limit.
    pub fn blocks(&mut self) -> Result<(), Error> {
        let (program, coordinates) = (self.program, &self.starts.coordinates);
        for (array, blocks) in coordinates.blocks(program)? {
            let access = program.accesses.iter().position(|access| access.array == array);
            let access = access.ok_or_else(|| Error::Internal("blocks that nothing accesses".to_owned()))?;
            let start = coordinates.ranked[access].frame.iterators().next();
            let start = start.filter(|_| self.starts.ratios[access].is_some());
            let last = blocks.dim(symloc_isl::DimType::SET)?.saturating_sub(1);
            let name = |var: Var| coordinates.ranked[access].frame.name(var).to_owned();
            let kept = start.into_iter().map(|var| (last, name(var))).collect();
            let (counted, reuse) = (PartKind::Blocks(array), Reuse::first_touch(AccessId(access as u32)));
            let subject = Subject { counted, reuse, value: Poly::zero(), terms: Vec::new() };
            self.add(&blocks.reset_tuple_name()?, &kept, &subject)?;
        }
        Ok(())
    }

    fn add(&mut self, set: &Set, kept: &Kept, subject: &Subject) -> Result<(), Error> {
        let params = &self.starts.coordinates.params;
        let names: Vec<_> = params.iter().cloned().chain(kept.iter().map(|(_, name)| name.clone())).collect();
        let frame = Frame::over(names.clone(), params.len());
        let coordinates = subject.terms.iter().flat_map(|term| &term.coordinates);
        let coordinates = coordinates.map(|coordinate| self.names.clone().fresh("c_", &coordinate.0.to_string()));
        let all = Frame::over(names.into_iter().chain(coordinates).collect(), params.len());
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
                        subject: subject.clone(),
                        ratio: self.starts.ratios[subject.reuse.sink.index()],
                        frame: all.clone(),
                        own: kept.len(),
                        constraints: constraints(&basic, &frame)?,
                        weight: weight.clone(),
                    });
                }
            }
        }
        Ok(())
    }

    /// Returns the number of points for each value of the parameters, where there are any.
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

impl Subject {
    /// Returns the variables of the value, apart from coordinates of terms.
    fn vars(&self) -> BTreeSet<Var> {
        let of_term = |term: &WindowTerm| {
            let constraints = term.constraints.iter().flat_map(|c| c.poly.vars());
            let vars = constraints.filter(|var| !term.coordinates.contains(var));
            vars.chain(term.factor.vars()).collect::<Vec<_>>()
        };
        self.value.vars().into_iter().chain(self.terms.iter().flat_map(of_term)).collect()
    }

    /// Renumbers the part: only these variables of a frame are left, and each term has coordinates of its own.
    fn renumbered(&self, frame: &Frame, free: &[Var]) -> Self {
        let own = |var: Var| Some(Poly::var(frame.iterator(free.iter().position(|v| *v == var)?)));
        let mut next = frame.iterator(free.len()).0;
        let term = |term: &WindowTerm| {
            let first = next;
            next += term.coordinates.len() as u32;
            let coordinate = |var: Var| term.coordinates.iter().position(|c| *c == var);
            let moved = |var: Var| match coordinate(var) {
                Some(position) => Some(Poly::var(Var(first + position as u32))),
                None => own(var),
            };
            WindowTerm {
                factor: term.factor.substitute(&own),
                constraints: term.constraints.iter().map(|c| c.map(|poly| poly.substitute(&moved))).collect(),
                coordinates: (first..next).map(Var).collect(),
                ratio: term.ratio,
            }
        };
        Self { value: self.value.substitute(&own), terms: self.terms.iter().map(term).collect(), ..*self }
    }
}
