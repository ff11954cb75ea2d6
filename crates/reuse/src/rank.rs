//! rank(t), the number of accesses before a timestamp, as a polynomial along the loop tree (docs/mathematics.md, "Rank").
//!
//! On the way from the root to an access, rank collects at every level the accesses of the siblings that stand
//! before it and, in a loop, of the iterations before this one. So there are two counts per loop, shared by all
//! accesses below it: *all* of its iterations, in terms of the iterators around it, and the iterations *before*
//! `i`, in terms of those and `i`. Guards, `min`/`max` bounds and steps make them piecewise; nothing else changes.

use symloc_affine::{AccessId, IterId, Node, Program};
use symloc_isl::{Context, PwQPolynomial, Set};
use symloc_quasi::{Poly, Rational};

use crate::Error;
use crate::convert::pieces;
use crate::cover::covered;
use crate::frame::{Frame, dims_to_params};
use crate::simplify::{Simplifier, vanishes_outside};
use crate::timestamps::{Region, Timestamps, statement_name};

/// A quasi-polynomial on part of a statement's domain.
#[derive(Debug, Clone)]
pub struct RankPiece {
    /// Which part: `[params] -> { S<k>[iters] : … }`; nothing if it is the whole domain.
    pub domain: Option<Set>,
    /// The rank there, in the variables of the statement's [`Frame`].
    pub value: Poly,
}

/// The ranks of all statements, and N.
#[derive(Debug)]
pub struct Ranks {
    /// The rank of each statement, piece by piece.
    pub statements: Vec<Vec<RankPiece>>,
    /// N, the number of all accesses, over the parameters.
    pub total: PwQPolynomial,
    /// The number of all floating-point operations, likewise; nothing if the program does not tell it.
    pub operations: Option<PwQPolynomial>,
}

impl Ranks {
    /// Counts.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if counting fails or reaches the limit.
    pub fn new(isl: &Context, program: &Program, timestamps: &Timestamps) -> Result<Self, Error> {
        let zero = PwQPolynomial::read(isl, "{ 0 }")?;
        let mut walk = Walk { isl, program, timestamps, next_region: 1, statements: Vec::new() };
        let total = walk.body(&program.body, 0, &zero)?;
        let statements = walk.statements;
        let context = timestamps.context.params()?;
        let total = total.gist_params(&context)?.coalesce()?;
        let operations = operations(&zero, timestamps)?.gist_params(&context)?.coalesce()?;
        Ok(Self { statements, total, operations: program.operations_known().then_some(operations) })
    }
}

/// Counted like N: those that stand in a region, as often as it executes.
fn operations(zero: &PwQPolynomial, timestamps: &Timestamps) -> Result<PwQPolynomial, Error> {
    timestamps.regions.iter().filter(|region| region.operations > 0).try_fold(zero.clone(), |sum, region| {
        let count = region.domain.card()?.scale(&Rational::from_integer(region.operations.into()))?;
        Ok(sum.add(&count)?)
    })
}

/// Walks the tree in the same order in which [`Timestamps`] numbered the regions.
struct Walk<'p> {
    isl: &'p Context,
    program: &'p Program,
    timestamps: &'p Timestamps,
    next_region: usize,
    statements: Vec<Vec<RankPiece>>,
}

