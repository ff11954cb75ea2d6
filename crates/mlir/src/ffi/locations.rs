//! Locations of operations and values: positions in files, and names.

use melior::ir::Location;

use super::identifier;

/// A position in MLIR's form: file as parsed, line and column from 1 (0 if unknown).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// Returns the first file position in a location; for inlined code, that in the callee.
pub(crate) fn position(location: Location) -> Option<Position> {
    if location.is_file_line_col_range() {
        return Some(Position {
            file: identifier(location.file_line_col_range_filename()),
            line: location.file_line_col_range_start_line(),
            column: location.file_line_col_range_start_column(),
        });
    }
    if location.is_name() {
        return position(location.name_child_location());
    }
    if location.is_call_site() {
        return position(location.call_site_callee());
    }
    if location.is_fused() {
        return (0..location.fused_num_locations()).find_map(|i| position(location.fused_location(i)));
    }
    None
}

/// Returns the first name in a location; `None` if it is empty.
pub(crate) fn location_name(location: Location) -> Option<String> {
    if location.is_name() {
        return Some(identifier(location.name_value())).filter(|name| !name.is_empty());
    }
    if location.is_call_site() {
        return location_name(location.call_site_callee());
    }
    if location.is_fused() {
        return (0..location.fused_num_locations()).find_map(|i| location_name(location.fused_location(i)));
    }
    None
}
