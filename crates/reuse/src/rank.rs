//! rank(t), the number of accesses before a timestamp, as a polynomial along the loop tree (docs/mathematics.md, "Rank").
//!
//! On the way from the root to an access, rank collects at every level the accesses of the siblings that stand
//! before it and, in a loop, of the iterations before this one. So there are two counts per loop, shared by all
//! accesses below it: *all* of its iterations, in terms of the iterators around it, and the iterations *before*
//! `i`, in terms of those and `i`. Guards, `min`/`max` bounds and steps make them piecewise; nothing else changes.

use symloc_affine::{AccessId, IterId, Node, Program};
use symloc_isl::{Context, Set};
use symloc_quasi::{Poly, Rational};

use crate::Error;
use crate::cover::covered;
use crate::disjoint::DisjointSum;
use crate::frame::{Frame, dims_to_params};
use crate::simplify::{Simplifier, vanishes_outside};
use crate::sums::Summation;
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
    /// N, the number of all accesses, on disjoint sets of parameters; elsewhere it is 0.
    pub total: Vec<(Set, Poly)>,
    /// The number of all floating-point operations, likewise; nothing if the program does not tell it.
    pub operations: Option<Vec<(Set, Poly)>>,
}

impl Ranks {
    /// Counts.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if counting fails or reaches the limit.
    pub fn new(isl: &Context, program: &Program, timestamps: &Timestamps) -> Result<Self, Error> {
        let mut walk = Walk { isl, program, timestamps, next_region: 1, statements: Vec::new() };
        let total = walk.body(&program.body, 0, Earlier::default())?;
        let total = total.on(&timestamps.context.params()?)?;
        let operations = program.operations_known().then(|| walk.operations()).transpose()?;
        Ok(Self { statements: walk.statements, total, operations })
    }
}

/// A number of accesses: the same polynomial everywhere, and more on disjoint sets.
#[derive(Clone, Debug, Default)]
struct Earlier {
    everywhere: Poly,
    elsewhere: DisjointSum,
}

impl Earlier {
    fn plus(&self, other: &Earlier) -> Result<Self, Error> {
        let mut elsewhere = self.elsewhere.clone();
        other.elsewhere.parts().iter().try_for_each(|(domain, value)| elsewhere.add(domain.clone(), value))?;
        Ok(Self { everywhere: &self.everywhere + &other.everywhere, elsewhere })
    }

