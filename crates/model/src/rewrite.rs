//! Formulas in other variables.

use std::cmp::Ordering;

use symloc_quasi::{Constraint, Piece, Poly, Rational, Relation, Var};

use crate::types::{Bounds, Coherence, CountPiece, Distances, LineModel, ReuseClass, WriteBacks};

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
            write_backs: line.write_backs.as_ref().map(|write_backs| WriteBacks {
                classes: write_backs.classes.as_ref().map(|classes| self.classes(classes)),
                distances: write_backs.distances.as_ref().map(|distances| self.distances(distances)),
            }),
            ..*line
        }
    }

    fn distances(&self, distances: &Distances) -> Distances {
        Distances { classes: self.classes(&distances.classes), estimated: self.classes(&distances.estimated) }
    }

    fn classes(&self, classes: &[ReuseClass]) -> Vec<ReuseClass> {
        let class = |class: &ReuseClass| {
            let counts: Vec<_> = class.counts.iter().filter_map(|count| self.count(count)).collect();
            let value = (!counts.is_empty()).then(|| self.poly(&class.value))?;
            Some(ReuseClass { kind: class.kind, iterators: class.iterators.clone(), value, counts })
        };
        classes.iter().filter_map(class).collect()
    }

    fn count(&self, piece: &CountPiece) -> Option<CountPiece> {
        let domain = self.conjunction(&piece.domain)?;
        let count = self.poly(&piece.count);
        let bounds = |bounds: &Bounds| bounds.map(|bound| self.poly(bound));
        (!count.is_zero()).then(|| CountPiece {
            bounds: piece.bounds.iter().map(bounds).collect(),
            domain,
            count,
            ..*piece
        })
    }
}

/// Returns a conjunction without what another of its constraints implies by a larger constant.
pub fn without_weaker(conjunction: &[Constraint]) -> Vec<Constraint> {
    let weaker = |c: &Constraint, than: &Constraint, later: bool| {
        let slack = (&c.poly - &than.poly).as_constant().map(|slack| slack.cmp(&Rational::from_integer(0.into())));
        let implied = match slack {
            Some(Ordering::Greater) => c.relation == Relation::NonNegative,
            Some(Ordering::Equal) => later,
            Some(Ordering::Less) | None => false,
        };
        implied && c.relation == than.relation
    };
    let numbered = || conjunction.iter().enumerate();
    let needed =
        |(at, c): &(usize, &Constraint)| !numbered().any(|(other, than)| other != *at && weaker(c, than, other > *at));
    numbered().filter(needed).map(|(_, constraint)| constraint.clone()).collect()
}

/// Returns whether a constraint holds, if it depends on no variable.
pub(crate) fn holds(constraint: &Constraint) -> Option<bool> {
    let value = constraint.poly.as_constant()?;
    Some(constraint.relation.holds(value.cmp(&Poly::zero().as_constant()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weaker_constraints_are_left_out() {
        let at_least = |least: i64| Constraint::non_negative(&Poly::var(Var(0)) - &Poly::integer(least));
        let equals = |value: i64| Constraint::zero(&Poly::var(Var(0)) - &Poly::integer(value));
        let of = |constraints: &[Constraint]| without_weaker(constraints);
        assert_eq!(of(&[at_least(1), at_least(2), at_least(2), at_least(0)]), [at_least(2)]);
        assert_eq!(
            of(&[equals(1), equals(2), at_least(0)]),
            [equals(1), equals(2), at_least(0)],
            "a contradiction stays"
        );
    }
}
