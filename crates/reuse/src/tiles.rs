//! Translates results in tile coordinates to the program's own sizes (docs/mathematics.md, "Tiles").
//!
//! With n = T·m + s − o the parameters m and s of tile coordinates are functions of n: m = ⌊(n + o − 1)/T⌋, and s is
//! the rest. They replace m and s in all that has been derived. Until then m and s are independent, so that equal
//! formulas are equal.

use symloc_affine::TileCoordinates;
use symloc_model::rewrite::with_values;
use symloc_quasi::{Poly, Var};

use crate::conditions::polynomial;
use crate::stored::Derived;

/// Returns results in tile coordinates in the own sizes of a program with `params` parameters.
pub(crate) fn untiled(tiles: &TileCoordinates, params: usize, derived: Derived) -> Derived {
    let values: Vec<Poly> = tiles.values.iter().map(|value| polynomial(value, u32::MAX)).collect();
    // Iterators come after fewer parameters.
    let shift = (values.len() - params) as u32;
    let rewrite = with_values(|var| match values.get(var.0 as usize) {
        Some(value) => value.clone(),
        None => Poly::var(Var(var.0 - shift)),
    });
    Derived {
        accesses: rewrite.pieces(&derived.accesses),
        operations: derived.operations.map(|count| rewrite.pieces(&count)),
        lines: derived.lines.iter().map(|line| rewrite.line(line)).collect(),
        conditions: derived.conditions.iter().map(|condition| rewrite.constraint(condition)).collect(),
        ..derived
    }
}
