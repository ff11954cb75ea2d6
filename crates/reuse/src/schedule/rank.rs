//! rank(t), the number of accesses before a timestamp, as a polynomial along the loop tree (docs/mathematics.md,
//! "Rank").
//!
//! On the way from the root to an access, rank collects at every level the accesses of the siblings that stand
//! before it and, in a loop, of the iterations before this one. So there are two counts per loop, shared by all
//! accesses below it: *all* of its iterations, in terms of the iterators around it, and the iterations *before*
//! `i`, in terms of those and `i`. Guards, `min`/`max` bounds and steps make them piecewise; nothing else changes.

use std::collections::BTreeMap;
use std::ops::Range;

use symloc_affine::{AccessId, IterId, Node, Program};
use symloc_isl::{Context, Set};
use symloc_polyhedra::Addend;
use symloc_quasi::{Poly, Rational};

use crate::Error;
use crate::counting::Summation;
use crate::counting::bits::Bits;
use crate::counting::disjoint::DisjointSum;
use crate::formulas::cover::covered;
use crate::formulas::simplify::{Simplifier, vanishes_outside};
use crate::frame::{Frame, dims_to_params};
use crate::schedule::alike::nests;
use crate::schedule::earlier::{Earlier, RankedNode, RegionTerm};
use crate::schedule::timestamps::{Timestamps, TreeRegion, statement_name};

/// The variables of an access, and its rank in them.
#[derive(Debug)]
pub struct RankedAccess {
    /// The parameters, then the iterators around it.
    pub frame: Frame,
    /// Its rank.
    pub rank: Rank,
}

/// The rank of a statement: a sum of functions, most of which are one polynomial everywhere.
#[derive(Clone, Debug, Default)]
pub struct Rank {
    /// The part that is one polynomial on the whole domain.
    pub everywhere: Poly,
    /// The terms that depend on cases.
    pub terms: Vec<Term>,
}

/// The number of accesses of certain siblings, or of earlier iterations. The cases of several terms are not multiplied
/// by each other: between two accesses in one iteration of an outer loop, terms that only tell this iteration cancel.
#[derive(Clone, Debug)]
pub struct Term {
    /// The number of the count. Terms of one number are the same function, whichever statement they belong to.
    pub number: usize,
    /// Of how many iterators it is a function, outermost first.
    pub depth: usize,
    /// Its values on disjoint parts, which cover the statement's domain.
    pub pieces: Vec<RankPiece>,
}

/// A quasi-polynomial on a part of a statement's domain, in the variables of its [`Frame`].
#[derive(Debug, Clone)]
pub struct RankPiece {
    /// `[params] -> { S<k>[iters] : … }`
    pub domain: Set,
    /// The value there.
    pub value: Poly,
}

/// The ranks of all statements, and N.
#[derive(Debug)]
pub struct Ranks {
    /// The rank of each statement.
    pub statements: Vec<Rank>,
    /// N, the number of all accesses, on disjoint sets of parameters; elsewhere it is 0.
    pub total: Vec<(Set, Poly)>,
    /// The number of all floating-point operations, likewise; `None` if the program does not state it.
    pub operations: Option<Vec<(Set, Poly)>>,
}

impl Ranks {
    /// Counts the accesses before each statement.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if counting fails or reaches the limit.
    pub fn new(isl: &Context, program: &Program, timestamps: &Timestamps) -> Result<Self, Error> {
        let mut walk = RankWalk {
            isl,
            program,
            timestamps,
            bits: Bits::of(program),
            shapes: nests(program).into_iter().map(|nest| nest.shape).collect(),
            ranked: BTreeMap::new(),
            like: (0..timestamps.regions.len()).collect(),
            executions: BTreeMap::new(),
            next_region: 1,
            next_term: 0,
            statements: Vec::new(),
        };
        let context = timestamps.context.params()?;
        let total = walk.body(&program.body, 0, Earlier::default())?.total(&context)?;
        let operations = program.operations_known().then(|| walk.operations()?.total(&context)).transpose()?;
        Ok(Self { statements: walk.statements, total, operations })
    }
}

