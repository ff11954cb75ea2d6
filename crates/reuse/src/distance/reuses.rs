//! The previous accesses of reuses in line coordinates, from those in iterators.
//!
//! An access at iterators x has its previous one at f(x). With x = B·u + r + o for each iterator that is split, and
//! likewise for those of the previous access,
//!
//! ```text
//! u' = ⌊(f(B·u + r + o) − o')/B⌋,    r' = f(B·u + r + o) − o' − B·u'
//! ```
//!
//! Both follow by substitution. What is left of the floor is one of places alone, mostly, `⌊(r − 1)/B⌋`, which has only
//! a few values: each of them is a case of its own, and no floor remains.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::ToPrimitive;
use symloc_affine::{AccessId, IterId, LineCoordinates, Program};
use symloc_isl::{Context, MultiAff, Set};
use symloc_model::IntervalKind;
use symloc_quasi::{Atom, Constraint, Floor, Poly, Rational, Var};

use crate::Error;
use crate::conditions::polynomial;
use crate::convert::affine_forms;
use crate::frame::Frame;
use crate::previous::PrevPiece;
use crate::schedule::timestamps::{Timestamps, statement_name};

/// The most values of a floor that become cases.
const CASES: i64 = 4;

/// A program in iterators, and the same in line coordinates.
pub(crate) struct Translation<'a> {
    pub(crate) isl: &'a Context,
    pub(crate) program: &'a Program,
    pub(crate) timestamps: &'a Timestamps,
    pub(crate) lines: &'a LineCoordinates,
    pub(crate) in_lines: &'a Timestamps,
}

/// An access in line coordinates.
struct SinkInLines {
    frame: Frame,
    /// Its iterators, in line coordinates.
    values: Vec<Poly>,
    /// `S[line coordinates] -> S[iterators]`
    iterators: MultiAff,
    /// The line coordinates at which it executes.
    domain: Set,
}

/// The conditions under which floors have certain values, and the function under these.
struct FloorCase {
    conditions: Vec<Constraint>,
    function: Vec<Poly>,
}

