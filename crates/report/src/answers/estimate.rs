//! The note on estimated reuses in answers from reuse distances.

use std::io::{self, Write};

use symloc_evaluate::Int;

/// Writes a line for people if anything was estimated.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_note(out: &mut dyn Write, estimated: &Int) -> io::Result<()> {
    if estimated.is_zero() {
        return Ok(());
    }
    writeln!(out, "\nestimated: {estimated} reuses have no exact distance in the model; Denning's recursion stands in")
}
