//! Families: statements whose iterations count as those of one.
//!
//! Statements with equal accesses, but for the names of iterators, and without a common iteration are one set of
//! iterations with one list of projections: both updates of an LU factorisation, left and right of the diagonal.

use symloc_quasi::{Poly, Rational, Var};

use crate::encounter::{AccessPlace, StatementPairs};
use crate::subspace::Subspace;

/// Accesses to one array by which iterations are projected to elements: one of each statement of a family.
#[derive(Clone, Debug)]
pub(crate) struct AccessSlot {
    /// The array, by its position in the outline.
    pub(crate) array: usize,
    /// The directions in which iterations touch the same element, or more.
    pub(crate) kernel: Subspace,
    /// The access of each statement, in their order.
    pub(crate) places: Vec<AccessPlace>,
}

/// Statements that are one set of iterations.
#[derive(Clone, Debug)]
pub(crate) struct Family {
    /// Their positions.
    pub(crate) statements: Vec<usize>,
    /// Their projections: of equal ones to one array, one.
    pub(crate) slots: Vec<AccessSlot>,
}

/// Returns the families of a program's statements.
pub(crate) fn families(pairs: &StatementPairs<'_>) -> Vec<Family> {
    let signatures: Vec<_> = (0..pairs.statements.len()).map(|statement| signature(pairs, statement)).collect();
    let mut families: Vec<Family> = Vec::new();
    for statement in 0..pairs.statements.len() {
        let fits = |other: &usize| signatures[*other] == signatures[statement] && pairs.are_disjoint(*other, statement);
        match families.iter_mut().find(|family| family.statements.iter().all(fits)) {
            None => families.push(Family { statements: vec![statement], slots: Vec::new() }),
            Some(family) => family.statements.push(statement),
        }
    }
    families.iter_mut().for_each(|family| family.slots = slots(pairs, &family.statements));
    families
}

/// Returns the arrays and subscripts of a statement's accesses, with iterators numbered from the outermost loop.
fn signature(pairs: &StatementPairs<'_>, statement: usize) -> (usize, Vec<(usize, Vec<Poly>)>) {
    let text = pairs.text;
    let statement = &pairs.statements[statement];
    let iterators = statement.iterators();
    let position = |iterator| iterators.iter().position(|other| *other == iterator).unwrap_or(iterators.len());
    let name = |iterator| -> Var { text.variable(position(iterator), 2) };
    let access = |access: &usize| {
        let subscripts = text.tree.subscripts[*access].iter().map(|poly| text.renamed(poly, &name));
        (text.outline.accesses[*access].array, subscripts.collect())
    };
    (iterators.len(), statement.accesses.iter().map(access).collect())
}

/// Returns the projections of a family. Of accesses to one array with the same kernel the last one stands for all: in an
/// update that is the write.
fn slots(pairs: &StatementPairs<'_>, statements: &[usize]) -> Vec<AccessSlot> {
    let text = pairs.text;
    let first = &pairs.statements[statements[0]];
    let iterators = first.iterators();
    let mut slots: Vec<AccessSlot> = Vec::new();
    for (position, access) in first.accesses.iter().enumerate() {
        let subscripts = text.tree.subscripts[*access].iter();
        let rows: Vec<Vec<Rational>> = subscripts.filter_map(|poly| text.linear_form(poly, &iterators)).collect();
        let kernel = Subspace::kernel(iterators.len(), rows);
        let place = |statement: &usize| {
            let access = pairs.statements[*statement].accesses[position];
            AccessPlace { statement: *statement, access }
        };
        let array = text.outline.accesses[*access].array;
        let places = statements.iter().map(place).collect();
        slots.retain(|slot| (slot.array, &slot.kernel) != (array, &kernel));
        if !kernel.is_whole() {
            slots.push(AccessSlot { array, kernel, places });
        }
    }
    slots
}
