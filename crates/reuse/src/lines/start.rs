//! The program with line starts: every access to an array with dimensions has one more iterator, outermost, the start
//! of the line that it touches.

use symloc_affine::{AccessId, ArrayId, Expr, Layout, ParamId, Program};
use symloc_isl::{Context, DimType, Map, Set, UnionMap};
use symloc_quasi::{Poly, Var};

use super::names::FreshNames;
use crate::frame::Frame;
use crate::schedule::coordinates::{Coordinates, RankedAccess};
use crate::schedule::counters::{Counted, earlier};
use crate::schedule::rank::{Rank, RankPiece, Ranks, Term};
use crate::schedule::timestamps::{Timestamps, statement_name, union};
use crate::{Error, LineError};

/// A program in line starts.
#[derive(Debug)]
pub struct LineStarts {
    /// The coordinates of previous accesses and intervals: the program's own parameters and iterators, with line starts.
    pub coordinates: Coordinates,
    /// b.
    pub line: ParamId,
    /// For each access the blocks that it touches, whatever their line starts: `[iterators] -> Array[block]`.
    pub(super) touched: Vec<Map>,
    /// For each access, the elements of its array in a line, in units of b, which counts the largest elements; `None`
    /// if the array has no dimensions.
    pub(super) ratios: Vec<Option<u64>>,
    /// The bytes of an element, of the largest if arrays differ: b of these are in a line.
    pub element_bytes: u64,
}

impl LineStarts {
    /// Adds line starts for lines of `line` elements.
    ///
    /// # Errors
    ///
    /// [`Error::Layout`] if an array has no blocks, [`Error::Line`] if sizes of elements do not divide each other,
    /// [`Error::Isl`] if isl fails or reaches the limit.
    pub fn new(
        isl: &Context,
        program: &Program,
        timestamps: &Timestamps,
        ranks: &Ranks,
        layout: Layout,
        line: ParamId,
    ) -> Result<Self, Error> {
        let name = FreshNames::new(program).fresh("start", "");
        let own = Counted::new(isl, program, timestamps)?;
        let empty = UnionMap::empty(isl)?;
        let (mut accesses, mut schedule) = (empty.clone(), empty);
        let mut iterators = own.iterators.as_ref().map(|_| UnionMap::empty(isl)).transpose()?;
        let (mut ranked, mut ratios, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for statement in &timestamps.statements {
            let block = layout.coordinates(program, program.access(statement.access))?;
            let ratio = match block.is_empty() {
                true => None,
                false => Some(ratio(program, statement.access)?),
            };
            let own_frame = timestamps.frame(program, statement.access);
            let added = Added::new(isl, program, &own_frame, statement.access, ratio.map(|_| name.as_str()))?;
            let domain = added.with_start(&timestamps.regions[statement.region].domain)?;
            let elements = format!("{}{}", ratio.unwrap_or(1), program.params[line.index()].name);
            let touched = added.accessed(&block, &elements, &domain)?;
            let needed = added.without_negative(&touched, &block, &domain)?;
            accesses = accesses.union(&UnionMap::from_map(&needed)?)?;
            schedule = schedule.union(&added.times(&own.schedule)?)?;
            iterators = match (iterators, &own.iterators) {
                (Some(all), Some(own)) => Some(all.union(&added.iterators(own)?)?),
                (all, _) => all,
            };
            all.push(added.without_start(&touched)?);
            ranked.push(added.ranked(&ranks.statements[statement.access.index()])?);
            ratios.push(ratio);
        }
        let earlier = earlier(isl, &schedule)?;
        let coordinates = Coordinates {
            params: program.params.iter().map(|p| p.name.clone()).collect(),
            context: timestamps.context.clone(),
            ranked,
            totals: ranks.total.clone(),
            schedule: Counted { iterators, schedule, times: own.times, earlier },
            accesses,
            defined: Vec::new(),
        };
        Ok(Self { coordinates, line, touched: all, ratios, element_bytes: program.largest_element() })
    }
}

impl LineStarts {
    /// Returns the number of elements of an array in a line, in units of b; `None` if it has no dimensions, or no
    /// accesses.
    pub(super) fn ratio_of(&self, program: &Program, array: ArrayId) -> Option<u64> {
        self.ratios[program.accesses.iter().position(|access| access.array == array)?]
    }
}

/// Returns the number of elements of the accessed array in a line, in units of b.
fn ratio(program: &Program, access: AccessId) -> Result<u64, Error> {
    let bytes = program.array(program.access(access).array).element_bytes;
    let largest = program.largest_element();
    match largest.checked_rem(bytes) {
        Some(0) => Ok(largest / bytes),
        _ => {
            let reason =
                format!("the sizes of elements must divide the largest, and {bytes} bytes do not divide {largest}");
            Err(LineError { access, reason }.into())
        }
    }
}

/// A statement with a line start, if its array has lines.
struct Added<'a> {
    isl: &'a Context,
    program: &'a Program,
    access: AccessId,
    /// `S<k>`
    name: String,
    frame: Frame,
    start: Option<Var>,
    /// `S<k>[start, iterators] -> S<k>[iterators]`
    without: Map,
    /// `S<k>[start, iterators] -> [start]`, or to a constant.
    start_of: Map,
}

