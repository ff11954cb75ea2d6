//! Formulas in other variables.

use symloc_quasi::{Constraint, Piece, Poly, Var};

use crate::types::{Bounds, Coherence, CountPiece, Distances, LineModel, ReuseClass};

/// A function from the polynomials of a model to those of another. Pieces that then never hold are left out.
pub struct Rewrite<F>(pub F);

/// Returns the rewriting that puts a value in place of each variable.
pub fn with_values(value: impl Fn(Var) -> Poly) -> Rewrite<impl Fn(&Poly) -> Poly> {
    Rewrite(move |poly: &Poly| poly.substitute(&|var| Some(value(var))))
}

impl<F: Fn(&Poly) -> Poly> Rewrite<F> {
    /// Returns a polynomial.
    pub fn poly(&self, poly: &Poly) -> Poly {
        (self.0)(poly)
    }

    /// Returns polynomials.
    pub fn polys(&self, polys: &[Poly]) -> Vec<Poly> {
        polys.iter().map(|poly| self.poly(poly)).collect()
    }

    /// Returns a constraint.
    pub fn constraint(&self, constraint: &Constraint) -> Constraint {
        Constraint { poly: self.poly(&constraint.poly), ..*constraint }
    }

    /// Returns a conjunction without what always holds; `None` if it never holds.
    pub fn conjunction(&self, conjunction: &[Constraint]) -> Option<Vec<Constraint>> {
        let rewritten = conjunction.iter().map(|constraint| self.constraint(constraint));
        let undecided = rewritten.filter_map(|constraint| match holds(&constraint) {
            Some(true) => None,
            Some(false) => Some(None),
            None => Some(Some(constraint)),
        });
        undecided.collect()
    }

    /// Returns the pieces of a function of the parameters.
    pub fn pieces(&self, pieces: &[Piece]) -> Vec<Piece> {
        let piece =
            |piece: &Piece| Some(Piece { domain: self.conjunction(&piece.domain)?, value: self.poly(&piece.value) });
        pieces.iter().filter_map(piece).collect()
    }

    /// Returns the classes at one line size.
    pub fn line(&self, line: &LineModel) -> LineModel {
        LineModel {
            blocks: self.pieces(&line.blocks),
            array_blocks: line.array_blocks.iter().map(|blocks| self.pieces(blocks)).collect(),
            classes: self.classes(&line.classes),
            distances: line.distances.as_ref().map(|distances| self.distances(distances)),
            coherence: line.coherence.as_ref().map(|coherence| Coherence {
                falsely_shared: coherence.falsely_shared.iter().map(|lines| self.pieces(lines)).collect(),
                classes: self.classes(&coherence.classes),
                distances: coherence.distances.as_ref().map(|distances| self.distances(distances)),
            }),
            ..*line
        }
    }

    fn distances(&self, distances: &Distances) -> Distances {
        Distances { classes: self.classes(&distances.classes), estimated: self.classes(&distances.estimated) }
    }

    fn classes(&self, classes: &[ReuseClass]) -> Vec<ReuseClass> {
        let class = |class: &ReuseClass| ReuseClass {
            kind: class.kind,
            iterators: class.iterators.clone(),
            value: self.poly(&class.value),
            counts: class.counts.iter().filter_map(|count| self.count(count)).collect(),
        };
        classes.iter().map(class).filter(|class| !class.counts.is_empty()).collect()
    }

    fn count(&self, piece: &CountPiece) -> Option<CountPiece> {
        let count = self.poly(&piece.count);
        let never = count.is_zero();
        let bounds = |bounds: &Bounds| bounds.map(|bound| self.poly(bound));
        let bounds = piece.bounds.iter().map(bounds).collect();
        let domain = self.conjunction(&piece.domain)?;
        (!never).then_some(CountPiece { bounds, domain, count, ..*piece })
    }
}

/// Returns whether a constraint holds, if it depends on no variable.
pub(crate) fn holds(constraint: &Constraint) -> Option<bool> {
    let value = constraint.poly.as_constant()?;
    Some(constraint.relation.holds(value.cmp(&Poly::zero().as_constant()?)))
}
