//! A symbolic line size: lines of b elements, where b is a parameter.
//!
//! ⌊x/b⌋ is not affine in x and b. So an access to the last subscript x gets one more coordinate, the *start* y of its line:
//!
//! ```text
//! y ≤ x ≤ y + b − 1,   y a multiple of b
//! ```
//!
//! and its block is `A[…, y]`. The inequalities are affine. Which accesses touch the block y depends on y alone, whatever other
//! lines there are; so previous accesses can be looked for at *every* y, as if lines started anywhere, and what it says of the multiples
//! of b is true (`start`). Intervals are polynomials in the iterators, the parameters and y.
//!
//! Only when classes are counted does it matter that y is a multiple. The iterators that neither an interval nor y is about
//! are counted first, with b, y and the free iterators as parameters (`part`). What is left are sets of y and the free
//! iterators, mostly of y alone. There y = b·u, and every size n that y is compared with becomes n = b·m + s with 0 ≤ s < b, every
//! free iterator x = b·v + r with 0 ≤ r < b (`split`). A sum of them with constant coefficients is
//!
//! ```text
//! E = b·U + R,   U and R affine in u, v, m and r, s,   and   ⌊E/b⌋ = U + t   where   b·t ≤ R < b·(t + 1)
//! ```
//!
//! and the *carry* t = ⌊R/b⌋ has a few constant values only, as long as b exceeds the constants in E. So comparisons become
//! unions over carries of sets in which b is multiplied by constants only (`carry`, `translation`). Over these the counts
//! are summed.
//!
//! Reuse distances go the same way (`distance`): sets of line starts are affine too, and are counted last (`terms`).

mod carry;
mod distance;

mod part;
mod split;
mod start;
mod stored;
mod terms;
mod translation;

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::One;
use symloc_affine::{ArrayId, ParamId, Program};
use symloc_isl::{Context, Set};
use symloc_model::{IntervalKind, ReuseClass};
use symloc_quasi::{Constraint, Poly};

use crate::conditions::constraint;
use crate::convert::constraints;
use crate::counting::Summation;
use crate::formulas::simplify::{Simplifier, vanishes_outside};
use crate::frame::Frame;
use crate::intervals::IntervalPiece;
use crate::intervals::classes::{Groups, MemberCounter, Union};
use crate::previous::Reuse;
use crate::{Error, LineError};
use part::{Part, PartKind};
use split::SplitSizes;
use symloc_polyhedra::Addend;
use terms::WindowTerm;
use translation::Translation;

pub use distance::{FoundDistances, with_distances};
pub use part::Parts;
pub use start::LineStarts;

/// All intervals, blocks and distances of a program, in parts that have only line starts and free iterators left.
#[derive(Debug)]
pub struct Lines<'a> {
    isl: &'a Context,
    program: &'a Program,
    sizes: SplitSizes,
    /// The context (constraints on the parameters), as a set without dimensions.
    pub context: Set,
    /// The least b for which the parts are exact.
    least: BigInt,
    parts: Vec<Translated>,
    /// The windows whose distances cannot be counted in lines.
    unfit: BTreeSet<usize>,
}

/// A part in line coordinates.
#[derive(Debug)]
struct Translated {
    counted: PartKind,
    reuse: Reuse,
    frame: Frame,
    domain: Set,
    value: Poly,
    /// The terms added to the value: points, and the factor by which each of them counts.
    terms: Vec<(Set, Poly)>,
    weight: Poly,
}

impl Translated {
    fn new(isl: &Context, sizes: &SplitSizes, part: &Part, least: &mut BigInt) -> Result<Self, Error> {
        let translation = Translation::new(sizes, part);
        let domain = translation.domain(isl, part, least)?;
        let term = |term: &WindowTerm| {
            Ok((translation.points(isl, part, term, least)?, translation.polynomial(&term.factor)?))
        };
        let terms = part.subject.terms.iter().map(term).collect::<Result<_, Error>>()?;
        Ok(Self {
            counted: part.subject.counted,
            reuse: part.subject.reuse,
            domain,
            value: translation.polynomial(&part.subject.value)?,
            terms,
            weight: translation.polynomial(&part.weight)?,
            frame: translation.into_frame(),
        })
    }
}

impl<'a> Lines<'a> {
    /// Takes all parts to line coordinates.
    ///
    /// # Errors
    ///
    /// [`Error::Line`] if a part does not fit into lines, [`Error::Isl`] if isl fails or reaches the limit.
    pub fn new(parts: &Parts<'a>) -> Result<Self, Error> {
        let (isl, program) = (parts.isl, parts.program);
        let sizes = SplitSizes::new(program, parts.starts.line, &parts.parts);
        let (context, least) = (Set::read(isl, "{ : }")?, BigInt::one());
        let mut lines = Self { isl, program, sizes, context, least, parts: Vec::new(), unfit: BTreeSet::new() };
        lines.add(&parts.parts)?;
        Ok(lines)
    }