impl Translation<'_> {
    /// Returns the previous accesses that are real, in line coordinates.
    pub(crate) fn translated(&self, prev: &[PrevPiece]) -> Result<Vec<PrevPiece>, Error> {
        let real: Vec<_> = prev.iter().filter(|piece| piece.kind == IntervalKind::Real).collect();
        let mut pieces = Vec::new();
        for of_access in real.chunk_by(|a, b| a.sink == b.sink) {
            let place = self.place(of_access[0].sink)?;
            for piece in of_access {
                pieces.extend(self.pieces(piece, &place)?);
            }
        }
        Ok(pieces)
    }

    fn place(&self, access: AccessId) -> Result<SinkInLines, Error> {
        let frame = self.in_lines.frame(&self.lines.program, access);
        let values = self.values(access, &frame);
        let iterators = self.function(&frame, access, access, &values)?;
        let region = &self.in_lines.regions[self.in_lines.statements[access.index()].region];
        let domain = region.domain.set_tuple_name(&statement_name(access))?;
        Ok(SinkInLines { frame, values, iterators, domain })
    }

    /// Returns the pieces of one piece of the previous accesses of the access at a place.
    fn pieces(&self, piece: &PrevPiece, place: &SinkInLines) -> Result<Vec<PrevPiece>, Error> {
        let SinkInLines { frame, values, iterators, domain } = place;
        let domain = piece.domain.preimage_multi_aff(iterators)?.intersect(domain)?;
        let mut pieces = Vec::new();
        for FloorCase { conditions, function } in self.cases(self.source(piece, values)?, frame) {
            let domain = match conditions.is_empty() {
                true => domain.clone(),
                false => {
                    let here = frame.set(self.isl, &frame.conjunction(&conditions))?;
                    domain.intersect(&here.set_tuple_name(&statement_name(piece.sink))?)?
                }
            };
            let iterators = self.function(frame, piece.sink, piece.source, &function)?;
            let domain = domain.detect_equalities()?;
            if !domain.is_empty()? {
                pieces.push(PrevPiece {
                    kind: IntervalKind::Real,
                    sink: piece.sink,
                    source: piece.source,
                    domain,
                    iterators,
                });
            }
        }
        Ok(pieces)
    }

    /// Returns the iterators of an access, in line coordinates.
    fn values(&self, access: AccessId, frame: &Frame) -> Vec<Poly> {
        let iters = self.iters(self.in_lines, access);
        let var = |iter: IterId| {
            let depth = iters.iter().position(|other| *other == iter).unwrap_or_default();
            Poly::var(frame.iterator(depth))
        };
        let value = |iter: &IterId| match self.lines.splits.get(iter) {
            None => var(*iter),
            Some(split) => {
                let line = var(split.line).scale(&Rational::from_integer(split.size.into()));
                &(&line + &var(split.place)) + &polynomial(&split.offset, u32::MAX)
            }
        };
        self.iters(self.timestamps, access).iter().map(value).collect()
    }

    fn iters<'t>(&self, timestamps: &'t Timestamps, access: AccessId) -> &'t [IterId] {
        &timestamps.regions[timestamps.statements[access.index()].region].iters
    }

    /// Returns the line coordinates of the previous access, in those of the access.
    fn source(&self, piece: &PrevPiece, values: &[Poly]) -> Result<Vec<Poly>, Error> {
        let original = self.timestamps.frame(self.program, piece.sink);
        let function = affine_forms(&piece.iterators, &piece.domain, &original)?;
        let mut source = Vec::new();
        for (value, iter) in function.iter().zip(self.iters(self.timestamps, piece.source)) {
            let value = value.substitute(&|var| values.get(original.depth(var)?).cloned());
            match self.lines.splits.get(iter) {
                None => source.push(value),
                Some(split) => {
                    let from_offset = &value - &polynomial(&split.offset, u32::MAX);
                    let line = from_offset.floor_div(&split.size.into());
                    let start = line.scale(&Rational::from_integer(split.size.into()));
                    source.extend([line, &from_offset - &start]);
                }
            }
        }
        Ok(source)
    }

    /// `S<sink>[line coordinates] -> S<source>[function]`
    fn function(&self, frame: &Frame, sink: AccessId, source: AccessId, function: &[Poly]) -> Result<MultiAff, Error> {
        let function: Vec<_> = function.iter().map(|value| frame.text(value)).collect();
        let target = format!("{}[{}]", statement_name(source), function.join(", "));
        let text = frame.function(&statement_name(sink), &target);
        Ok(MultiAff::read(self.isl, &text)?)
    }

    /// Splits a function into cases without floors of places alone.
    fn cases(&self, function: Vec<Poly>, frame: &Frame) -> Vec<FloorCase> {
        let mut open = vec![FloorCase { conditions: Vec::new(), function }];
        let mut cases = Vec::new();
        while let Some(case) = open.pop() {
            let mut floors = case.function.iter().flat_map(Poly::floors);
            let few = floors.find_map(|floor| Some((floor.clone(), self.range(floor, frame)?)));
            drop(floors);
            match few {
                None => cases.push(case),
                Some((floor, (low, high))) => {
                    open.extend((low..=high).map(|value| case.with(&floor, value, (low, high))))
                }
            }
        }
        cases
    }

    /// Returns the least and the greatest value of a floor of places alone, if these are few.
    fn range(&self, floor: &Floor, frame: &Frame) -> Option<(i64, i64)> {
        let numerator = floor.numerator();
        let mut last = numerator.constant_term();
        for (monomial, coefficient) in numerator.terms().filter(|(monomial, _)| !monomial.is_one()) {
            let [(Atom::Var(var), 1)] = monomial.factors() else { return None };
            // Coefficients in floors are not negative, so that the least value is at places that are 0.
            last += coefficient * Rational::from_integer((self.places(*var, frame)? - 1).into());
        }
        let quotient = |value: Rational| value.to_integer().div_floor(floor.divisor()).to_i64();
        let (low, high) = (quotient(numerator.constant_term())?, quotient(last)?);
        (high - low < CASES).then_some((low, high))
    }

    /// Returns the number of places in a line if the variable is a place, else `None`.
    fn places(&self, var: Var, frame: &Frame) -> Option<i64> {
        frame.depth(var)?;
        let name = frame.name(var);
        let iter = self.lines.program.iters.iter().position(|iter| iter.name == name)?;
        self.lines.places.get(&IterId(iter as u32)).copied()
    }
}