impl Rank {
    /// Returns the whole rank, case by case, on the domain of its statement.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if isl fails or reaches the limit.
    pub fn pieces(&self, domain: &Set) -> Result<Vec<RankPiece>, Error> {
        let mut pieces = vec![RankPiece { domain: domain.clone(), value: self.everywhere.clone() }];
        for term in &self.terms {
            pieces = sums(&pieces, &term.pieces)?;
        }
        Ok(pieces)
    }
}

/// Returns the sum of two piecewise polynomials on a part of a statement's domain, wherever pieces of both meet.
pub(crate) fn sums(pieces: &[RankPiece], others: &[RankPiece]) -> Result<Vec<RankPiece>, Error> {
    let mut sums = Vec::new();
    for other in others {
        for piece in pieces {
            let domain = piece.domain.intersect(&other.domain)?;
            if !domain.is_empty()? {
                sums.push(RankPiece { domain, value: &piece.value + &other.value });
            }
        }
    }
    Ok(sums)
}

/// Walks the tree in the same order in which [`Timestamps`] numbered the regions.
struct RankWalk<'p> {
    isl: &'p Context,
    program: &'p Program,
    timestamps: &'p Timestamps,
    bits: Bits,
    /// By node of the program's body, its shape.
    shapes: Vec<usize>,
    /// By shape, the ranks in the first node that has it; only those that are polynomials everywhere.
    ranked: BTreeMap<usize, RankedNode>,
    /// By region, the one in the first node of equal shape.
    like: Vec<usize>,
    /// By region, how often the program executes it.
    executions: BTreeMap<usize, Vec<Addend>>,
    next_region: usize,
    next_term: usize,
    statements: Vec<Rank>,
}

impl<'p> RankWalk<'p> {
    /// Ranks the accesses of a body of which so many accesses came `earlier`, and gives the number of accesses
    /// at its end. Both are functions of parameters and the iterators around.
    fn body(&mut self, nodes: &[Node], region: usize, earlier: Earlier) -> Result<Earlier, Error> {
        let mut earlier = self.within(earlier, region)?;
        for (position, node) in nodes.iter().enumerate() {
            earlier = match self.shapes.get(position).copied() {
                Some(shape) if region == 0 => self.shaped(node, shape, earlier)?,
                _ => self.node(node, region, earlier)?,
            };
        }
        Ok(earlier)
    }

    /// Ranks the accesses of a node of the program's body; those of another node of its shape have ranks that differ by a
    /// constant, the number of accesses between the two.
    fn shaped(&mut self, node: &Node, shape: usize, earlier: Earlier) -> Result<Earlier, Error> {
        let (region, statement) = (self.next_region, self.statements.len());
        if let Some(RankedNode { regions, ranks, all }) = self.ranked.get(&shape)
            && earlier.terms.is_empty()
        {
            let everywhere =
                |rank| Rank { everywhere: (&earlier.everywhere + rank).periodic_form(), terms: Vec::new() };
            self.statements.extend(ranks.iter().map(everywhere));
            for (index, like) in regions.clone().enumerate() {
                self.like[region + index] = like;
            }
            self.next_region += regions.len();
            return Ok(Earlier { everywhere: &earlier.everywhere + all, terms: Vec::new() });
        }
        let before = earlier.everywhere.clone();
        let after = self.node(node, 0, earlier)?;
        let ranks = &self.statements[statement..];
        if after.terms.is_empty() && ranks.iter().all(|rank| rank.terms.is_empty()) {
            let ranks = ranks.iter().map(|rank| &rank.everywhere - &before).collect();
            let ranked = RankedNode { regions: region..self.next_region, ranks, all: &after.everywhere - &before };
            self.ranked.insert(shape, ranked);
        }
        Ok(after)
    }

    fn node(&mut self, node: &Node, region: usize, earlier: Earlier) -> Result<Earlier, Error> {
        Ok(match node {
            Node::Operations(_) | Node::Mark(_) => earlier,
            Node::Access(access) => {
                self.rank(*access, region, &earlier)?;
                Earlier { everywhere: &earlier.everywhere + &Poly::one(), ..earlier }
            }
            Node::Loop(l) => {
                let inner = self.enter();
                let range = inner..self.end_of(inner);
                let before = self.accesses(range.clone(), inner, Some(l.iter))?;
                self.body(&l.body, inner, earlier.plus(before))?;
                earlier.plus(self.accesses(range, region, None)?)
            }
            Node::If(guard) => {
                let then = self.enter();
                let then_range = then..self.end_of(then);
                self.body(&guard.then, then, earlier.clone())?;
                let otherwise = self.enter();
                let otherwise_range = otherwise..self.end_of(otherwise);
                self.body(&guard.otherwise, otherwise, earlier.clone())?;
                let earlier = earlier.plus(self.accesses(then_range, region, None)?);
                earlier.plus(self.accesses(otherwise_range, region, None)?)
            }
        })
    }

