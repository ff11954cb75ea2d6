//! The digits of sums, with the range of the lower one.

use crate::expr::{Expr, Overflow};
use crate::ids::ParamId;

/// A number that is linear in the tile size: `tiles·T + plus`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OfTile {
    pub(super) tiles: i64,
    pub(super) plus: i64,
}

impl OfTile {
    fn add_scaled(&mut self, other: OfTile, factor: i64) -> Result<(), Overflow> {
        let scaled = |sum: i64, value: i64| value.checked_mul(factor).and_then(|v| sum.checked_add(v)).ok_or(Overflow);
        *self = Self { tiles: scaled(self.tiles, other.tiles)?, plus: scaled(self.plus, other.plus)? };
        Ok(())
    }
}

/// A value `T·whole + rest`, where the rest is from `low` to `high`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RadixDigits {
    pub(super) whole: Expr,
    pub(super) rest: Expr,
    pub(super) low: OfTile,
    pub(super) high: OfTile,
}

impl RadixDigits {
    /// Returns the digits of a number that does not depend on the tile.
    pub(super) fn constant(value: i64) -> Self {
        let of = OfTile { tiles: 0, plus: value };
        Self { whole: Expr::default(), rest: Expr::constant(value), low: of, high: of }
    }

    /// Returns the digits of a multiple of the tile.
    pub(super) fn tiles(whole: Expr) -> Self {
        Self { whole, ..Self::default() }
    }

    /// Returns the digits of an iterator: the rest is from 0 to T − 1.
    pub(super) fn place(whole: Expr, rest: Expr) -> Self {
        Self { whole, rest, low: OfTile::default(), high: OfTile { tiles: 1, plus: -1 } }
    }

    /// Returns the digits of a size: the rest is from 1 to T.
    pub(super) fn size(whole: Expr, rest: Expr) -> Self {
        Self { whole, rest, low: OfTile { tiles: 0, plus: 1 }, high: OfTile { tiles: 1, plus: 0 } }
    }

    /// Adds a multiple of other digits.
    pub(super) fn add_scaled(&mut self, other: &RadixDigits, factor: i64) -> Result<(), Overflow> {
        self.whole = self.whole.add_scaled(&other.whole, factor)?;
        self.rest = self.rest.add_scaled(&other.rest, factor)?;
        let (low, high) = if factor < 0 { (other.high, other.low) } else { (other.low, other.high) };
        self.low.add_scaled(low, factor)?;
        self.high.add_scaled(high, factor)
    }

    /// Returns the carries that the rest may have, ⌊rest/T⌋, from the least to the greatest; a tile size below `least` may
    /// have more.
    pub(super) fn carries(&self) -> Result<Carries, Overflow> {
        let (low, high) = (self.low, self.high);
        // ⌊(a·T + b)/T⌋ is a + ⌊b/T⌋: at least a − 1 where b ≥ −T, and at most a where b < T.
        let first = if low.plus < 0 { low.tiles.checked_sub(1).ok_or(Overflow)? } else { low.tiles };
        let last = if high.plus < 0 { high.tiles.checked_sub(1).ok_or(Overflow)? } else { high.tiles };
        let least = low.plus.checked_neg().ok_or(Overflow)?.max(high.plus.checked_add(1).ok_or(Overflow)?);
        Ok(Carries { first, last, least })
    }

    /// Returns the rest that a carry leaves.
    pub(super) fn rest_after(&self, carry: i64, tile: ParamId) -> Result<Expr, Overflow> {
        self.rest.add_scaled(&Expr::param(tile), carry.checked_neg().ok_or(Overflow)?)
    }
}

/// A range of carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Carries {
    pub(super) first: i64,
    pub(super) last: i64,
    /// The tile size from which on there are no others.
    pub(super) least: i64,
}
