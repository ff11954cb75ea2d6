//! Line coordinates: lines of b elements, where b is a parameter.
//!
//! ⌊x/b⌋ is not affine in x and b. So an iterator x of a last subscript is written as x = b·u + r with 0 ≤ r < b, and the
//! two levels (u, r) stand in its place in the timestamp: the order is the same. A parameter that such an iterator is compared
//! with becomes n = b·m + s with 0 ≤ s < b in the same way. Then a sum of them with constant coefficients is
//!
//! ```text
//! E = b·U + R,   U and R affine in u, m and r, s,   and   ⌊E/b⌋ = U + t   where   b·t ≤ R < b·(t + 1)
//! ```
//!
//! and the *carry* t = ⌊R/b⌋ has a few constant values only, as long as b exceeds the constants in E. So subscripts and
//! comparisons become unions over carries of sets in which b is multiplied by constants only (`carry`). Everything that
//! is compared with a split iterator is split as well (`split`).
//!
//! Ranks are counted on the original loops. They are polynomials in n and x, and stay ones in b, u and r.

mod carry;
mod place;
mod split;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use num_bigint::BigInt;
use symloc_affine::{AccessId, Expr, Layout, Line, ParamId, Program};
use symloc_isl::{Context, Set, UnionMap};
use symloc_quasi::{Constraint, Poly, Var};

use crate::Error;
use crate::coordinates::{Coordinates, Place, totals};
use crate::counters::Counted;
use crate::rank::{RankPiece, Ranks};
use crate::timestamps::{Step, Timestamps, statement_name};
use place::Translation;
use split::Split;

/// A program in line coordinates.
#[derive(Debug)]
pub struct LineCoordinates {
    /// What the later stages work on.
    pub coordinates: Coordinates,
    /// b.
    line: Var,
    /// The least b for which it is exact.
    pub least: BigInt,
    /// The parameters n of which m = ⌊n/b⌋ is a variable, in the order of these variables. They come after the program's own
    /// parameters.
    pub quotients: Vec<ParamId>,
    /// How many variables s come after those: one for each n that need not be a multiple of b.
    pub remainders: usize,
    /// Bytes of an element, of the largest if arrays differ: of these b are in a line.
    pub element_bytes: u64,
}

/// Why a program has no line coordinates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("with a symbolic line size, {reason}")]
pub struct LineError {
    /// The access that does not fit.
    pub access: AccessId,
    /// What about it.
    pub reason: String,
}

impl LineCoordinates {
    /// Translates a program for lines of `line` elements.
    pub fn new(
        isl: &Context,
        program: &Program,
        timestamps: &Timestamps,
        ranks: &Ranks,
        layout: Layout,
        line: ParamId,
    ) -> Result<Self, Error> {
        let blocks = blocks(program, layout)?;
        let split = Split::new(program, timestamps, ranks, &blocks, line)?;
        let builder = Builder { isl, program, timestamps, split: &split, least: BigInt::from(1) };
        let (coordinates, least) = builder.build(ranks, &blocks)?;
        let element_bytes = program.largest_element();
        let (quotients, remainders) = (split.quotients(), split.remainders());
        Ok(Self { coordinates, line: split.line(), least, quotients, remainders, element_bytes })
    }

    /// A formula of the coordinates' parameters and iterators as one of the program's parameters, the quotients ⌊n/b⌋, and
    /// the iterators.
    pub fn stored(&self, poly: &Poly) -> Poly {
        let first = self.coordinates.params.len() - self.remainders;
        let moved = self.coordinates.normal(poly).substitute(&|var| {
            let past = (var.0 as usize).checked_sub(first + self.remainders)?;
            Some(Poly::var(Var((first + past) as u32)))
        });
        // Where n is b·m its name is shorter. This form is for readers: with several such sizes it is not unique.
        let whole = self.coordinates.defined.iter().filter(|(var, _)| self.is_size(*var));
        whole.fold(moved, |poly, (var, product)| match product.terms().next() {
            Some((monomial, _)) => poly.with_name(monomial, *var),
            None => poly,
        })
    }

    fn is_size(&self, var: Var) -> bool {
        self.quotients.iter().any(|size| size.0 == var.0)
    }

    /// What must hold of the parameters: b is large enough, and n is a multiple of b where that was assumed.
    pub fn conditions(&self) -> Vec<Constraint> {
        let least = &Poly::var(self.line) - &Poly::integer(self.least.clone());
        let multiple =
            |(var, value): &(Var, Poly)| self.is_size(*var).then(|| Constraint::zero(&Poly::var(*var) - value));
        let multiples = self.coordinates.defined.iter().filter_map(multiple);
        std::iter::once(Constraint::non_negative(least)).chain(multiples).collect()
    }
}