    /// Takes more parts to line coordinates. Sizes stay as they are.
    fn add(&mut self, parts: &[Part]) -> Result<(), Error> {
        for part in parts {
            if !self.sizes.cover(part) {
                let reason = "the reuse distances of this access take too many steps".to_owned();
                return Err(LineError { access: part.subject.reuse.sink, reason }.into());
            }
            let mut least = self.least.clone();
            match (Translated::new(self.isl, &self.sizes, part, &mut least), part.subject.counted) {
                (Err(Error::Line(_)), PartKind::Distances(window)) => _ = self.unfit.insert(window),
                (translated, _) => {
                    self.parts.push(translated?);
                    self.least = least;
                }
            }
        }
        self.context = context(self.isl, self.program, &self.sizes, &self.least)?;
        Ok(())
    }

    /// Returns the names of all parameters: the program's, then every m, then every s.
    pub fn params(&self) -> Vec<String> {
        self.sizes.params()
    }

    /// Returns the parameters n of which m = ⌊n/b⌋ is a variable, in the order of these variables. They come after the program's own
    /// parameters.
    pub fn quotients(&self) -> Vec<ParamId> {
        self.sizes.quotients()
    }

    /// Returns the reuse classes, counted.
    ///
    /// # Errors
    ///
    /// [`Error::Unbounded`] if a free iterator has no range, [`Error::Isl`] if counting fails or reaches the limit.
    pub fn classes(&self) -> Result<Vec<ReuseClass>, Error> {
        let mut groups = Groups::default();
        for part in &self.parts {
            if let PartKind::Accesses(kind) = part.counted {
                self.file(part, kind, &mut groups)?;
            }
        }
        self.count(groups)
    }

    /// Files accesses under their formula.
    fn file(&self, part: &Translated, kind: IntervalKind, groups: &mut Groups) -> Result<(), Error> {
        for basic in part.domain.intersect_params(&self.context.params()?)?.make_disjoint()?.basic_sets()? {
            let domain = basic.to_set()?;
            if !domain.is_empty()? {
                let value = self.normal(&Simplifier::new(self.isl, &part.frame, &domain)?.simplify(&part.value)?);
                let piece = IntervalPiece { kind, reuse: part.reuse, domain, value, in_steps: Vec::new() };
                groups.add_weighted(piece, &part.frame, part.weight.clone());
            }
        }
        Ok(())
    }

    fn count(&self, groups: Groups) -> Result<Vec<ReuseClass>, Error> {
        let mut union = Union::default();
        union.add(groups.count(&MemberCounter::new(self.isl, self.params(), &self.context)?)?);
        Ok(union.classes())
    }

    /// Returns the number of blocks, array by array, on sets of parameters that may overlap: counts add up.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if counting fails or reaches the limit.
    pub(crate) fn blocks(&self) -> Result<Vec<(ArrayId, Addend)>, Error> {
        let parameters = Frame::of_params(self.params());
        let context = self.context.params()?;
        let summation = Summation::new(self.isl, &self.params(), &self.context)?;
        let mut blocks = Vec::new();
        for Translated { counted, frame, domain, weight, .. } in &self.parts {
            let PartKind::Blocks(array) = *counted else { continue };
            for basic in domain.make_disjoint()?.compute_divs()?.basic_sets()? {
                for (domain, count) in summation.over(constraints(&basic, frame)?, frame, weight)? {
                    let region = parameters.region(self.isl, &domain)?.intersect(&context)?;
                    let everywhere = vanishes_outside(self.isl, &parameters, &region, &context, &count)?;
                    blocks.push((array, (if everywhere { Vec::new() } else { domain }, count)));
                }
            }
        }
        Ok(blocks)
    }

    /// Returns a formula with n for b·m + s: equal functions of independent parameters are equal.
    fn normal(&self, poly: &Poly) -> Poly {
        poly.with_values(&self.sizes.defined())
    }
}

/// Returns the context: the program's constraints on its parameters, and those that they imply for m and s.
fn context(isl: &Context, program: &Program, sizes: &SplitSizes, least: &BigInt) -> Result<Set, Error> {
    let mut conditions: Vec<Constraint> = program.context.iter().map(constraint).collect();
    conditions.extend(conditions.iter().flat_map(|condition| sizes.implied(condition)).collect::<Vec<_>>());
    let line = Poly::var(sizes.line());
    conditions.push(Constraint::non_negative(&line - &Poly::integer(least.clone())));
    conditions.extend(sizes.remainder_ranges());
    let frame = Frame::of_params(sizes.params());
    frame.set(isl, &frame.conjunction(&conditions))
}