    /// Restricts counts to the domain of a region inside, where there may be fewer cases.
    fn within(&self, earlier: Earlier, region: usize) -> Result<Earlier, Error> {
        let (frame, domain) = self.place(region)?;
        let mut inside = Earlier { everywhere: earlier.everywhere, terms: Vec::new() };
        for RegionTerm { number, depth, parts } in earlier.terms {
            let mut there = Vec::new();
            for (part, value) in parts {
                let part = part.intersect(&domain)?;
                if !part.is_empty()? {
                    there.push((part, value));
                }
            }
            if there.len() > 1 {
                there = self.covering(there, &domain, &frame)?;
            }
            match self.common(&frame, &there)? {
                Some(value) => inside.everywhere = &inside.everywhere + &value,
                None => inside.terms.push(RegionTerm { number, depth, parts: there }),
            }
        }
        Ok(inside)
    }

    /// Returns the variables at a region, and their values there.
    fn place(&self, region: usize) -> Result<(Frame, Set), Error> {
        let region = self.region(region);
        let domain = self.over_params(&region.domain, &region.iters)?.params()?;
        Ok((Frame::new(self.program, &region.iters), domain))
    }

    fn enter(&mut self) -> usize {
        self.next_region += 1;
        self.next_region - 1
    }

    /// Returns one past the last region inside `region`: regions are numbered in preorder.
    fn end_of(&self, region: usize) -> usize {
        let regions = &self.timestamps.regions;
        let inside = |r: &TreeRegion| r.parent.is_some_and(|p| p >= region);
        region + 1 + regions[region + 1..].iter().take_while(|r| inside(r)).count()
    }