impl Walk<'_> {
    /// Ranks the accesses of a body of which `before` accesses came earlier, and gives the number of accesses
    /// at its end. Both are polynomials in parameters and the iterators around, the latter as parameters too.
    fn body(&mut self, nodes: &[Node], region: usize, before: &PwQPolynomial) -> Result<PwQPolynomial, Error> {
        let mut before = before.clone();
        for node in nodes {
            match node {
                Node::Operations(_) | Node::Mark(_) => {}
                Node::Access(access) => {
                    self.rank(*access, region, &before)?;
                    before = before.add(&PwQPolynomial::read(self.isl, "{ 1 }")?)?;
                }
                Node::Loop(l) => {
                    let inner = self.enter();
                    let range = inner..self.end_of(inner);
                    let earlier = self.count(range.clone(), inner, Some(l.iter))?;
                    self.body(&l.body, inner, &before.add(&earlier)?)?;
                    before = before.add(&self.count(range, region, None)?)?;
                }
                Node::If(guard) => {
                    let then = self.enter();
                    let then_range = then..self.end_of(then);
                    self.body(&guard.then, then, &before)?;
                    let otherwise = self.enter();
                    let otherwise_range = otherwise..self.end_of(otherwise);
                    self.body(&guard.otherwise, otherwise, &before)?;
                    before = before.add(&self.count(then_range, region, None)?)?;
                    before = before.add(&self.count(otherwise_range, region, None)?)?;
                }
            }
        }
        Ok(before)
    }

    fn enter(&mut self) -> usize {
        self.next_region += 1;
        self.next_region - 1
    }

    /// One past the last region inside `region`: regions are numbered in preorder.
    fn end_of(&self, region: usize) -> usize {
        let regions = &self.timestamps.regions;
        let inside = |r: &Region| r.parent.is_some_and(|p| p >= region);
        region + 1 + regions[region + 1..].iter().take_while(|r| inside(r)).count()
    }

    fn region(&self, index: usize) -> &Region {
        &self.timestamps.regions[index]
    }

    /// How many accesses the regions make, in terms of the iterators around `outer`. With `before`, only in the
    /// iterations in which the innermost of these iterators is less than its value in `outer`.
    fn count(
        &self,
        regions: std::ops::Range<usize>,
        outer: usize,
        before: Option<IterId>,
    ) -> Result<PwQPolynomial, Error> {
        let outer = self.region(outer);
        let context = self.over_params(&outer.domain, &outer.iters)?.params()?;
        let mut sum = PwQPolynomial::read(self.isl, "{ 0 }")?;
        for region in self.timestamps.regions[regions].iter().filter(|r| r.accesses > 0) {
            let fixed = &outer.iters[..outer.iters.len() - usize::from(before.is_some())];
            let mut instances = self.over_params(&region.domain, fixed)?;
            if let Some(iter) = before {
                instances = instances.intersect(&self.earlier(iter, region.iters.len() - fixed.len())?)?;
            }
            let count = instances.card()?.scale(&Rational::from_integer(region.accesses.into()))?;
            sum = sum.add(&count)?;
        }
        let frame = Frame::new(self.program, &outer.iters);
        self.extended(&sum.gist_params(&context)?.coalesce()?, &context, &frame)
    }

    /// The same count in fewer pieces, and as one polynomial everywhere, if it is one: `i` for `i ≥ 1`, and 0 for `i = 0`.
    fn extended(&self, count: &PwQPolynomial, context: &Set, frame: &Frame) -> Result<PwQPolynomial, Error> {
        let parts = count.pieces()?;
        let [(domain, value)] = parts.as_slice() else {
            return covered(self.isl, count, context, frame);
        };
        let everywhere = PwQPolynomial::from_qpolynomial(value)?;
        for (_, value) in pieces(&everywhere, frame)? {
            if !vanishes_outside(self.isl, frame, domain, context, &value)? {
                return Ok(count.clone());
            }
        }
        Ok(everywhere)
    }

    /// A set whose outermost iterators have become parameters of the same names.
    fn over_params(&self, set: &Set, iters: &[IterId]) -> Result<Set, Error> {
        let names: Vec<_> = iters.iter().map(|i| self.program.iters[i.index()].name.as_str()).collect();
        dims_to_params(set, 0, &names)
    }

    /// `[i] -> { [x, …] : x < i }`
    fn earlier(&self, iter: IterId, dims: usize) -> Result<Set, Error> {
        let name = &self.program.iters[iter.index()].name;
        let dims: Vec<_> = (0..dims).map(|d| format!("_{d}")).collect();
        Ok(Set::read(self.isl, &format!("[{name}] -> {{ [{}] : _0 < {name} }}", dims.join(", ")))?)
    }

    /// Ranks one access: the polynomial on its domain, in pieces where there are several.
    fn rank(&mut self, access: AccessId, region: usize, before: &PwQPolynomial) -> Result<(), Error> {
        let region = self.region(region);
        let frame = Frame::new(self.program, &region.iters);
        let domain = self.over_params(&region.domain, &region.iters)?.params()?;
        let simple = before.gist_params(&domain)?.coalesce()?;
        let mut ranks = Vec::new();
        // Outside its pieces a piecewise polynomial is zero.
        let mut rest = region.domain.set_tuple_name(&statement_name(access))?;
        for (part, value) in pieces(&simple, &frame)? {
            let whole = part.plain_is_universe()?;
            let part =
                frame.over_iters(self.isl, &part.intersect(&domain)?)?.set_tuple_name(&statement_name(access))?;
            rest = rest.subtract(&part)?;
            ranks.push(RankPiece { domain: (!whole).then_some(part), value });
        }
        if !rest.is_empty()? {
            ranks.push(RankPiece { domain: Some(rest), value: Poly::zero() });
        }
        let whole = self.common(&frame, &ranks)?.map(|value| vec![RankPiece { domain: None, value }]);
        self.statements.push(whole.unwrap_or(ranks));
        Ok(())
    }

    /// One polynomial that is the rank on all pieces, if the longest is: `i²` is also 0 for i = 0 and 1 for i = 1.
    fn common(&self, frame: &Frame, pieces: &[RankPiece]) -> Result<Option<Poly>, Error> {
        let Some(longest) = pieces.iter().map(|piece| &piece.value).max_by_key(|value| value.terms().len()) else {
            return Ok(None);
        };
        for piece in pieces.iter().filter(|piece| piece.value != *longest) {
            let Some(domain) = &piece.domain else { return Ok(None) };
            let domain = domain.reset_tuple_name()?;
            if domain.is_empty()? {
                continue;
            }
            if !Simplifier::new(self.isl, frame, &domain)?.simplify(&(longest - &piece.value))?.is_zero() {
                return Ok(None);
            }
        }
        Ok(Some(longest.clone()))
    }
}
