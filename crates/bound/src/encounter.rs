//! Whether two accesses touch the same elements, and which of them comes first where they do.

use symloc_model::AccessKind;
use symloc_polyhedra::Facts;
use symloc_quasi::{Constraint, Poly, Var};

use crate::statement::{LoopStatement, PathStep, ProgramText};

/// An access of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AccessPlace {
    /// The position of the statement.
    pub(crate) statement: usize,
    /// The access, by its position in the outline.
    pub(crate) access: usize,
}

/// The elements that two accesses to one array have in common, at all sizes, and their order on these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encounter {
    /// They touch no element in common.
    Apart,
    /// On every element, and in every legal order, all executions of the first one come before all of the second.
    Before,
    /// The other way round.
    After,
    /// Neither is known.
    Mixed,
}

impl Encounter {
    /// Returns what holds of the two accesses in the other order.
    pub(crate) fn reversed(self) -> Self {
        match self {
            Self::Before => Self::After,
            Self::After => Self::Before,
            other => other,
        }
    }

    /// Returns what holds of two unions of accesses, of whose parts these hold.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Apart, encounter) | (encounter, Self::Apart) => encounter,
            (a, b) if a == b => a,
            _ => Self::Mixed,
        }
    }
}

/// The statements of a program, in pairs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatementPairs<'m> {
    pub(crate) text: ProgramText<'m>,
    pub(crate) statements: &'m [LoopStatement],
}

impl StatementPairs<'_> {
    /// Returns what two accesses to one array have to do with each other.
    ///
    /// An order of the program says something about legal orders only if the two executions depend on each other: if one
    /// of the operations writes the element. If both do, they may be updates of a sum whose order is free.
    pub(crate) fn encounter(&self, first: AccessPlace, second: AccessPlace) -> Encounter {
        let [a, b] = [first, second].map(|place| &self.statements[place.statement]);
        let meeting = self.facts(a, b).with(&self.same_element(first, second));
        let never = |orders: Vec<Vec<Constraint>>| orders.iter().all(|order| meeting.with(order).contradict());
        if meeting.contradict() {
            return Encounter::Apart;
        }
        if self.is_written(first) == self.is_written(second) {
            return Encounter::Mixed;
        }
        if never(self.not_before(a, b, [0, 1])) {
            return Encounter::Before;
        }
        match never(self.not_before(b, a, [1, 0])) {
            true => Encounter::After,
            false => Encounter::Mixed,
        }
    }

    /// Returns true if no iteration is one of both statements, which have equally many iterators around them.
    pub(crate) fn are_disjoint(&self, a: usize, b: usize) -> bool {
        let [a, b] = [a, b].map(|statement| &self.statements[statement]);
        let pairs = a.iterators().into_iter().zip(b.iterators());
        let equal = pairs.map(|(i, j)| Constraint::zero(&self.iterator(i, 0) - &self.iterator(j, 1)));
        self.facts(a, b).with(&equal.collect::<Vec<_>>()).contradict()
    }

    /// Returns facts about an iteration of each of two statements, whose iterators are copies 0 and 1.
    fn facts(&self, a: &LoopStatement, b: &LoopStatement) -> Facts {
        let second = b.domain.iter().map(|constraint| constraint.map(|poly| self.copied(poly, 1)));
        let second: Vec<_> = second.collect();
        Facts::new(self.text.context).with(&a.domain).with(&second)
    }

    fn same_element(&self, first: AccessPlace, second: AccessPlace) -> Vec<Constraint> {
        let [a, b] = [first, second].map(|place| &self.text.tree.subscripts[place.access]);
        a.iter().zip(b).map(|(a, b)| Constraint::zero(a - &self.copied(b, 1))).collect()
    }

    /// Returns true if an operation writes the element that an access of it touches.
    fn is_written(&self, place: AccessPlace) -> bool {
        let (outline, subscripts) = (self.text.outline, &self.text.tree.subscripts);
        let writes = |access: &usize| {
            let (write, own) = (&outline.accesses[*access], &outline.accesses[place.access]);
            write.kind == AccessKind::Write
                && write.array == own.array
                && subscripts[*access] == subscripts[place.access]
        };
        self.statements[place.statement].accesses.iter().any(writes)
    }

    /// Returns the cases in which an iteration of `a` does not come before one of `b`, whose iterators are these copies.
    fn not_before(&self, a: &LoopStatement, b: &LoopStatement, [of_a, of_b]: [usize; 2]) -> Vec<Vec<Constraint>> {
        let mut cases = Vec::new();
        let mut equal: Vec<Constraint> = Vec::new();
        for steps in a.path.iter().zip(&b.path) {
            match steps {
                (PathStep::Iterator(i), PathStep::Iterator(_)) => {
                    let later = &self.iterator(*i, of_a) - &self.iterator(*i, of_b);
                    cases.push([&equal[..], &[Constraint::non_negative(&later - &Poly::one())]].concat());
                    equal.push(Constraint::zero(later));
                }
                (PathStep::Position(i), PathStep::Position(j)) if i == j => {}
                (PathStep::Position(i), PathStep::Position(j)) if i < j => return cases,
                _ => break,
            }
        }
        cases.push(equal);
        cases
    }

    fn iterator(&self, iterator: usize, copy: usize) -> Poly {
        Poly::var(self.variable(iterator, copy))
    }

    fn variable(&self, iterator: usize, copy: usize) -> Var {
        self.text.variable(iterator, copy)
    }

    fn copied(&self, poly: &Poly, copy: usize) -> Poly {
        self.text.renamed(poly, &|iterator| self.variable(iterator, copy))
    }
}
