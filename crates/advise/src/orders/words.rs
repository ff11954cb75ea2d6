//! Orders as text, and as the loops around each statement.

use std::collections::BTreeSet;

use symloc_affine::{Atom, Expr, IterId};
use symloc_schedule::{Band, BandMember, OrderTree, Scop};

use crate::nest::Nests;

/// Statements that stand in the same loops of an order, next to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementLoops {
    /// The lines of the statements.
    pub lines: Vec<u32>,
    /// The loops around them, outermost first: variables, and `i:32` for the loop over tiles of 32 iterations of `i`.
    pub loops: Vec<String>,
    /// The number of outermost loops that they share with the statements before them.
    pub shared: usize,
}

/// A nest, to name the loops of its orders.
#[derive(Clone, Copy)]
pub(super) struct LoopNames<'n> {
    pub(super) nests: &'n Nests,
    pub(super) scop: &'n Scop,
}

impl LoopNames<'_> {
    /// Returns an order as text: loops with commas between them, outermost first, and in braces what shares them, as in
    /// `i { j; k, j }`.
    pub(super) fn text(&self, order: &OrderTree) -> String {
        self.text_of(order, &order.statements(self.scop))
    }

    fn text_of(&self, order: &OrderTree, statements: &BTreeSet<usize>) -> String {
        match order {
            OrderTree::Leaf => {
                let lines: Vec<String> = statements.iter().map(|place| format!("line {}", self.line(*place))).collect();
                lines.join("; ")
            }
            OrderTree::Sequence(parts) => {
                parts.iter().map(|(part, order)| self.text_of(order, part)).collect::<Vec<_>>().join("; ")
            }
            OrderTree::Band(band) => {
                let names = self.names(band).join(", ");
                match &*band.child {
                    OrderTree::Band(_) => format!("{names}, {}", self.text_of(&band.child, statements)),
                    child if child.has_band() => format!("{names} {{ {} }}", self.text_of(child, statements)),
                    _ => names,
                }
            }
        }
    }

    /// Returns the loops around the statements of an order.
    pub(super) fn statement_loops(&self, order: &OrderTree) -> Vec<StatementLoops> {
        let mut walk = LoopWalk { names: self, around: Vec::new(), opened: 0, found: Vec::new() };
        walk.tree(order, &order.statements(self.scop));
        let paths: Vec<Vec<usize>> = walk.found.iter().map(|(_, path, _)| path.clone()).collect();
        let shared = |place: usize| match place.checked_sub(1) {
            Some(before) => paths[before].iter().zip(&paths[place]).take_while(|(a, b)| a == b).count(),
            None => 0,
        };
        let found = walk.found.into_iter().enumerate();
        found.map(|(place, (lines, _, loops))| StatementLoops { lines, loops, shared: shared(place) }).collect()
    }

    fn names(&self, band: &Band) -> Vec<String> {
        band.members.iter().map(|member| self.name(member)).collect()
    }

    /// Returns the name of a loop: its variable, the tiles of one, or an expression in several.
    fn name(&self, member: &BandMember) -> String {
        let Some((statement, value)) = member.values.first_key_value() else { return String::new() };
        self.variable(*statement, value).unwrap_or_else(|| self.nests.show(*statement, value))
    }

    /// Returns the name of a loop over a variable or over its tiles; `None` for another one.
    fn variable(&self, statement: usize, value: &Expr) -> Option<String> {
        let mut terms = value.terms();
        match (terms.next()?, terms.next(), value.constant_term()) {
            ((Atom::Iter(iter), 1), None, 0) => self.variable_of(statement, *iter),
            ((Atom::Floor(inner, size), 1), None, 0) => Some(format!("{}:{size}", self.variable(statement, inner)?)),
            _ => None,
        }
    }

    fn variable_of(&self, statement: usize, iter: IterId) -> Option<String> {
        let place = self.scop.statements[statement].iters.iter().position(|other| *other == iter)?;
        self.nests.variables[statement].get(place).map(|(name, _)| name.clone())
    }

    fn line(&self, statement: usize) -> u32 {
        let first = self.scop.statements[statement].accesses.first();
        first.map_or(0, |access| self.scop.program.access(*access).location.line)
    }
}

/// A walk over the loops of an order.
struct LoopWalk<'w> {
    names: &'w LoopNames<'w>,
    /// The loops around, by their numbers and names.
    around: Vec<(usize, String)>,
    opened: usize,
    /// The statements so far: their lines, and the numbers and names of the loops around them.
    found: Vec<(Vec<u32>, Vec<usize>, Vec<String>)>,
}

impl LoopWalk<'_> {
    fn tree(&mut self, order: &OrderTree, statements: &BTreeSet<usize>) {
        match order {
            OrderTree::Leaf => statements.iter().for_each(|statement| self.statement(*statement)),
            OrderTree::Sequence(parts) => parts.iter().for_each(|(part, order)| self.tree(order, part)),
            OrderTree::Band(band) => {
                let depth = self.around.len();
                for name in self.names.names(band) {
                    self.around.push((self.opened, name));
                    self.opened += 1;
                }
                self.tree(&band.child, statements);
                self.around.truncate(depth);
            }
        }
    }

    fn statement(&mut self, statement: usize) {
        let line = self.names.line(statement);
        let path: Vec<usize> = self.around.iter().map(|(number, _)| *number).collect();
        match self.found.last_mut().filter(|(_, before, _)| *before == path) {
            Some((lines, ..)) => {
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
            None => self.found.push((vec![line], path, self.around.iter().map(|(_, name)| name.clone()).collect())),
        }
    }
}
