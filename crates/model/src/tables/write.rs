//! Conversion of a [`LineModel`] to tables.

use std::collections::HashMap;
use std::hash::Hash;

use symloc_quasi::{Atom, Constraint, Floor, Monomial, Number, Poly, Rational, Relation};

use super::{
    Domain, StoredClass, StoredCoherence, StoredCount, StoredDistances, StoredLine, StoredRange, StoredTerms,
    StoredWriteBacks,
};
use crate::types::{Bounds, CountPiece, Distances, LineModel, ReuseClass};

/// Returns the form of a line size in the file.
pub(crate) fn line(line: &LineModel) -> StoredLine {
    let mut tables = WrittenTables::default();
    let classes = tables.classes(&line.classes);
    let distances = line.distances.as_ref().map(|distances| tables.distances(distances));
    let coherence = line.coherence.as_ref().map(|coherence| StoredCoherence {
        falsely_shared: coherence.falsely_shared.clone(),
        classes: tables.classes(&coherence.classes),
        distances: coherence.distances.as_ref().map(|distances| tables.distances(distances)),
    });
    let write_backs = line.write_backs.as_ref().map(|write_backs| StoredWriteBacks {
        classes: write_backs.classes.as_ref().map(|classes| tables.classes(classes)),
        distances: write_backs.distances.as_ref().map(|distances| tables.distances(distances)),
    });
    StoredLine {
        line_bytes: line.line_bytes,
        element: line.element,
        symbolic: line.symbolic,
        blocks: line.blocks.clone(),
        array_blocks: line.array_blocks.clone(),
        floors: tables.floors.entries,
        monomials: tables.monomials.entries,
        polynomials: tables.polynomials.entries,
        domains: tables.domains.entries,
        classes,
        distances,
        coherence,
        write_backs,
    }
}

/// The tables of everything met so far, each entry once.
#[derive(Default)]
struct WrittenTables<'m> {
    floors: EntryTable<&'m Floor, (Poly, Number)>,
    monomials: EntryTable<&'m Monomial, Vec<i64>>,
    polynomials: EntryTable<&'m Poly, StoredTerms>,
    domains: EntryTable<(&'m [Constraint], &'m [Bounds]), Domain>,
}

/// The entries of a table in the order in which they were met.
struct EntryTable<K, E> {
    numbers: HashMap<K, usize>,
    entries: Vec<E>,
}

impl<K, E> Default for EntryTable<K, E> {
    fn default() -> Self {
        Self { numbers: HashMap::new(), entries: Vec::new() }
    }
}

impl<K: Eq + Hash, E> EntryTable<K, E> {
    fn number(&self, key: &K) -> Option<usize> {
        self.numbers.get(key).copied()
    }

    fn add(&mut self, key: K, entry: E) -> usize {
        self.numbers.insert(key, self.entries.len());
        self.entries.push(entry);
        self.entries.len() - 1
    }
}

impl<'m> WrittenTables<'m> {
    fn distances(&mut self, distances: &'m Distances) -> StoredDistances {
        StoredDistances { classes: self.classes(&distances.classes), estimated: self.classes(&distances.estimated) }
    }

    fn classes(&mut self, classes: &'m [ReuseClass]) -> Vec<StoredClass> {
        classes.iter().map(|class| self.class(class)).collect()
    }

    fn class(&mut self, class: &'m ReuseClass) -> StoredClass {
        StoredClass {
            kind: class.kind,
            iterators: class.iterators.clone(),
            value: self.polynomial(&class.value),
            counts: class.counts.iter().map(|piece| self.count(piece)).collect(),
        }
    }

    fn count(&mut self, piece: &'m CountPiece) -> StoredCount {
        StoredCount(piece.access, piece.previous, self.domain(piece), self.polynomial(&piece.count))
    }

    fn domain(&mut self, piece: &'m CountPiece) -> usize {
        let key = (piece.domain.as_slice(), piece.bounds.as_slice());
        self.domains.number(&key).unwrap_or_else(|| {
            let conditions = piece.domain.iter().map(|condition| self.condition(condition)).collect();
            let ranges = piece.bounds.iter().map(|bounds| self.range(bounds)).collect();
            self.domains.add(key, Domain(conditions, ranges))
        })
    }

    fn condition(&mut self, condition: &'m Constraint) -> i64 {
        let polynomial = signed(self.polynomial(&condition.poly));
        match condition.relation {
            Relation::NonNegative => polynomial,
            Relation::Zero => !polynomial,
        }
    }

    fn range(&mut self, bounds: &'m Bounds) -> StoredRange {
        let mut all = |polynomials: &'m [Poly]| polynomials.iter().map(|bound| self.polynomial(bound)).collect();
        StoredRange(all(&bounds.lower), all(&bounds.upper))
    }

    fn polynomial(&mut self, poly: &'m Poly) -> usize {
        self.polynomials.number(&poly).unwrap_or_else(|| {
            let terms = poly.terms().map(|(monomial, coefficient)| {
                let monomial = self.monomial(monomial);
                (Number(coefficient.clone()), monomial)
            });
            let terms = StoredTerms(terms.collect());
            self.polynomials.add(poly, terms)
        })
    }

    fn monomial(&mut self, monomial: &'m Monomial) -> usize {
        self.monomials.number(&monomial).unwrap_or_else(|| {
            let mut factors = Vec::new();
            for (atom, exponent) in monomial.factors() {
                let factor = self.factor(atom);
                factors.extend((0..*exponent).map(|_| factor));
            }
            self.monomials.add(monomial, factors)
        })
    }

    fn factor(&mut self, atom: &'m Atom) -> i64 {
        match atom {
            Atom::Var(var) => i64::from(var.0),
            Atom::Floor(floor) => !signed(self.floor(floor)),
        }
    }

    fn floor(&mut self, floor: &'m Floor) -> usize {
        self.floors.number(&floor).unwrap_or_else(|| {
            let divisor = Number(Rational::from_integer(floor.divisor().clone()));
            self.floors.add(floor, (floor.numerator().clone(), divisor))
        })
    }
}

/// Returns the number of something in memory, which is far below 2⁶³.
fn signed(number: usize) -> i64 {
    number as i64
}