    /// On disjoint parts of a context, which is a set of values of a frame's variables.
    fn on(&self, context: &Set) -> Result<Vec<(Set, Poly)>, Error> {
        let mut rest = context.clone();
        let mut parts = Vec::new();
        for (domain, value) in self.elsewhere.parts() {
            let part = domain.intersect(context)?;
            if !part.is_empty()? {
                rest = rest.subtract(&part)?;
                parts.push((part, (&self.everywhere + value).periodic_form()));
            }
        }
        if !rest.is_empty()? {
            parts.push((rest, self.everywhere.periodic_form()));
        }
        Ok(parts)
    }
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
    /// Ranks the accesses of a body of which so many accesses came `earlier`, and gives the number of accesses
    /// at its end. Both are polynomials in parameters and the iterators around.
    fn body(&mut self, nodes: &[Node], region: usize, earlier: Earlier) -> Result<Earlier, Error> {
        let mut earlier = earlier;
        for node in nodes {
            match node {
                Node::Operations(_) | Node::Mark(_) => {}
                Node::Access(access) => {
                    self.rank(*access, region, &earlier)?;
                    earlier.everywhere = &earlier.everywhere + &Poly::one();
                }
                Node::Loop(l) => {
                    let inner = self.enter();
                    let range = inner..self.end_of(inner);
                    let before = self.accesses(range.clone(), inner, Some(l.iter))?;
                    self.body(&l.body, inner, earlier.plus(&before)?)?;
                    earlier = earlier.plus(&self.accesses(range, region, None)?)?;
                }
                Node::If(guard) => {
                    let then = self.enter();
                    let then_range = then..self.end_of(then);
                    self.body(&guard.then, then, earlier.clone())?;
                    let otherwise = self.enter();
                    let otherwise_range = otherwise..self.end_of(otherwise);
                    self.body(&guard.otherwise, otherwise, earlier.clone())?;
                    earlier = earlier.plus(&self.accesses(then_range, region, None)?)?;
                    earlier = earlier.plus(&self.accesses(otherwise_range, region, None)?)?;
                }
            }
        }
        Ok(earlier)
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

    /// All floating-point operations: those that stand in a region, as often as it executes.
    fn operations(&self) -> Result<Vec<(Set, Poly)>, Error> {
        let all = 0..self.timestamps.regions.len();
        let all = self.count(all, 0, None, |region| region.operations)?;
        all.on(&self.timestamps.context.params()?)
    }

    /// How many accesses the regions make.
    fn accesses(
        &self,
        regions: std::ops::Range<usize>,
        outer: usize,
        before: Option<IterId>,
    ) -> Result<Earlier, Error> {
        self.count(regions, outer, before, |region| region.accesses)
    }

    /// How often the regions execute, each as often as it weighs, in terms of the iterators around `outer`. With `before`, only in
    /// the iterations in which the innermost of these iterators is less than its value in `outer`.
    fn count(
        &self,
        regions: std::ops::Range<usize>,
        outer: usize,
        before: Option<IterId>,
        weight: impl Fn(&Region) -> u64,
    ) -> Result<Earlier, Error> {
        let outer = self.region(outer);
        let context = self.over_params(&outer.domain, &outer.iters)?.params()?;
        let frame = Frame::new(self.program, &outer.iters);
        let summation = Summation::new(self.isl, frame.names(), &context)?.on_large_domains();
        let mut everywhere = Poly::zero();
        let mut parts = DisjointSum::default();
        for region in self.timestamps.regions[regions].iter().filter(|region| weight(region) > 0) {
            let fixed = &outer.iters[..outer.iters.len() - usize::from(before.is_some())];
            let mut instances = self.over_params(&region.domain, fixed)?;
            if let Some(iter) = before {
                instances = instances.intersect(&self.earlier(iter, region.iters.len() - fixed.len())?)?;
            }
            for (domain, count) in summation.count(&instances, &frame)? {
                let count = count.scale(&Rational::from_integer(weight(region).into()));
                match domain.is_empty() {
                    true => everywhere = &everywhere + &count,
                    false => parts.add(frame.region(self.isl, &domain)?.intersect(&context)?, &count)?,
                }
            }
        }
        self.extended(everywhere, parts, &context, &frame)
    }

    /// The same count in fewer pieces, and as one polynomial everywhere, if it is one: `i` for `i ≥ 1`, and 0 for `i = 0`.
    fn extended(&self, everywhere: Poly, parts: DisjointSum, context: &Set, frame: &Frame) -> Result<Earlier, Error> {
        let parts = parts.pieces()?;
        let whole = match parts.as_slice() {
            [(domain, value)] => vanishes_outside(self.isl, frame, domain, context, value)?,
            _ => false,
        };
        let (everywhere, parts) = match whole {
            true => (parts.iter().fold(everywhere, |sum, (_, value)| &sum + value), Vec::new()),
            false => (everywhere, covered(self.isl, parts, context, frame)?),
        };
        Ok(Earlier { everywhere, elsewhere: DisjointSum::of(parts) })
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
    fn rank(&mut self, access: AccessId, region: usize, earlier: &Earlier) -> Result<(), Error> {
        let region = self.region(region);
        let frame = Frame::new(self.program, &region.iters);
        let domain = self.over_params(&region.domain, &region.iters)?.params()?;
        let mut ranks = Vec::new();
        let mut parts = earlier.on(&domain)?;
        if parts.len() > 1 {
            parts = covered(self.isl, parts, &domain, &frame)?;
        }
        for (part, value) in parts {
            let part = frame.over_iters(self.isl, &part)?.set_tuple_name(&statement_name(access))?;
            ranks.push(RankPiece { domain: Some(part), value });
        }
        if let [one] = &mut ranks[..] {
            one.domain = None;
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
