//! Translates results in tile coordinates to the program's own sizes (docs/mathematics.md, "Tiles").
//!
//! With n = T·m + s − o the parameters m and s of tile coordinates are functions of n: m = ⌊(n + o − 1)/T⌋, and s is
//! the rest. They replace m and s in all that has been derived. Until then m and s are independent, so that equal
//! formulas are equal.

use symloc_affine::TileCoordinates;
use symloc_model::{Bounds, CountPiece, Distances, LineModel, ReuseClass};
use symloc_quasi::{Constraint, Piece, Poly, Var};

use crate::conditions::polynomial;
use crate::stored::Derived;

/// The conversion of results from the variables of tile coordinates to those of the program.
pub(crate) struct Untiled {
    /// The values of the parameters of tile coordinates.
    values: Vec<Poly>,
    /// The difference by which the numbers of iterators become smaller.
    shift: u32,
}

impl Untiled {
    /// Prepares the conversion for a program with `params` parameters of its own.
    pub(crate) fn new(tiles: &TileCoordinates, params: usize) -> Self {
        let values: Vec<Poly> = tiles.values.iter().map(|value| polynomial(value, u32::MAX)).collect();
        let shift = (values.len() - params) as u32;
        Self { values, shift }
    }

    /// Returns the results in the program's own sizes.
    pub(crate) fn derived(&self, derived: Derived) -> Derived {
        Derived {
            accesses: self.pieces(&derived.accesses),
            operations: derived.operations.map(|count| self.pieces(&count)),
            lines: derived.lines.iter().map(|line| self.line(line)).collect(),
            conditions: self.conditions(&derived.conditions),
            ..derived
        }
    }

    fn line(&self, line: &LineModel) -> LineModel {
        LineModel {
            blocks: self.pieces(&line.blocks),
            array_blocks: line.array_blocks.iter().map(|blocks| self.pieces(blocks)).collect(),
            classes: self.classes(&line.classes),
            distances: line.distances.as_ref().map(|distances| Distances {
                classes: self.classes(&distances.classes),
                estimated: self.classes(&distances.estimated),
            }),
            ..*line
        }
    }

    fn classes(&self, classes: &[ReuseClass]) -> Vec<ReuseClass> {
        let class = |class: &ReuseClass| ReuseClass {
            kind: class.kind,
            iterators: class.iterators.clone(),
            value: self.poly(&class.value),
            counts: class.counts.iter().map(|count| self.count(count)).collect(),
        };
        classes.iter().map(class).collect()
    }

    fn count(&self, piece: &CountPiece) -> CountPiece {
        let bounds = |bounds: &Bounds| Bounds { lower: self.polys(&bounds.lower), upper: self.polys(&bounds.upper) };
        CountPiece {
            bounds: piece.bounds.iter().map(bounds).collect(),
            domain: self.conditions(&piece.domain),
            count: self.poly(&piece.count),
            ..*piece
        }
    }

    fn pieces(&self, pieces: &[Piece]) -> Vec<Piece> {
        let piece = |piece: &Piece| Piece { domain: self.conditions(&piece.domain), value: self.poly(&piece.value) };
        pieces.iter().map(piece).collect()
    }

    fn conditions(&self, conditions: &[Constraint]) -> Vec<Constraint> {
        conditions.iter().map(|c| Constraint { poly: self.poly(&c.poly), ..*c }).collect()
    }

    fn polys(&self, polys: &[Poly]) -> Vec<Poly> {
        polys.iter().map(|poly| self.poly(poly)).collect()
    }

    fn poly(&self, poly: &Poly) -> Poly {
        let value = |var: Var| match self.values.get(var.0 as usize) {
            Some(value) => value.clone(),
            None => Poly::var(Var(var.0 - self.shift)),
        };
        poly.substitute(&|var| Some(value(var)))
    }
}
