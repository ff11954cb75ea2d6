//! Statements with a line start: one more iterator, outermost, that says where the line starts which the access touches.

use symloc_affine::rows::{LineInRow, LinesInRows};
use symloc_affine::{AccessId, Expr, Program};
use symloc_isl::{Context, DimType, Map, Set, UnionMap};
use symloc_quasi::{Poly, Var};

use crate::Error;
use crate::frame::Frame;
use crate::schedule::rank::{Rank, RankPiece, RankedAccess, Term};
use crate::schedule::timestamps::{conjunction, statement_name, union};

/// A statement with a line start, if its array has lines.
pub(crate) struct StartedStatement<'a> {
    isl: &'a Context,
    program: &'a Program,
    access: AccessId,
    /// `S<k>`
    name: String,
    /// `S<k>[iterators]`
    own: String,
    frame: Frame,
    start: Option<Var>,
    /// `S<k>[start, iterators] -> S<k>[iterators]`
    without: Map,
    /// `S<k>[start, iterators] -> [start]`, or to a constant.
    start_of: Map,
}

impl<'a> StartedStatement<'a> {
    pub(crate) fn new(
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
        Ok(Self { isl, program, access, name, own: target, frame, start, without, start_of })
    }

    /// Returns a set of iterators, with any line start.
    pub(crate) fn with_start(&self, set: &Set) -> Result<Set, Error> {
        Ok(self.without.intersect_range(&set.set_tuple_name(&self.name)?)?.domain()?)
    }

    /// Returns the relation `S<k>[start, iterators] -> Array[block]`.
    pub(crate) fn accessed(&self, block: &[Expr], line: &str, domain: &Set) -> Result<Map, Error> {
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

    /// Returns the relation to lines in rows, `S<k>[start, iterators] -> Array[row, start]`, and `S<k>[start, iterators] ->
    /// S<k>[iterators]` where a line does start.
    pub(crate) fn in_rows(&self, lines: &LinesInRows, domain: &Set) -> Result<(Map, Map), Error> {
        let domain = self.with_start(domain)?;
        let start = self.frame.name(self.frame.iterator(0));
        let (mut touched, mut starts) = (Vec::new(), Vec::new());
        for (conditions, line) in &lines.cases {
            let place = self.program.show(&line.place);
            let near = format!(
                "{} and {start} <= {place} and {place} < {start} + {}",
                conjunction(self.program, conditions),
                lines.elements
            );
            touched.extend(self.rows_of_lines(line, &near)?);
            let phase = line.row.iter().zip(&line.weights);
            let phase: String =
                phase.map(|(row, weight)| format!("{weight}*({}) + ", self.program.show(row))).collect();
            let is_start = format!("{near} and ({phase}{start}) mod {} = 0", lines.elements);
            starts.push(Map::read(self.isl, &self.frame.relation(&self.name, &self.own, &is_start))?);
        }
        let united = |maps: Vec<Map>| {
            let all = maps.into_iter().map(Ok::<_, Error>).reduce(|all, map| Ok(all?.union(&map?)?)).transpose()?;
            Ok::<_, Error>(
                all.ok_or_else(|| Error::Internal("an access without a line".to_owned()))?.intersect_domain(&domain)?,
            )
        };
        Ok((united(touched)?, united(starts)?))
    }

    /// Returns the relation from statements to lines near them: in the row of the element, or in the row before.
    fn rows_of_lines(&self, line: &LineInRow, near: &str) -> Result<Vec<Map>, Error> {
        let start = self.frame.name(self.frame.iterator(0));
        let array = &self.program.array(self.program.access(self.access).array).name;
        let relation = |row: &[Expr], place: &str, condition: &str| {
            let row: String = row.iter().map(|subscript| format!("{}, ", self.program.show(subscript))).collect();
            let target = format!("{array}[{row}{place}]");
            Ok::<_, Error>(Map::read(self.isl, &self.frame.relation(&self.name, &target, condition))?)
        };
        let mut maps = vec![relation(&line.row, start, &format!("{near} and {start} >= 0"))?];
        let place = format!("{start} + {}", self.program.show(&line.pitch));
        for (conditions, row) in &line.before {
            let condition = format!("{near} and {start} < 0 and {}", conjunction(self.program, conditions));
            maps.push(relation(row, &place, &condition)?);
        }
        Ok(maps)
    }

    /// Removes negative line starts if no subscript is negative: a multiple of b above −b is not negative. isl does not
    /// know that starts are multiples.
    pub(crate) fn without_negative(&self, touched: &Map, block: &[Expr], domain: &Set) -> Result<Map, Error> {
        let (Some(start), Some(subscript)) = (self.start, block.last()) else { return Ok(touched.clone()) };
        let set = |condition: String| Ok::<_, Error>(self.frame.set(self.isl, &condition)?.set_tuple_name(&self.name)?);
        match domain.is_disjoint(&set(format!("{} < 0", self.program.show(subscript)))?)? {
            true => Ok(touched.intersect_domain(&set(format!("{} >= 0", self.frame.name(start)))?)?),
            false => Ok(touched.clone()),
        }
    }

    /// Returns the relation `[iterators] -> Array[block]`, without the line start.
    pub(crate) fn without_start(&self, touched: &Map) -> Result<Map, Error> {
        let count = usize::from(self.start.is_some());
        Ok(touched.reset_tuple_name(DimType::In)?.project_out(DimType::In, 0, count)?)
    }

    /// Returns the timestamps with the line start as their last component: among accesses to one line it orders
    /// nothing, but tells of which of them a time is.
    pub(crate) fn times(&self, schedule: &UnionMap) -> Result<UnionMap, Error> {
        let times = UnionMap::from_map(&self.without)?.apply_range(schedule)?.maps()?;
        union(self.isl, times.iter().map(|map| Ok(map.flat_range_product(&self.start_of)?)))
    }

    /// Returns the relation `S<k>[start, counters] -> S<k>[start, iterators]`.
    pub(crate) fn iterators(&self, iterators: &UnionMap) -> Result<UnionMap, Error> {
        let own = UnionMap::from_map(&self.without)?.apply_range(iterators)?;
        if self.start.is_none() {
            return Ok(own);
        }
        let with_start =
            |map: &Map| Ok(self.start_of.flat_range_product(map)?.set_tuple_name(DimType::Out, &self.name)?);
        union(self.isl, own.maps()?.iter().map(with_start))
    }

    /// Adds the line start as an iterator of an access, on which the rank does not depend.
    pub(crate) fn ranked(self, rank: &Rank) -> Result<RankedAccess, Error> {
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
