//! Orders that only permute and tile the loops of single statements: those that tools which know no statements can repeat.

use symloc_affine::{Atom, Expr, IterId, Location};
use symloc_schedule::{Band, OrderTree, Scop};

use crate::candidates::AdvisedOrder;

/// A loop around one statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RectangularLoop {
    /// The place of its iterator among those that the statement had, outermost first.
    pub place: usize,
    /// The iterator's values in each iteration: 1, or the size of a tile.
    pub values: i64,
}

/// The loops around one statement in a new order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RectangularNest {
    /// The place of the statement in the source.
    pub location: Location,
    /// The number of loops that were around it.
    pub depth: usize,
    /// The new loops, outermost first.
    pub loops: Vec<RectangularLoop>,
}

/// Why an order does more than permute and tile the loops of single statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotRectangular {
    /// Statements share loops.
    #[error("several statements share a loop")]
    Fused,
    /// Statements come in another sequence.
    #[error("statements come in another sequence")]
    Moved,
    /// A loop is skewed, shifted or reversed.
    #[error("a loop is skewed, shifted or reversed")]
    Skewed,
    /// Tiles are not whole parts of the tiles around them.
    #[error("the size of a tile does not divide that of the tile around it")]
    Uneven,
}

impl AdvisedOrder {
    /// Returns the loops of each statement, in the sequence of the source.
    ///
    /// # Errors
    ///
    /// [`NotRectangular`] if the order does more than permute and tile the loops of single statements.
    pub fn rectangular_nests(&self, scop: &Scop) -> Result<Vec<RectangularNest>, NotRectangular> {
        let mut nests = Vec::new();
        collect(&self.order, scop, &mut nests)?;
        match nests.is_sorted_by_key(|(statement, _)| *statement) {
            true => Ok(nests.into_iter().map(|(_, nest)| nest).collect()),
            false => Err(NotRectangular::Moved),
        }
    }
}

/// Collects the statements of a tree with their loops.
fn collect(tree: &OrderTree, scop: &Scop, nests: &mut Vec<(usize, RectangularNest)>) -> Result<(), NotRectangular> {
    match tree {
        OrderTree::Sequence(parts) => parts.iter().try_for_each(|(_, part)| collect(part, scop, nests)),
        _ => {
            let statements = tree.statements(scop);
            let only = statements.iter().next().filter(|_| statements.len() == 1);
            let statement = *only.ok_or(NotRectangular::Fused)?;
            nests.push((statement, nest(tree, scop, statement)?));
            Ok(())
        }
    }
}

/// Returns the loops around a statement that has the tree for itself.
fn nest(tree: &OrderTree, scop: &Scop, statement: usize) -> Result<RectangularNest, NotRectangular> {
    let known = &scop.statements[statement];
    let mut loops: Vec<RectangularLoop> = Vec::new();
    let mut rest = tree;
    while let OrderTree::Band(Band { members, child, .. }) = rest {
        for value in members.iter().filter_map(|member| member.values.get(&statement)) {
            if value.as_constant().is_none() {
                loops.push(rectangular(value, &known.iters).ok_or(NotRectangular::Skewed)?);
            }
        }
        rest = child;
    }
    for (index, inner) in loops.iter().enumerate() {
        let around = loops[..index].iter().rev().find(|outer| outer.place == inner.place);
        if around.is_some_and(|outer| outer.values <= inner.values || outer.values % inner.values != 0) {
            return Err(NotRectangular::Uneven);
        }
    }
    let runs_over = |place: usize| loops.iter().any(|l| l.place == place && l.values == 1);
    if !(0..known.iters.len()).all(runs_over) {
        return Err(NotRectangular::Skewed);
    }
    let location = scop.program.access(known.accesses[0]).location.clone();
    Ok(RectangularNest { location, depth: known.iters.len(), loops })
}

/// Returns the loop that has an iterator's values or their tiles; `None` for any other expression.
fn rectangular(value: &Expr, iters: &[IterId]) -> Option<RectangularLoop> {
    let mut terms = value.terms();
    let (atom, coefficient) = terms.next()?;
    if coefficient != 1 || value.constant_term() != 0 || terms.next().is_some() {
        return None;
    }
    match atom {
        Atom::Iter(iter) => Some(RectangularLoop { place: iters.iter().position(|other| other == iter)?, values: 1 }),
        Atom::Floor(inner, size) => {
            let inner = rectangular(inner, iters).filter(|inner| inner.values == 1)?;
            Some(RectangularLoop { values: *size, ..inner })
        }
        Atom::Param(_) => None,
    }
}