    fn region(&self, index: usize) -> &'p TreeRegion {
        &self.timestamps.regions[index]
    }

    /// Counts the floating-point operations: those directly in each region, times its executions.
    fn operations(&mut self) -> Result<Earlier, Error> {
        let all = 0..self.timestamps.regions.len();
        self.count(all, 0, None, |region| region.operations)
    }

    /// Counts the accesses of the regions.
    fn accesses(&mut self, regions: Range<usize>, outer: usize, before: Option<IterId>) -> Result<Earlier, Error> {
        self.count(regions, outer, before, |region| region.accesses)
    }

    /// Counts the executions of the regions, times their weights, in terms of the iterators around `outer`. With
    /// `before`, only the iterations count in which the innermost of these iterators is less than its value in `outer`.
    fn count(
        &mut self,
        regions: Range<usize>,
        outer: usize,
        before: Option<IterId>,
        weight: impl Fn(&TreeRegion) -> u64,
    ) -> Result<Earlier, Error> {
        let (frame, context) = self.place(outer)?;
        let whole = outer == 0;
        let outer = self.region(outer);
        let summation = Summation::new(self.isl, frame.names(), &context)?.on_large_domains();
        let mut everywhere = Poly::zero();
        let mut parts = DisjointSum::default();
        for index in regions {
            let region = self.region(index);
            if weight(region) == 0 {
                continue;
            }
            let fixed = &outer.iters[..outer.iters.len() - usize::from(before.is_some())];
            // In the whole program, equal regions are executed equally often.
            let executions = match self.executions.get(&self.like[index]).filter(|_| whole) {
                Some(executions) => executions.clone(),
                None => summation.count(&self.instances(region, fixed, before)?, &frame)?,
            };
            if whole {
                self.executions.insert(self.like[index], executions.clone());
            }
            for part in executions {
                let (domain, count) = self.bits.factored(part);
                let count = count.scale(&Rational::from_integer(weight(region).into()));
                match domain.is_empty() {
                    true => everywhere = &everywhere + &count,
                    false => parts.add(frame.region(self.isl, &domain)?.intersect(&context)?, &count)?,
                }
            }
        }
        let depth = outer.iters.len();
        let parts = self.extended(parts, &context, &frame)?;
        Ok(match self.common(&frame, &parts)? {
            Some(value) => Earlier { everywhere: &everywhere + &value, terms: Vec::new() },
            None => {
                self.next_term += 1;
                Earlier { everywhere, terms: vec![RegionTerm { number: self.next_term, depth, parts }] }
            }
        })
    }

    /// Returns the iterations of a region in terms of the outermost iterators, `fixed`; with `before`, those in which the
    /// next one is less than the parameter of this name.
    fn instances(&self, region: &TreeRegion, fixed: &[IterId], before: Option<IterId>) -> Result<Set, Error> {
        let instances = self.over_params(&region.domain, fixed)?;
        match before {
            Some(iter) => Ok(instances.intersect(&self.earlier(iter, region.iters.len() - fixed.len())?)?),
            None => Ok(instances),
        }
    }

    /// Returns a count in fewer pieces, which cover the context: one, if it is a polynomial, as `i` for `i ≥ 1`, and 0
    /// for `i = 0`.
    fn extended(&self, parts: DisjointSum, context: &Set, frame: &Frame) -> Result<Vec<(Set, Poly)>, Error> {
        let parts = parts.pieces()?;
        if let [(domain, value)] = &parts[..]
            && vanishes_outside(self.isl, frame, domain, context, value)?
        {
            return Ok(vec![(context.clone(), value.clone())]);
        }
        self.covering(parts, context, frame)
    }

    /// Returns the parts in fewer pieces, which cover the context.
    fn covering(&self, parts: Vec<(Set, Poly)>, context: &Set, frame: &Frame) -> Result<Vec<(Set, Poly)>, Error> {
        let mut parts = covered(self.isl, parts, context, frame)?;
        let rest = parts.iter().try_fold(context.clone(), |rest, (domain, _)| rest.subtract(domain))?;
        if !rest.is_empty()? {
            parts.push((rest, Poly::zero()));
        }
        Ok(parts)
    }

    /// Returns a set whose outermost iterators have become parameters of the same names.
    fn over_params(&self, set: &Set, iters: &[IterId]) -> Result<Set, Error> {
        let names: Vec<_> = iters.iter().map(|i| self.program.iters[i.index()].name.as_str()).collect();
        dims_to_params(set, 0, &names)
    }

    /// Returns the set `[i] -> { [x, …] : x < i }`.
    fn earlier(&self, iter: IterId, dims: usize) -> Result<Set, Error> {
        let name = &self.program.iters[iter.index()].name;
        let dims: Vec<_> = (0..dims).map(|d| format!("_{d}")).collect();
        Ok(Set::read(self.isl, &format!("[{name}] -> {{ [{}] : _0 < {name} }}", dims.join(", ")))?)
    }

    /// Ranks one access.
    fn rank(&mut self, access: AccessId, region: usize, earlier: &Earlier) -> Result<(), Error> {
        let frame = Frame::new(self.program, &self.region(region).iters);
        let name = statement_name(access);
        let piece = |(part, value): &(Set, Poly)| {
            let domain = frame.over_iters(self.isl, part)?.set_tuple_name(&name)?;
            Ok::<_, Error>(RankPiece { domain, value: value.clone() })
        };
        let term = |count: &RegionTerm| {
            let pieces = count.parts.iter().map(piece).collect::<Result<_, _>>()?;
            Ok::<_, Error>(Term { number: count.number, depth: count.depth, pieces })
        };
        let terms = earlier.terms.iter().map(term).collect::<Result<_, _>>()?;
        self.statements.push(Rank { everywhere: earlier.everywhere.periodic_form(), terms });
        Ok(())
    }

    /// Returns the longest polynomial if it is the count on all parts: `i²` is also 0 for i = 0 and 1 for i = 1.
    fn common(&self, frame: &Frame, parts: &[(Set, Poly)]) -> Result<Option<Poly>, Error> {
        let Some(longest) = parts.iter().map(|(_, value)| value).max_by_key(|value| value.terms().len()) else {
            return Ok(Some(Poly::zero()));
        };
        for (domain, value) in parts.iter().filter(|(_, value)| value != longest) {
            let domain = frame.over_iters(self.isl, domain)?;
            if !Simplifier::new(self.isl, frame, &domain)?.vanishes(&(longest - value))? {
                return Ok(None);
            }
        }
        Ok(Some(longest.clone()))
    }
}
