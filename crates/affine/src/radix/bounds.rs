//! The bounds of the tiles of a loop.

use crate::expr::{Atom, Expr, Overflow};
use crate::ids::IterId;

/// The bounds of the tiles of a loop.
#[derive(Clone, Debug, Default)]
pub(super) struct TileBounds {
    pub(super) lower: Vec<Expr>,
    pub(super) upper: Vec<Expr>,
    /// Expressions that do not depend on the tile, and must not be negative.
    pub(super) conditions: Vec<Expr>,
}

impl TileBounds {
    /// Adds the condition that a value is not negative.
    pub(super) fn add(&mut self, iter: IterId, value: &Expr) -> Result<(), Overflow> {
        let tile = Expr::iter(iter);
        let coefficient = value.terms().find(|(atom, _)| **atom == Atom::Iter(iter)).map_or(0, |(_, c)| c);
        let (list, bound) = match coefficient {
            1 => (&mut self.lower, tile.minus(value)?),
            -1 => (&mut self.upper, value.plus(&tile)?.plus_constant(1)?),
            _ => (&mut self.conditions, value.clone()),
        };
        if !list.contains(&bound) {
            list.push(bound);
        }
        Ok(())
    }

    /// Returns the only tile, if a lower bound and an upper one leave one.
    pub(super) fn only(&self) -> Option<Expr> {
        let is_only =
            |lower: &&Expr| self.upper.iter().any(|u| u.minus(lower).is_ok_and(|d| d.as_constant() == Some(1)));
        self.lower.iter().find(is_only).cloned()
    }
}
