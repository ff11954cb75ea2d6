//! Translates results in tile coordinates, or in digits, to the program's own sizes (docs/mathematics.md, "Tiles", "Tiles of
//! symbolic size").
//!
//! With n = T·m + s − o the parameters m and s of tile coordinates are functions of n: m = ⌊(n + o − 1)/T⌋, and s is
//! the rest. They replace m and s in all that has been derived. Until then m and s are independent, so that equal
//! formulas are equal.
//!
//! With n = T·m + s and a T that is a parameter, m = ⌊(n − 1)/T⌋ is a variable of the model, and n − T·m replaces s.

use symloc_affine::{ParamId, RadixProgram, SizeDigits, TileCoordinates};
use symloc_model::rewrite::with_values;
use symloc_model::{LineCount, Rewrite};
use symloc_quasi::{Constraint, Poly, Var};

use crate::conditions::{constraint, polynomial};
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

/// Returns results in digits in the own sizes of a program with `params` parameters.
pub(crate) fn without_digits(radix: &RadixProgram, params: usize, derived: Derived) -> Derived {
    let var = |param: ParamId| Poly::var(Var(param.0));
    let rests = radix.sizes.iter().filter(|digits| digits.rest.is_some()).count();
    // The digits of sizes are variables behind the parameters, but for rests.
    let iterators = (params + radix.sizes.len() + rests) as u32;
    let product = |digits: &SizeDigits| &var(digits.tile) * &var(digits.quotient);
    let rewrite = with_values(|Var(number)| {
        let rest = radix.sizes.iter().find(|digits| digits.rest == Some(ParamId(number)));
        match rest {
            Some(digits) => &var(digits.size) - &product(digits),
            None if number >= iterators => Poly::var(Var(number - rests as u32)),
            None => Poly::var(Var(number)),
        }
    });
    let whole = || radix.sizes.iter().filter(|digits| digits.rest.is_none());
    // Where n is T·m its name is shorter.
    let shorter = |poly: &Poly| {
        whole().fold(rewrite.poly(poly), |poly, digits| match product(digits).terms().next() {
            Some((monomial, _)) => poly.with_name(monomial, Var(digits.size.0)),
            None => poly,
        })
    };
    let rewrite = Rewrite(shorter);
    let multiples = whole().map(|digits| Constraint::zero(&var(digits.size) - &product(digits)));
    let count = |digits: &SizeDigits| {
        let plus = if digits.rest.is_some() { -1 } else { 0 };
        LineCount { of: digits.size.index(), by: digits.tile.index(), plus }
    };
    Derived {
        accesses: rewrite.pieces(&derived.accesses),
        operations: derived.operations.map(|count| rewrite.pieces(&count)),
        lines: derived.lines.iter().map(|line| rewrite.line(line)).collect(),
        line_counts: radix.sizes.iter().map(count).collect(),
        conditions: radix.conditions.iter().map(constraint).chain(multiples).collect(),
        ..derived
    }
}