impl FloorCase {
    /// Returns the case in which a floor, which is in a range, has one value.
    fn with(&self, floor: &Floor, value: i64, (low, high): (i64, i64)) -> Self {
        let atom = Atom::Floor(floor.clone());
        let function = self.function.iter().map(|f| f.map_atoms(&|a| (*a == atom).then(|| Poly::integer(value))));
        let start = Poly::integer(floor.divisor() * BigInt::from(value));
        let mut conditions = self.conditions.clone();
        if value > low {
            conditions.push(Constraint::non_negative(floor.numerator() - &start));
        }
        if value < high {
            let last = &start + &Poly::integer(floor.divisor() - 1);
            conditions.push(Constraint::non_negative(&last - floor.numerator()));
        }
        Self { conditions, function: function.collect() }
    }
}

#[cfg(test)]
mod tests {
    use symloc_affine::{Layout, Line};
    use symloc_isl::{Map, UnionMap};
    use symloc_sim::random::{self, ProgramShape};

    use super::*;
    use crate::previous::Prev;
    use crate::schedule::counters::Counted;
    use crate::schedule::timestamps::union;
    use crate::steps::limited;

    fn relation(isl: &Context, pieces: &[PrevPiece]) -> Result<UnionMap, Error> {
        pieces.iter().try_fold(UnionMap::empty(isl)?, |union, piece| {
            let map = Map::from_multi_aff(&piece.iterators)?.intersect_domain(&piece.domain)?;
            Ok(union.union(&UnionMap::from_map(&map)?)?)
        })
    }

    /// Returns the previous accesses in line coordinates, by translation and by dataflow.
    fn both_ways(isl: &Context, program: &Program) -> Result<(UnionMap, UnionMap), Error> {
        let line = Line::Bytes(64);
        let lines = LineCoordinates::new(program, Layout::Rows, line)?;
        let (timestamps, in_lines) = (Timestamps::new(isl, program)?, Timestamps::new(isl, &lines.program)?);
        let accesses = timestamps.accesses(isl, program, Layout::Rows, line)?;
        let prev = Prev::new(&accesses, &Counted::new(isl, program, &timestamps)?)?.pieces()?;
        let translation = Translation { isl, program, timestamps: &timestamps, lines: &lines, in_lines: &in_lines };
        let translated = translation.translated(&prev)?;
        let schedule = Counted::new(isl, &lines.program, &in_lines)?;
        let accesses = in_lines.statements.iter().map(|statement| in_lines.line_map(isl, &lines, statement));
        let found = Prev::new(&union(isl, accesses)?, &schedule)?;
        Ok((relation(isl, &translated)?, found.real))
    }

    #[test]
    fn translated_accesses_are_those_of_dataflow_in_line_coordinates() {
        const STEPS: u64 = 1_000_000;
        let isl = Context::new().unwrap();
        let simple = (1..30).map(|seed| random::program(seed, ProgramShape::simple()));
        let programs = simple.chain((1..40).map(|seed| random::program(seed, ProgramShape::default())));
        let mut compared = 0;
        for program in programs {
            let both = limited(&isl, STEPS, || both_ways(&isl, &program)).unwrap();
            if let Some((translated, found)) = both {
                assert!(translated.is_equal(&found).unwrap(), "{program}");
                compared += 1;
            }
        }
        assert!(compared > 50, "{compared} programs");
    }
}