impl<'a> Added<'a> {
    fn new(
        isl: &'a Context,
        program: &'a Program,
        own: &Frame,
        access: AccessId,
        start: Option<&str>,
    ) -> Result<Self, Error> {
        let (params, iterators) = own.names().split_at(program.params.len());
        let names = params.iter().cloned().chain(start.map(str::to_owned)).chain(iterators.iter().cloned()).collect();
        let frame = Frame::over(names, params.len());
        let name = statement_name(access);
        let target = format!("{name}[{}]", iterators.join(", "));
        let without = Map::read(isl, &frame.relation(&name, &target, "true"))?;
        let start_of = Map::read(isl, &frame.relation(&name, &format!("[{}]", start.unwrap_or("0")), "true"))?;
        let start = start.map(|_| frame.iterator(0));
        Ok(Self { isl, program, access, name, frame, start, without, start_of })
    }

    /// Returns a set of iterators, with any line start.
    fn with_start(&self, set: &Set) -> Result<Set, Error> {
        Ok(self.without.intersect_range(&set.set_tuple_name(&self.name)?)?.domain()?)
    }

    /// Returns the relation `S<k>[start, iterators] -> Array[block]`.
    fn accessed(&self, block: &[Expr], line: &str, domain: &Set) -> Result<Map, Error> {
        let mut coordinates: Vec<String> = block.iter().map(|subscript| self.program.show(subscript)).collect();
        let mut condition = "true".to_owned();
        if let (Some(start), Some(last)) = (self.start, coordinates.last_mut()) {
            let start = self.frame.name(start);
            let subscript = std::mem::replace(last, start.to_owned());
            condition = format!("{start} <= {subscript} and {subscript} < {start} + {line}");
        }
        let array = &self.program.array(self.program.access(self.access).array).name;
        let target = format!("{array}[{}]", coordinates.join(", "));
        Ok(Map::read(self.isl, &self.frame.relation(&self.name, &target, &condition))?.intersect_domain(domain)?)
    }

    /// Removes negative line starts if no subscript is negative: a multiple of b above −b is not negative. isl does not
    /// know that starts are multiples.
    fn without_negative(&self, touched: &Map, block: &[Expr], domain: &Set) -> Result<Map, Error> {
        let (Some(start), Some(subscript)) = (self.start, block.last()) else { return Ok(touched.clone()) };
        let set = |condition: String| Ok::<_, Error>(self.frame.set(self.isl, &condition)?.set_tuple_name(&self.name)?);
        match domain.is_disjoint(&set(format!("{} < 0", self.program.show(subscript)))?)? {
            true => Ok(touched.intersect_domain(&set(format!("{} >= 0", self.frame.name(start)))?)?),
            false => Ok(touched.clone()),
        }
    }

    /// Returns the relation `[iterators] -> Array[block]`, without the line start.
    fn without_start(&self, touched: &Map) -> Result<Map, Error> {
        let count = usize::from(self.start.is_some());
        Ok(touched.reset_tuple_name(DimType::In)?.project_out(DimType::In, 0, count)?)
    }

    /// Returns the timestamps with the line start as their last component: among accesses to one line it orders
    /// nothing, but tells of which of them a time is.
    fn times(&self, schedule: &UnionMap) -> Result<UnionMap, Error> {
        let times = UnionMap::from_map(&self.without)?.apply_range(schedule)?.maps()?;
        union(self.isl, times.iter().map(|map| Ok(map.flat_range_product(&self.start_of)?)))
    }

    /// Returns the relation `S<k>[start, counters] -> S<k>[start, iterators]`.
    fn iterators(&self, iterators: &UnionMap) -> Result<UnionMap, Error> {
        let own = UnionMap::from_map(&self.without)?.apply_range(iterators)?;
        if self.start.is_none() {
            return Ok(own);
        }
        let with_start =
            |map: &Map| Ok(self.start_of.flat_range_product(map)?.set_tuple_name(DimType::Out, &self.name)?);
        union(self.isl, own.maps()?.iter().map(with_start))
    }

    /// Adds the line start as an iterator of an access, on which the rank does not depend.
    fn ranked(self, rank: &Rank) -> Result<RankedAccess, Error> {
        let first = self.frame.iterator(0);
        let moved = |var: Var| (self.start.is_some() && var >= first).then(|| Poly::var(Var(var.0 + 1)));
        let piece = |piece: &RankPiece| {
            let domain = self.with_start(&piece.domain)?;
            Ok::<_, Error>(RankPiece { domain, value: piece.value.substitute(&moved) })
        };
        let term = |term: &Term| {
            let pieces = term.pieces.iter().map(piece).collect::<Result<_, _>>()?;
            Ok::<_, Error>(Term { depth: term.depth + usize::from(self.start.is_some()), pieces, ..*term })
        };
        let terms = rank.terms.iter().map(term).collect::<Result<_, _>>()?;
        let rank = Rank { everywhere: rank.everywhere.substitute(&moved), terms };
        Ok(RankedAccess { frame: self.frame, rank })
    }
}
