//! Translates results in tile coordinates, or in digits, to the program's own sizes (docs/mathematics.md, "Tiles", "Tiles of
//! symbolic size").
//!
//! With n = T·m + s − o the parameters m and s of tile coordinates are functions of n: m = ⌊(n + o − 1)/T⌋, and s is
//! the rest. They replace m and s in all that has been derived. Until then m and s are independent, so that equal
//! formulas are equal.
//!
//! With n = T·m + s and a T that is a parameter, m = ⌊(n − 1)/T⌋ is a variable of the model, and n − T·m replaces s.

use symloc_affine::{AccessId, ParamId, RadixProgram, SizeDigits, TileCoordinates};
use symloc_model::rewrite::with_values;
use symloc_model::{LineCount, LineModel, ReuseClass, Rewrite};
use symloc_quasi::{Constraint, Poly, Var};

use crate::Error;
use crate::conditions::{constraint, polynomial};
use crate::error::LineError;
use crate::stored::Derived;
use crate::write_backs::UnknownWriteBacks;

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

/// Returns results in digits in the own sizes of a program with `params` parameters, for its own accesses.
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
    let unknown = derived.unknown_write_backs.into_iter();
    Derived {
        accesses: rewrite.pieces(&derived.accesses),
        operations: derived.operations.map(|count| rewrite.pieces(&count)),
        lines: derived.lines.iter().map(|line| of_source(radix, rewrite.line(line))).collect(),
        line_counts: radix.sizes.iter().map(count).collect(),
        conditions: radix.conditions.iter().map(constraint).chain(multiples).collect(),
        unknown_write_backs: unknown
            .map(|unknown| UnknownWriteBacks { access: radix.accesses[unknown.access.index()], ..unknown })
            .collect(),
        ..derived
    }
}

/// Returns a model of lines whose counts are those of the accesses of the source.
fn of_source(radix: &RadixProgram, mut line: LineModel) -> LineModel {
    let distances = line.distances.iter_mut().flat_map(|distances| [&mut distances.classes, &mut distances.estimated]);
    let written = line.write_backs.iter_mut().flat_map(|written| {
        let distances = written.distances.iter_mut().flat_map(|known| [&mut known.classes, &mut known.estimated]);
        written.classes.iter_mut().chain(distances)
    });
    let all: Vec<&mut Vec<ReuseClass>> = std::iter::once(&mut line.classes).chain(distances).chain(written).collect();
    for count in all.into_iter().flatten().flat_map(|class| &mut class.counts) {
        for access in [&mut count.access, &mut count.previous].into_iter().flatten() {
            *access = radix.accesses[*access].index();
        }
    }
    line
}

/// Returns an error about a program in digits as one about the accesses of the source.
pub(crate) fn error_of_source(radix: &RadixProgram, error: Error) -> Error {
    let of = |access: AccessId| radix.accesses[access.index()];
    match error {
        Error::Limit { access, limit } => Error::Limit { access: of(access), limit },
        Error::Worker { access, reason } => Error::Worker { access: of(access), reason },
        Error::Line(LineError { access, reason }) => Error::Line(LineError { access: of(access), reason }),
        other => other,
    }
}