/// The block coordinates of every access, in elements.
fn blocks(program: &Program, layout: Layout) -> Result<Vec<Vec<Expr>>, Error> {
    let block = |access| Ok(layout.block(program, access, Line::Element)?);
    program.accesses.iter().map(block).collect()
}

/// The timestamps without positions that are the same in all that have one there: they order nothing.
fn distinct_times(timestamps: &Timestamps) -> Vec<Vec<Step>> {
    let times: Vec<&Vec<Step>> = timestamps.statements.iter().map(|s| &s.time).collect();
    let orders = |(level, step): &(usize, &Step)| match step {
        Step::Iteration(_) => true,
        Step::Position(_) => times.iter().filter_map(|time| time.get(*level)).any(|other| other != *step),
    };
    times.iter().map(|time| time.iter().enumerate().filter(orders).map(|(_, step)| *step).collect()).collect()
}

struct Builder<'a> {
    isl: &'a Context,
    program: &'a Program,
    timestamps: &'a Timestamps,
    split: &'a Split,
    /// The least b so far.
    least: BigInt,
}

impl Builder<'_> {
    fn build(mut self, ranks: &Ranks, blocks: &[Vec<Expr>]) -> Result<(Coordinates, BigInt), Error> {
        let (mut accesses, mut schedule) = (UnionMap::empty(self.isl)?, UnionMap::empty(self.isl)?);
        let mut domains: BTreeMap<usize, Set> = BTreeMap::new();
        let mut places = Vec::new();
        let times = distinct_times(self.timestamps);
        let length = times.iter().map(|time| self.split.levels(time)).max().unwrap_or(0);
        for (statement, time) in self.timestamps.statements.iter().zip(&times) {
            let access = statement.access;
            let region = &self.timestamps.regions[statement.region];
            let translation = Translation::new(self.program, self.split, &region.iters, access);
            if let Entry::Vacant(entry) = domains.entry(statement.region) {
                entry.insert(self.exact(translation.set(self.isl, &region.domain)?));
            }
            let domain = domains[&statement.region].set_tuple_name(&statement_name(access))?;
            let time = translation.schedule(self.isl, time, length)?;
            schedule = schedule.union(&UnionMap::from_map(&time.intersect_domain(&domain)?)?)?;
            let blocks = self.exact(translation.accessed(self.isl, self.program, &blocks[access.index()])?);
            accesses = accesses.union(&UnionMap::from_map(&blocks.intersect_domain(&domain)?)?)?;
            let ranks = self.ranks(&ranks.statements[access.index()], &translation)?;
            places.push(Place { frame: translation.frame().clone(), ranks });
        }
        let context = self.context()?;
        let known = context.params()?;
        let coordinates = Coordinates {
            params: self.split.params(self.program),
            context,
            places,
            totals: totals(self.program, ranks)?,
            schedule: Counted { iterators: None, schedule: schedule.intersect_params(&known)? },
            accesses: accesses.intersect_params(&known)?,
            defined: self.split.defined(),
        };
        Ok((coordinates, self.least))
    }

    /// Takes note of how large b must be.
    fn exact<T>(&mut self, exact: Exact<T>) -> T {
        self.least = exact.least.max(std::mem::take(&mut self.least));
        exact.value
    }

    fn ranks(&mut self, pieces: &[RankPiece], translation: &Translation<'_>) -> Result<Vec<RankPiece>, Error> {
        let mut translated = Vec::new();
        for piece in pieces {
            let value = translation.polynomial(&piece.value)?;
            let domain = match &piece.domain {
                None => None,
                Some(domain) => {
                    let domain = self.exact(translation.set(self.isl, domain)?);
                    Some(domain.set_tuple_name(&statement_name(translation.access()))?)
                }
            };
            translated.push(RankPiece { domain, value });
        }
        Ok(translated)
    }

    /// What is known of the parameters: the program's context, and what follows from it for m and s.
    fn context(&self) -> Result<Set, Error> {
        let translation = Translation::new(self.program, self.split, &[], AccessId(0));
        let mut conditions = translation.plain_constraints(&self.program.context);
        conditions.extend(translation.hull(&self.program.context));
        let line = Poly::var(self.split.line());
        conditions.push(Constraint::non_negative(&line - &Poly::integer(self.least.clone())));
        conditions.extend(self.split.remainder_ranges());
        translation.frame().set(self.isl, &translation.conjunction(&conditions))
    }
}

/// A result, and the least b for which it is exact.
#[derive(Debug)]
struct Exact<T> {
    value: T,
    least: BigInt,
}
