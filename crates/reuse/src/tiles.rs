//! Translates results in tile coordinates, or in digits, to the program's own sizes (docs/mathematics.md, "Tiles", "Tiles of
//! symbolic size").
//!
//! With n = T·m + s − o the parameters m and s of tile coordinates are functions of n: m = ⌊(n + o − 1)/T⌋, and s is
//! the rest. They replace m and s in all that has been derived. Until then m and s are independent, so that equal
//! formulas are equal.
//!
//! With n = T·m + s and a T that is a parameter, m = ⌊(n − 1)/T⌋ is a variable of the model, and n − T·m replaces s.

use symloc_affine::{AccessId, RadixProgram, SizeDigits, TileCoordinates};
use symloc_model::rewrite::with_values;
use symloc_model::{LineCount, LineModel, ReuseClass};
use symloc_quasi::{Poly, Var};

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
    let (first, sizes) = (params as u32, radix.sizes.len() as u32);
    let var = |param: symloc_affine::ParamId| Poly::var(Var(param.0));
    let rewrite = with_values(|Var(number)| match number.checked_sub(first + sizes) {
        None => Poly::var(Var(number)),
        Some(rest) => match radix.sizes.get(rest as usize) {
            Some(SizeDigits { size, tile }) => &var(*size) - &(&var(*tile) * &Poly::var(Var(first + rest))),
            // An iterator.
            None => Poly::var(Var(number - sizes)),
        },
    });
    let count = |digits: &SizeDigits| LineCount { of: digits.size.index(), by: digits.tile.index(), plus: -1 };
    let unknown = derived.unknown_write_backs.into_iter();
    Derived {
        accesses: rewrite.pieces(&derived.accesses),
        operations: derived.operations.map(|count| rewrite.pieces(&count)),
        lines: derived.lines.iter().map(|line| of_source(radix, rewrite.line(line))).collect(),
        line_counts: radix.sizes.iter().map(count).collect(),
        conditions: radix.conditions.iter().map(constraint).collect(),
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
