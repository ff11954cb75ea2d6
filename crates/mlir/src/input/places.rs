//! Places and names of values in the source.
//!
//! MLIR does not keep the names of SSA values, but the locations of block arguments and operations lead back to the
//! text.

use std::sync::Arc;

use melior::Context;
use melior::ir::operation::OperationLike;
use melior::ir::{Location as MlirLocation, ValueLike};
use symloc_affine::Location;

use super::source::Readable;
use crate::ffi::{
    Definition, Op, Position, Val, all_within, definition, location_name, name, op_results, position, region_arguments,
    regions, set_name,
};
use crate::upgrade::Edited;

/// MLIR's name for a text that it parses from memory.
pub(crate) const UNNAMED: &str = "-";

/// A map from MLIR's locations to the source.
pub(crate) struct Places<'s> {
    file: Arc<str>,
    /// The lines of the text that MLIR has read: the source, or the rewritten text.
    lines: Vec<&'s str>,
    rewritten: Option<&'s Edited>,
}

impl<'s> Places<'s> {
    pub(crate) fn new(source: &Readable<'s>, rewritten: Option<&'s Edited>) -> Self {
        let text = rewritten.map_or(source.text(), |rewritten| &rewritten.text);
        Self { file: source.name.into(), lines: text.lines().collect(), rewritten }
    }

    /// Returns the place, if it is known, with the name of its location.
    pub(crate) fn location(&self, location: MlirLocation) -> Option<Location> {
        let place = position(location).and_then(|position| self.at_position(&position))?;
        Some(Location { name: location_name(location).map(Arc::from), ..place })
    }

    /// Returns the place; `None` for line 0, which means that there is no text.
    pub(crate) fn at_position(&self, position: &Position) -> Option<Location> {
        let own = position.file == UNNAMED;
        let column = if own { self.source_column(position.line, position.column) } else { position.column };
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let file = if own { Arc::clone(&self.file) } else { position.file.as_str().into() };
        (position.line > 0).then(|| Location::new(file, number(position.line), number(column.max(1))))
    }

    fn source_column(&self, line: usize, column: usize) -> usize {
        self.rewritten.map_or(column, |rewritten| rewritten.old_column(line, column))
    }

    /// Returns the place of an operation, if it is known.
    pub(crate) fn of(&self, op: Op) -> Option<Location> {
        self.location(op.location())
    }

    /// Returns the place; for operations that a pass has made, the start of the file.
    pub(crate) fn or_start(&self, location: MlirLocation) -> Location {
        self.location(location).unwrap_or_else(|| Location {
            name: location_name(location).map(Arc::from),
            ..Location::new(Arc::clone(&self.file), 1, 1)
        })
    }

    /// Returns the name of an array: that of its location, as in networks, or its SSA name.
    pub(crate) fn array_name(&self, value: Val) -> Option<String> {
        let place = match definition(value) {
            Definition::Argument { .. } => value.location(),
            Definition::Result { op } => op.location(),
        };
        location_name(place).or_else(|| self.ssa_name(value).map(str::to_owned))
    }

    /// Returns the SSA name of a value in the source, without `%`.
    pub(crate) fn ssa_name(&self, value: Val) -> Option<&'s str> {
        match definition(value) {
            Definition::Argument { .. } => {
                let (line, column) = self.own_place(value.location())?;
                leading_name(line.get(column..)?)
            }
            Definition::Result { op } if op.result_count() == 1 => {
                let (line, column) = self.own_place(op.location())?;
                // An operation that a pass made may have the place of another one.
                let here = line.get(column..)?.trim_start_matches('"');
                here.starts_with(&name(op)).then_some(())?;
                let names = line.get(..column)?.trim_end().strip_suffix('=')?.trim_end();
                let last = &names[names.rfind('%')?..];
                leading_name(last).filter(|found| found.len() + 1 == last.len())
            }
            Definition::Result { .. } => None,
        }
    }

    /// Returns the SSA name of a value, if it is a word and no number.
    pub(crate) fn word(&self, value: Val) -> Option<&'s str> {
        self.ssa_name(value).filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
    }

    /// Gives the values in an operation their names in the source, for printing.
    pub(crate) fn name_values<'a>(&self, context: &'a Context, root: Op<'a>) {
        let name = |value: Val<'a>| {
            self.word(value).into_iter().for_each(|name| set_name(context, value, name));
        };
        for op in all_within(root) {
            op_results(op).into_iter().for_each(name);
            regions(op).into_iter().flat_map(region_arguments).for_each(name);
        }
    }

    /// Returns the name of a value for messages, or `the value`.
    pub(crate) fn describe(&self, value: Val) -> String {
        self.ssa_name(value).map_or_else(|| "the value".to_owned(), |name| format!("`%{name}`"))
    }

    /// Returns the line as MLIR has read it and the column from 0, if the place is in this source.
    fn own_place(&self, location: MlirLocation) -> Option<(&'s str, usize)> {
        let place = position(location).filter(|place| place.file == UNNAMED || place.file == *self.file)?;
        let line = self.lines.get(place.line.checked_sub(1)?)?;
        Some((line, place.column.checked_sub(1)?))
    }
}

/// Returns the name after the `%` at the start of a text.
fn leading_name(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('%')?;
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "_$.-".contains(c))).unwrap_or(rest.len());
    Some(&rest[..end]).filter(|name| !name.is_empty())
}
